//! Tree: a JSON value with its keys in the order they were written, and its ints apart from its floats.

use std::fmt::{self, Write};

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

impl Json {
    pub(crate) fn text(text: &str) -> Json {
        Json::Text(text.to_owned())
    }

    pub(crate) fn list<T>(items: &[T], json: impl Fn(&T) -> Json) -> Json {
        Json::List(items.iter().map(json).collect())
    }

    /// On several lines, two spaces a level; lists of plain values stay on one.
    pub(crate) fn pretty(&self) -> String {
        let mut text = String::new();
        self.put(&mut text, Some(0));
        text.push('\n');
        text
    }

    /// On one line without spaces.
    pub(crate) fn compact(&self) -> String {
        let mut text = String::new();
        self.put(&mut text, None);
        text
    }

    fn put(&self, text: &mut String, level: Option<usize>) {
        let written = match self {
            Json::Null => write!(text, "null"),
            Json::Bool(value) => write!(text, "{value}"),
            Json::Int(value) => write!(text, "{value}"),
            // With a point or an exponent, so that it is read as a float again.
            Json::Float(value) => write!(text, "{value:?}"),
            Json::Text(value) => write!(text, "{}", crate::describe::quoted(value)),
            Json::List(items) => {
                let is_plain = items.iter().all(|item| !matches!(item, Json::List(_) | Json::Map(_)));
                let level = level.filter(|_| !is_plain);
                let space = if is_plain { ", " } else { "," };
                text.push('[');
                put_all(text, items, level, space, |text, item, level| item.put(text, level));
                text.write_char(']')
            }
            Json::Map(entries) => {
                text.push('{');
                put_all(text, entries, level, ",", |text, (key, value), level| {
                    text.push_str(&crate::describe::quoted(key));
                    text.push_str(if level.is_some() { ": " } else { ":" });
                    value.put(text, level);
                });
                text.write_char('}')
            }
        };
        debug_assert!(written.is_ok(), "a String takes all");
    }
}

fn put_all<T>(
    text: &mut String,
    items: &[T],
    level: Option<usize>,
    comma: &str,
    put: impl Fn(&mut String, &T, Option<usize>),
) {
    let inner = level.map(|level| level.saturating_add(1));
    let line = |text: &mut String, level: Option<usize>| {
        if let Some(level) = level {
            text.push('\n');
            text.push_str(&"  ".repeat(level));
        }
    };
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            text.push_str(comma);
        }
        line(text, inner);
        put(text, item, inner);
    }
    if !items.is_empty() {
        line(text, level);
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Int(value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Json, E> {
        i64::try_from(value).map(Json::Int).map_err(|_| E::custom("an int of more than 63 bits"))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(Json::Map(map))
    }
}
