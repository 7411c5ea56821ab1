//! Batches of keys and of commands.

use crate::twins;
use arbitrary::Arbitrary;
use redslot_wasm::partition::partition;
use redslot_wasm::route::{route, EXTRA_GROUPS};

/// Slots that need not exist, for owners that need not be there.
#[derive(Arbitrary, Debug)]
pub struct Batch {
    primaries: u8,
    owners: Vec<u16>,
    slots: Vec<u16>,
    counts: Vec<u32>,
}

/// Groups equal the twin's, and each index is in one of them.
pub fn check_partition(batch: &Batch) {
    let primaries = usize::from(batch.primaries);
    let groups = partition(&batch.slots, &batch.owners, primaries);
    let listed: Vec<_> = (0..=primaries).map(|at| groups.get(at).to_vec()).collect();
    assert_eq!(
        listed,
        twins::partition::partition(&batch.slots, &batch.owners, primaries)
    );
    assert!(groups.get(primaries + 1).is_empty());
    let mut all = groups.order;
    all.sort_unstable();
    assert!(all.into_iter().eq((0..).take(batch.slots.len())));
}

/// Verdicts equal the twin's, and each has a group.
pub fn check_route(batch: &Batch) {
    let routed: Vec<_> = route(&batch.slots, &batch.counts, &batch.owners).collect();
    assert_eq!(
        routed,
        twins::route::route(&batch.slots, &batch.counts, &batch.owners)
    );
    let groups = usize::from(batch.primaries) + EXTRA_GROUPS;
    assert!(routed
        .iter()
        .all(|to| usize::from(to.verdict.group(batch.primaries.into())) < groups));
}
