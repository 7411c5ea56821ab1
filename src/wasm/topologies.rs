//! Topologies and slot maps: JSON in, plain JavaScript data out.
//!
//! JSON, because to read a JavaScript value takes a call into JavaScript for each question about
//! each part of it. To build one takes as many, so primaries go as one text and a list of numbers.

use crate::slot_map::{Conflict, Move, SlotMap};
use crate::topology::{
    nodes, plain as own, shards, slots, text, ParseOptions, Primary, Topology, TopologyError, Value,
};
use js_sys::{Reflect, Uint16Array, Uint32Array};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use std::hint::black_box;
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

/// A checked topology as `{ gaps, conflicts, owners, count, text, numbers }`: `owners` is the table
/// of [`SlotMap::owners`], `count` the number of primaries, and [`Told`] describes the rest.
fn laid(topology: Result<Topology, TopologyError>) -> JsValue {
    let map = match topology {
        Ok(topology) => SlotMap::new(topology),
        Err(error) => return plain(&Outcome::<()>::Failed { error }),
    };
    let laid = plain(&Outcome::Done(Laid {
        gaps: map.gaps(),
        conflicts: map.conflicts(),
    }));
    let mut told = Told::default();
    map.primaries().iter().for_each(|it| told.primary(it));
    // Setting a field of an object made just now cannot fail.
    let set = |name: &str, value: JsValue| Reflect::set(&laid, &name.into(), &value);
    let _ = set("owners", Uint16Array::from(map.owners()).into());
    let _ = set("count", map.primaries().len().into());
    let _ = set("text", told.text.into());
    let _ = set("numbers", Uint32Array::from(told.numbers.as_slice()).into());
    laid
}

/// Stands for the length of a text that is not there.
const NO_TEXT: u32 = u32::MAX;

/// Primaries as one text and numbers. A primary is a node, the number of its ranges, the first and
/// last slot of each, the number of its replicas, and a node for each. A node is its id, host and
/// endpoint, each told by its length in the text in UTF-16 units, and its port.
#[derive(Default)]
struct Told {
    text: String,
    numbers: Vec<u32>,
}

impl Told {
    fn primary(&mut self, primary: &Primary) {
        let (id, host, endpoint) = (&primary.id, &primary.host, &primary.endpoint);
        self.node([id, host, endpoint], primary.port);
        self.count(primary.ranges.len());
        for &(start, end) in &primary.ranges {
            self.numbers.extend([start, end].map(u32::from));
        }
        self.count(primary.replicas.len());
        for replica in &primary.replicas {
            let (id, host, endpoint) = (&replica.id, &replica.host, &replica.endpoint);
            self.node([id, host, endpoint], replica.port);
        }
    }

    fn node(&mut self, texts: [&Option<String>; 3], port: u16) {
        for text in texts {
            match text {
                Some(text) => {
                    self.text.push_str(text);
                    self.count(units(text));
                }
                None => self.numbers.push(NO_TEXT),
            }
        }
        self.numbers.push(u32::from(port));
    }

    fn count(&mut self, count: usize) {
        self.numbers.push(u32::try_from(count).unwrap_or(NO_TEXT));
    }
}

/// The length of a text in UTF-16 units, which takes no decoding where it is ASCII.
fn units(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.encode_utf16().count()
    }
}

/// Room that reading one byte of text may take: `[0],` becomes a list with room for four values.
const ROOM_PER_BYTE: usize = 40;

/// Room for the largest tree that is read, beyond which memory grows as it is used.
const MOST_ROOM: usize = 320 << 20;

/// Grows the memory at once by what a text of `length` bytes may take.
///
/// The allocator asks for 64 KiB at a time, and engines take each growth for as much new memory as
/// there is altogether: some hundred of them make V8 collect garbage dozens of times, over all that
/// the caller holds. Where it cannot grow, reading goes on with what there is.
#[inline(never)]
fn make_room(length: usize) {
    let mut room: Vec<u8> = Vec::new();
    let bytes = length.saturating_mul(ROOM_PER_BYTE).min(MOST_ROOM);
    if room.try_reserve_exact(bytes).is_ok() {
        // Or the compiler leaves out what nobody uses.
        black_box(&room);
    }
}

fn value(json: &str) -> Result<Value, TopologyError> {
    make_room(json.len());
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

/// A reply to CLUSTER SLOTS, packed as [`slots::Packed`] tells. What it gives as an error has no
/// words to it.
#[wasm_bindgen]
#[must_use]
pub fn from_packed(
    names: &[u8],
    ports: &[u32],
    entries: &[u32],
    fallback_host: Option<String>,
) -> JsValue {
    let packed = slots::Packed {
        names,
        ports,
        entries,
    };
    laid(slots::unpack(packed, &options(fallback_host)))
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
    make_room(reply.len());
    laid(nodes::parse(reply, &options(fallback_host)))
}

/// Text as people paste it.
#[wasm_bindgen]
#[must_use]
pub fn from_text(pasted: &str, fallback_host: Option<String>) -> JsValue {
    make_room(pasted.len());
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
