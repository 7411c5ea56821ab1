//! The serialized form of a topology.

use super::build::Builder;
use super::fields::Fields;
use super::mention::{optional_text, port, Mention};
use super::range::range;
use super::{ParseOptions, Topology, TopologyError, Value};

/// Reads `{ primaries: [{ id, host, port, endpoint, ranges: [[start, end]...],
/// replicas: [{ id, host, port, endpoint }...] }...] }`, as [`Topology`]
/// serializes.
///
/// `id` and `host` may be null or missing, `replicas` may be missing, fields of
/// other names are left alone. `endpoint` may be missing; where it is not null
/// it must be what host and port make it.
///
/// # Errors
/// [`TopologyError`] with the index of the first primary that is not of this
/// shape, or without an index if there is no list of primaries.
///
/// # Cost
/// Linear in the input.
pub fn parse(value: &Value, options: &ParseOptions) -> Result<Topology, TopologyError> {
    let primaries = Fields::of(value, "a topology")?.require("primaries")?;
    let mut builder = Builder::new();
    for (index, item) in primaries.list("a list of primaries")?.iter().enumerate() {
        primary(item, options, &mut builder).map_err(|e| e.at_entry(index))?;
    }
    builder.finish()
}

fn primary<'a>(
    item: &'a Value,
    options: &'a ParseOptions,
    builder: &mut Builder<'a>,
) -> Result<(), TopologyError> {
    let fields = Fields::of(item, "a primary")?;
    let primary = builder.primary(node(fields, options)?)?;
    let ranges = fields.require("ranges")?.list("a list of ranges")?;
    if ranges.is_empty() {
        return Err(TopologyError::new(
            "expected at least one range, found none",
        ));
    }
    for item in ranges {
        let Value::List(bounds) = item else {
            return Err(item.unexpected("a range as [start, end]"));
        };
        let [start, end] = bounds.as_slice() else {
            return Err(item.unexpected("a range as [start, end]"));
        };
        builder.range(primary, range(start, end)?);
    }
    let Some(replicas) = fields.get("replicas") else {
        return Ok(());
    };
    for (index, item) in replicas.list("a list of replicas")?.iter().enumerate() {
        Fields::of(item, "a node")
            .and_then(|fields| node(fields, options))
            .and_then(|mention| builder.replica(primary, mention))
            .map_err(|e| e.within(&format!("replica {index}")))?;
    }
    Ok(())
}

fn node<'a>(fields: Fields<'a>, options: &'a ParseOptions) -> Result<Mention<'a>, TopologyError> {
    let id = optional_text(fields.get("id"), "a node id")?;
    let host = optional_text(fields.get("host"), "a host")?;
    let mention = Mention::new(id, host, port(fields.require("port")?)?, options)?;
    let endpoint = fields.get("endpoint").unwrap_or(&Value::Null);
    if *endpoint == Value::Null || endpoint.as_str() == mention.endpoint().as_deref() {
        return Ok(mention);
    }
    let expected = mention.endpoint().unwrap_or_else(|| "null".to_owned());
    Err(endpoint.unexpected(&expected).within("endpoint"))
}
