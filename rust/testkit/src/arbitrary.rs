//! Makes random values and nearly right bytes as proptest strategies. The values are of all 39 types, with
//! the numbers and texts that break things. They can be written and read back: values that the wire cannot
//! carry (a NUL, a leading byte order mark, object id 0) have tests of their own.

mod number;
mod text;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRng, TestRunner};
use variant_core::{
    Array, Dictionary, ElementType, NodePath, Object, PackedReals, Reals, Signal, Value, VariantType,
};

pub use number::{double, int, int32, single};
pub use text::text;

use crate::mutate::Mutator;

/// The number of elements of a container or packed array: few, since many only make tests slow.
const FEW: std::ops::Range<usize> = 0..5;

/// Makes a tree of values of any types.
pub fn value() -> impl Strategy<Value = Value> {
    any_leaf().prop_recursive(6, 48, 5, |inner| {
        prop_oneof![
            (element_type(), vec(inner.clone(), FEW)).prop_map(|(element, items)| array(element, items)),
            (element_type(), element_type(), vec((inner.clone(), inner.clone()), FEW))
                .prop_map(|(key, value, entries)| dictionary(key, value, entries)),
            (class_name(), vec((text(), inner), FEW))
                .prop_map(|(class, properties)| { Value::Object(Box::new(Object { class, properties })) }),
            typed_array(),
            typed_dictionary(),
        ]
    })
}

/// Makes a value of one type, in which containers hold leaves only.
pub fn of_type(ty: VariantType) -> BoxedStrategy<Value> {
    use VariantType as T;
    match ty {
        T::Nil => Just(Value::Nil).boxed(),
        T::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        T::Int => int().prop_map(Value::Int).boxed(),
        T::Float => double().prop_map(Value::Float).boxed(),
        T::String => text().prop_map(Value::String).boxed(),
        T::StringName => text().prop_map(Value::StringName).boxed(),
        T::NodePath => node_path().prop_map(|path| Value::NodePath(Box::new(path))).boxed(),
        T::Rid => any::<u64>().prop_map(Value::Rid).boxed(),
        T::Object => any::<u64>().prop_map(|id| Value::ObjectId(id.max(1))).boxed(),
        T::Callable => Just(Value::Callable).boxed(),
        T::Signal => signal().boxed(),
        T::Dictionary => vec((any_leaf(), any_leaf()), FEW)
            .prop_map(|entries| dictionary(ElementType::None, ElementType::None, entries))
            .boxed(),
        T::Array => vec(any_leaf(), FEW).prop_map(|items| array(ElementType::None, items)).boxed(),
        _ => of_numbers(ty),
    }
}

fn of_numbers(ty: VariantType) -> BoxedStrategy<Value> {
    use VariantType as T;
    match ty {
        T::Vector2 => reals().prop_map(Value::Vector2).boxed(),
        T::Vector2i => ints().prop_map(Value::Vector2i).boxed(),
        T::Rect2 => reals().prop_map(Value::Rect2).boxed(),
        T::Rect2i => ints().prop_map(Value::Rect2i).boxed(),
        T::Vector3 => reals().prop_map(Value::Vector3).boxed(),
        T::Vector3i => ints().prop_map(Value::Vector3i).boxed(),
        T::Transform2D => reals().prop_map(|n| Value::Transform2D(Box::new(n))).boxed(),
        T::Vector4 => reals().prop_map(Value::Vector4).boxed(),
        T::Vector4i => ints().prop_map(Value::Vector4i).boxed(),
        T::Plane => reals().prop_map(Value::Plane).boxed(),
        T::Quaternion => reals().prop_map(Value::Quaternion).boxed(),
        T::Aabb => reals().prop_map(|n| Value::Aabb(Box::new(n))).boxed(),
        T::Basis => reals().prop_map(|n| Value::Basis(Box::new(n))).boxed(),
        T::Transform3D => reals().prop_map(|n| Value::Transform3D(Box::new(n))).boxed(),
        T::Projection => reals().prop_map(|n| Value::Projection(Box::new(n))).boxed(),
        T::Color => prop::array::uniform(single()).prop_map(Value::Color).boxed(),
        _ => of_packed(ty),
    }
}

