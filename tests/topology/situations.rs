//! Who was recorded in which situation of `tests/corpus/situations.mjs`, in
//! which forms, and what the situations lay out.

/// Port, ranges, and the ports of the replicas in ascending order.
pub(super) type Facts = Vec<(u16, Vec<(u16, u16)>, Vec<u16>)>;

const OLDEST: &str = "redis-6.2.5";
const WITH_TLS: &str = "redis-7.0.15";
pub(super) const SERVERS: [&str; 5] = [
    OLDEST,
    WITH_TLS,
    "redis-8.2.3",
    "valkey-8.1.8",
    "valkey-9.1.2",
];

/// Since Redis 7.
const ENDPOINTS: [&str; 5] = [
    "hostnames",
    "hostname-missing",
    "hostnames-beside",
    "unknown-endpoint",
    "replaced-hostname",
];
const TLS: [&str; 3] = ["asked-in-plain", "asked-over-tls", "tls-only"];
const EVERYWHERE: [&str; 15] = [
    "replicated",
    "scattered",
    "unequal-replicas",
    "empty-primary",
    "alone",
    "ipv6",
    "failed-primary",
    "failed-over",
    "failed-replica",
    "replaced-replica",
    "replaced-primary",
    "handshake",
    "migrating",
    "importing",
    "moving-elsewhere",
];

/// The situation in which numbers were recorded as strings too.
const WITH_STRINGS: &str = "replicated";

pub(super) const SLOTS: [&str; 3] = ["slots", "slots.maps", "slots.strings"];
pub(super) const SHARDS: [&str; 3] = ["shards", "shards.maps", "shards.strings"];
pub(super) const NODES: [&str; 1] = ["nodes"];

/// The names of what was recorded of a server.
pub(super) fn views(server: &str) -> Vec<&'static str> {
    let mut views = EVERYWHERE.to_vec();
    if server != OLDEST {
        views.extend(ENDPOINTS);
    }
    if server == WITH_TLS {
        views.extend(TLS);
    }
    views
}

/// The forms and shapes of a recording.
pub(super) fn forms(server: &str, view: &str) -> Vec<&'static str> {
    let shards: &[&str] = if server == OLDEST { &[] } else { &SHARDS };
    let mut forms = [&SLOTS, shards, &NODES].concat();
    if view != WITH_STRINGS {
        forms.retain(|form| !form.ends_with(".strings"));
    }
    forms
}

/// The three primaries with even shares, and these replicas.
fn even(replicas: [&[u16]; 3]) -> Facts {
    let ranges = [(0, 5460), (5461, 10922), (10923, 16383)];
    let ports = 27100..;
    let each = ports.zip(ranges).zip(replicas);
    each.map(|((port, range), replicas)| (port, vec![range], replicas.to_vec()))
        .collect()
}

/// What `situations.mjs` lays out.
pub(super) fn laid_out(view: &str) -> Facts {
    let mut facts = even([&[27103], &[27104], &[27105]]);
    match view {
        "scattered" => vec![
            (27100, vec![(0, 100), (102, 102), (300, 5460)], vec![]),
            (
                27101,
                vec![(101, 101), (5461, 10922), (16383, 16383)],
                vec![],
            ),
            (27102, vec![(10923, 16000)], vec![]),
        ],
        "unequal-replicas" => even([&[27103, 27104], &[27105], &[]]),
        "alone" => vec![(27100, vec![(0, 100), (200, 16383)], vec![])],
        "empty-primary" | "failed-primary" | "handshake" => even([&[], &[], &[]]),
        "replaced-primary" | "replaced-hostname" => even([&[], &[], &[]])[..2].to_vec(),
        "failed-over" => {
            facts[1] = (27104, vec![(5461, 10922)], vec![]);
            facts
        }
        "failed-replica" | "replaced-replica" => even([&[27103], &[], &[27105]]),
        "asked-over-tls" => {
            for (port, _, replicas) in &mut facts {
                *port += 50;
                replicas[0] += 50;
            }
            facts
        }
        _ => facts,
    }
}

/// The view whose layout a form gives instead, where it cannot tell the one in
/// question: CLUSTER SHARDS gives both ports to whoever asks, and that of Redis
/// 8 takes the slots of a shard from its first node that has not failed
/// (`clusterGetMasterFromShard` of its `cluster_legacy.c`), so that a failed
/// primary without replicas seems to have none.
pub(super) fn likeness(server: &str, view: &str, form: &str) -> Option<&'static str> {
    match view {
        "asked-over-tls" if SHARDS.contains(&form) => Some("asked-in-plain"),
        "failed-primary" if SHARDS.contains(&form) && server == "redis-8.2.3" => {
            Some("replaced-primary")
        }
        _ => None,
    }
}
