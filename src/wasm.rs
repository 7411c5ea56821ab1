//! The boundary to JavaScript, and the only module that knows it.
//!
//! Keys do not cross as JavaScript values. JavaScript writes their bytes and lengths into a scratch
//! area of fixed size in linear memory, calls one function for the whole chunk, and reads numbers
//! back from the same area. [`layout`] says where. Topologies come as JSON and go as plain data, and
//! faults in them as data too, because an exception would unwind past Rust frames without running
//! them.

pub mod topologies;

use crate::partition::{group, owner};
use crate::route::{route, EXTRA_GROUPS};
use crate::slot_map::UNOWNED;
use crate::{key, pattern, tag, SLOT_COUNT};
use serde::Serialize;
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::JsValue;

/// Bytes of keys in one chunk. A third of it in UTF-16 units always fits as UTF-8.
const CHUNK_BYTES: usize = 96 * 1024;

/// Keys, or commands, in one chunk.
const CHUNK_KEYS: usize = 8 * 1024;

struct Scratch {
    bytes: Vec<u8>,
    counts: Vec<u32>,
    slots: Vec<u16>,
    owners: Vec<u16>,
    firsts: Vec<i32>,
    buckets: Vec<u16>,
    order: Vec<u32>,
    ends: Vec<u32>,
}

impl Scratch {
    const EMPTY: Self = Self {
        bytes: Vec::new(),
        counts: Vec::new(),
        slots: Vec::new(),
        owners: Vec::new(),
        firsts: Vec::new(),
        buckets: Vec::new(),
        order: Vec::new(),
        ends: Vec::new(),
    };

    fn reserve(&mut self) {
        self.bytes.resize(CHUNK_BYTES, 0);
        self.counts.resize(CHUNK_KEYS, 0);
        self.slots.resize(CHUNK_KEYS, 0);
        self.owners.resize(SLOT_COUNT, UNOWNED);
        self.firsts.resize(CHUNK_KEYS, 0);
        self.buckets.resize(CHUNK_KEYS, 0);
        self.order.resize(CHUNK_KEYS, 0);
        self.ends.resize(SLOT_COUNT + EXTRA_GROUPS, 0);
    }
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = const { RefCell::new(Scratch::EMPTY) };
}

/// Runs `work` on the scratch area; `None` if a call before this one was torn away in the middle,
/// after which JavaScript throws the instance away.
fn scratch<T>(work: impl FnOnce(&mut Scratch) -> Option<T>) -> Option<T> {
    SCRATCH.with(|cell| work(&mut *cell.try_borrow_mut().ok()?))
}

/// Lays out the scratch area and tells its addresses and sizes: `[bytes, counts, slots, owners,
/// firsts, order, ends, CHUNK_BYTES, CHUNK_KEYS]`.
///
/// `counts`, `order` and `ends` hold 32-bit unsigned numbers, `firsts` 32-bit signed ones, `slots`
/// and `owners` 16-bit unsigned ones. The addresses hold for the life of the instance, and that of
/// `bytes` is one of a 32-bit number too, as is that of every block that is allocated here.
#[wasm_bindgen]
#[must_use]
pub fn layout() -> Vec<u32> {
    let table = scratch(|area| {
        area.reserve();
        let addresses = [
            area.bytes.as_mut_ptr() as usize,
            area.counts.as_mut_ptr() as usize,
            area.slots.as_mut_ptr() as usize,
            area.owners.as_mut_ptr() as usize,
            area.firsts.as_mut_ptr() as usize,
            area.order.as_mut_ptr() as usize,
            area.ends.as_mut_ptr() as usize,
            CHUNK_BYTES,
            CHUNK_KEYS,
        ];
        Some(
            addresses
                .iter()
                .filter_map(|value| u32::try_from(*value).ok())
                .collect(),
        )
    });
    table.unwrap_or_default()
}

/// The slot of the key in the first `length` bytes.
#[wasm_bindgen]
#[must_use]
pub fn hash_one(length: usize) -> i32 {
    let slot = scratch(|area| Some(key::slot(area.bytes.get(..length)?)));
    slot.map_or(-1, i32::from)
}

/// Writes to `slots` the slot of each of `keys` keys, which lie one after another in `bytes` with
/// their lengths in `counts`. Returns how many fitted.
#[wasm_bindgen]
#[must_use]
pub fn hash_many(keys: usize) -> usize {
    let hashed = scratch(|area| {
        let mut rest = area.bytes.as_slice();
        let mut hashed = 0;
        for (length, slot) in area.counts.get(..keys)?.iter().zip(&mut area.slots) {
            let (key, after) = rest.split_at_checked(*length as usize)?;
            *slot = key::slot(key);
            rest = after;
            hashed += 1;
        }
        Some(hashed)
    });
    hashed.unwrap_or(0)
}

