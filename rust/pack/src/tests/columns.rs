//! Tests differences from two states: that they give exactly the new value, that none is longer than one from a single base,
//! how small those of motion are, and that bits that are not right do no harm.

use std::num::NonZeroU16;

use proptest::prelude::*;

use super::random::any_case;
use super::samples::{Random, entities};
use super::*;
use crate::Bases;
use crate::bits::BitWriter;
use crate::columns::{self, Distances, States};
use crate::differ::Differ;

fn apart<'b>(newer: &'b [u8], older: &'b [u8], ahead: u16, gap: u16) -> Bases<'b> {
    let [ahead, gap] = [ahead, gap].map(|states| NonZeroU16::new(states).unwrap());
    Bases::apart(newer, older, ahead, gap)
}

/// The difference, checked both ways, and against the one that only one base has.
fn told(packer: &mut Packer, layout: &Layout, bases: Bases<'_>, new: &[u8]) -> Vec<u8> {
    let delta = packer.delta(layout, bases, new, &rules()).unwrap().to_vec();
    assert_eq!(
        packer.apply(layout, bases, &delta, &rules()),
        Ok(new),
        "{}",
        layout.program().schema().to_json()
    );
    delta
}

fn int(min: i64, max: i64) -> Schema {
    Schema::int().min(min).max(max)
}

/// 250 rigid bodies, as in the public benchmark of motion.
pub(super) fn scene() -> Schema {
    let body = Schema::dict([
        ("id", int(0, 255)),
        ("p", Schema::vector3().quantized_within(0.01, -64.0, 64.0)),
        ("r", Schema::quaternion().bits(11)),
    ]);
    let bodies = Schema::array(body).keyed("id").max_size(256_u64);
    Schema::dict([("tick", int(0, 0xFFFF_FFFF)), ("e", bodies)])
}

/// A body that flies, spins, and is turned back at a wall, where it gets another spin.
struct Body {
    p: [f64; 3],
    v: [f64; 3],
    q: [f64; 4],
    w: [f64; 3],
}

impl Body {
    fn new(random: &mut Random) -> Body {
        let mut three = |far: f64| [(); 3].map(|()| random.within(-far, far));
        let [p, v, w] = [three(12.0), three(4.0), three(4.0)];
        Body { p, v, q: [0.0, 0.0, 0.0, 1.0], w }
    }

    fn step(&mut self, random: &mut Random) {
        for at in 0..3 {
            self.p[at] += self.v[at] / 30.0;
            if self.p[at].abs() > 15.0 && self.p[at] * self.v[at] > 0.0 {
                self.v[at] *= -0.9;
                self.w = [(); 3].map(|()| random.within(-4.0, 4.0));
            }
        }
        self.v[1] -= 2.0 / 30.0;
        let ([x, y, z, w], [a, b, c]) = (self.q, self.w.map(|n| n / 60.0));
        let q = [
            x + w * a + y * c - z * b,
            y + w * b - x * c + z * a,
            z + w * c + x * b - y * a,
            w - x * a - y * b - z * c,
        ];
        let length = q.iter().map(|n| n * n).sum::<f64>().sqrt();
        self.q = q.map(|n| n / length);
    }

    fn value(&self, id: usize) -> Value {
        Value::from([
            ("id", Value::Int(id as i64)),
            ("p", Value::Vector3(self.p.map(|n| n as f32).into())),
            ("r", Value::Quaternion(self.q.map(|n| n as f32).into())),
        ])
    }
}

pub(super) fn history(count: usize, states: usize) -> Vec<Value> {
    let mut random = Random(3);
    let mut bodies: Vec<Body> = (0..count).map(|_| Body::new(&mut random)).collect();
    let mut all = Vec::new();
    for tick in 0..states {
        let entries: Vec<Value> = bodies.iter().enumerate().map(|(id, body)| body.value(id)).collect();
        all.push(Value::from([("tick", Value::Int(tick as i64)), ("e", Value::from(entries))]));
        bodies.iter_mut().for_each(|body| body.step(&mut random));
    }
    all
}

