//! Value to bytes: walks a tree with its own stack and feeds an [`Encoder`].

use std::borrow::Cow;

use super::{Array, Dictionary, ElementType, NodePath, Object, PackedReals, Reals, Value};
use crate::encode::Encoder;
use crate::error::Error;
use crate::fault::{ErrorKind, Fault};
use crate::path::{Path, Step};
use crate::token::{Container, ContainerType, Lanes, Leaf, Output, Text, TextForm};
use crate::wire::{Lane, Layout, Limits, Target, VariantType};

impl Value {
    /// The bytes Godot writes for this value, appended to `output`; see [`Value::encode`] for those that SAFE refuses.
    ///
    /// # Errors
    /// Nested deeper than the limits allow, or larger; `output` then ends in an unfinished value.
    pub fn encode_into(&self, output: &mut Vec<u8>, limits: &Limits) -> Result<(), Error> {
        self.encode_for(Target::default(), output, limits)
    }

    /// The bytes that a target reads for this value, appended to `output`.
    ///
    /// # Errors
    /// Fails as [`Value::encode_into`] does; and with `NotInDialect` for what the target cannot read.
    pub fn encode_for(&self, target: Target, output: &mut Vec<u8>, limits: &Limits) -> Result<(), Error> {
        let mut stack = Vec::new();
        let mut encoder = Encoder::new(output, limits).for_target(target);
        let outcome = write_tree(self, &mut stack, &mut encoder).and_then(|()| encoder.finish().map(drop));
        outcome.map_err(|fault| Error::new(fault, Path(stack.iter().map(OpenSource::step).collect())))
    }

    /// The bytes Godot writes for this value.
    ///
    /// A tree can hold what no value of Godot's does, and that is written as it is: a text with a NUL in it, of which a
    /// reader sees what stands before, or with a byte order mark before it, which is lost; a key twice; elements that a
    /// typed container does not take. [`Strictness::Safe`](crate::Strictness::Safe) refuses such bytes, so what came from
    /// elsewhere and is to be sent on is asked with [`validate`](crate::validate) before.
    ///
    /// # Errors
    /// Fails as [`Value::encode_into`] does, with the engine's own limits.
    pub fn encode(&self) -> Result<Vec<u8>, Error> {
        // What a packet takes: a vector that grows from nothing moves five times until then.
        let mut output = Vec::with_capacity(256);
        self.encode_into(&mut output, &Limits::engine())?;
        Ok(output)
    }
}

