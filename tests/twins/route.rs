use redslot_wasm::route::{Routed, Verdict};
use redslot_wasm::slot_map::UNOWNED;
use std::collections::BTreeSet;

/// The verdict on each command by the set of its slots.
pub fn route(slots: &[u16], counts: &[u32], owners: &[u16]) -> Vec<Routed> {
    let mut at = 0;
    let mut routed = Vec::new();
    for count in counts {
        let end = slots.len().min(at + *count as usize);
        let distinct: BTreeSet<u16> = slots[at..end].iter().copied().collect();
        let owner = slots
            .get(at)
            .and_then(|slot| owners.get(usize::from(*slot)));
        let verdict = match (distinct.len(), owner) {
            (0, _) => Verdict::Keyless,
            (1, Some(owner)) if *owner != UNOWNED => Verdict::ToNode(*owner),
            (1, _) => Verdict::Unowned,
            _ => Verdict::CrossSlot,
        };
        let slot = (at < end).then(|| slots[at]);
        routed.push(Routed { slot, verdict });
        at = end;
    }
    routed
}
