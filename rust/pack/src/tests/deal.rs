//! Tests values that are dealt out into parts: nothing is lost, each part says its own, and foreign entries are refused.

use std::collections::BTreeMap;
use std::num::NonZeroU16;
use std::sync::Arc;

use variant_core::{ErrorKind, Rejection, Value};
use variant_schema::Schema;

use super::columns::{history, scene};
use super::{layout, pack, rules};
use crate::{CodeBases, Codes, Deal, Layout, MeasuredPart, Packer, PartBits, PartSet, PartStates};

/// A state with two that are dealt out, and others that are not, one of which comes between them.
fn schema() -> Schema {
    let entry = Schema::dict([
        ("id", Schema::int().min(0).max(99)),
        ("pos", Schema::vector2().quantized_within(0.1, -100.0, 100.0)),
        ("name", Schema::string().max_chars(4u64).optional()),
    ]);
    let list = Schema::array(Schema::int().min(0).max(9)).max_size(5u64);
    Schema::dict([
        ("a_tick", Schema::int().min(0).max(65_535)),
        ("b_all", Schema::array(entry.clone()).keyed("id").min_size(1u64).max_size(60u64)),
        ("c_list", list.optional()),
        ("d_map", Schema::map(Schema::int().min(-5).max(40), Schema::bool()).keyed("").max_size(40u64)),
        ("e_maybe", Schema::array(entry).keyed("id").max_size(3u64).optional()),
    ])
}

fn value(step: i64) -> Value {
    let entry = |id: i64| {
        let pos = Value::Vector2([(id + step * (id % 3)) as f32 / 10.0, 1.0].into());
        let mut keys = BTreeMap::from([("id", Value::Int(id)), ("pos", pos)]);
        if id % 4 == 0 {
            keys.insert("name", Value::from(format!("n{}", (id + step) % 10)));
        }
        Value::from(keys)
    };
    let entries = |ids: &[i64]| Value::from(ids.iter().map(|id| entry(*id)).collect::<Vec<_>>());
    let ids: Vec<i64> = (0..100).filter(|id| id % 7 < 3 && (id + step) % 11 != 0).collect();
    let map = (-5_i64..=40).filter(|key| (key + step) % 5 == 0).map(|key| (key, key % 2 == 0));
    Value::from([
        ("a_tick", Value::Int(step)),
        ("b_all", entries(&ids)),
        ("c_list", Value::from(vec![Value::Int(step % 10)])),
        ("d_map", Value::from(map.collect::<BTreeMap<i64, bool>>())),
        ("e_maybe", entries(&[3, 1])),
    ])
}

fn deal(schema: &Schema, count: u8) -> Deal {
    Deal::new(&Arc::new(schema.compile().unwrap()), count).unwrap()
}

/// Deals a packed value out.
fn dealt(deal: &Deal, parts: PartSet, packed: &[u8]) -> Vec<Vec<u8>> {
    let mut packer = Packer::new();
    let codes = packer.codes(deal.layout(parts), packed, &rules()).unwrap();
    let dealt = packer.deal(deal, parts, &codes, &rules()).unwrap().into_iter();
    let read = parts.iter().zip(dealt).map(|(part, (packed, codes))| {
        let read = packer.codes(deal.layout(PartSet::one(part)), &packed, &rules()).unwrap();
        assert_eq!((read.all, read.bytes), (codes.all, codes.bytes), "its codes are those that are read");
        packed
    });
    read.collect()
}

/// Puts some parts together.
fn join(deal: &Deal, parts: PartSet, all: &[Vec<u8>]) -> Arc<Codes> {
    let codes = |part: u8| {
        let layout = deal.layout(PartSet::one(part));
        Arc::new(Packer::new().codes(layout, &all[usize::from(part)], &rules()).unwrap())
    };
    deal.join(parts, &parts.iter().map(codes).collect::<Vec<_>>())
}

/// Applies a difference of some parts, and deals what comes out.
fn applied(
    deal: &Deal,
    parts: PartSet,
    bases: CodeBases<'_>,
    delta: &[u8],
) -> Result<Vec<Vec<u8>>, Box<Rejection>> {
    let mut packer = Packer::new();
    let codes = packer.apply_to_codes(deal.layout(parts), bases, delta, &rules())?;
    let dealt = packer.deal(deal, parts, &codes, &rules())?;
    Ok(dealt.into_iter().map(|(packed, _)| packed).collect())
}

