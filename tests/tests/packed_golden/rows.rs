//! Lists schemas with values at the boundaries of everything that can be packed: the golden vectors are made of these.

use variant_core::{Dictionary, NodePath, Value};
use variant_schema::Schema;

use super::motion_rows::motion;
use super::number_rows::{packed_arrays, turns, vectors};

/// A schema with values of it, by a name.
pub(crate) type Row = (&'static str, Schema, Vec<Value>);

pub(crate) fn int(min: i64, max: i64) -> Schema {
    Schema::int().min(min).max(max)
}

fn ints<const N: usize>(numbers: [i64; N]) -> Vec<Value> {
    numbers.map(Value::Int).to_vec()
}

fn reals<const N: usize>(numbers: [f64; N]) -> Vec<Value> {
    numbers.map(Value::Float).to_vec()
}

fn texts<const N: usize>(texts: [&str; N]) -> Vec<Value> {
    texts.map(Value::from).to_vec()
}

fn list<const N: usize>(items: [Value; N]) -> Value {
    Value::from(items.to_vec())
}

pub(crate) fn v2(x: f32, y: f32) -> Value {
    Value::Vector2([x, y].into())
}

/// Lists every row.
pub(crate) fn rows() -> Vec<Row> {
    [
        whole(),
        real(),
        vectors(),
        turns(),
        strings(),
        choices(),
        containers(),
        packed_arrays(),
        sets(),
        motion(),
    ]
    .concat()
}

fn whole() -> Vec<Row> {
    vec![
        ("nil", Schema::null(), vec![Value::Nil]),
        ("bool", Schema::bool(), vec![Value::Bool(false), Value::Bool(true)]),
        ("literal", Schema::literal(Value::from("a")), texts(["a"])),
        ("int of a range", int(-5, 5), ints([-5, 0, 5])),
        ("int of a power of two", int(0, 16), ints([0, 15, 16])),
        ("int of one number", int(3, 3), ints([3])),
        ("int of all numbers", int(i64::MIN, i64::MAX), ints([i64::MIN, -1, i64::MAX])),
        (
            "int without a range",
            Schema::int(),
            ints([0, -4, 3, 4, 35, 36, -548, 16932, 1_065_508, 1 << 31, i64::MIN, i64::MAX]),
        ),
        ("int with a least", Schema::int().min(-9), ints([-9, -2, -1, 62, 63, i64::MAX])),
        ("int with a most", Schema::int().max(9), ints([9, 1, -63, i64::MIN])),
        ("int of reserved bits", int(0, 100).bits(32), ints([0, 100])),
        ("int of multiples", int(-999, 1000).multiple_of(250), ints([-750, 0, 1000])),
        ("int of open multiples", Schema::int().multiple_of(10), ints([0, -30, 1000])),
        ("int that is clamped", int(0, 100).clamped(), ints([0, 100])),
    ]
}

#[expect(clippy::too_many_lines, reason = "a list of rows")]
fn real() -> Vec<Row> {
    let unit = Schema::float().min(0.0).max(1.0);
    let any = Schema::float().allow_non_finite();
    vec![
        (
            "float",
            any.clone(),
            reals([
                0.0,
                -0.0,
                1.5,
                0.1,
                f64::NAN,
                f64::INFINITY,
                f64::MIN_POSITIVE,
                3.402_823_466_385_288_6e38,
            ]),
        ),
        (
            "half",
            any.half(),
            reals([0.0, -2.0, 65504.0, 5.960_464_477_539_063e-8, 0.1, 2049.0, f64::NAN, f64::NEG_INFINITY]),
        ),
        ("single", Schema::float().single(), reals([0.5, -0.0, 16_777_216.0])),
        ("single, lossy", any.single().lossy(), reals([0.1, f64::NAN, 1e-50])),
        ("double", any.double(), reals([0.1, f64::NAN, -0.0])),
        ("steps of a range", unit.quantized(0.25), reals([0.0, 0.125, 0.375, 0.8, 1.0])),
        ("steps of tenths", Schema::float().min(0.1).max(0.7).quantized(0.1), reals([0.1, 0.3, 0.7])),
        (
            "steps around zero",
            Schema::float().min(-20.0).max(20.0).quantized(0.05),
            reals([-20.0, -0.0, 0.024, 20.0]),
        ),
        ("bits of a range", unit.bits(8), reals([0.0, 0.5, 1.0])),
        (
            "bits of a symmetric range",
            Schema::float().min(-1.0).max(1.0).bits(8),
            reals([-1.0, 0.0, 0.3, 1.0]),
        ),
        ("32 bits of a range", Schema::float().min(-1.0).max(1.0).bits(32), reals([-1.0, 0.0, 0.3])),
        ("steps without a range", Schema::float().quantized(0.5), reals([0.0, -1000.5, 0.25, 0.75, 1e12])),
        ("steps that are clamped", unit.quantized(0.25).clamped(), reals([0.0, 1.0])),
        ("angle", Schema::angle(8), reals([0.0, 3.5, -std::f64::consts::PI, std::f64::consts::PI, 100.0])),
        ("angle of one bit", Schema::angle(1), reals([0.0, 3.0])),
    ]
}

fn strings() -> Vec<Row> {
    let path = |absolute: bool, names: &[&str], subnames: &[&str]| {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Value::NodePath(Box::new(NodePath { absolute, names: texts(names), subnames: texts(subnames) }))
    };
    let name = |text: &str| Value::StringName(text.to_owned());
    vec![
        ("string", Schema::string(), texts(["", "1234567", "12345678", "\u{fc}berall \u{1F642}"])),
        (
            "string of few characters",
            Schema::string().min_chars(1_u64).max_chars(16_u64),
            texts(["a", "0123456789abcdef"]),
        ),
        ("string of 64 characters", Schema::string().max_chars(64_u64), texts(["", "a"])),
        (
            "string of an alphabet",
            Schema::string().alphabet("a-z0-9_").max_chars(16_u64),
            texts(["player_1", "", "z"]),
        ),
        ("string of one character", Schema::string().alphabet("\u{fc}"), texts(["", "\u{fc}\u{fc}"])),
        ("string_name", Schema::string_name(), vec![name("jump"), name("")]),
        (
            "node_path",
            Schema::node_path(),
            vec![path(true, &["root", "A"], &["x"]), path(false, &[], &[]), path(false, &["."], &[])],
        ),
    ]
}

#[expect(clippy::too_many_lines, reason = "a list of rows")]
fn choices() -> Vec<Row> {
    let case = |kind: &str, key: &str| {
        Schema::dict([("kind", Schema::literal(Value::from(kind))), (key, Schema::bool())])
    };
    let told =
        |kind: &str, key: &str, is: bool| Value::from([("kind", Value::from(kind)), (key, Value::Bool(is))]);
    let cases = [
        (Value::from("a"), Schema::dict([("x", Schema::bool()), ("n", int(0, 99))])),
        (Value::from("b"), Schema::dict([("y", Schema::bool())])),
        (Value::Int(3), Schema::dict::<&str>([])),
    ];
    let a = |is: bool, n: i64| {
        Value::from([("kind", Value::from("a")), ("x", Value::Bool(is)), ("n", Value::Int(n))])
    };
    let tuple = |kind: &str, part: Schema| Schema::tuple([Schema::literal(Value::from(kind)), part]);
    vec![
        ("enum", Schema::enumeration(texts(["none", "jump", "fire"])), texts(["none", "fire"])),
        (
            "enum of all types",
            Schema::enumeration([Value::from("a"), Value::Float(0.5), Value::Int(2), Value::Bool(true)]),
            vec![Value::Float(0.5), Value::Bool(true)],
        ),
        ("enum with room", Schema::enumeration(texts(["idle", "run"])).room_for(8), texts(["run"])),
        ("enum of one with room", Schema::enumeration(texts(["idle"])).room_for(3), texts(["idle"])),
        (
            "union",
            Schema::union([int(0, 3), Schema::string(), int(2, 100), Schema::array(Schema::bool())]),
            vec![Value::Int(3), Value::Int(99), Value::Int(98), Value::from("a"), list([Value::Bool(true)])],
        ),
        (
            "union with room",
            Schema::union([Schema::bool(), Schema::null()]).room_for(5),
            vec![Value::Nil, Value::Bool(true)],
        ),
        (
            "union of dicts",
            Schema::union([case("a", "x"), case("b", "y"), Schema::null()]),
            vec![told("b", "y", true), told("b", "y", false), told("a", "x", false), Value::Nil],
        ),
        (
            "union of tuples",
            Schema::union([tuple("a", Schema::bool()), tuple("b", int(0, 9))]),
            vec![list([Value::from("b"), Value::Int(9)]), list([Value::from("a"), Value::Bool(true)])],
        ),
        (
            "discriminated",
            Schema::discriminated("kind", cases),
            vec![a(true, 7), a(false, 7), told("b", "y", true), Value::from([("kind", Value::Int(3))])],
        ),
        ("nullable", int(0, 3).nullable(), vec![Value::Nil, Value::Int(3), Value::Int(2)]),
        ("any", Schema::any(), vec![Value::Nil, list([Value::Int(1), Value::from("a")])]),
    ]
}

#[expect(clippy::too_many_lines, reason = "a list of rows")]
fn containers() -> Vec<Row> {
    let numbers = |numbers: &[i64]| Value::from(numbers.iter().copied().map(Value::Int).collect::<Vec<_>>());
    let some = Schema::dict([("b?", int(0, 3)), ("a?", int(0, 3)), ("\u{e4}", Schema::bool().nullable())]);
    let filled = Schema::dict([
        ("a", int(0, 3).default_value(Value::Int(2))),
        ("t", Schema::string().default_value(Value::from(""))),
    ]);
    let flag = |value: Value| ("\u{e4}", value);
    let tree = Schema::reference("tree").define(
        "tree",
        Schema::dict([("n", int(0, 3)), ("below", Schema::array(Schema::reference("tree")))]),
    );
    let leaf = |n: i64, below: Vec<Value>| Value::from([("n", Value::Int(n)), ("below", Value::from(below))]);
    vec![
        (
            "array",
            Schema::array(int(0, 3)),
            vec![numbers(&[]), numbers(&[1, 2, 3]), numbers(&[1, 0, 3, 3]), numbers(&[1; 9])],
        ),
        (
            "array of one size",
            Schema::array(int(0, 3)).min_size(2_u64).max_size(2_u64),
            vec![numbers(&[3, 1])],
        ),
        ("array of 63", Schema::array(int(0, 7)).max_size(63_u64), vec![numbers(&[7])]),
        ("array of 64", Schema::array(int(0, 7)).max_size(64_u64), vec![numbers(&[7])]),
        ("array of literals", Schema::array(Schema::literal(Value::Int(7))), vec![numbers(&[7; 5])]),
        (
            "long array",
            Schema::array(int(0, 300)),
            vec![
                numbers(&[9; 30]),
                numbers(&[9, 9, 9, 9, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 300, 9, 9]),
            ],
        ),
        ("tuple", Schema::tuple([int(0, 3), Schema::bool()]), vec![list([Value::Int(2), Value::Bool(true)])]),
        (
            "tuple that may end early",
            Schema::tuple([int(0, 3), int(0, 3).optional()]),
            vec![numbers(&[1]), numbers(&[1, 3])],
        ),
        (
            "tuple with defaults",
            Schema::tuple([
                int(0, 3),
                int(0, 3).default_value(Value::Int(3)),
                int(0, 3).default_value(Value::Int(1)),
            ]),
            vec![numbers(&[1, 3, 1]), numbers(&[1, 3, 2]), numbers(&[1, 2, 1])],
        ),
        (
            "dict",
            Schema::dict([("z", int(0, 3)), ("a", int(0, 200)), ("b", Schema::null())]),
            vec![
                Value::from([("z", Value::Int(2)), ("a", Value::Int(1)), ("b", Value::Nil)]),
                Value::from([("a", Value::Int(200)), ("z", Value::Int(2)), ("b", Value::Nil)]),
            ],
        ),
        (
            "dict that may grow",
            Schema::dict([("a", int(0, 3))]).growing::<&str>([]),
            vec![Value::from([("a", Value::Int(2))])],
        ),
        (
            "dict that has grown",
            Schema::dict([("a", int(0, 3))]).growing([("z", int(0, 9)), ("b", Schema::string())]),
            vec![
                Value::from([("a", Value::Int(2))]),
                Value::from([("a", Value::Int(2)), ("z", Value::Int(9))]),
                Value::from([("a", Value::Int(2)), ("b", Value::from("x"))]),
            ],
        ),
        (
            "dict with optional keys",
            some,
            vec![
                Value::from([flag(Value::Nil)]),
                Value::from([("a", Value::Int(1)), flag(Value::Bool(true))]),
                Value::from([("b", Value::Int(1)), ("a", Value::Int(2)), flag(Value::Nil)]),
            ],
        ),
        (
            "dict with defaults",
            filled,
            vec![
                Value::from([("a", Value::Int(2))]),
                Value::from([("a", Value::Int(3)), ("t", Value::from("x"))]),
            ],
        ),
        (
            "map",
            Schema::map(Schema::string(), int(0, 3)),
            vec![
                Value::from([("b", Value::Int(1)), ("a", Value::Int(2))]),
                Value::from([("b", Value::Int(3)), ("c", Value::Int(2))]),
                Value::from([("b", Value::Int(3))]),
            ],
        ),
        (
            "references",
            tree,
            vec![leaf(1, vec![]), leaf(1, vec![leaf(2, vec![]), leaf(3, vec![leaf(0, vec![])])])],
        ),
        (
            "nullable reference",
            Schema::reference("a").nullable().define("a", int(0, 3)),
            vec![Value::Nil, Value::Int(2)],
        ),
    ]
}

fn sets() -> Vec<Row> {
    let item = Schema::dict([
        ("hp?", int(0, 300)),
        ("id", int(1, 40)),
        ("at", Schema::vector2().quantized_within(0.5, -8.0, 8.0)),
    ]);
    let entry = |id: i64, hp: i64, x: f32| {
        Value::from([("id", Value::Int(id)), ("hp", Value::Int(hp)), ("at", v2(x, 0.0))])
    };
    let wide = Schema::array(Schema::dict([("id", int(0, 0xFFFF_FFFF))])).keyed("id");
    let id = |id: i64| Value::from([("id", Value::Int(id))]);
    let map = |entries: &[(i64, i64)]| {
        let entries = entries.iter().map(|(key, value)| (Value::Int(*key), Value::Int(*value))).collect();
        Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }))
    };
    vec![
        (
            "set",
            Schema::array(item).keyed("id").max_size(32_u64),
            vec![
                list([]),
                list([entry(40, 1, 0.5), entry(1, 300, -8.0), entry(3, 0, 0.0)]),
                list([entry(1, 299, -8.0), entry(2, 1, 0.0), entry(3, 0, 0.0)]),
                Value::from((1..=20).map(|id| entry(id, 7, 1.0)).collect::<Vec<_>>()),
            ],
        ),
        (
            "sorted map",
            Schema::map(int(-5, 60), int(0, 300)).keyed("").max_size(40_u64),
            vec![
                map(&[]),
                map(&[(7, 300), (-5, 1), (60, 0)]),
                map(&[(-5, 2), (7, 300), (8, 9)]),
                map(&[(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1)]),
            ],
        ),
        ("set of a wide key", wide, vec![list([id(0xFFFF_FFFF), id(0)]), list([id(7), id(0)])]),
    ]
}
