//! KeyHash: computes the engine's hash of a key while it is read, whatever it is made of. It knows no table.
//!
//! The bytes do not tell the address of an object: each gets a number of its own.

use crate::sink::{Refusal, Sink};
use crate::token::{Container, Lanes, Leaf, Text};
use crate::wire::{Lane, Layout, RealWidth, VariantType, hash};

/// The containers of the key that is being read, outermost first.
#[derive(Debug, Default)]
pub(crate) struct KeyHash {
    open: Vec<Part>,
    /// Objects so far.
    objects: u64,
    /// The hash of the value completed last.
    last: u32,
    /// For the sink: how wide the build's real numbers are.
    reals: RealWidth,
}

/// A container whose parts are still coming.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// Array, Dictionary or PackedStringArray: the hashes of the parts, one after another.
    Chain(u32),
    /// A container that is empty, or nested too deep for the engine to hash its parts.
    Fixed(u32),
    /// Names and sub-names, each joined to one text.
    Path { absolute: bool, left: u32, names: u32, subnames: u32, is_first: bool },
}

impl KeyHash {
    /// Hashes a whole value, in a build of this precision.
    pub(crate) fn alone(reals: RealWidth) -> KeyHash {
        KeyHash { reals, ..KeyHash::default() }
    }

    pub(crate) fn clear(&mut self) {
        self.open.clear();
        self.objects = 0;
    }

    /// Tells whether the values that come are parts of a key.
    #[inline]
    pub(crate) const fn is_inside(&self) -> bool {
        !self.open.is_empty()
    }

    pub(crate) const fn last(&self) -> u32 {
        self.last
    }

    pub(crate) fn leaf(&mut self, leaf: &Leaf<'_>, reals: RealWidth) {
        let hash = match leaf {
            Leaf::ObjectId(id) if *id != 0 => self.object(),
            other => of_leaf(other, reals),
        };
        self.complete(hash);
    }

    pub(crate) fn open(&mut self, container: &Container<'_>) {
        let too_deep = self.open.len() > hash::MAX_RECURSION;
        let part = match *container {
            Container::Array { .. } | Container::Dictionary { .. } if too_deep => Part::Fixed(0),
            Container::Array { .. } | Container::Dictionary { .. } => {
                Part::Chain(hash::word(hash::SEED, u32::from(container.ty().id())))
            }
            Container::PackedStrings { count: 0 } => Part::Fixed(hash::SEED),
            Container::PackedStrings { .. } => Part::Chain(hash::SEED),
            Container::Object { .. } => Part::Fixed(self.object()),
            Container::NodePath { absolute: false, names: 0, subnames: 0 } => Part::Fixed(0),
            Container::NodePath { absolute, names, .. } => {
                let empty = hash::text("");
                Part::Path { absolute, left: names, names: empty, subnames: empty, is_first: true }
            }
        };
        self.open.push(part);
    }

    /// Takes a bare text of the innermost container. The name of an Object's property is no part of any hash.
    pub(crate) fn text(&mut self, text: &Text<'_>) {
        match self.open.last_mut() {
            Some(Part::Chain(chain)) => *chain = hash::word(*chain, of_text(text)),
            Some(Part::Path { left, names, subnames, is_first, .. }) => {
                let (joined, separator) = if *left > 0 { (names, "/") } else { (subnames, ":") };
                let before = if *is_first { *joined } else { hash::more_text(*joined, separator) };
                *joined = hash::more_text(before, text.as_str());
                *is_first = *left == 1;
                *left = left.saturating_sub(1);
            }
            Some(Part::Fixed(_)) | None => {}
        }
    }

    pub(crate) fn close(&mut self) {
        let hash = match self.open.pop() {
            Some(Part::Chain(chain)) => hash::finish(chain),
            Some(Part::Fixed(hash)) => hash,
            Some(Part::Path { absolute, names, subnames, .. }) => {
                let both = hash::int(u64::from(names) << 32 | u64::from(subnames));
                if absolute { both } else { !both }
            }
            None => return,
        };
        self.complete(hash);
    }