/// Turns the lengths of `keys` keys in `counts` from UTF-16 units into bytes, by walking the UTF-8
/// in `bytes`.
///
/// Returns false when a character spans two keys: a key that ended in the first half of a surrogate
/// pair was encoded together with the next one, and both have to be encoded apart.
#[wasm_bindgen]
#[must_use]
pub fn units_to_bytes(keys: usize) -> bool {
    let apart = scratch(|area| {
        let mut bytes = area.bytes.iter();
        for count in area.counts.get_mut(..keys)? {
            let mut units = *count;
            *count = 0;
            while units > 0 {
                let (in_units, in_bytes) = extent(*bytes.next()?);
                units = units.checked_sub(in_units)?;
                *count += in_bytes;
                for _ in 1..in_bytes {
                    bytes.next()?;
                }
            }
        }
        Some(())
    });
    apart.is_some()
}

/// The length of the character that begins with `lead`, in UTF-16 units and in UTF-8 bytes.
fn extent(lead: u8) -> (u32, u32) {
    match lead {
        0x00..=0x7F => (1, 1),
        0x80..=0xDF => (1, 2),
        0xE0..=0xEF => (1, 3),
        0xF0..=0xFF => (2, 4),
    }
}

/// Groups the first `keys` of `slots` by `owners`: writes indices, each plus `base`, to `order` and
/// the end of each of `primaries + 1` groups to `ends`. Returns the number of groups.
#[wasm_bindgen]
#[must_use]
pub fn partition(keys: usize, base: u32, primaries: usize) -> usize {
    let groups = scratch(|area| {
        let slots = area.slots.get(..keys)?;
        for (bucket, slot) in area.buckets.iter_mut().zip(slots) {
            *bucket = owner(*slot, &area.owners);
        }
        let ends = area.ends.get_mut(..=primaries)?;
        group(area.buckets.get(..keys)?, base, ends, &mut area.order);
        Some(ends.len())
    });
    groups.unwrap_or(0)
}

/// Groups commands by `owners`, the keys of which are the first `keys` of `slots`, as many for each
/// command as `counts` says.
///
/// Writes the slot of each command's first key, or -1, to `firsts`, indices plus `base` to `order`,
/// and the end of each of `primaries + 3` groups to `ends`: one per primary, then keyless, unowned,
/// cross-slot. Returns the number of groups.
#[wasm_bindgen]
#[must_use]
pub fn route_many(keys: usize, commands: usize, base: u32, primaries: u16) -> usize {
    let groups = scratch(|area| {
        let (slots, counts) = (area.slots.get(..keys)?, area.counts.get(..commands)?);
        let places = area.firsts.iter_mut().zip(&mut area.buckets);
        for (routed, (first, bucket)) in route(slots, counts, &area.owners).zip(places) {
            *first = routed.slot.map_or(-1, i32::from);
            *bucket = routed.verdict.group(primaries);
        }
        let ends = area.ends.get_mut(..usize::from(primaries) + EXTRA_GROUPS)?;
        group(area.buckets.get(..commands)?, base, ends, &mut area.order);
        Some(ends.len())
    });
    groups.unwrap_or(0)
}

/// The slot of a key of any length.
#[wasm_bindgen]
#[must_use]
pub fn hash_long(key: &[u8]) -> u16 {
    key::slot(key)
}

#[derive(Serialize)]
struct Explained {
    slot: u16,
    tag: Option<Span>,
    braces: key::Braces,
    reason: String,
}

#[derive(Serialize)]
struct Span {
    start: usize,
    end: usize,
}

/// `{ slot, tag: { start, end } | null, braces: { open, close }, reason }` of a key, each brace a
/// number or null.
#[wasm_bindgen]
#[must_use]
pub fn explain(key: &[u8]) -> JsValue {
    let told = key::explain(key);
    topologies::plain(&Explained {
        slot: told.slot,
        reason: told.to_string(),
        braces: told.braces,
        tag: told.tag.map(|tag| Span {
            start: tag.start,
            end: tag.end,
        }),
    })
}

/// The one slot that a glob pattern can match, or -1.
#[wasm_bindgen]
#[must_use]
pub fn pattern_slot(pattern: &[u8]) -> i32 {
    pattern::pattern_slot(pattern).map_or(-1, i32::from)
}

/// A shortest hash tag on `slot`; empty when there is no such slot.
#[wasm_bindgen]
#[must_use]
pub fn slot_tag(slot: u16) -> String {
    tag::slot_tag(slot).unwrap_or_default()
}
