//! Replies of a real Redis 7.0.15, recorded in every form that redis-cli
//! prints. All forms of one moment must give one topology.

use super::{endpoints, fallback, ranges, NO_OPTIONS};
use redslot_wasm::slot_map::SlotMap;
use redslot_wasm::topology::{text, Topology};

const SLOTS: [&str; 6] = [
    "slots.json",
    "slots.resp2.json",
    "slots.numbered.txt",
    "slots.raw.txt",
    "slots.resp3.numbered.txt",
    "slots.resp3.raw.txt",
];
const SHARDS: [&str; 6] = [
    "shards.json",
    "shards.resp2.json",
    "shards.numbered.txt",
    "shards.raw.txt",
    "shards.resp3.numbered.txt",
    "shards.resp3.raw.txt",
];
const NODES: [&str; 1] = ["nodes.txt"];

pub(crate) fn recorded(scenario: &str, form: &str) -> String {
    let root = env!("CARGO_MANIFEST_DIR");
    let path = format!("{root}/tests/corpus/topologies/{scenario}/{form}");
    std::fs::read_to_string(&path).expect(&path)
}

fn topology(scenario: &str, form: &str) -> Topology {
    let text = recorded(scenario, form);
    text::parse(&text, &NO_OPTIONS).unwrap_or_else(|e| panic!("{scenario}/{form}: {e}"))
}

/// The one topology that all `forms` of `scenario` give.
fn common(scenario: &str, forms: &[&[&str]]) -> Topology {
    let first = topology(scenario, forms[0][0]);
    for form in forms.concat() {
        assert_eq!(topology(scenario, form), first, "{scenario}/{form}");
    }
    first
}

#[test]
fn three_primaries_with_replicas_and_one_without_slots() {
    let topology = common("replicated", &[&SLOTS, &SHARDS, &NODES]);
    assert_eq!(
        endpoints(&topology),
        [
            Some("127.0.0.1:27100"),
            Some("127.0.0.1:27101"),
            Some("127.0.0.1:27102")
        ]
    );
    assert_eq!(
        ranges(&topology),
        [[(0, 5460)], [(5461, 10922)], [(10923, 16383)]]
    );
    let replicas: Vec<_> = topology
        .primaries()
        .iter()
        .map(|p| p.replicas[0].port)
        .collect();
    assert_eq!(replicas, [27105, 27103, 27104]);
}

#[test]
fn slots_moved_and_lost_a_failed_replica_and_a_hostname() {
    let topology = common("resharded", &[&SLOTS, &SHARDS, &NODES]);
    assert_eq!(
        ranges(&topology),
        [
            &[(0, 5060), (5062, 5460), (13513, 13513)][..],
            &[(5461, 10922)],
            &[(10923, 13512), (13514, 16383)]
        ]
    );
    assert_eq!(endpoints(&topology)[1], Some("127.0.0.1:27101"));
    let replicas: Vec<_> = topology
        .primaries()
        .iter()
        .map(|p| p.replicas.len())
        .collect();
    assert_eq!(replicas, [1, 0, 1]);
    assert_eq!(SlotMap::new(topology).gaps(), [(5061, 5061)]);
}

#[test]
fn replicas_that_are_loading_are_in_neither_slots_nor_shards() {
    let topology = common("loading", &[&SLOTS, &SHARDS]);
    assert!(topology.primaries().iter().all(|p| p.replicas.is_empty()));
}

#[test]
fn hostnames_as_endpoints_where_two_primaries_have_none() {
    let topology = common("hostnames", &[&SLOTS, &SHARDS]);
    assert_eq!(
        endpoints(&topology),
        [None, Some("node-1.cache.example:27101"), None]
    );
}

#[test]
fn unknown_endpoints_leave_three_primaries_without_a_host() {
    let topology = common("unknown-endpoint", &[&SLOTS, &SHARDS]);
    assert_eq!(endpoints(&topology), [None, None, None]);
    let with = |form| text::parse(&recorded("unknown-endpoint", form), &fallback("192.0.2.7"));
    let expected = [
        Some("192.0.2.7:27100"),
        Some("192.0.2.7:27101"),
        Some("192.0.2.7:27102"),
    ];
    for form in SLOTS.into_iter().chain(SHARDS) {
        assert_eq!(endpoints(&with(form).unwrap()), expected, "{form}");
    }
}

#[test]
fn a_node_that_never_met_another_does_not_know_its_host() {
    let topology = common("alone", &[&SLOTS, &SHARDS, &NODES]);
    assert_eq!(endpoints(&topology), [None]);
    assert_eq!(ranges(&topology), [[(0, 100), (200, 16383)]]);
}

#[test]
fn more_than_nine_entries_are_padded_by_redis_cli() {
    let topology = common("scattered", &[&SLOTS, &SHARDS, &NODES]);
    assert_eq!(topology.primaries().len(), 3);
    assert_eq!(topology.primaries()[1].ranges.len(), 6);
}

#[test]
fn what_surrounds_a_paste_does_not_matter() {
    for form in SLOTS.into_iter().chain(SHARDS).chain(NODES) {
        let reply = recorded("scattered", form);
        let expected = text::parse(&reply, &NO_OPTIONS);
        let pasted = format!(
            "\u{feff}\n$ redis-cli -p 7000\n127.0.0.1:7000> CLUSTER SLOTS\n{reply}\n(0.52s)\n127.0.0.1:7000> \n\n"
        );
        assert_eq!(text::parse(&pasted, &NO_OPTIONS), expected, "{form}");
        let windows = pasted.replace('\n', "\r\n");
        assert_eq!(text::parse(&windows, &NO_OPTIONS), expected, "{form}");
        for (before, after) in [
            ("```text\n", "```\n"),
            ("me@host:~$ redis-cli\n", "me@host:~$ \n"),
            ("[root@host ~]# valkey-cli -c\n", "[root@host ~]# \n"),
            ("Warning: Using a password with '-a' or '-u' option on the command line interface may not be safe.\n", "% \n"),
        ] {
            let pasted = format!("{before}{}\n{after}", reply.trim_end());
            assert_eq!(text::parse(&pasted, &NO_OPTIONS), expected, "{form} {before}");
        }
    }
}

#[test]
fn a_first_line_may_have_lost_its_padding() {
    let reply = recorded("scattered", "slots.numbered.txt");
    assert!(reply.starts_with(" 1) "));
    assert_eq!(
        text::parse(reply.trim_start(), &NO_OPTIONS),
        text::parse(&reply, &NO_OPTIONS)
    );
}