    fn complete(&mut self, hash: u32) {
        self.last = hash;
        if let Some(Part::Chain(chain)) = self.open.last_mut() {
            *chain = hash::word(*chain, hash);
        }
    }

    fn object(&mut self) -> u32 {
        self.objects = self.objects.wrapping_add(1);
        hash::int(self.objects)
    }
}

/// As a sink it hashes a whole value.
impl Sink for KeyHash {
    type Output = ();
    type Frame = ();

    fn leaf(&mut self, _: u64, leaf: Leaf<'_>) -> Result<(), Refusal> {
        self.leaf(&leaf, self.reals);
        Ok(())
    }

    fn open(&mut self, _: u64, container: Container<'_>, _: usize) -> Result<(), Refusal> {
        self.open(&container);
        Ok(())
    }

    fn text(&mut self, (): &mut (), text: Text<'_>) -> Result<(), Refusal> {
        self.text(&text);
        Ok(())
    }

    fn close(&mut self, (): ()) -> Result<(), Refusal> {
        self.close();
        Ok(())
    }
}

fn of_leaf(leaf: &Leaf<'_>, reals: RealWidth) -> u32 {
    match leaf {
        Leaf::Nil => 0,
        Leaf::Bool(value) => u32::from(*value),
        Leaf::Int(value) => hash::int(value.cast_unsigned()),
        Leaf::Float(value) => hash::double(hash::SEED, *value),
        Leaf::Text(_, text) => of_text(text),
        Leaf::Math(ty, lanes) => hash::finish(chained(*ty, lanes, reals)),
        Leaf::Packed(ty, lanes) => packed(*ty, lanes, reals),
        Leaf::Rid(id) | Leaf::ObjectId(id) => hash::int(*id),
        Leaf::Callable => hash::finish(hash::long(hash::text(""), 0)),
        Leaf::Signal(name, object) => hash::long(of_text(name), *object),
    }
}

fn of_text(text: &Text<'_>) -> u32 {
    if text.is_ascii() { hash::ascii(text.as_bytes()) } else { hash::text(text.as_str()) }
}

fn packed(ty: VariantType, lanes: &Lanes<'_>, reals: RealWidth) -> u32 {
    use VariantType as T;
    match (ty, lanes.count()) {
        (T::PackedByteArray | T::PackedInt32Array | T::PackedInt64Array, 0) => hash::long(hash::SEED, 0),
        (T::PackedByteArray | T::PackedInt32Array | T::PackedInt64Array, _) => hash::buffer(lanes.bytes()),
        (T::PackedFloat32Array, 0) => hash::single(hash::SEED, 0.0),
        (T::PackedFloat64Array, 0) => hash::double(hash::SEED, 0.0),
        (_, 0) => hash::SEED,
        _ => hash::finish(chained(ty, lanes, reals)),
    }
}

