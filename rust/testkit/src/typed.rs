//! Defines types that derive serde and are grown from any bytes, and checks what must hold when any bytes
//! are read into them.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use variant_core::{Dialect, Rules, Value};
use variant_serde::{
    Aabb, Any, Basis, Cause, Color, Error, NodePath, PackedByteArray, PackedColorArray, PackedFloat64Array,
    PackedInt32Array, PackedStringArray, PackedVector2Array, Plane, Projection, Quaternion, Rect2, Rect2i,
    StringName, Transform2D, Transform3D, Typed, TypedMap, Vector2, Vector2i, Vector3, Vector3i, Vector4,
    Vector4i, from_slice_with, to_value, to_vec,
};

use crate::hex::Hex;

/// A struct with a field of every kind there is. All of them may be missing, so that whatever a Dictionary
/// has is looked at.
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Default)]
#[serde(default)]
#[expect(missing_docs, reason = "each field is a value of its type")]
pub struct Rich {
    pub flag: bool,
    pub small: u8,
    pub int: i64,
    pub count: u64,
    pub single: f32,
    pub double: f64,
    pub letter: char,
    pub text: String,
    pub maybe: Option<i32>,
    pub unit: (),
    pub list: Vec<Action>,
    pub pair: (i16, String),
    pub by_name: BTreeMap<String, Vec<i64>>,
    pub by_number: BTreeMap<i64, Bag>,
    pub by_action: BTreeMap<Mood, bool>,
    #[serde(rename = "in side")]
    pub inside: Bag,
    #[serde(flatten)]
    pub flat: Flat,
    pub tagged: Tagged,
    pub either: Vec<Either>,
    pub math: Math,
    pub packed: Packed,
    pub typed: Typed<Vec<i64>>,
    pub typed_vectors: Typed<Vec<Vector2>>,
    pub typed_map: TypedMap<BTreeMap<String, i64>>,
    pub state: StringName,
    pub target: NodePath,
}

/// A struct within another one, which denies what it does not know.
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Default)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is a value of its type")]
pub struct Bag {
    #[serde(default)]
    pub gold: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Fields that stand in the Dictionary around them.
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Default)]
#[serde(default)]
#[expect(missing_docs, reason = "each field is a value of its type")]
pub struct Flat {
    pub cell: Vector2i,
    pub tint: Option<Color>,
}

/// Variants of every kind, tagged outside.
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Default)]
#[expect(missing_docs, reason = "variants of every kind")]
pub enum Action {
    #[default]
    Idle,
    Move(Vector2),
    Hit(u32, i16),
    Say {
        text: String,
        loud: bool,
    },
}

/// Variants without values.
#[derive(Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug, Clone, Default)]
#[expect(missing_docs, reason = "variants without values")]
pub enum Mood {
    #[default]
    Calm,
    Angry,
}

/// Variants that are tagged inside.
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Default)]
#[serde(tag = "type")]
#[expect(missing_docs, reason = "variants of every kind")]
pub enum Tagged {
    #[default]
    Nothing,
    Bag(Bag),
    At {
        place: Vector3i,
    },
}

/// Variants without a tag.
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(untagged)]
#[expect(missing_docs, reason = "variants of every kind")]
pub enum Either {
    Number(i64),
    Text(String),
    Row(Vec<i64>),
    Point(Vector3),
}

/// Vectors and matrices.
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Copy, Default)]
#[serde(default)]
#[expect(missing_docs, reason = "each field is a value of its type")]
pub struct Math {
    pub rect: Rect2,
    pub rect_i: Rect2i,
    pub vector3: Vector3,
    pub wide: Vector3<f64>,
    pub vector4: Vector4,
    pub vector4i: Vector4i,
    pub plane: Plane,
    pub turn: Quaternion,
    pub aabb: Aabb,
    pub transform2d: Option<Transform2D>,
    pub basis: Option<Basis>,
    pub transform3d: Option<Transform3D>,
    pub projection: Option<Projection>,
}

/// Packed arrays.
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Default)]
#[serde(default)]
#[expect(missing_docs, reason = "each field is a value of its type")]
pub struct Packed {
    pub bytes: PackedByteArray,
    pub ints: PackedInt32Array,
    pub floats: PackedFloat64Array,
    pub texts: PackedStringArray,
    pub points: PackedVector2Array,
    pub colors: PackedColorArray,
}

/// Takes its decisions from bytes, and when those end from a counter.
struct Dice<'b> {
    bytes: std::slice::Iter<'b, u8>,
    state: u64,
}