/// Packets of 250 bodies at 30 states a second: kB/s from one base and from two, which are 1, 3 and 6 states old.
#[test]
fn motion_is_small() {
    let layout = layout(&scene());
    let states: Vec<Vec<u8>> = history(250, 60).iter().map(|state| pack(&layout, state).unwrap()).collect();
    let mut packer = Packer::new();
    for (age, from_one, from_two) in [(1, 1290, 360), (3, 1640, 440), (6, 1850, 600)] {
        let (mut one, mut two, mut count) = (0, 0, 0);
        for at in (2 * age..states.len()).step_by(7) {
            let [older, newer, new] = [&states[at - 2 * age], &states[at - age], &states[at]];
            one += told(&mut packer, &layout, newer.into(), new).len();
            two += told(&mut packer, &layout, Bases::two(newer, older), new).len();
            count += 1;
        }
        let rate = |bytes: usize| (bytes / count) as f64 * 30.0 / 1000.0;
        println!("base {age} states old: {:.1} kB/s from one, {:.1} from two", rate(one), rate(two));
        assert!(one / count <= from_one && two / count <= from_two, "{} {}", one / count, two / count);
    }
}

/// A still world is one bit, and one in which all goes on as it did a few bytes.
#[test]
fn what_goes_on_is_not_written() {
    let layout = layout(&scene());
    let state = |tick: i64| {
        let bodies = (0..200_i64).map(|id| {
            let far = if id % 10 == 0 { (tick * (id - 100) / 10) as f32 * 0.01 } else { 1.0 };
            Value::from([
                ("id", Value::Int(id)),
                ("p", Value::Vector3([far, 0.0, -far].into())),
                ("r", Value::Quaternion([0.0, 0.0, 0.0, 1.0].into())),
            ])
        });
        let state = Value::from([("tick", Value::Int(tick)), ("e", Value::from(bodies.collect::<Vec<_>>()))]);
        pack(&layout, &state).unwrap()
    };
    let mut packer = Packer::new();
    assert_eq!(told(&mut packer, &layout, Bases::two(&state(5), &state(4)), &state(5)), [0]);
    let delta = told(&mut packer, &layout, Bases::two(&state(5), &state(4)), &state(6));
    assert!(delta.len() <= 10, "{} bytes", delta.len());
    for (ahead, gap) in [(1, 3), (3, 1), (2, 3), (9, 4)] {
        let (newer, older, new) = (state(40), state(40 - i64::from(gap)), state(40 + i64::from(ahead)));
        let delta = told(&mut packer, &layout, apart(&newer, &older, ahead, gap), &new);
        assert!(delta.len() <= 10, "{} bytes", delta.len());
    }
}

/// The example of docs/PACKING.md, with its tag.
#[test]
fn the_difference_of_the_document_is_as_small_as_it_says() {
    let layout = layout(&entities(true));
    let crowd = |tick: i64| {
        let entity = |at: i64| {
            let moves = if at % 2 == 0 { tick as f64 * 0.1 } else { 0.0 };
            let far = at as f64;
            let (pos, vel) = ([far * 7.0, moves, -far], [(at % 20) as f64, 0.0, 1.0]);
            let rot = [0.0, (far * 0.05).sin(), 0.0, (far * 0.05).cos()];
            samples::Entity { id: at * 31, pos, vel, rot, hp: at, state: 1 }
        };
        pack(&layout, &samples::state(tick, &(0..50).map(entity).collect::<Vec<_>>())).unwrap()
    };
    let mut packer = Packer::new();
    let (first, second, third) = (crowd(1), crowd(2), crowd(3));
    let sizes = [Bases::one(&second), Bases::two(&second, &first)]
        .map(|bases| told(&mut packer, &layout, bases, &third).len() + 4);
    assert_eq!(sizes, [42, 11]);
}

/// The example of docs/PACKED_FORMAT.md, which packing would tell otherwise.
#[test]
fn the_bytes_of_the_page_are_read() {
    let entry = Schema::dict([("id", int(0, 200)), ("n", int(0, 100))]);
    let layout = layout(&Schema::dict([("e", Schema::array(entry).keyed("id"))]));
    let state = |n: i64| {
        let entry = Value::from([("id", Value::Int(3)), ("n", Value::Int(n))]);
        pack(&layout, &Value::from([("e", Value::from(vec![entry]))])).unwrap()
    };
    let mut packer = Packer::new();
    let made = packer.apply(&layout, &state(5), &[0x3f, 0xe0, 0x02, 0x00], &rules());
    assert_eq!(made, Ok(&state(7)[..]));
}

