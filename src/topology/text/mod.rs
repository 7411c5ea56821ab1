//! Replies as people paste them.

mod inspect;
mod log;
mod numbered;
mod raw;
mod scalar;

use super::error::quoted;
use super::fields::Fields;
use super::{nodes, plain, shards, slots, ParseOptions, Topology, TopologyError, Value};

/// Most words of a reply. 16384 single-slot entries with ten nodes each, as
/// redis-cli numbers them, have about 2 million.
const MAX_WORDS: usize = 1 << 22;

/// Reads a pasted reply, whichever of these it is:
///
/// - JSON of CLUSTER SLOTS, of CLUSTER SHARDS, of the serialized form, or of
///   one string that holds CLUSTER NODES;
/// - what redis-cli prints for CLUSTER SLOTS or SHARDS, numbered or raw, in
///   RESP2 or RESP3;
/// - CLUSTER NODES lines;
/// - what Node.js prints for a reply (`util.inspect`), with or without colours.
///   `[Array]` and `[Object]` may stand for metadata alone, and a list that
///   ends with `... 4 more items` is refused;
/// - a debug log of ioredis that holds a refresh of the slots. The last refresh
///   that is whole counts. It knows no node ids and leaves out nodes without a
///   host: an entry of which nothing is left becomes a gap.
///
/// Before and after it there may be blank lines, lines with a prompt, a
/// `redis-cli` command line, the bare command, redis-cli's warning about a
/// password, the time that it prints after slow commands, and Markdown's
/// fences. Line ends may be those of Windows. A reply other than a log has at
/// most 4194304 words, where brackets and commas part words too.
///
/// # Errors
/// [`TopologyError`] with the line of what was not understood where there is
/// one, and with the entry as in the other parsers of [`topology`](super).
///
/// # Cost
/// Linear in the text.
pub fn parse(text: &str, options: &ParseOptions) -> Result<Topology, TopologyError> {
    let (skipped, reply) = without_prompts(text);
    parse_reply(reply, options).or_else(|mut error| {
        // Whatever leads a log may look like the start of another form.
        if log::is_in(text) {
            return log::parse(text, options);
        }
        error.line = error.line.map(|line| line + skipped);
        Err(error)
    })
}

fn parse_reply(reply: &str, options: &ParseOptions) -> Result<Topology, TopologyError> {
    if has_too_many_words(reply) {
        return Err(TopologyError::new(
            "expected at most 4194304 words, found more",
        ));
    }
    let first = reply.lines().next().unwrap_or_default().trim();
    let mut words = first.split_whitespace();
    match (first.chars().next(), words.next(), words.next()) {
        (None, ..) => Err(TopologyError::new("expected a reply, found no text")),
        (Some('[' | '{' | '"' | '\'' | '`'), ..) => json(reply, options),
        (Some('('), ..) => numbered(reply, options),
        _ if numbered::begins(first) => numbered(reply, options),
        (_, Some("slots"), _) => located(&raw::shards(reply)?, options),
        (_, Some(word), None) if raw::is_number(word) => located(&raw::slots(reply)?, options),
        (_, Some("vars"), _) => nodes::parse(reply, options),
        (_, _, Some(address)) if address.contains(':') => nodes::parse(reply, options),
        _ => Err(TopologyError::new(format!(
            "expected JSON, redis-cli's text of CLUSTER SLOTS or SHARDS, \
             or CLUSTER NODES lines, found {}",
            quoted(first)
        ))
        .at_line(1)),
    }
}

/// Asked before reading, since a list takes fifty times the memory of its text.
/// No reader makes more values than there are words.
fn has_too_many_words(reply: &str) -> bool {
    let begins = |pair: &&[u8]| pair[0] <= b' ' || matches!(pair[0], b',' | b':' | b'[' | b'{');
    let words = reply.as_bytes().windows(2).filter(begins);
    words.filter(|pair| pair[1] > b' ').count() > MAX_WORDS
}

