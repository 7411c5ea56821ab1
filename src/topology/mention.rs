use super::error::quoted;
use super::range::bounded;
use super::{Node, ParseOptions, TopologyError, Value};

/// One node as a reply mentions it, its fallback host applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mention<'a> {
    pub(super) id: Option<&'a str>,
    pub(super) host: Option<&'a str>,
    pub(super) port: u16,
}

impl<'a> Mention<'a> {
    /// Applies the rules for hosts and ids; `port` was checked before.
    ///
    /// # Errors
    /// A host that holds blanks or control characters.
    pub(super) fn new(
        id: Option<&'a str>,
        host: Option<&'a str>,
        port: u16,
        options: &'a ParseOptions,
    ) -> Result<Self, TopologyError> {
        let host = match host {
            None | Some("") => options.fallback_host.as_deref(),
            named => named,
        };
        let host = host.filter(|host| !matches!(*host, "" | "?"));
        if let Some(host) = host.filter(|host| host.contains(is_blank_or_control)) {
            return Err(TopologyError::new(format!(
                "expected a host without blanks, found {}",
                quoted(host)
            )));
        }
        Ok(Self {
            id: id.filter(|id| !id.is_empty()),
            host,
            port,
        })
    }

    pub(super) fn identity(self) -> Option<Identity<'a>> {
        match (self.id, self.host) {
            (Some(id), _) => Some(Identity::Id(id)),
            (None, Some(host)) => Some(Identity::Address(host, self.port)),
            (None, None) => None,
        }
    }

    pub(super) fn endpoint(self) -> Option<String> {
        self.host
            .map(|host| [host, ":", &self.port.to_string()].concat())
    }

    pub(super) fn address(self) -> String {
        self.endpoint()
            .unwrap_or_else(|| format!("port {} without a host", self.port))
    }

    pub(super) fn to_node(self) -> Node {
        Node {
            id: self.id.map(str::to_owned),
            host: self.host.map(str::to_owned),
            port: self.port,
            endpoint: self.endpoint(),
        }
    }
}

fn is_blank_or_control(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// What makes two mentions the same node.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Identity<'a> {
    Id(&'a str),
    Address(&'a str, u16),
    /// Replicas with neither id nor host; no decision rests on them, so that
    /// listing each port once is enough.
    Port(u16),
}

/// A port for clients.
///
/// # Errors
/// Anything but a whole number in `1..=65535`.
pub(super) fn port(value: &Value) -> Result<u16, TopologyError> {
    bounded(value, 1, u16::MAX, "a port")
}

/// Text that may be missing, as a host or an id may.
///
/// # Errors
/// Anything but null, text, or bytes that are UTF-8.
pub(super) fn optional_text<'a>(
    value: Option<&'a Value>,
    what: &str,
) -> Result<Option<&'a str>, TopologyError> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_str() {
            Some(text) => Ok(Some(text)),
            None => Err(value.unexpected(&format!("{what} as text"))),
        },
    }
}
