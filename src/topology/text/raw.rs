use super::super::error::quoted;
use super::super::{TopologyError, Value};
use super::Read;

/// Length of the node ids that Redis makes, which are hexadecimal.
const ID_LENGTH: usize = 40;

/// Reads `redis-cli --raw CLUSTER SLOTS`: one element per line, and nothing
/// that tells where a list ends.
///
/// Numbers tell it. Only slots and ports are numbers, so that two numbers in a
/// row begin an entry and one number is the port of the host before it. An
/// empty metadata list prints an empty line, and so does a null or empty host,
/// which a port follows. In RESP3 a metadata pair shares a line.
pub(super) fn slots(text: &str) -> Result<Read, TopologyError> {
    let mut words = Words::new(text, false);
    let mut entries = Vec::new();
    let mut lines = Vec::new();
    while words.peek(0).is_some() {
        lines.push(words.line());
        let start = words.number("the first slot of a range")?;
        let mut entry = vec![start, words.number("the last slot of a range")?];
        while words.peek(0).is_some_and(|word| !is_number(word)) {
            entry.push(node(&mut words)?);
        }
        entries.push(Value::List(entry));
    }
    Ok(Read {
        value: Value::List(entries),
        lines,
    })
}

fn node(words: &mut Words<'_>) -> Result<Value, TopologyError> {
    let host = words.take("a host")?;
    let mut node = vec![host, words.number("the port of the host before it")?];
    if words.at_id() {
        node.push(words.take("a node id")?);
        skip_metadata(words)?;
    }
    Ok(Value::List(node))
}

/// Metadata never decides anything; it is only told apart from the next host.
fn skip_metadata(words: &mut Words<'_>) -> Result<(), TopologyError> {
    if words.peek(0) == Some("") {
        if !words.at_hostless_node() {
            words.take("metadata")?;
        }
        return Ok(());
    }
    while let Some(name) = words.peek(0) {
        if name.is_empty() || is_number(name) || words.numbers_behind() > 0 {
            break;
        }
        words.take("the name of a metadata field")?;
        words.take("the value of the metadata field before it")?;
    }
    Ok(())
}

/// Reads `redis-cli --raw CLUSTER SHARDS`: `slots`, bounds, `nodes`, and per
/// node its fields, of which `id` is the first. An empty list or value prints
/// an empty line; in RESP3 a name shares a line with (the first of) its value.
pub(super) fn shards(text: &str) -> Result<Read, TopologyError> {
    let in_pairs = text
        .lines()
        .next()
        .is_some_and(|line| line.trim_start().starts_with("slots "));
    let mut words = Words::new(text, in_pairs);
    let mut shards = Vec::new();
    let mut lines = Vec::new();
    while words.peek(0).is_some() {
        lines.push(words.line());
        words.word("slots")?;
        let mut bounds = Vec::new();
        while words.peek(0).is_some_and(|word| word != "nodes") {
            if words.peek(0) == Some("") {
                words.take("nothing")?;
            } else {
                bounds.push(words.number("a slot or the word nodes")?);
            }
        }
        words.word("nodes")?;
        let mut nodes = Vec::new();
        while words.peek(0).is_some_and(|word| word != "slots") {
            nodes.push(member(&mut words)?);
        }
        shards.push(Value::List(vec![
            Value::Text("slots".to_owned()),
            Value::List(bounds),
            Value::Text("nodes".to_owned()),
            Value::List(nodes),
        ]));
    }
    Ok(Read {
        value: Value::List(shards),
        lines,
    })
}

fn member(words: &mut Words<'_>) -> Result<Value, TopologyError> {
    let mut fields = vec![Value::Text("id".to_owned())];
    words.word("id")?;
    fields.push(words.take("a node id")?);
    while words
        .peek(0)
        .is_some_and(|word| word != "id" && word != "slots")
    {
        fields.push(words.take("the name of a field")?);
        fields.push(words.take("the value of the field before it")?);
    }
    Ok(Value::List(fields))
}

/// Whether a word is as short as slots and ports are; an id of decimal digits
/// alone is not.
pub(super) fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    (1..=6).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
}

/// The words of a text, each with its line; an empty line is an empty word.
struct Words<'a> {
    words: Vec<(usize, &'a str)>,
    at: usize,
}

impl<'a> Words<'a> {
    /// `in_pairs`: a blank at the end of a line stands before an empty word.
    fn new(text: &'a str, in_pairs: bool) -> Self {
        let mut words = Vec::new();
        for (index, line) in text.trim_end().lines().enumerate() {
            let line = if in_pairs {
                line.trim_start()
            } else {
                line.trim()
            };
            words.extend(line.split(' ').map(|word| (index + 1, word)));
        }
        Self { words, at: 0 }
    }

    fn peek(&self, ahead: usize) -> Option<&'a str> {
        self.words.get(self.at + ahead).map(|&(_, word)| word)
    }

    fn line(&self) -> usize {
        let here = self.words.get(self.at).or(self.words.last());
        here.map_or(1, |&(line, _)| line)
    }

    fn unexpected(&self, expected: &str) -> TopologyError {
        let found = self
            .peek(0)
            .map_or("the end of the text".to_owned(), quoted);
        TopologyError::new(format!("expected {expected}, found {found}")).at_line(self.line())
    }

    fn take(&mut self, expected: &str) -> Result<Value, TopologyError> {
        let word = self.peek(0).ok_or_else(|| self.unexpected(expected))?;
        self.at += 1;
        Ok(Value::Text(word.to_owned()))
    }

    fn number(&mut self, expected: &str) -> Result<Value, TopologyError> {
        match self.peek(0) {
            Some(word) if is_number(word) => self.take(expected),
            _ => Err(self.unexpected(expected)),
        }
    }

    fn word(&mut self, expected: &str) -> Result<(), TopologyError> {
        if self.peek(0) != Some(expected) {
            return Err(self.unexpected(&format!("the word {expected}")));
        }
        self.at += 1;
        Ok(())
    }

    /// How many numbers follow each other behind the next word, counted up to four.
    fn numbers_behind(&self) -> usize {
        let words = (1..=4).map_while(|ahead| self.peek(ahead));
        words.take_while(|word| is_number(word)).count()
    }

    /// After a port: whether the next word is the node's id, and not the host
    /// of the next node, which a port would follow, alone or before the two
    /// slots of the next entry.
    fn at_id(&self) -> bool {
        let Some(word) = self
            .peek(0)
            .filter(|word| !word.is_empty() && !is_number(word))
        else {
            return false;
        };
        let made_by_redis = word.len() == ID_LENGTH && word.bytes().all(|b| b.is_ascii_hexdigit());
        made_by_redis || !matches!(self.numbers_behind(), 1 | 3)
    }

    /// After an id: whether an empty word is the host of the next node, of a
    /// server that sends no metadata; a port and an id follow it.
    fn at_hostless_node(&self) -> bool {
        self.numbers_behind() == 1 && self.peek(2).is_some()
    }
}
