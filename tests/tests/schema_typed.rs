//! Checks that the value which decoding makes keeps to its own declarations, whether the bytes declare them
//! or the schema does.

use variant_core::{Array, Dictionary, ElementType, Limits, Rules, Skip, Value, VariantType, Walker};
use variant_schema::{Checker, FilledBytes, Program, Schema, Verdict};

const NONE: ElementType = ElementType::None;
const INT: ElementType = ElementType::Builtin(VariantType::Int);
const TEXT: ElementType = ElementType::Builtin(VariantType::String);
const NAME: ElementType = ElementType::Builtin(VariantType::StringName);

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn name(text: &str) -> Value {
    Value::StringName(text.to_owned())
}

fn array(element: ElementType, items: &[Value]) -> Value {
    Value::Array(Box::new(Array { element, items: items.to_vec() }))
}

fn dictionary(key: ElementType, value: ElementType, entries: &[(Value, Value)]) -> Value {
    Value::Dictionary(Box::new(Dictionary { key, value, entries: entries.to_vec() }))
}

/// Decodes a value and checks that SAFE reads the result back: it refuses elements that a typed container
/// would not keep.
#[track_caller]
fn made(program: &Program, value: &Value) -> Value {
    let (bytes, rules) = (value.encode().expect("a value"), Rules::safe(Limits::network()));
    let made = Checker::new().decode(program, &bytes, &rules).expect("accepted");
    let again = made.encode().expect("a value");
    Walker::new().decode(&again, &rules, &mut Skip).expect("it keeps to what it declares");
    // A verdict that the bytes already are the value must not be given for such bytes.
    let mut reshaped = FilledBytes::default();
    match program.reshape(&bytes, &rules, &mut reshaped) {
        Some(Verdict::Fits { reshapes: false }) => assert_eq!(bytes, again),
        Some(Verdict::Fits { reshapes: true }) => assert_eq!(reshaped.bytes(), again),
        Some(Verdict::Refused(kind)) => panic!("{kind}"),
        None => {}
    }
    made
}

/// Makes a dictionary schema of an int and of a key that may be missing, with `missing` as its default.
fn program(missing: Value) -> Program {
    let missing = match missing {
        Value::Nil => Schema::int().nullable().default_value(Value::Nil),
        value if value.ty() == VariantType::Int => Schema::int().default_value(value),
        value => Schema::any().default_value(value),
    };
    Schema::dict([("a", Schema::int()), ("b", missing)]).compile().expect("well-formed")
}

#[test]
fn a_typed_dictionary_keeps_what_fits() {
    let program = program(Value::Int(7));
    for (key, value) in [(NONE, NONE), (TEXT, NONE), (NONE, INT), (TEXT, INT)] {
        let short = dictionary(key.clone(), value.clone(), &[(text("a"), Value::Int(1))]);
        let whole = dictionary(key, value, &[(text("a"), Value::Int(1)), (text("b"), Value::Int(7))]);
        assert_eq!(made(&program, &short), whole);
        assert_eq!(made(&program, &whole), whole);
    }
}

#[test]
fn a_dictionary_of_names_is_filled_with_names() {
    let program = program(Value::Int(7));
    for value in [NONE, INT] {
        let short = dictionary(NAME, value.clone(), &[(name("a"), Value::Int(1))]);
        let whole = dictionary(NAME, value, &[(name("a"), Value::Int(1)), (name("b"), Value::Int(7))]);
        assert_eq!(made(&program, &short), whole);
        assert_eq!(made(&program, &whole), whole);
    }
}

#[test]
fn a_dictionary_that_is_filled_with_something_else_is_untyped() {
    for missing in [text("a text"), Value::Float(7.0), Value::Nil, array(INT, &[Value::Int(1)])] {
        let program = program(missing.clone());
        for (key, value) in [(NONE, INT), (TEXT, INT)] {
            let short = dictionary(key, value, &[(text("a"), Value::Int(1))]);
            let whole = dictionary(NONE, NONE, &[(text("a"), Value::Int(1)), (text("b"), missing.clone())]);
            assert_eq!(made(&program, &short), whole);
        }
        let of_names = dictionary(NAME, NONE, &[(name("a"), Value::Int(1))]);
        let whole = dictionary(NAME, NONE, &[(name("a"), Value::Int(1)), (name("b"), missing)]);
        assert_eq!(made(&program, &of_names), whole, "only what is declared counts");
    }
}

