use super::{TopologyError, Value};

/// A map, or the flat list of keys and values that stands for one in RESP2.
#[derive(Clone, Copy)]
pub(super) enum Fields<'a> {
    Pairs(&'a [(Value, Value)]),
    Flat(&'a [Value]),
}

impl<'a> Fields<'a> {
    /// # Errors
    /// Neither a map nor a list of even length.
    pub(super) fn of(value: &'a Value, what: &str) -> Result<Self, TopologyError> {
        match value {
            Value::Map(pairs) => Ok(Self::Pairs(pairs)),
            Value::List(items) if items.len() % 2 == 0 && !items.is_empty() => {
                Ok(Self::Flat(items))
            }
            _ => Err(value.unexpected(&format!("{what} as a map or as a list of pairs"))),
        }
    }

    /// The value of the first field of that name.
    ///
    /// Cost: linear in the fields.
    pub(super) fn get(self, name: &str) -> Option<&'a Value> {
        let named = |key: &Value| key.as_str() == Some(name);
        match self {
            Self::Pairs(pairs) => pairs.iter().find(|(key, _)| named(key)).map(|(_, v)| v),
            Self::Flat(items) => items
                .chunks_exact(2)
                .find(|pair| named(&pair[0]))
                .map(|p| &p[1]),
        }
    }

    /// The value of a field that must be there.
    ///
    /// # Errors
    /// No such field.
    pub(super) fn require(self, name: &str) -> Result<&'a Value, TopologyError> {
        self.get(name)
            .ok_or_else(|| TopologyError::new(format!("expected the field {name}, found none")))
    }
}
