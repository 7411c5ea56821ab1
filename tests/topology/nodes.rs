//! CLUSTER NODES, whose recorded replies are in `recorded`.

use super::{endpoints, fallback, ranges, NO_OPTIONS};
use redslot_wasm::topology::nodes::parse;

/// A primary's line with this address field and these slots.
fn line(id: &str, address: &str, slots: &str) -> String {
    format!("{id} {address} master - 0 1426238316232 2 connected {slots}\n")
}

#[test]
fn the_example_of_the_documentation_is_read() {
    let text = "\
07c37dfeb235213a872192d90877d0cd55635b91 127.0.0.1:30004@31004,hostname4 slave e7d1eecce10fd6bb5eb35b9f99a514335d9ba9ca 0 1426238317239 4 connected
67ed2db8d677e59ec4a4cefb06858cf2a1a89fa1 127.0.0.1:30002@31002,hostname2 master - 0 1426238316232 2 connected 5461-10922
292f8b365bb7edb5e285caf0b7e6ddc7265d2f4f 127.0.0.1:30003@31003,hostname3 master - 0 1426238318243 3 connected 10923-16383
6ec23923021cf3ffec47632106199cb7f496ce01 127.0.0.1:30005@31005,hostname5 slave 67ed2db8d677e59ec4a4cefb06858cf2a1a89fa1 0 1426238316232 5 connected
824fe116063bc5fcf9f4ffd895bc17aee7731ac3 127.0.0.1:30006@31006,hostname6 slave 292f8b365bb7edb5e285caf0b7e6ddc7265d2f4f 0 1426238317741 6 connected
e7d1eecce10fd6bb5eb35b9f99a514335d9ba9ca 127.0.0.1:30001@31001,hostname1 myself,master - 0 0 1 connected 0-5460
";
    let topology = parse(text, &NO_OPTIONS).unwrap();
    assert_eq!(
        endpoints(&topology),
        [
            Some("127.0.0.1:30001"),
            Some("127.0.0.1:30002"),
            Some("127.0.0.1:30003")
        ]
    );
    let replicas: Vec<_> = topology
        .primaries()
        .iter()
        .map(|p| p.replicas[0].port)
        .collect();
    assert_eq!(replicas, [30004, 30005, 30006]);
    assert_eq!(
        parse(&text.replace('\n', "\r\n"), &NO_OPTIONS),
        Ok(topology)
    );
}

#[test]
fn the_address_field_of_every_era_is_read() {
    for (field, expected) in [
        ("127.0.0.1:6379", Some("127.0.0.1:6379")),
        ("127.0.0.1:6379@16379", Some("127.0.0.1:6379")),
        ("127.0.0.1:6379@16379,", Some("127.0.0.1:6379")),
        ("127.0.0.1:6379@16379,n.example", Some("127.0.0.1:6379")),
        (
            "127.0.0.1:6379@16379,,tls-port=0,shard-id=69bc080733d1355567173199cff4a6a039a2f024",
            Some("127.0.0.1:6379"),
        ),
        ("127.0.0.1:6379@16379,shard-id=69bc", Some("127.0.0.1:6379")),
        ("2001:db8::10:6379@16379", Some("2001:db8::10:6379")),
        ("::1:6379", Some("::1:6379")),
        (":6379@16379,n.example", Some("n.example:6379")),
        (":6379@16379", Some("f:6379")),
        ("?:6379@16379", None),
    ] {
        let topology = parse(&line("a", field, "0-16383"), &fallback("f")).expect(field);
        assert_eq!(endpoints(&topology), [expected], "{field}");
    }
}

#[test]
fn slots_on_the_move_stay_with_their_owner() {
    let text = line("a", "h:1@2", "0 5-9 [5->-b] 93 [7000-<-b]") + &line("b", "h:2@3", "10-20");
    let topology = parse(&text, &NO_OPTIONS).unwrap();
    assert_eq!(
        ranges(&topology),
        [&[(0, 0), (5, 9), (93, 93)][..], &[(10, 20)]]
    );
}