fn of_packed(ty: VariantType) -> BoxedStrategy<Value> {
    use VariantType as T;
    match ty {
        T::PackedByteArray => vec(any::<u8>(), 0..10).prop_map(Value::PackedByteArray).boxed(),
        T::PackedInt32Array => vec(int32(), FEW).prop_map(Value::PackedInt32Array).boxed(),
        T::PackedInt64Array => vec(int(), FEW).prop_map(Value::PackedInt64Array).boxed(),
        T::PackedFloat32Array => vec(single(), FEW).prop_map(Value::PackedFloat32Array).boxed(),
        T::PackedFloat64Array => vec(double(), FEW).prop_map(Value::PackedFloat64Array).boxed(),
        T::PackedStringArray => vec(text(), FEW).prop_map(Value::PackedStringArray).boxed(),
        T::PackedVector2Array => packed_reals().prop_map(Value::PackedVector2Array).boxed(),
        T::PackedVector3Array => packed_reals().prop_map(Value::PackedVector3Array).boxed(),
        T::PackedColorArray => {
            vec(prop::array::uniform(single()), FEW).prop_map(Value::PackedColorArray).boxed()
        }
        T::PackedVector4Array => packed_reals().prop_map(Value::PackedVector4Array).boxed(),
        other => panic!("no strategy makes a {other}"),
    }
}

/// Makes a value of any type but a container.
pub fn any_leaf() -> impl Strategy<Value = Value> {
    let shallow = |ty: &&VariantType| !matches!(ty, VariantType::Array | VariantType::Dictionary);
    let types: Vec<VariantType> = VariantType::ALL.iter().filter(shallow).copied().collect();
    prop::sample::select(types).prop_flat_map(of_type)
}

/// Makes one of the 39 types, for the declaration of a container.
pub fn variant_type() -> impl Strategy<Value = VariantType> {
    prop::sample::select(VariantType::ALL)
}

/// Makes an array that holds what it declares, so that SAFE must accept it.
pub fn typed_array() -> impl Strategy<Value = Value> {
    variant_type().prop_flat_map(|ty| {
        vec(of_type(ty), FEW).prop_map(move |items| array(ElementType::Builtin(ty), items))
    })
}

/// Makes a dictionary that holds what it declares; its keys may come twice.
pub fn typed_dictionary() -> impl Strategy<Value = Value> {
    (variant_type(), variant_type()).prop_flat_map(|(key, value)| {
        vec((of_type(key), of_type(value)), FEW).prop_map(move |entries| {
            dictionary(ElementType::Builtin(key), ElementType::Builtin(value), entries)
        })
    })
}

/// Makes an untyped dictionary with keys that are equal, nearly equal, or equal in one precision only.
pub fn dictionary_of_like_keys() -> impl Strategy<Value = Value> {
    let key = prop_oneof![3 => prop::sample::select(like_keys()), 1 => (0..60i64).prop_map(Value::Int)];
    // Ints come first, and now and then enough of them for the core's key set to switch to another search.
    (prop_oneof![Just(0), 0..60i64], vec(key, 0..6)).prop_map(|(ints, keys)| {
        let keys = (0..ints).map(Value::Int).chain(keys);
        let entries = keys.map(|key| (key, Value::Nil)).collect();
        dictionary(ElementType::None, ElementType::None, entries)
    })
}

/// Makes a container's declaration of its elements, whether they keep to it or not.
pub fn element_type() -> impl Strategy<Value = ElementType> {
    prop_oneof![
        4 => Just(ElementType::None),
        2 => variant_type().prop_map(ElementType::Builtin),
        1 => text().prop_map(ElementType::Class),
        1 => text().prop_map(ElementType::Script),
    ]
}

/// Makes paths of every form: absolute or not, without names, without sub-names, with names that no text
/// could give.
pub fn node_path() -> impl Strategy<Value = NodePath> {
    let name = prop_oneof![3 => text(), 1 => Just("a/b:c".to_owned()), 1 => Just("..".to_owned())];
    (any::<bool>(), vec(name, 0..4), vec(text(), 0..3)).prop_map(|(absolute, names, subnames)| NodePath {
        absolute,
        names,
        subnames,
    })
}

