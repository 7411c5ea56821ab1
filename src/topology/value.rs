use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::Deserialize;

use super::error::{quoted, TopologyError};

/// Deepest nesting of lists and maps; the deepest known reply uses five.
const MAX_DEPTH: u8 = 16;

/// Most values in one tree. A reply of 16384 single-slot entries with ten
/// nodes each, which tell their host names, holds about 1.5 million. Nesting
/// alone does not bound the size.
const MAX_VALUES: usize = 1 << 21;

/// A reply of which nothing is known yet.
///
/// `serde_json` reads it from JSON. Objects keep their order. Reading fails when
/// lists and maps nest deeper than 16 or when the tree holds more than 2097152
/// values; it does not recurse further than that.
///
/// A typed path would save one pass over the tree, but serde's own errors name
/// neither the entry nor what was found in it.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Null, undefined, RESP nil.
    Null,
    /// A boolean.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number, also a whole number beyond `i64`.
    Float(f64),
    /// A string.
    Text(String),
    /// A byte string, not necessarily UTF-8.
    Bytes(Vec<u8>),
    /// A list.
    List(Vec<Value>),
    /// A map, as pairs in the order of the input.
    Map(Vec<(Value, Value)>),
    /// What the printer of the reply left out, such as `[Array]` of Node.js.
    Hidden,
}

impl Value {
    /// The string held, if this is text or bytes that are UTF-8.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }

    /// The whole number held: an integer, a float without a fraction, or
    /// decimal digits with an optional minus sign as text or bytes.
    pub(super) fn integer(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            Self::Float(number) => whole(*number),
            _ => self.as_str().and_then(decimal),
        }
    }

    /// The elements held.
    ///
    /// # Errors
    /// Says what was found instead of `expected`.
    pub(super) fn list(&self, expected: &str) -> Result<&[Value], TopologyError> {
        match self {
            Self::List(items) => Ok(items),
            _ => Err(self.unexpected(expected)),
        }
    }

    /// The error of having found this value instead of `expected`.
    pub(super) fn unexpected(&self, expected: &str) -> TopologyError {
        TopologyError::new(format!("expected {expected}, found {self}"))
    }
}

/// A short description for error messages, in bounded length.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            // In words: the code that prints any float is as large as a parser here.
            Self::Float(value) => match whole(*value) {
                Some(value) => write!(f, "{value}"),
                None => f.write_str("a number with a fraction or beyond 2^53"),
            },
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => f.write_str(&quoted(text)),
                Err(_) => write!(f, "{} bytes that are not UTF-8", bytes.len()),
            },
            Self::List(items) if items.is_empty() => f.write_str("an empty list"),
            Self::List(items) => write!(f, "a list of {}", items.len()),
            Self::Map(pairs) if pairs.is_empty() => f.write_str("an empty object"),
            Self::Map(pairs) => write!(f, "an object of {}", pairs.len()),
            Self::Hidden => f.write_str(
                "[Array] or [Object] where Node prints no deeper; \
                 console.log(JSON.stringify(reply)) prints all of it",
            ),
        }
    }
}

/// `number` as an integer if it is one that `f64` holds exactly.
#[allow(clippy::cast_possible_truncation, clippy::float_cmp)]
fn whole(number: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (number.trunc() == number && number.abs() <= EXACT).then_some(number as i64)
}

/// Decimal digits with an optional minus sign. `str::parse` alone would take a
/// plus sign too, which no server writes.
fn decimal(text: &str) -> Option<i64> {
    if text.starts_with('+') {
        return None;
    }
    text.parse().ok()
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let left = Cell::new(MAX_VALUES);
        let seed = Seed {
            depth: MAX_DEPTH,
            left: &left,
        };
        seed.deserialize(deserializer)
    }
}

/// What may still be read: levels below this one, and values in all.
#[derive(Clone, Copy)]
struct Seed<'a> {
    depth: u8,
    left: &'a Cell<usize>,
}

impl Seed<'_> {
    fn deeper<E: Error>(self) -> Result<Self, E> {
        let Some(depth) = self.depth.checked_sub(1) else {
            return Err(E::custom(format_args!(
                "lists nest deeper than {MAX_DEPTH} levels"
            )));
        };
        Ok(Self { depth, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let Some(left) = self.left.get().checked_sub(1) else {
            return Err(D::Error::custom(format_args!(
                "the reply holds more than {MAX_VALUES} values"
            )));
        };
        self.left.set(left);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    #[allow(clippy::cast_precision_loss)]
    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Float(value as f64), Value::Int))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut items = Vec::new();
        while let Some(item) = access.next_element_seed(inner)? {
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut pairs = Vec::new();
        while let Some(pair) = access.next_entry_seed(inner, inner)? {
            pairs.push(pair);
        }
        Ok(Value::Map(pairs))
    }
}
