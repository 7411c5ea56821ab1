//! From a key to its hash slot, by the server's rule for hash tags.
//!
//! Source of the rule: Redis Cluster specification, section "Hash tags"; server source `cluster.c`,
//! `keyHashSlot`. All positions are in bytes, so multi-byte encodings whose trailing bytes equal a
//! brace are treated as the server treats them.

use crate::crc16::crc16;
use core::fmt;
use core::ops::Range;
use serde::Serialize;

const SLOT_MASK: u16 = 0x3FFF;
const OPEN: u8 = b'{';
const CLOSE: u8 = b'}';

/// The bytes of `key` that are hashed instead of the whole key, or `None` when the whole key is.
///
/// The tag lies between the first `{` and the first `}` after it, when at least one byte is between
/// them. Costs one look at each byte up to the closing brace.
///
/// ```
/// use redslot_wasm::key::hash_tag;
/// assert_eq!(hash_tag(b"user:{42}:name"), Some(6..8));
/// assert_eq!(hash_tag(b"foo{}{bar}"), None);
/// ```
#[must_use]
pub fn hash_tag(key: &[u8]) -> Option<Range<usize>> {
    braces(key).tag()
}

/// The braces of a key that the rule for hash tags looks at, as byte positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Braces {
    /// The first `{`. Without one the whole key is hashed.
    pub open: Option<usize>,
    /// The first `}` after it. Right behind it, it closes an empty tag, and the server then ignores
    /// all later braces.
    pub close: Option<usize>,
}

impl Braces {
    fn tag(self) -> Option<Range<usize>> {
        let start = self.open? + 1;
        let end = self.close?;
        (end > start).then_some(start..end)
    }
}

fn braces(key: &[u8]) -> Braces {
    let open = find(key, OPEN);
    let close = open.and_then(|open| Some(open + find(key.get(open..)?, CLOSE)?));
    Braces { open, close }
}

/// The hash slot of `key`, `0..16384`, as `CLUSTER KEYSLOT` answers it.
///
/// ```
/// assert_eq!(redslot_wasm::key::slot(b"foo{bar}{zap}"), 5061);
/// ```
#[must_use]
pub fn slot(key: &[u8]) -> u16 {
    // Most keys hold no brace, and finding none takes less than the whole rule.
    if find(key, OPEN).is_none() {
        return slot_of_hashed(key);
    }
    let hashed = hash_tag(key).and_then(|tag| key.get(tag)).unwrap_or(key);
    slot_of_hashed(hashed)
}

/// The slot of bytes that are hashed as they are, whatever braces they hold.
pub(crate) fn slot_of_hashed(hashed: &[u8]) -> u16 {
    crc16(hashed) & SLOT_MASK
}

/// A key's slot with the reason for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The hash slot, as [`slot`] gives it.
    pub slot: u16,
    /// The hashed bytes when a tag decides, as [`hash_tag`] gives them.
    pub tag: Option<Range<usize>>,
    /// Which braces decided that.
    pub braces: Braces,
    length: usize,
}

/// The slot of `key`, the bytes it comes from, and why.
///
/// The `Display` of the result says it in words for this key.
#[must_use]
pub fn explain(key: &[u8]) -> Explanation {
    let braces = braces(key);
    Explanation {
        slot: slot(key),
        tag: braces.tag(),
        braces,
        length: key.len(),
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.braces.open, self.braces.close, &self.tag) {
            (None, ..) => out.write_str("no \"{\" in the key")?,
            (Some(open), None, _) => write!(
                out,
                "the first \"{{\" is at byte {open} and no \"}}\" follows it"
            )?,
            (Some(open), Some(_), None) => write!(
                out,
                "the first \"{{\" is at byte {open} and \"}}\" follows at once: an empty tag does \
                 not count, nor do later braces"
            )?,
            (Some(open), Some(close), Some(tag)) => {
                return write!(
                    out,
                    "the first \"{{\" is at byte {open} and the first \"}}\" after it at byte \
                     {close}, so only the {} between them {} hashed",
                    bytes(tag.len()),
                    if tag.len() == 1 { "is" } else { "are" },
                );
            }
        }
        write!(out, ", so the whole key ({}) is hashed", bytes(self.length))
    }
}

fn bytes(count: usize) -> String {
    format!("{count} byte{}", if count == 1 { "" } else { "s" })
}

