//! Defines the sink that builds Godot's own values straight from the walk, without a tree between.
//!
//! It does not check bytes, because the walker has; it does not print, load anything, or build an object from
//! its class.

mod coerce;
mod container;
mod engine_leaf;
mod leaf;
mod reference;
mod text;

pub(crate) use container::{OBJECT_CLASS, Partial};
pub(crate) use leaf::REALS;
pub(crate) use reference::References;

use godot::builtin::Variant;
use godot::meta::ToGodot;
use variant_core::token::{Container, ContainerType, Leaf, Text};
use variant_core::{Limits, Refusal, Rules, Sink, Strictness, VariantType, Walker};

use crate::engine::key_hashes;

/// Builds a Variant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToVariant {
    /// Whether elements of another type are converted or dropped as the engine does (ENGINE strictness). In
    /// SAFE the walker has refused them already.
    coerces: bool,
    references: References,
    /// The type of the reference for which the last leaf is plain data.
    stands_for: Option<VariantType>,
}

impl ToVariant {
    pub(crate) const fn new(references: References) -> Self {
        Self { coerces: false, references, stands_for: None }
    }

    /// Builds as these rules ask for.
    pub(crate) fn by(rules: &Rules) -> Self {
        let coerces = rules.strictness == Strictness::Engine;
        Self { coerces, ..Self::new(References::of(&rules.limits)) }
    }

    /// Takes the type of the reference for which the child that is finished now is plain data, if it is.
    fn stands_for(&mut self) -> Option<VariantType> {
        self.stands_for.take()
    }
}

/// Builds the one value, which has been checked, that bytes begin with, and tells how many bytes it took.
pub(crate) fn first(bytes: &[u8], references: References) -> Option<(Variant, usize)> {
    let rules =
        Rules { strictness: Strictness::Engine, limits: Limits::engine(), reals: REALS, ..Rules::default() };
    let (value, extent) = Walker::new().decode(bytes, &rules, &mut ToVariant::new(references)).ok()?;
    Some((value, usize::try_from(extent.consumed).ok()?))
}

/// Makes an empty Dictionary of these types, which are none of references.
pub(crate) fn empty_dictionary(key: &ContainerType<'_>, value: &ContainerType<'_>) -> Option<Variant> {
    let dictionary = container::dictionary(key, value, References::PlainData);
    dictionary.ok().map(|dictionary| dictionary.to_variant())
}

impl Sink for ToVariant {
    type Output = Variant;
    type Frame = Partial;

    fn leaf(&mut self, _: u64, leaf: Leaf<'_>) -> Result<Variant, Refusal> {
        if self.references == References::PlainData
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