#[test]
fn parts_together_are_the_value_again() {
    let schema = schema();
    let whole = layout(&schema);
    for count in [1, 2, 3, 7, 64] {
        let (deal, all) = (deal(&schema, count), PartSet::all(count));
        let mut packer = Packer::new();
        for step in 0..20 {
            let packed = pack(&whole, &value(step)).unwrap();
            let value = value(step).encode().unwrap();
            let codes = packer.pack_codes(&whole, &value, &rules()).unwrap();
            assert_eq!(codes.all, packer.codes(&whole, &packed, &rules()).unwrap().all);
            let parts = dealt(&deal, all, &packed);
            assert_eq!(parts.len(), usize::from(count));
            assert_eq!(packer.packed(&whole, &join(&deal, all, &parts), &rules()).unwrap(), packed);
            for (part, own) in (0..).zip(&parts) {
                let sent = packer.part_in_full(&deal, part, own, &rules()).unwrap().to_vec();
                let PartBits { first, other } = whole.part_bits(count);
                let most = if part == 0 { first } else { other };
                assert!(
                    u64::try_from(sent.len()).unwrap() * 8 < most.unwrap() + 8,
                    "{count}: {} {most:?}",
                    sent.len()
                );
                assert_eq!(packer.part_of_full(&deal, part, &sent, &rules()).unwrap(), own);
            }
        }
    }
}

#[test]
fn one_part_in_full_is_the_whole_value() {
    let schema = schema();
    let packed = pack(&layout(&schema), &value(3)).unwrap();
    let deal = deal(&schema, 1);
    let mut packer = Packer::new();
    assert_eq!(packer.part_in_full(&deal, 0, &packed, &rules()).unwrap(), packed);
    let (most, size) = (layout(&schema).part_bits(1).first, layout(&schema).size().max_bits);
    assert!(most <= size, "{most:?} {size:?}");
}

#[test]
fn differences_of_some_parts_make_those_parts() {
    assert!(told_by_parts(&schema(), &(0..9).map(value).collect::<Vec<_>>()) > 0);
    // Of bodies that come and go all are told by what was measured of parts.
    let mut states = history(90, 9);
    for (step, state) in states.iter_mut().enumerate() {
        let Value::Array(all) = &state["e"] else { panic!("{state:?}") };
        let kept =
            (0..).zip(&all.items).filter(|(id, _)| (id + step) % 11 != 0).map(|(_, body)| body.clone());
        *state = Value::from([("tick", state["tick"].clone()), ("e", Value::from(kept.collect::<Vec<_>>()))]);
    }
    assert_eq!(told_by_parts(&scene(), &states), 31 * 2);
}

/// Tells any of five parts of these states from one and from two, together and by what was measured of each, which is the same
/// wherever it is said; counts where it is.
fn told_by_parts(schema: &Schema, states: &[Value]) -> usize {
    let (whole, deal, mut packer) = (layout(schema), deal(schema, 5), Packer::new());
    let dealt = |state: &Value| dealt(&deal, PartSet::all(5), &pack(&whole, state).unwrap());
    let states: Vec<Vec<Vec<u8>>> = states.iter().map(dealt).collect();
    let two = [1, 2].map(|states| NonZeroU16::new(states).unwrap());
    let mut by_parts = 0;
    for bits in 1..32 {
        let parts = PartSet::of_bits(bits);
        let [older, newer, new] = [2, 5, 6].map(|at: usize| join(&deal, parts, &states[at]));
        let wanted: Vec<Vec<u8>> = parts.iter().map(|part| states[6][usize::from(part)].clone()).collect();
        for older in [None, Some((&*older, two[0], two[1]))] {
            let bases = CodeBases::new(&newer, older);
            let delta = packer.delta_of_codes(deal.layout(parts), bases, &new, &rules()).unwrap().to_vec();
            assert_eq!(applied(&deal, parts, bases, &delta).unwrap(), wanted, "{bits:b}");
            let measured = parts.iter().map(|part| {
                let of = |at: usize| join(&deal, PartSet::one(part), &states[at]);
                let older = older.map(|_| (of(2), two[0], two[1]));
                packer.measure_part(&deal, part, PartStates { newer: of(5), older, new: of(6) })
            });
            let measured: Vec<MeasuredPart> = measured.collect();
            let told = packer.delta_of_parts(&deal, &measured.iter().collect::<Vec<_>>(), &rules()).unwrap();
            assert!(told.is_none_or(|told| told == delta), "{bits:b}");
            by_parts += usize::from(told.is_some());
            measured.into_iter().for_each(|part| packer.reuse(part));
        }
    }
    by_parts
}

