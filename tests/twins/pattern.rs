use super::key::slot_of_hashed;

/// One byte at a time, in the order in which the server looks.
pub fn pattern_slot(pattern: &[u8]) -> Option<u16> {
    enum Seen {
        Nothing,
        Open(usize),
        EmptyTag,
    }
    let mut seen = Seen::Nothing;
    for (at, byte) in pattern.iter().enumerate() {
        seen = match (byte, seen) {
            (b'*' | b'?' | b'[' | b'\\', _) => return None,
            (b'{', Seen::Nothing) => Seen::Open(at),
            (b'}', Seen::Open(open)) if at == open + 1 => Seen::EmptyTag,
            (b'}', Seen::Open(open)) => return Some(slot_of_hashed(&pattern[open + 1..at])),
            (_, seen) => seen,
        };
    }
    Some(slot_of_hashed(pattern))
}