impl Dice<'_> {
    fn byte(&mut self) -> u8 {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let own = (self.state >> 56) as u8;
        self.bytes.next().map_or(own, |byte| byte ^ own)
    }

    fn below(&mut self, end: u8) -> u8 {
        self.byte() % end
    }

    fn number(&mut self) -> u64 {
        let digits = [(); 8].map(|()| self.byte());
        // Small numbers and those near the ends of every width come more often than chance has it.
        match self.byte() % 4 {
            0 => u64::from(digits[0]),
            1 => 1_u64 << (digits[0] % 64),
            _ => u64::from_le_bytes(digits),
        }
    }

    fn int(&mut self) -> i64 {
        self.number() as i64
    }

    /// A number that is equal to itself.
    fn float(&mut self) -> f64 {
        let float = f64::from_bits(self.number());
        if float.is_nan() { 0.1 } else { float }
    }

    fn single(&mut self) -> f32 {
        let float = f32::from_bits(self.number() as u32);
        if float.is_nan() { -0.5 } else { float }
    }

    fn text(&mut self) -> String {
        let letters = ['a', 'Z', '_', ' ', '"', 'é', '名', '😀', '\u{1}', '7'];
        (0..self.below(20)).map(|_| letters[usize::from(self.below(10))]).collect()
    }

    /// Letters alone: what a NodePath leaves as it is.
    fn name(&mut self) -> String {
        (0..=self.below(6)).map(|_| char::from(b'a' + self.below(26))).collect()
    }

    fn list<T>(&mut self, make: impl Fn(&mut Self) -> T) -> Vec<T> {
        (0..self.below(4)).map(|_| make(self)).collect()
    }

    fn maybe<T>(&mut self, make: impl Fn(&mut Self) -> T) -> Option<T> {
        (self.byte().is_multiple_of(2)).then(|| make(self))
    }

    fn vector2(&mut self) -> Vector2 {
        Vector2::new(self.single(), self.single())
    }

    fn vector3(&mut self) -> Vector3 {
        Vector3::new(self.single(), self.single(), self.single())
    }

    fn row<T, const N: usize>(&mut self, make: impl Fn(&mut Self) -> T) -> [T; N] {
        [(); N].map(|()| make(self))
    }

    fn bag(&mut self) -> Bag {
        Bag { gold: self.number() as u32, note: self.maybe(Self::text) }
    }

    fn action(&mut self) -> Action {
        match self.below(4) {
            0 => Action::Idle,
            1 => Action::Move(self.vector2()),
            2 => Action::Hit(self.number() as u32, self.int() as i16),
            _ => Action::Say { text: self.text(), loud: self.byte().is_multiple_of(2) },
        }
    }

    fn tagged(&mut self) -> Tagged {
        match self.below(3) {
            0 => Tagged::Nothing,
            1 => Tagged::Bag(self.bag()),
            _ => Tagged::At { place: self.row(|dice| dice.int() as i32).into() },
        }
    }

    fn either(&mut self) -> Either {
        match self.below(4) {
            0 => Either::Number(self.int()),
            1 => Either::Text(self.text()),
            2 => Either::Row(self.list(Self::int)),
            _ => Either::Point(self.vector3()),
        }
    }

    fn math(&mut self) -> Math {
        Math {
            rect: self.row(Self::single).into(),
            rect_i: self.row(|dice| dice.int() as i32).into(),
            vector3: self.vector3(),
            wide: self.row(Self::float).into(),
            vector4: self.row(Self::single).into(),
            vector4i: self.row(|dice| dice.int() as i32).into(),
            plane: self.row(Self::single).into(),
            turn: self.row(Self::single).into(),
            aabb: self.row(Self::single).into(),
            transform2d: self.maybe(|dice| dice.row(Self::single).into()),
            basis: self.maybe(|dice| dice.row(Self::single).into()),
            transform3d: self.maybe(|dice| dice.row(Self::single).into()),
            projection: self.maybe(|dice| dice.row(Self::single).into()),
        }
    }

    fn packed(&mut self) -> Packed {
        Packed {
            bytes: self.list(Self::byte).into(),
            ints: self.list(|dice| dice.int() as i32).into(),
            floats: self.list(Self::float).into(),
            texts: self.list(Self::text).into(),
            points: self.list(Self::vector2).into(),
            colors: self.list(|dice| dice.row(Self::single).into()).into(),
        }
    }
}

