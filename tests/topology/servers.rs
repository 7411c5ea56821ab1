//! Replies of five servers in the situations of `tests/corpus/situations.mjs`,
//! as `tests/corpus/record-replies.mjs` recorded them. Ports, ranges and roles
//! are those that the situations lay out.

use super::situations::{forms, laid_out, likeness, views, Facts, NODES, SERVERS, SHARDS, SLOTS};
use super::NO_OPTIONS;
use redslot_wasm::slot_map::SlotMap;
use redslot_wasm::topology::{nodes, shards, slots, ParseOptions, Topology, TopologyError, Value};
use std::collections::BTreeMap;

/// Where CLUSTER NODES gives other hosts than the other forms.
const BY_NAME: [&str; 4] = [
    "hostnames",
    "hostname-missing",
    "unknown-endpoint",
    "replaced-hostname",
];

type Recording = BTreeMap<String, Value>;

fn path(server: &str) -> String {
    let root = env!("CARGO_MANIFEST_DIR");
    format!("{root}/tests/corpus/topologies/servers/{server}")
}

fn recording(server: &str, view: &str) -> Recording {
    let path = format!("{}/{view}.json", path(server));
    let text = std::fs::read_to_string(&path).expect(&path);
    serde_json::from_str(&text).expect(&path)
}

fn parse(
    recording: &Recording,
    form: &str,
    options: &ParseOptions,
) -> Result<Topology, TopologyError> {
    let reply = &recording[form];
    match form.split('.').next() {
        Some("slots") => slots::parse(reply, options),
        Some("shards") => shards::parse(reply, options),
        _ => nodes::parse(reply.as_str().expect(form), options),
    }
}

fn topology(recording: &Recording, form: &str) -> Topology {
    parse(recording, form, &NO_OPTIONS).unwrap_or_else(|e| panic!("{form}: {e}"))
}

fn facts(topology: &Topology) -> Facts {
    let primaries = topology.primaries().iter();
    primaries
        .map(|primary| {
            let mut replicas: Vec<_> = primary.replicas.iter().map(|r| r.port).collect();
            replicas.sort_unstable();
            (primary.port, primary.ranges.clone(), replicas)
        })
        .collect()
}

/// Runs a check on every recording in every form.
fn each(views: &[&str], forms: &[&str], check: impl Fn(&Recording, &str, &str)) {
    let mut checked = 0;
    for server in SERVERS {
        for view in self::views(server)
            .into_iter()
            .filter(|v| views.contains(v))
        {
            let recording = recording(server, view);
            for form in self::forms(server, view)
                .into_iter()
                .filter(|f| forms.contains(f))
            {
                check(&recording, form, &format!("{server}/{view}: {form}"));
                checked += 1;
            }
        }
    }
    assert!(checked > 3 * views.len(), "{checked} checks");
}

fn hosts(topology: &Topology) -> Vec<Option<&str>> {
    let primaries = topology.primaries().iter();
    primaries
        .flat_map(|primary| {
            let replicas = primary.replicas.iter().map(|r| r.host.as_deref());
            std::iter::once(primary.host.as_deref()).chain(replicas)
        })
        .collect()
}

/// With the replicas in the order of their ids: each form has its own.
fn ordered(topology: &Topology) -> serde_json::Value {
    let mut plain = serde_json::to_value(topology).unwrap();
    for primary in plain["primaries"].as_array_mut().unwrap() {
        let replicas = primary["replicas"].as_array_mut().unwrap();
        replicas.sort_by_key(|replica| replica["id"].to_string());
    }
    plain
}

#[test]
fn every_server_was_recorded_in_every_situation_it_can_be_in() {
    for server in SERVERS {
        let files = std::fs::read_dir(path(server)).unwrap();
        let mut found: Vec<_> = files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        let mut expected: Vec<_> = views(server)
            .iter()
            .map(|view| format!("{view}.json"))
            .collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{server}");
        for view in views(server) {
            let recording = recording(server, view);
            let mut forms = forms(server, view);
            forms.sort_unstable();
            assert_eq!(
                recording.keys().collect::<Vec<_>>(),
                forms,
                "{server}/{view}"
            );
        }
    }
}

#[test]
fn every_form_of_every_server_gives_the_layout() {
    for server in SERVERS {
        for view in views(server) {
            let recording = recording(server, view);
            for form in forms(server, view) {
                let told = laid_out(likeness(server, view, form).unwrap_or(view));
                let found = facts(&topology(&recording, form));
                assert_eq!(found, told, "{server}/{view}: {form}");
            }
        }
    }
}