/// The first position of `needle`, eight bytes at a time.
#[inline]
fn find(haystack: &[u8], needle: u8) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let mut rest = haystack;
    while let Some((word, tail)) = rest.split_first_chunk::<8>() {
        let zero_where_equal = u64::from_le_bytes(*word) ^ (ONES * u64::from(needle));
        let hits = zero_where_equal.wrapping_sub(ONES) & !zero_where_equal & HIGHS;
        if hits != 0 {
            let within = hits.trailing_zeros() as usize / 8;
            return Some(haystack.len() - rest.len() + within);
        }
        rest = tail;
    }
    let within = rest.iter().position(|byte| *byte == needle)?;
    Some(haystack.len() - rest.len() + within)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::twins::key as naive;
    use proptest::prelude::*;

    /// Every string of up to `longest` symbols of an alphabet, shorter ones first.
    pub(crate) fn words(alphabet: &[u8], longest: usize) -> Vec<Vec<u8>> {
        let mut all = vec![Vec::new()];
        let mut shorter = 0..1;
        for _ in 0..longest {
            for at in shorter.clone() {
                for symbol in alphabet {
                    all.push([&all[at][..], &[*symbol]].concat());
                }
            }
            shorter = shorter.end..all.len();
        }
        all
    }

    fn follows_the_rule_read_aloud(key: &[u8]) -> bool {
        let told = explain(key);
        slot(key) == naive::slot(key)
            && hash_tag(key) == naive::tag(key)
            && told.slot == naive::slot(key)
            && told.tag == naive::tag(key)
            && told.braces == naive::braces(key)
    }

    #[test]
    fn the_words_of_an_alphabet_are_all_there_and_differ() {
        let words = words(b"{}a", 3);
        let distinct: std::collections::BTreeSet<_> = words.iter().collect();
        assert_eq!(distinct.len(), 1 + 3 + 9 + 27);
        assert_eq!(words.len(), distinct.len());
        assert!(words.iter().all(|word| word.len() <= 3));
    }

    #[test]
    fn every_word_of_up_to_seven_symbols_follows_the_rule_read_aloud() {
        for word in words(b"{}a*\xff", 7) {
            assert!(follows_the_rule_read_aloud(&word), "{word:?}");
        }
    }

    #[test]
    fn every_word_across_the_blocks_of_the_search_follows_the_rule_read_aloud() {
        for word in words(b"{}a", 7) {
            for before in [&b"12345"[..], b"1234567890123"] {
                let key = [before, &word, b"1234567"].concat();
                assert!(follows_the_rule_read_aloud(&key), "{key:?}");
            }
        }
    }

    #[test]
    fn the_four_examples_of_the_specification() {
        assert_eq!(slot(b"{user1000}.following"), 3443);
        assert_eq!(slot(b"{user1000}.followers"), 3443);
        assert_eq!(slot(b"foo{}{bar}"), 8363);
        assert_eq!(slot(b"foo{{bar}}zap"), 4015);
        assert_eq!(slot(b"foo{bar}{zap}"), 5061);
    }

    #[test]
    fn an_empty_tag_hashes_the_whole_key() {
        assert_eq!(slot(b"{}"), 15257);
        assert_eq!(slot(b"{}x"), 10595);
        assert_eq!(slot(b"{}a}b"), 5168);
        assert_eq!(slot(b"{}{a}"), 13650);
    }

    #[test]
    fn the_reason_is_said_in_words_for_this_key() {
        let words = |key: &[u8]| explain(key).to_string();
        assert_eq!(
            words(b"foo"),
            "no \"{\" in the key, so the whole key (3 bytes) is hashed"
        );
        assert_eq!(
            words(b"a{b"),
            "the first \"{\" is at byte 1 and no \"}\" follows it, so the whole key (3 bytes) is hashed"
        );
        assert!(words(b"foo{}{bar}").contains("at byte 3 and \"}\" follows at once"));
        assert!(words(b"foo{bar}").contains("only the 3 bytes between them are hashed"));
        assert!(words(b"{a}").contains("only the 1 byte between them is hashed"));
    }

    #[test]
    fn the_braces_tell_the_four_cases_apart() {
        let told = |key: &[u8]| {
            let Braces { open, close } = explain(key).braces;
            (open, close)
        };
        assert_eq!(told(b"}foo"), (None, None));
        assert_eq!(told(b"}a{b"), (Some(2), None));
        assert_eq!(told(b"foo{}{bar}"), (Some(3), Some(4)));
        assert_eq!(told(b"foo{{bar}}zap"), (Some(3), Some(8)));
    }

    fn any_braces() -> impl Strategy<Value = Vec<u8>> {
        proptest::collection::vec(
            prop_oneof![3 => Just(b'{'), 3 => Just(b'}'), 4 => any::<u8>()],
            0..40,
        )
    }

    proptest! {
        #[test]
        fn the_tag_equals_the_rule_read_aloud(key in any_braces()) {
            prop_assert_eq!(hash_tag(&key), naive::tag(&key));
        }

        #[test]
        fn the_slot_is_that_of_the_tag_by_the_rule_read_aloud(key in any_braces()) {
            prop_assert_eq!(slot(&key), naive::slot(&key));
        }

        #[test]
        fn the_explanation_agrees_with_slot_tag_and_braces(key in any_braces()) {
            let told = explain(&key);
            prop_assert_eq!(told.slot, slot(&key));
            prop_assert_eq!(told.braces, naive::braces(&key));
            prop_assert_eq!(told.tag, naive::tag(&key));
        }

        #[test]
        fn the_word_search_equals_a_byte_search(
            haystack in proptest::collection::vec(0x7au8..0x7e, 0..40),
            needle in 0x7au8..0x7e,
        ) {
            prop_assert_eq!(
                find(&haystack, needle),
                haystack.iter().position(|byte| *byte == needle)
            );
        }
    }
}
