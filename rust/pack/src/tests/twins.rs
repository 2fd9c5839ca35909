//! Tests that rows, judges and proofs change no verdict: a layout without them, which takes each value part by part and has
//! the schema's program look at it, gives the same bytes and the same problems.

use proptest::prelude::*;

use super::random::any_case;
use super::samples::*;
use super::*;

type Made = Result<Vec<u8>, Box<variant_core::Rejection>>;

/// A layout, and its twin in which nothing is known beforehand.
struct Twins(Layout, Layout);

impl Twins {
    fn of(schema: &Schema) -> Twins {
        let mut plain = layout(schema);
        plain.proof = None;
        for node in &mut plain.nodes {
            (node.row, node.judge) = (None, crate::judge::Judge::default());
        }
        Twins(layout(schema), plain)
    }

    fn agree_on_values(&self, value: &[u8], rules: &Rules) {
        let [fast, plain] =
            [&self.0, &self.1].map(|layout| Packer::new().pack(layout, value, rules).map(<[u8]>::to_vec));
        assert_eq!(fast, plain, "{value:?} of {}", self.0.program.schema().to_json());
    }

    fn agree_on_bits(&self, packed: &[u8], rules: &Rules) {
        let [fast, plain] =
            [&self.0, &self.1].map(|layout| Packer::new().unpack(layout, packed, rules).map(<[u8]>::to_vec));
        assert_eq!(fast, plain, "{packed:?} of {}", self.0.program.schema().to_json());
        let transcode = |packer: &mut Packer| packer.transcode(&self.0, packed, rules).map(<[u8]>::to_vec);
        self.complete_is_built(transcode, &plain, rules);
        for layout in [&self.0, &self.1] {
            let unpack = |packer: &mut Packer| packer.unpack(layout, packed, rules).map(<[u8]>::to_vec);
            self.complete_is_built(unpack, &plain, rules);
        }
    }

    /// A value that is complete is the one that a receiver builds of the plain value.
    fn complete_is_built(&self, make: impl FnOnce(&mut Packer) -> Made, plain: &Made, rules: &Rules) {
        let mut packer = Packer::new();
        packer.fills = true;
        let made = make(&mut packer);
        if let Ok(made) = made
            && packer.is_complete()
        {
            let mut checker = variant_schema::Checker::new();
            let built = checker.decode(&self.0.program, plain.as_ref().unwrap(), rules);
            assert_eq!(
                built.map_err(|problem| problem.to_string()),
                Ok(variant_core::decode(&made, rules).unwrap())
            );
        }
    }

    fn agree_on_deltas(&self, base: &[u8], delta: &[u8], rules: &Rules) {
        let [fast, plain] = [&self.0, &self.1]
            .map(|layout| Packer::new().apply(layout, base, delta, rules).map(<[u8]>::to_vec));
        assert_eq!(fast, plain, "{delta:?} on {base:?} of {}", self.0.program.schema().to_json());
    }
}

fn flipped(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..bytes.len() * 8).map(|bit| {
        let mut bytes = bytes.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    })
}

/// The packets of the documents, and one with what they lack, each with the limits that matter to them.
fn packets() -> Vec<(Schema, Value)> {
    let mut random = Random(7);
    let few = crowd(&mut random)[..3].to_vec();
    let odd = Schema::dict([
        (
            "place",
            Schema::vector3i()
                .within(vec![-5.0, -5.0, -5.0, 10.0, 10.0, 10.0])
                .default_value(Value::Vector3i([0, 1, 2])),
        ),
        (
            "list",
            Schema::array(Schema::float().min(0.0).max(9.0).multiple_of(0.5))
                .default_value(Value::from(Vec::<Value>::new())),
        ),
        ("name", Schema::string().pattern("[a-c]*").max_chars(4_u64).default_value(Value::from("ab"))),
        ("way", Schema::vector3().normalized().bits(6)),
        ("half", Schema::vector2().half().max_length(3.0).nullable()),
        ("bytes", Schema::packed_byte_array().max_size(4_u64).optional()),
        ("wide", Schema::vector3().double()),
    ]);
    let value = Value::from([
        ("place", Value::Vector3i([1, -2, 3])),
        ("list", Value::from(vec![Value::Float(0.5), Value::Float(8.0)])),
        ("name", Value::from("abca")),
        ("way", Value::Vector3([0.6_f32, 0.0, 0.8].into())),
        ("half", Value::Vector2([1.5_f32, 2.0].into())),
        ("bytes", Value::PackedByteArray(vec![1, 2, 3])),
        ("wide", Value::Vector3([0.25_f32, 1.0, 2.0].into())),
    ]);
    vec![
        (a_move(true), move_value()),
        (a_move(false), move_value()),
        (entities(true), state(77, &few)),
        (entities(false), state(77, &few)),
        (chat(), chat_value()),
        (odd, value),
    ]
}