#[test]
fn entries_of_other_parts_are_refused() {
    let schema = schema();
    let deal = deal(&schema, 2);
    let mut packer = Packer::new();
    let packed = pack(&layout(&schema), &value(1)).unwrap();
    let parts = dealt(&deal, PartSet::all(2), &packed);
    // The difference from the second part to a value that has entries of both.
    let rest = deal.layout(PartSet::one(1));
    let foreign = {
        let both = dealt(&self::deal(&schema, 1), PartSet::one(0), &packed);
        assert_eq!(both[0], packed);
        let lone = self::deal(&schema, 3);
        let three = dealt(&lone, PartSet::all(3), &packed);
        join(&lone, PartSet::one(1).with(PartSet::one(2)), &three)
    };
    let base = packer.codes(rest, &parts[1], &rules()).unwrap();
    let delta = packer.delta_of_codes(rest, CodeBases::new(&base, None), &foreign, &rules()).unwrap();
    let refused = applied(&deal, PartSet::one(1), CodeBases::new(&base, None), delta).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::OutOfRange);
    // Keys are numbered within a part, and its last can lie beyond those of the schema.
    let lone = Schema::dict([(
        "all",
        Schema::map(Schema::int().min(0).max(4), Schema::bool()).keyed("").max_size(9u64),
    )]);
    let deal = self::deal(&lone, 2);
    let last = packer.part_of_full(&deal, 1, &[0b0_1000], &rules()).unwrap_err();
    assert_eq!(last.kind, ErrorKind::OutOfRange);
    assert!(packer.part_of_full(&deal, 0, &[0b1_1000], &rules()).is_ok());
}

#[test]
fn any_bits_make_parts_or_are_refused() {
    let schema = schema();
    let deal = deal(&schema, 3);
    let mut packer = Packer::new();
    let packed = pack(&layout(&schema), &value(1)).unwrap();
    let parts = dealt(&deal, PartSet::all(3), &packed);
    let mut taken = 0;
    let mut seed = 7_u64;
    for _ in 0..20_000 {
        let bytes: Vec<u8> = (0..seed >> 60)
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                seed.to_le_bytes()[6] & seed.to_le_bytes()[7]
            })
            .collect();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        for part in 0..3 {
            if let Ok(own) = packer.part_of_full(&deal, part, &bytes, &rules()).map(<[u8]>::to_vec) {
                assert!(packer.part_in_full(&deal, part, &own, &rules()).is_ok());
                taken += 1;
            }
            let one = PartSet::one(part);
            let base = join(&deal, one, &parts);
            taken += i32::from(applied(&deal, one, CodeBases::new(&base, None), &bytes).is_ok());
        }
    }
    assert!(taken > 300, "{taken}");
}

#[test]
fn what_cannot_be_dealt_out_stays_in_the_first_part() {
    let size = |schema: &Schema, count| {
        let PartBits { first, other } = layout(schema).part_bits(count);
        (first.unwrap(), other.unwrap())
    };
    let bounded = Schema::array(Schema::int().min(0).max(255)).max_size(10u64);
    let alone = Schema::dict([("list", bounded.clone())]);
    assert_eq!(size(&alone, 1).0, size(&alone, 64).0);
    assert_eq!(layout(&alone).largest_undealt(), Some("list"));
    let unbounded = layout(&Schema::dict([("list", Schema::array(Schema::bool()))]));
    assert_eq!(unbounded.part_bits(9).first, None);
    let dealt: Layout = layout(&schema());
    assert!(dealt.part_bits(8).first.unwrap() < dealt.part_bits(1).first.unwrap());
    assert_eq!(dealt.largest_undealt(), Some("e_maybe"));
}