/// A container whose children are being written; `usize` is how many have been begun.
enum OpenSource<'v> {
    Array(&'v Array, usize),
    /// Keys and values count one each.
    Dictionary(&'v Dictionary, usize),
    Object(&'v Object, usize),
}

impl<'v> OpenSource<'v> {
    /// Writes the children that come next, up to one that is a container and has children of its own.
    fn fill<O: Output>(&mut self, encoder: &mut Encoder<'_, O>) -> Result<Option<OpenSource<'v>>, Fault> {
        match self {
            OpenSource::Array(array, at) => {
                while let Some(item) = array.items.get(advance(at)) {
                    if let Some(inner) = write_value(item, encoder)? {
                        return Ok(Some(inner));
                    }
                }
            }
            OpenSource::Dictionary(dictionary, at) => {
                while let Some((key, value)) = dictionary.entries.get(*at >> 1) {
                    let child = if advance(at) & 1 == 0 { key } else { value };
                    if let Some(inner) = write_value(child, encoder)? {
                        return Ok(Some(inner));
                    }
                }
            }
            OpenSource::Object(object, at) => {
                while let Some((name, value)) = object.properties.get(advance(at)) {
                    encoder.text(TextForm::Plain, Text::seen(name))?;
                    if let Some(inner) = write_value(value, encoder)? {
                        return Ok(Some(inner));
                    }
                }
            }
        }
        Ok(None)
    }

    fn step(&self) -> Step {
        match self {
            OpenSource::Array(_, at) => Step::Index(index(at.saturating_sub(1))),
            OpenSource::Dictionary(dictionary, at) => {
                let turn = at.saturating_sub(1);
                let entry = index(turn >> 1);
                match dictionary.entries.get(turn >> 1) {
                    Some((key, _)) if turn & 1 == 1 => key.key_step().unwrap_or(Step::Entry(entry)),
                    _ => Step::KeyOf(entry),
                }
            }
            OpenSource::Object(object, at) => match object.properties.get(at.saturating_sub(1)) {
                Some((name, _)) => Step::Property(name.clone()),
                None => Step::Entry(index(*at)),
            },
        }
    }
}

fn advance(at: &mut usize) -> usize {
    let now = *at;
    *at = now.saturating_add(1);
    now
}

fn index(at: usize) -> u64 {
    u64::try_from(at).unwrap_or(u64::MAX)
}

fn write_tree<'v, O: Output>(
    root: &'v Value,
    stack: &mut Vec<OpenSource<'v>>,
    encoder: &mut Encoder<'_, O>,
) -> Result<(), Fault> {
    stack.extend(write_value(root, encoder)?);
    while let Some(open) = stack.last_mut() {
        match open.fill(encoder)? {
            Some(inner) => stack.push(inner),
            None => {
                stack.pop();
                encoder.close();
            }
        }
    }
    Ok(())
}

/// Writes a leaf, or the opening of a container whose children come next.
fn write_value<'v, O: Output>(
    value: &'v Value,
    encoder: &mut Encoder<'_, O>,
) -> Result<Option<OpenSource<'v>>, Fault> {
    match value {
        Value::Int(value) => encoder.leaf_here(&Leaf::Int(*value))?,
        Value::Float(value) => encoder.leaf_here(&Leaf::Float(*value))?,
        Value::String(text) => encoder.leaf_here(&Leaf::Text(VariantType::String, Text::new(text)))?,
        Value::Array(array) => {
            let element = borrowed(&array.element);
            encoder.open(&Container::Array { element, count: count(array.items.len(), encoder)? })?;
            return Ok(Some(OpenSource::Array(array, 0)));
        }
        Value::Dictionary(dictionary) => {
            let (key, value) = (borrowed(&dictionary.key), borrowed(&dictionary.value));
            let count = count(dictionary.entries.len(), encoder)?;
            encoder.open(&Container::Dictionary { key, value, count })?;
            return Ok(Some(OpenSource::Dictionary(dictionary, 0)));
        }
        Value::Object(object) => {
            let class = Text::new(&object.class);
            // Without a class name it would be read as null, and its properties as what follows.
            if class.is_empty() {
                return Err(encoder.fault(ErrorKind::NotInstantiable));
            }
            let count = count(object.properties.len(), encoder)?;
            encoder.open(&Container::Object { class, count })?;
            return Ok(Some(OpenSource::Object(object, 0)));
        }
        Value::NodePath(path) => write_node_path(path, encoder)?,
        Value::PackedStringArray(strings) => {
            encoder.open(&Container::PackedStrings { count: count(strings.len(), encoder)? })?;
            strings.iter().try_for_each(|text| encoder.text(TextForm::Terminated, Text::seen(text)))?;
            encoder.close();
        }
        value => match value.as_leaf() {
            Some(leaf) => encoder.leaf(&leaf)?,
            None => write_numbers(value, value.ty(), encoder)?,
        },
    }
    Ok(None)
}

fn write_node_path<O: Output>(path: &NodePath, encoder: &mut Encoder<'_, O>) -> Result<(), Fault> {
    let names = count(path.names.len(), encoder)?;
    let subnames = count(path.subnames.len(), encoder)?;
    encoder.open(&Container::NodePath { absolute: path.absolute, names, subnames })?;
    let texts = path.names.iter().chain(&path.subnames);
    texts.into_iter().try_for_each(|text| encoder.text(TextForm::PathName, Text::seen(text)))?;
    encoder.close();
    Ok(())
}

