//! The serialized form.

use super::{slots, value, NO_OPTIONS};
use redslot_wasm::topology::plain::parse;

#[test]
fn what_was_serialized_is_read_back() {
    let topology = slots(
        r#"[[0,5,["h",1,"p"],[null,2,"r"],["g",3]],[7,7,["h",1,"p"]],
            [6,6,["?",4,"q"]],[9,9,[null,6379]],[10,10,[null,6379]],[3,4,["h",9]]]"#,
    );
    let saved = serde_json::to_string(&topology).unwrap();
    assert_eq!(parse(&value(&saved), &NO_OPTIONS), Ok(topology));
}

#[test]
fn a_malformed_primary_is_named_by_its_index() {
    let good = r#"{"id":"g","host":"h","port":1,"endpoint":"h:1","ranges":[[0,9]],"replicas":[]}"#;
    for (bad, reason) in [
        (
            "null",
            "expected a primary as a map or as a list of pairs, found null",
        ),
        (
            r#"{"host":"h","ranges":[[1,2]]}"#,
            "expected the field port, found none",
        ),
        (r#"{"port":1}"#, "expected the field ranges, found none"),
        (
            r#"{"port":1,"ranges":[]}"#,
            "expected at least one range, found none",
        ),
        (
            r#"{"port":1,"ranges":[[1]]}"#,
            "expected a range as [start, end], found a list of 1",
        ),
        (
            r#"{"port":1,"ranges":[[1,16384]]}"#,
            "end: expected a slot in 0..=16383, found 16384",
        ),
        (
            r#"{"port":2,"host":"h","endpoint":"h:3","ranges":[[1,2]]}"#,
            "endpoint: expected h:2, found \"h:3\"",
        ),
        (
            r#"{"port":2,"endpoint":"h:3","ranges":[[1,2]]}"#,
            "endpoint: expected null, found \"h:3\"",
        ),
        (
            r#"{"port":2,"ranges":[[1,2]],"replicas":[{"port":0}]}"#,
            "replica 0: expected a port in 1..=65535, found 0",
        ),
    ] {
        let json = format!(r#"{{"primaries":[{good},{bad}]}}"#);
        let error = parse(&value(&json), &NO_OPTIONS).expect_err(bad);
        assert_eq!(
            (error.entry, error.reason.as_str()),
            (Some(1), reason),
            "{bad}"
        );
    }
}

#[test]
fn what_has_no_primaries_is_refused() {
    for json in [
        "{}",
        "null",
        "[]",
        r#"{"primaries":7}"#,
        r#"{"primaries":[]}"#,
    ] {
        let error = parse(&value(json), &NO_OPTIONS).expect_err(json);
        assert_eq!(error.entry, None, "{json}");
    }
}
