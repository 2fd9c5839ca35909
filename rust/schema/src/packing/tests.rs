//! Tests the modifiers of packing: what is refused, and that JSON brings all of it back.

use super::*;

fn refusal(schema: &Schema) -> String {
    schema.compile().err().map_or_else(String::new, |wrong| wrong.first().message.clone())
}

fn refuses(cases: &[(Schema, &str)]) {
    for (schema, words) in cases {
        let message = refusal(schema);
        assert!(message.contains(words), "{words}: {message:?} of {}", schema.to_json());
    }
}

#[test]
fn contradictions_are_found() {
    let float = Schema::float();
    let unit = || Schema::float().min(0.0).max(1.0);
    let cases = [
        (Schema::int().quantized(0.1), "quantized is for"),
        (Schema::int().bits(3), "an int needs a range"),
        (Schema::int().min(0).max(8).bits(3), "needs 4 bits"),
        (Schema::int().min(0).max(8).multiple_of(0).bits(3), "multiple_of has to be over 0"),
        (Schema::int().min(i64::MIN).max(8).multiple_of(-1).bits(3), "multiple_of has to be over 0"),
        (float.bits(3), "a float needs a range"),
        (float.quantized(0.0), "over 0"),
        (float.quantized(f64::NAN), "over 0"),
        (unit().quantized(0.3), "no whole number of steps"),
        (unit().quantized(1e-17), "too small"),
        (unit().quantized(0.1).bits(3), "only one of"),
        (unit().quantized(0.1).multiple_of(0.2), "multiple_of"),
        (Schema::float().min(0.0).quantized(0.1), "both ends"),
        (Schema::vector3().normalized().quantized(0.1), "use bits()"),
        (Schema::vector3().normalized().half(), "use bits()"),
        (Schema::vector4().normalized().bits(8), "normalized"),
        (Schema::vector3().bits(8), "needs within()"),
        (Schema::vector3().quantized_within(0.3, 0.0, 1.0), "no whole number"),
        (Schema::vector3().quantized_within(1e-7, 0.0, 1.0), "too small"),
        (Schema::vector3().within(vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.05]).quantized(0.1), "no whole number"),
        (Schema::quaternion().bits(21), "2 to 20"),
        (Schema::color().double(), "color"),
        (float.lossy(), "set single or half"),
        (float.clamped(), "set quantized or bits"),
        (Schema::int().min(0).clamped(), "needs a range"),
        (float.half().allow_non_finite().quantized(0.1), "only one of"),
        (float.quantized(0.1).allow_non_finite(), "neither inf nor nan"),
    ];
    refuses(&cases);
}

#[test]
fn contradictions_of_other_types_are_found() {
    let cases = [
        (Schema::string().alphabet(""), "names no character"),
        (Schema::string().alphabet("z-a"), "backwards"),
        (Schema::string().alphabet("\0-\u{10FFFF}"), "more than 4096"),
        (Schema::int().alphabet("a"), "alphabet is for"),
        (Schema::packed_byte_array().elements(Schema::float()), "are of type int"),
        (Schema::packed_byte_array().elements(Schema::int().nullable()), "always there"),
        (Schema::packed_float32_array().elements(Schema::angle(23)), "at most 22 bits"),
        (Schema::packed_float32_array().elements(Schema::float().min(0.0).max(1.0).bits(24)), "not so exact"),
        (
            Schema::packed_float32_array().elements(Schema::float().min(0.0).max(1e6).quantized(0.001)),
            "not so exact",
        ),
        (Schema::vector2().within(vec![1000.0, 0.0, 24.0, 24.0]).bits(20), "not so exact"),
        (Schema::color().bits(24), "not so exact"),
        (Schema::packed_byte_array().elements(Schema::int().min(1).max(0)), "is over"),
        (Schema::packed_byte_array().elements(Schema::array(Schema::int())), "needs the schema of"),
        (Schema::int().elements(Schema::int()), "elements is for"),
        (Schema::array(Schema::int()).keyed("id"), "element is a dict()"),
        (Schema::array(Schema::dict([("a", Schema::int())])).keyed("id"), "has no key"),
        (Schema::array(Schema::dict([("id", Schema::int())])).keyed("id"), "with a range"),
        (
            Schema::array(Schema::dict([("id?", Schema::int().min(0).max(9))])).keyed("id"),
            "may be neither optional nor nullable",
        ),
        (Schema::dict([("id", Schema::int())]).keyed("id"), "keyed is for"),
        (Schema::map(Schema::int().min(0).max(9), Schema::any()).keyed("id"), "by its own keys"),
        (Schema::map(Schema::int(), Schema::any()).keyed(""), "with a range"),
        (Schema::map(Schema::string(), Schema::any()).keyed(""), "an int with a range"),
        (Schema::enumeration([1.into(), 2.into()]).room_for(1), "there are 2"),
        (Schema::int().room_for(3), "room_for is for"),
        (Schema::int().growing([("a", Schema::int())]), "growing is for dict"),
        (Schema::dict([("a", Schema::int())]).growing([("a", Schema::int())]), "optional key of the dict"),
        (Schema::transform3d().rigid(0.0, 8), "rigid"),
        (Schema::basis().rigid(0.1, 8), "rigid is for"),
        (Schema::angle(33), "1 to 32"),
        (Schema::angle(8).min(0.0), "anywhere"),
    ];
    refuses(&cases);
}

