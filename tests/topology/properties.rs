//! Nothing makes a parser panic, and every fast path equals its naive twin.

use proptest::prelude::*;

use super::naive;
use super::recorded::recorded;
use super::{fallback, NO_OPTIONS};
use redslot_wasm::slot_map::{SlotMap, UNOWNED};
use redslot_wasm::topology::{
    nodes, plain, shards, slots, text, ParseOptions, Topology, TopologyError, Value,
};

fn any_value() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "",
        "?",
        "0",
        "-1",
        "16383",
        "16384",
        "7000",
        "h",
        "::1",
        "slots",
        "nodes",
        "primaries",
        "ranges",
        "id",
        "port",
        "role",
        "master",
        "replica",
        "host",
        "endpoint",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        (-2..20_000i64).prop_map(Value::Int),
        any::<f64>().prop_map(Value::Float),
        word.prop_map(|word| Value::Text(word.to_owned())),
        any::<String>().prop_map(Value::Text),
        any::<Vec<u8>>().prop_map(Value::Bytes),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::List),
            prop::collection::vec((inner.clone(), inner), 0..6).prop_map(Value::Map),
        ]
    })
}

/// A reply to CLUSTER SLOTS with a dozen primaries, some of them nameless.
fn any_slots() -> impl Strategy<Value = Value> {
    slots_of(0..3000)
}

/// A reply in which ranges rarely overlap.
fn sparse_slots() -> impl Strategy<Value = Value> {
    slots_of(0..100)
}

fn slots_of(lengths: std::ops::Range<i64>) -> impl Strategy<Value = Value> {
    let entry = (
        0..16384i64,
        lengths,
        prop::collection::vec(any_node(), 1..4),
    );
    let entry = entry.prop_map(|(start, len, nodes)| {
        let end = Value::Int((start + len).min(16383));
        let bounds = [Value::Int(start), end];
        Value::List(bounds.into_iter().chain(nodes).collect())
    });
    prop::collection::vec(entry, 1..24).prop_map(Value::List)
}

fn any_node() -> impl Strategy<Value = Value> {
    (0..12i64).prop_map(|n| {
        let host = if n == 0 {
            Value::Null
        } else {
            Value::Text(format!("h{}", n % 4))
        };
        let id = if n % 3 == 0 {
            Value::Null
        } else {
            Value::Text(format!("id{n}"))
        };
        Value::List(vec![host, Value::Int(7000 + n), id])
    })
}

/// Each node once, as JavaScript packs a reply. Empty text and null are the same to both readers.
fn unpacked(reply: &Value, options: &ParseOptions) -> Result<Topology, TopologyError> {
    let (mut names, mut ports, mut entries) = (String::new(), Vec::new(), Vec::new());
    let mut seen: Vec<&Value> = Vec::new();
    for entry in list(reply) {
        let [start, end, nodes @ ..] = list(entry) else {
            panic!("{entry}");
        };
        entries.extend([
            number(start),
            number(end),
            u32::try_from(nodes.len()).unwrap(),
        ]);
        for node in nodes {
            let place = seen.iter().position(|known| *known == node);
            entries.push(u32::try_from(place.unwrap_or(seen.len())).unwrap());
            if place.is_none() {
                seen.push(node);
                let [host, port, id] = list(node) else {
                    panic!("{node}");
                };
                let text = |value| Value::as_str(value).unwrap_or_default();
                names.extend([text(host), "\n", text(id), "\n"]);
                ports.push(number(port));
            }
        }
    }
    let packed = slots::Packed {
        names: names.as_bytes(),
        ports: &ports,
        entries: &entries,
    };
    slots::unpack(packed, options)
}

fn list(value: &Value) -> &[Value] {
    match value {
        Value::List(items) => items,
        other => panic!("{other}"),
    }
}

fn number(value: &Value) -> u32 {
    match value {
        Value::Int(number) => u32::try_from(*number).unwrap(),
        other => panic!("{other}"),
    }
}

fn map_of(reply: &Value) -> SlotMap {
    SlotMap::new(slots::parse(reply, &NO_OPTIONS).unwrap())
}

