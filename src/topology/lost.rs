use super::{Topology, TopologyError};

/// What becomes of nodes whose address the server has lost.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lost {
    /// They are as if they were not listed.
    LeftOut,
    /// They are read, which fails for want of a port.
    Read,
}

/// Reads a reply without its lost nodes. Where that fails, the reply as it is
/// gives the error, since what is wrong may be that nobody else has slots.
///
/// `read` is `dyn` because each of its two calls would be inlined otherwise.
pub(super) fn without_lost(
    read: &dyn Fn(Lost) -> Result<Topology, TopologyError>,
) -> Result<Topology, TopologyError> {
    read(Lost::LeftOut).or_else(|_| read(Lost::Read))
}