fn all_rules() -> Vec<Rules> {
    let limits = Limits::network();
    let narrowed = [
        Limits { max_values: 8, ..limits },
        Limits { max_depth: 2, ..limits },
        Limits { max_output_bytes: 150, ..limits },
        Limits { max_heap_bytes: 900, ..limits },
        Limits { max_entries: 2, ..limits },
        Limits { max_string_bytes: 3, ..limits },
        Limits {
            allowed_types: limits
                .allowed_types
                .without(variant_core::TypeSet::of(&[variant_core::VariantType::Float])),
            ..limits
        },
    ];
    let strict = Rules { strictness: variant_core::Strictness::Canonical, ..rules() };
    [rules(), strict].into_iter().chain(narrowed.map(Rules::safe)).collect()
}

#[test]
fn packets_have_one_verdict() {
    for (schema, value) in packets() {
        let twins = Twins::of(&schema);
        let bytes = value.encode().unwrap();
        let packed = pack(&twins.0, &value).unwrap();
        for rules in all_rules() {
            twins.agree_on_values(&bytes, &rules);
            twins.agree_on_bits(&packed, &rules);
            flipped(&packed).for_each(|packed| twins.agree_on_bits(&packed, &rules));
        }
        flipped(&bytes).for_each(|bytes| twins.agree_on_values(&bytes, &rules()));
        (0..bytes.len()).for_each(|end| twins.agree_on_values(&bytes[..end], &rules()));
        (0..packed.len()).for_each(|end| twins.agree_on_bits(&packed[..end], &rules()));
        let delta = Packer::new().delta(&twins.1, &packed, &packed, &rules()).unwrap().to_vec();
        twins.agree_on_deltas(&packed, &delta, &rules());
    }
}

/// Values that are filled in count against limits that those in the bits do not reach.
#[test]
fn fillings_are_counted() {
    let text = Schema::string().default_value(Value::from("x".repeat(400)));
    let schema = Schema::dict([("a", Schema::int()), ("t", text)]);
    let twins = Twins::of(&schema);
    let value = Value::from([("a", Value::Int(5))]);
    let packed = pack(&twins.0, &value).unwrap();
    let refused = Rules::safe(Limits { max_heap_bytes: 3_000, ..Limits::network() });
    twins.agree_on_values(&value.encode().unwrap(), &refused);
    twins.agree_on_bits(&packed, &refused);
    assert!(Packer::new().unpack(&twins.0, &packed, &refused).is_err());
}

#[test]
fn the_packets_of_the_documents_are_proven() {
    for (schema, _) in packets().drain(..5) {
        let layout = layout(&schema);
        assert!(layout.proof.is_some(), "{}", schema.to_json());
    }
    // What is larger than the longest text that the limits allow is proven where it has no texts but keys.
    let crowd = |own| Schema::array(Schema::dict([("place", Schema::vector3()), ("own", own)]));
    for (own, is_proven) in [(Schema::int(), true), (Schema::string(), false)] {
        let bytes = Limits::network().max_string_bytes * 2;
        assert_eq!(layout(&crowd(own)).is_proven(bytes, &rules()), is_proven);
    }
    // A row for each entity, and none where keys may be missing.
    let layout = layout(&entities(true));
    let rows = layout.nodes.iter().filter(|node| node.row.as_ref().is_some_and(|row| row.codes() == 13));
    assert_eq!(rows.count(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_schemas_have_one_verdict(case in any_case(), bits in prop::collection::vec(any::<u8>(), 0..40), flip in any::<usize>(), max_entries in 0_u64..6, max_string_bytes in 0_u64..12) {
        if case.schema.compile().is_err() {
            return Ok(());
        }
        let twins = Twins::of(&case.schema);
        let narrowed = Rules::safe(Limits { max_entries, max_string_bytes, ..Limits::engine() });
        let packed = case.values.clone().map(|value| {
            let bytes = value.encode().unwrap();
            [rules(), narrowed].iter().for_each(|rules| twins.agree_on_values(&bytes, rules));
            let packed = pack(&twins.0, &value).unwrap();
            twins.agree_on_bits(&packed, &narrowed);
            packed
        });
        for end in 0..=bits.len() {
            twins.agree_on_bits(&bits[..end], &rules());
        }
        let mut packer = Packer::new();
        let mut delta = packer.delta(&twins.1, &packed[0], &packed[1], &rules()).unwrap().to_vec();
        let values = case.values.clone().map(|value| value.encode().unwrap());
        let of_value = packer.pack_delta(&twins.0, &packed[0], &values[1], &rules()).map(<[u8]>::to_vec);
        prop_assert_eq!(of_value.as_ref(), Ok(&delta));
        twins.agree_on_deltas(&packed[0], &delta, &rules());
        twins.agree_on_deltas(&packed[0], &bits, &rules());
        let at = flip % delta.len();
        delta[at] ^= 1 << (flip % 8);
        twins.agree_on_deltas(&packed[0], &delta, &rules());
        for mut packed in packed.into_iter().filter(|packed| !packed.is_empty()) {
            let at = flip % packed.len();
            packed[at] ^= 1 << (flip % 8);
            twins.agree_on_bits(&packed, &rules());
        }
    }
}
