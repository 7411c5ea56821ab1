use std::fmt::{self, Write};

use serde::Serialize;

/// Longest piece of somebody's input that an error repeats.
const SHOWN_CHARS: usize = 60;

/// Why a topology was refused.
///
/// `entry` is the zero-based index of the offending element (an entry of
/// CLUSTER SLOTS, a shard of CLUSTER SHARDS, a primary of the serialized
/// form); `line` is the one-based line of a text. Either is `None` where the
/// fault has no such place. `reason` says what was found and what was
/// expected; found text is cut after 60 characters and its control characters
/// are escaped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TopologyError {
    /// Zero-based index of the entry, shard or primary at fault.
    pub entry: Option<usize>,
    /// One-based line at fault, for input that was text.
    pub line: Option<usize>,
    /// What was found and what was expected.
    pub reason: String,
}

impl TopologyError {
    /// An error without a place.
    #[must_use]
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            entry: None,
            line: None,
            reason: reason.into(),
        }
    }

    /// The same error, placed at an entry unless it already has one.
    #[must_use]
    pub fn at_entry(mut self, entry: usize) -> Self {
        self.entry.get_or_insert(entry);
        self
    }

    /// The same error, placed at a line unless it already has one.
    #[must_use]
    pub fn at_line(mut self, line: usize) -> Self {
        self.line.get_or_insert(line);
        self
    }

    /// The same error, its reason led by the part of the entry it is about.
    pub(super) fn within(mut self, part: &str) -> Self {
        self.reason = format!("{part}: {}", self.reason);
        self
    }
}

impl fmt::Display for TopologyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if let Some(entry) = self.entry {
            write!(f, "entry {entry}: ")?;
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for TopologyError {}

/// `text` in double quotes, escaped, and cut to what an error may repeat.
///
/// Cost: bounded by the cut, not by the length of `text`.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    let mut room = SHOWN_CHARS;
    for c in text.chars() {
        let escaped = c.escape_debug();
        let Some(left) = room.checked_sub(escaped.len()) else {
            out.push_str("...");
            break;
        };
        room = left;
        // Writing to a String cannot fail.
        let _ = write!(out, "{escaped}");
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::{quoted, TopologyError};

    #[test]
    fn long_text_is_cut_and_control_characters_are_escaped() {
        assert_eq!(quoted("a\r\nb\u{7}"), "\"a\\r\\nb\\u{7}\"");
        let long = quoted(&"x".repeat(1_000));
        assert_eq!(long, format!("\"{}...\"", "x".repeat(60)));
    }

    #[test]
    fn a_place_once_given_is_not_overwritten() {
        let error = TopologyError::new("odd")
            .at_entry(3)
            .at_entry(9)
            .at_line(2)
            .at_line(8);
        assert_eq!(error.to_string(), "line 2: entry 3: odd");
    }
}