#[test]
fn all_forms_of_one_moment_give_one_map() {
    for server in SERVERS {
        for view in views(server) {
            let recording = recording(server, view);
            let first = ordered(&topology(&recording, SLOTS[0]));
            for form in forms(server, view) {
                let by_ip = NODES.contains(&form) && BY_NAME.contains(&view);
                let other_facts = likeness(server, view, form).is_some();
                let found = ordered(&topology(&recording, form));
                let differs = by_ip || other_facts;
                assert_eq!(found != first, differs, "{server}/{view}: {form}");
            }
        }
    }
}

#[test]
fn preferred_hostnames_are_in_slots_and_shards_and_ips_in_nodes() {
    let names = |missing: &[usize]| -> Vec<_> {
        [0, 3, 1, 4, 2, 5]
            .map(|index| {
                let known = !missing.contains(&index);
                known.then(|| format!("node-{index}.cache.example"))
            })
            .to_vec()
    };
    for (view, missing) in [("hostnames", &[][..]), ("hostname-missing", &[1])] {
        let names = names(missing);
        let names: Vec<_> = names.iter().map(Option::as_deref).collect();
        each(
            &[view],
            &[SLOTS, SHARDS].concat(),
            |recording, form, what| {
                assert_eq!(hosts(&topology(recording, form)), names, "{what}");
            },
        );
        each(&[view], &NODES, |recording, form, what| {
            let ips = [Some("127.0.0.1"); 6];
            assert_eq!(hosts(&topology(recording, form)), ips, "{what}");
        });
    }
}

#[test]
fn hostnames_that_are_not_preferred_are_no_hosts() {
    each(
        &["hostnames-beside"],
        &[&SLOTS[..], &SHARDS, &NODES].concat(),
        |recording, form, what| {
            let ips = [Some("127.0.0.1"); 6];
            assert_eq!(hosts(&topology(recording, form)), ips, "{what}");
        },
    );
}

#[test]
fn unknown_endpoints_are_the_address_that_was_asked() {
    each(
        &["unknown-endpoint"],
        &[SLOTS, SHARDS].concat(),
        |recording, form, what| {
            assert_eq!(hosts(&topology(recording, form)), [None; 6], "{what}");
            let options = super::fallback("192.0.2.7");
            let topology = parse(recording, form, &options).unwrap();
            assert_eq!(hosts(&topology), [Some("192.0.2.7"); 6], "{what}");
        },
    );
    each(&["unknown-endpoint"], &NODES, |recording, form, what| {
        let ips = [Some("127.0.0.1"); 6];
        assert_eq!(hosts(&topology(recording, form)), ips, "{what}");
    });
}

#[test]
fn a_node_that_met_nobody_has_no_host_and_ipv6_has_no_brackets() {
    let all = [&SLOTS[..], &SHARDS, &NODES].concat();
    each(&["alone"], &all, |recording, form, what| {
        assert_eq!(hosts(&topology(recording, form)), [None], "{what}");
    });
    each(&["ipv6"], &all, |recording, form, what| {
        let topology = topology(recording, form);
        assert_eq!(hosts(&topology), [Some("::1"); 6], "{what}");
        let endpoint = topology.primaries()[2].endpoint.as_deref();
        assert_eq!(endpoint, Some("::1:27102"), "{what}");
    });
}

#[test]
fn the_slots_of_a_replaced_primary_are_a_gap_for_any_fallback() {
    let all = [&SLOTS[..], &SHARDS, &NODES].concat();
    each(
        &["replaced-primary", "replaced-hostname"],
        &all,
        |recording, form, what| {
            for options in [NO_OPTIONS, super::fallback("192.0.2.7")] {
                let map = SlotMap::new(parse(recording, form, &options).expect(what));
                assert_eq!(map.gaps(), [(10923, 16383)], "{what}");
            }
        },
    );
}

#[test]
fn the_recordings_hold_what_they_are_named_for() {
    for (view, text) in [
        ("failed-primary", "master,fail -"),
        ("failed-replica", "slave,fail "),
        ("failed-over", "master,fail -"),
        ("replaced-replica", ":0@0 slave,"),
        ("replaced-primary", ":0@0 master,"),
        ("handshake", "handshake - "),
        ("migrating", "[5460->-"),
        ("importing", "[5460-<-"),
        ("ipv6", " ::1:27100@37100 "),
        ("alone", " :27100@37100 myself,master"),
    ] {
        each(&[view], &NODES, |recording, form, what| {
            let lines = recording[form].as_str().unwrap();
            // Valkey and Redis 7 and later follow the address by a hostname, which may be empty.
            let lines = lines.replace(", ", " ");
            assert!(lines.contains(text), "{what}: {lines}");
        });
    }
}
