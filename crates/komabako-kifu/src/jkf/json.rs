//! JSON as a tape: every value in the order of the text, with the index of the value after its content.
//!
//! `serde_json` is recursive and therefore refuses more than 128 levels, of which each nested variation takes three. The
//! tape is parsed with a stack of one entry per level, knows the byte of every value for errors, and takes 20 bytes per
//! value.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// The maximum number of values in a text; 100,000 moves need fewer.
const MAX_VALUES: usize = 6_000_000;

/// The kind of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Object,
    Array,
    String,
    Number,
    True,
    False,
    Null,
}

#[derive(Clone, Copy, Debug)]
struct Value {
    kind: Kind,
    /// Its bytes in the text, including the quotes of a string; for an object or array only the first byte.
    start: u32,
    end: u32,
    /// The index of the value after its content.
    next: u32,
    /// The bytes of its name without quotes, if it is a member of an object.
    key: (u32, u32),
}

/// The values of a text.
#[derive(Debug)]
pub(super) struct Tape<'a> {
    text: &'a str,
    values: Vec<Value>,
}

/// A value of a tape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Json<'t> {
    tape: &'t Tape<'t>,
    index: usize,
}

/// The byte at which text is not valid JSON or becomes too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct JsonError {
    pub byte: usize,
    pub is_too_large: bool,
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    values: Vec<Value>,
    /// The open objects and arrays.
    open: Vec<u32>,
}

impl<'a> Tape<'a> {
    /// Parses a text that consists of one value.
    pub fn parse(text: &'a str) -> Result<Self, JsonError> {
        let mut parser = Parser { text, at: 0, values: Vec::new(), open: Vec::new() };
        parser.run()?;
        Ok(Self { text, values: parser.values })
    }

    pub fn root(&self) -> Json<'_> {
        Json { tape: self, index: 0 }
    }
}

impl Parser<'_> {
    fn error(&self) -> JsonError {
        JsonError { byte: self.at, is_too_large: false }
    }

    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
        self.text.as_bytes().get(self.at).copied()
    }

    fn expect(&mut self, byte: u8) -> Result<(), JsonError> {
        if self.peek() != Some(byte) {
            return Err(self.error());
        }
        self.at += 1;
        Ok(())
    }

    fn run(&mut self) -> Result<(), JsonError> {
        self.value((0, 0))?;
        while let Some(&open) = self.open.last() {
            let is_object = self.values[open as usize].kind == Kind::Object;
            let is_first = self.values.len() == open as usize + 1;
            let close = if is_object { b'}' } else { b']' };
            if self.peek() == Some(close) {
                self.at += 1;
                self.open.pop();
                let next = self.values.len() as u32;
                self.values[open as usize].next = next;
                continue;
            }
            if !is_first {
                self.expect(b',')?;
            }
            let key = if is_object {
                if self.peek() != Some(b'"') {
                    return Err(self.error());
                }
                let start = self.at as u32 + 1;
                self.string()?;
                let key = (start, self.at as u32 - 1);
                self.expect(b':')?;
                key
            } else {
                (0, 0)
            };
            self.value(key)?;
        }
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.error()),
        }
    }

    /// Reads a scalar value, or opens an object or array.
    fn value(&mut self, key: (u32, u32)) -> Result<(), JsonError> {
        if self.values.len() >= MAX_VALUES {
            return Err(JsonError { byte: self.at, is_too_large: true });
        }
        let byte = self.peek().ok_or(self.error())?;
        let start = self.at as u32;
        let kind = match byte {
            b'{' | b'[' => {
                self.at += 1;
                self.open.push(self.values.len() as u32);
                if byte == b'{' { Kind::Object } else { Kind::Array }
            }
            b'"' => {
                self.string()?;
                Kind::String
            }
            b'-' | b'0'..=b'9' => {
                self.number()?;
                Kind::Number
            }
            _ => self.word()?,
        };
        let next = self.values.len() as u32 + 1;
        self.values.push(Value { kind, start, end: self.at as u32, next, key });
        Ok(())
    }

    fn word(&mut self) -> Result<Kind, JsonError> {
        let rest = &self.text[self.at..];
        for (word, kind) in [("true", Kind::True), ("false", Kind::False), ("null", Kind::Null)] {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(kind);
            }
        }
        Err(self.error())
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        let rest = &self.text.as_bytes()[self.at..];
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        if count == 0 { Err(self.error()) } else { Ok(()) }
    }

    fn skip(&mut self, bytes: &[u8]) -> bool {
        let is_next = self.text.as_bytes().get(self.at).is_some_and(|byte| bytes.contains(byte));
        self.at += usize::from(is_next);
        is_next
    }

    fn number(&mut self) -> Result<(), JsonError> {
        self.skip(b"-");
        // JSON allows no digit after a leading zero.
        if !self.skip(b"0") {
            self.digits()?;
        }
        if self.skip(b".") {
            self.digits()?;
        }
        if self.skip(b"eE") {
            self.skip(b"+-");
            self.digits()?;
        }
        Ok(())
    }

    /// Reads a string and checks its escapes, so that decoding it later cannot fail.
    fn string(&mut self) -> Result<(), JsonError> {
        self.at += 1;
        loop {
            let byte = *self.text.as_bytes().get(self.at).ok_or(self.error())?;
            match byte {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => match unescape(&self.text[self.at..]) {
                    Some((_, length)) => self.at += length,
                    None => return Err(self.error()),
                },
                ..0x20 => return Err(self.error()),
                _ => self.at += 1,
            }
        }
    }
}

