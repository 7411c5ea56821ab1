//! CLUSTER SLOTS, by the numbered cases of people who met them.

use super::{endpoints, fallback, owner, ranges, slot_map, slots, try_slots, value, NO_OPTIONS};
use redslot_wasm::topology::slots::{unpack, Packed};
use redslot_wasm::topology::{self, Value};

#[test]
fn primaries_that_share_a_host_stay_apart_case_1() {
    let topology = slots(
        r#"[[0,5460,["192.0.2.10",7000,"a"]],
            [5461,10922,["192.0.2.10",7001,"b"]],
            [10923,16383,["192.0.2.10",7002,"c"]]]"#,
    );
    assert_eq!(
        endpoints(&topology),
        [
            Some("192.0.2.10:7000"),
            Some("192.0.2.10:7001"),
            Some("192.0.2.10:7002")
        ]
    );
}

#[test]
fn primaries_that_share_a_port_keep_all_their_ranges_case_2() {
    let map = slot_map(
        r#"[[0,5060,["192.0.2.1",6379]],[5061,5061,["192.0.2.3",6379]],
            [5062,5460,["192.0.2.1",6379]],[5461,10922,["192.0.2.2",6379]],
            [10923,16383,["192.0.2.3",6379]]]"#,
    );
    assert_eq!(map.primaries().len(), 3);
    assert_eq!(owner(&map, 12182), Some("192.0.2.3:6379")); // foo
    assert_eq!(owner(&map, 5061), Some("192.0.2.3:6379")); // bar
    assert_eq!(owner(&map, 866), Some("192.0.2.1:6379")); // hello
    assert_eq!(owner(&map, 15495), Some("192.0.2.3:6379")); // a
}

#[test]
fn a_replica_list_that_differs_between_ranges_leaves_one_primary_case_9() {
    let topology = slots(
        r#"[[0,99,["h",1,"p"],["h",2,"r1"],["h",3,"r2"]],
            [200,299,["h",1,"p"]],
            [400,499,["h",1,"p"],["h",3,"r2"],["h",2,"r1"],["h",4,"r3"]]]"#,
    );
    assert_eq!(ranges(&topology), [[(0, 99), (200, 299), (400, 499)]]);
    let replicas = &topology.primaries()[0].replicas;
    let seen: Vec<_> = replicas.iter().map(|r| r.endpoint.as_deref()).collect();
    assert_eq!(seen, [Some("h:2"), Some("h:3"), Some("h:4")]);
}

#[test]
fn node_arrays_of_every_era_are_read_case_24() {
    for node in [
        r#"["127.0.0.1",17001]"#,
        r#"["127.0.0.1",17001,"id"]"#,
        r#"["127.0.0.1",17001,"id",[]]"#,
        r#"["127.0.0.1",17001,"id",{}]"#,
        r#"["127.0.0.1",17001,"id",["hostname","node-1.cache.example"]]"#,
        r#"["127.0.0.1",17001,"id",{"hostname":"node-1.cache.example"}]"#,
        r#"["127.0.0.1",17001,"id",null,"and",["more"],7]"#,
    ] {
        let topology = slots(&format!("[[0,16383,{node}]]"));
        assert_eq!(endpoints(&topology), [Some("127.0.0.1:17001")], "{node}");
    }
}

#[test]
fn a_null_host_takes_the_fallback_and_nothing_else_case_26() {
    let reply = r#"[[0,1,[null,17001,"a",["ip","127.0.0.1","hostname","node-1.cache.example"]]],
                    [2,3,[null,17001,"b",[]]]]"#;
    assert_eq!(endpoints(&slots(reply)), [None, None]);
    let with = topology::slots::parse(&value(reply), &fallback("192.0.2.7")).unwrap();
    assert_eq!(
        endpoints(&with),
        [Some("192.0.2.7:17001"), Some("192.0.2.7:17001")]
    );
    assert_eq!(with.primaries()[0].host.as_deref(), Some("192.0.2.7"));
}

#[test]
fn an_empty_host_takes_the_fallback_case_27() {
    let reply = r#"[[0,100,["",17009,"id",[]]],[200,16383,["",17009,"id",[]]]]"#;
    let without = slots(reply);
    assert_eq!(endpoints(&without), [None]);
    assert_eq!(without.primaries()[0].host, None);
    assert_eq!(ranges(&without), [[(0, 100), (200, 16383)]]);
    let with = topology::slots::parse(&value(reply), &fallback("::1")).unwrap();
    assert_eq!(endpoints(&with), [Some("::1:17009")]);
}

