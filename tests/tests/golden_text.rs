//! Compares decoded golden values with the literals of the engine's own `var_to_str`. They are compared in
//! order, each exactly: the engine prints as many digits as tell a number from its neighbours, so nothing is
//! "about equal" here. Class names of typed containers are not compared: without objects the bytes do not
//! carry them.

use std::cmp::Ordering;

use variant_core::cursor::Cursor;
use variant_core::token::{self, Lanes, Leaf, Token};
use variant_core::wire::Lane;
use variant_core::{Rules, Value, decode};
use variant_testkit::golden::{self, Case};

/// Names texts whose byte order mark is in the text and gone from the value, as in `golden.rs`.
const DROPPED_MARK: [&str; 4] = ["string_34", "string_35", "string_36", "packed_string_09"];

/// Holds one literal of a value.
#[derive(Debug)]
enum Literal {
    Word(&'static str),
    Text(String),
    Int(i64),
    Single(f32),
    Double(f64),
}

impl Literal {
    /// Tells whether the engine's spelling means this literal. `-0.0` is printed without its sign.
    fn is(&self, spelled: &Spelled) -> bool {
        match (self, spelled) {
            (Literal::Word(word), Spelled::Bare(bare)) => word == bare,
            (Literal::Text(text), Spelled::Quoted(quoted)) => text == quoted,
            (Literal::Int(int), Spelled::Bare(bare)) => bare.parse() == Ok(*int),
            (Literal::Single(number), Spelled::Bare(bare)) => {
                number_of::<f32>(bare).is_some_and(|n| n == *number || n.is_nan() && number.is_nan())
            }
            (Literal::Double(number), Spelled::Bare(bare)) => {
                number_of::<f64>(bare).is_some_and(|n| n == *number || n.is_nan() && number.is_nan())
            }
            _ => false,
        }
    }
}

fn number_of<T: std::str::FromStr>(bare: &str) -> Option<T> {
    if bare == "inf_neg" { "-inf".parse().ok() } else { bare.parse().ok() }
}

/// Holds one literal as the engine spells it.
#[derive(Debug)]
enum Spelled {
    Bare(String),
    Quoted(String),
}

/// Lists the literals of a `var_to_str` text. Type names are skipped, and so are the declarations of typed
/// containers.
fn spelled(text: &str) -> Vec<Spelled> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(quoted) = rest.strip_prefix('"') {
            let (text, after) = unquote(quoted);
            found.push(Spelled::Quoted(text));
            rest = after;
        } else if let Some(declared) =
            rest.strip_prefix("Array[").or_else(|| rest.strip_prefix("Dictionary["))
        {
            rest = declared.split_once("](").expect("a declaration ends").1;
        } else if c.is_ascii_alphanumeric() || c == '-' {
            let end =
                rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_+-.".contains(c))).unwrap_or(rest.len());
            let (bare, after) = rest.split_at(end);
            if !after.starts_with('(') {
                found.push(Spelled::Bare(bare.to_owned()));
            }
            rest = after;
        } else {
            rest = &rest[c.len_utf8()..];
        }
    }
    found
}

fn unquote(quoted: &str) -> (String, &str) {
    let mut text = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (text, &quoted[at + 1..]),
            '\\' => text.extend(chars.next().map(|(_, c)| c)),
            c => text.push(c),
        }
    }
    panic!("no end of {quoted}");
}

