//! What is refused, where, and in which words.

use super::{slots, try_slots, value, NO_OPTIONS};
use redslot_wasm::topology::{self, Value};

const GOOD: &str = r#"[0,99,["h",1,"a"]]"#;

/// The error of a reply whose second entry is `entry`.
fn second(entry: &str) -> (Option<usize>, String) {
    let error = try_slots(&format!("[{GOOD},{entry}]")).expect_err(entry);
    assert_eq!(error.line, None);
    (error.entry, error.reason)
}

#[test]
fn a_malformed_entry_is_named_by_its_index_case_33() {
    for (entry, reason) in [
        (
            "[]",
            "expected a list of start, end and nodes, found an empty list",
        ),
        (
            "[0]",
            "expected a list of start, end and nodes, found a list of 1",
        ),
        (
            "[0,5460]",
            "expected a primary after start and end, found no node",
        ),
        (
            "null",
            "expected a list of start, end and nodes, found null",
        ),
        (
            "{}",
            "expected a list of start, end and nodes, found an empty object",
        ),
        (
            r#"[9,8,["h",1]]"#,
            "expected a range that ends at or after its start, found 9 to 8",
        ),
        (
            r#"[0,16384,["h",1]]"#,
            "end: expected a slot in 0..=16383, found 16384",
        ),
        (
            r#"[-1,5,["h",1]]"#,
            "start: expected a slot in 0..=16383, found -1",
        ),
        (
            r#"[1.5,5,["h",1]]"#,
            "start: expected a slot in 0..=16383, found a number with a fraction or beyond 2^53",
        ),
        (
            r#"[1e300,5,["h",1]]"#,
            "start: expected a slot in 0..=16383, found a number with a fraction or beyond 2^53",
        ),
        (
            r#"["+1",5,["h",1]]"#,
            "start: expected a slot in 0..=16383, found \"+1\"",
        ),
        (
            r#"[" 1",5,["h",1]]"#,
            "start: expected a slot in 0..=16383, found \" 1\"",
        ),
        (
            r#"["",5,["h",1]]"#,
            "start: expected a slot in 0..=16383, found \"\"",
        ),
        (
            r#"[null,5,["h",1]]"#,
            "start: expected a slot in 0..=16383, found null",
        ),
        (
            r#"[true,5,["h",1]]"#,
            "start: expected a slot in 0..=16383, found true",
        ),
    ] {
        assert_eq!(second(entry), (Some(1), reason.to_owned()), "{entry}");
    }
}

#[test]
fn a_malformed_node_is_named_by_its_place_in_the_entry_case_33() {
    for (entry, reason) in [
        (
            "[0,5,null]",
            "primary: expected a list of host, port and more, found null",
        ),
        (
            r#"[0,5,["h"]]"#,
            "primary: expected a list of host, port and more, found a list of 1",
        ),
        (
            r#"[0,5,["h",null]]"#,
            "primary: expected a port in 1..=65535, found null",
        ),
        (
            r#"[0,5,["h",0,"a"]]"#,
            "primary: expected a port in 1..=65535, found 0",
        ),
        (
            r#"[0,5,["h",65536]]"#,
            "primary: expected a port in 1..=65535, found 65536",
        ),
        ("[0,5,[7,1]]", "primary: expected a host as text, found 7"),
        (
            r#"[0,5,[["h"],1]]"#,
            "primary: expected a host as text, found a list of 1",
        ),
        (
            r#"[0,5,["h",1,{"id":1}]]"#,
            "primary: expected a node id as text, found an object of 1",
        ),
        (
            r#"[0,5,["a b",1]]"#,
            "primary: expected a host without blanks, found \"a b\"",
        ),
        (
            r#"[0,5,["h",1],null]"#,
            "replica 0: expected a list of host, port and more, found null",
        ),
        (
            r#"[0,5,["h",1],["h",2],["h","x"]]"#,
            "replica 1: expected a port in 1..=65535, found \"x\"",
        ),
    ] {
        assert_eq!(second(entry), (Some(1), reason.to_owned()), "{entry}");
    }
}

#[test]
fn a_good_reply_after_a_bad_one_is_read() {
    assert!(try_slots("[[]]").is_err());
    assert_eq!(slots(&format!("[{GOOD}]")).primaries().len(), 1);
}

#[test]
fn an_empty_host_with_port_0_is_refused_case_27() {
    let error = try_slots(r#"[[0,16383,["",0,"id"]]]"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        "entry 0: primary: expected a port in 1..=65535, found 0"
    );
}

