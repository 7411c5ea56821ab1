//! Who serves which slots: the replies that describe a cluster, read strictly
//! into one shape.
//!
//! Four forms give the same [`Topology`] for the same cluster: [`slots`]
//! (CLUSTER SLOTS), [`shards`] (CLUSTER SHARDS), [`nodes`] (CLUSTER NODES) and
//! [`plain`] (our own serialized form). [`text`] reads any of them as people
//! paste it. No form guesses: what is not understood is a [`TopologyError`]
//! that names its place.
//!
//! What differs is what servers tell differently: the order of replicas; the
//! host, which CLUSTER NODES always gives as an ip, whatever endpoint is
//! preferred; and the port where there is one for TLS too, of which CLUSTER
//! SHARDS gives both and the others the one of the kind of connection that asks.
//!
//! The rules they share:
//!
//! - A primary is identified by its node id; without one by host and port
//!   together. Entries of one identity are one primary, their ranges and
//!   replicas united. A node with neither id nor host has no identity, so
//!   each mention of it as a primary stays a primary of its own.
//! - One id at two addresses is an error: a reply is one node's view at one
//!   moment, in which a node has one address.
//! - A host that is null or "" means "the address that answered you" and takes
//!   [`ParseOptions::fallback_host`]; "?" means that the server does not know,
//!   and takes nothing. Without a host, `host` and `endpoint` are `None`.
//! - A server that has lost the address of a node, because another has taken
//!   its place, still lists it, without an ip and with port 0. Such a replica
//!   is left out, and the slots of such a primary are a gap; where nobody else
//!   has slots it is an error.
//! - Primaries without slots are left out, as CLUSTER SLOTS leaves them out,
//!   and so are replicas that have failed.
//! - Primaries come in the order of their lowest slots, replicas in the order
//!   of the reply; ranges are sorted, and those that touch or overlap are
//!   merged.

mod build;
mod error;
mod fields;
mod lost;
mod mention;
pub mod nodes;
pub mod plain;
mod range;
pub mod shards;
pub mod slots;
pub mod text;
mod value;

use serde::Serialize;

pub use error::TopologyError;
pub(crate) use range::append;
pub use value::Value;

use crate::SLOT_COUNT;

/// The slot with the highest number.
pub(crate) const LAST_SLOT: u16 = 16383;

const _: () = assert!(LAST_SLOT as usize + 1 == SLOT_COUNT);

/// What the caller knows beyond the reply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParseOptions {
    /// The host that stands in where the reply gives null or "", usually the
    /// one that was asked. An empty string counts as `None`, and so does "?".
    pub fallback_host: Option<String>,
}

/// The primaries of a cluster, each with at least one slot.
///
/// Only the parsers of this module make one, so that its ranges are known to
/// be sorted, disjoint and within `0..16384`. It serializes as
/// `{ primaries: [{ id, host, port, endpoint, ranges: [[start, end]],
/// replicas: [{ id, host, port, endpoint }] }] }` with null for `None`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Topology {
    primaries: Vec<Primary>,
}

impl Topology {
    /// The primaries, in the order of their lowest slots; at least one and at
    /// most 16384.
    #[must_use]
    pub fn primaries(&self) -> &[Primary] {
        &self.primaries
    }
}

/// A node that serves slots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Primary {
    /// The node id, where the reply gives one.
    pub id: Option<String>,
    /// Name or address, an IPv6 address without brackets.
    pub host: Option<String>,
    /// Port for clients, never 0.
    pub port: u16,
    /// `host:port`, the key under which ioredis keeps the node.
    pub endpoint: Option<String>,
    /// Inclusive slot ranges, sorted, not empty, none touching another.
    pub ranges: Vec<(u16, u16)>,
    /// Its replicas that have not failed, each once.
    pub replicas: Vec<Node>,
}

/// A node that serves no slots of its own: a replica.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Node {
    /// The node id, where the reply gives one.
    pub id: Option<String>,
    /// Name or address, an IPv6 address without brackets.
    pub host: Option<String>,
    /// Port for clients, never 0.
    pub port: u16,
    /// `host:port`, the key under which ioredis keeps the node.
    pub endpoint: Option<String>,
}
