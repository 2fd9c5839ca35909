//! Value: a decoded Variant as a Rust tree, for servers, tools and tests.
//!
//! It says what is in the bytes, all of it: both widths of real numbers, elements a typed container should not
//! hold, a key that comes twice. Godot decides for itself what it makes of such things in its own objects.

mod convert;
mod idioms;
mod show;
mod sink;
mod source;
mod tree;

pub use sink::{PartialContainer, ToValue};
pub(crate) use tree::tree;

use crate::path::{Label, Step};
use crate::wire::{VariantType, for_each_variant_type};

/// Numbers of a real-valued type in wire order, as wide as they were written.
#[derive(Clone, Debug, PartialEq)]
pub enum Reals<const N: usize> {
    /// The form that single-precision builds write.
    Single([f32; N]),
    /// The form that double-precision builds write. It lies elsewhere, so that a [`Value`] is as small as
    /// most of them can be.
    Double(Box<[f64; N]>),
}

impl<const N: usize> From<[f32; N]> for Reals<N> {
    fn from(numbers: [f32; N]) -> Reals<N> {
        Reals::Single(numbers)
    }
}

impl<const N: usize> From<[f64; N]> for Reals<N> {
    fn from(numbers: [f64; N]) -> Reals<N> {
        Reals::Double(Box::new(numbers))
    }
}

impl<const N: usize> Reals<N> {
    /// The numbers, whichever width they were written in. No digit is lost.
    ///
    /// ```
    /// use variant_core::Value;
    ///
    /// let at = Value::Vector2([1.5_f32, -2.0].into());
    /// let Value::Vector2(at) = at else { return };
    /// assert_eq!(at.to_f64(), [1.5, -2.0]);
    /// ```
    #[must_use]
    pub fn to_f64(&self) -> [f64; N] {
        match self {
            Reals::Single(numbers) => numbers.map(f64::from),
            Reals::Double(numbers) => **numbers,
        }
    }
}

/// A packed array of real-valued vectors, as wide as it was written.
#[derive(Clone, Debug, PartialEq)]
pub enum PackedReals<const N: usize> {
    /// The form that single-precision builds write.
    Single(Vec<[f32; N]>),
    /// The form that double-precision builds write.
    Double(Box<[[f64; N]]>),
}

impl<const N: usize> From<Vec<[f32; N]>> for PackedReals<N> {
    fn from(vectors: Vec<[f32; N]>) -> PackedReals<N> {
        PackedReals::Single(vectors)
    }
}

impl<const N: usize> From<Vec<[f64; N]>> for PackedReals<N> {
    fn from(vectors: Vec<[f64; N]>) -> PackedReals<N> {
        PackedReals::Double(vectors.into_boxed_slice())
    }
}

/// A Variant. Math types hold their numbers in wire order: Basis and Transform3D by rows, Transform2D and
/// Projection by columns (FORMAT.md 3.4).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant is the Godot type of its name")]
pub enum Value {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    String(String),
    Vector2(Reals<2>),
    Vector2i([i32; 2]),
    Rect2(Reals<4>),
    Rect2i([i32; 4]),
    Vector3(Reals<3>),
    Vector3i([i32; 3]),
    Transform2D(Box<Reals<6>>),
    Vector4(Reals<4>),
    Vector4i([i32; 4]),
    Plane(Reals<4>),
    Quaternion(Reals<4>),
    Aabb(Box<Reals<6>>),
    Basis(Box<Reals<9>>),
    Transform3D(Box<Reals<12>>),
    Projection(Box<Reals<16>>),
    Color([f32; 4]),
    StringName(String),
    NodePath(Box<NodePath>),
    Rid(u64),
    /// An object as its instance id; 0 is null.
    ObjectId(u64),
    /// An object with class and properties. Nothing is built from it here.
    Object(Box<Object>),
    /// The format carries no target.
    Callable,
    Signal(Box<Signal>),
    Dictionary(Box<Dictionary>),
    Array(Box<Array>),
    PackedByteArray(Vec<u8>),
    PackedInt32Array(Vec<i32>),
    PackedInt64Array(Vec<i64>),
    PackedFloat32Array(Vec<f32>),
    PackedFloat64Array(Vec<f64>),
    PackedStringArray(Vec<String>),
    PackedVector2Array(PackedReals<2>),
    PackedVector3Array(PackedReals<3>),
    PackedColorArray(Vec<[f32; 4]>),
    PackedVector4Array(PackedReals<4>),
}

/// A NodePath's parts. Names may hold anything the bytes held, slashes and colons too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodePath {
    /// Starts with a slash.
    pub absolute: bool,
    /// Names, root first.
    pub names: Vec<String>,
    /// The names after the colons.
    pub subnames: Vec<String>,
}

/// An object's class and stored properties, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    /// Class name.
    pub class: String,
    /// Names and values.
    pub properties: Vec<(String, Value)>,
}

/// A signal's name and the instance id of its object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signal {
    /// Signal name.
    pub name: String,
    /// Instance id.
    pub object_id: u64,
}

/// The type that a typed container declares for what it holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ElementType {
    /// Untyped.
    #[default]
    None,
    /// A type of Godot's own.
    Builtin(VariantType),
    /// Objects of a class.
    Class(String),
    /// Objects with the script of this path.
    Script(String),
}

/// An array and what it is declared to hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Array {
    /// Declared element type.
    pub element: ElementType,
    /// Elements.
    pub items: Vec<Value>,
}

/// A dictionary in insertion order, and what it is declared to hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dictionary {
    /// Declared key type.
    pub key: ElementType,
    /// Declared value type.
    pub value: ElementType,
    /// Keys and values.
    pub entries: Vec<(Value, Value)>,
}

impl Value {
    /// The step of a path to what stands under this key, if it has a name: a text, an int, a vector of ints.
    #[must_use]
    pub fn key_step(&self) -> Option<Step> {
        match self {
            Value::String(key) | Value::StringName(key) => Some(Label::Key(key.as_bytes()).step()),
            Value::Int(key) => Some(Step::IntKey(*key)),
            Value::Vector2i(ints) => Step::of_vector(self.ty(), *ints),
            Value::Vector3i(ints) => Step::of_vector(self.ty(), *ints),
            Value::Vector4i(ints) => Step::of_vector(self.ty(), *ints),
            _ => None,
        }
    }
}

macro_rules! define_type_of_value {
    ($($id:literal $godot_3:tt $documented:tt $name:ident $godot:literal $layout:expr,)*) => {
        impl Value {
            /// The type its header would name.
            #[must_use]
            pub const fn ty(&self) -> VariantType {
                match self {
                    $(Value::$name { .. } => VariantType::$name,)*
                    Value::ObjectId(_) => VariantType::Object,
                }
            }
        }
    };
}

for_each_variant_type!(define_type_of_value);

#[cfg(test)]
mod tests;
