//! CLUSTER SHARDS, whose recorded replies are in `recorded`.

use super::{endpoints, fallback, ranges, value, NO_OPTIONS};
use redslot_wasm::slot_map::SlotMap;
use redslot_wasm::topology::{self, Topology, TopologyError};

fn try_shards(json: &str) -> Result<Topology, TopologyError> {
    topology::shards::parse(&value(json), &NO_OPTIONS)
}

fn shards(json: &str) -> Topology {
    try_shards(json).expect(json)
}

/// One shard of slots 0 to 9 with these nodes.
fn shard(nodes: &str) -> String {
    format!(r#"[{{"slots":[0,9],"nodes":[{nodes}]}}]"#)
}

#[test]
fn a_shard_is_read_as_a_map_and_as_a_flat_list() {
    let map = shard(r#"{"id":"a","port":1,"ip":"i","endpoint":"h","role":"master"}"#);
    let flat = r#"[["slots",[0,9],"nodes",[["id","a","port","1","ip","i","endpoint","h","role","master"]]]]"#;
    assert_eq!(shards(&map), shards(flat));
    assert_eq!(endpoints(&shards(flat)), [Some("h:1")]);
}

#[test]
fn the_endpoint_is_the_host_whatever_ip_and_hostname_say() {
    for (endpoint, expected) in [
        (r#""endpoint":"e","#, Some("e:1")),
        (r#""endpoint":"","#, Some("f:1")),
        (r#""endpoint":null,"#, Some("f:1")),
        (r#""endpoint":"?","#, None),
        ("", Some("i:1")),
    ] {
        let node =
            format!(r#"{{"id":"a","ip":"i","hostname":"n",{endpoint}"port":1,"role":"master"}}"#);
        let topology = topology::shards::parse(&value(&shard(&node)), &fallback("f")).unwrap();
        assert_eq!(endpoints(&topology), [expected], "{endpoint}");
    }
}

#[test]
fn a_tls_port_serves_where_there_is_no_other() {
    for (ports, expected) in [
        (r#""port":1,"tls-port":2"#, "h:1"),
        (r#""tls-port":2"#, "h:2"),
        (r#""port":0,"tls-port":2"#, "h:2"),
    ] {
        let topology = shards(&shard(&format!(
            r#"{{"endpoint":"h",{ports},"role":"master"}}"#
        )));
        assert_eq!(endpoints(&topology), [Some(expected)], "{ports}");
    }
}

#[test]
fn replicas_count_while_they_are_online() {
    let replica = |id: &str, health: &str| {
        format!(r#"{{"id":"{id}","port":1,"endpoint":"{id}","role":"replica"{health}}}"#)
    };
    let nodes = [
        replica("a", r#","health":"fail""#),
        replica("b", r#","health":"online""#),
        r#"{"id":"p","port":1,"endpoint":"p","role":"master","health":"fail"}"#.to_owned(),
        replica("c", r#","health":"loading""#),
        replica("d", ""),
    ];
    let topology = shards(&shard(&nodes.join(",")));
    assert_eq!(endpoints(&topology), [Some("p:1")]);
    let replicas = topology.primaries()[0].replicas.iter();
    let ids: Vec<_> = replicas.map(|r| r.id.as_deref().unwrap()).collect();
    assert_eq!(ids, ["b", "d"]);
}

#[test]
fn the_slots_of_a_shard_without_a_primary_are_a_gap() {
    let topology = shards(
        r#"[{"slots":[0,9],"nodes":[{"id":"r","port":1,"endpoint":"h","role":"replica"}]},
            {"slots":[10,16383],"nodes":[{"id":"p","port":2,"endpoint":"h","role":"master"}]}]"#,
    );
    assert_eq!(ranges(&topology), [[(10, 16383)]]);
    assert_eq!(SlotMap::new(topology).gaps(), [(0, 9)]);
}

#[test]
fn a_failed_primary_gives_way_to_a_live_one() {
    let node = |id: &str, health: &str| {
        format!(r#"{{"id":"{id}","port":1,"endpoint":"{id}","role":"master","health":"{health}"}}"#)
    };
    let both = shards(&shard(
        &[node("old", "fail"), node("new", "online")].join(","),
    ));
    assert_eq!(endpoints(&both), [Some("new:1")]);
    let live = shards(&shard(
        &[node("a", "online"), node("b", "online")].join(","),
    ));
    let map = SlotMap::new(live);
    assert_eq!(map.owner_of(0), None);
    assert_eq!((map.conflicts()[0].start, map.conflicts()[0].end), (0, 9));
    assert_eq!(map.conflicts()[0].owners, [0, 1]);
}

#[test]
fn a_node_whose_address_is_lost_serves_nothing_unless_it_is_alone() {
    let node = |id: &str, role: &str, rest: &str| {
        format!(r#"{{"id":"{id}",{rest},"role":"{role}","health":"online"}}"#)
    };
    let live = node("a", "master", r#""port":1,"ip":"h","endpoint":"h""#);
    for lost in [
        r#""ip":"","endpoint":"""#,
        r#""ip":"","endpoint":"","port":0"#,
        r#""ip":"","endpoint":"name","port":0,"tls-port":0"#,
        r#""ip":"","endpoint":null"#,
    ] {
        let (primary, replica) = (node("b", "master", lost), node("r", "replica", lost));
        let together = shards(&shard(&[&*primary, &live, &replica].join(",")));
        assert_eq!(endpoints(&together), [Some("h:1")], "{lost}");
        assert!(together.primaries()[0].replicas.is_empty(), "{lost}");
        let apart = format!(
            r#"[{{"slots":[10,19],"nodes":[{primary}]}},{{"slots":[0,9],"nodes":[{live}]}}]"#
        );
        assert_eq!(ranges(&shards(&apart)), [[(0, 9)]], "{lost}");
        let error = try_shards(&shard(&primary)).unwrap_err();
        assert_eq!(error.entry, Some(0), "{lost}");
        assert!(
            error.reason.starts_with("node 0: expected a port"),
            "{lost}"
        );
    }
    let portless = node("b", "master", r#""ip":"192.0.2.1","endpoint":"n""#);
    let beside =
        format!(r#"[{{"slots":[0,9],"nodes":[{live}]}},{{"slots":[10,19],"nodes":[{portless}]}}]"#);
    assert_eq!(try_shards(&beside).unwrap_err().entry, Some(1));
    let by_tls = node("a", "master", r#""ip":"","endpoint":"","tls-port":2"#);
    assert_eq!(shards(&shard(&by_tls)).primaries()[0].port, 2);
}

#[test]
fn a_malformed_shard_is_named_by_its_index() {
    let good = r#"{"slots":[],"nodes":[]}"#;
    for (bad, reason) in [
        (
            "7",
            "expected a shard as a map or as a list of pairs, found 7",
        ),
        (
            r#"["slots"]"#,
            "expected a shard as a map or as a list of pairs, found a list of 1",
        ),
        (r#"{"nodes":[]}"#, "expected the field slots, found none"),
        (
            r#"{"slots":[1],"nodes":[]}"#,
            "slots: expected an end for every start, found none after 1",
        ),
        (
            r#"{"slots":[2,1],"nodes":[]}"#,
            "slots: expected a range that ends at or after its start, found 2 to 1",
        ),
        (
            r#"{"slots":[0,1],"nodes":7}"#,
            "nodes: expected a list of nodes, found 7",
        ),
        (
            r#"{"slots":[0,1],"nodes":[{"id":"a"}]}"#,
            "node 0: expected the field role, found none",
        ),
        (
            r#"{"slots":[0,1],"nodes":[{"role":"boss"}]}"#,
            "node 0: role: expected master or replica, found \"boss\"",
        ),
        (
            r#"{"slots":[0,1],"nodes":[{"role":"replica","port":1},{"role":"master"}]}"#,
            "node 1: expected a port, found none",
        ),
        (
            r#"{"slots":[0,1],"nodes":[{"role":"master","port":0}]}"#,
            "node 0: expected a port in 1..=65535, found 0",
        ),
    ] {
        let error = try_shards(&format!("[{good},{bad}]")).expect_err(bad);
        assert_eq!(
            (error.entry, error.reason.as_str()),
            (Some(1), reason),
            "{bad}"
        );
    }
}

#[test]
fn shards_without_slots_describe_no_cluster() {
    let error = try_shards(r#"[{"slots":[],"nodes":[{"id":"a","port":1,"role":"master"}]}]"#);
    assert_eq!(error.unwrap_err().entry, None);
}