/// Entries that come, go and come back, of which the older base may hold others.
#[test]
fn entries_come_and_go() {
    let mut random = Random(6);
    let layout = layout(&entities(true));
    let states: Vec<Vec<u8>> = (0..30)
        .map(|tick| {
            let mut crowd = samples::crowd(&mut Random(2));
            crowd.retain(|_| random.below(6) > 0);
            for entity in &mut crowd {
                entity.pos[0] = (entity.pos[0] + entity.vel[0] * tick as f64).clamp(-500.0, 500.0);
                entity.hp = random.below(3) as i64;
            }
            pack(&layout, &samples::state(tick, &crowd)).unwrap()
        })
        .collect();
    let mut packer = Packer::new();
    for (at, new) in states.iter().enumerate().skip(2) {
        told(&mut packer, &layout, Bases::two(&states[at - 1], &states[at - 2]), new);
        told(&mut packer, &layout, apart(&states[at - 2], &states[0], 2, at as u16 - 1), new);
        told(&mut packer, &layout, Bases::two(&states[0], &states[at - 1]), new);
    }
}

/// Wrong bits, and right ones on other bases: refused, or a value of the schema.
#[test]
fn wrong_bits_do_no_harm() {
    let layout = layout(&scene());
    let states: Vec<Vec<u8>> = history(24, 12).iter().map(|state| pack(&layout, state).unwrap()).collect();
    let (mut random, mut packer, mut tried) = (Random(11), Packer::new(), [0, 0]);
    for at in 2..12 {
        let delta = told(&mut packer, &layout, Bases::two(&states[at - 1], &states[at - 2]), &states[at]);
        for _ in 0..400 {
            let mut bytes = delta.clone();
            for _ in 0..random.below(4) {
                let bit = random.below(bytes.len() as u64 * 8) as usize;
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
            bytes.truncate(bytes.len() - random.below(2) as usize);
            let [newer, older] = [(); 2].map(|()| &states[random.below(12) as usize]);
            let made = packer.apply(&layout, Bases::two(newer, older), &bytes, &rules()).map(<[u8]>::to_vec);
            tried[usize::from(made.is_ok())] += 1;
            if let Ok(made) = made {
                assert!(unpack(&layout, &made).is_ok());
            }
        }
    }
    println!("{tried:?} refused and accepted");
    assert!(tried.iter().all(|count| *count > 300), "{tried:?}");
}

/// Predicting takes no bits, so that it is charged like what is told in full, and no more: limits that a value meets are met by
/// each difference that makes it.
#[test]
fn what_is_predicted_is_charged_like_what_is_told() {
    let layout = layout(&scene());
    let states: Vec<Vec<u8>> = history(200, 3).iter().map(|state| pack(&layout, state).unwrap()).collect();
    let mut packer = Packer::new();
    let bases = Bases::two(&states[1], &states[0]);
    let delta = told(&mut packer, &layout, bases, &states[2]);
    let limits = |max_values| Rules::safe(Limits { max_values, ..Limits::network() });
    let least = (1..4000).find(|most| packer.unpack(&layout, &states[2], &limits(*most)).is_ok()).unwrap();
    assert!(packer.apply(&layout, bases, &delta, &limits(least)).is_ok(), "{least}");
    assert!(packer.apply(&layout, bases, &delta, &limits(least - 1)).is_err(), "{least}");
}

#[test]
fn tags_tell_bases_apart() {
    let layout = layout(&scene());
    let mut packer = Packer::tagged(crate::Tagging::Short);
    let states: Vec<Vec<u8>> = history(9, 4)
        .iter()
        .map(|state| packer.pack(&layout, &state.encode().unwrap(), &rules()).unwrap().to_vec())
        .collect();
    let [a, b, c, new] = [&states[2], &states[1], &states[0], &states[3]];
    let delta = packer.delta(&layout, Bases::two(a, b), new, &rules()).unwrap().to_vec();
    assert_eq!(packer.apply(&layout, apart(a, b, 4, 4), &delta, &rules()), Ok(&new[..]));
    for other in [Bases::two(a, c), Bases::two(b, a), Bases::one(a), apart(a, b, 1, 2)] {
        let refused = packer.apply(&layout, other, &delta, &rules()).unwrap_err();
        assert_eq!(refused.kind.name(), "BASELINE_MISMATCH", "{refused}");
    }
}

/// The bits of the difference, and of the one that knows no columns.
fn bits(layout: &Layout, [newer, older, new]: [&Vec<u8>; 3], apart: Option<[u16; 2]>) -> [u64; 2] {
    let codes = |packed: &Vec<u8>| {
        let mut packer = Packer::new();
        packer.transcode(layout, packed, &rules()).unwrap();
        packer.codes
    };
    let [base, older, new] = [newer, older, new].map(codes);
    if base == new {
        return [1, 1];
    }
    let (mut written, mut plain) = (BitWriter::default(), BitWriter::default());
    let older = apart.map(|[ahead, gap]| (older.as_slice(), Distances { ahead, gap }));
    let states = States { base: &base, older, new: &new };
    let whole = [columns::Part { layout, states, sets: &[] }];
    columns::differ::write(&whole, &mut columns::differ::PassMemory::default(), &mut written).unwrap();
    Differ::new(layout, &base, &new, &mut plain).root().unwrap();
    [written, plain].map(|bits| bits.len() + 1)
}

fn is_no_longer(layout: &Layout, states: [&Vec<u8>; 3]) {
    for apart in [None, Some([1, 1]), Some([3, 2])] {
        let [bits, plain] = bits(layout, states, apart);
        assert!(bits <= plain + 1, "{bits} and {plain} bits of {}", layout.program().schema().to_json());
    }
}

/// No difference is more than a bit longer than one that knows no columns, whatever the entries are.
#[test]
fn columns_cost_a_bit_at_most() {
    let mut random = Random(8);
    for last in [1, 7, 15, 100, 60_000] {
        let values = [int(0, last), Schema::dict([("n", int(0, last)), ("m", int(0, 9).optional())])];
        for (at, value) in values.into_iter().enumerate() {
            let map = Schema::map(int(0, 400), value).keyed("");
            let layout = layout(&Schema::dict([("map", map), ("n", int(0, last))]));
            let states: Vec<Vec<u8>> = (0..12)
                .map(|tick| {
                    let few = random.below(40) as i64;
                    let mut map = variant_core::Dictionary::default();
                    for key in 0..few {
                        let far = Value::Int(random.below(last.cast_unsigned() + 1) as i64);
                        let near = Value::Int((key + tick) % (last + 1));
                        let number = if random.below(3) == 0 { far } else { near };
                        let value = if at == 0 { number } else { Value::from([("n", number)]) };
                        map.entries.push((Value::Int(key * 9), value));
                    }
                    let map = Value::Dictionary(Box::new(map));
                    pack(&layout, &Value::from([("map", map), ("n", Value::Int(0))])).unwrap()
                })
                .collect();
            for at in 0..states.len() {
                for other in 0..states.len() {
                    is_no_longer(&layout, [&states[at], &states[other], &states[(at + 1) % 12]]);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_states_have_a_difference(case in any_case(), distances in any::<[u8; 2]>(), bits in prop::collection::vec(any::<u8>(), 0..40)) {
        if case.schema.compile().is_err() {
            return Ok(());
        }
        let layout = layout(&case.schema);
        let packed = case.values.clone().map(|value| pack(&layout, &value).unwrap());
        let [ahead, gap] = distances.map(|states| u16::from(states) + 1);
        let mut packer = Packer::new();
        for (newer, older, new) in [(0, 1, 1), (0, 0, 1), (1, 0, 1), (1, 1, 0)] {
            let bases = apart(&packed[newer], &packed[older], ahead, gap);
            let delta = told(&mut packer, &layout, bases, &packed[new]);
            let single = told(&mut packer, &layout, (&packed[newer]).into(), &packed[new]);
            is_no_longer(&layout, [&packed[newer], &packed[older], &packed[new]]);
            // A bit at most, and that may begin a byte.
            prop_assert!(delta.len() <= single.len() + 1);
            if let Ok(made) = packer.apply(&layout, bases, &bits, &rules()).map(<[u8]>::to_vec) {
                prop_assert!(unpack(&layout, &made).is_ok());
            }
        }
    }
}
