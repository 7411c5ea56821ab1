//! CLUSTER NODES.

use super::build::Builder;
use super::error::quoted;
use super::lost::{without_lost, Lost};
use super::mention::{port, Mention};
use super::range::ordered;
use super::{ParseOptions, Topology, TopologyError, Value};
use crate::SLOT_COUNT;

/// Reads lines `id ip:port@cport[,hostname[,key=value]...] flags primary-id
/// ping pong epoch link-state slot...`, the `@cport` optional as in Redis 3.
///
/// The endpoint is the ip, split from the port at the last colon; the hostname
/// stands in only where the ip is empty. `[slot->-id]` and `[slot-<-id]` mark
/// slots on the move, which stay with their owner. A primary flagged `noaddr`
/// is lost. Primaries without slots, replicas flagged `fail` or
/// `noaddr`, replicas of a primary without slots, blank lines and the `vars`
/// line of a nodes.conf are left out. CLUSTER SLOTS leaves out replicas that
/// are still loading too; these lines do not tell.
/// The shape is that of <https://redis.io/docs/latest/commands/cluster-nodes/>.
///
/// # Errors
/// [`TopologyError`] with the number of the first line that is not of this
/// shape, or without one if no line has slots.
///
/// # Cost
/// Linear in the text.
pub fn parse(reply: &str, options: &ParseOptions) -> Result<Topology, TopologyError> {
    let mut lines = Vec::new();
    for (index, text) in reply.lines().enumerate() {
        if text.trim().is_empty() || text.starts_with("vars ") {
            continue;
        }
        let line = Line::read(text).map_err(|e| e.at_line(index + 1))?;
        lines.push((index + 1, line));
    }
    without_lost(&|lost| gather(&lines, options, lost))
}

/// Two passes, because a replica may come before its primary.
fn gather(
    lines: &[(usize, Line<'_>)],
    options: &ParseOptions,
    lost: Lost,
) -> Result<Topology, TopologyError> {
    let mut builder = Builder::new();
    let mut primaries = std::collections::HashMap::new();
    for (number, line) in lines.iter().filter(|(_, line)| !line.ranges.is_empty()) {
        if lost == Lost::LeftOut && line.has("noaddr") {
            continue;
        }
        let primary = line
            .mention(options)
            .and_then(|mention| builder.primary(mention))
            .map_err(|e| e.at_line(*number))?;
        for &range in &line.ranges {
            builder.range(primary, range);
        }
        primaries.insert(line.id, primary);
    }
    for (number, line) in lines.iter().filter(|(_, line)| line.is_live_replica()) {
        if let Some(&primary) = primaries.get(line.primary) {
            line.mention(options)
                .and_then(|mention| builder.replica(primary, mention))
                .map_err(|e| e.at_line(*number))?;
        }
    }
    builder.finish()
}

struct Line<'a> {
    id: &'a str,
    host: &'a str,
    port: &'a str,
    flags: &'a str,
    primary: &'a str,
    ranges: Vec<(u16, u16)>,
}

impl<'a> Line<'a> {
    fn read(text: &'a str) -> Result<Self, TopologyError> {
        let mut fields = text.split_whitespace();
        let mut field = |what: &str| {
            let shape =
                || TopologyError::new(format!("expected {what}, found the end of the line"));
            fields.next().ok_or_else(shape)
        };
        let id = field("a node id")?;
        let address = field("an address")?;
        let flags = field("flags")?;
        let primary = field("the id of a primary or -")?;
        for what in ["a ping time", "a pong time", "an epoch"] {
            let found = field(what)?;
            if found.parse::<u64>().is_err() {
                return Err(unexpected(what, found));
            }
        }
        link_state(field("a link state")?)?;
        let (host, port) = split_address(address)?;
        let line = Self {
            id,
            host,
            port,
            flags,
            primary,
            ranges: fields.filter_map(owned_slots).collect::<Result<_, _>>()?,
        };
        line.check_role()
    }

    fn check_role(self) -> Result<Self, TopologyError> {
        if self.ranges.is_empty() || self.has("master") || self.has("primary") {
            return Ok(self);
        }
        Err(unexpected("slots on a primary only", self.flags).within("flags"))
    }

    fn mention(&self, options: &'a ParseOptions) -> Result<Mention<'a>, TopologyError> {
        let port = port(&Value::Text(self.port.to_owned()))?;
        Mention::new(Some(self.id), Some(self.host), port, options)
    }

    fn is_live_replica(&self) -> bool {
        (self.has("slave") || self.has("replica")) && !self.has("fail") && !self.has("noaddr")
    }

    fn has(&self, flag: &str) -> bool {
        self.flags.split(',').any(|found| found == flag)
    }
}

fn link_state(found: &str) -> Result<(), TopologyError> {
    match found {
        "connected" | "disconnected" => Ok(()),
        _ => Err(unexpected("connected or disconnected", found)),
    }
}

/// Host and port of `ip:port@cport,hostname,key=value...`.
fn split_address(field: &str) -> Result<(&str, &str), TopologyError> {
    let mut parts = field.split(',');
    let address = parts.next().unwrap_or_default();
    let hostname = parts.next().filter(|part| !part.contains('='));
    let client = address.rsplit_once('@').map_or(address, |(left, _)| left);
    let Some((ip, port)) = client.rsplit_once(':') else {
        return Err(unexpected("ip:port", field));
    };
    let host = if ip.is_empty() {
        hostname.unwrap_or_default()
    } else {
        ip
    };
    Ok((host, port))
}

/// The range that one field gives to the node, `None` for a slot on the move.
fn owned_slots(field: &str) -> Option<Result<(u16, u16), TopologyError>> {
    let Some(inner) = field.strip_prefix('[') else {
        return Some(range(field));
    };
    let marker = inner
        .strip_suffix(']')
        .and_then(|inner| inner.split_once("->-").or_else(|| inner.split_once("-<-")));
    match marker {
        Some((number, _)) => slot(number, field).err().map(Err),
        None => Some(Err(unexpected("a slot on the move", field))),
    }
}

fn range(field: &str) -> Result<(u16, u16), TopologyError> {
    let (start, end) = field.split_once('-').unwrap_or((field, field));
    ordered(slot(start, field)?, slot(end, field)?)
}

fn slot(digits: &str, field: &str) -> Result<u16, TopologyError> {
    let number = digits.parse().ok();
    number
        .filter(|&slot: &u16| usize::from(slot) < SLOT_COUNT && !digits.starts_with('+'))
        .ok_or_else(|| unexpected("slots in 0..=16383", field))
}

fn unexpected(expected: &str, found: &str) -> TopologyError {
    TopologyError::new(format!("expected {expected}, found {}", quoted(found)))
}