#[test]
fn nodes_that_serve_nothing_are_left_out() {
    let text = line("a", "h:1@2", "0-9")
        + &line("empty", "h:9@10", "")
        + "shaking :0@0 handshake - 1 0 0 disconnected\n"
        + "r1 h:2@3 slave,fail a 0 0 1 connected\n"
        + "r2 h:3@4 slave,fail? a 0 0 1 connected\n"
        + "r3 :0@0 slave,noaddr a 0 0 1 disconnected\n"
        + "r4 h:5@6 slave empty 0 0 1 connected\n"
        + "r5 h:6@7 slave,nofailover a 0 0 1 connected\n"
        + "vars currentEpoch 6 lastVoteEpoch 0\n\n";
    let topology = parse(&text, &NO_OPTIONS).unwrap();
    assert_eq!(endpoints(&topology), [Some("h:1")]);
    let replicas: Vec<_> = topology.primaries()[0]
        .replicas
        .iter()
        .map(|r| r.port)
        .collect();
    assert_eq!(replicas, [3, 6]);
}

#[test]
fn a_failed_primary_keeps_its_slots() {
    let text = "a h:1@2 master,fail - 0 0 1 disconnected 0-9\n";
    assert_eq!(endpoints(&parse(text, &NO_OPTIONS).unwrap()), [Some("h:1")]);
}

#[test]
fn a_primary_whose_address_is_lost_is_a_gap_unless_it_is_alone() {
    let lost = "b :0@0 master,fail,noaddr - 0 0 1 disconnected 10-19\n";
    for options in [NO_OPTIONS, fallback("f")] {
        let topology = parse(&(line("a", "h:1@2", "0-9") + lost), &options).unwrap();
        assert_eq!(endpoints(&topology), [Some("h:1")]);
        assert_eq!(ranges(&topology), [[(0, 9)]]);
        let error = parse(&format!("\n{lost}"), &options).unwrap_err();
        let reason = "expected a port in 1..=65535, found \"0\"";
        assert_eq!((error.line, error.reason.as_str()), (Some(2), reason));
    }
}

#[test]
fn a_malformed_line_is_named_by_its_number() {
    for (bad, reason) in [
        ("a", "expected an address, found the end of the line"),
        (
            "a h:1@2 master - 0 0 1",
            "expected a link state, found the end of the line",
        ),
        (
            "a h1 master - 0 0 1 connected",
            "expected ip:port, found \"h1\"",
        ),
        (
            "a h:1 master - 0 0 x connected",
            "expected an epoch, found \"x\"",
        ),
        (
            "a h:1 master - 0 0 1 0-5",
            "expected connected or disconnected, found \"0-5\"",
        ),
        (
            "a h:1 master - 0 0 1 connected 0-16384",
            "expected slots in 0..=16383, found \"0-16384\"",
        ),
        (
            "a h:1 master - 0 0 1 connected 5-",
            "expected slots in 0..=16383, found \"5-\"",
        ),
        (
            "a h:1 master - 0 0 1 connected +5",
            "expected slots in 0..=16383, found \"+5\"",
        ),
        (
            "a h:1 master - 0 0 1 connected 9-5",
            "expected a range that ends at or after its start, found 9 to 5",
        ),
        (
            "a h:1 master - 0 0 1 connected [5>b]",
            "expected a slot on the move, found \"[5>b]\"",
        ),
        (
            "a h:1 slave p 0 0 1 connected 5",
            "flags: expected slots on a primary only, found \"slave\"",
        ),
        (
            "a h:0 master - 0 0 1 connected 5",
            "expected a port in 1..=65535, found \"0\"",
        ),
        (
            "g h:2 master - 0 0 1 connected 5",
            "expected one address per node id, found \"g\" at \"h:1\" and at \"h:2\"",
        ),
    ] {
        let text = format!("{}\n{bad}\n", line("g", "h:1@2", "0-4"));
        let error = parse(&text, &NO_OPTIONS).expect_err(bad);
        assert_eq!(
            (error.line, error.reason.as_str()),
            (Some(3), reason),
            "{bad}"
        );
    }
}

#[test]
fn a_text_without_slots_describes_no_cluster() {
    let error = parse(&line("a", "h:1@2", ""), &NO_OPTIONS).unwrap_err();
    assert_eq!((error.line, error.entry), (None, None));
    assert!(error.reason.contains("not part of a formed cluster"));
}