#[test]
fn an_empty_reply_says_that_the_node_is_in_no_cluster_case_34() {
    let error = try_slots("[]").unwrap_err();
    assert_eq!((error.entry, error.line), (None, None));
    assert_eq!(
        error.reason,
        "expected slots and who serves them, found none; \
         the node that answered is not part of a formed cluster"
    );
}

#[test]
fn what_is_no_list_is_repeated_in_part() {
    let reply = Value::Text(format!("ERR {}\r\n", "x".repeat(100)));
    let error = topology::slots::parse(&reply, &NO_OPTIONS).unwrap_err();
    let reason = format!(
        "expected a list of entries, found \"ERR {}...\"",
        "x".repeat(56)
    );
    assert_eq!((error.entry, error.reason), (None, reason));
}

#[test]
fn one_id_at_two_addresses_is_refused() {
    for entry in [
        r#"[100,199,["h",2,"a"]]"#,
        r#"[100,199,["g",1,"a"]]"#,
        r#"[100,199,[null,1,"a"]]"#,
        r#"[100,199,["h",9],["h",2,"a"]]"#,
    ] {
        let (index, reason) = second(entry);
        assert_eq!(index, Some(1), "{entry}");
        assert!(
            reason.contains("expected one address per node id, found \"a\" at \"h:1\" and at"),
            "{reason}"
        );
    }
}

#[test]
fn bytes_that_are_no_text_are_no_host() {
    let node = Value::List(vec![Value::Bytes(vec![0xff, 0xfe]), Value::Int(1)]);
    let reply = Value::List(vec![Value::List(vec![Value::Int(0), Value::Int(1), node])]);
    assert_eq!(
        topology::slots::parse(&reply, &NO_OPTIONS)
            .unwrap_err()
            .to_string(),
        "entry 0: primary: expected a host as text, found 2 bytes that are not UTF-8"
    );
}

#[test]
fn more_primaries_than_slots_are_refused() {
    let entries: Vec<String> = (0..=16384)
        .map(|i| format!(r#"[0,9,["h{i}",1]]"#))
        .collect();
    let error = try_slots(&format!("[{}]", entries.join(","))).unwrap_err();
    assert_eq!(error.entry, Some(16384));
    assert_eq!(
        error.reason,
        "primary: expected at most 16384 primaries, found more"
    );
}

#[test]
fn nesting_is_read_to_sixteen_levels_and_not_beyond() {
    let nested = |levels| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(matches!(value(&nested(16)), Value::List(_)));
    let error = serde_json::from_str::<Value>(&nested(17)).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("lists nest deeper than 16 levels"),
        "{error}"
    );
}

#[test]
fn a_tree_is_read_up_to_2097152_values_and_not_beyond() {
    // With the list itself.
    let zeros = |count: usize| format!("[{}0]", "0,".repeat(count - 2));
    assert!(serde_json::from_str::<Value>(&zeros(2_097_152)).is_ok());
    let error = serde_json::from_str::<Value>(&zeros(2_097_153)).expect_err("one too many");
    let expected = "the reply holds more than 2097152 values";
    assert!(error.to_string().starts_with(expected), "{error}");
}

#[test]
fn a_pasted_reply_is_read_up_to_4194304_words_but_a_log_to_its_end() {
    let read = |text: &str| topology::text::parse(text, &NO_OPTIONS);
    let words = |count: usize| format!("'a'{}", "\nb".repeat(count));
    let most = read(&words(4_194_304)).expect_err("no reply");
    assert!(!most.reason.contains("words"), "{most}");
    let more = read(&words(4_194_305)).expect_err("no reply");
    assert_eq!(more.reason, "expected at most 4194304 words, found more");
    let blanks = read(&format!("'a'{}b", " ".repeat(4_194_305))).expect_err("no reply");
    assert!(!blanks.reason.contains("words"), "{blanks}");
    let entry = "cluster slots result [0]: slots 0~16383 served by [ 'h:1' ]";
    let log = read(&format!("{}\n{entry}\n", words(4_194_305))).expect("a log");
    assert_eq!(log.primaries()[0].ranges, [(0, 16383)]);
}

#[test]
fn what_only_another_format_than_json_can_hold_is_refused_by_name() {
    use serde::de::value::{BytesDeserializer, Error};
    use serde::Deserialize;

    let bytes = BytesDeserializer::<Error>::new(b"h");
    assert_eq!(
        Value::deserialize(bytes).unwrap_err().to_string(),
        "invalid type: byte array, expected JSON"
    );
}
