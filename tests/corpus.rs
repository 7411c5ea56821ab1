//! Keys and patterns with the slots that real servers gave them, as `tests/corpus` records them.

// A test fails by panicking.
#![allow(clippy::expect_used, clippy::panic)]

use redslot_wasm::key::{explain, slot};
use redslot_wasm::pattern::pattern_slot;
use serde_json::Value;

fn rows(json: &str) -> Vec<Value> {
    match serde_json::from_str(json) {
        Ok(Value::Array(rows)) => rows,
        other => panic!("a list was expected: {other:?}"),
    }
}

fn bytes(row: &Value, text: &str) -> Vec<u8> {
    match (row[text].as_str(), row["hex"].as_str()) {
        (Some(text), _) => text.as_bytes().to_vec(),
        (None, Some(hex)) => (0..hex.len() / 2)
            .map(|at| u8::from_str_radix(&hex[at * 2..at * 2 + 2], 16).expect("two hex digits"))
            .collect(),
        _ => panic!("no key in {row}"),
    }
}

#[test]
fn keys_have_the_slots_that_cluster_keyslot_gives() {
    let rows = rows(include_str!("corpus/keys.json"));
    assert!(rows.len() > 300);
    for row in rows {
        let key = bytes(&row, "key");
        assert_eq!(Some(u64::from(slot(&key))), row["slot"].as_u64(), "{row}");
        assert_eq!(explain(&key).slot, slot(&key), "{row}");
    }
}

#[test]
fn patterns_pin_the_slots_that_the_server_infers() {
    let rows = rows(include_str!("corpus/patterns.json"));
    assert!(rows.len() > 50);
    for row in rows {
        let pinned = pattern_slot(&bytes(&row, "pattern")).map(u64::from);
        assert_eq!(pinned, row["slot"].as_u64(), "{row}");
    }
}
