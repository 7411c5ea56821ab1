//! CLUSTER SLOTS.

use super::build::Builder;
use super::mention::{optional_text, port, Mention};
use super::range::range;
use super::{ParseOptions, Topology, TopologyError, Value};

/// Reads a reply `[[start, end, primary, replica...]...]`, where a node is
/// `[host, port]`, `[host, port, id]` or `[host, port, id, metadata...]`.
///
/// Numbers may be numeric strings, hosts and ids may be bytes, a host may be
/// null. The first node of an entry is its primary and no other ever is;
/// metadata is not looked at. The shape is that of
/// <https://redis.io/docs/latest/commands/cluster-slots/>.
///
/// # Errors
/// [`TopologyError`] with the index of the first entry that is not of this
/// shape, or without an index if the reply is no list or has no entries.
///
/// # Cost
/// Linear in the reply.
pub fn parse(reply: &Value, options: &ParseOptions) -> Result<Topology, TopologyError> {
    let mut builder = Builder::new();
    for (index, item) in reply.list("a list of entries")?.iter().enumerate() {
        entry(item, options, &mut builder).map_err(|e| e.at_entry(index))?;
    }
    builder.finish()
}

fn entry<'a>(
    item: &'a Value,
    options: &'a ParseOptions,
    builder: &mut Builder<'a>,
) -> Result<(), TopologyError> {
    const SHAPE: &str = "a list of start, end and nodes";
    let [start, end, nodes @ ..] = item.list(SHAPE)? else {
        return Err(item.unexpected(SHAPE));
    };
    let range = range(start, end)?;
    let [first, replicas @ ..] = nodes else {
        return Err(TopologyError::new(
            "expected a primary after start and end, found no node",
        ));
    };
    let primary = node(first, options)
        .and_then(|mention| builder.primary(mention))
        .map_err(|e| e.within("primary"))?;
    builder.range(primary, range);
    for (index, item) in replicas.iter().enumerate() {
        node(item, options)
            .and_then(|mention| builder.replica(primary, mention))
            .map_err(|e| e.within(&format!("replica {index}")))?;
    }
    Ok(())
}

fn node<'a>(item: &'a Value, options: &'a ParseOptions) -> Result<Mention<'a>, TopologyError> {
    const SHAPE: &str = "a list of host, port and more";
    let [host, number, rest @ ..] = item.list(SHAPE)? else {
        return Err(item.unexpected(SHAPE));
    };
    let host = optional_text(Some(host), "a host")?;
    let id = optional_text(rest.first(), "a node id")?;
    Mention::new(id, host, port(number)?, options)
}
