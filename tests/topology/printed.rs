//! What a Node.js process shows of a cluster: replies that ioredis 5 and 6 gave
//! as `console.log` prints them, and their debug logs, recorded by
//! `tests/corpus/record-printed.mjs` from a Redis 7.0.15.

use super::recorded::recorded;
use super::{endpoints, ranges, slots, NO_OPTIONS};
use redslot_wasm::topology::{text, Topology, TopologyError};

const PRINTED: [&str; 9] = [
    "shards.json",
    "nodes.txt",
    "slots.ioredis-5.txt",
    "slots.ioredis-6.txt",
    "slots.resp3.txt",
    "slots.buffers.txt",
    "slots.terminal.txt",
    "shards.whole.txt",
    "shards.resp3.whole.txt",
];

fn parse(text: &str) -> Result<Topology, TopologyError> {
    text::parse(text, &NO_OPTIONS)
}

fn topology(scenario: &str, form: &str) -> Topology {
    parse(&recorded(scenario, form)).unwrap_or_else(|e| panic!("{scenario}/{form}: {e}"))
}

fn refused(text: &str) -> (Option<usize>, String) {
    let error = parse(text).expect_err(text);
    (error.line, error.reason)
}

type Seen = (Option<String>, Vec<(u16, u16)>, Vec<Option<String>>);

/// What a debug log tells: addresses and ranges. Replicas are sorted, since
/// each refresh asks another node, which lists them in an order of its own.
fn without_ids(topology: &Topology) -> Vec<Seen> {
    let primaries = topology.primaries().iter();
    let seen = primaries.map(|p| {
        let mut replicas: Vec<_> = p.replicas.iter().map(|r| r.endpoint.clone()).collect();
        replicas.sort();
        (p.endpoint.clone(), p.ranges.clone(), replicas)
    });
    seen.collect()
}

#[test]
fn what_node_prints_is_the_topology_of_the_json() {
    let json = topology("printed", "slots.json");
    assert_eq!(
        ranges(&json),
        [[(0, 5460)], [(5461, 10922)], [(10923, 16383)]]
    );
    assert!(json.primaries().iter().all(|p| p.replicas.len() == 1));
    for form in PRINTED {
        assert_eq!(topology("printed", form), json, "{form}");
    }
    let replicas = topology("printed-replicas", "slots.json");
    assert_eq!(replicas.primaries()[0].replicas.len(), 7);
    assert_eq!(
        topology("printed-replicas", "slots.ioredis-6.txt"),
        replicas
    );
}

#[test]
fn a_debug_log_gives_the_addresses_and_ranges_of_the_json() {
    for (scenario, form) in [
        ("printed", "debug.ioredis-5.txt"),
        ("printed", "debug.ioredis-6.txt"),
        ("printed", "debug.terminal.txt"),
        ("printed-replicas", "debug.txt"),
        ("printed-scattered", "debug.txt"),
    ] {
        let log = topology(scenario, form);
        let json = topology(scenario, "slots.json");
        assert_eq!(without_ids(&log), without_ids(&json), "{scenario}/{form}");
        assert!(log.primaries().iter().all(|p| p.id.is_none()));
        let text = recorded(scenario, form);
        let shown = format!("```\n$ node app.js\n{}```\n", text.replace('\n', "\r\n"));
        assert_eq!(parse(&shown), Ok(log), "{scenario}/{form}");
    }
}

#[test]
fn a_debug_log_breaks_long_lists_over_lines() {
    let log = topology("printed", "debug.named.txt");
    assert_eq!(
        endpoints(&log),
        [1, 2, 3]
            .map(|n| format!("redis-000{n}-001.redis.abcdef.use1.cache.example:6379"))
            .each_ref()
            .map(|endpoint| Some(endpoint.as_str()))
    );
}

