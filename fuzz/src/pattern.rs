//! Glob patterns.

use crate::twins::pattern as naive;
use redslot_wasm::key::slot;
use redslot_wasm::pattern::pattern_slot;

/// The slot of a pattern equals the twin's, and a key that the pattern matches is in it.
///
/// The pattern ends at the first zero byte; what follows is put in place of its wildcards.
pub fn check(data: &[u8]) {
    let mut parts = data.splitn(2, |byte| *byte == 0);
    let pattern = parts.next().unwrap_or_default();
    let filling = parts.next().unwrap_or_default();
    assert_eq!(pattern_slot(pattern), naive::pattern_slot(pattern));
    if let (Some(pinned), Some(key)) = (pattern_slot(pattern), matching(pattern, filling)) {
        assert_eq!(slot(&key), pinned);
    }
}

/// A key that `pattern` matches, unless it holds more than the plainest wildcards.
fn matching(pattern: &[u8], filling: &[u8]) -> Option<Vec<u8>> {
    let mut key = Vec::new();
    for byte in pattern {
        match byte {
            b'*' => key.extend(filling),
            b'?' => key.push(*filling.first().unwrap_or(&b'}')),
            b'[' | b'\\' => return None,
            _ => key.push(*byte),
        }
    }
    Some(key)
}
