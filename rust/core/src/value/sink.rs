//! ToValue: the sink that builds [`Value`] trees.

use super::{Array, Dictionary, ElementType, NodePath, Object, PackedReals, Reals, Signal, Value};
use crate::fault::ErrorKind;
use crate::sink::{Refusal, Sink};
use crate::token::{Container, ContainerType, Lanes, Leaf, Text};
use crate::wire::{Layout, VariantType};

/// Builds a [`Value`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ToValue;

/// An unfinished container of a [`ToValue`] walk.
#[derive(Debug)]
#[expect(missing_docs, reason = "each variant is the container of its name, half filled")]
pub enum PartialContainer {
    Array(Array),
    /// The value under its last key is a null until it comes.
    Dictionary(Dictionary),
    Object(Object),
    NodePath(NodePath, u32),
    Strings(Vec<String>),
}

impl PartialContainer {
    /// Takes the value under the last key or name. It stands apart, so that elements are taken in line.
    #[inline(never)]
    fn put(&mut self, item: Value) -> Result<(), Refusal> {
        let place = match self {
            PartialContainer::Dictionary(dictionary) => dictionary.entries.last_mut().map(|(_, value)| value),
            PartialContainer::Object(object) => object.properties.last_mut().map(|(_, value)| value),
            _ => None,
        };
        *place.ok_or(ErrorKind::Refused)? = item;
        Ok(())
    }
}

/// Makes a leaf that takes memory of its own, or is rare. It stands apart, so that numbers are made in line.
#[inline(never)]
fn large(leaf: Leaf<'_>) -> Result<Value, Refusal> {
    Ok(match leaf {
        Leaf::Nil => Value::Nil,
        Leaf::Bool(value) => Value::Bool(value),
        Leaf::Int(value) => Value::Int(value),
        Leaf::Float(value) => Value::Float(value),
        Leaf::Text(VariantType::StringName, text) => Value::StringName(text.as_str().to_owned()),
        Leaf::Text(_, text) => Value::String(text.as_str().to_owned()),
        Leaf::Math(ty, lanes) => math(ty, &lanes).ok_or(ErrorKind::Refused)?,
        Leaf::Packed(ty, lanes) => packed(ty, &lanes).ok_or(ErrorKind::Refused)?,
        Leaf::Rid(id) => Value::Rid(id),
        Leaf::ObjectId(id) => Value::ObjectId(id),
        Leaf::Callable => Value::Callable,
        Leaf::Signal(name, object_id) => {
            Value::Signal(Box::new(Signal { name: name.as_str().to_owned(), object_id }))
        }
    })
}

impl Sink for ToValue {
    type Output = Value;
    type Frame = PartialContainer;

    #[inline]
    fn leaf(&mut self, _: u64, leaf: Leaf<'_>) -> Result<Value, Refusal> {
        match leaf {
            Leaf::Nil => Ok(Value::Nil),
            Leaf::Bool(value) => Ok(Value::Bool(value)),
            Leaf::Int(value) => Ok(Value::Int(value)),
            Leaf::Float(value) => Ok(Value::Float(value)),
            other => large(other),
        }
    }

    fn open(
        &mut self,
        _: u64,
        container: Container<'_>,
        reserve: usize,
    ) -> Result<PartialContainer, Refusal> {
        Ok(match container {
            Container::Array { element, .. } => PartialContainer::Array(Array {
                element: owned(&element),
                items: Vec::with_capacity(reserve),
            }),
            Container::Dictionary { key, value, .. } => {
                let entries = Vec::with_capacity(reserve);
                PartialContainer::Dictionary(Dictionary { key: owned(&key), value: owned(&value), entries })
            }
            Container::Object { class, .. } => {
                let properties = Vec::with_capacity(reserve);
                PartialContainer::Object(Object { class: class.as_str().to_owned(), properties })
            }
            Container::NodePath { absolute, names, .. } => {
                PartialContainer::NodePath(NodePath { absolute, ..NodePath::default() }, names)
            }
            Container::PackedStrings { .. } => PartialContainer::Strings(Vec::with_capacity(reserve)),
        })
    }

    fn text(&mut self, frame: &mut PartialContainer, text: Text<'_>) -> Result<(), Refusal> {
        let text = text.as_str().to_owned();
        match frame {
            PartialContainer::Object(object) => object.properties.push((text, Value::Nil)),
            PartialContainer::NodePath(path, 0) => path.subnames.push(text),
            PartialContainer::NodePath(path, names) => {
                *names = names.saturating_sub(1);
                path.names.push(text);
            }
            PartialContainer::Strings(strings) => strings.push(text),
            PartialContainer::Array(_) | PartialContainer::Dictionary(_) => return Err(ErrorKind::Refused),
        }
        Ok(())
    }

    fn key(&mut self, frame: &mut PartialContainer, key: Value) -> Result<(), Refusal> {
        match frame {
            PartialContainer::Dictionary(dictionary) => dictionary.entries.push((key, Value::Nil)),
            _ => return Err(ErrorKind::Refused),
        }
        Ok(())
    }

