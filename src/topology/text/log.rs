use super::super::{ParseOptions, Topology, TopologyError, Value};
use super::inspect::Reader;
use super::{located, Read};

/// What ioredis says before the count of entries and before each entry.
const MARK: &str = "cluster slots result ";

/// Where the first message of a refresh begins.
#[inline(never)]
fn find(text: &str) -> Option<usize> {
    text.find(MARK)
}

pub(super) fn is_in(text: &str) -> bool {
    find(text).is_some()
}

/// Reads the last whole refresh of a debug log of ioredis.
///
/// `cluster slots result count: 2` begins a refresh, and a line of the form
/// `cluster slots result [0]: slots 0~99 served by [ 'host:port' ]` is an
/// entry, its primary first. Before and after these may be anything, since
/// every logger adds words of its own.
pub(super) fn parse(text: &str, options: &ParseOptions) -> Result<Topology, TopologyError> {
    let mut log = Log::default();
    let mut reader = Reader::new(text);
    while let Some(at) = find(reader.rest) {
        reader.skip(at);
        log.message(&mut reader);
    }
    located(&log.finish()?, options).map_err(|mut error| {
        // Its index leaves out the entries without a node.
        error.entry = None;
        error
    })
}

/// The answer to one CLUSTER SLOTS, as far as it has been read.
#[derive(Default)]
struct Refresh {
    count: Option<usize>,
    /// How many entries were read, those without a node included.
    seen: usize,
    last_line: usize,
    entries: Vec<Value>,
    lines: Vec<usize>,
}

#[derive(Default)]
struct Log {
    open: Option<Refresh>,
    /// Whether the entries up to the next refresh follow a fault.
    is_lost: bool,
    whole: Option<Refresh>,
    /// What is wrong with the log if nothing whole follows.
    fault: Option<TopologyError>,
}

impl Log {
    fn message(&mut self, reader: &mut Reader<'_>) {
        let line = reader.line;
        reader.take(MARK);
        if reader.take("count: ") {
            return self.begin(line, reader.bare().parse().ok());
        }
        if !reader.take("[") {
            return;
        }
        let index = reader.bare();
        if index == "0" && self.open.as_ref().is_none_or(|open| open.seen > 0) {
            self.begin(line, None);
        }
        if self.is_lost {
            return;
        }
        if let Err(error) = self.entry(index, reader) {
            self.open = None;
            self.is_lost = true;
            self.fault = Some(error.at_line(line));
        }
    }

    fn begin(&mut self, line: usize, count: Option<usize>) {
        self.end();
        self.is_lost = false;
        self.open = Some(Refresh {
            count,
            last_line: line,
            ..Refresh::default()
        });
    }

    #[inline(never)]
    fn end(&mut self) {
        let Some(open) = self.open.take() else {
            return;
        };
        let count = open.count.unwrap_or(open.seen);
        if count == open.seen {
            self.whole = Some(open);
            self.fault = None;
        } else if self.whole.is_none() {
            let reason = format!(
                "expected {count} entries, found {}: the log is cut off",
                open.seen
            );
            self.fault = Some(TopologyError::new(reason).at_line(open.last_line));
        }
    }

    fn entry(&mut self, index: &str, reader: &mut Reader<'_>) -> Result<(), TopologyError> {
        // A log that begins within a refresh has nothing open.
        let open = self.open.get_or_insert_with(Refresh::default);
        if index.parse() != Ok(open.seen) {
            return Err(TopologyError::new(format!(
                "expected {MARK}[{}], found [{index}]: the log is cut off",
                open.seen
            )));
        }
        open.seen += 1;
        open.last_line = reader.line;
        let entry = served(reader)?;
        if entry.len() > 2 {
            open.entries.push(Value::List(entry));
            open.lines.push(open.last_line);
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Read, TopologyError> {
        self.end();
        let last = match (self.fault, self.whole) {
            (None, Some(last)) => last,
            (fault, _) => {
                let none = || TopologyError::new("expected cluster slots result [0], found none");
                return Err(fault.unwrap_or_else(none));
            }
        };
        if last.entries.is_empty() && last.seen > 0 {
            let reason = "expected a node with a host, found none; ioredis logs no others";
            return Err(TopologyError::new(reason).at_line(last.last_line));
        }
        Ok(Read {
            value: Value::List(last.entries),
            lines: last.lines,
        })
    }
}

/// Reads `]: slots 0~99 served by [ 'host:port' ]` as an entry of CLUSTER SLOTS.
fn served(reader: &mut Reader<'_>) -> Result<Vec<Value>, TopologyError> {
    let text = |part: &str| Value::Text(part.to_owned());
    reader.expect("]: slots ")?;
    let start = reader.word()?;
    reader.expect("~")?;
    let end = reader.word()?;
    reader.expect(" served by ")?;
    if !reader.rest.starts_with('[') {
        // Beyond 200 characters ioredis logs the start of the addresses alone.
        return Err(reader.unexpected(
            "a list of all nodes, which ioredis cuts when it is long \
             (JSON.stringify(await cluster.cluster('slots')) holds all of it)",
        ));
    }
    let mut entry = vec![start, end];
    for node in reader.value(1)?.list("a list of nodes")? {
        let parts = node.as_str().and_then(|node| node.rsplit_once(':'));
        let (host, port) = parts.ok_or_else(|| node.unexpected("host:port"))?;
        entry.push(Value::List(vec![text(host), text(port)]));
    }
    Ok(entry)
}
