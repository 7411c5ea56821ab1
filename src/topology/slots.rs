//! CLUSTER SLOTS.

use super::build::Builder;
use super::fields::Fields;
use super::lost::{without_lost, Lost};
use super::mention::{optional_text, port, Mention};
use super::range::{ordered, range};
use super::{ParseOptions, Topology, TopologyError, Value, LAST_SLOT};

/// Reads a reply `[[start, end, primary, replica...]...]`, where a node is
/// `[host, port]`, `[host, port, id]` or `[host, port, id, metadata...]`.
///
/// Numbers may be numeric strings, hosts and ids may be bytes, a host may be
/// null. The first node of an entry is its primary and no other ever is;
/// of the metadata only the ip is looked at, and only where the port is 0: a
/// node without an ip is lost then. The shape is that of
/// <https://redis.io/docs/latest/commands/cluster-slots/>.
///
/// # Errors
/// [`TopologyError`] with the index of the first entry that is not of this
/// shape, or without an index if the reply is no list or has no entries.
///
/// # Cost
/// Linear in the reply.
pub fn parse(reply: &Value, options: &ParseOptions) -> Result<Topology, TopologyError> {
    without_lost(&|lost| {
        let mut builder = Builder::new();
        for (index, item) in reply.list("a list of entries")?.iter().enumerate() {
            entry(item, options, lost, &mut builder).map_err(|e| e.at_entry(index))?;
        }
        builder.finish()
    })
}

fn entry<'a>(
    item: &'a Value,
    options: &'a ParseOptions,
    lost: Lost,
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
    let left_out = |node| lost == Lost::LeftOut && is_lost(node);
    if left_out(first) {
        return Ok(());
    }
    let primary = node(first, options)
        .and_then(|mention| builder.primary(mention))
        .map_err(|e| e.within("primary"))?;
    builder.range(primary, range);
    for (index, item) in replicas.iter().enumerate() {
        if left_out(item) {
            continue;
        }
        node(item, options)
            .and_then(|mention| builder.replica(primary, mention))
            .map_err(|e| e.within(&format!("replica {index}")))?;
    }
    Ok(())
}

/// Whether a node is listed as one whose address the server no longer knows.
/// Where the host is not the ip, the metadata gives that too.
fn is_lost(node: &Value) -> bool {
    let Ok([host, port, rest @ ..]) = node.list("a node") else {
        return false;
    };
    if port.integer() != Some(0) {
        return false;
    }
    let metadata = rest.get(1).and_then(|it| Fields::of(it, "metadata").ok());
    let ip = metadata.and_then(|it| it.get("ip")).unwrap_or(host);
    ip.as_str() == Some("")
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

/// A reply of the common shape with each node once: every host and every id is
/// text, every number a whole one, every port above 0. Whether a node with port
/// 0 is lost, its metadata tells, which is not packed.
#[derive(Debug, Clone, Copy)]
pub struct Packed<'a> {
    /// Host and id of each node in UTF-8, each with a line feed after it.
    pub names: &'a [u8],
    /// The port of each node.
    pub ports: &'a [u32],
    /// Of each entry its start, its end, how many nodes it has, and which.
    pub entries: &'a [u32],
}

/// Reads the same reply as [`parse`], to the same topology.
///
/// # Errors
/// Whatever [`parse`] refuses, without a word on where and why, for which it
/// has to be asked; numbers or names that are not such a reply, a port of 0
/// among them.
///
/// # Cost
/// Linear in the reply, with one hash look-up per node instead of one per
/// mention.
pub fn unpack(packed: Packed<'_>, options: &ParseOptions) -> Result<Topology, TopologyError> {
    unpacked(packed, options).unwrap_or_else(|| Err(TopologyError::new("no packed reply")))
}

fn unpacked(packed: Packed<'_>, options: &ParseOptions) -> Option<Result<Topology, TopologyError>> {
    let nodes = mentions(packed, options)?;
    let mut primary_of = vec![None; nodes.len()];
    let mut replicated = vec![None; nodes.len()];
    // An entry takes four numbers, or more where it has replicas.
    let mut builder = Builder::with_room(nodes.len(), packed.entries.len() / 4);
    let mut rest = packed.entries;
    while let [start, end, count, after @ ..] = rest {
        let (members, after) = after.split_at_checked(usize::try_from(*count).ok()?)?;
        let [first, replicas @ ..] = members else {
            return None;
        };
        let first = usize::try_from(*first).ok()?;
        let mention = *nodes.get(first)?;
        let primary = match primary_of[first] {
            Some(primary) => primary,
            None => builder.primary(mention).ok()?,
        };
        // Without an identity each mention is a primary of its own.
        primary_of[first] = mention.identity().map(|_| primary);
        builder.range(primary, ordered(slot(*start)?, slot(*end)?).ok()?);
        for replica in replicas {
            let replica = usize::try_from(*replica).ok()?;
            let mention = *nodes.get(replica)?;
            if replicated[replica] != Some(primary) {
                builder.replica(primary, mention).ok()?;
                replicated[replica] = Some(primary);
            }
        }
        rest = after;
    }
    rest.is_empty().then(|| builder.finish())
}

fn mentions<'a>(packed: Packed<'a>, options: &'a ParseOptions) -> Option<Vec<Mention<'a>>> {
    let mut names = core::str::from_utf8(packed.names).ok()?.split('\n');
    let mut nodes = Vec::with_capacity(packed.ports.len());
    for port in packed.ports {
        let port = u16::try_from(*port).ok().filter(|port| *port > 0)?;
        let (host, id) = (names.next()?, names.next()?);
        nodes.push(Mention::new(Some(id), Some(host), port, options).ok()?);
    }
    (names.next() == Some("") && names.next().is_none()).then_some(nodes)
}

fn slot(number: u32) -> Option<u16> {
    u16::try_from(number).ok().filter(|slot| *slot <= LAST_SLOT)
}
