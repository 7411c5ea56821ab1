use super::super::error::quoted;
use super::super::{TopologyError, Value};
use super::Read;

/// Deepest nesting read; the deepest known reply uses five levels.
const MAX_DEPTH: usize = 16;

const PRINT_ALL: &str = "the whole reply, which console.log(JSON.stringify(reply)) prints";

/// Reads what Node.js prints for a reply: `util.inspect`, colours included.
pub(super) fn read(text: &str) -> Result<Read, Stop> {
    let mut reader = Reader::new(text);
    let value = reader.value(0).and_then(|value| {
        reader.skip_blanks();
        if reader.rest.is_empty() {
            return Ok(value);
        }
        Err(reader.unexpected("the end of the reply"))
    });
    match value {
        Ok(value) => Ok(Read {
            value,
            lines: reader.entries,
        }),
        Err(error) => Err(Stop {
            place: (reader.line, reader.line_length - reader.rest.len()),
            error,
        }),
    }
}

/// Why and where reading ended.
pub(super) struct Stop {
    /// One-based line, zero-based column of bytes.
    pub(super) place: (usize, usize),
    pub(super) error: TopologyError,
}

/// Takes values off the front of a text.
pub(super) struct Reader<'t> {
    pub(super) rest: &'t str,
    pub(super) line: usize,
    /// Bytes from the start of the line to the end of the text.
    line_length: usize,
    /// The line of each element of the outermost list.
    entries: Vec<usize>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            rest: text,
            line: 1,
            line_length: text.len(),
            entries: Vec::new(),
        }
    }

    /// The value that comes next, within `depth` lists and objects.
    pub(super) fn value(&mut self, depth: usize) -> Result<Value, TopologyError> {
        self.skip_blanks();
        if depth == MAX_DEPTH && self.rest.starts_with(['[', '{']) {
            return Err(self.error(format!("lists nest deeper than {MAX_DEPTH} levels")));
        }
        if self.take("[Array]") || self.take("[Object]") {
            return Ok(Value::Hidden);
        }
        if self.take("[") {
            return self.items(depth, "]").map(Value::List);
        }
        if self.take("{") {
            let mut items = self.items(depth, "}")?.into_iter();
            let mut pairs = Vec::new();
            while let Some(pair) = items.next().zip(items.next()) {
                pairs.push(pair);
            }
            return Ok(Value::Map(pairs));
        }
        if self.take("<Buffer") {
            return self.buffer();
        }
        if self.rest.starts_with(['\'', '"', '`']) {
            return self.joined();
        }
        self.word()
    }

    /// Elements up to a bracket; up to a brace, names and values in turn.
    fn items(&mut self, depth: usize, close: &str) -> Result<Vec<Value>, TopologyError> {
        let mut items = Vec::new();
        while self.goes_on(items.is_empty(), close)? {
            if depth == 0 {
                self.entries.push(self.line);
            }
            if close == "}" {
                items.push(self.name()?);
                self.expect(":")?;
            }
            items.push(self.value(depth + 1)?);
        }
        Ok(items)
    }

    /// Whether another element comes rather than the closing bracket.
    fn goes_on(&mut self, is_first: bool, close: &str) -> Result<bool, TopologyError> {
        self.skip_blanks();
        if self.take(close) {
            return Ok(false);
        }
        if !is_first && !self.take(",") {
            return Err(self.unexpected("a comma or the end of the list"));
        }
        self.skip_blanks();
        self.not_cut()?;
        Ok(true)
    }

    /// `... 4 more items`, or characters, or bytes.
    fn not_cut(&self) -> Result<(), TopologyError> {
        if self.rest.starts_with("... ") {
            return Err(self.unexpected(PRINT_ALL));
        }
        Ok(())
    }

    fn name(&mut self) -> Result<Value, TopologyError> {
        match self.bare() {
            "" => self.joined(),
            name => Ok(Value::Text(name.to_owned())),
        }
    }

    pub(super) fn word(&mut self) -> Result<Value, TopologyError> {
        let before = self.rest;
        let value = match self.bare() {
            "null" | "undefined" => Some(Value::Null),
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            word if word.len() > 1 && word.starts_with('0') => None,
            word => word.parse().ok().map(Value::Int),
        };
        value.ok_or_else(|| {
            self.rest = before;
            self.unexpected("a value as JSON or as Node prints it")
        })
    }

    pub(super) fn bare(&mut self) -> &'t str {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn buffer(&mut self) -> Result<Value, TopologyError> {
        let mut bytes = Vec::new();
        loop {
            self.skip_blanks();
            if self.take(">") {
                return Ok(Value::Bytes(bytes));
            }
            self.not_cut()?;
            let byte = self.rest.get(..2).and_then(hex);
            let byte = byte.and_then(|byte| u8::try_from(byte).ok());
            bytes.push(byte.ok_or_else(|| self.unexpected("a byte in hexadecimal"))?);
            self.rest = self.rest.get(2..).unwrap_or_default();
        }
    }

    /// A string, of which long ones with line ends are printed as a sum.
    fn joined(&mut self) -> Result<Value, TopologyError> {
        let mut text = self.string()?;
        loop {
            self.not_cut()?;
            self.skip_blanks();
            if !self.take("+") {
                return Ok(Value::Text(text));
            }
            self.skip_blanks();
            text += &self.string()?;
        }
    }

    fn string(&mut self) -> Result<String, TopologyError> {
        let mut quotes = ["'", "\"", "`"].into_iter();
        let Some(quote) = quotes.find(|quote| self.take(quote)) else {
            return Err(self.unexpected("a name or a string"));
        };
        let mut out = String::new();
        loop {
            let ends = |byte| quote.as_bytes() == [byte] || byte == b'\\' || byte < b' ';
            let end = self.rest.bytes().position(ends).unwrap_or(self.rest.len());
            let (part, rest) = self.rest.split_at_checked(end).unwrap_or_default();
            out += part;
            self.rest = rest;
            if self.take(quote) {
                return Ok(out);
            }
            let escaped = self.take("\\").then(|| self.escaped()).flatten();
            out.push(escaped.ok_or_else(|| self.unexpected("the rest of a string"))?);
        }
    }

    /// The character of an escape behind its backslash.
    fn escaped(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let digits = match chars.next()? {
            'x' => 2,
            'u' => 4,
            c => {
                let c = match c {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    c => Some(c).filter(char::is_ascii_punctuation)?,
                };
                self.rest = chars.as_str();
                return Some(c);
            }
        };
        let (code, rest) = chars.as_str().split_at_checked(digits)?;
        self.rest = rest;
        char::from_u32(hex(code)?)
    }

    /// Blanks, line ends, and the codes that colour a terminal.
    #[inline(never)]
    fn skip_blanks(&mut self) {
        loop {
            let code = self.rest.strip_prefix("\u{1b}[").and_then(|code| {
                let code = code.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
                code.strip_prefix('m')
            });
            if let Some(rest) = code {
                self.rest = rest;
            } else if self.take("\n") {
                self.line += 1;
                self.line_length = self.rest.len();
            } else if !(self.take(" ") || self.take("\r") || self.take("\t")) {
                return;
            }
        }
    }

    #[inline(never)]
    pub(super) fn take(&mut self, token: &str) -> bool {
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    pub(super) fn expect(&mut self, token: &str) -> Result<(), TopologyError> {
        if self.take(token) {
            return Ok(());
        }
        Err(self.unexpected(token.trim()))
    }

    /// Leaves out the next `bytes`, which end between characters.
    pub(super) fn skip(&mut self, bytes: usize) {
        let (before, rest) = self.rest.split_at_checked(bytes).unwrap_or(("", self.rest));
        self.line += before.bytes().filter(|&byte| byte == b'\n').count();
        self.rest = rest;
    }

    #[inline(never)]
    pub(super) fn unexpected(&self, expected: &str) -> TopologyError {
        // Bounded, and more than is shown: a log may have as many faults as words.
        let end = self.rest.bytes().take(240).position(|byte| byte == b'\n');
        let line = end.and_then(|end| self.rest.get(..end));
        let found = match line.map_or(self.rest, str::trim_end) {
            _ if self.rest.is_empty() => "the end of the text".to_owned(),
            "" => "the end of the line".to_owned(),
            line => quoted(line),
        };
        self.error(format!("expected {expected}, found {found}"))
    }

    fn error(&self, reason: String) -> TopologyError {
        TopologyError::new(reason).at_line(self.line)
    }
}

fn hex(digits: &str) -> Option<u32> {
    digits.chars().try_fold(0, |sum, digit| {
        digit.to_digit(16).map(|digit| sum * 16 + digit)
    })
}