#[test]
fn a_question_mark_never_takes_the_fallback() {
    let reply = value(r#"[[0,100,["?",7102,"id",["ip","127.0.0.1"]]]]"#);
    let topology = topology::slots::parse(&reply, &fallback("192.0.2.7")).unwrap();
    assert_eq!(endpoints(&topology), [None]);
    assert_eq!(topology.primaries()[0].host, None);
}

#[test]
fn an_empty_fallback_is_none() {
    let reply = value(r#"[[0,100,["",7102,"id"]]]"#);
    let topology = topology::slots::parse(&reply, &fallback("")).unwrap();
    assert_eq!(endpoints(&topology), [None]);
}

#[test]
fn hostless_primaries_without_ids_are_not_thrown_together() {
    let topology = slots(r#"[[0,1,[null,6379]],[2,3,[null,6379]],[4,5,["",6380]]]"#);
    assert_eq!(ranges(&topology), [[(0, 1)], [(2, 3)], [(4, 5)]]);
}

#[test]
fn metadata_is_not_the_address_case_29() {
    let topology = slots(r#"[[0,16383,["192.0.2.11",6379,"id",["hostname","internal.invalid"]]]]"#);
    assert_eq!(endpoints(&topology), [Some("192.0.2.11:6379")]);
}

#[test]
fn a_primary_with_scattered_ranges_is_one_case_31() {
    let map = slot_map(
        r#"[[0,5460,["h",1,"p1"]],[5461,10922,["h",2,"p2"]],[10923,13512,["h",3,"p3"]],
            [13513,13513,["h",1,"p1"]],[13514,16383,["h",3,"p3"]]]"#,
    );
    assert_eq!(map.primaries().len(), 3);
    assert_eq!(map.primaries()[0].ranges, [(0, 5460), (13513, 13513)]);
    assert_eq!(map.primaries()[2].ranges, [(10923, 13512), (13514, 16383)]);
    assert_eq!(owner(&map, 13512), Some("h:3"));
    assert_eq!(owner(&map, 13513), Some("h:1"));
    assert_eq!(owner(&map, 13514), Some("h:3"));
    assert_eq!((map.gaps(), map.conflicts()), (&[][..], &[][..]));
}

#[test]
fn ranges_that_touch_or_overlap_are_merged_and_sorted() {
    let topology = slots(r#"[[101,101,["h",1]],[50,60,["h",1]],[0,49,["h",1]],[55,70,["h",1]]]"#);
    assert_eq!(ranges(&topology), [[(0, 70), (101, 101)]]);
}

#[test]
fn an_ipv6_host_keeps_its_colons_case_36() {
    let topology = slots(r#"[[0,1,["2001:db8::10",6379]],[2,3,["::1",6379]],[4,5,["::1",6380]]]"#);
    assert_eq!(
        endpoints(&topology),
        [
            Some("2001:db8::10:6379"),
            Some("::1:6379"),
            Some("::1:6380")
        ]
    );
    assert_eq!(
        topology.primaries()[0].host.as_deref(),
        Some("2001:db8::10")
    );
}

#[test]
fn a_replica_on_the_primarys_host_serves_nothing_case_37() {
    let map = slot_map(
        r#"[[0,16383,["c.serverless.example",6379,"id1",[]],["c.serverless.example",6380,"id2",[]]]]"#,
    );
    assert_eq!(map.primaries().len(), 1);
    assert_eq!(owner(&map, 16383), Some("c.serverless.example:6379"));
    let replica = &map.primaries()[0].replicas[0];
    assert_eq!(
        replica.endpoint.as_deref(),
        Some("c.serverless.example:6380")
    );
}

#[test]
fn five_primaries_behind_one_address_are_five_case_38() {
    let entries: Vec<String> = (0..5)
        .map(|i| {
            format!(
                r#"[{},{},["192.0.2.50",{}]]"#,
                i * 10,
                i * 10 + 9,
                15000 + i
            )
        })
        .collect();
    let topology = slots(&format!("[{}]", entries.join(",")));
    assert_eq!(topology.primaries().len(), 5);
    assert_eq!(
        topology.primaries()[4].endpoint.as_deref(),
        Some("192.0.2.50:15004")
    );
}

#[test]
fn numbers_may_be_numeric_strings_or_whole_floats() {
    let plain = slots(r#"[[0,5460,["127.0.0.1",7100,"id",[]]]]"#);
    assert_eq!(
        slots(r#"[["0","5460",["127.0.0.1","7100","id",[]]]]"#),
        plain
    );
    assert_eq!(
        slots(r#"[[0.0,5460.0,["127.0.0.1",7.1e3,"id",[]]]]"#),
        plain
    );
}

#[test]
fn hosts_ids_and_numbers_may_be_bytes() {
    let bytes = |text: &str| Value::Bytes(text.as_bytes().to_vec());
    let node = Value::List(vec![bytes("127.0.0.1"), bytes("7100"), bytes("id")]);
    let reply = Value::List(vec![Value::List(vec![bytes("0"), Value::Int(5460), node])]);
    assert_eq!(
        topology::slots::parse(&reply, &NO_OPTIONS),
        Ok(slots(r#"[[0,5460,["127.0.0.1",7100,"id"]]]"#))
    );
}

#[test]
fn the_node_id_decides_where_addresses_agree() {
    let topology = slots(r#"[[0,9,["h",1,"a"]],[10,19,["h",1,"b"]]]"#);
    assert_eq!(endpoints(&topology), [Some("h:1"), Some("h:1")]);
    assert_eq!(ranges(&topology), [[(0, 9)], [(10, 19)]]);
}

#[test]
fn a_topology_serializes_to_what_javascript_is_promised() {
    let topology = slots(r#"[[0,5,["h",1,"p"],[null,2]],[7,7,["h",1,"p"]]]"#);
    assert_eq!(
        serde_json::to_string(&topology).unwrap(),
        r#"{"primaries":[{"id":"p","host":"h","port":1,"endpoint":"h:1","ranges":[[0,5],[7,7]],"#
            .to_owned()
            + r#""replicas":[{"id":null,"host":null,"port":2,"endpoint":null}]}]}"#
    );
}

#[test]
fn a_packed_reply_names_each_node_once() {
    let packed = Packed {
        names: b"192.0.2.1\na\n192.0.2.2\nb\n",
        ports: &[7000, 7001],
        entries: &[0, 99, 1, 0, 200, 16383, 2, 1, 0, 100, 100, 2, 0, 1],
    };
    assert_eq!(
        unpack(packed, &NO_OPTIONS),
        Ok(slots(
            r#"[[0,99,["192.0.2.1",7000,"a"]],
                [200,16383,["192.0.2.2",7001,"b"],["192.0.2.1",7000,"a"]],
                [100,100,["192.0.2.1",7000,"a"],["192.0.2.2",7001,"b"]]]"#
        ))
    );
}

#[test]
fn a_packed_reply_that_is_cut_or_beyond_its_bounds_is_refused() {
    let good = Packed {
        names: b"h\na\n",
        ports: &[1],
        entries: &[0, 9, 1, 0],
    };
    assert!(unpack(good, &NO_OPTIONS).is_ok());
    for entries in [
        &[][..],
        &[0, 9, 1],
        &[0, 9, 0],
        &[0, 9, 1, 1],
        &[9, 0, 1, 0],
        &[0, 16384, 1, 0],
        &[0, 9, 1, 0, 10],
        &[0, 9, u32::MAX, 0],
    ] {
        assert!(unpack(Packed { entries, ..good }, &NO_OPTIONS).is_err());
    }
    for names in [&b""[..], b"h\na", b"h\na\n\n", b"h h\na\n", b"\xff\na\n"] {
        assert!(unpack(Packed { names, ..good }, &NO_OPTIONS).is_err());
    }
    for ports in [&[][..], &[0], &[65536], &[1, 2]] {
        assert!(unpack(Packed { ports, ..good }, &NO_OPTIONS).is_err());
    }
}

#[test]
fn a_node_whose_address_is_lost_leaves_the_others_as_they_are() {
    let lost = |host: &str, rest: &str| {
        format!(
            r#"[[0,9,["h",1,"a"],[{host},0,"r"{rest}]],[10,19,[{host},0,"b"{rest}],["h",3,"c"]]]"#
        )
    };
    for (host, rest) in [
        (r#""""#, ""),
        (r#""""#, ",[]"),
        (r#""n.example""#, r#",["ip",""]"#),
        (r#""?""#, r#",{"ip":""}"#),
        ("null", r#",["ip",""]"#),
    ] {
        for options in [NO_OPTIONS, fallback("f")] {
            let topology = topology::slots::parse(&value(&lost(host, rest)), &options).unwrap();
            assert_eq!(endpoints(&topology), [Some("h:1")], "{host}{rest}");
            assert_eq!(ranges(&topology), [[(0, 9)]], "{host}{rest}");
            assert!(topology.primaries()[0].replicas.is_empty());
        }
    }
    for (host, rest) in [
        (r#""192.0.2.1""#, ",[]"),
        (r#""n.example""#, r#",["ip","192.0.2.1"]"#),
        (r#""n.example""#, ""),
    ] {
        let error = try_slots(&lost(host, rest)).unwrap_err();
        let reason = "replica 0: expected a port in 1..=65535, found 0";
        assert_eq!((error.entry, error.reason.as_str()), (Some(0), reason));
    }
}

#[test]
fn a_question_mark_as_the_fallback_is_no_host_either() {
    let reply = value(r#"[[0,16383,["",7000]]]"#);
    let topology = topology::slots::parse(&reply, &fallback("?")).unwrap();
    assert_eq!(endpoints(&topology), [None]);
    let saved = value(&serde_json::to_string(&topology).unwrap());
    assert_eq!(topology::plain::parse(&saved, &NO_OPTIONS), Ok(topology));
}