/// A reply read from lines: the value, and the line of each of its entries.
struct Read {
    value: Value,
    lines: Vec<usize>,
}

fn numbered(reply: &str, options: &ParseOptions) -> Result<Topology, TopologyError> {
    located(&numbered::read(reply)?, options)
}

fn located(read: &Read, options: &ParseOptions) -> Result<Topology, TopologyError> {
    parse_value(&read.value, options).map_err(|error| {
        let line = error.entry.and_then(|entry| read.lines.get(entry));
        match line {
            Some(&line) => error.at_line(line),
            None => error,
        }
    })
}

/// JSON, and what Node.js prints, which begins alike.
fn json(reply: &str, options: &ParseOptions) -> Result<Topology, TopologyError> {
    let error = match serde_json::from_str(reply) {
        Ok(value) => return parse_value(&value, options),
        Err(error) => error,
    };
    if error.is_syntax() {
        match inspect::read(reply) {
            Ok(read) => return located(&read, options),
            // Of two readers the one that came further tells what is wrong. JSON's counts the byte
            // that it could not read too.
            Err(stop) if stop.place >= (error.line(), error.column()) => return Err(stop.error),
            Err(_) => {}
        }
    }
    let said = error.to_string();
    let reason = said.split(" at line ").next().unwrap_or_default();
    Err(TopologyError::new(format!(
        "expected JSON, found at column {}: {reason}",
        error.column()
    ))
    .at_line(error.line()))
}

/// Tells the forms apart by the first element.
fn parse_value(value: &Value, options: &ParseOptions) -> Result<Topology, TopologyError> {
    let first = match value {
        Value::Text(lines) => return nodes::parse(lines, options),
        Value::Map(_) => return plain::parse(value, options),
        Value::List(items) => items.first(),
        _ => None,
    };
    match first.map(|item| Fields::of(item, "a shard")) {
        Some(Ok(shard)) if shard.get("slots").or(shard.get("nodes")).is_some() => {
            shards::parse(value, options)
        }
        _ => slots::parse(value, options),
    }
}

/// The reply alone, and how many lines were cut off before it.
fn without_prompts(text: &str) -> (usize, &str) {
    let mut reply = text.trim_start_matches('\u{feff}');
    let mut skipped = 0;
    while let Some(line) = reply.split_inclusive('\n').next() {
        if !is_around(line) {
            break;
        }
        reply = &reply[line.len()..];
        skipped += 1;
    }
    while let Some(line) = reply.split_inclusive('\n').next_back() {
        if !is_around(line) {
            break;
        }
        reply = &reply[..reply.len() - line.len()];
    }
    (skipped, reply)
}

/// Whether a line is around a reply rather than of it.
fn is_around(line: &str) -> bool {
    let line = line.trim();
    if line.is_empty() || is_command_line(line) || is_prompt(line) {
        return true;
    }
    line.starts_with("```") || line.starts_with("Warning: ") || is_time(line)
}

/// Whether a line is a prompt of redis-cli or of a shell, `[root@host ~]#`
/// included, or begins with one that has no blanks.
fn is_prompt(line: &str) -> bool {
    const ENDS: [char; 4] = ['>', '$', '#', '%'];
    let word = line.split_whitespace().next().unwrap_or_default();
    !numbered::begins(line) && (word.ends_with(ENDS) || line.ends_with(ENDS))
}

fn is_command_line(line: &str) -> bool {
    let is = |command: &str| line.eq_ignore_ascii_case(command);
    let mut words = line.split_whitespace();
    ["cluster slots", "cluster shards", "cluster nodes"]
        .into_iter()
        .any(is)
        || words.any(|word| word.ends_with("redis-cli") || word.ends_with("valkey-cli"))
}

/// The `(1.02s)` that redis-cli prints after a command that took so long.
fn is_time(line: &str) -> bool {
    let digits = line.strip_prefix('(').and_then(|l| l.strip_suffix("s)"));
    digits.is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
}