#[test]
fn what_node_did_not_print_is_missed_only_where_it_is_needed() {
    assert!(recorded("printed", "slots.ioredis-6.txt").contains("[Array]"));
    assert!(recorded("printed", "slots.resp3.txt").contains("[Object]"));
    let said = "node 0: expected a node as a map or as a list of pairs, found [Array] or [Object] \
                where Node prints no deeper; console.log(JSON.stringify(reply)) prints all of it";
    for form in ["shards.hidden.txt", "shards.resp3.hidden.txt"] {
        assert_eq!(
            refused(&recorded("printed", form)),
            (Some(2), said.to_owned()),
            "{form}"
        );
    }
    for (node, found) in [
        ("[Array]", "a list of host, port and more"),
        ("[ [Array], 1 ]", "a host as text"),
        ("[ 'h', [Object] ]", "a port in 1..=65535"),
        ("[ 'h', 1, [Array] ]", "a node id as text"),
    ] {
        let (_, reason) = refused(&format!("[ [ 0, 9, {node} ] ]"));
        assert!(
            reason.starts_with(&format!("primary: expected {found}, found [Array] or")),
            "{reason}"
        );
    }
}

#[test]
fn a_list_that_node_cut_is_refused_with_the_way_to_print_it_whole() {
    let cut = recorded("printed-scattered", "slots.cut.txt");
    let (line, reason) = refused(&cut);
    assert_eq!(line, Some(cut.lines().count() - 1));
    assert_eq!(
        reason,
        "expected the whole reply, which console.log(JSON.stringify(reply)) prints, \
         found \"... 4 more items\""
    );
    for text in [
        "[ [ 0, 9, [ 'h', 1 ] ], ... 1 more item ]",
        "[ [ 0, 9, [ <Buffer 68 68 68 ... 950 more bytes>, 1 ] ] ]",
        "'c51cc3 h:1@1 master - 0 0 1 connected 0-9\\n'... 812 more characters",
    ] {
        assert!(refused(text).1.contains("JSON.stringify"), "{text}");
    }
}

#[test]
fn a_list_that_ioredis_cut_after_200_characters_is_refused() {
    let (line, reason) = refused(&recorded("printed-replicas", "debug.cut.txt"));
    assert!(line.is_some());
    assert_eq!(
        reason,
        "expected a list of all nodes, which ioredis cuts when it is long \
         (JSON.stringify(await cluster.cluster('slots')) holds all of it), \
         found \"redis-0001-001.redis.abcdef.use1.cache.example:6379,redis-00...\""
    );
}

#[test]
fn every_kind_of_quote_and_escape_is_read() {
    let expected = slots(r#"[[0,9,["h",1,"it's"],[null,2,"a\"b'c`d\\\u001bé\n"]]]"#);
    for printed in [
        r#"[ [ 0, 9, [ 'h', 1, "it's" ], [ null, 2, 'a"b\'c`d\\\x1Bé\n' ] ] ]"#,
        r#"[[0,9,[`h`,1,`it's`,undefined],[undefined,2,'a"b\'c`d\\\u001b\u00e9' +
            '\n', {}]]]"#,
        r#"[[0,9,['h',1,'it\'s',{ 'a-b': [], c: { d: null } }],["",2,"a\"b'c`d\\\u001B\xe9\n"]]]"#,
    ] {
        assert_eq!(parse(printed), Ok(expected.clone()), "{printed}");
    }
}