impl Value {
    /// Returns the leaf that it is, but for math types and packed arrays.
    #[inline]
    #[must_use]
    #[doc(hidden)]
    pub fn as_leaf(&self) -> Option<Leaf<'_>> {
        Some(match self {
            Value::Nil => Leaf::Nil,
            Value::Bool(value) => Leaf::Bool(*value),
            Value::Int(value) => Leaf::Int(*value),
            Value::Float(value) => Leaf::Float(*value),
            Value::String(text) | Value::StringName(text) => Leaf::Text(self.ty(), Text::new(text)),
            Value::Rid(id) => Leaf::Rid(*id),
            Value::ObjectId(id) => Leaf::ObjectId(*id),
            Value::Callable => Leaf::Callable,
            Value::Signal(signal) => Leaf::Signal(Text::new(&signal.name), signal.object_id),
            _ => return None,
        })
    }
}

/// Math types and packed arrays of numbers: their little-endian bytes are the payload.
fn write_numbers<O: Output>(
    value: &Value,
    ty: VariantType,
    encoder: &mut Encoder<'_, O>,
) -> Result<(), Fault> {
    let refused = |encoder: &Encoder<'_, O>| encoder.fault(ErrorKind::Refused);
    let numbers = Numbers::of(value).ok_or_else(|| refused(encoder))?;
    if let Layout::Packed(..) = ty.layout() {
        let bytes = numbers.to_le_bytes();
        let lanes = Lanes::new(&bytes, numbers.lane()).ok_or_else(|| refused(encoder))?;
        return encoder.leaf(&Leaf::Packed(ty, lanes));
    }
    let mut room = [0; LARGEST_MATH];
    let bytes = numbers.put_le_bytes(&mut room);
    let lanes = Lanes::new(bytes, numbers.lane()).ok_or_else(|| refused(encoder))?;
    encoder.leaf(&Leaf::Math(ty, lanes))
}

/// Bytes of the numbers of a Projection of doubles.
const LARGEST_MATH: usize = 128;

