//! Topologies and slot maps by absolute facts: the cases that people report,
//! replies recorded from real servers, and naive twins.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod malformed;
#[path = "../twins/slot_map.rs"]
mod naive;
mod nodes;
mod plain;
mod printed;
mod properties;
mod recorded;
mod servers;
mod shards;
mod situations;
mod slot_map;
mod slots;
mod text;

use redslot_wasm::slot_map::SlotMap;
use redslot_wasm::topology::{self, ParseOptions, Primary, Topology, TopologyError, Value};

const NO_OPTIONS: ParseOptions = ParseOptions {
    fallback_host: None,
};

fn value(json: &str) -> Value {
    serde_json::from_str(json).expect(json)
}

fn try_slots(json: &str) -> Result<Topology, TopologyError> {
    topology::slots::parse(&value(json), &NO_OPTIONS)
}

fn slots(json: &str) -> Topology {
    try_slots(json).expect(json)
}

fn slot_map(json: &str) -> SlotMap {
    SlotMap::new(slots(json))
}

fn fallback(host: &str) -> ParseOptions {
    ParseOptions {
        fallback_host: Some(host.to_owned()),
    }
}

fn endpoints(topology: &Topology) -> Vec<Option<&str>> {
    topology
        .primaries()
        .iter()
        .map(|p| p.endpoint.as_deref())
        .collect()
}

fn ranges(topology: &Topology) -> Vec<&[(u16, u16)]> {
    topology
        .primaries()
        .iter()
        .map(|p| p.ranges.as_slice())
        .collect()
}

fn owner(map: &SlotMap, slot: u16) -> Option<&str> {
    map.owner_of(slot)
        .and_then(|p: &Primary| p.endpoint.as_deref())
}