#[test]
fn a_string_of_cluster_nodes_is_read_as_the_console_shows_it() {
    let text = "> await cluster.cluster('nodes')\n'a h:1@2 myself,master - 0 0 1 connected 0-9\\n' +\n  'b h:2@3 master - 0 0 1 connected 10-19\\n'\n> ";
    assert_eq!(
        parse(text),
        Ok(slots(r#"[[0,9,["h",1,"a"]],[10,19,["h",2,"b"]]]"#))
    );
}

#[test]
fn what_node_does_not_print_is_named_by_its_line() {
    for (text, line, reason) in [
        (
            "[\n  [ 0, 9, [ 'h', 1 ]\n",
            3,
            "expected a comma or the end of the list, found the end of the text",
        ),
        (
            "[\n  [ 0, 9,\n [ 'h' 1 ] ] ]",
            3,
            "expected a comma or the end of the list, found \"1 ] ] ]\"",
        ),
        (
            "[ [ 0, 9, [ 'h', 1 ] ] ]\n[ 'x' ]",
            2,
            "expected the end of the reply, found \"[ \\'x\\' ]\"",
        ),
        (
            "[ [ 0, 9, [ 'h\\q', 1 ] ] ]",
            1,
            "expected the rest of a string, found \"q\\', 1 ] ] ]\"",
        ),
        (
            "[ [ 0, 9, [ 'h', 'q ] ] ]",
            1,
            "expected the rest of a string, found the end of the text",
        ),
        (
            "[ [ 0, 9, [ 'h\n', 1 ] ] ]",
            1,
            "expected the rest of a string, found the end of the line",
        ),
        (
            "[ [ 0, 9, [ 'h' + 1 ] ] ]",
            1,
            "expected a name or a string, found \"1 ] ] ]\"",
        ),
        (
            "[[0,9,[\"h\\q\",1]]]",
            1,
            "expected JSON, found at column 11: invalid escape",
        ),
        (
            "[[0,9,[\"h\",1]]",
            1,
            "expected JSON, found at column 14: EOF while parsing a list",
        ),
        (
            "[[0,9,[\"h\",01]]]",
            1,
            "expected JSON, found at column 13: invalid number",
        ),
        (
            "[ [ 0, 9, [ 'h', 1n ] ] ]",
            1,
            "expected a value as JSON or as Node prints it, found \"1n ] ] ]\"",
        ),
        (
            "[ { slots: [], 'nodes' [] } ]",
            1,
            "expected :, found \"[] } ]\"",
        ),
        (
            "[ { slots: [], [] } ]",
            1,
            "expected a name or a string, found \"[] } ]\"",
        ),
        (
            "[\n  [ 0, 9, [ <Buffer 68 6>, 1 ] ] ]",
            2,
            "expected a byte in hexadecimal, found \"6>, 1 ] ] ]\"",
        ),
        (
            "[\n  [ 0, 9, [ 'h', 1 ] ],\n  [ 9, 8, [ 'h', 1 ] ] ]",
            3,
            "expected a range that ends at or after its start, found 9 to 8",
        ),
    ] {
        assert_eq!(refused(text), (Some(line), reason.to_owned()), "{text}");
    }
    let deep = format!("['', {}", "[".repeat(100_000));
    assert!(refused(&deep).1.contains("deeper than 16"));
}

fn entry(index: usize, slots: &str, nodes: &str) -> String {
    format!("ioredis:cluster cluster slots result [{index}]: slots {slots} served by {nodes}\n")
}

fn count(entries: usize) -> String {
    format!("ioredis:cluster cluster slots result count: {entries}\n")
}

#[test]
fn the_last_whole_refresh_of_a_log_counts() {
    let older = [
        count(2),
        entry(0, "0~9", "[ 'h:1' ]"),
        entry(1, "10~19", "[ 'h:2' ]"),
    ];
    let newer = [count(1), entry(0, "0~19", "[ 'h:2', 'h:1' ] +3ms")];
    let (older, newer) = (older.concat(), newer.concat());
    let first = slots(r#"[[0,9,["h",1]],[10,19,["h",2]]]"#);
    let second = slots(r#"[[0,19,["h",2],["h",1]]]"#);
    let uncounted = newer.replace("count: 1", "");
    let tail = older.split_once("[0]").unwrap().1;
    let short = count(2) + &entry(0, "0~9", "[ 'g:9' ]");
    for (log, expected) in [
        (format!("{older}{newer}"), &second),
        (format!("{newer}{older}"), &first),
        (format!("{older}{uncounted}"), &second),
        (format!("{tail}{newer}"), &second),
        (format!("{older}{short}"), &first),
        (format!("{short}{newer}"), &second),
        (format!("07c3 h:1@2 master\n{newer}"), &second),
        (
            format!("[nodemon] starting\n{newer}status: [empty] -> ready\n"),
            &second,
        ),
    ] {
        assert_eq!(parse(&log).as_ref(), Ok(expected), "{log}");
    }
}

#[test]
fn a_log_that_is_cut_off_is_refused_with_the_line() {
    let (zero, one, two) = (
        entry(0, "0~9", "[ 'h:1' ]"),
        entry(1, "10~19", "[ 'h:2' ]"),
        entry(2, "20~29", "[ 'h:3' ]"),
    );
    for (log, line, reason) in [
        (
            format!("{one}{two}"),
            1,
            "expected cluster slots result [0], found [1]: the log is cut off",
        ),
        (
            format!("\n{zero}{two}"),
            3,
            "expected cluster slots result [1], found [2]: the log is cut off",
        ),
        (
            format!("{zero}{one}{zero}{two}"),
            4,
            "expected cluster slots result [1], found [2]: the log is cut off",
        ),
        (
            format!("{}{zero}{one}\n", count(3)),
            3,
            "expected 3 entries, found 2: the log is cut off",
        ),
        (
            count(3),
            1,
            "expected 3 entries, found 0: the log is cut off",
        ),
        (
            format!("{}{zero}{one}", count(1)),
            3,
            "expected 1 entries, found 2: the log is cut off",
        ),
        (
            format!("{zero}cluster slots result [1]: slots 10~"),
            2,
            "expected a value as JSON or as Node prints it, found the end of the text",
        ),
        (
            format!("{zero}{}  'h:2',\n", entry(1, "10~19", "[")),
            4,
            "expected a value as JSON or as Node prints it, found the end of the text",
        ),
        (
            entry(0, "0~9", "[ 'h' ]"),
            1,
            "expected host:port, found \"h\"",
        ),
        (
            entry(0, "0~9", "[ 'h:x' ]"),
            1,
            "primary: expected a port in 1..=65535, found \"x\"",
        ),
        (
            format!("{zero}{}", entry(1, "9~16384", "[ 'h:2' ]")),
            2,
            "end: expected a slot in 0..=16383, found 16384",
        ),
        (
            "cluster slots result ".to_owned(),
            0,
            "expected cluster slots result [0], found none",
        ),
    ] {
        let line = Some(line).filter(|&line| line > 0);
        assert_eq!(refused(&log), (line, reason.to_owned()), "{log}");
    }
}

#[test]
fn a_line_with_as_many_faults_as_words_is_read_once() {
    for part in [
        "[0]: x",
        "[0]: slots 0~9 served by [ 'x', ",
        "[1",
        "count: 1 ",
    ] {
        let line = format!("cluster slots result {part}").repeat(50_000);
        assert!(parse(&line).is_err(), "{part}");
    }
}

#[test]
fn a_log_has_addresses_of_ipv6_and_entries_that_no_node_is_left_of() {
    let log = count(3)
        + &entry(0, "0~9", "[]")
        + &entry(1, "10~19", "[ '::1:30001', '2001:db8::2:30002' ]")
        + &entry(2, "20~29", "[] +0ms");
    let expected = slots(r#"[[10,19,["::1",30001],["2001:db8::2",30002]]]"#);
    assert_eq!(parse(&log), Ok(expected));
    let nobody = count(1) + &entry(0, "0~16383", "[]");
    assert_eq!(
        refused(&nobody),
        (
            Some(2),
            "expected a node with a host, found none; ioredis logs no others".to_owned()
        )
    );
    assert_eq!(
        refused(&count(0)).1,
        "expected slots and who serves them, found none; \
         the node that answered is not part of a formed cluster"
    );
}
