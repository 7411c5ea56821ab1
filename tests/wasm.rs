//! The core and its boundary inside WebAssembly: `wasm-pack test --node`.

// A test fails by panicking.
#![allow(clippy::expect_used)]
#![cfg(target_arch = "wasm32")]

use js_sys::{Reflect, Uint16Array, Uint32Array, JSON};
use redslot_wasm::key::slot;
use redslot_wasm::pattern::pattern_slot;
use redslot_wasm::wasm::topologies::{diff, from_packed, from_slots};
use redslot_wasm::wasm::{explain, hash_long, layout, partition, slot_tag};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

#[path = "corpus/rows.rs"]
mod rows;

fn json(value: &JsValue) -> String {
    JSON::stringify(value).map(String::from).expect("JSON")
}

fn field(value: &JsValue, name: &str) -> JsValue {
    Reflect::get(value, &name.into()).expect("an object")
}

#[wasm_bindgen_test]
fn keys_have_the_slots_that_cluster_keyslot_gives() {
    for row in rows::keys() {
        assert_eq!(Some(slot(&row.bytes)), row.slot, "{}", row.shown);
        assert_eq!(Some(hash_long(&row.bytes)), row.slot, "{}", row.shown);
    }
}

#[wasm_bindgen_test]
fn patterns_pin_the_slots_that_the_server_infers() {
    for row in rows::patterns() {
        assert_eq!(pattern_slot(&row.bytes), row.slot, "{}", row.shown);
    }
}

#[wasm_bindgen_test]
fn a_key_is_explained_as_a_plain_object() {
    assert_eq!(
        json(&explain(b"foo{bar}{zap}")),
        r#"{"slot":5061,"tag":{"start":4,"end":7},"braces":{"open":3,"close":7},"reason":"the first \"{\" is at byte 3 and the first \"}\" after it at byte 7, so only the 3 bytes between them are hashed"}"#
    );
    assert_eq!(field(&explain(b"foo"), "tag"), JsValue::NULL);
}

#[wasm_bindgen_test]
fn a_tag_lands_on_its_slot() {
    for number in 0..16384 {
        assert_eq!(slot(format!("{{{}}}", slot_tag(number)).as_bytes()), number);
    }
}

#[wasm_bindgen_test]
fn a_reply_becomes_plain_data_with_a_table_of_owners() {
    let reply = r#"[[0,5500,["10.0.0.1",6379,"a"]],[5502,16383,["10.0.0.2",6379,"b"]]]"#;
    let laid = from_slots(reply, None);
    assert_eq!(json(&field(&laid, "gaps")), "[[5501,5501]]");
    assert_eq!(json(&field(&laid, "conflicts")), "[]");
    let owners = Uint16Array::from(field(&laid, "owners"));
    assert_eq!(owners.length(), 16384);
    assert_eq!(
        [
            owners.get_index(5500),
            owners.get_index(5501),
            owners.get_index(5502)
        ],
        [0, 65535, 1]
    );
}

#[wasm_bindgen_test]
fn primaries_are_told_as_one_text_and_numbers() {
    let reply = r#"[[0,1,["h","7","é𝄞"],[null,8]],[3,3,["h",7,"é𝄞"]]]"#;
    let laid = from_slots(reply, None);
    assert_eq!(json(&field(&laid, "count")), "1");
    assert_eq!(json(&field(&laid, "text")), r#""é𝄞hh:7""#);
    let numbers = Uint32Array::from(field(&laid, "numbers")).to_vec();
    let primary = [3, 1, 3, 7, 2, 0, 1, 3, 3, 1];
    assert_eq!(numbers[..10], primary);
    assert_eq!(numbers[10..], [u32::MAX, u32::MAX, u32::MAX, 8]);
}

#[wasm_bindgen_test]
fn a_packed_reply_is_told_as_the_reply_itself() {
    let reply = r#"[[0,9,["h",7,"a"],["i",8,"b"]],[11,16383,["h",7,"a"]]]"#;
    let entries = [0, 9, 2, 0, 1, 11, 16383, 1, 0];
    let packed = from_packed(b"h\na\ni\nb\n", &[7, 8], &entries, None);
    assert_eq!(json(&packed), json(&from_slots(reply, None)));
    let cut = from_packed(b"h\na\n", &[7], &entries, None);
    assert!(field(&field(&cut, "error"), "reason").is_string());
}

#[wasm_bindgen_test]
fn a_malformed_entry_is_an_error_as_data_and_the_next_call_works() {
    for bad in [
        "[[]]",
        "[[0,5460]]",
        "[[9,1,[\"h\",1]]]",
        "null",
        "[[0,16384,[\"h\",1]]]",
    ] {
        let laid = from_slots(bad, None);
        assert!(field(&field(&laid, "error"), "reason").is_string(), "{bad}");
    }
    let laid = from_slots(r#"[[0,16383,["",7]]]"#, Some("h".into()));
    assert_eq!(json(&field(&laid, "text")), r#""hh:7""#);
}

#[wasm_bindgen_test]
fn a_moved_slot_is_a_difference() {
    let map = |ranges: [&str; 2]| {
        let primary = |id: &str, ranges: &str| {
            format!(r#"{{"id":"{id}","host":"{id}","port":1,"ranges":{ranges}}}"#)
        };
        format!(
            r#"{{"primaries":[{},{}]}}"#,
            primary("a", ranges[0]),
            primary("b", ranges[1])
        )
    };
    let moved = diff(
        &map(["[[0,99]]", "[[100,16383]]"]),
        &map(["[[0,100]]", "[[101,16383]]"]),
    );
    assert_eq!(
        json(&moved),
        r#"{"moves":[{"start":100,"end":100,"from":1,"to":0}]}"#
    );
}

#[wasm_bindgen_test]
fn calls_beyond_the_scratch_area_do_nothing() {
    assert_eq!(layout().len(), 9);
    assert_eq!(partition(usize::MAX, 0, 3), 0);
    assert_eq!(partition(1, 0, usize::MAX - 1), 0);
    assert_eq!(redslot_wasm::wasm::hash_one(usize::MAX), -1);
    assert_eq!(redslot_wasm::wasm::hash_many(usize::MAX), 0);
    assert!(!redslot_wasm::wasm::units_to_bytes(usize::MAX));
    assert_eq!(redslot_wasm::wasm::route_many(usize::MAX, 1, 0, 1), 0);
}
