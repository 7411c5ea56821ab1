use super::super::error::quoted;
use super::super::{TopologyError, Value};

/// Reads one value that is no list, as redis-cli prints it on a terminal.
pub(super) fn scalar(text: &str) -> Result<Value, TopologyError> {
    let value = match text {
        "(nil)" => Some(Value::Null),
        "(true)" => Some(Value::Bool(true)),
        "(false)" => Some(Value::Bool(false)),
        "(empty array)" | "(empty list or set)" | "(empty list)" | "(empty set)" => {
            Some(Value::List(Vec::new()))
        }
        "(empty hash)" => Some(Value::Map(Vec::new())),
        _ => tagged(text),
    };
    value.ok_or_else(|| match text.strip_prefix("(error) ") {
        Some(said) => TopologyError::new(format!(
            "the server answered with an error: {}",
            quoted(said)
        )),
        None => TopologyError::new(format!(
            "expected a value as redis-cli prints it, found {}",
            quoted(text)
        )),
    })
}

fn tagged(text: &str) -> Option<Value> {
    if let Some(digits) = text.strip_prefix("(integer) ") {
        return digits.parse().ok().map(Value::Int);
    }
    let bytes = unescaped(text.strip_prefix('"')?.as_bytes())?;
    Some(String::from_utf8(bytes).map_or_else(|e| Value::Bytes(e.into_bytes()), Value::Text))
}

/// The bytes that redis-cli wrote as `quoted`, which ends with the closing
/// quote; `None` if that is anywhere else or an escape is unknown.
fn unescaped(quoted: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut rest = quoted;
    loop {
        match rest {
            [b'"'] => return Some(out),
            [b'\\', b'x', high, low, after @ ..] => {
                out.push(hex(*high)? * 16 + hex(*low)?);
                rest = after;
            }
            [b'\\', escaped, after @ ..] => {
                out.push(match escaped {
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    b'a' => 7,
                    b'b' => 8,
                    b'\\' | b'"' => *escaped,
                    _ => return None,
                });
                rest = after;
            }
            [b'"' | b'\\', ..] | [] => return None,
            [byte, after @ ..] => {
                out.push(*byte);
                rest = after;
            }
        }
    }
}

fn hex(digit: u8) -> Option<u8> {
    let value = char::from(digit).to_digit(16)?;
    u8::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use super::{scalar, Value};

    #[test]
    fn escapes_become_the_bytes_they_stand_for() {
        let text = r#""\xac\xed\x00\x05t\x00\n4100000252""#;
        let bytes = b"\xac\xed\x00\x05t\x00\n4100000252".to_vec();
        assert_eq!(scalar(text), Ok(Value::Bytes(bytes)));
        assert_eq!(
            scalar(r#""a\"b\\c\r\t\a\b""#),
            Ok(Value::Text("a\"b\\c\r\t\u{7}\u{8}".to_owned()))
        );
    }

    #[test]
    fn a_string_ends_at_its_first_bare_quote() {
        for text in [
            r#"""#, r#""a"#, r#""a"b""#, r#""a\""#, r#""\x4""#, r#""\q""#,
        ] {
            assert!(scalar(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_error_reply_is_named_as_one() {
        let error = scalar("(error) ERR This instance has cluster support disabled");
        assert_eq!(
            error.map_err(|e| e.reason),
            Err("the server answered with an error: \
                 \"ERR This instance has cluster support disabled\""
                .to_owned())
        );
    }

    #[test]
    fn truth_values_of_resp3_are_no_text() {
        assert_eq!(scalar("(true)"), Ok(Value::Bool(true)));
        assert_eq!(scalar("(false)"), Ok(Value::Bool(false)));
    }
}
