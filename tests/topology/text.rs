//! Pasted text beyond what is recorded.

use super::{slots, NO_OPTIONS};
use redslot_wasm::topology::{text, Topology, TopologyError};

const A: &str = "c51cc3acefc7bf3b9ca8f213d052c2bb9f81e383";
const B: &str = "23173753156a78fe88eb4e02eae3429e035d2ea2";

fn parse(text: &str) -> Result<Topology, TopologyError> {
    text::parse(text, &NO_OPTIONS)
}

#[test]
fn raw_text_of_every_era_is_told_apart_by_its_numbers() {
    let two = slots(r#"[[0,9,["h",1],["h",2],["g",3]],[10,19,["g",4]]]"#);
    assert_eq!(parse("0\n9\nh\n1\nh\n2\ng\n3\n10\n19\ng\n4\n"), Ok(two));
    let three = slots(&format!(
        r#"[[0,9,["h",1,"{A}"],["h",2,"r"]],[10,19,["g",4,"{B}"]]]"#
    ));
    let lines = format!("0\n9\nh\n1\n{A}\nh\n2\nr\n10\n19\ng\n4\n{B}\n");
    assert_eq!(parse(&lines), Ok(three.clone()));
    let empty = format!("0\n9\nh\n1\n{A}\n\nh\n2\nr\n\n10\n19\ng\n4\n{B}\n\n");
    assert_eq!(parse(&empty), Ok(three.clone()));
    let filled = format!(
        "0\n9\nh\n1\n{A}\nhostname\nn\nip\ni\nh\n2\nr\nhostname\nm\n10\n19\ng\n4\n{B}\navailability-zone\nz\n"
    );
    assert_eq!(parse(&filled), Ok(three));
}

#[test]
fn raw_text_without_hosts_is_read_in_every_era() {
    let ids = slots(&format!(
        r#"[[0,9,["",1,"{A}"],["",2,"r"]],[10,19,["",4,"{B}"]]]"#
    ));
    let three = format!("0\n9\n\n1\n{A}\n\n2\nr\n10\n19\n\n4\n{B}\n");
    assert_eq!(parse(&three), Ok(ids.clone()));
    let four = format!("0\n9\n\n1\n{A}\n\n\n2\nr\n\n10\n19\n\n4\n{B}\n\n");
    assert_eq!(parse(&four), Ok(ids.clone()));
    let filled = format!("0\n9\n\n1\n{A}\nip\ni\n\n2\nr\nip\ni\n10\n19\n\n4\n{B}\nip\ni\n");
    assert_eq!(parse(&filled), Ok(ids));
    let two = slots(r#"[[0,9,["",1],["",2]],[10,19,["",4]]]"#);
    assert_eq!(parse("0\n9\n\n1\n\n2\n10\n19\n\n4\n"), Ok(two));
}

#[test]
fn old_numbered_text_is_read() {
    let text = "1) 1) (integer) 0\n   2) (integer) 9\n   3) 1) \"h\"\n      2) (integer) 1\n   4) 1) (nil)\n      2) (integer) 2\n      3) \"r\\x41\"\n      4) (empty list or set)\n";
    assert_eq!(parse(text), Ok(slots(r#"[[0,9,["h",1],[null,2,"rA"]]]"#)));
}

#[test]
fn a_map_may_begin_its_value_on_the_same_line() {
    let text = "1) 1# \"slots\" => 1) (integer) 0\n      2) (integer) 9\n   2# \"nodes\" => 1) 1# \"id\" => \"a\"\n         2# \"endpoint\" => \"h\"\n         3# \"port\" => (integer) 1\n         4# \"role\" => \"master\"\n";
    assert_eq!(parse(text), Ok(slots(r#"[[0,9,["h",1,"a"]]]"#)));
}

#[test]
fn blank_lines_between_numbered_lines_do_not_matter() {
    let text = "1) 1) (integer) 0\n\n   2) (integer) 9\n\n   3) 1) \"h\"\n\n      2) (integer) 1\n";
    assert_eq!(parse(text), Ok(slots(r#"[[0,9,["h",1]]]"#)));
}

#[test]
fn what_is_not_understood_is_named_by_its_line() {
    for (text, line, reason) in [
        ("Could not connect to Redis at 127.0.0.1:7000: Connection refused", Some(1), "expected JSON, redis-cli's text of CLUSTER SLOTS or SHARDS, or CLUSTER NODES lines, found \"Could not connect to Redis at 127.0.0.1:7000: Connection ref...\""),
        ("1) 1) (integer) 0\n2) (integer) 9\n3) 1) \"h\"\n2) (integer) 1", Some(4), "expected number 4 at this indentation, found 2)"),
        ("[[0,9,[\"h\",1],],]", Some(1), "expected JSON, found at column 15: trailing comma"),
        ("hello", Some(1), "expected JSON, redis-cli's text of CLUSTER SLOTS or SHARDS, or CLUSTER NODES lines, found \"hello\""),
        ("\n> CLUSTER SLOTS\nOK\n", Some(3), "expected JSON, redis-cli's text of CLUSTER SLOTS or SHARDS, or CLUSTER NODES lines, found \"OK\""),
        ("", None, "expected a reply, found no text"),
        ("127.0.0.1:7000> \n", None, "expected a reply, found no text"),
        ("(error) ERR This instance has cluster support disabled", Some(1), "the server answered with an error: \"ERR This instance has cluster support disabled\""),
        ("(empty array)", None, "expected slots and who serves them, found none; the node that answered is not part of a formed cluster"),
        ("\n[[0,9,[h,1]]]", Some(2), "expected JSON, found at column 8: expected value"),
        ("[[0,9,[\"h\",1]],\n[0]]", None, "expected a list of start, end and nodes, found a list of 1"),
        ("1) 1) (integer) 0\n   3) (integer) 9", Some(2), "expected number 2 at this indentation, found 3)"),
        ("1) 1) (integer) 0\n  2) (integer) 9", Some(2), "expected the indentation of an open list, found another"),
        ("1) 1) (integer) 0\n   2) (integer) 9\n   3) 1) \"h\n", Some(3), "expected a value as redis-cli prints it, found \"\\\"h\""),
        ("1) 1) (integer) 0\n   2) (integer) 9\nhello", Some(3), "expected a numbered element, found \"hello\""),
        ("1) 1) (integer) 0\n   2) (integer) 9\n2) 1) (integer) 0", Some(1), "expected a primary after start and end, found no node"),
        ("1) 1# \"slots\" =>\n2) (integer) 7", Some(2), "expected the value of \"slots\", found none"),
        ("0\n9\nh\n1\n5\n", Some(5), "expected the last slot of a range, found the end of the text"),
        ("0\n9\nh\nx\n", Some(4), "expected the port of the host before it, found \"x\""),
        ("0\n9\n10\n19\n", Some(1), "expected a primary after start and end, found no node"),
        ("0\n9\nh\n1\n20\n30\nh\n99999\n", Some(5), "primary: expected a port in 1..=65535, found \"99999\""),
        ("slots\n0\n9\nnodes\nport\n", Some(5), "expected the word id, found \"port\""),
        ("slots\n0\nx\n", Some(3), "expected a slot or the word nodes, found \"x\""),
        ("slots\n0\n9\nnodes\nid\na\nrole\nmaster\n", Some(1), "node 0: expected a port, found none"),
    ] {
        let error = parse(text).expect_err(text);
        assert_eq!((error.line, error.reason.as_str()), (line, reason), "{text}");
    }
}

#[test]
fn a_cut_raw_text_is_refused_and_not_read_as_another_shape() {
    let whole = format!("0\n9\nh\n1\n{A}\n\n10\n19\ng\n4\n{B}\n");
    let lines: Vec<&str> = whole.lines().collect();
    for kept in 1..lines.len() {
        let ended = [4, 5, 6, 10].contains(&kept);
        assert_eq!(
            parse(&lines[..kept].join("\n")).is_ok(),
            ended,
            "{kept} lines"
        );
    }
}

#[test]
fn json_of_every_form_is_read() {
    let topology = slots(r#"[[0,9,["h",1,"a"]]]"#);
    for json in [
        "[\n [0, 9, [\"h\", 1, \"a\"]]\n]",
        r#"[{"nodes":[{"id":"a","port":1,"endpoint":"h","role":"master"}],"slots":[0,9]}]"#,
        r#"[["nodes",[["id","a","port",1,"endpoint","h","role","master"]],"slots",[0,9]]]"#,
        r#""a h:1@2 myself,master - 0 0 1 connected 0-9\n""#,
        r#"{"primaries":[{"id":"a","host":"h","port":1,"ranges":[[0,9]]}]}"#,
    ] {
        assert_eq!(parse(json), Ok(topology.clone()), "{json}");
    }
}

#[test]
fn depth_is_bounded_in_every_form() {
    let deep = "1) ".repeat(100_000);
    assert!(parse(&deep).unwrap_err().reason.contains("deeper than 16"));
    let json = "[".repeat(100_000);
    assert!(parse(&json).unwrap_err().reason.contains("deeper than 16"));
}

/// The line and the reason of a refusal.
fn refused(text: &str) -> (Option<usize>, String) {
    let error = parse(text).expect_err(text);
    (error.line, error.reason)
}

#[test]
fn a_nodes_conf_may_begin_with_its_variables() {
    let line = "a h:1@2 myself,master - 0 0 1 connected 0-9\n";
    let expected = slots(r#"[[0,9,["h",1,"a"]]]"#);
    let text = format!("vars currentEpoch 6 lastVoteEpoch 0\n{line}");
    assert_eq!(parse(&text), Ok(expected));
}

#[test]
fn a_first_line_may_have_lost_padding_for_a_hundred_entries() {
    let entry = |slot: usize| {
        let number = slot + 1;
        format!("{number:>3}) 1) (integer) {slot}\n     2) (integer) {slot}\n     3) 1) \"h\"\n        2) (integer) 1\n")
    };
    let text: String = (0..100).map(entry).collect();
    let expected = slots(r#"[[0,99,["h",1]]]"#);
    assert_eq!(parse(text.trim_start()), Ok(expected.clone()));
    assert_eq!(parse(&text), Ok(expected));
}

#[test]
fn a_fault_in_numbered_text_is_at_the_line_of_its_entry() {
    let text = "1) 1) (integer) 0\n   2) (integer) 9\n   3) 1) \"h\"\n      2) (integer) 1\n\
                2) 1) (integer) 10\n   2) (integer) 19\n   3) 1) \"h\"\n      2) (integer) 0\n";
    let error = parse(text).unwrap_err();
    assert_eq!((error.entry, error.line), (Some(1), Some(5)));
    assert_eq!(
        error.reason,
        "primary: expected a port in 1..=65535, found 0"
    );
}

#[test]
fn numbered_text_that_is_not_indented_as_a_list_or_map_is_refused() {
    let number = |sign| {
        (
            Some(2),
            format!("expected number 1 at this indentation, found 1{sign}"),
        )
    };
    assert_eq!(refused("1# \"slots\" =>\n1) (integer) 0\n"), number(')'));
    assert_eq!(refused("1# \"slots\" =>\n1# \"a\" => (nil)\n"), number('#'));
    assert_eq!(
        refused("1) (integer) 0\n2~ (integer) 9\n"),
        (
            Some(2),
            "expected number 2 at this indentation, found 2~".to_owned()
        )
    );
    assert_eq!(
        refused("   1) 1) (integer) 0\n1) (integer) 9\n"),
        (
            Some(2),
            "expected the indentation of an open list, found another".to_owned()
        )
    );
}

#[test]
fn raw_text_that_is_cut_off_is_refused() {
    let cut = |line| {
        let reason = "expected the last slot of a range, found the end of the text";
        (Some(line), reason.to_owned())
    };
    assert_eq!(refused(&format!("0\n9\nh\n1\n{A}\n10\n")), cut(6));
    assert_eq!(refused(&format!("0\n9\nh\n1\n{A}\n\n10\n")), cut(7));
}

#[test]
fn raw_text_with_a_word_in_place_of_a_slot_is_refused() {
    let reason = "expected the last slot of a range, found \"x\"";
    assert_eq!(
        refused(&format!("0\n9\nh\n1\n{A}\nip\ni\n10\nx\n")),
        (Some(9), reason.to_owned())
    );
}

#[test]
fn a_host_of_hexadecimal_digits_is_no_id() {
    assert_eq!(
        parse("0\n9\nh\n1\ncafe\n2\n"),
        Ok(slots(r#"[[0,9,["h",1],["cafe",2]]]"#))
    );
}

#[test]
fn a_string_that_ends_too_early_is_named_as_such() {
    let reason = "expected the rest of a string, found the end of the text";
    assert_eq!(refused("['"), (Some(1), reason.to_owned()));
}