impl Rich {
    /// Any such value, told by bytes. Vectors are of singles alone where an engine is to write them again.
    #[must_use]
    pub fn grown(bytes: &[u8], seed: u64) -> Rich {
        let dice = &mut Dice { bytes: bytes.iter(), state: seed };
        Rich {
            flag: dice.byte().is_multiple_of(2),
            small: dice.byte(),
            int: dice.int(),
            count: dice.number() >> 1,
            single: dice.single(),
            double: dice.float(),
            letter: dice.text().chars().next().unwrap_or('x'),
            text: dice.text(),
            maybe: dice.maybe(|dice| dice.int() as i32),
            unit: (),
            list: dice.list(Dice::action),
            pair: (dice.int() as i16, dice.text()),
            by_name: dice.list(|dice| (dice.text(), dice.list(Dice::int))).into_iter().collect(),
            by_number: dice.list(|dice| (dice.int(), dice.bag())).into_iter().collect(),
            by_action: dice.list(|dice| (dice.mood(), dice.byte().is_multiple_of(2))).into_iter().collect(),
            inside: dice.bag(),
            flat: Flat {
                cell: dice.row(|dice| dice.int() as i32).into(),
                tint: dice.maybe(|dice| dice.row(Dice::single).into()),
            },
            tagged: dice.tagged(),
            either: dice.list(Dice::either),
            math: dice.math(),
            packed: dice.packed(),
            typed: Typed(dice.list(Dice::int)),
            typed_vectors: Typed(dice.list(Dice::vector2)),
            typed_map: TypedMap(dice.list(|dice| (dice.text(), dice.int())).into_iter().collect()),
            state: dice.text().into(),
            target: NodePath {
                absolute: dice.byte().is_multiple_of(2),
                names: dice.list(Dice::name),
                subnames: dice.list(Dice::name),
            },
        }
    }
}

impl Dice<'_> {
    fn mood(&mut self) -> Mood {
        if self.byte().is_multiple_of(2) { Mood::Calm } else { Mood::Angry }
    }
}

/// A value grown from bytes comes back, and is written as its tree is.
///
/// # Panics
/// When it does not, or is not.
pub fn comes_back(bytes: &[u8], seed: u64) {
    let rich = Rich::grown(bytes, seed);
    let written = to_vec(&rich).unwrap_or_else(|error| panic!("{error}: {rich:?}"));
    let tree = to_value(&rich).unwrap_or_else(|error| panic!("{error}: {rich:?}"));
    assert_eq!(tree.encode().as_deref(), Ok(written.as_slice()), "{rich:?}");
    for rules in [Rules::default(), Rules::engine()] {
        let read = from_slice_with::<Rich>(&written, &rules);
        assert_eq!(read.as_ref(), Ok(&rich), "{}", Hex(&written));
    }
}

/// Bytes get one verdict, whether they are decoded or read into a type: a type may refuse more, never less,
/// and what the codec refuses is told alike.
///
/// # Panics
/// When they do not.
pub fn verdicts_agree(bytes: &[u8], rules: &Rules) {
    let decoded = variant_core::decode(bytes, rules);
    // Text that only Godot 3 takes for text is a copy in a tree, and refused here.
    let is_lax = rules.dialect.has_lax_text() && !rules.is_safe();
    match (from_slice_with::<IgnoredAny>(bytes, rules), &decoded) {
        (Ok(_), Ok(_)) => {}
        (Err(_), Ok(_)) if is_lax => return,
        (read, _) => told_alike(read.map(drop), &decoded, bytes, rules),
    }
    match from_slice_with::<Any>(bytes, rules) {
        Ok(Any(read)) => {
            let expected = decoded.as_ref().unwrap_or_else(|error| panic!("{error}: {}", Hex(bytes)));
            if rules.dialect == Dialect::Godot4 {
                assert_eq!(read.encode(), expected.encode(), "{} {rules:?}", Hex(bytes));
            }
        }
        Err(error) if rules.dialect == Dialect::Godot4 => told_alike(Err(error), &decoded, bytes, rules),
        Err(_) => {}
    }
    if let Err(error) = from_slice_with::<serde_json::Value>(bytes, rules) {
        refused_alike(&error, &decoded, bytes, rules);
    }
    match from_slice_with::<Rich>(bytes, rules) {
        Err(error) => refused_alike(&error, &decoded, bytes, rules),
        Ok(_) => assert!(decoded.is_ok(), "the codec refuses what a type took: {} {rules:?}", Hex(bytes)),
    }
}

/// Where a type looks at nothing, the verdicts are one.
fn told_alike(
    read: Result<(), Error>,
    decoded: &Result<Value, variant_core::Error>,
    bytes: &[u8],
    rules: &Rules,
) {
    let read = read.map_err(|error| (error.kind().clone(), error.offset(), error.path()));
    let told =
        |error: &variant_core::Error| (Cause::Format(error.kind()), error.offset(), error.path().clone());
    let decoded = decoded.as_ref().map(drop).map_err(told);
    assert_eq!(read, decoded, "{} {rules:?}", Hex(bytes));
}

/// A refusal of the codec's is that of the codec; one of the type's stands no later than the codec's.
fn refused_alike(error: &Error, decoded: &Result<Value, variant_core::Error>, bytes: &[u8], rules: &Rules) {
    match (error.kind(), decoded) {
        (Cause::Format(_), decoded) => {
            let is_lax = rules.dialect.has_lax_text() && !rules.is_safe();
            if !is_lax {
                told_alike(Err(error.clone()), decoded, bytes, rules);
            }
        }
        (_, Err(refused)) => {
            assert!(
                error.offset() <= refused.offset().max(1),
                "{error}, {refused}: {} {rules:?}",
                Hex(bytes)
            );
        }
        (_, Ok(_)) => {}
    }
}
