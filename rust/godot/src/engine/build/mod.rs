//! Defines the sink that builds Godot's own values straight from the walk, without a tree between.
//!
//! It does not check bytes, because the walker has; it does not print, load anything, or build an object from
//! its class.

mod coerce;
mod container;
mod engine_leaf;
mod leaf;
mod packed;
mod reference;
mod text;

pub(crate) use container::{OBJECT_CLASS, Partial};
pub(crate) use leaf::REALS;
pub(crate) use reference::{fitted, held};

use godot::builtin::Variant;
use godot::meta::ToGodot;
use variant_core::token::{Container, ContainerType, Leaf, Text};
use variant_core::{Refusal, Sink, VariantType};

use crate::engine::key_hashes;

/// Builds a Variant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToVariant {
    /// Whether elements of another type are converted or dropped as the engine does (ENGINE strictness). In
    /// SAFE the walker has refused them already.
    pub(crate) coerces: bool,
    /// Whether references into the running game are made as the engine makes them, and not as plain data.
    pub(crate) is_live: bool,
    /// The type of the reference for which the last leaf is plain data.
    stands_for: Option<VariantType>,
}

impl ToVariant {
    pub(crate) fn new(coerces: bool, is_live: bool) -> Self {
        Self { coerces, is_live, stands_for: None }
    }

    /// Takes the type of the reference for which the child that is finished now is plain data, if it is.
    pub(crate) fn stands_for(&mut self) -> Option<VariantType> {
        self.stands_for.take()
    }
}

/// Makes an empty Dictionary of these types.
pub(crate) fn empty_dictionary(
    key: &ContainerType<'_>,
    value: &ContainerType<'_>,
    is_live: bool,
) -> Option<Variant> {
    container::dictionary(key, value, is_live).ok().map(|dictionary| dictionary.to_variant())
}

impl Sink for ToVariant {
    type Output = Variant;
    type Frame = Partial;

    fn leaf(&mut self, _: u64, leaf: Leaf<'_>) -> Result<Variant, Refusal> {
        if !self.is_live
            && let Some(plain) = reference::plain(&leaf)
        {
            self.stands_for = Some(leaf.ty());
            return Ok(plain);
        }
        leaf::build(&leaf)
    }

    fn open(&mut self, _: u64, container: Container<'_>, reserve: usize) -> Result<Partial, Refusal> {
        Partial::open(&container, reserve, self)
    }

    fn text(&mut self, frame: &mut Partial, text: Text<'_>) -> Result<(), Refusal> {
        frame.text(&text)
    }

    fn key_hash(&self, key: &Variant) -> Option<u32> {
        key_hashes::of(key)
    }

    fn key(&mut self, frame: &mut Partial, key: Variant) -> Result<(), Refusal> {
        frame.key(key, self.stands_for())
    }

    fn item(&mut self, frame: &mut Partial, item: Variant) -> Result<(), Refusal> {
        frame.item(item, self.stands_for())
    }

    fn close(&mut self, frame: Partial) -> Result<Variant, Refusal> {
        frame.close()
    }
}