proptest! {
    #[test]
    fn no_value_makes_a_parser_panic(value in any_value()) {
        for options in [NO_OPTIONS, fallback("f")] {
            let topologies = [
                slots::parse(&value, &options),
                shards::parse(&value, &options),
                plain::parse(&value, &options),
            ];
            for topology in topologies.into_iter().flatten() {
                let _ = SlotMap::new(topology);
            }
        }
    }

    #[test]
    fn no_text_makes_a_parser_panic(input in any::<String>()) {
        let _ = text::parse(&input, &NO_OPTIONS);
        let _ = nodes::parse(&input, &NO_OPTIONS);
    }

    #[test]
    fn no_damage_to_a_recorded_text_makes_a_parser_panic(
        form in prop::sample::select(vec![
            "slots.json", "slots.numbered.txt", "slots.raw.txt", "slots.resp3.numbered.txt",
            "shards.json", "shards.numbered.txt", "shards.raw.txt", "shards.resp3.numbered.txt",
            "shards.resp3.raw.txt", "nodes.txt",
        ]),
        at in any::<prop::sample::Index>(),
        cut in 0..40usize,
        put in "[\\PC\n]{0,6}|[0-9) #\"\n]{0,8}",
    ) {
        let mut bytes = recorded("resharded", form).into_bytes();
        let start = at.index(bytes.len());
        let end = (start + cut).min(bytes.len());
        bytes.splice(start..end, put.into_bytes());
        let _ = text::parse(&String::from_utf8_lossy(&bytes), &NO_OPTIONS);
    }

    #[test]
    fn no_damage_to_what_node_printed_makes_a_parser_panic(
        form in prop::sample::select(vec![
            "debug.ioredis-5.txt", "debug.named.txt", "debug.terminal.txt", "slots.buffers.txt",
            "slots.ioredis-6.txt", "slots.terminal.txt", "shards.whole.txt", "shards.resp3.whole.txt",
            "shards.hidden.txt",
        ]),
        at in any::<prop::sample::Index>(),
        cut in 0..40usize,
        put in "[\\PC\n]{0,6}|[0-9\\[\\]{}'\"`\\\\,:.<>~ux\u{1b}\n]{0,8}",
    ) {
        let mut bytes = recorded("printed", form).into_bytes();
        let start = at.index(bytes.len());
        let end = (start + cut).min(bytes.len());
        bytes.splice(start..end, put.into_bytes());
        let _ = text::parse(&String::from_utf8_lossy(&bytes), &NO_OPTIONS);
    }

    #[test]
    fn single_quotes_and_line_ends_do_not_change_a_topology(reply in any_slots()) {
        let json = serde_json::to_string(&slots::parse(&reply, &NO_OPTIONS).unwrap()).unwrap();
        let printed = json.replace('"', "'").replace(',', ",\n  ");
        prop_assert_eq!(text::parse(&printed, &NO_OPTIONS), text::parse(&json, &NO_OPTIONS));
    }

    #[test]
    fn a_packed_reply_equals_the_reply(
        reply in prop_oneof![any_slots(), sparse_slots()],
        host in prop::option::of(Just("h1".to_owned())),
    ) {
        let options = ParseOptions { fallback_host: host };
        prop_assert_eq!(unpacked(&reply, &options), slots::parse(&reply, &options));
    }

    #[test]
    fn no_numbers_and_names_make_unpacking_panic(
        names in "[h\n]{0,12}",
        ports in prop::collection::vec(prop_oneof![0..3u32, any::<u32>()], 0..4),
        entries in prop::collection::vec(prop_oneof![0..4u32, any::<u32>()], 0..16),
    ) {
        let names = names.as_bytes();
        let _ = slots::unpack(slots::Packed { names, ports: &ports, entries: &entries }, &NO_OPTIONS);
    }

    #[test]
    fn a_serialized_topology_is_read_back(reply in any_slots()) {
        let topology = slots::parse(&reply, &NO_OPTIONS).unwrap();
        let saved = serde_json::to_string(&topology).unwrap();
        let saved: Value = serde_json::from_str(&saved).unwrap();
        prop_assert_eq!(plain::parse(&saved, &NO_OPTIONS), Ok(topology));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_table_equals_a_scan_of_every_range_for_every_slot(
        reply in prop_oneof![any_slots(), sparse_slots()],
    ) {
        let map = map_of(&reply);
        for slot in 0..16384 {
            let index = naive::owner(&map, slot);
            prop_assert_eq!(map.owner_of(slot), index.map(|i| &map.primaries()[i]));
            let owner = index.map_or(UNOWNED, |i| u16::try_from(i).unwrap());
            prop_assert_eq!(map.owners()[usize::from(slot)], owner);
        }
        let (gaps, conflicts) = naive::faults(&map);
        prop_assert_eq!(map.gaps(), gaps);
        prop_assert_eq!(map.conflicts(), conflicts);
    }

    #[test]
    fn a_diff_equals_a_comparison_of_every_slot(older in any_slots(), newer in any_slots()) {
        let (older, newer) = (map_of(&older), map_of(&newer));
        prop_assert_eq!(older.diff(&newer), naive::diff(&older, &newer));
        prop_assert_eq!(older.diff(&older), []);
    }
}
