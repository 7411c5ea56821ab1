//! The rows of the corpus, in the format that README.md beside it describes.

use serde_json::Value;

/// A key or pattern, and what the server said about it.
pub struct Row {
    pub bytes: Vec<u8>,
    pub slot: Option<u16>,
    /// For the message of a failure.
    pub shown: String,
}

pub fn keys() -> Vec<Row> {
    rows(include_str!("keys.json"), "keys", "key")
}

pub fn patterns() -> Vec<Row> {
    rows(include_str!("patterns.json"), "patterns", "pattern")
}

fn rows(json: &str, list: &str, text: &str) -> Vec<Row> {
    let file: Value = serde_json::from_str(json).expect("the file is JSON");
    let rows = file[list].as_array().expect("the file has a list of rows");
    let read = |row: &Value| Row {
        bytes: bytes(row, text),
        slot: slot(&row["slot"]),
        shown: row.to_string(),
    };
    rows.iter().map(read).collect()
}

fn slot(value: &Value) -> Option<u16> {
    if value.is_null() {
        return None;
    }
    let slot = value.as_u64().expect("a slot is a number or null");
    Some(u16::try_from(slot).expect("a slot is below 16384"))
}

fn bytes(row: &Value, text: &str) -> Vec<u8> {
    let part = |name: &str| row[name].as_str();
    if let Some(text) = part(text) {
        return text.into();
    }
    if let Some(hex) = part("hex") {
        return (0..hex.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("two hex digits"))
            .collect();
    }
    let repeat = part("repeat").expect("a row has text, hex or repeat");
    let times = row["times"].as_u64().expect("repeat goes with times");
    let times = usize::try_from(times).expect("it fits into memory");
    let around = |name| part(name).unwrap_or_default();
    [around("before"), &repeat.repeat(times), around("after")]
        .concat()
        .into()
}
