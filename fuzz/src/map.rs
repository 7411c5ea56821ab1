//! What holds for every topology that a parser lets through.

use crate::naive_map as naive;
use redslot_wasm::slot_map::{SlotMap, UNOWNED};
use redslot_wasm::topology::{plain, ParseOptions, Topology, Value};
use std::collections::BTreeSet;

const LAST_SLOT: u16 = 16383;

/// No fallback: an endpoint comes from the reply or is missing.
pub const NO_OPTIONS: ParseOptions = ParseOptions {
    fallback_host: None,
};

/// A topology is in order, lies on the slots as its twin says, and is read back once saved.
pub fn check(topology: &Topology) {
    check_order(topology);
    check_nodes(topology);
    check_map(&SlotMap::new(topology.clone()));
    let saved = serde_json::to_string(topology).expect("a topology as JSON");
    let saved: Value = serde_json::from_str(&saved).expect("the same JSON");
    assert_eq!(plain::parse(&saved, &NO_OPTIONS).as_ref(), Ok(topology));
}

fn check_order(topology: &Topology) {
    let primaries = topology.primaries();
    assert!(!primaries.is_empty());
    assert!(primaries.is_sorted_by_key(|primary| primary.ranges[0].0));
    for primary in primaries {
        assert!(primary
            .ranges
            .iter()
            .all(|&(start, end)| start <= end && end <= LAST_SLOT));
        assert!(primary.ranges.windows(2).all(|two| two[0].1 + 1 < two[1].0));
    }
}

fn check_nodes(topology: &Topology) {
    for primary in topology.primaries() {
        check_node(
            primary.port,
            primary.host.as_deref(),
            primary.endpoint.as_deref(),
        );
        let mut seen = BTreeSet::new();
        for replica in &primary.replicas {
            check_node(
                replica.port,
                replica.host.as_deref(),
                replica.endpoint.as_deref(),
            );
            assert!(seen.insert((&replica.id, &replica.host, replica.port)));
        }
    }
}

fn check_node(port: u16, host: Option<&str>, endpoint: Option<&str>) {
    assert_ne!(port, 0);
    assert!(host.is_none_or(|host| !host.is_empty() && !host.contains(char::is_whitespace)));
    let expected = host.map(|host| format!("{host}:{port}"));
    assert_eq!(endpoint, expected.as_deref());
}

fn check_map(map: &SlotMap) {
    for slot in turning_points(map) {
        let claimants = naive::claimants(map, slot);
        let owner = naive::owner(map, slot);
        assert_eq!(
            map.owner_of(slot),
            owner.map(|index| &map.primaries()[index])
        );
        let in_gap = map
            .gaps()
            .iter()
            .any(|&(start, end)| (start..=end).contains(&slot));
        assert_eq!(in_gap, claimants.is_empty());
        let within = map
            .conflicts()
            .iter()
            .find(|it| (it.start..=it.end).contains(&slot));
        let listed = within.map_or(0, |conflict| conflict.owners.len());
        assert_eq!(listed > 0, claimants.len() > 1);
        assert!(within.is_none_or(|conflict| claimants.starts_with(&conflict.owners)));
    }
    assert_eq!(
        owned(map) + in_gaps(map) + contested(map),
        usize::from(LAST_SLOT) + 1
    );
    assert_eq!(map.diff(map), []);
}

/// The slots around every bound of a range, between which nothing changes.
fn turning_points(map: &SlotMap) -> BTreeSet<u16> {
    let ranges = map.primaries().iter().flat_map(|primary| &primary.ranges);
    let around = ranges.flat_map(|&(start, end)| [start.saturating_sub(1), start, end, end + 1]);
    around.chain([0]).map(|slot| slot.min(LAST_SLOT)).collect()
}

fn owned(map: &SlotMap) -> usize {
    map.owners()
        .iter()
        .filter(|owner| **owner != UNOWNED)
        .count()
}

fn in_gaps(map: &SlotMap) -> usize {
    map.gaps()
        .iter()
        .map(|&(start, end)| length(start, end))
        .sum()
}

fn contested(map: &SlotMap) -> usize {
    map.conflicts()
        .iter()
        .map(|it| length(it.start, it.end))
        .sum()
}

fn length(start: u16, end: u16) -> usize {
    usize::from(end - start) + 1
}
