//! Grouping the keys of a batch by the node that owns their slot.

use crate::slot_map::UNOWNED;
use crate::SLOT_COUNT;

/// Indices in groups: group `g` is `order[ends[g - 1]..ends[g]]`, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    /// All indices, group after group.
    pub order: Vec<u32>,
    /// Where each group ends in `order`.
    pub ends: Vec<u32>,
}

impl Groups {
    /// The indices in group `group`, ascending; empty when there is no such group.
    #[must_use]
    pub fn get(&self, group: usize) -> &[u32] {
        let end_of = |group: usize| self.ends.get(group).map(|end| *end as usize);
        let start = group.checked_sub(1).and_then(end_of).unwrap_or(0);
        let end = end_of(group).unwrap_or(start);
        self.order.get(start..end).unwrap_or_default()
    }
}

/// Groups the indices of `slots` by owner.
///
/// `owners` maps a slot to a primary `0..primaries` (as `SlotMap::owners` does). The result has
/// `primaries + 1` groups: one per primary, then the indices whose slot has no owner. Every index
/// is in exactly one group. Costs two looks at each slot, whatever the number of ranges.
///
/// ```
/// use redslot_wasm::partition::partition;
/// let groups = partition(&[2, 0, 2, 3], &[0, 0, 1], 2);
/// assert_eq!(groups.get(0), [1]);
/// assert_eq!(groups.get(1), [0, 2]);
/// assert_eq!(groups.get(2), [3]);
/// ```
#[must_use]
pub fn partition(slots: &[u16], owners: &[u16], primaries: usize) -> Groups {
    let buckets: Vec<u16> = slots.iter().map(|slot| owner(*slot, owners)).collect();
    let mut groups = Groups {
        order: vec![0; slots.len()],
        ends: vec![0; primaries + 1],
    };
    group(&buckets, 0, &mut groups.ends, &mut groups.order);
    groups
}

/// The entry of `owners` for `slot`; [`UNOWNED`] when the table does not reach that far.
#[inline]
#[must_use]
pub fn owner(slot: u16, owners: &[u16]) -> u16 {
    owners.get(usize::from(slot)).copied().unwrap_or(UNOWNED)
}

/// Counting sort: writes the indices of `buckets`, each plus `base`, to `order`, bucket by bucket,
/// and the end of each bucket to `ends`.
///
/// There are `ends.len()` buckets; a number beyond them counts as the last one. What does not fit
/// into `order` is left out.
pub fn group(buckets: &[u16], base: u32, ends: &mut [u32], order: &mut [u32]) {
    let Some(last) = ends.len().checked_sub(1) else {
        return;
    };
    let bucket = |number: u16| usize::from(number).min(last);
    ends.fill(0);
    for number in buckets {
        ends[bucket(*number)] += 1;
    }
    let mut start = 0;
    for end in ends.iter_mut() {
        start += core::mem::replace(end, start);
    }
    for (number, index) in buckets.iter().zip(base..) {
        let cursor = &mut ends[bucket(*number)];
        if let Some(place) = order.get_mut(*cursor as usize) {
            *place = index;
        }
        *cursor += 1;
    }
}

/// The indices of `slots` in the order of the slots; where slots are equal, in their own order.
///
/// A slot may be [`SLOT_COUNT`] too, which is where a range that reaches the last slot ends.
pub(crate) fn in_slot_order(slots: &[u16]) -> Vec<u32> {
    let mut ends = vec![0; SLOT_COUNT + 1];
    let mut order = vec![0; slots.len()];
    group(slots, 0, &mut ends, &mut order);
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::twins::partition::partition as naive;
    use proptest::prelude::*;

    #[test]
    fn no_keys_give_empty_groups() {
        let groups = partition(&[], &[0, 1, 2], 3);
        assert!((0..4).all(|group| groups.get(group).is_empty()));
    }

    #[test]
    fn without_primaries_every_key_is_unowned() {
        let groups = partition(&[5, 7], &[UNOWNED; 9], 0);
        assert_eq!(groups.get(0), [0, 1]);
    }

    #[test]
    fn the_three_node_split_of_the_tutorial_puts_foo_bar_and_hello_on_three_nodes() {
        let owner_of = |slot: u16| u16::from(slot > 5500) + u16::from(slot > 11000);
        let owners: Vec<u16> = (0..16384).map(owner_of).collect();
        let slots = [b"foo".as_slice(), b"bar", b"hello"].map(crate::key::slot);
        assert_eq!(slots, [12182, 5061, 866]);
        let groups = partition(&slots, &owners, 3);
        assert_eq!(groups.get(0), [1, 2]);
        assert_eq!(groups.get(1), [] as [u32; 0]);
        assert_eq!(groups.get(2), [0]);
    }

    proptest! {
        #[test]
        fn slot_order_equals_a_stable_sort(
            slots in proptest::collection::vec(prop_oneof![0u16..9, 16380u16..=16384], 0..60),
        ) {
            let mut sorted: Vec<u32> = (0..).take(slots.len()).collect();
            sorted.sort_by_key(|index| slots[*index as usize]);
            prop_assert_eq!(in_slot_order(&slots), sorted);
        }

        #[test]
        fn any_batch_equals_a_walk_per_group(
            slots in proptest::collection::vec(0u16..40, 0..200),
            owners in proptest::collection::vec(prop_oneof![0u16..6, Just(UNOWNED)], 0..40),
            primaries in 0usize..6,
        ) {
            let groups = partition(&slots, &owners, primaries);
            let listed: Vec<Vec<u32>> =
                (0..=primaries).map(|group| groups.get(group).to_vec()).collect();
            prop_assert_eq!(listed, naive(&slots, &owners, primaries));
        }
    }
}
