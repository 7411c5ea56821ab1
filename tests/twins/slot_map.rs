//! The naive twin of a slot map: every range of every primary, for every slot.

use redslot_wasm::slot_map::{Conflict, Move, SlotMap};
use redslot_wasm::topology::Primary;

/// The primaries whose ranges hold the slot.
pub fn claimants(map: &SlotMap, slot: u16) -> Vec<usize> {
    let claims = |p: &Primary| p.ranges.iter().any(|&(a, b)| a <= slot && slot <= b);
    let all = map.primaries().iter().enumerate();
    all.filter(|(_, p)| claims(p))
        .map(|(index, _)| index)
        .collect()
}

/// The only one of them.
pub fn owner(map: &SlotMap, slot: u16) -> Option<usize> {
    match claimants(map, slot).as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

/// Gaps and conflicts, slot by slot.
pub fn faults(map: &SlotMap) -> (Vec<(u16, u16)>, Vec<Conflict>) {
    let mut runs: Vec<Conflict> = Vec::new();
    for slot in 0..16384 {
        let owners = claimants(map, slot);
        match runs.last_mut() {
            Some(run) if run.owners == owners => run.end = slot,
            _ => runs.push(Conflict {
                start: slot,
                end: slot,
                owners,
            }),
        }
    }
    let gaps = runs.iter().filter(|run| run.owners.is_empty());
    let gaps = gaps.map(|run| (run.start, run.end)).collect();
    runs.retain(|run| run.owners.len() > 1);
    (gaps, runs)
}

/// What names a primary across maps in which each node has an id in both or in neither.
fn name(p: &Primary) -> (Option<String>, Option<String>, Option<u16>) {
    match (&p.id, &p.endpoint) {
        (Some(id), _) => (Some(id.clone()), None, None),
        (None, Some(endpoint)) => (None, Some(endpoint.clone()), None),
        (None, None) => (None, None, Some(p.ranges[0].0)),
    }
}

/// What moved, slot by slot.
pub fn diff(older: &SlotMap, newer: &SlotMap) -> Vec<Move> {
    let mut moves: Vec<Move> = Vec::new();
    for slot in 0..16384 {
        let (from, to) = (owner(older, slot), owner(newer, slot));
        if from.map(|i| name(&older.primaries()[i])) == to.map(|i| name(&newer.primaries()[i])) {
            continue;
        }
        match moves.last_mut() {
            Some(run) if run.end + 1 == slot && (run.from, run.to) == (from, to) => run.end = slot,
            _ => moves.push(Move {
                start: slot,
                end: slot,
                from,
                to,
            }),
        }
    }
    moves
}
