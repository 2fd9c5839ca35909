//! DefaultingSink: a validator before another sink, which builds. It builds defaults for keys that are missing, and
//! opens containers with the types that the schema declares for them.

use variant_core::token::{Container, ContainerType, Leaf, Text};
use variant_core::{Cost, Refusal, Rules, Sink, Value, VariantType, Walker};

use crate::program::ShapeRules;
use crate::validator::Validator;

/// Checks, then builds: nothing is built of a value that the schema refuses, up to where it is refused.
#[derive(Debug)]
pub struct DefaultingSink<'a, B> {
    validator: Validator<'a>,
    pub(crate) build: B,
}

impl<'a, B: Sink> DefaultingSink<'a, B> {
    /// `validator` asks first, `build` makes the value.
    pub const fn new(validator: Validator<'a>, build: B) -> DefaultingSink<'a, B> {
        DefaultingSink { validator, build }
    }

    /// Returns the sink that makes the value, for what the schema does not see.
    pub const fn build(&mut self) -> &mut B {
        &mut self.build
    }

    /// Adds what is missing and has a default, in the order of the schema: keys, and elements of a tuple.
    fn fill(&mut self, frame: &mut B::Frame) -> Result<(), Refusal> {
        let dict = match self.validator.innermost() {
            ShapeRules::Dict(dict) => dict,
            ShapeRules::Tuple(tuple) => {
                return tuple.missing(self.validator.done()).iter().try_for_each(|default| {
                    let value = built(default, &mut self.build)?;
                    self.build.item(frame, value)
                });
            }
            _ => return Ok(()),
        };
        // Where names are declared, a String would be none.
        let of_keys = match self.validator.declared().0 {
            Some(VariantType::StringName) => VariantType::StringName,
            _ => VariantType::String,
        };
        for (number, key) in dict.keys.iter().enumerate() {
            let Some(default) = &key.default else { continue };
            if !self.validator.has_own_key(number) {
                let name = self.build.leaf(0, Leaf::Text(of_keys, Text::new(&key.name)))?;
                self.build.key(frame, name)?;
                let value = built(default, &mut self.build)?;
                self.build.item(frame, value)?;
            }
        }
        Ok(())
    }

    /// The container as it is to be built, with so many elements that are filled in.
    fn typed<'c>(&self, container: Container<'c>, missing: usize) -> Container<'c> {
        let declared = |ty: &Option<VariantType>, without_filling: ContainerType<'c>| {
            ty.map_or(without_filling, ContainerType::Builtin)
        };
        let program = self.validator.program();
        match (self.validator.innermost(), container) {
            (ShapeRules::Array { typed, .. }, Container::Array { element, count }) => {
                Container::Array { element: declared(typed, element), count }
            }
            (ShapeRules::Tuple(_), Container::Array { element, count }) => {
                // What is filled in need not be of the type that the bytes declare.
                let element = if missing > 0 { ContainerType::None } else { element };
                let missing = u32::try_from(missing).unwrap_or(u32::MAX);
                Container::Array { element, count: count.saturating_add(missing) }
            }
            (what @ ShapeRules::Tuples(_), Container::Array { count, .. })
                if program.may_lack(what, count) =>
            {
                Container::Array { element: ContainerType::None, count }
            }
            (what @ (ShapeRules::Dict(_) | ShapeRules::Kinds(_)), Container::Dictionary { count, .. })
                if program.outgrows(what, self.validator.declared(), count) =>
            {
                Container::Dictionary { key: ContainerType::None, value: ContainerType::None, count }
            }
            (ShapeRules::Map { typed, .. }, Container::Dictionary { key, value, count }) => {
                let (of_key, of_value) = typed;
                Container::Dictionary { key: declared(of_key, key), value: declared(of_value, value), count }
            }
            _ => container,
        }
    }
}

/// A value of the schema's own, in the form that the sink makes.
fn built<B: Sink>(value: &Value, build: &mut B) -> Result<B::Output, Refusal> {
    if let Some(leaf) = value.as_leaf() {
        return build.leaf(0, leaf);
    }
    let bytes = value.encode().map_err(|error| error.kind())?;
    let built = Walker::new().decode(&bytes, &Rules::engine(), build);
    built.map(|(value, _)| value).map_err(|error| error.kind())
}

impl<B: Sink> Sink for DefaultingSink<'_, B> {
    type Output = B::Output;
    type Frame = B::Frame;

    fn adds(&mut self) -> (u64, Cost) {
        self.validator.adds()
    }

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<B::Output, Refusal> {
        self.validator.leaf(at, leaf)?;
        self.build.leaf(at, leaf)
    }

    fn open(&mut self, at: u64, container: Container<'_>, reserve: usize) -> Result<B::Frame, Refusal> {
        self.validator.open(at, container, reserve)?;
        let missing = match (self.validator.innermost(), &container) {
            (ShapeRules::Tuple(tuple), Container::Array { count, .. }) => tuple.missing(*count).len(),
            _ => 0,
        };
        // Room for what is missing is made when it is filled in: before, it is not charged.
        self.build.open(at, self.typed(container, missing), reserve)
    }

    fn text(&mut self, frame: &mut B::Frame, text: Text<'_>) -> Result<(), Refusal> {
        self.validator.text(&mut (), text)?;
        self.build.text(frame, text)
    }

    fn key_hash(&self, key: &B::Output) -> Option<u32> {
        self.build.key_hash(key)
    }

    fn key(&mut self, frame: &mut B::Frame, key: B::Output) -> Result<(), Refusal> {
        self.build.key(frame, key)
    }

    fn item(&mut self, frame: &mut B::Frame, item: B::Output) -> Result<(), Refusal> {
        self.build.item(frame, item)
    }

    fn close(&mut self, mut frame: B::Frame) -> Result<B::Output, Refusal> {
        if self.validator.program().shapes {
            self.fill(&mut frame)?;
        }
        self.validator.close(())?;
        self.build.close(frame)
    }
}
