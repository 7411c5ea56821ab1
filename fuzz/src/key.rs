//! Keys: slot, hash tag and explanation.

use crate::twins::{crc16, key as naive};
use redslot_wasm::crc16::crc16;
use redslot_wasm::key::{explain, hash_tag, slot};
use redslot_wasm::tag::slot_tag;

/// Slot, tag, braces and checksum equal their twins, and the tag is within its braces.
pub fn check(key: &[u8]) {
    assert_eq!(crc16(key), crc16::crc16(key));
    assert_eq!(slot(key), naive::slot(key));
    assert_eq!(hash_tag(key), naive::tag(key));
    if let Some(tag) = hash_tag(key) {
        assert!(key[..tag.start].ends_with(b"{") && key[tag.end..].starts_with(b"}"));
        assert_eq!(slot(key), slot(&key[tag]));
    }
    let told = explain(key);
    assert_eq!(
        (told.slot, told.tag.clone(), told.braces),
        (slot(key), hash_tag(key), naive::braces(key))
    );
    assert_eq!(told.to_string().contains("whole key"), told.tag.is_none());
    check_tag_of_slot(key);
}

/// Whatever follows a tag, the key stays on the slot for which the tag was made.
fn check_tag_of_slot(key: &[u8]) {
    let tag = slot_tag(slot(key)).expect("every slot has a tag");
    let mut tagged = format!("{{{tag}}}").into_bytes();
    tagged.extend(key);
    assert_eq!(slot(&tagged), slot(key));
}
