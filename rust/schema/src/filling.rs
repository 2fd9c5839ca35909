//! Filling: a default as decoding adds it: its bytes, and what it costs. It knows no schema.

use variant_core::{Cost, Value, Walker};

/// Stands in for a key or an element that is missing.
#[derive(Debug)]
pub(crate) struct Filling {
    /// As an engine writes it; of a key, that before it.
    pub(crate) bytes: Box<[u8]>,
    /// The amount it counts against the limits, without its place in the container.
    pub(crate) cost: Cost,
}

impl Filling {
    /// An element. It is empty where no engine could write the value, which none can then fill in either.
    pub(crate) fn of_element(default: &Value) -> Filling {
        let bytes = default.encode().unwrap_or_default();
        Filling { cost: cost(&bytes), bytes: bytes.into() }
    }

    /// A key and its value.
    pub(crate) fn of_entry(name: &str, default: &Value) -> Option<Filling> {
        let (key, default) = (Value::String(name.to_owned()).encode().ok()?, default.encode().ok()?);
        Some(Filling { cost: cost(&key).and(cost(&default)), bytes: [key, default].concat().into() })
    }
}

fn cost(bytes: &[u8]) -> Cost {
    Walker::new().cost(bytes).unwrap_or_default()
}
