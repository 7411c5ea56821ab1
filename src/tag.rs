//! From a slot back to a hash tag that lands on it.

use crate::crc16::append;
use crate::SLOT_COUNT;

/// The letters of a tag, in byte order.
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The shortest tag of ASCII letters and digits on `slot`, the first of them in byte order, or
/// `None` when `slot` is not below 16384.
///
/// Every slot has one of at most three characters. Costs at most 3907 steps: for each choice of the
/// characters before it the last character is computed, not searched.
///
/// ```
/// use redslot_wasm::{key::slot, tag::slot_tag};
/// assert_eq!(slot_tag(0).as_deref(), Some("06S"));
/// assert_eq!(slot(b"{06S}:any"), 0);
/// ```
#[must_use]
pub fn slot_tag(slot: u16) -> Option<String> {
    if usize::from(slot) >= SLOT_COUNT {
        return None;
    }
    let folded = (0..=u8::MAX).find(|byte| low_byte(append(0, *byte)) == low_byte(slot))?;
    for length in 0..3 {
        for number in 0..ALPHABET.len().pow(length) {
            let prefix = letters(number, length);
            if let Some(last) = completing(prefix.clone(), folded, slot) {
                return Some(prefix.chain([last]).map(char::from).collect());
            }
        }
    }
    None
}

fn low_byte(number: u16) -> u8 {
    let [_, low] = number.to_be_bytes();
    low
}

/// The `number`th word of `length` letters, in byte order.
fn letters(number: usize, length: u32) -> impl Iterator<Item = u8> + Clone {
    let letter = move |place| ALPHABET[number / ALPHABET.len().pow(place) % ALPHABET.len()];
    (0..length).rev().map(letter)
}

/// The letter that takes `prefix` to `slot`.
///
/// A last byte `b` enters the CRC as `b ^ high byte`, and the low byte of the result depends on
/// that sum alone. `folded` is the one sum that gives the slot's low byte.
fn completing(prefix: impl Iterator<Item = u8>, folded: u8, slot: u16) -> Option<u8> {
    let crc = prefix.fold(0, append);
    let [high, _] = crc.to_be_bytes();
    let last = folded ^ high;
    let lands = append(crc, last) & 0x3FFF == slot;
    (lands && last.is_ascii_alphanumeric()).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Every word of up to three letters in order, each slot keeping the first word that hits it.
    fn naive() -> HashMap<u16, String> {
        let mut first = HashMap::new();
        for length in 1..=3 {
            for number in 0..ALPHABET.len().pow(length) {
                let word: String = letters(number, length).map(char::from).collect();
                let slot = crate::key::slot(word.as_bytes());
                first.entry(slot).or_insert(word);
            }
        }
        first
    }

    #[test]
    fn each_slot_gets_the_first_of_its_shortest_words() {
        let first = naive();
        for slot in 0..16384 {
            assert_eq!(slot_tag(slot).as_ref(), first.get(&slot), "{slot}");
        }
    }

    #[test]
    fn a_tag_in_braces_is_a_key_on_its_slot() {
        for slot in 0..16384 {
            let tag = slot_tag(slot).unwrap_or_default();
            assert!((1..=3).contains(&tag.len()), "{slot}: {tag}");
            assert_eq!(crate::key::slot(format!("{{{tag}}}").as_bytes()), slot);
        }
    }

    #[test]
    fn a_number_that_is_no_slot_has_no_tag() {
        assert_eq!(slot_tag(16384), None);
        assert_eq!(slot_tag(u16::MAX), None);
    }
}