fn all() -> Schema {
    Schema::dict([
        ("pos", Schema::vector3().within(vec![-512.0, -64.0, -512.0, 1024.0, 256.0, 1024.0]).quantized(0.01)),
        ("vel", Schema::vector3().quantized_within(0.05, -20.0, 20.0).clamped()),
        ("rot", Schema::quaternion().bits(10)),
        ("hp", Schema::int().min(0).max(100).bits(8)),
        ("state", Schema::enumeration([1.into(), 2.into()]).room_for(8)),
        ("at", Schema::transform3d().rigid(0.01, 12)),
        ("yaw", Schema::angle(9)),
        ("name", Schema::string().alphabet("a-z0-9_").max_chars(16_u64)),
        ("some", Schema::packed_vector2_array().elements(Schema::vector2().half())),
        ("all", Schema::array(Schema::dict([("id", Schema::int().min(0).max(9))])).keyed("id")),
        ("map", Schema::map(Schema::int().min(0).max(9), Schema::bool()).keyed("")),
        (
            "grown",
            Schema::dict([("a", Schema::int())]).growing([("c", Schema::bool()), ("b?", Schema::int())]),
        ),
        ("one", Schema::float().single().lossy()),
        ("two", Schema::vector2().double()),
    ])
}

#[test]
fn json_brings_all_of_it_back() {
    let schema = all();
    schema.compile().unwrap();
    let again = Schema::from_json(&schema.to_json()).unwrap();
    assert_eq!(again, schema);
    assert_eq!(again.hash(), schema.hash());
    assert_ne!(schema.hash(), Schema::from_json(&schema.to_json().replace("0.05", "0.1")).unwrap().hash());
}

/// A description of elements is for people: in the document, not in the hash.
#[test]
fn descriptions_of_elements_come_back() {
    let plain = Schema::packed_byte_array().elements(Schema::int().min(0).max(3));
    let schema = Schema::packed_byte_array().elements(Schema::int().min(0).max(3).describe("a height"));
    let again = Schema::from_json(&schema.to_json()).unwrap();
    assert_eq!(again, schema);
    assert_eq!(again.demands().packing.elements.as_ref().map(Schema::description), Some("a height"));
    assert_eq!(schema.hash(), plain.hash());
}

/// The words of packing stand in the JSON only where they are used: pinned hashes stay.
#[test]
fn plain_schemas_say_nothing_of_packing() {
    let schema = Schema::dict([("hp", Schema::int().min(0).max(99)), ("name?", Schema::string())]);
    assert!(!schema.to_json().contains("packing"));
}

#[test]
fn documents_say_how_it_is_packed() {
    let text = all().to_markdown();
    for words in [
        "in steps of 0.01",
        "packed in 10 bits",
        "with room for 8",
        "rigid, in steps of 0.01 and 12 bits",
        "an angle packed in 9 bits",
        "each Vector2, in 16 bits",
        "a set by",
        "grown by \"c\", \"b\"",
        "sorted by its keys",
        "rounded",
        "clamped",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn alphabets_are_sets_of_characters() {
    let characters = |text| alphabet_characters(text).map(|found| found.into_iter().collect::<String>());
    assert_eq!(characters("c-ea-c_").as_deref(), Ok("_abcde"));
    assert_eq!(characters("-a").as_deref(), Ok("-a"));
    assert_eq!(characters("a-").as_deref(), Ok("-a"));
}

/// The ends as a vector of 32 bits holds them are in the range, though 0.1 is a little more there.
#[test]
fn ends_of_32_bits_are_in_the_range() {
    use variant_core::Value;
    let program = Schema::vector2().quantized_within(0.01, -0.1, 0.1).compile().unwrap();
    let fits = |x: f32| crate::Checker::new().check(&program, &Value::Vector2([0.0, x].into())).is_ok();
    assert!(fits(0.1) && fits(-0.1));
    assert!(!fits(0.1_f32.next_up()) && !fits((-0.1_f32).next_down()));
}

/// The ends of a grid are a range for each number of a vector.
#[test]
fn ends_are_a_range() {
    use variant_core::Value;
    let program = Schema::vector2().quantized_within(0.5, -1.0, 1.0).compile().unwrap();
    let mut checker = crate::Checker::new();
    let fits = |x: f32, checker: &mut crate::Checker| {
        checker.check(&program, &Value::Vector2([0.0, x].into())).map_err(|violation| violation.to_string())
    };
    assert_eq!(fits(1.0, &mut checker), Ok(()));
    assert_eq!(
        fits(1.01, &mut checker).unwrap_err(),
        "(root): expected Vector2 with numbers in -1.0..1.0, got Vector2(0.0, 1.01) of length 1.0099999904632568 (byte 0)"
    );
}
