//! CLUSTER SHARDS.

use super::build::Builder;
use super::fields::Fields;
use super::lost::{without_lost, Lost};
use super::mention::{optional_text, port, Mention};
use super::range::range;
use super::{ParseOptions, Topology, TopologyError, Value};

/// Reads a reply `[{ slots: [start, end...], nodes: [{ id, port, tls-port, ip,
/// endpoint, hostname, role, health...}...] }...]`, each object a map or a flat
/// list of keys and values.
///
/// `endpoint` decides the host (`ip` where there is no such field), `port` the
/// port (`tls-port` where it is missing or 0). A node with role `master` or
/// `primary` serves the slots. Where a shard has several, those that have
/// failed give way to those that have not; if several are left, the first two
/// claim the slots, and the slot map reports the conflict. The slots of a shard
/// without a primary are a gap. A node with an empty `ip` and no port is lost.
/// Replicas count while their health is `online`, which is when CLUSTER SLOTS
/// lists them. Redis 8 gives a shard of which every node has failed no slots,
/// where the other forms keep them. The shape is that of
/// <https://redis.io/docs/latest/commands/cluster-shards/>.
///
/// # Errors
/// [`TopologyError`] with the index of the first shard that is not of this
/// shape, or without an index if the reply is no list or gives no slots to
/// anybody.
///
/// # Cost
/// Linear in the reply.
pub fn parse(reply: &Value, options: &ParseOptions) -> Result<Topology, TopologyError> {
    without_lost(&|lost| {
        let mut builder = Builder::new();
        for (index, item) in reply.list("a list of shards")?.iter().enumerate() {
            shard(item, options, lost, &mut builder).map_err(|e| e.at_entry(index))?;
        }
        builder.finish()
    })
}

fn shard<'a>(
    item: &'a Value,
    options: &'a ParseOptions,
    lost: Lost,
    builder: &mut Builder<'a>,
) -> Result<(), TopologyError> {
    let shard = Fields::of(item, "a shard")?;
    let ranges = ranges(shard.require("slots")?).map_err(|e| e.within("slots"))?;
    let nodes = members(shard.require("nodes")?)?;
    if ranges.is_empty() {
        return Ok(());
    }
    for claimant in claimants(&nodes) {
        if claimant.lost && lost == Lost::LeftOut {
            continue;
        }
        let primary = claimant
            .mention(options)
            .and_then(|mention| builder.primary(mention))
            .map_err(|e| claimant.place(e))?;
        for &range in &ranges {
            builder.range(primary, range);
        }
        for replica in nodes.iter().filter(|node| node.is_live_replica()) {
            replica
                .mention(options)
                .and_then(|mention| builder.replica(primary, mention))
                .map_err(|e| replica.place(e))?;
        }
    }
    Ok(())
}

fn ranges(slots: &Value) -> Result<Vec<(u16, u16)>, TopologyError> {
    let bounds = slots.list("a list of starts and ends")?;
    let pairs = bounds.chunks_exact(2);
    if let [odd] = pairs.remainder() {
        return Err(TopologyError::new(format!(
            "expected an end for every start, found none after {odd}"
        )));
    }
    pairs.map(|pair| range(&pair[0], &pair[1])).collect()
}

/// The primaries that claim a shard's slots. Two are enough to contest them,
/// and more would let a reply of n nodes and n ranges cost n times n.
fn claimants<'m, 'a>(nodes: &'m [Member<'a>]) -> impl Iterator<Item = &'m Member<'a>> {
    let some_live = nodes.iter().any(|node| node.primary && node.live);
    nodes
        .iter()
        .filter(move |node| node.primary && (node.live || !some_live))
        .take(2)
}

/// Whether a node is listed without an address.
fn is_lost(fields: Fields<'_>) -> bool {
    let ported = |name| fields.get(name).is_some_and(|it| it.integer() != Some(0));
    fields.get("ip").and_then(Value::as_str) == Some("") && !ported("port") && !ported("tls-port")
}

struct Member<'a> {
    index: usize,
    fields: Fields<'a>,
    primary: bool,
    live: bool,
    lost: bool,
}

fn members(nodes: &Value) -> Result<Vec<Member<'_>>, TopologyError> {
    let nodes = nodes
        .list("a list of nodes")
        .map_err(|e| e.within("nodes"))?;
    let member = |(index, item)| Member::read(index, item).map_err(|e| at_node(index, e));
    nodes.iter().enumerate().map(member).collect()
}

fn at_node(index: usize, error: TopologyError) -> TopologyError {
    error.within(&format!("node {index}"))
}

impl<'a> Member<'a> {
    fn read(index: usize, item: &'a Value) -> Result<Self, TopologyError> {
        let fields = Fields::of(item, "a node")?;
        let role = fields.require("role")?;
        let primary = match role.as_str() {
            Some("master" | "primary") => true,
            Some("replica" | "slave") => false,
            _ => return Err(role.unexpected("master or replica").within("role")),
        };
        let lost = is_lost(fields);
        let live = match optional_text(fields.get("health"), "a state of health")? {
            // A primary that is loading still owns its slots.
            Some(health) => health == "online" || (primary && health != "fail"),
            None => true,
        };
        let live = live && !lost;
        Ok(Self {
            index,
            fields,
            primary,
            live,
            lost,
        })
    }

    fn is_live_replica(&self) -> bool {
        !self.primary && self.live
    }

    fn place(&self, error: TopologyError) -> TopologyError {
        at_node(self.index, error)
    }

    fn mention(&self, options: &'a ParseOptions) -> Result<Mention<'a>, TopologyError> {
        let id = optional_text(self.fields.get("id"), "a node id")?;
        let host = self.fields.get("endpoint").or(self.fields.get("ip"));
        let host = optional_text(host, "a host")?;
        Mention::new(id, host, self.port()?, options)
    }

    fn port(&self) -> Result<u16, TopologyError> {
        let plain = self.fields.get("port");
        let used = plain.filter(|value| value.integer() != Some(0));
        match used.or(self.fields.get("tls-port")).or(plain) {
            Some(value) => port(value),
            None => Err(TopologyError::new("expected a port, found none")),
        }
    }
}