/// The numbers of a math type or packed array, all of them in wire order.
pub(super) enum Numbers<'v> {
    U8(&'v [u8]),
    I32(&'v [i32]),
    I64(&'v [i64]),
    F32(&'v [f32]),
    F64(&'v [f64]),
}

impl<'v> Numbers<'v> {
    pub(super) fn of(value: &'v Value) -> Option<Numbers<'v>> {
        Some(match value {
            Value::Vector2(reals) => Numbers::reals(reals),
            Value::Vector2i(ints) => Numbers::I32(ints),
            Value::Rect2(reals) | Value::Vector4(reals) | Value::Plane(reals) | Value::Quaternion(reals) => {
                Numbers::reals(reals)
            }
            Value::Rect2i(ints) | Value::Vector4i(ints) => Numbers::I32(ints),
            Value::Vector3(reals) => Numbers::reals(reals),
            Value::Vector3i(ints) => Numbers::I32(ints),
            Value::Transform2D(reals) | Value::Aabb(reals) => Numbers::reals(reals),
            Value::Basis(reals) => Numbers::reals(reals),
            Value::Transform3D(reals) => Numbers::reals(reals),
            Value::Projection(reals) => Numbers::reals(reals),
            Value::Color(rgba) => Numbers::F32(rgba),
            Value::PackedByteArray(bytes) => Numbers::U8(bytes),
            Value::PackedInt32Array(ints) => Numbers::I32(ints),
            Value::PackedInt64Array(ints) => Numbers::I64(ints),
            Value::PackedFloat32Array(floats) => Numbers::F32(floats),
            Value::PackedFloat64Array(floats) => Numbers::F64(floats),
            Value::PackedVector2Array(vectors) => Numbers::packed(vectors),
            Value::PackedVector3Array(vectors) => Numbers::packed(vectors),
            Value::PackedColorArray(colors) => Numbers::F32(colors.as_flattened()),
            Value::PackedVector4Array(vectors) => Numbers::packed(vectors),
            _ => return None,
        })
    }

    fn reals<const N: usize>(reals: &'v Reals<N>) -> Numbers<'v> {
        match reals {
            Reals::Single(numbers) => Numbers::F32(numbers),
            Reals::Double(numbers) => Numbers::F64(numbers.as_slice()),
        }
    }

    fn packed<const N: usize>(vectors: &'v PackedReals<N>) -> Numbers<'v> {
        match vectors {
            PackedReals::Single(vectors) => Numbers::F32(vectors.as_flattened()),
            PackedReals::Double(vectors) => Numbers::F64(vectors.as_flattened()),
        }
    }

    const fn lane(&self) -> Lane {
        match self {
            Numbers::U8(_) => Lane::U8,
            Numbers::I32(_) => Lane::I32,
            Numbers::I64(_) => Lane::I64,
            Numbers::F32(_) => Lane::F32,
            Numbers::F64(_) => Lane::F64,
        }
    }

    /// Returns the bytes of a few lanes in this room, without memory of their own.
    fn put_le_bytes<'r>(&self, room: &'r mut [u8; LARGEST_MATH]) -> &'r [u8] {
        fn put<'r, T: Copy, const N: usize>(
            numbers: &[T],
            room: &'r mut [u8],
            bytes: impl Fn(T) -> [u8; N],
        ) -> &'r [u8] {
            let mut used = 0_usize;
            for (place, number) in room.as_chunks_mut::<N>().0.iter_mut().zip(numbers) {
                *place = bytes(*number);
                used = used.saturating_add(N);
            }
            room.get(..used).unwrap_or_default()
        }
        match *self {
            Numbers::U8(bytes) => put(bytes, room, u8::to_le_bytes),
            Numbers::I32(ints) => put(ints, room, i32::to_le_bytes),
            Numbers::I64(ints) => put(ints, room, i64::to_le_bytes),
            Numbers::F32(floats) => put(floats, room, f32::to_le_bytes),
            Numbers::F64(floats) => put(floats, room, f64::to_le_bytes),
        }
    }

    fn to_le_bytes(&self) -> Cow<'v, [u8]> {
        match *self {
            Numbers::U8(bytes) => Cow::Borrowed(bytes),
            Numbers::I32(ints) => ints.iter().flat_map(|n| n.to_le_bytes()).collect(),
            Numbers::I64(ints) => ints.iter().flat_map(|n| n.to_le_bytes()).collect(),
            Numbers::F32(floats) => floats.iter().flat_map(|n| n.to_le_bytes()).collect(),
            Numbers::F64(floats) => floats.iter().flat_map(|n| n.to_le_bytes()).collect(),
        }
    }
}

fn borrowed(declared: &ElementType) -> ContainerType<'_> {
    match declared {
        ElementType::None => ContainerType::None,
        ElementType::Builtin(ty) => ContainerType::Builtin(*ty),
        ElementType::Class(name) => ContainerType::Class(Text::new(name)),
        ElementType::Script(path) => ContainerType::Script(Text::new(path)),
    }
}

fn count<O: Output>(length: usize, encoder: &Encoder<'_, O>) -> Result<u32, Fault> {
    match i32::try_from(length) {
        Ok(count) => Ok(count.cast_unsigned()),
        Err(_) => Err(encoder.fault(ErrorKind::TooLong)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_beyond_31_bits_are_refused() {
        let mut output = Vec::new();
        let encoder = Encoder::new(&mut output, &Limits::engine());
        assert_eq!(count(0x7FFF_FFFF, &encoder), Ok(0x7FFF_FFFF));
        assert_eq!(count(0x8000_0000, &encoder), Err(encoder.fault(ErrorKind::TooLong)));
        assert!(Numbers::of(&Value::Nil).is_none());
    }
}
