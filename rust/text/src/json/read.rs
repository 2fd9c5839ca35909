//! Reads a Value from JSON: the forms of `json/write.rs`, with serde_json's reader under our own limits.
//!
//! A level of a Value takes a few levels of JSON, which take stack: a value deeper than `INLINE_DEPTH` is
//! read on a thread with a stack for all its levels. Messages name what was expected and never quote the
//! text.

mod numbers;
mod parts;
mod tagged;
mod whole;

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserializer, de};
use variant_core::{Dictionary, Limits, Value};

use super::tag::JsonTag;
use super::{ENTRIES, MARK};
use tagged::TaggedReader;

/// The levels for which any thread's stack is enough.
const INLINE_DEPTH: u64 = 64;
/// The bytes of stack that one level may take, in builds without optimisation too.
const STACK_OF_LEVEL: u64 = 32 << 10;

/// The levels that are read where there are no threads, as in most engines for browsers: as many as an engine
/// reads. Chromium's stack is enough for them.
const DEPTH_WITHOUT_THREADS: u64 = Limits::engine().max_depth;

/// Says why JSON was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// The line of the text, from 1; 0 when no place is at fault.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The description of the fault.
    pub message: String,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            return f.write_str(&self.message);
        }
        write!(f, "{} (line {}, column {})", self.message, self.line, self.column)
    }
}

impl std::error::Error for JsonError {}

/// Reads tagged JSON. Only the limits `max_depth` and `max_values` hold here; writing the value has its own.
///
/// # Errors
/// Reports the first fault and its place.
pub fn from_json(text: &str, limits: &Limits) -> Result<Value, JsonError> {
    if limits.max_depth <= INLINE_DEPTH || deepest(text) <= INLINE_DEPTH {
        return read(text, limits);
    }
    let levels = limits.max_depth.min(deepest(text)).saturating_add(16);
    let stack = usize::try_from(levels.saturating_mul(STACK_OF_LEVEL)).unwrap_or(usize::MAX);
    std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, || read(text, limits));
        match reader {
            Ok(reader) => reader.join().unwrap_or_else(|_| Err(failed("the reader gave up"))),
            Err(_) => read_here(text, limits),
        }
    })
}

/// Reads on this thread when there is no other.
fn read_here(text: &str, limits: &Limits) -> Result<Value, JsonError> {
    match limits.max_depth.min(deepest(text)) {
        0..=DEPTH_WITHOUT_THREADS => read(text, limits),
        _ => Err(failed("it is nested too deep to be read without a thread, and none can be had")),
    }
}

fn failed(message: &str) -> JsonError {
    JsonError { line: 0, column: 0, message: message.to_owned() }
}

/// Counts the brackets that are open at once, or more: brackets in texts count too, which only costs a larger
/// stack.
fn deepest(text: &str) -> u64 {
    let (mut open, mut most) = (0_u64, 0);
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => (),
        }
        most = most.max(open);
    }
    most
}

fn read(text: &str, limits: &Limits) -> Result<Value, JsonError> {
    let left = Cell::new(limits.max_values);
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let seed = Seed { depth: limits.max_depth, left: &left };
    let read =
        seed.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value)).map_err(|error| {
            let message = without_quotes(&error.to_string());
            JsonError { line: error.line(), column: error.column(), message }
        });
    match (read, whole::beyond_int(text)) {
        (Err(first), Some(later)) if (first.line, first.column) <= (later.line, later.column) => Err(first),
        (_, Some(beyond)) => Err(beyond),
        (read, None) => read,
    }
}

/// Removes the place that serde_json puts behind its messages, which ours have apart, and its quotation of
/// what it did not expect.
fn without_quotes(message: &str) -> String {
    let message = message.rsplit_once(" at line ").map_or(message, |(before, _)| before);
    match message.rsplit_once(", expected ") {
        Some((_, expected)) if message.starts_with("invalid ") => format!("expected {expected}"),
        _ => message.to_owned(),
    }
}

/// Reads a value of at most `depth` levels, and of as many values in all as are `left`.
#[derive(Clone, Copy)]
struct Seed<'l> {
    depth: u64,
    left: &'l Cell<u64>,
}

