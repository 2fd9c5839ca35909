//! Tests properties of random schemas and values: whatever is packed is unpacked, packs again to the same bytes, and any
//! two values have a difference that gives exactly the new one.

use proptest::prelude::*;

use super::*;

/// A schema with two values of it.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) schema: Schema,
    pub(crate) values: [Value; 2],
}

fn case(schema: Schema, values: impl Strategy<Value = Value> + Clone) -> impl Strategy<Value = Case> {
    [values.clone(), values].prop_map(move |values| Case { schema: schema.clone(), values })
}

#[expect(clippy::too_many_lines, reason = "a generator for each type")]
fn leaf() -> impl Strategy<Value = Case> {
    let ints = (any::<i64>(), any::<u32>(), 0_u32..3).prop_flat_map(|(min, span, ends)| {
        let max = min.saturating_add(i64::from(span));
        let schema = match ends {
            0 => Schema::int().min(min).max(max),
            1 => Schema::int().min(min),
            _ => Schema::int(),
        };
        case(schema, (min..=max).prop_map(Value::Int))
    });
    let floats = (1_u32..9, -100_i32..100, 1_u32..500).prop_flat_map(|(eighths, min, steps)| {
        let (min, step) = (f64::from(min), f64::from(eighths) / 8.0);
        let max = min + f64::from(steps) * step;
        let schema = Schema::float().min(min).max(max).quantized(step);
        case(
            schema,
            (0.0..=1.0).prop_map(move |part: f64| Value::Float((min + (max - min) * part).clamp(min, max))),
        )
    });
    let free = case(
        Schema::float().allow_non_finite(),
        any::<f64>().prop_map(|n| Value::Float(if n.is_nan() { 0.5 } else { n })),
    );
    let texts = case(Schema::string(), "[a-zä🙂]{0,9}".prop_map(Value::from));
    let vectors = case(
        Schema::vector3().quantized_within(0.25, -8.0, 8.0),
        [-8.0_f32..8.0, -8.0_f32..8.0, -8.0_f32..8.0].prop_map(|numbers| Value::Vector3(numbers.into())),
    );
    let turns = (2_u32..20).prop_flat_map(|bits| {
        let quaternions = [-1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0, 0.1_f32..1.0];
        case(
            Schema::quaternion().bits(bits),
            quaternions.prop_map(|numbers| Value::Quaternion(numbers.into())),
        )
    });
    let bytes = case(
        Schema::packed_byte_array().elements(Schema::int().min(0).max(9)),
        prop::collection::vec(0_u8..10, 0..9).prop_map(Value::PackedByteArray),
    );
    let bools =
        case(Schema::bool().nullable(), prop_oneof![Just(Value::Nil), any::<bool>().prop_map(Value::Bool)]);
    let names = ["a", "b", "c", "d"].map(Value::from);
    let enums = case(Schema::enumeration(names.clone()).room_for(6), prop::sample::select(names.to_vec()));
    prop_oneof![ints, floats, free, texts, vectors, turns, bytes, bools, enums]
}

/// Rows, dictionaries, tuples, maps and sets of smaller ones.
#[expect(clippy::too_many_lines, reason = "a generator for each container")]
pub(crate) fn any_case() -> impl Strategy<Value = Case> {
    leaf().prop_recursive(3, 24, 4, |inner| {
        let lists = (inner.clone(), 0_usize..5, 0_usize..5).prop_map(|(case, a, b)| {
            let [one, two] = case.values;
            let list = |count: usize| {
                Value::from(
                    (0..count)
                        .map(|at| if at % 2 == 0 { one.clone() } else { two.clone() })
                        .collect::<Vec<_>>(),
                )
            };
            Case { schema: Schema::array(case.schema), values: [list(a), list(b)] }
        });
        let dicts =
            (prop::collection::vec(inner.clone(), 0..5), any::<[u8; 2]>()).prop_map(|(cases, there)| {
                let keys = cases.iter().enumerate().map(|(at, case)| match at % 3 {
                    0 => (format!("k{at}"), case.schema.clone()),
                    1 => (format!("a{at}"), case.schema.optional()),
                    _ => (format!("z{at}"), case.schema.default_value(case.values[0].clone())),
                });
                let schema = Schema::dict(keys.collect::<Vec<_>>());
                let value = |number: usize| {
                    let entries = cases
                        .iter()
                        .enumerate()
                        .filter(|(at, _)| at % 3 == 0 || there[number] >> at & 1 == 1);
                    let entries = entries.map(|(at, case)| {
                        (["k", "a", "z"][at % 3].to_owned() + &at.to_string(), case.values[number].clone())
                    });
                    entries.fold(variant_core::Dictionary::default(), |mut all, (key, value)| {
                        all.entries.push((Value::from(key), value));
                        all
                    })
                };
                Case { schema, values: [0, 1].map(|number| Value::Dictionary(Box::new(value(number)))) }
            });
        let sets = (
            inner,
            prop::collection::btree_set(0_i64..40, 0..6),
            prop::collection::btree_set(0_i64..40, 0..6),
        )
            .prop_map(|(case, a, b)| {
                let entry =
                    Schema::dict([("part", case.schema.clone()), ("id", Schema::int().min(0).max(39))]);
                let list = |ids: std::collections::BTreeSet<i64>, number: usize| {
                    let part = |id: i64| {
                        if id % 5 == 0 { case.values[0].clone() } else { case.values[number].clone() }
                    };
                    Value::from(
                        ids.into_iter()
                            .rev()
                            .map(|id| Value::from([("id", Value::Int(id)), ("part", part(id))]))
                            .collect::<Vec<_>>(),
                    )
                };
                let values = [list(a, 0), list(b, 1)];
                Case { schema: Schema::array(entry).keyed("id"), values }
            });
        prop_oneof![lists, dicts, sets]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn values_and_their_differences_come_back(case in any_case()) {
        let Ok(program) = case.schema.compile() else { return Ok(()) };
        let layout = Layout::compile(Arc::new(program)).unwrap();
        let packed = case.values.clone().map(|value| round(&case.schema, &value).1);
        let mut packer = Packer::new();
        for (base, new) in [(0, 1), (1, 0), (0, 0)] {
            let delta = packer.delta(&layout, &packed[base], &packed[new], &rules()).unwrap().to_vec();
            let applied = packer.apply(&layout, &packed[base], &delta, &rules()).map(<[u8]>::to_vec);
            prop_assert_eq!(applied.as_ref(), Ok(&packed[new]), "{} {:?}", case.schema.to_json(), case.values);
            if base == new {
                prop_assert_eq!(delta, [0]);
            }
        }
    }

    #[test]
    fn random_bits_are_refused_or_pack_again(case in any_case(), bits in prop::collection::vec(any::<u8>(), 0..40)) {
        let Ok(program) = case.schema.compile() else { return Ok(()) };
        let layout = Layout::compile(Arc::new(program)).unwrap();
        for end in 0..=bits.len() {
            if let Ok(value) = unpack(&layout, &bits[..end]) {
                let again = pack(&layout, &value);
                prop_assert_eq!(again.as_deref(), Ok(&bits[..end]), "{}", case.schema.to_json());
            }
        }
        let base = pack(&layout, &case.values[0]).unwrap();
        if let Ok(made) = Packer::new().apply(&layout, &base, &bits, &rules()) {
            prop_assert!(unpack(&layout, made).is_ok());
        }
    }
}
