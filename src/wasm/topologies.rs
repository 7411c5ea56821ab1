//! Topologies and slot maps: JSON in, plain JavaScript data out.
//!
//! JSON, because to read a JavaScript value takes a call into JavaScript for each question about
//! each part of it.

use crate::slot_map::{Conflict, Move, SlotMap};
use crate::topology::{
    nodes, plain as own, shards, slots, text, ParseOptions, Primary, Topology, TopologyError, Value,
};
use js_sys::{Reflect, Uint16Array};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::JsValue;

/// What a call gives: the result, or the fault as `{ error: { entry, line, reason } }`.
#[derive(Serialize)]
#[serde(untagged)]
enum Outcome<T> {
    Done(T),
    Failed { error: TopologyError },
}

#[derive(Serialize)]
struct Laid<'a> {
    primaries: &'a [Primary],
    gaps: &'a [(u16, u16)],
    conflicts: &'a [Conflict],
}

#[derive(Serialize)]
struct Moved {
    moves: Vec<Move>,
}

/// `value` as plain objects, arrays, strings, numbers and null.
pub(super) fn plain<T: Serialize>(value: &T) -> JsValue {
    value
        .serialize(&Serializer::json_compatible())
        .unwrap_or(JsValue::NULL)
}

/// A checked topology as `{ primaries, gaps, conflicts, owners }`, `owners` being the table of
/// [`SlotMap::owners`].
fn laid(topology: Result<Topology, TopologyError>) -> JsValue {
    let map = match topology {
        Ok(topology) => SlotMap::new(topology),
        Err(error) => return plain(&Outcome::<()>::Failed { error }),
    };
    let laid = plain(&Outcome::Done(Laid {
        primaries: map.primaries(),
        gaps: map.gaps(),
        conflicts: map.conflicts(),
    }));
    let owners = Uint16Array::from(map.owners());
    // Setting a field of an object made just now cannot fail.
    let _ = Reflect::set(&laid, &"owners".into(), &owners);
    laid
}

fn value(json: &str) -> Result<Value, TopologyError> {
    serde_json::from_str(json).map_err(|error| TopologyError::new(error.to_string()))
}

fn options(fallback_host: Option<String>) -> ParseOptions {
    ParseOptions { fallback_host }
}

/// A reply to CLUSTER SLOTS, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn from_slots(reply: &str, fallback_host: Option<String>) -> JsValue {
    laid(value(reply).and_then(|reply| slots::parse(&reply, &options(fallback_host))))
}

/// A reply to CLUSTER SHARDS, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn from_shards(reply: &str, fallback_host: Option<String>) -> JsValue {
    laid(value(reply).and_then(|reply| shards::parse(&reply, &options(fallback_host))))
}

/// A reply to CLUSTER NODES.
#[wasm_bindgen]
#[must_use]
pub fn from_nodes(reply: &str, fallback_host: Option<String>) -> JsValue {
    laid(nodes::parse(reply, &options(fallback_host)))
}

/// Text as people paste it.
#[wasm_bindgen]
#[must_use]
pub fn from_text(pasted: &str, fallback_host: Option<String>) -> JsValue {
    laid(text::parse(pasted, &options(fallback_host)))
}

/// The form in which a slot map is saved, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn from_plain(saved: &str) -> JsValue {
    laid(value(saved).and_then(|saved| own::parse(&saved, &options(None))))
}

/// `{ moves: [{ start, end, from, to }] }` from one saved map to another, both as JSON, with `from`
/// and `to` as indices into their primaries or null.
#[wasm_bindgen]
#[must_use]
pub fn diff(older: &str, newer: &str) -> JsValue {
    let map = |saved| {
        let saved = value(saved)?;
        own::parse(&saved, &options(None)).map(SlotMap::new)
    };
    match map(older).and_then(|older| Ok((older, map(newer)?))) {
        Ok((older, newer)) => plain(&Outcome::Done(Moved {
            moves: older.diff(&newer),
        })),
        Err(error) => plain(&Outcome::<Moved>::Failed { error }),
    }
}
