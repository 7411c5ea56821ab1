//! Slot maps: owners, gaps, conflicts, moves.

use super::{owner, slot_map};
use redslot_wasm::slot_map::{Conflict, Move, MAX_CONFLICT_OWNERS, UNOWNED};

const SPLIT: &str = r#"[[0,5500,["127.0.0.1",7000,"a"]],[5501,11000,["127.0.0.1",7001,"b"]],
                        [11001,16383,["127.0.0.1",7002,"c"]]]"#;

#[test]
fn the_split_of_the_specification_ends_at_5500_and_11000() {
    let map = slot_map(SPLIT);
    for (slot, port) in [
        (0, 7000),
        (5500, 7000),
        (5501, 7001),
        (11000, 7001),
        (11001, 7002),
        (16383, 7002),
    ] {
        assert_eq!(map.owner_of(slot).map(|p| p.port), Some(port), "{slot}");
    }
    assert_eq!(map.owners().len(), 16384);
    assert_eq!(
        (map.owners()[5500], map.owners()[5501], map.owners()[11001]),
        (0, 1, 2)
    );
}

#[test]
fn a_number_that_is_no_slot_has_no_owner() {
    assert_eq!(slot_map(SPLIT).owner_of(16384), None);
    assert_eq!(slot_map(SPLIT).owner_of(u16::MAX), None);
}

#[test]
fn primaries_come_in_the_order_of_their_lowest_slots() {
    let map = slot_map(r#"[[200,300,["b",1]],[100,150,["a",1]],[0,50,["b",1]]]"#);
    assert_eq!(
        (owner(&map, 0), owner(&map, 100)),
        (Some("b:1"), Some("a:1"))
    );
    assert_eq!(
        (map.owners()[0], map.owners()[100], map.owners()[250]),
        (0, 1, 0)
    );
}

#[test]
fn holes_are_gaps_case_32() {
    let map = slot_map(
        r#"[[0,5060,["h",1]],[5062,5460,["h",1]],[5461,10922,["h",2]],[10923,16000,["h",3]]]"#,
    );
    assert_eq!(map.gaps(), [(5061, 5061), (16001, 16383)]);
    assert_eq!((map.owner_of(5061), map.owners()[5061]), (None, UNOWNED));
    assert_eq!(owner(&map, 5060), Some("h:1"));
    assert_eq!(owner(&map, 5062), Some("h:1"));
}

#[test]
fn contested_slots_have_no_owner_case_35() {
    let map = slot_map(r#"[[0,100,["a",1,"A"]],[50,150,["b",1,"B"]],[90,95,["c",1,"C"]]]"#);
    let conflict = |start, end, owners: &[usize]| Conflict {
        start,
        end,
        owners: owners.to_vec(),
    };
    assert_eq!(
        map.conflicts(),
        [
            conflict(50, 89, &[0, 1]),
            conflict(90, 95, &[0, 1, 2]),
            conflict(96, 100, &[0, 1])
        ]
    );
    assert_eq!(map.gaps(), [(151, 16383)]);
    let owners = [49, 50, 100, 101].map(|slot| owner(&map, slot));
    assert_eq!(owners, [Some("a:1"), None, None, Some("b:1")]);
}

#[test]
fn a_primary_that_claims_a_slot_twice_is_no_conflict() {
    let map = slot_map(r#"[[0,100,["a",1]],[50,150,["a",1]],[0,16383,["a",1]]]"#);
    assert_eq!((map.gaps(), map.conflicts()), (&[][..], &[][..]));
}

#[test]
fn a_conflict_of_thousands_lists_the_first_64() {
    let entries: Vec<String> = (0..5000)
        .map(|i| format!(r#"[0,{i},["h{i}",1]]"#))
        .collect();
    let map = slot_map(&format!("[{}]", entries.join(",")));
    assert_eq!(map.conflicts().len(), 4999);
    assert_eq!(
        map.conflicts()[0].owners,
        (0..MAX_CONFLICT_OWNERS).collect::<Vec<_>>()
    );
    assert_eq!(map.conflicts()[4998].owners, [4998, 4999]);
    assert_eq!(owner(&map, 4999), Some("h4999:1"));
}

#[test]
fn every_slot_may_be_a_range_of_its_own() {
    let entries: Vec<String> = (0..16384)
        .map(|slot| format!(r#"[{slot},{slot},["h",{}]]"#, 1 + slot % 1000))
        .collect();
    let map = slot_map(&format!("[{}]", entries.join(",")));
    assert_eq!(map.primaries().len(), 1000);
    assert_eq!((map.gaps(), map.conflicts()), (&[][..], &[][..]));
    assert!((0..16384).all(|slot| map.owner_of(slot).map(|p| p.port) == Some(1 + slot % 1000)));
}

#[test]
fn a_map_does_not_differ_from_itself() {
    for reply in [
        SPLIT,
        r#"[[0,9,[null,1]],[10,19,[null,1]],[20,29,["?",1]]]"#,
    ] {
        assert_eq!(slot_map(reply).diff(&slot_map(reply)), []);
    }
}

#[test]
fn moves_are_runs_with_one_source_and_one_target() {
    let older = slot_map(SPLIT);
    let newer = slot_map(
        r#"[[0,99,["127.0.0.1",7003,"d"]],[100,5499,["127.0.0.1",7000,"a"]],
            [5501,5600,["127.0.0.1",7000,"a"]],[5601,11001,["127.0.0.1",7001,"b"]],
            [11002,16383,["127.0.0.1",7002,"c"]]]"#,
    );
    let run = |start, end, from, to| Move {
        start,
        end,
        from,
        to,
    };
    assert_eq!(
        older.diff(&newer),
        [
            run(0, 99, Some(0), Some(0)),
            run(5500, 5500, Some(0), None),
            run(5501, 5600, Some(1), Some(1)),
            run(11001, 11001, Some(2), Some(2)),
        ]
    );
    assert_eq!(newer.diff(&older)[1], run(5500, 5500, None, Some(0)));
}

#[test]
fn primaries_are_matched_by_id_and_else_by_host_and_port() {
    let diff = |older: &str, newer: &str| {
        let map = |node: &str| slot_map(&format!("[[0,16383,{node}]]"));
        map(older).diff(&map(newer)).len()
    };
    assert_eq!(diff(r#"["a",1,"x"]"#, r#"["b",2,"x"]"#), 0);
    assert_eq!(diff(r#"["a",1,"x"]"#, r#"["a",1,"y"]"#), 1);
    assert_eq!(diff(r#"["a",1,"x"]"#, r#"["a",1]"#), 0);
    assert_eq!(diff(r#"["a",1]"#, r#"["a",1]"#), 0);
    assert_eq!(diff(r#"["a",1]"#, r#"["a",2]"#), 1);
    assert_eq!(diff(r#"["a",1]"#, r#"["b",1]"#), 1);
    assert_eq!(diff("[null,1]", "[null,1]"), 0);
    assert_eq!(diff("[null,1]", r#"["a",1]"#), 1);
}