/// Lists keys so that neighbours are alike, though they may still be two keys.
fn like_keys() -> Vec<Value> {
    let scalars = [
        Value::Int(0),
        Value::Float(0.0),
        Value::Float(-0.0),
        Value::Float(f64::NAN),
        Value::Float(-f64::NAN),
        Value::Bool(false),
        Value::String("a".into()),
        Value::String("b".into()),
        Value::StringName("a".into()),
        Value::NodePath(Box::new(NodePath { names: vec!["a".into()], ..NodePath::default() })),
        Value::NodePath(Box::new(NodePath {
            absolute: true,
            names: vec!["a".into()],
            ..NodePath::default()
        })),
        Value::NodePath(Box::new(NodePath { subnames: vec!["a".into()], ..NodePath::default() })),
        Value::Vector2(Reals::Single([0.1, 0.0])),
        Value::Vector2([0.1, -0.0_f64].into()),
        Value::Vector2i([0, 0]),
        Value::PackedByteArray(vec![1]),
        Value::PackedByteArray(vec![1, 0]),
        Value::PackedFloat32Array(vec![-0.0]),
        Value::PackedFloat64Array(vec![0.1]),
        Value::PackedFloat64Array(vec![0.100_000_001]),
        Value::PackedStringArray(vec!["a".into(), String::new()]),
        Value::ObjectId(1),
        Value::Rid(1),
        Value::Nil,
    ];
    let inside = scalars.iter().cloned().map(|item| array(ElementType::None, vec![item]));
    let keyed = scalars
        .iter()
        .cloned()
        .map(|key| dictionary(ElementType::None, ElementType::None, vec![(key, Value::Nil)]));
    scalars.iter().cloned().chain(inside).chain(keyed).collect()
}

fn signal() -> impl Strategy<Value = Value> {
    (text(), any::<u64>()).prop_map(|(name, object_id)| Value::Signal(Box::new(Signal { name, object_id })))
}

/// Makes a class name that is not empty, because an empty one is how a null object is written.
fn class_name() -> impl Strategy<Value = String> {
    text().prop_map(|name| if name.is_empty() { "RefCounted".to_owned() } else { name })
}

/// Makes real numbers in both widths, often with the same value.
fn reals<const N: usize>() -> impl Strategy<Value = Reals<N>> {
    prop_oneof![
        prop::array::uniform(single()).prop_map(Reals::Single),
        prop::array::uniform(double()).prop_map(Reals::from),
    ]
}

fn packed_reals<const N: usize>() -> impl Strategy<Value = PackedReals<N>> {
    prop_oneof![
        vec(prop::array::uniform(single()), FEW).prop_map(PackedReals::Single),
        vec(prop::array::uniform(double()), FEW).prop_map(PackedReals::from),
    ]
}

fn ints<const N: usize>() -> impl Strategy<Value = [i32; N]> {
    prop::array::uniform(int32())
}

fn array(element: ElementType, items: Vec<Value>) -> Value {
    Value::Array(Box::new(Array { element, items }))
}

fn dictionary(key: ElementType, value: ElementType, entries: Vec<(Value, Value)>) -> Value {
    Value::Dictionary(Box::new(Dictionary { key, value, entries }))
}

/// Makes a valid blob with one to three changes.
pub fn near_valid_bytes() -> impl Strategy<Value = Vec<u8>> {
    (value(), any::<u64>(), 1..4usize).prop_map(|(value, seed, changes)| {
        let mut bytes = value.encode().unwrap_or_default();
        let mut mutator = Mutator::new(seed, vec![bytes.clone()]);
        (0..changes).for_each(|_| mutator.change(&mut bytes));
        bytes
    })
}

/// Returns proptest's settings in this repository: `cases` cases, the same ones in each run, and no files
/// left behind.
#[must_use]
pub fn config(cases: u32, seed: u64) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..Config::default() }
}

/// Makes `count` trees, the same ones each time, as seeds for mutation.
///
/// # Panics
/// When a strategy rejects a value, which none here does.
#[must_use]
pub fn samples(count: usize, seed: u64) -> Vec<Value> {
    let mut runner = TestRunner::new(config(1, seed));
    let sample = |_| value().new_tree(&mut runner).expect("strategies do not reject").current();
    (0..count).map(sample).collect()
}

/// Makes a tree that depends on these bytes: for fuzzing, where other bytes are to give other trees. The
/// bytes are the seed of a generator and not the choices themselves, which would end with the bytes while
/// strategies still ask.
///
/// # Panics
/// When a strategy rejects a value, which none here does.
#[must_use]
pub fn grown(bytes: &[u8]) -> Value {
    let mut seed = [0u8; 32];
    for (at, byte) in bytes.iter().enumerate() {
        let slot = &mut seed[at % 32];
        *slot = slot.wrapping_mul(31) ^ *byte;
    }
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(config(1, 0), rng);
    value().new_tree(&mut runner).expect("strategies do not reject").current()
}
