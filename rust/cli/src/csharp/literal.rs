//! Has the words of C# for values, in the plain form that the runtime works with.

use variant_core::Value;
use variant_pack::parts::Node;

use crate::literals::{self, Syntax, place};

fn int(number: i64) -> String {
    // The least number has no literal: its digits alone are too large.
    if number == i64::MIN { "long.MinValue".to_owned() } else { format!("{number}L") }
}

pub(super) struct CSharp;

impl Syntax for CSharp {
    const NOT_FINITE: [&'static str; 3] =
        ["double.NaN", "double.PositiveInfinity", "double.NegativeInfinity"];
    const FLOAT_MARK: &'static str = "d";
    const NAME: usize = 1;

    fn int(number: i64) -> String {
        int(number)
    }

    fn bytes(bytes: &[u8]) -> String {
        Self::array("byte", bytes.iter().map(u8::to_string))
    }

    fn list(items: &[String]) -> String {
        if items.is_empty() {
            "new List<object>()".to_owned()
        } else {
            format!("new List<object> {{ {} }}", items.join(", "))
        }
    }

    fn map(entries: &[(String, String)]) -> String {
        let entry =
            |(key, value): &(String, String)| format!("new KeyValuePair<object, object>({key}, {value})");
        Self::list(&entries.iter().map(entry).collect::<Vec<_>>())
    }

    fn fields(entries: &[(String, String)]) -> String {
        let entries: Vec<String> =
            entries.iter().map(|(key, value)| format!("{{ {key}, {value} }}")).collect();
        format!("new Dictionary<string, object> {{ {} }}", entries.join(", "))
    }

    fn object(class: &str, members: &[String]) -> String {
        format!("new {class} {{ {} }}", members.join(", "))
    }

    fn array(of: &str, items: impl IntoIterator<Item = String>) -> String {
        format!("new {of}[] {{ {} }}", items.into_iter().collect::<Vec<_>>().join(", "))
    }

    fn member(name: &str, value: &str) -> String {
        let (first, rest) = name.split_at(1);
        format!("{}{rest} = {value}", first.to_uppercase())
    }

    fn children(_: &[&str], parts: &[usize]) -> String {
        Self::member("items", &Self::array("int", parts.iter().map(usize::to_string)))
    }

    fn other(value: &Value) -> Result<String, String> {
        match value {
            Value::Vector2i(numbers) => Ok(longs(numbers)),
            Value::Vector3i(numbers) => Ok(longs(numbers)),
            Value::Vector4i(numbers) | Value::Rect2i(numbers) => Ok(longs(numbers)),
            Value::Dictionary(_)
            | Value::Array(_)
            | Value::NodePath(_)
            | Value::PackedVector2Array(_)
            | Value::PackedVector3Array(_)
            | Value::PackedVector4Array(_)
            | Value::PackedColorArray(_) => {
                Err("a value that has parts among listed values or defaults".to_owned())
            }
            other => {
                let tree = literals::numbers(other)?;
                let numbers = tree.as_array().ok_or("a value that is no list of numbers")?;
                // Numbers of 32 bits are written as short as those allow.
                let number = |number: &serde_json::Value| number.as_f64().unwrap_or(0.0) as f32;
                Ok(Self::array("double", numbers.iter().map(|it| Self::float(f64::from(number(it))))))
            }
        }
    }

    fn count(number: u64) -> String {
        format!("{number}UL")
    }

    fn far(number: u64) -> String {
        Self::count(number)
    }

    fn last_key(_: &Node, last: u64) -> Result<String, String> {
        Ok(Self::count(last))
    }

    fn listed(part: &Node, value: &Value) -> Result<String, String> {
        literals::plain::<Self>(value).map_err(|error| format!("{}: {error} has no form here", place(part)))
    }

    fn lazy(value: String) -> String {
        format!("() => {value}")
    }
}

fn longs(numbers: &[i32]) -> String {
    CSharp::array("long", numbers.iter().map(|number| int(i64::from(*number))))
}