/// Lists the literals of a value, in the order in which `var_to_str` prints them: the keys of a dictionary
/// sorted.
fn literals(value: &Value) -> Vec<Literal> {
    match value {
        Value::Nil => vec![Literal::Word("null")],
        Value::Bool(value) => vec![Literal::Word(if *value { "true" } else { "false" })],
        Value::Int(value) => vec![Literal::Int(*value)],
        Value::Float(value) => vec![narrowest(*value)],
        Value::String(text) | Value::StringName(text) => vec![Literal::Text(text.clone())],
        Value::NodePath(path) => {
            let names = path.names.join("/");
            let subnames: String = path.subnames.iter().map(|name| format!(":{name}")).collect();
            vec![Literal::Text(format!("{}{names}{subnames}", if path.absolute { "/" } else { "" }))]
        }
        Value::Rid(0) | Value::Callable | Value::Signal(_) => Vec::new(),
        Value::Rid(id) => vec![Literal::Int(id.cast_signed())],
        Value::Array(array) => array.items.iter().flat_map(literals).collect(),
        Value::Dictionary(dictionary) => {
            let mut entries: Vec<&(Value, Value)> = dictionary.entries.iter().collect();
            entries.sort_by(|(a, _), (b, _)| in_printing_order(a, b));
            entries.into_iter().flat_map(|(key, value)| [key, value]).flat_map(literals).collect()
        }
        Value::PackedStringArray(strings) => strings.iter().cloned().map(Literal::Text).collect(),
        numbers => numbers_of(numbers),
    }
}

/// Orders keys as the engine prints them: sorted, but keys of different types stay in their order.
fn in_printing_order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
        _ => Ordering::Equal,
    }
}

/// Makes a float's literal: the engine prints it with the digits of a single when a single can hold it.
#[expect(clippy::cast_possible_truncation, reason = "the engine's own test")]
fn narrowest(number: f64) -> Literal {
    let single = number as f32;
    if f64::from(single) == number { Literal::Single(single) } else { Literal::Double(number) }
}

/// Lists the numbers of a math type or packed array, from its token.
fn numbers_of(value: &Value) -> Vec<Literal> {
    let bytes = value.encode().unwrap();
    match token::read(&mut Cursor::new(&bytes), &Rules::engine()) {
        Ok(Token::Leaf(Leaf::Math(_, lanes) | Leaf::Packed(_, lanes))) => numbers_in(&lanes),
        other => panic!("{value:?} is not made of numbers: {other:?}"),
    }
}

fn numbers_in(lanes: &Lanes<'_>) -> Vec<Literal> {
    match lanes.lane() {
        Lane::U8 => lanes.bytes().iter().map(|n| Literal::Int(i64::from(*n))).collect(),
        Lane::I32 => lanes.i32s().map(|n| Literal::Int(i64::from(n))).collect(),
        Lane::I64 => lanes.i64s().map(Literal::Int).collect(),
        Lane::F32 => lanes.f32s().map(Literal::Single).collect(),
        Lane::F64 => lanes.f64s().map(narrowest).collect(),
        Lane::Real => panic!("lanes are named by their width"),
    }
}

#[track_caller]
fn compare(case: &Case, text: &str) {
    let value = decode(&case.bytes, &case.rules()).unwrap();
    let (literals, spelled) = (literals(&value), spelled(text));
    let same =
        literals.len() == spelled.len() && literals.iter().zip(&spelled).all(|(ours, its)| ours.is(its));
    assert!(same, "{}: the engine says {text}\n{spelled:?}\n{literals:?}", case.name);
}

#[test]
fn values_are_what_the_engine_prints() {
    let cases = golden::file("godot4_6").cases;
    let mut compared = 0;
    for case in &cases {
        let Some(text) = &case.text else { continue };
        if DROPPED_MARK.contains(&case.name.as_str()) {
            compare(case, &text.replacen('\u{FEFF}', "", 1));
        } else {
            compare(case, text);
        }
        compared += 1;
    }
    assert_eq!(compared, 497);
}

#[test]
fn literals_are_found() {
    let text = "Dictionary[String, int]({\n\"a \\\"b\": -1,\nVector2(1e-45, inf_neg): [null, &\"x\"]\n})";
    let found = format!("{:?}", spelled(text));
    let expected = "[Quoted(\"a \\\"b\"), Bare(\"-1\"), Bare(\"1e-45\"), Bare(\"inf_neg\"), Bare(\"null\"), \
                    Quoted(\"x\")]";
    assert_eq!(found, expected);
}
