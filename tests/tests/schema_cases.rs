//! Runs the cases of tests/schema: every rule both ways, contradictions, and the repairs of coercion. The
//! files are data; tests/README.md describes their form.

use std::collections::BTreeSet;

use serde_json::Value as Json;
use variant_core::{
    Array, ElementType, ErrorKind, Limits, PackedReals, RealWidth, Rules, Value, VariantType,
};
use variant_schema::{Checker, Schema, Shape};
use variant_testkit::schema::violations;

fn read(name: &str) -> Vec<Json> {
    let path = format!("{}/schema/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn schema(json: &Json) -> Schema {
    let mut json = json.clone();
    json["schema_version"] = 1.into();
    let text = json.to_string();
    Schema::from_json(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Reads a value in the form in which schemas hold defaults.
fn value(json: &Json) -> Value {
    let listed = serde_json::json!({ "type": "enum", "values": [json] });
    match schema(&listed).shape() {
        Shape::Enum(values) => values[0].clone(),
        other => panic!("{other:?}"),
    }
}

fn wanted(case: &Json) -> Vec<String> {
    let listed = case["violations"].as_array().or(case["left"].as_array()).expect("violations");
    listed.iter().map(|it| it.as_str().expect("text").to_owned()).collect()
}

/// Lists `KIND path` of each violation, in the order of the bytes.
fn told(found: &[variant_core::Rejection]) -> Vec<String> {
    found.iter().map(|it| format!("{} {}", it.kind.name(), it.path)).collect()
}

#[test]
fn every_rule_both_ways() {
    let (mut count, mut seen) = (0, BTreeSet::new());
    for name in ["types", "numbers", "texts", "vectors", "packed", "enums", "containers", "unions", "format"]
    {
        for block in read(name) {
            let schema = schema(&block["schema"]);
            let program = schema.compile().unwrap_or_else(|error| panic!("{error}: {}", block["schema"]));
            for case in block["cases"].as_array().expect("cases") {
                check_case(&schema, &program, case);
                seen.extend(wanted(case).iter().filter_map(|it| it.split(' ').next().map(str::to_owned)));
                count += 1;
            }
        }
    }
    assert!(count >= 400, "only {count} cases");
    // The last two kinds, a check of the game's own and an ill-formed schema, are no verdicts on a value.
    let kinds = ErrorKind::WrongType.code()..=ErrorKind::NoAlternative.code();
    let unseen =
        ErrorKind::TABLE.iter().find(|(name, code, _)| kinds.contains(code) && !seen.contains(*name));
    assert_eq!(unseen, None, "no case brings it about");
}

fn check_case(schema: &Schema, program: &variant_schema::Program, case: &Json) {
    let (wanted, mut checker) = (wanted(case), Checker::new());
    let rules = Rules::safe(Limits::engine());
    let bytes = match case["bytes"].as_str() {
        Some(hex) => variant_testkit::hex::bytes(hex),
        None => value(&case["value"]).encode().expect("a value"),
    };
    let found = checker.violations(program, &bytes, &rules, 100);
    assert_eq!(told(&found), wanted, "{case} under {}", schema.to_json());
    let verdict = checker.validate(program, &bytes, &rules);
    assert_eq!(verdict.err().as_deref(), found.first(), "{case}: the verdict");
    assert!(found.iter().all(|it| it.offset() <= bytes.len() as u64), "{case}: offsets");
    if case["bytes"].is_null() {
        let value = value(&case["value"]);
        assert_eq!(told(&checker.check_all(program, &value, 100)), wanted, "{case}: the live value");
        let naive: Vec<_> =
            violations(schema, &value).into_iter().map(|(kind, path)| format!("{kind} {path}")).collect();
        let mut sorted = wanted;
        sorted.sort();
        assert_eq!(naive, sorted, "{case}: the second checker");
    }
}

#[test]
fn contradictions_are_told_with_their_place() {
    let rows = read("contradictions");
    assert!(rows.len() >= 40);
    for row in rows {
        let told = schema(&row["schema"]).compile().map(drop).map_err(|wrong| wrong.first().to_string());
        assert_eq!(told, Err(row["error"].as_str().expect("text").to_owned()), "{}", row["schema"]);
    }
}

#[test]
fn coercion_keeps_the_width_of_a_build() {
    let list = |items: Vec<Value>| Value::Array(Box::new(Array { element: ElementType::None, items }));
    let pair = list(vec![Value::Float(0.1), Value::Int(16_777_217)]);
    let double = Rules { reals: RealWidth::Double, ..Rules::engine() };
    let coerced = |schema: Schema, value: &Value, rules: &Rules| {
        let program = schema.compile().expect("well-formed");
        Checker::new().coerce_as(&program, value, rules, 1).expect("repaired")
    };
    let numbers = [0.1, 16_777_217.0];
    let vector = Schema::of_type(VariantType::Vector2);
    assert_eq!(coerced(vector.clone(), &pair, &double), Value::Vector2(numbers.into()));
    assert_eq!(coerced(vector, &pair, &Rules::engine()), Value::Vector2([0.1, 16_777_216.0_f32].into()));
    let packed = Schema::of_type(VariantType::PackedVector2Array);
    let there = Value::Vector2([0.25_f32, 3.0].into());
    let pairs = list(vec![pair, there]);
    let rows = PackedReals::from(vec![numbers, [0.25, 3.0]]);
    assert_eq!(coerced(packed, &pairs, &double), Value::PackedVector2Array(rows));
    // A float would be another number.
    let far = (1 << 53) + 1;
    let ints = Value::from(vec![Value::Int(far), Value::Float(2.0)]);
    assert_eq!(coerced(Schema::packed_int64_array(), &ints, &double), Value::PackedInt64Array(vec![far, 2]));
}

#[test]
fn coercion_repairs_what_is_declared_and_nothing_else() {
    for row in read("coerce") {
        let program = schema(&row["schema"]).compile().expect("well-formed");
        let outcome = Checker::new().coerce(&program, &value(&row["value"]), 100);
        match row.get("becomes") {
            Some(becomes) => assert_eq!(outcome, Ok(value(becomes)), "{row}"),
            None => assert_eq!(told(&outcome.expect_err("refused")), wanted(&row), "{row}"),
        }
    }
}

/// Tests the number of cases that tests/README.md states.
#[test]
fn figures_of_the_readme() {
    let names = ["types", "numbers", "texts", "vectors", "packed", "enums", "containers", "unions", "format"];
    let cases: usize = names
        .iter()
        .flat_map(|name| read(name))
        .map(|block| block["cases"].as_array().expect("cases").len())
        .sum();
    let said = format!(
        "{cases} values and bytes with what each schema says of them, {} contradictions, {} repairs",
        read("contradictions").len(),
        read("coerce").len()
    );
    let readme = include_str!("../README.md");
    assert!(readme.contains(&said), "tests/README.md does not say: {said}");

    let rows = include_str!("../golden/malformed.txt")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let said = format!("{} odd and broken inputs", rows.count());
    assert!(readme.contains(&said), "tests/README.md does not say: {said}");
}

/// Tests a checker that is used again: keys beyond ASCII have as many characters as before.
#[test]
fn used_checkers_count_the_characters_of_keys() {
    let program =
        Schema::map(Schema::string().max_chars(2_u64), Schema::int()).compile().expect("no mistake");
    let value = Value::from([("a", Value::Int(1)), ("\u{e4}\u{1F600}", Value::Int(2))]);
    let bytes = value.encode().expect("it is short");
    let mut checker = Checker::new();
    for _ in 0..3 {
        assert!(checker.validate(&program, &bytes, &Rules::default()).is_ok());
        assert_eq!(checker.decode(&program, &bytes, &Rules::default()).as_ref(), Ok(&value));
    }
}
