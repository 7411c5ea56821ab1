//! One owner per slot, looked up in constant time.

use serde::Serialize;

use crate::partition::in_slot_order;
use crate::topology::{append, Primary, Topology, LAST_SLOT};
use crate::SLOT_COUNT;

/// Stands in [`SlotMap::owners`] for a slot without one owner.
pub const UNOWNED: u16 = u16::MAX;

/// Most owners that one [`Conflict`] lists, so that a hostile reply cannot
/// make the conflicts larger than 16384 times this.
pub const MAX_CONFLICT_OWNERS: usize = 64;

/// Which primary serves which slot.
///
/// A slot that nobody claims is in [`gaps`](Self::gaps); a slot that several
/// different primaries claim is in [`conflicts`](Self::conflicts). Neither has
/// an owner here: which claim is right only the cluster knows.
///
/// Cost: building is linear in the slots and the ranges, where ranges overlap
/// times the primaries that claim one slot; every look-up is one array access.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotMap {
    topology: Topology,
    owners: Box<[u16]>,
    gaps: Vec<(u16, u16)>,
    conflicts: Vec<Conflict>,
}

/// Slots `start..=end`, claimed by the same several primaries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Conflict {
    /// First contested slot.
    pub start: u16,
    /// Last contested slot.
    pub end: u16,
    /// Indices into [`SlotMap::primaries`], ascending; at least two, and the
    /// first [`MAX_CONFLICT_OWNERS`] where there are more.
    pub owners: Vec<usize>,
}

/// Slots `start..=end`, that went from one owner to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Move {
    /// First slot that moved.
    pub start: u16,
    /// Last slot that moved.
    pub end: u16,
    /// Index into the primaries of the older map, `None` for no owner.
    pub from: Option<usize>,
    /// Index into the primaries of the newer map, `None` for no owner.
    pub to: Option<usize>,
}

impl SlotMap {
    /// Lays a topology out over the slots.
    #[must_use]
    pub fn new(topology: Topology) -> Self {
        let mut map = Self {
            owners: vec![UNOWNED; SLOT_COUNT].into_boxed_slice(),
            gaps: Vec::new(),
            conflicts: Vec::new(),
            topology,
        };
        if !map.fill() {
            map.sweep();
        }
        map
    }

    /// The owner of every slot as an index into [`primaries`](Self::primaries),
    /// or [`UNOWNED`]; 16384 of them.
    #[must_use]
    pub fn owners(&self) -> &[u16] {
        &self.owners
    }

    /// The primaries, in the order of their lowest slots.
    #[must_use]
    pub fn primaries(&self) -> &[Primary] {
        self.topology.primaries()
    }

    /// Inclusive ranges of slots that nobody claims, ascending, as long as
    /// they can be.
    #[must_use]
    pub fn gaps(&self) -> &[(u16, u16)] {
        &self.gaps
    }

    /// Slots that several primaries claim, ascending; a new one begins
    /// wherever the claimants change.
    #[must_use]
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// The primary that serves `slot`; `None` in a gap, in a conflict, and for
    /// a number that is no slot.
    #[must_use]
    pub fn owner_of(&self, slot: u16) -> Option<&Primary> {
        self.primaries().get(self.owner_index(slot)?)
    }

    fn owner_index(&self, slot: u16) -> Option<usize> {
        let owner = *self.owners.get(usize::from(slot))?;
        (owner != UNOWNED).then_some(usize::from(owner))
    }

    /// What changed from this map to a newer one, ascending, in runs as long as
    /// they can be with one `from` and one `to`.
    ///
    /// Two primaries are the same if their ids are equal; where one has no id,
    /// if host and port are equal. One with neither id nor host is the same as
    /// another such with its port and its lowest slot, so that a map never
    /// differs from itself.
    ///
    /// Cost: linear in the slots.
    #[must_use]
    pub fn diff(&self, newer: &SlotMap) -> Vec<Move> {
        let mut moves: Vec<Move> = Vec::new();
        // As if slots without an owner on both sides came before the first.
        let mut last = (None, None);
        let mut differs = false;
        for slot in 0..=LAST_SLOT {
            let pair = (self.owner_index(slot), newer.owner_index(slot));
            let goes_on = pair == last;
            if !goes_on {
                differs = self.differs(pair.0, newer, pair.1);
                last = pair;
            }
            match moves.last_mut() {
                Some(run) if differs && goes_on => run.end = slot,
                _ if differs => moves.push(Move {
                    start: slot,
                    end: slot,
                    from: pair.0,
                    to: pair.1,
                }),
                _ => {}
            }
        }
        moves
    }

