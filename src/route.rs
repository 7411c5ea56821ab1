//! Where commands go: each command is a run of keys in a batch.
//!
//! The verdicts are those a server gives (Redis Cluster specification, section "Multiple keys
//! operations"; server source `cluster.c`, `getNodeByQuery`): all keys of one command must lie in
//! one hash slot, not just on one node.

use crate::partition::owner;
use crate::slot_map::UNOWNED;

/// What can be said about one command from its keys alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// All keys are in one slot, served by this entry of the owner table.
    ToNode(u16),
    /// The command has no keys, so any node would do.
    Keyless,
    /// All keys are in one slot and no node serves it.
    Unowned,
    /// The keys are in more than one slot.
    CrossSlot,
}

/// One command's verdict and slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Routed {
    /// The slot of the first key, or `None` without keys.
    pub slot: Option<u16>,
    /// Where the command goes, or why nowhere.
    pub verdict: Verdict,
}

impl Verdict {
    /// The number of the group for this verdict when there are `primaries` nodes: one group per
    /// node, then keyless, unowned and cross-slot.
    #[must_use]
    pub fn group(self, primaries: u16) -> u16 {
        match self {
            Verdict::ToNode(node) if node < primaries => node,
            Verdict::Keyless => primaries,
            Verdict::ToNode(_) | Verdict::Unowned => primaries.saturating_add(1),
            Verdict::CrossSlot => primaries.saturating_add(2),
        }
    }
}

/// Groups of [`Verdict::group`] beyond one per node.
pub const EXTRA_GROUPS: usize = 3;

/// Routes commands whose keys stand one after another in `slots`; `counts[i]` of them belong to
/// command `i`.
///
/// `owners` maps a slot to a node (as `SlotMap::owners` does). Keys that `counts` promises beyond
/// the end of `slots` do not exist. Costs one look at each slot.
///
/// ```
/// use redslot_wasm::route::{route, Verdict};
/// let verdicts: Vec<_> = route(&[0, 0, 1, 0], &[2, 0, 2], &[7]).map(|to| to.verdict).collect();
/// assert_eq!(verdicts, [Verdict::ToNode(7), Verdict::Keyless, Verdict::CrossSlot]);
/// ```
pub fn route<'a>(
    slots: &'a [u16],
    counts: &'a [u32],
    owners: &'a [u16],
) -> impl Iterator<Item = Routed> + 'a {
    let mut rest = slots;
    counts.iter().map(move |count| {
        let take = (*count as usize).min(rest.len());
        let (run, after) = rest.split_at(take);
        rest = after;
        route_one(run, owners)
    })
}

fn route_one(run: &[u16], owners: &[u16]) -> Routed {
    let verdict = match run {
        [] => Verdict::Keyless,
        [first, others @ ..] if others.iter().any(|slot| slot != first) => Verdict::CrossSlot,
        [first, ..] => match owner(*first, owners) {
            UNOWNED => Verdict::Unowned,
            node => Verdict::ToNode(node),
        },
    };
    Routed {
        slot: run.first().copied(),
        verdict,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::twins::route::route as naive;
    use proptest::prelude::*;

    fn verdicts(slots: &[u16], counts: &[u32], owners: &[u16]) -> Vec<Verdict> {
        route(slots, counts, owners)
            .map(|routed| routed.verdict)
            .collect()
    }

    #[test]
    fn two_slots_of_one_node_are_still_cross_slot() {
        assert_eq!(
            verdicts(&[1180, 700], &[2], &[0; 1200]),
            [Verdict::CrossSlot]
        );
    }

    #[test]
    fn the_third_key_is_looked_at_too() {
        assert_eq!(verdicts(&[1, 1, 2], &[3], &[0; 1200]), [Verdict::CrossSlot]);
    }

    #[test]
    fn a_slot_without_owner_is_unowned_and_no_keys_are_keyless() {
        let owners = [0, UNOWNED];
        assert_eq!(
            verdicts(&[1, 1, 9], &[2, 0, 1], &owners),
            [Verdict::Unowned, Verdict::Keyless, Verdict::Unowned]
        );
    }

    #[test]
    fn counts_beyond_the_keys_do_not_reach_into_nothing() {
        assert_eq!(
            verdicts(&[0], &[5, u32::MAX], &[3]),
            [Verdict::ToNode(3), Verdict::Keyless]
        );
    }

    proptest! {
        #[test]
        fn any_commands_equal_the_same_by_sets(
            slots in proptest::collection::vec(0u16..4, 0..60),
            counts in proptest::collection::vec(0u32..4, 0..40),
            owners in proptest::collection::vec(prop_oneof![0u16..6, Just(UNOWNED)], 0..4),
        ) {
            let fast: Vec<Routed> = route(&slots, &counts, &owners).collect();
            prop_assert_eq!(fast, naive(&slots, &counts, &owners));
        }
    }

    #[test]
    fn the_group_of_a_verdict_is_its_node_or_one_behind_all_nodes() {
        let groups = |primaries| {
            let verdicts = [
                Verdict::ToNode(0),
                Verdict::ToNode(2),
                Verdict::ToNode(3),
                Verdict::Keyless,
                Verdict::Unowned,
                Verdict::CrossSlot,
            ];
            verdicts.map(|verdict| verdict.group(primaries))
        };
        assert_eq!(groups(3), [0, 2, 4, 3, 4, 5]);
        assert_eq!(groups(0), [1, 1, 1, 0, 1, 2]);
        assert_eq!(groups(u16::MAX), [0, 2, 3, u16::MAX, u16::MAX, u16::MAX]);
    }
}
