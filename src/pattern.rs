//! From a glob pattern to the one slot it can match.
//!
//! Source of the rule: `patternHashSlot` in the servers' `cluster.c` (Redis 7.4 and later, Valkey 8
//! and later), which SCAN, KEYS and SORT use to look into one slot instead of all.

use crate::key::{slot, slot_of_hashed};

/// The slot of every key that `pattern` can match, or `None` when the server would not infer one.
///
/// The server reads from the left. A wildcard or escape (`*`, `?`, `[`, `\`) met before a closed,
/// non-empty hash tag gives `None`, also inside the tag. After a closed tag nothing matters. An
/// empty tag `{}` means that the whole key is hashed, so then only a pattern without any wildcard
/// has a slot. Costs one look at each byte up to the decision.
///
/// ```
/// use redslot_wasm::pattern::pattern_slot;
/// assert_eq!(pattern_slot(b"{abc}*"), Some(7638));
/// assert_eq!(pattern_slot(b"*{abc}"), None);
/// ```
#[must_use]
pub fn pattern_slot(pattern: &[u8]) -> Option<u16> {
    let special = pattern.iter().position(|byte| is_special(*byte));
    let Some(special) = special else {
        return Some(slot(pattern));
    };
    let before = pattern.get(..special)?;
    let tag = crate::key::hash_tag(before)?;
    Some(slot_of_hashed(before.get(tag)?))
}

fn is_special(byte: u8) -> bool {
    matches!(byte, b'*' | b'?' | b'[' | b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::tests::words;
    use crate::twins::pattern as naive;
    use proptest::prelude::*;

    /// Whether a glob of `*`, escapes and plain bytes matches, by trying everything.
    fn matches(pattern: &[u8], key: &[u8]) -> bool {
        match (pattern, key) {
            ([], _) => key.is_empty(),
            ([b'*', rest @ ..], _) => (0..=key.len()).any(|taken| matches(rest, &key[taken..])),
            ([b'\\', plain, rest @ ..] | [plain, rest @ ..], [first, others @ ..]) => {
                plain == first && matches(rest, others)
            }
            _ => false,
        }
    }

    #[test]
    fn every_word_of_up_to_seven_symbols_equals_the_walk_of_the_server() {
        for pattern in words(b"{}*\\a", 7) {
            assert_eq!(
                pattern_slot(&pattern),
                naive::pattern_slot(&pattern),
                "{pattern:?}"
            );
        }
    }

    #[test]
    fn no_word_matches_a_key_outside_the_slot_that_it_pins() {
        let keys = words(b"{}*\\a", 4);
        let mut matched = 0;
        for pattern in words(b"{}*\\a", 5) {
            let Some(pinned) = pattern_slot(&pattern) else {
                continue;
            };
            for key in keys.iter().filter(|key| matches(&pattern, key)) {
                assert_eq!(slot(key), pinned, "{pattern:?} matches {key:?}");
                matched += 1;
            }
        }
        assert!(matched > 100, "{matched}");
    }

    #[test]
    fn a_closed_tag_before_any_wildcard_pins_the_slot() {
        assert_eq!(pattern_slot(b"{abc}*"), Some(7638));
        assert_eq!(pattern_slot(b"{a}*"), Some(15495));
        assert_eq!(pattern_slot(b"{a}h*llo"), Some(15495));
        assert_eq!(pattern_slot(b"a{b}*"), Some(3300));
        assert_eq!(pattern_slot(b"user:{42}:*"), Some(8000));
    }

    #[test]
    fn a_wildcard_or_escape_before_or_inside_the_tag_pins_nothing() {
        for pattern in [
            "*{abc}", "{a*c}", r"{a\*bc}", "{a*}", "*{a}", "{a[b]}", "?{a}", r"\{a}",
        ] {
            assert_eq!(pattern_slot(pattern.as_bytes()), None, "{pattern}");
        }
    }

    #[test]
    fn an_empty_tag_and_a_wildcard_pin_nothing() {
        assert_eq!(pattern_slot(b"{}*"), None);
        assert_eq!(pattern_slot(b"{}{a}*"), None);
    }

    #[test]
    fn a_pattern_without_wildcards_has_the_slot_of_the_key_it_names() {
        assert_eq!(pattern_slot(b"foo"), Some(12182));
        assert_eq!(pattern_slot(b"foo{}{bar}"), Some(8363));
        assert_eq!(pattern_slot(b"foo{bar}{zap}"), Some(5061));
        assert_eq!(pattern_slot(b""), Some(0));
    }

    proptest! {
        #[test]
        fn any_pattern_equals_the_walk_of_the_server(
            pattern in proptest::collection::vec(
                prop_oneof![Just(b'{'), Just(b'}'), Just(b'*'), Just(b'\\'), any::<u8>(), Just(b'a')],
                0..16,
            ),
        ) {
            prop_assert_eq!(pattern_slot(&pattern), naive::pattern_slot(&pattern));
        }
    }
}
