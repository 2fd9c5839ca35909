//! ToVariant: the sink that builds Godot's own values straight from the walk, no tree between.
//!
//! What it must not do: check bytes (the walker has), print, load anything, or build an object from its class.

mod coerce;
mod container;
mod engine_leaf;
mod leaf;
mod packed;
mod text;

pub(crate) use coerce::coerced;
pub(crate) use container::{OBJECT_CLASS, Partial};

use godot::builtin::Variant;
use variant_core::token::{Container, Leaf, Text};
use variant_core::{Refusal, Sink};

/// Builds a Variant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToVariant {
    /// ENGINE strictness: elements of another type are converted or dropped as the engine does it. In SAFE the
    /// walker has refused them already.
    pub(crate) coerces: bool,
}

impl Sink for ToVariant {
    type Output = Variant;
    type Frame = Partial;

    fn leaf(&mut self, _: u64, leaf: Leaf<'_>) -> Result<Variant, Refusal> {
        leaf::build(&leaf)
    }

    fn open(&mut self, _: u64, container: Container<'_>, reserve: usize) -> Result<Partial, Refusal> {
        Partial::open(&container, reserve, self.coerces)
    }

    fn text(&mut self, frame: &mut Partial, text: Text<'_>) -> Result<(), Refusal> {
        frame.text(&text)
    }

    fn key(&mut self, frame: &mut Partial, key: Variant) -> Result<(), Refusal> {
        frame.key(key)
    }

    fn item(&mut self, frame: &mut Partial, item: Variant) -> Result<(), Refusal> {
        frame.item(item)
    }

    fn close(&mut self, frame: Partial) -> Result<Variant, Refusal> {
        frame.close()
    }
}
