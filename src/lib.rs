//! Redis Cluster hash slots, topologies and key partitioning.
//!
//! The core of the npm package `redslot-wasm`: from keys to hash slots ([`key`], [`pattern`],
//! [`tag`]), from replies to topologies and slot maps ([`topology`], [`slot_map`]), and from both
//! to groups per node ([`partition`], [`route`]). It classifies and never sends. Every function is
//! total: no input makes one panic.
//!
//! ```
//! use redslot_wasm::{key::slot, slot_map::SlotMap, topology};
//!
//! let reply = "[[0, 5500, [\"10.0.0.1\", 6379]], [5501, 16383, [\"10.0.0.2\", 6379]]]";
//! let map = SlotMap::new(topology::text::parse(reply, &topology::ParseOptions::default())?);
//! assert_eq!(slot(b"foo"), 12182);
//! let owner = map.owner_of(12182).and_then(|primary| primary.endpoint.as_deref());
//! assert_eq!(owner, Some("10.0.0.2:6379"));
//! # Ok::<(), topology::TopologyError>(())
//! ```

pub mod crc16;
pub mod key;
pub mod partition;
pub mod pattern;
pub mod route;
pub mod slot_map;
pub mod tag;
pub mod topology;
#[cfg(target_arch = "wasm32")]
pub mod wasm;

// The twins see this crate by its name, as the fuzz targets do, which compile them too.
#[cfg(test)]
extern crate self as redslot_wasm;
#[cfg(test)]
#[path = "../tests/twins/mod.rs"]
mod twins;

/// Hash slots in a cluster; slots are numbered `0..SLOT_COUNT`.
pub const SLOT_COUNT: usize = 16384;