    fn differs(&self, from: Option<usize>, newer: &SlotMap, to: Option<usize>) -> bool {
        let from = from.and_then(|index| self.primaries().get(index));
        let to = to.and_then(|index| newer.primaries().get(index));
        match (from, to) {
            (Some(a), Some(b)) => !same(a, b),
            (a, b) => a.is_some() != b.is_some(),
        }
    }

    /// Lays out ranges of which no two overlap; nothing, and false, when two do.
    fn fill(&mut self) -> bool {
        for (owner, primary) in (0..UNOWNED).zip(self.topology.primaries()) {
            for &(start, end) in &primary.ranges {
                let slots = &mut self.owners[usize::from(start)..=usize::from(end)];
                if slots.iter().any(|owner| *owner != UNOWNED) {
                    self.owners.fill(UNOWNED);
                    return false;
                }
                slots.fill(owner);
            }
        }
        for (slot, owner) in (0..=LAST_SLOT).zip(&self.owners) {
            if *owner == UNOWNED {
                append(&mut self.gaps, (slot, slot));
            }
        }
        true
    }

    /// Walks the bounds of all ranges in the order of slots, keeping the
    /// primaries, ascending, that claim the slots between two bounds.
    fn sweep(&mut self) {
        let mut claimants = Vec::new();
        let mut next = 0;
        let bounds = bounds(self.topology.primaries());
        let slots: Vec<u16> = bounds.iter().map(|&(slot, _)| slot).collect();
        for index in in_slot_order(&slots) {
            let (slot, owner) = bounds[index as usize];
            if slot > next {
                self.lay(next, slot - 1, &claimants);
                next = slot;
            }
            // A primary's ranges do not touch, so every other of its bounds ends a claim.
            match claimants.binary_search(&owner) {
                Ok(at) => drop(claimants.remove(at)),
                Err(at) => claimants.insert(at, owner),
            }
        }
        if next <= LAST_SLOT {
            self.lay(next, LAST_SLOT, &claimants);
        }
    }

    fn lay(&mut self, start: u16, end: u16, claimants: &[u16]) {
        match claimants {
            [] => self.gaps.push((start, end)),
            [owner] => {
                self.owners[usize::from(start)..=usize::from(end)].fill(*owner);
            }
            _ => self.conflicts.push(Conflict {
                start,
                end,
                owners: listed(claimants),
            }),
        }
    }
}

fn listed(claimants: &[u16]) -> Vec<usize> {
    let listed = claimants.iter().take(MAX_CONFLICT_OWNERS);
    listed.map(|&owner| usize::from(owner)).collect()
}

/// `(slot, primary)` for the start of every range and for the slot after its
/// end.
fn bounds(primaries: &[Primary]) -> Vec<(u16, u16)> {
    let mut bounds = Vec::new();
    for (owner, primary) in (0..UNOWNED).zip(primaries) {
        for &(start, end) in &primary.ranges {
            bounds.extend([(start, owner), (end + 1, owner)]);
        }
    }
    bounds
}

fn same(a: &Primary, b: &Primary) -> bool {
    match (&a.id, &b.id) {
        (Some(a), Some(b)) => a == b,
        _ if a.port != b.port || a.host != b.host => false,
        _ if a.host.is_some() => true,
        (None, None) => lowest_slot(a) == lowest_slot(b),
        _ => false,
    }
}

fn lowest_slot(primary: &Primary) -> Option<u16> {
    primary.ranges.first().map(|&(start, _)| start)
}
