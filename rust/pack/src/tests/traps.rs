//! Tests differences that packing does not make and a reader takes all the same: the page says what they mean.

use super::*;
use crate::Bases;
use crate::bits::{BitReader, BitWriter, zigzag};
use crate::columns::Distances;
use crate::columns::code::Code;
use crate::columns::predict::LikelyTurn;
use crate::differ::Differ;

const BITS: u32 = 10;

/// Makes the layout of a list of one entry that turns.
fn turning() -> Layout {
    let entry = Schema::dict([("id", Schema::int().min(0).max(9)), ("r", Schema::quaternion().bits(BITS))]);
    layout(&Schema::dict([("e", Schema::array(entry).keyed("id"))]))
}

/// A rotation about x by so many degrees.
fn turned(degrees: f64) -> [f64; 4] {
    let half = (degrees / 2.0).to_radians();
    [half.sin(), 0.001, 0.0, half.cos()]
}

fn packed_turn(layout: &Layout, rotation: [f64; 4]) -> Vec<u8> {
    let r = Value::Quaternion(rotation.map(|number| number as f32).into());
    let entry = Value::from([("id", Value::Int(3)), ("r", r)]);
    pack(layout, &Value::from([("e", Value::from(vec![entry]))])).unwrap()
}

fn codes(layout: &Layout, packed: &[u8]) -> Vec<u64> {
    let mut packer = Packer::new();
    packer.transcode(layout, packed, &rules()).unwrap();
    packer.codes
}

/// The difference that tells a rotation from these numbers of two states: in the chart `marked`, if that is marked.
fn told(numbers: [u64; 3], new: [u64; 4], code: u64, is_dense: bool, is_marked: bool) -> Vec<u8> {
    let [chart, new @ ..] = new;
    let mut bits = BitWriter::default();
    // Changed, by columns; `e` changed, by columns; `r` is own; dense; from two states.
    bits.put(0b1_1111, 5);
    bits.bit(is_dense);
    bits.bit(true);
    (0..3).for_each(|_| bits.put(code, 5));
    // None is gone; the one that moves is written; its chart.
    bits.put(0b100, 3);
    bits.put(u64::from(is_marked) << 1, 2);
    // A marked one is told anyway.
    match (is_marked, is_dense) {
        (true, _) => bits.put(chart, 2),
        (false, false) => bits.bit(true),
        (false, true) => {}
    }
    for (new, from) in new.into_iter().zip(numbers) {
        Code::of_bits(code).write(zigzag(new.cast_signed() - from.cast_signed()), &mut bits);
    }
    bits.varint(0);
    bits.finish().to_vec()
}

/// Packing marks no chart that is the predicted one, and takes the best codes. A reader takes whatever leads to a value: marked, the
/// numbers count from those of that chart, which the margin of the largest number has not moved.
#[test]
fn a_chart_that_is_predicted_and_any_table_are_taken() {
    let layout = turning();
    let (mut packer, mut margins) = (Packer::new(), 0);
    for step in 0..60 {
        // The prediction has two largest numbers, as near as it can be told.
        let degrees = f64::from(step) * 0.7;
        let states = [degrees, 45.02 + degrees / 2.0, 90.6].map(turned);
        let [older, newer, new] = states.map(|rotation| packed_turn(&layout, rotation));
        let [b, a, new_codes] =
            [&older, &newer, &new].map(|packed| *codes(&layout, packed).last_chunk().unwrap());
        let likely = LikelyTurn::predicted(a, b, BITS, Distances { ahead: 1, gap: 1 });
        let [chart, numbers @ ..] = likely.codes;
        if chart != new_codes[0] {
            continue;
        }
        margins += u32::from(likely.without(chart) != numbers);
        for (code, is_dense) in (0..32).flat_map(|code| [(code, false), (code, true)]) {
            for (is_marked, numbers) in [(false, numbers), (true, likely.without(chart))] {
                let delta = told(numbers, new_codes, code, is_dense, is_marked);
                let made = packer.apply(&layout, Bases::two(&newer, &older), &delta, &rules());
                assert_eq!(made, Ok(&new[..]), "{degrees} {code} {is_dense} {is_marked}");
            }
        }
    }
    assert!(margins > 3, "{margins} predictions that the margin moves");
}

/// A difference without columns says what changed since the newer state, whatever would be predicted: all of the value, or an array.
#[test]
fn without_columns_changed_means_since_the_newer_state() {
    let entry = Schema::dict([("id", Schema::int().min(0).max(9)), ("n", Schema::int().min(0).max(60_000))]);
    let layout = layout(&Schema::dict([("e", Schema::array(entry).keyed("id"))]));
    let state = |numbers: [i64; 2]| {
        let entry = |(id, n)| Value::from([("id", Value::Int(id)), ("n", Value::Int(n))]);
        let entries: Vec<Value> = (0..).zip(numbers).map(entry).collect();
        pack(&layout, &Value::from([("e", Value::from(entries))])).unwrap()
    };
    // The first stops, where it was likely to go on.
    let [older, newer, new] = [[100, 7], [200, 7], [200, 9]].map(state);
    let [base, new_codes] = [&newer, &new].map(|packed| codes(&layout, packed));
    let mut plain = BitWriter::default();
    Differ::new(&layout, &base, &new_codes, &mut plain).root().unwrap();
    let count = plain.len();
    let plain = plain.finish().to_vec();
    // Changed, not by columns, `e` changed; changed, by columns, `e` changed, not by columns.
    for (head, bits) in [(0b101, 3), (0b0111, 4)] {
        let (mut delta, mut rest) = (BitWriter::default(), BitReader::new(&plain, 1));
        delta.put(head, bits);
        (1..count).for_each(|_| delta.bit(rest.bit().unwrap()));
        let mut packer = Packer::new();
        let made = packer.apply(&layout, Bases::two(&newer, &older), delta.finish(), &rules());
        assert_eq!(made, Ok(&new[..]), "{head:b}");
    }
}