/// The character of an escape and its length in bytes; a surrogate pair takes two escapes.
fn unescape(text: &str) -> Option<(char, usize)> {
    let simple = match text.as_bytes().get(1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let unit = |at: usize| {
                let digits = text
                    .get(at..at + 4)
                    .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
                u16::from_str_radix(digits, 16).ok()
            };
            let high = unit(2)?;
            if !(0xd800..0xdc00).contains(&high) {
                return Some((char::from_u32(high.into())?, 6));
            }
            let low = if text.get(6..8)? == "\\u" { unit(8)? } else { return None };
            return Some((char::decode_utf16([high, low]).next()?.ok()?, 12));
        }
        _ => return None,
    };
    Some((simple, 2))
}

fn text_of(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let Some((c, length)) = unescape(&rest[at..]) else { break };
        out.push(c);
        rest = &rest[at + length..];
    }
    out.push_str(rest);
    out.into()
}

impl<'t> Json<'t> {
    fn value(self) -> &'t Value {
        &self.tape.values[self.index]
    }

    pub fn kind(self) -> Kind {
        self.value().kind
    }

    /// The byte at which the value starts.
    pub fn byte(self) -> usize {
        self.value().start as usize
    }

    fn children(self) -> impl Iterator<Item = Json<'t>> {
        let end = self.value().next as usize;
        let mut index = self.index + 1;
        core::iter::from_fn(move || {
            let child = Json { tape: self.tape, index };
            if index >= end {
                return None;
            }
            index = child.value().next as usize;
            Some(child)
        })
    }

    /// The members of an object with their names; empty for other values.
    pub fn members(self) -> impl Iterator<Item = (Cow<'t, str>, Json<'t>)> {
        let is_object = self.kind() == Kind::Object;
        self.children().take_while(move |_| is_object).map(|child| {
            let (start, end) = child.value().key;
            (text_of(&child.tape.text[start as usize..end as usize]), child)
        })
    }

    /// The last member with a name; `null` counts as missing.
    pub fn member(self, name: &str) -> Option<Json<'t>> {
        let found = self.members().filter(|(key, _)| key == name).last()?.1;
        (found.kind() != Kind::Null).then_some(found)
    }

    /// The elements of an array; empty for other values.
    pub fn elements(self) -> impl Iterator<Item = Json<'t>> {
        let is_array = self.kind() == Kind::Array;
        self.children().take_while(move |_| is_array)
    }

    pub fn as_str(self) -> Option<Cow<'t, str>> {
        let Value { kind, start, end, .. } = *self.value();
        (kind == Kind::String).then(|| text_of(&self.tape.text[start as usize + 1..end as usize - 1]))
    }

    /// The text of a number.
    pub fn as_number(self) -> Option<&'t str> {
        let Value { kind, start, end, .. } = *self.value();
        (kind == Kind::Number).then(|| &self.tape.text[start as usize..end as usize])
    }

    pub fn as_u32(self) -> Option<u32> {
        self.as_number()?.parse().ok()
    }

    pub fn as_bool(self) -> Option<bool> {
        match self.kind() {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }
}

/// Writes a string as JavaScript's `JSON.stringify` does.
pub(super) fn push_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\u{1f}' => out.push_str(&alloc::format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_parsed_and_faults_are_located() {
        let tape =
            Tape::parse(r#" {"a": [1, -2.5e3, {"b": null}], "c": "\u9ad9\ud83d\ude00\n", "a": true} "#)
                .unwrap();
        let root = tape.root();
        assert_eq!(root.members().map(|(name, _)| name).collect::<Vec<_>>(), ["a", "c", "a"]);
        assert_eq!(root.member("a").unwrap().as_bool(), Some(true));
        assert_eq!(root.member("c").unwrap().as_str().unwrap(), "高\u{1f600}\n".replace('高', "\u{9ad9}"));
        let array = root.members().next().unwrap().1;
        assert_eq!(
            array.elements().map(Json::kind).collect::<Vec<_>>(),
            [Kind::Number, Kind::Number, Kind::Object]
        );
        for (text, byte) in [
            ("", 0),
            ("[1,]", 3),
            ("[01]", 2),
            ("{\"a\" 1}", 5),
            ("[1 2]", 3),
            ("\"\\ud800\"", 1),
            ("\"\\ud800\\u0041\"", 1),
            ("\"\t\"", 1),
            ("\"a", 2),
            ("nul", 0),
            ("1 1", 2),
            ("{1:2}", 1),
        ] {
            assert_eq!(Tape::parse(text).unwrap_err().byte, byte, "{text}");
        }
        let deep = "[".repeat(100_000);
        assert_eq!(Tape::parse(&deep).unwrap_err().byte, 100_000);
        assert!(Tape::parse(&(deep + &"]".repeat(100_000))).is_ok());
    }
}
