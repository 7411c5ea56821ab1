use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::error::quoted;
use super::mention::{Identity, Mention};
use super::range::append;
use super::{Node, Primary, Topology, TopologyError};
use crate::partition::in_slot_order;
use crate::SLOT_COUNT;

#[derive(Default)]
struct Draft {
    node: usize,
    ranges: Vec<(u16, u16)>,
    replicas: Vec<usize>,
}

/// Gathers mentions of primaries, ranges and replicas in any order into a
/// [`Topology`]. Cost: one hash look-up per mention, linear in the ranges.
pub(super) struct Builder<'a> {
    nodes: Vec<Mention<'a>>,
    by_identity: HashMap<Identity<'a>, usize>,
    drafts: Vec<Draft>,
    /// With the draft each belongs to.
    ranges: Vec<(usize, (u16, u16))>,
    /// Per node, its draft if it is a primary.
    draft_of: Vec<Option<usize>>,
    attached: HashSet<(usize, usize)>,
}

impl<'a> Builder<'a> {
    pub(super) fn new() -> Self {
        Self::with_room(0, 0)
    }

    /// With room for so many nodes and ranges before anything has to grow, which would hash every
    /// identity again.
    pub(super) fn with_room(nodes: usize, ranges: usize) -> Self {
        Self {
            nodes: Vec::with_capacity(nodes),
            by_identity: HashMap::with_capacity(nodes),
            drafts: Vec::new(),
            ranges: Vec::with_capacity(ranges),
            draft_of: Vec::with_capacity(nodes),
            attached: HashSet::new(),
        }
    }

    /// The handle of a primary, the same for every mention of one identity.
    ///
    /// # Errors
    /// An id known at another address; more than 16384 primaries, of which
    /// some would have no slot of their own.
    pub(super) fn primary(&mut self, mention: Mention<'a>) -> Result<usize, TopologyError> {
        let node = match mention.identity() {
            Some(identity) => self.intern(identity, mention)?,
            None => self.add(mention),
        };
        if let Some(draft) = self.draft_of[node] {
            return Ok(draft);
        }
        if self.drafts.len() == SLOT_COUNT {
            return Err(TopologyError::new(format!(
                "expected at most {SLOT_COUNT} primaries, found more"
            )));
        }
        let draft = self.drafts.len();
        self.draft_of[node] = Some(draft);
        self.drafts.push(Draft {
            node,
            ..Draft::default()
        });
        Ok(draft)
    }

    /// Gives a primary a range.
    pub(super) fn range(&mut self, primary: usize, range: (u16, u16)) {
        self.ranges.push((primary, range));
    }

    /// Attaches a replica to a primary, once however often it is mentioned.
    ///
    /// # Errors
    /// An id known at another address.
    pub(super) fn replica(
        &mut self,
        primary: usize,
        mention: Mention<'a>,
    ) -> Result<(), TopologyError> {
        let identity = mention.identity().unwrap_or(Identity::Port(mention.port));
        let node = self.intern(identity, mention)?;
        if self.attached.insert((primary, node)) {
            self.drafts[primary].replicas.push(node);
        }
        Ok(())
    }

    fn intern(
        &mut self,
        identity: Identity<'a>,
        mention: Mention<'a>,
    ) -> Result<usize, TopologyError> {
        let node = match self.by_identity.entry(identity) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let node = *entry.insert(self.nodes.len());
                self.add(mention);
                return Ok(node);
            }
        };
        let known = self.nodes[node];
        if known == mention {
            return Ok(node);
        }
        Err(TopologyError::new(format!(
            "expected one address per node id, found {} at {} and at {}",
            quoted(mention.id.unwrap_or_default()),
            quoted(&known.address()),
            quoted(&mention.address()),
        )))
    }

    fn add(&mut self, mention: Mention<'a>) -> usize {
        self.nodes.push(mention);
        self.draft_of.push(None);
        self.nodes.len() - 1
    }

    /// The topology gathered so far.
    ///
    /// # Errors
    /// No primary has a slot.
    pub(super) fn finish(self) -> Result<Topology, TopologyError> {
        let Self {
            nodes,
            mut drafts,
            ranges,
            ..
        } = self;
        // Counted first, because lists that grow take most of the time where there are many.
        let mut counts = vec![0; drafts.len()];
        for (draft, _) in &ranges {
            counts[*draft] += 1;
        }
        for (draft, count) in drafts.iter_mut().zip(counts) {
            draft.ranges.reserve_exact(count);
        }
        let mut by_lowest_slot = Vec::with_capacity(drafts.len());
        for (draft, range) in in_order(ranges) {
            if drafts[draft].ranges.is_empty() {
                by_lowest_slot.push(draft);
            }
            append(&mut drafts[draft].ranges, range);
        }
        if by_lowest_slot.is_empty() {
            return Err(TopologyError::new(
                "expected slots and who serves them, found none; \
                 the node that answered is not part of a formed cluster",
            ));
        }
        let primary = |draft| primary(&nodes, std::mem::take(&mut drafts[draft]));
        Ok(Topology {
            primaries: by_lowest_slot.into_iter().map(primary).collect(),
        })
    }
}

/// Ranges in the order of their starts, in which servers tend to list them.
fn in_order(ranges: Vec<(usize, (u16, u16))>) -> Vec<(usize, (u16, u16))> {
    let start = |range: &(usize, (u16, u16))| range.1 .0;
    if ranges.is_sorted_by_key(start) {
        return ranges;
    }
    let starts: Vec<u16> = ranges.iter().map(start).collect();
    let order = in_slot_order(&starts).into_iter();
    order.map(|index| ranges[index as usize]).collect()
}

fn primary(nodes: &[Mention<'_>], draft: Draft) -> Primary {
    let Node {
        id,
        host,
        port,
        endpoint,
    } = nodes[draft.node].to_node();
    Primary {
        id,
        host,
        port,
        endpoint,
        ranges: draft.ranges,
        replicas: draft.replicas.iter().map(|&i| nodes[i].to_node()).collect(),
    }
}