/// Tests a dictionary in which nothing is missing, so that nothing of another type is filled in.
#[test]
fn a_dictionary_that_is_whole_stays_as_it_is() {
    let program = program(text("a text"));
    let whole = dictionary(TEXT, INT, &[(text("a"), Value::Int(1)), (text("b"), Value::Int(2))]);
    assert_eq!(made(&program, &whole), whole);
}

#[test]
fn an_empty_dictionary_may_declare_anything() {
    let schema = Schema::dict([("a", Schema::int().default_value(Value::Int(1)))]);
    let program = schema.compile().expect("well-formed");
    let wanted = dictionary(NONE, NONE, &[(text("a"), Value::Int(1))]);
    assert_eq!(made(&program, &dictionary(INT, INT, &[])), wanted);
    assert_eq!(
        made(&program, &dictionary(TEXT, INT, &[])),
        dictionary(TEXT, INT, &[(text("a"), Value::Int(1))])
    );
}

/// Tests nested dictionaries, and those in which a value tells which keys there are.
#[test]
fn parts_are_untyped_one_by_one() {
    let inner = Schema::dict([("x", Schema::int()), ("y", Schema::any().default_value(text("?")))]);
    let told = Schema::discriminated("x", [(Value::Int(1), inner.clone())]);
    let schema = Schema::dict([("list", Schema::array(inner)), ("one", told)]);
    let program = schema.compile().expect("well-formed");
    let short = dictionary(TEXT, INT, &[(text("x"), Value::Int(1))]);
    let whole = dictionary(NONE, NONE, &[(text("x"), Value::Int(1)), (text("y"), text("?"))]);
    let full = dictionary(TEXT, INT, &[(text("x"), Value::Int(1)), (text("y"), Value::Int(2))]);
    let dictionaries = ElementType::Builtin(VariantType::Dictionary);
    let value = |first: &Value, one: &Value| {
        let list = array(dictionaries.clone(), &[first.clone(), full.clone()]);
        dictionary(NONE, NONE, &[(text("list"), list), (text("one"), one.clone())])
    };
    assert_eq!(made(&program, &value(&short, &short)), value(&whole, &whole));
    assert_eq!(made(&program, &value(&full, &full)), value(&full, &full));
}

/// Tests arrays, of which only a tuple can lack elements.
#[test]
fn a_typed_array_that_is_filled_in_is_untyped() {
    let pair = Schema::tuple([Schema::int(), Schema::any().default_value(text("?"))]);
    let program = pair.compile().expect("well-formed");
    let (one, two) = (Value::Int(1), Value::Int(2));
    let filled = array(NONE, &[one.clone(), text("?")]);
    assert_eq!(made(&program, &array(INT, std::slice::from_ref(&one))), filled);
    assert_eq!(made(&program, &array(NONE, std::slice::from_ref(&one))), filled);
    let whole = array(INT, &[one, two]);
    assert_eq!(made(&program, &whole), whole);
}

/// Tests that the schema's declaration holds whatever the bytes declare, and that the elements keep to it.
#[test]
fn what_the_schema_types_is_typed() {
    let list = Schema::array(Schema::int()).typed();
    let map = Schema::map(Schema::string(), Schema::int()).typed();
    let program = Schema::dict([("list", list), ("map", map)]).compile().expect("well-formed");
    let value = |element: &ElementType, key: &ElementType, value: &ElementType| {
        let map = dictionary(key.clone(), value.clone(), &[(text("k"), Value::Int(1))]);
        let list = array(element.clone(), &[Value::Int(1)]);
        dictionary(NONE, NONE, &[(text("list"), list), (text("map"), map)])
    };
    for element in [NONE, INT] {
        for (key, of) in [(NONE, NONE), (TEXT, NONE), (NONE, INT), (TEXT, INT)] {
            assert_eq!(made(&program, &value(&element, &key, &of)), value(&INT, &TEXT, &INT));
        }
    }
}
