//! Replies as JSON and as JavaScript packs them.

use crate::map::{self, NO_OPTIONS};
use arbitrary::Arbitrary;
use redslot_wasm::topology::{
    plain, shards, slots, text, ParseOptions, Topology, TopologyError, Value,
};

type Parse = fn(&Value, &ParseOptions) -> Result<Topology, TopologyError>;

/// JSON as a reply to CLUSTER SLOTS.
pub fn check_slots(json: &str) {
    check(json, slots::parse, '[');
}

/// JSON as a reply to CLUSTER SHARDS.
pub fn check_shards(json: &str) {
    check(json, shards::parse, '[');
}

/// JSON as the serialized form.
pub fn check_plain(json: &str) {
    check(json, plain::parse, '{');
}

/// What a parser lets through is a topology, and the same one when it is pasted, where it begins as
/// that form does.
fn check(json: &str, parse: Parse, first: char) {
    let Ok(value) = serde_json::from_str::<Value>(json) else {
        return;
    };
    let read = parse(&value, &NO_OPTIONS);
    assert_eq!(parse(&value, &NO_OPTIONS), read);
    let Ok(topology) = read else {
        return;
    };
    map::check(&topology);
    // What looks like a prompt is not of the reply, even within a string.
    let may_have_prompt = json.contains(['>', '$', '#', '%']) || json.contains("-cli");
    if json.trim_start().starts_with(first) && !may_have_prompt {
        assert_eq!(text::parse(json, &NO_OPTIONS), Ok(topology));
    }
}

/// A reply to CLUSTER SLOTS in which nodes are known by their place.
#[derive(Arbitrary, Debug)]
pub struct Reply {
    fallback_host: Option<String>,
    nodes: Vec<Named>,
    entries: Vec<Entry>,
}

#[derive(Arbitrary, Debug)]
struct Named {
    host: String,
    id: String,
    port: u16,
}

#[derive(Arbitrary, Debug)]
struct Entry {
    start: u16,
    end: u16,
    nodes: Vec<u8>,
}

/// A packed reply is read as the reply itself is, or refused where that is.
pub fn check_packed(reply: &Reply) {
    if !reply.is_packable() {
        return;
    }
    let options = ParseOptions {
        fallback_host: reply.fallback_host.clone(),
    };
    let (names, ports, entries) = reply.packed();
    let packed = slots::Packed {
        names: names.as_bytes(),
        ports: &ports,
        entries: &entries,
    };
    let read = slots::unpack(packed, &options).ok();
    // Such a node may be lost, which the packed form cannot tell.
    if reply.nodes.iter().any(|node| node.port == 0) {
        assert_eq!(read, None);
        return;
    }
    let expected = reply
        .whole()
        .and_then(|whole| slots::parse(&whole, &options).ok());
    assert_eq!(read, expected);
    read.iter().for_each(map::check);
}

impl Reply {
    /// Names end at line feeds, and a node is packed because an entry mentions it.
    fn is_packable(&self) -> bool {
        let mentions = |place| {
            self.entries
                .iter()
                .any(|entry| self.places(entry).any(|at| at == place))
        };
        let apart = |node: &Named| !node.host.contains('\n') && !node.id.contains('\n');
        self.nodes.iter().all(apart) && (0..self.nodes.len()).all(mentions)
    }

    /// The places of an entry's nodes, of which some may be one beyond the last node.
    fn places<'a>(&'a self, entry: &'a Entry) -> impl Iterator<Item = usize> + 'a {
        entry
            .nodes
            .iter()
            .map(|node| usize::from(*node) % (self.nodes.len() + 1))
    }

    fn packed(&self) -> (String, Vec<u32>, Vec<u32>) {
        let names = self
            .nodes
            .iter()
            .flat_map(|node| [&node.host, "\n", &node.id, "\n"]);
        let ports = self.nodes.iter().map(|node| node.port.into());
        let mut entries: Vec<u32> = Vec::new();
        for entry in &self.entries {
            entries.extend([entry.start, entry.end].map(u32::from));
            entries.push(number(entry.nodes.len()));
            entries.extend(self.places(entry).map(number));
        }
        (names.collect(), ports.collect(), entries)
    }

    /// The reply with each node in full, or `None` if an entry has one that does not exist.
    fn whole(&self) -> Option<Value> {
        let entries = self.entries.iter().map(|entry| {
            let nodes = self
                .places(entry)
                .map(|place| self.nodes.get(place).map(Named::whole));
            let bounds = [entry.start, entry.end].map(|bound| Some(Value::Int(bound.into())));
            bounds
                .into_iter()
                .chain(nodes)
                .collect::<Option<_>>()
                .map(Value::List)
        });
        entries.collect::<Option<_>>().map(Value::List)
    }
}

impl Named {
    fn whole(&self) -> Value {
        let text = |text: &String| Value::Text(text.clone());
        Value::List(vec![
            text(&self.host),
            Value::Int(self.port.into()),
            text(&self.id),
        ])
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("no more than the bytes of an input")
}
