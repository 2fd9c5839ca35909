//! Checks the table of docs/RUST.md row by row: what each type of Rust is written as, byte for byte what
//! Godot 4.6.3 wrote for the same value (`engine.json`, recorded by `cargo xtask golden`), and read from it
//! again.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use crate::engine::Rows;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use variant_serde::*;

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Player {
    name: String,
    hp: u8,
    pos: Vector3,
    guild: Option<String>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
struct Renamed {
    player_name: String,
    hit_points: i64,
}

impl GodotType for Renamed {
    const TYPE: VariantType = VariantType::Dictionary;
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Place {
    x: i32,
    y: i32,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Flat {
    id: u64,
    #[serde(flatten)]
    place: Place,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct World {
    players: Vec<Player>,
}

#[derive(Serialize, Deserialize, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
enum Plain {
    Idle,
    Running,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum Action {
    Idle,
    Move(Vector2),
    Hit(u32, i16),
    Say { text: String, loud: bool },
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "type")]
enum Internal {
    Say { text: String },
    Nothing,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Say { text: String },
    Nothing,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Meters(f64);

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Nothing;

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Pair(i64, String, bool);

fn ann(guild: Option<&str>) -> Player {
    Player { name: "Ann".into(), hp: 80, pos: Vector3::new(0.0, 1.0, 0.0), guild: guild.map(str::to_owned) }
}

/// Written as the engine wrote it, and read from that; and the same through a tree.
#[track_caller]
fn row<T: Serialize + DeserializeOwned + PartialEq + Debug>(rows: &mut Rows, name: &str, value: T) {
    let bytes = rows.take(name);
    assert_eq!(to_vec(&value).as_deref(), Ok(bytes.as_slice()), "{name} is written otherwise");
    assert_eq!(
        from_slice_with::<T>(&bytes, &Rules::engine()).as_ref(),
        Ok(&value),
        "{name} is read otherwise"
    );
    let tree = to_value(&value).unwrap();
    assert_eq!(tree.encode().as_deref(), Ok(bytes.as_slice()), "{name} is another tree");
    assert_eq!(from_value::<T>(&tree).as_ref(), Ok(&value), "{name} is read otherwise from a tree");
    assert_eq!(from_reader::<T>(bytes.as_slice(), &Rules::engine()).as_ref(), Ok(&value));
    let mut written = Vec::new();
    to_writer(&mut written, &value).unwrap();
    assert_eq!(written, bytes);
}

/// Another Rust type for a row that was taken.
#[track_caller]
fn also<T: Serialize + DeserializeOwned + PartialEq + Debug>(name: &str, value: T) {
    row(&mut Rows::read(), name, value);
}

#[test]
fn plain_types() {
    let rows = &mut Rows::read();
    row(rows, "bool", true);
    row(rows, "int", 7_i64);
    for_ints();
    row(rows, "int_negative", -1_i64);
    row(rows, "int_wide", 1_i64 << 40);
    row(rows, "int_least", i64::MIN);
    row(rows, "float_narrow", 0.5_f64);
    also("float_narrow", 0.5_f32);
    also("float_narrow", Meters(0.5));
    row(rows, "float_wide", 0.1_f64);
    row(rows, "float_of_single", 0.1_f32);
    row(rows, "string", "Ann".to_owned());
    row(rows, "string_wide", "имя".to_owned());
    row(rows, "char", 'x');
    row(rows, "bytes", serde_bytes::ByteBuf::from([1, 2, 3]));
    row(rows, "null", ());
    also("null", Nothing);
    also("null", None::<i32>);
    also("int", Some(7));
    let nan = rows.take("nan");
    assert_eq!(to_vec(&f64::NAN).unwrap(), nan);
    assert!(from_slice::<f64>(&nan).unwrap().is_nan() && from_slice::<f32>(&nan).unwrap().is_nan());
}

fn for_ints() {
    also("int", 7_i8);
    also("int", 7_i16);
    also("int", 7_i32);
    also("int", 7_i128);
    also("int", 7_u8);
    also("int", 7_u16);
    also("int", 7_u32);
    also("int", 7_u64);
    also("int", 7_u128);
    also("int", 7_usize);
}

#[test]
fn containers() {
    let rows = &mut Rows::read();
    row(rows, "array", vec![1, 2, 3]);
    also("array", [1, 2, 3]);
    also("array", (1, 2, 3));
    row(rows, "array_empty", Vec::<String>::new());
    row(rows, "tuple", (1, "a".to_owned(), true));
    also("tuple", Pair(1, "a".into(), true));
    row(rows, "map_of_strings", BTreeMap::from([("a".to_owned(), 1), ("b".to_owned(), 2)]));
    row(rows, "map_of_ints", BTreeMap::from([(7, "x".to_owned()), (-1, "y".to_owned())]).reversed());
    row(rows, "map_of_names", HashMap::from([(Plain::Idle, 1)]));
    row(rows, "map_of_arrays", BTreeMap::from([(vec![1, 2], true)]));
    row(rows, "map_of_bools", BTreeMap::from([(true, 1)]));
    row(rows, "struct", ann(None));
    row(rows, "struct_renamed", Renamed { player_name: "Ann".into(), hit_points: 80 });
    row(rows, "struct_flat", Flat { id: 1, place: Place { x: 2, y: 3 } });
    row(rows, "struct_nested", World { players: vec![ann(Some("Red"))] });
}

/// A map in the order of the engine's: {7: "x", -1: "y"}.
#[derive(PartialEq, Debug)]
struct Reversed(BTreeMap<i64, String>);

trait IntoReversed {
    fn reversed(self) -> Reversed;
}

impl IntoReversed for BTreeMap<i64, String> {
    fn reversed(self) -> Reversed {
        Reversed(self)
    }
}

impl Serialize for Reversed {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().rev())
    }
}

impl<'de> Deserialize<'de> for Reversed {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Reversed, D::Error> {
        BTreeMap::deserialize(deserializer).map(Reversed)
    }
}

#[test]
fn enums() {
    let rows = &mut Rows::read();
    row(rows, "variant_unit", Action::Idle);
    row(rows, "variant_newtype", Action::Move(Vector2::new(1.0, 2.0)));
    row(rows, "variant_tuple", Action::Hit(7, 12));
    row(rows, "variant_struct", Action::Say { text: "hi".into(), loud: true });
    row(rows, "variant_internal", Internal::Say { text: "hi".into() });
    row(rows, "variant_adjacent", Adjacent::Say { text: "hi".into() });
    // As an int on request, and read without asking.
    let number = rows.take("variant_number");
    let writing = Writing { variants: Variants::Numbers, ..Writing::default() };
    let mut written = Vec::new();
    append(&Plain::Idle, &mut written, &writing).unwrap();
    assert_eq!(written, number);
    assert_eq!(from_slice::<Plain>(&number).unwrap(), Plain::Idle);
    assert_eq!(from_slice::<Action>(&number).unwrap(), Action::Idle);
    assert_eq!(from_slice::<Plain>(&to_vec(&1).unwrap()).unwrap(), Plain::Running);
}

#[test]
fn vectors_and_matrices() {
    let rows = &mut Rows::read();
    let vector3 = |x, y, z| Vector3::new(x, y, z);
    // GDScript's Basis(x, y, z), by which the row was recorded, takes columns.
    let basis = Basis { rows: [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]] };
    row(rows, "vector2", Vector2::new(1.5_f32, -2.0));
    row(rows, "vector2i", Vector2i::new(3, -4));
    row(rows, "rect2", Rect2 { position: Vector2::new(1.0_f32, 2.0), size: Vector2::new(3.0, 4.0) });
    row(rows, "rect2i", Rect2i { position: Vector2i::new(1, 2), size: Vector2i::new(3, 4) });
    row(rows, "vector3", vector3(1.0_f32, 2.0, 3.0));
    row(rows, "vector3i", Vector3i::new(1, 2, 3));
    let (x, y, origin) = (Vector2::new(1.0_f32, 2.0), Vector2::new(3.0, 4.0), Vector2::new(5.0, 6.0));
    row(rows, "transform2d", Transform2D { x, y, origin });
    row(rows, "vector4", Vector4::new(1.0_f32, 2.0, 3.0, 4.0));
    row(rows, "vector4i", Vector4i::new(1, 2, 3, 4));
    row(rows, "plane", Plane { normal: vector3(1.0, 2.0, 3.0), d: 4.0 });
    row(rows, "quaternion", Quaternion::new(0.0_f32, 0.0, 0.6, 0.8));
    row(rows, "aabb", Aabb { position: vector3(1.0, 2.0, 3.0), size: vector3(4.0, 5.0, 6.0) });
    row(rows, "basis", basis);
    row(rows, "transform3d", Transform3D { basis, origin: vector3(10.0, 11.0, 12.0) });
    let column = |first: f32| [first, first + 1.0, first + 2.0, first + 3.0];
    row(rows, "projection", Projection { columns: [column(1.0), column(5.0), column(9.0), column(13.0)] });
    row(rows, "color", Color::new(0.25, 0.5, 0.75, 1.0));
}

#[test]
fn texts_and_packed_arrays() {
    let rows = &mut Rows::read();
    row(rows, "string_name", StringName::from("walk"));
    row(rows, "node_path", NodePath::from("/root/Main:position:x"));
    row(rows, "node_path_relative", NodePath::from("a/b"));
    row(rows, "rid", Rid(0));
    row(rows, "packed_byte_array", PackedByteArray(vec![1, 2, 255]));
    also("packed_byte_array", serde_bytes::ByteBuf::from([1, 2, 255]));
    row(rows, "packed_int32_array", PackedInt32Array(vec![1, -2]));
    row(rows, "packed_int64_array", PackedInt64Array(vec![1, -4_294_967_297]));
    row(rows, "packed_float32_array", PackedFloat32Array(vec![0.5, -1.0]));
    row(rows, "packed_float64_array", PackedFloat64Array(vec![0.1, -1.0]));
    row(rows, "packed_string_array", PackedStringArray(vec!["a".into(), "имя".into()]));
    let two = vec![Vector2::new(1.0_f32, 2.0), Vector2::new(3.0, 4.0)];
    row(rows, "packed_vector2_array", PackedVector2Array(two));
    row(rows, "packed_vector3_array", PackedVector3Array(vec![Vector3::new(1.0_f32, 2.0, 3.0)]));
    row(rows, "packed_vector4_array", PackedVector4Array(vec![Vector4::new(1.0_f32, 2.0, 3.0, 4.0)]));
    row(rows, "packed_color_array", PackedColorArray(vec![Color::new(0.0, 0.5, 1.0, 1.0)]));
    row(rows, "packed_empty", PackedVector3Array::<f32>(Vec::new()));
}

#[test]
fn typed_containers() {
    let rows = &mut Rows::read();
    row(rows, "typed_ints", Typed(vec![1, 2]));
    also("typed_ints", Typed([1, 2]));
    row(rows, "typed_vectors", Typed(vec![Vector2::new(1.0_f32, 2.0)]));
    let ann = Renamed { player_name: "Ann".into(), hit_points: 80 };
    row(rows, "typed_structs", Typed(vec![ann]));
    row(rows, "typed_map", TypedMap(HashMap::from([("a".to_owned(), 1)])));
    row(rows, "typed_nested", TypedMap(BTreeMap::from([(1, vec![1, 2])])));
}

/// No row of the file is left without a test here.
#[test]
fn every_row_is_tested() {
    let source = include_str!("mapping.rs");
    for name in Rows::read().names() {
        assert!(source.contains(&format!("\"{name}\"")), "{name}");
    }
}

/// Values that other types wrote are read all the same.
#[test]
fn what_else_is_read() {
    let rows = &mut Rows::read();
    let vector = rows.take("vector3");
    assert_eq!(from_slice::<[f32; 3]>(&vector).unwrap(), [1.0, 2.0, 3.0]);
    assert_eq!(from_slice::<(f64, f64, f64)>(&vector).unwrap(), (1.0, 2.0, 3.0));
    let vector = rows.take("vector2i");
    assert_eq!(from_slice::<Place>(&vector).unwrap(), Place { x: 3, y: -4 });
    assert_eq!(from_slice::<Vec<u8>>(&rows.take("packed_byte_array")).unwrap(), [1, 2, 255]);
    assert_eq!(from_slice::<Vec<i64>>(&rows.take("packed_int32_array")).unwrap(), [1, -2]);
    assert_eq!(from_slice::<Vec<String>>(&rows.take("packed_string_array")).unwrap(), ["a", "имя"]);
    assert_eq!(
        from_slice::<Vec<[f32; 2]>>(&rows.take("packed_vector2_array")).unwrap(),
        [[1.0, 2.0], [3.0, 4.0]]
    );
    assert_eq!(from_slice::<String>(&rows.take("string_name")).unwrap(), "walk");
    assert_eq!(from_slice::<StringName>(&rows.take("string")).unwrap(), StringName::from("Ann"));
    assert_eq!(from_slice::<String>(&rows.take("node_path")).unwrap(), "/root/Main:position:x");
    assert_eq!(from_slice::<Vec<i64>>(&rows.take("typed_ints")).unwrap(), [1, 2]);
    let map = from_slice::<HashMap<String, i64>>(&rows.take("typed_map")).unwrap();
    assert_eq!(map, HashMap::from([("a".to_owned(), 1)]));
    // GDScript's 1 where Rust has a float.
    assert_eq!(from_slice::<f32>(&rows.take("int")).map(f32::to_bits), Ok(7.0_f32.to_bits()));
    // Keys of a struct may be StringNames.
    let named = Value::from([(Value::StringName("x".into()), 2), (Value::StringName("y".into()), 3)]);
    assert_eq!(from_slice::<Place>(&named.encode().unwrap()).unwrap(), Place { x: 2, y: 3 });
}

/// Types of Godot's are read from what is no newtype: from a part of another value, and from serde's own deserializers.
#[test]
fn newtypes_may_be_left_out() {
    use serde::de::IntoDeserializer;
    use serde::de::value::{BytesDeserializer, Error, SeqDeserializer};

    let texts = Rows::read().take("packed_string_array");
    assert_eq!(from_slice::<Vec<StringName>>(&texts).unwrap(), ["a", "имя"].map(StringName::from));
    assert_eq!(from_slice::<Vec<NodePath>>(&texts).unwrap(), ["a", "имя"].map(NodePath::from));
    let told = from_slice::<Vec<PackedByteArray>>(&texts).unwrap_err().to_string();
    assert_eq!(told, "[0]: expected PackedByteArray, got String (byte 8)");

    let object =
        variant_core::Object { class: "Node".into(), properties: vec![("hp".into(), Value::Int(7))] };
    let bytes = Value::from(object).encode().unwrap();
    let rules = Rules { full_objects: true, ..Rules::engine() };
    let properties = from_slice_with::<HashMap<StringName, i64>>(&bytes, &rules).unwrap();
    assert_eq!(properties, HashMap::from([("hp".into(), 7)]));
    let properties = from_slice_with::<HashMap<NodePath, i64>>(&bytes, &rules).unwrap();
    assert_eq!(properties, HashMap::from([("hp".into(), 7)]));

    let text = IntoDeserializer::<Error>::into_deserializer;
    assert_eq!(StringName::deserialize(text("x")), Ok("x".into()));
    assert_eq!(
        StringName::deserialize(IntoDeserializer::<Error>::into_deserializer("x".to_owned())),
        Ok("x".into())
    );
    assert_eq!(NodePath::deserialize(text("/a:b")), Ok("/a:b".into()));
    let path = Rows::read().take("node_path");
    let read = NodePath::deserialize(BytesDeserializer::<Error>::new(&path));
    assert_eq!(read, Ok("/root/Main:position:x".into()));
    assert_eq!(Rid::deserialize(IntoDeserializer::<Error>::into_deserializer(7_u64)), Ok(Rid(7)));
    let numbers = || SeqDeserializer::<_, Error>::new([1_u8, 2].into_iter());
    assert_eq!(PackedByteArray::deserialize(numbers()), Ok(vec![1, 2].into()));
    assert_eq!(PackedInt64Array::deserialize(numbers()), Ok(vec![1, 2].into()));
    assert_eq!(PackedFloat32Array::deserialize(numbers()), Ok(vec![1.0, 2.0].into()));
    assert_eq!(Vector2i::deserialize(numbers()), Ok(Vector2i::new(1, 2)));
    let texts = SeqDeserializer::<_, Error>::new(["a"].into_iter());
    assert_eq!(PackedStringArray::deserialize(texts), Ok(vec!["a".to_owned()].into()));

    // Each takes its own form alone.
    let told = |error: Error| error.to_string();
    let refused = Rid::deserialize(text("x")).map_err(told);
    assert_eq!(refused, Err("invalid type: string \"x\", expected RID".to_owned()));
    let refused = StringName::deserialize(BytesDeserializer::<Error>::new(b"x")).map_err(told);
    assert_eq!(refused, Err("invalid type: byte array, expected StringName".to_owned()));
    let refused = Typed::<Vec<u8>>::deserialize(numbers()).map_err(told);
    assert_eq!(refused, Err("invalid type: sequence, expected Array[int]".to_owned()));
}

/// Hands out bytes, as a format that is not for people does.
struct Binary<'a>(&'a [u8]);

impl<'de> serde::Deserializer<'de> for Binary<'_> {
    type Error = serde::de::value::Error;

    fn deserialize_any<V: serde::de::Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_bytes(self.0)
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

#[test]
fn bytes_are_values_without_a_newtype() {
    let bytes = Rows::read().take("node_path");
    let any = Any::deserialize(Binary(&bytes)).unwrap();
    assert_eq!(any.0.ty(), VariantType::NodePath);
    assert_eq!(NodePath::deserialize(Binary(&bytes)), Ok("/root/Main:position:x".into()));
    assert!(NodePath::deserialize(Binary(&Rows::read().take("int"))).is_err());
}

/// Nothing of the text or the bytes is copied.
#[test]
fn texts_and_bytes_are_borrowed() {
    #[derive(Deserialize)]
    struct Borrowed<'a> {
        text: &'a str,
        #[serde(with = "serde_bytes")]
        bytes: &'a [u8],
    }
    let value = Value::from([("text", Value::from("Ann")), ("bytes", Value::from(vec![1_u8, 2]))]);
    let bytes = value.encode().unwrap();
    let read: Borrowed<'_> = from_slice(&bytes).unwrap();
    assert_eq!((read.text, read.bytes), ("Ann", &[1, 2][..]));
    let inside = bytes.as_ptr_range();
    assert!(inside.contains(&read.text.as_ptr()) && inside.contains(&read.bytes.as_ptr()));
}