    #[inline]
    fn item(&mut self, frame: &mut PartialContainer, item: Value) -> Result<(), Refusal> {
        match frame {
            PartialContainer::Array(array) => {
                array.items.push(item);
                Ok(())
            }
            other => other.put(item),
        }
    }

    fn close(&mut self, frame: PartialContainer) -> Result<Value, Refusal> {
        Ok(match frame {
            PartialContainer::Array(array) => Value::Array(Box::new(array)),
            PartialContainer::Dictionary(dictionary) => Value::Dictionary(Box::new(dictionary)),
            PartialContainer::Object(object) => Value::Object(Box::new(object)),
            PartialContainer::NodePath(path, _) => Value::NodePath(Box::new(path)),
            PartialContainer::Strings(strings) => Value::PackedStringArray(strings),
        })
    }
}

pub(super) fn owned(declared: &ContainerType<'_>) -> ElementType {
    match declared {
        ContainerType::None => ElementType::None,
        ContainerType::Builtin(ty) => ElementType::Builtin(*ty),
        ContainerType::Class(name) => ElementType::Class(name.as_str().to_owned()),
        ContainerType::Script(path) => ElementType::Script(path.as_str().to_owned()),
    }
}

impl Value {
    /// Makes a math type or a packed array of its numbers. `None`: the type has none, or not so many.
    #[must_use]
    #[doc(hidden)]
    pub fn of_numbers(ty: VariantType, lanes: &Lanes<'_>) -> Option<Value> {
        match ty.layout() {
            Layout::Math(_, count) if lanes.count() == usize::from(count) => math(ty, lanes),
            Layout::Packed(_, each) if lanes.count().is_multiple_of(usize::from(each)) => packed(ty, lanes),
            _ => None,
        }
    }
}

fn math(ty: VariantType, lanes: &Lanes<'_>) -> Option<Value> {
    use VariantType as T;
    Some(match ty {
        T::Vector2 => Value::Vector2(reals(lanes)),
        T::Vector2i => Value::Vector2i(ints(lanes)),
        T::Rect2 => Value::Rect2(reals(lanes)),
        T::Rect2i => Value::Rect2i(ints(lanes)),
        T::Vector3 => Value::Vector3(reals(lanes)),
        T::Vector3i => Value::Vector3i(ints(lanes)),
        T::Transform2D => Value::Transform2D(Box::new(reals(lanes))),
        T::Vector4 => Value::Vector4(reals(lanes)),
        T::Vector4i => Value::Vector4i(ints(lanes)),
        T::Plane => Value::Plane(reals(lanes)),
        T::Quaternion => Value::Quaternion(reals(lanes)),
        T::Aabb => Value::Aabb(Box::new(reals(lanes))),
        T::Basis => Value::Basis(Box::new(reals(lanes))),
        T::Transform3D => Value::Transform3D(Box::new(reals(lanes))),
        T::Projection => Value::Projection(Box::new(reals(lanes))),
        T::Color => Value::Color(singles(lanes)),
        _ => return None,
    })
}

fn packed(ty: VariantType, lanes: &Lanes<'_>) -> Option<Value> {
    use VariantType as T;
    Some(match ty {
        T::PackedByteArray => Value::PackedByteArray(lanes.bytes().to_vec()),
        T::PackedInt32Array => Value::PackedInt32Array(lanes.i32s().collect()),
        T::PackedInt64Array => Value::PackedInt64Array(lanes.i64s().collect()),
        T::PackedFloat32Array => Value::PackedFloat32Array(lanes.f32s().collect()),
        T::PackedFloat64Array => Value::PackedFloat64Array(lanes.f64s().collect()),
        T::PackedVector2Array => Value::PackedVector2Array(packed_reals(lanes)),
        T::PackedVector3Array => Value::PackedVector3Array(packed_reals(lanes)),
        T::PackedColorArray => Value::PackedColorArray(rows(lanes.f32s().collect())),
        T::PackedVector4Array => Value::PackedVector4Array(packed_reals(lanes)),
        _ => return None,
    })
}

fn reals<const N: usize>(lanes: &Lanes<'_>) -> Reals<N> {
    if lanes.is_wide() {
        let mut numbers = [0.0; N];
        lanes.copy_to_f64s(&mut numbers);
        numbers.into()
    } else {
        Reals::Single(singles(lanes))
    }
}

fn singles<const N: usize>(lanes: &Lanes<'_>) -> [f32; N] {
    let mut numbers = [0.0; N];
    lanes.copy_to_f32s(&mut numbers);
    numbers
}

fn ints<const N: usize>(lanes: &Lanes<'_>) -> [i32; N] {
    let mut numbers = [0; N];
    lanes.copy_to_i32s(&mut numbers);
    numbers
}

fn packed_reals<const N: usize>(lanes: &Lanes<'_>) -> PackedReals<N> {
    if lanes.is_wide() {
        rows(lanes.f64s().collect::<Vec<f64>>()).into()
    } else {
        PackedReals::Single(rows(lanes.f32s().collect()))
    }
}

fn rows<T: Copy, const N: usize>(numbers: Vec<T>) -> Vec<[T; N]> {
    numbers.as_chunks().0.to_vec()
}
