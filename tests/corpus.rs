//! Keys and patterns with the slots that real servers gave them, as `tests/corpus` records them.

// A test fails by panicking.
#![allow(clippy::expect_used)]

use redslot_wasm::key::{explain, hash_tag, slot};
use redslot_wasm::pattern::pattern_slot;
use std::collections::BTreeSet;

#[path = "corpus/rows.rs"]
mod rows;

#[test]
fn keys_have_the_slots_that_cluster_keyslot_gives() {
    for row in rows::keys() {
        assert_eq!(Some(slot(&row.bytes)), row.slot, "{}", row.shown);
        let told = explain(&row.bytes);
        assert_eq!(Some(told.slot), row.slot, "{}", row.shown);
        assert_eq!(told.tag, hash_tag(&row.bytes), "{}", row.shown);
    }
}

#[test]
fn the_keys_differ_and_are_in_every_slot() {
    let rows = rows::keys();
    let keys: BTreeSet<_> = rows.iter().map(|row| &row.bytes).collect();
    let slots: BTreeSet<_> = rows.iter().map(|row| row.slot).collect();
    assert_eq!(keys.len(), rows.len());
    assert_eq!(slots.len(), 16384);
}

#[test]
fn patterns_pin_the_slots_that_the_server_infers() {
    for row in rows::patterns() {
        assert_eq!(pattern_slot(&row.bytes), row.slot, "{}", row.shown);
    }
}

#[test]
fn the_patterns_differ_and_some_pin_a_slot_and_some_do_not() {
    let rows = rows::patterns();
    let patterns: BTreeSet<_> = rows.iter().map(|row| &row.bytes).collect();
    assert_eq!(patterns.len(), rows.len());
    let pinning = rows.iter().filter(|row| row.slot.is_some()).count();
    assert!(pinning > 100 && rows.len() - pinning > 100, "{pinning}");
}
