use super::super::error::quoted;
use super::super::{TopologyError, Value};
use super::scalar::scalar;
use super::Read;

/// Deepest nesting read; the deepest known reply uses four levels.
const MAX_DEPTH: usize = 16;

/// Whether a line begins as redis-cli numbers an element: `1) `, `1# `, `1~ `.
pub(super) fn begins(line: &str) -> bool {
    Marker::read(line).is_some()
}

/// Reads what redis-cli prints on a terminal.
///
/// Every element is led by its number and one of `)`, `#` (a map, RESP3) or
/// `~` (a set). The column of that sign tells the level, since redis-cli pads
/// the numbers of one list to one width. A list within a list begins on the
/// line of its parent's number; as the value of a map it may begin on the next.
pub(super) fn read(text: &str) -> Result<Read, TopologyError> {
    let mut reader = Reader::default();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_end();
        if line.is_empty() {
            continue;
        }
        if index == 0 && line.starts_with('(') {
            reader.value = Some(scalar(line).map_err(|e| e.at_line(1))?);
            continue;
        }
        reader.line(index, line).map_err(|e| e.at_line(index + 1))?;
    }
    reader.finish()
}

/// The number before an element: its width with padding, the number, the sign.
struct Marker {
    width: usize,
    number: usize,
    sign: u8,
}

impl Marker {
    fn read(text: &str) -> Option<(Self, &str)> {
        let width = text.find([')', '#', '~'])?;
        let (padded, rest) = text.split_at(width);
        let digits = padded.trim_start_matches(' ');
        if !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let number = digits.parse().ok()?;
        let sign = rest.bytes().next()?;
        let rest = rest[1..].strip_prefix(' ')?;
        Some((
            Self {
                width,
                number,
                sign,
            },
            rest,
        ))
    }
}

/// A list or map that is still open.
struct Frame {
    /// Column of the sign in every marker of this list.
    column: usize,
    sign: u8,
    items: Vec<Value>,
    pairs: Vec<(Value, Value)>,
    /// The name whose value comes next.
    name: Option<Value>,
}

impl Frame {
    fn new(column: usize, sign: u8) -> Self {
        Self {
            column,
            sign,
            items: Vec::new(),
            pairs: Vec::new(),
            name: None,
        }
    }

    fn len(&self) -> usize {
        self.items.len() + self.pairs.len()
    }

    fn put(&mut self, value: Value) {
        match self.name.take() {
            Some(name) => self.pairs.push((name, value)),
            None => self.items.push(value),
        }
    }

    fn close(self) -> Result<Value, TopologyError> {
        match (self.name, self.sign) {
            (Some(name), _) => Err(TopologyError::new(format!(
                "expected the value of {name}, found none"
            ))),
            (None, b'#') => Ok(Value::Map(self.pairs)),
            (None, _) => Ok(Value::List(self.items)),
        }
    }
}

#[derive(Default)]
struct Reader {
    open: Vec<Frame>,
    lines: Vec<usize>,
    value: Option<Value>,
}

impl Reader {
    fn line(&mut self, index: usize, line: &str) -> Result<(), TopologyError> {
        let shape = || {
            TopologyError::new(format!(
                "expected a numbered element, found {}",
                quoted(line)
            ))
        };
        let (mut marker, mut rest) = Marker::read(line).ok_or_else(shape)?;
        if self.value.is_some() {
            return Err(TopologyError::new(format!(
                "expected the end of the reply, found {}",
                quoted(line)
            )));
        }
        self.find_level(index, &marker)?;
        loop {
            rest = self.element(&marker, rest, index)?;
            if rest.is_empty() {
                return Ok(());
            }
            let Some((inner, after)) = Marker::read(rest) else {
                self.top()?.put(scalar(rest)?);
                return Ok(());
            };
            // A child's numbers begin where redis-cli ends the parent's ") ".
            let column = self.top()?.column + 2 + inner.width;
            self.push(column, inner.sign)?;
            (marker, rest) = (inner, after);
        }
    }

    fn top(&mut self) -> Result<&mut Frame, TopologyError> {
        let none = || TopologyError::new("expected a list, found none");
        self.open.last_mut().ok_or_else(none)
    }

    fn push(&mut self, column: usize, sign: u8) -> Result<(), TopologyError> {
        if self.open.len() == MAX_DEPTH {
            return Err(TopologyError::new(format!(
                "lists nest deeper than {MAX_DEPTH} levels"
            )));
        }
        self.open.push(Frame::new(column, sign));
        Ok(())
    }

    /// Makes the list that a line goes on with the innermost open one.
    fn find_level(&mut self, index: usize, marker: &Marker) -> Result<(), TopologyError> {
        let Some(top) = self.open.last() else {
            return self.push(marker.width, marker.sign);
        };
        if marker.width > top.column {
            if top.name.is_some() {
                return self.push(marker.width, marker.sign);
            }
            if index == 1 {
                // The first line lost its padding when it was copied.
                let lost = marker.width - top.column;
                self.open.iter_mut().for_each(|list| list.column += lost);
            }
        }
        while self.open.len() > 1 && self.top()?.column > marker.width {
            self.close()?;
        }
        if self.top()?.column != marker.width {
            return Err(TopologyError::new(
                "expected the indentation of an open list, found another",
            ));
        }
        Ok(())
    }

    /// Checks a marker against its list, and reads the name if that is a map.
    fn element<'t>(
        &mut self,
        marker: &Marker,
        rest: &'t str,
        index: usize,
    ) -> Result<&'t str, TopologyError> {
        if self.open.len() == 1 {
            self.lines.push(index + 1);
        }
        let top = self.top()?;
        let next = top.len() + 1;
        if marker.number != next || marker.sign != top.sign || top.name.is_some() {
            return Err(TopologyError::new(format!(
                "expected number {next} at this indentation, found {}{}",
                marker.number,
                char::from(marker.sign)
            )));
        }
        if marker.sign != b'#' {
            return Ok(rest);
        }
        let pair = || TopologyError::new(format!("expected name => value, found {}", quoted(rest)));
        let (name, value) = rest.split_once(" =>").ok_or_else(pair)?;
        top.name = Some(scalar(name)?);
        Ok(value.trim_start_matches(' '))
    }

    fn close(&mut self) -> Result<(), TopologyError> {
        if let Some(frame) = self.open.pop() {
            let value = frame.close()?;
            match self.open.last_mut() {
                Some(parent) => parent.put(value),
                None => self.value = Some(value),
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Read, TopologyError> {
        while !self.open.is_empty() {
            self.close()?;
        }
        let value = self.value.unwrap_or(Value::Null);
        Ok(Read {
            value,
            lines: self.lines,
        })
    }
}