/// Hashes all numbers one after another, as wide as the build has them.
fn chained(ty: VariantType, lanes: &Lanes<'_>, reals: RealWidth) -> u32 {
    let is_real = matches!(ty.layout(), Layout::Math(Lane::Real, _) | Layout::Packed(Lane::Real, _));
    match lanes.lane() {
        Lane::I32 => lanes.i32s().fold(hash::SEED, |chain, n| hash::word(chain, n.cast_unsigned())),
        _ if is_real && reals == RealWidth::Double => lanes.widened().fold(hash::SEED, hash::double),
        Lane::F64 if !is_real => lanes.f64s().fold(hash::SEED, hash::double),
        _ => lanes.narrowed().fold(hash::SEED, hash::single),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Array, Object, Rules, Value, key_hash};

    fn hashed(value: &Value) -> u32 {
        let rules = Rules { full_objects: true, ..Rules::engine() };
        key_hash(&value.encode().unwrap(), &rules).unwrap()
    }

    fn array(items: Vec<Value>) -> Value {
        Value::Array(Box::new(Array { items, ..Array::default() }))
    }

    /// Two objects are never one key, however alike they are; null is no object, and what is in an object is no part
    /// of it.
    #[test]
    fn every_object_is_another_key() {
        let id = |id| Value::ObjectId(id);
        let empty = array(Vec::new());
        let null = hashed(&array(vec![id(0)]));
        assert_eq!(hashed(&id(0)), 0, "null is written as nil");
        assert_eq!(hashed(&id(7)), hash::int(1), "the first, whatever its id");
        assert_ne!(null, hashed(&empty));
        assert_ne!(hashed(&array(vec![id(7), id(0)])), hashed(&array(vec![id(0), id(0)])));
        let (one, two) = (hash::int(1), hash::int(2));
        let start = hash::word(hash::SEED, u32::from(VariantType::Array.id()));
        let both = hash::finish(hash::word(hash::word(start, one), two));
        assert_eq!(hashed(&array(vec![id(7), id(7)])), both, "each counts as another");
        let node = |properties| Value::Object(Box::new(Object { class: "Node".into(), properties }));
        let full = node(vec![("a".to_owned(), Value::Int(3)), ("b".to_owned(), array(vec![id(9)]))]);
        assert_eq!(hashed(&array(vec![node(Vec::new()), full])), both);
    }

    /// The engine stops looking into containers at some depth; deeper ones count as nothing.
    #[test]
    fn what_is_nested_too_deep_is_not_looked_into() {
        let nested = |levels: usize, inner: Value| (0..levels).fold(inner, |inner, _| array(vec![inner]));
        let (one, two) = (
            |levels| hashed(&nested(levels, Value::Int(1))),
            |levels| hashed(&nested(levels, Value::Int(2))),
        );
        assert_ne!(one(hash::MAX_RECURSION + 1), two(hash::MAX_RECURSION + 1));
        assert_eq!(one(hash::MAX_RECURSION + 2), two(hash::MAX_RECURSION + 2));
    }

    /// A close that nobody asked for changes nothing.
    #[test]
    fn a_closing_without_an_opening_is_ignored() {
        let mut hash = KeyHash::default();
        hash.leaf(&Leaf::Bool(true), RealWidth::Single);
        hash.close();
        hash.text(&Text::new("a"));
        assert_eq!((hash.last(), hash.is_inside()), (1, false));
        hash.open(&Container::PackedStrings { count: 0 });
        assert!(hash.is_inside());
        hash.clear();
        assert!(!hash.is_inside());
    }

    /// A double-precision build hashes real numbers as doubles, whatever their width on the wire.
    #[test]
    fn reals_are_hashed_as_wide_as_the_build_has_them() {
        let bytes = [1.5_f32, -2.0].map(f32::to_le_bytes).concat();
        let lanes = Lanes::new(&bytes, Lane::F32).unwrap();
        let vector = Leaf::Math(VariantType::Vector2, lanes);
        let single = hash::finish([1.5, -2.0].into_iter().fold(hash::SEED, hash::single));
        let double = hash::finish([1.5, -2.0].into_iter().fold(hash::SEED, hash::double));
        assert_eq!(
            (of_leaf(&vector, RealWidth::Single), of_leaf(&vector, RealWidth::Double)),
            (single, double)
        );
        let encoded = [&u32::from(VariantType::Vector2.id()).to_le_bytes()[..], &bytes].concat();
        let in_build = |reals| key_hash(&encoded, &Rules { reals, ..Rules::engine() });
        assert_eq!((in_build(RealWidth::Single), in_build(RealWidth::Double)), (Ok(single), Ok(double)));
        let color = [1.5_f32, -2.0, 0.0, 1.0].map(f32::to_le_bytes).concat();
        let color = Leaf::Math(VariantType::Color, Lanes::new(&color, Lane::F32).unwrap());
        let [single, double] = [RealWidth::Single, RealWidth::Double].map(|reals| of_leaf(&color, reals));
        assert_eq!(single, double, "colors are singles in every build");
    }
}
