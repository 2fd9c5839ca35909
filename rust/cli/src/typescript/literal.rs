//! Has the words of JavaScript for values.

use variant_core::Value;
use variant_pack::parts::Node;

use crate::literals::{self, Syntax, place, text};

/// Whole numbers beyond this are bigints.
pub(super) const SAFE: i128 = (1 << 53) - 1;

/// Writes a whole number, as a bigint where a number would not be exact.
fn int(number: impl Into<i128>) -> String {
    let number = number.into();
    let suffix = if number.abs() > SAFE { "n" } else { "" };
    format!("{number}{suffix}")
}

pub(super) struct JavaScript;

impl Syntax for JavaScript {
    const NOT_FINITE: [&'static str; 3] = ["NaN", "Infinity", "-Infinity"];
    const FLOAT_MARK: &'static str = "";
    const NAME: usize = 0;

    fn int(number: i64) -> String {
        int(number)
    }

    fn bytes(bytes: &[u8]) -> String {
        format!("decodeVariant(Uint8Array.from({}))", Self::array("byte", bytes.iter().map(u8::to_string)))
    }

    fn list(items: &[String]) -> String {
        format!("[{}]", items.join(", "))
    }

    fn map(entries: &[(String, String)]) -> String {
        let entries = entries.iter().map(|(key, value)| format!("[{key}, {value}]"));
        format!("new Map({})", Self::array("object", entries))
    }

    fn fields(entries: &[(String, String)]) -> String {
        let entries = entries.iter().map(|(key, value)| format!("[{key}]: {value}"));
        Self::object("object", &entries.collect::<Vec<_>>())
    }

    fn object(_: &str, members: &[String]) -> String {
        format!("{{ {} }}", members.join(", "))
    }

    fn array(_: &str, items: impl IntoIterator<Item = String>) -> String {
        Self::list(&items.into_iter().collect::<Vec<_>>())
    }

    fn member(name: &str, value: &str) -> String {
        format!("{name}: {value}")
    }

    fn other(value: &Value) -> Result<String, String> {
        match value {
            Value::NodePath(path) => {
                let names = |names: &[String]| Self::array("string", names.iter().map(|name| text(name)));
                let (absolute, names, subnames) = (path.absolute, names(&path.names), names(&path.subnames));
                Ok(format!("{{ absolute: {absolute}, names: {names}, subnames: {subnames} }}"))
            }
            Value::Array(array) => {
                let items = array.items.iter().map(literals::plain::<Self>);
                Ok(Self::list(&items.collect::<Result<Vec<_>, _>>()?))
            }
            other => {
                let numbers = literals::numbers(other)?;
                let is_list = numbers.is_array();
                is_list.then(|| numbers.to_string()).ok_or("a Dictionary among listed values".to_owned())
            }
        }
    }

    fn children(names: &[&str], parts: &[usize]) -> String {
        let each = names.iter().zip(parts).map(|(name, part)| Self::member(name, &part.to_string()));
        each.collect::<Vec<_>>().join(", ")
    }

    fn count(number: u64) -> String {
        number.to_string()
    }

    fn far(number: u64) -> String {
        int(number)
    }

    /// Keys are told by their places, which are listed in memory: 2^31 of them is more than any list has.
    fn last_key(part: &Node, last: u64) -> Result<String, String> {
        let is_narrow = last < 1 << 31;
        is_narrow
            .then(|| last.to_string())
            .ok_or_else(|| format!("{}: its keys have a range that is too wide", place(part)))
    }

    /// A value that has keys is not compared.
    fn listed(part: &Node, value: &Value) -> Result<String, String> {
        if matches!(value, Value::Dictionary(_) | Value::NodePath(_)) {
            return Err(format!("{}: a listed value that has parts has no form here", place(part)));
        }
        literals::plain::<Self>(value)
    }

    fn lazy(value: String) -> String {
        value
    }
}