impl Seed<'_> {
    /// Goes one level down, where one is left.
    fn below<E: de::Error>(self) -> Result<Self, E> {
        let depth = self.depth.checked_sub(1).ok_or_else(|| E::custom("nested deeper than max_depth"))?;
        Ok(Seed { depth, ..self })
    }

    fn count<E: de::Error>(self) -> Result<(), E> {
        let left = self.left.get().checked_sub(1).ok_or_else(|| E::custom("more values than max_values"))?;
        self.left.set(left);
        Ok(())
    }

    fn items<'de, A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<Value>, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            all.push(item);
        }
        Ok(all)
    }
}

/// Reads whatever a visitor takes.
struct AnySeed<V>(V);

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for AnySeed<V> {
    type Value = V::Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<V::Value, D::Error> {
        reader.deserialize_any(self.0)
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        self.count()?;
        reader.deserialize_any(self.below()?)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Nil)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        i64::try_from(value).map(Value::Int).map_err(|_| E::custom("an int above 9223372036854775807"))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        parts::text(text.to_owned()).map(Value::String)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Value, A::Error> {
        self.items(items).map(Value::from)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let Some(first) = members.next_key::<String>()? else {
            return Ok(Value::Dictionary(Box::default()));
        };
        match first.strip_prefix(MARK) {
            Some(tag) if first != ENTRIES => {
                let tag = JsonTag::read(tag).ok_or_else(|| A::Error::custom("a tag that names no type"))?;
                let value = members.next_value_seed(TaggedReader { tag, seed: self })?;
                match members.next_key::<String>()? {
                    None => Ok(value),
                    Some(_) => Err(A::Error::custom("a tag is the only member of its object")),
                }
            }
            _ => EntryReader { seed: self, dictionary: Dictionary::default() }.read(members, Some(first)),
        }
    }
}

/// Reads a Dictionary whose declared types are known.
struct EntryReader<'l> {
    seed: Seed<'l>,
    dictionary: Dictionary,
}

impl EntryReader<'_> {
    fn read<'de, A: MapAccess<'de>>(
        mut self,
        mut members: A,
        first: Option<String>,
    ) -> Result<Value, A::Error> {
        let mut name = match first {
            Some(first) => Some(first),
            None => members.next_key::<String>()?,
        };
        while let Some(key) = name {
            if key == ENTRIES {
                let pairs = Pairs { seed: self.seed, entries: &mut self.dictionary.entries };
                members.next_value_seed(AnySeed(pairs))?;
            } else if key.starts_with(MARK) {
                return Err(A::Error::custom("a key that begins with $ stands among $entries"));
            } else {
                self.seed.count()?;
                let value = members.next_value_seed(self.seed)?;
                self.dictionary.entries.push((Value::String(parts::text(key)?), value));
            }
            name = members.next_key::<String>()?;
        }
        Ok(Value::Dictionary(Box::new(self.dictionary)))
    }
}

impl<'de> Visitor<'de> for EntryReader<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the entries of a Dictionary")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Value, A::Error> {
        self.read(members, None)
    }
}

struct Pairs<'l, 'e> {
    seed: Seed<'l>,
    entries: &'e mut Vec<(Value, Value)>,
}

impl<'de> Visitor<'de> for Pairs<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("pairs of key and value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut pairs: A) -> Result<(), A::Error> {
        while let Some(pair) = pairs.next_element_seed(AnySeed(Pair(self.seed)))? {
            self.entries.push(pair);
        }
        Ok(())
    }
}

struct Pair<'l>(Seed<'l>);

impl<'de> Visitor<'de> for Pair<'_> {
    type Value = (Value, Value);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key and a value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut pair: A) -> Result<Self::Value, A::Error> {
        let mut next = || pair.next_element_seed(self.0);
        match (next()?, next()?, next()?) {
            (Some(key), Some(value), None) => Ok((key, value)),
            _ => Err(A::Error::custom("a pair has a key and a value")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_threads_what_is_too_deep_is_refused() {
        let nested = |levels: u64| {
            let levels = usize::try_from(levels).unwrap();
            ["[".repeat(levels), "]".repeat(levels)].concat()
        };
        let limits = Limits::engine();
        assert_eq!(read_here(&nested(60), &limits), read(&nested(60), &limits));
        assert!(read_here(&nested(60), &limits).is_ok());
        let deeper = Limits { max_depth: DEPTH_WITHOUT_THREADS + 1, ..limits };
        let refused = read_here(&nested(DEPTH_WITHOUT_THREADS + 1), &deeper).unwrap_err();
        assert!(refused.message.contains("without a thread"), "{refused}");
    }
}