/// Builds of double precision write vectors of doubles; each width is read as the other.
#[test]
fn vectors_have_two_widths() {
    let wide = Vector3::<f64>::new(0.1, 0.2, 0.3);
    let bytes = to_vec(&wide).unwrap();
    assert_eq!(bytes, Value::Vector3([0.1_f64, 0.2, 0.3].into()).encode().unwrap());
    assert_eq!(from_slice::<Vector3<f64>>(&bytes).unwrap(), wide);
    assert_eq!(from_slice::<Vector3>(&bytes).unwrap(), Vector3::new(0.1, 0.2, 0.3));
    let bytes = to_vec(&PackedVector2Array(vec![Vector2::new(0.1_f64, 0.2)])).unwrap();
    assert_eq!(bytes, Value::PackedVector2Array(vec![[0.1_f64, 0.2]].into()).encode().unwrap());
}

/// Dictionaries of tiles: Godot compares vectors of ints, so Rust's maps take them as keys.
#[test]
fn vectors_of_ints_are_keys() {
    let tiles = HashMap::from([(Vector2i::new(1, -2), "grass".to_owned())]);
    let bytes = variant_serde::to_vec(&tiles).unwrap();
    assert_eq!(variant_serde::from_slice::<HashMap<Vector2i, String>>(&bytes).unwrap(), tiles);
    let sorted: BTreeMap<Vector2i, String> = variant_serde::from_slice(&bytes).unwrap();
    assert_eq!(variant_serde::to_vec(&sorted).unwrap(), bytes);
    // A tuple would be read and then written as an Array, which is another key.
    let error = variant_serde::from_slice::<HashMap<(i32, i32), String>>(&bytes).unwrap_err();
    let told = "[key 0]: expected a key of the type Vector2i, such as that of this crate; a tuple is written as an Array, got Vector2i (byte 8)";
    assert_eq!(error.to_string(), told);
    // As a value it is read as ever.
    let value = variant_serde::to_vec(&Vector2i::new(1, -2)).unwrap();
    assert_eq!(variant_serde::from_slice::<(i32, i32)>(&value).unwrap(), (1, -2));
}

#[test]
fn defaults_are_those_of_godot() {
    assert_eq!(Quaternion::<f32>::default(), Quaternion::new(0.0, 0.0, 0.0, 1.0));
    assert_eq!(Color::default(), Color::new(0.0, 0.0, 0.0, 1.0));
    assert_eq!(Transform3D::<f32>::IDENTITY.basis.rows, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    assert_eq!(Transform2D::<f64>::default().y, Vector2 { x: 0.0, y: 1.0 });
    let at = Vector3::new(1.0, 2.0, 3.0) + Vector3::new(1.0, 0.0, 0.0) * 2.0 - Vector3::default();
    assert_eq!(-at, Vector3::new(-3.0, -2.0, -3.0));
    assert_eq!(Vector2i::new(i32::MAX, 0) + Vector2i::new(1, 1), Vector2i::new(i32::MIN, 1));
}
