use super::crc16::crc16;
use core::ops::Range;
use redslot_wasm::key::Braces;

/// The rule read aloud: walk to `{`, walk to `}`.
pub fn braces(key: &[u8]) -> Braces {
    let mut open = 0;
    while open < key.len() && key[open] != b'{' {
        open += 1;
    }
    let mut close = open + 1;
    while close < key.len() && key[close] != b'}' {
        close += 1;
    }
    Braces {
        open: (open < key.len()).then_some(open),
        close: (close < key.len()).then_some(close),
    }
}

/// Look whether something is between them.
pub fn tag(key: &[u8]) -> Option<Range<usize>> {
    match braces(key) {
        Braces {
            open: Some(open),
            close: Some(close),
        } if close - open > 1 => Some(open + 1..close),
        _ => None,
    }
}

/// Hash that, or else everything.
pub fn slot(key: &[u8]) -> u16 {
    slot_of_hashed(tag(key).map_or(key, |tag| &key[tag]))
}

/// The slot of bytes of which all are hashed.
pub fn slot_of_hashed(hashed: &[u8]) -> u16 {
    crc16(hashed) % 16384
}
