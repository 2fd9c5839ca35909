//! Lists histories of bodies that move: rows for differences from two states. Random tests do not find a wrong rule of rounding,
//! so these have made ties: halves of steps on both sides of 0, and rotations in which two numbers are equally large.

use variant_core::Value;
use variant_schema::Schema;

use super::rows::{Row, int};

const STATES: i16 = 7;
const BODIES: i16 = 9;

pub(crate) fn motion() -> Vec<Row> {
    let body = Schema::dict([
        ("id", int(0, 63)),
        ("place", Schema::vector3().quantized_within(1.0, -100.0, 100.0)),
        ("turn", Schema::quaternion().bits(11)),
        ("look", Schema::angle(9)),
        ("state", Schema::dict([("hp", int(0, 255)), ("armed", Schema::bool().optional())])),
    ]);
    let bodies = Schema::dict([
        ("tick", int(0, 0xFFFF)),
        ("sun", Schema::angle(12)),
        ("bodies", Schema::array(body).keyed("id").max_size(40_u64)),
    ]);
    let frame =
        Schema::dict([("frame", Schema::transform3d().rigid(0.5, 10).optional()), ("n", Schema::int())]);
    let frames = Schema::dict([("frames", Schema::map(int(0, 40), frame).keyed("").max_size(40_u64))]);
    let marks = Schema::map(int(0, 200), Schema::vector2().quantized(0.5)).keyed("").max_size(90_u64);
    let alone = Schema::dict([
        ("eye", Schema::quaternion().bits(8)),
        ("at", Schema::vector3().quantized(0.5)),
        ("fuel", int(0, 99)),
    ]);
    let all = |value: fn(i16) -> Value| (0..STATES).map(value).collect();
    vec![
        ("motion of bodies", bodies, all(bodies_at)),
        ("motion of frames", frames, all(frames_at)),
        ("motion of marks", Schema::dict([("marks", marks)]), all(marks_at)),
        ("motion of one", alone, all(alone_at)),
    ]
}

/// A turn about an axis by so many eighths of a turn, and a little more where it is odd.
fn turn(axis: i16, eighths: i16, more: f32) -> Value {
    let half = f32::from(eighths) * std::f32::consts::FRAC_PI_8 + more;
    let mut numbers = [0.0, 0.0, 0.0, half.cos()];
    if let Some(number) = numbers.get_mut(usize::from(axis.rem_euclid(3).unsigned_abs())) {
        *number = half.sin();
    }
    Value::Quaternion(numbers.into())
}

/// Steps by 0, -1, 1, -2, 2 and so on a state, so that half and third parts of them are ties and lie below 0.
fn path(body: i16, state: i16) -> f32 {
    let speed = if body % 2 == 0 { body / 2 } else { -(body + 1) / 2 };
    f32::from(speed * state)
}

fn bodies_at(state: i16) -> Value {
    let body = |body: i16| {
        let at = path(body, state);
        let place: [f32; 3] = [at, if state > 3 { 3.0 * at } else { at }, (30.0 * at).clamp(-100.0, 100.0)];
        let mut inner = vec![("hp", Value::Int(i64::from(255 - body * state)))];
        if body % 4 == state % 4 {
            inner.push(("armed", Value::Bool(body > 3)));
        }
        Value::from([
            ("id", Value::Int(i64::from(body * 3))),
            ("place", Value::Vector3(place.into())),
            // Bodies that turn by a quarter a state stand where two numbers are equal each other state.
            (
                "turn",
                turn(body, if body < 6 { body * state } else { 1 }, if body < 6 { 0.0 } else { 0.01 * at }),
            ),
            ("look", Value::Float(f64::from(at) * 0.37 * f64::from(1 + body % 3))),
            (
                "state",
                Value::Dictionary(Box::new(
                    inner.into_iter().map(|(key, value)| (Value::from(key), value)).collect(),
                )),
            ),
        ])
    };
    let there = (0..BODIES).filter(|body| body % 5 != 4 || (state / 2) % 2 == 0);
    let bodies: Vec<Value> = there.map(body).collect();
    Value::from([
        ("tick", Value::Int(i64::from(state) * 3)),
        ("sun", Value::Float(f64::from(state) * -0.9)),
        ("bodies", Value::from(bodies)),
    ])
}

fn frames_at(state: i16) -> Value {
    let entries = (0..6_i16).map(|at| {
        let mut frame = vec![(Value::from("n"), Value::Int(i64::from(at * state)))];
        if (at + state) % 6 != 5 {
            let angle =
                f32::from(state) * if at < 3 { std::f32::consts::FRAC_PI_4 } else { 0.02 * f32::from(at) };
            let (sin, cos) = angle.sin_cos();
            let origin = path(at, state) * 0.5;
            let rows = match at % 3 {
                0 => [1.0, 0.0, 0.0, 0.0, cos, -sin, 0.0, sin, cos],
                1 => [cos, 0.0, sin, 0.0, 1.0, 0.0, -sin, 0.0, cos],
                _ => [cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, 1.0],
            };
            let mut numbers = [origin; 12];
            numbers.iter_mut().zip(rows).for_each(|(slot, number)| *slot = number);
            frame.push((Value::from("frame"), Value::Transform3D(Box::new(numbers.into()))));
        }
        (Value::Int(i64::from(at * 7)), Value::Dictionary(Box::new(frame.into_iter().collect())))
    });
    Value::from([("frames", Value::Dictionary(Box::new(entries.collect())))])
}

/// Many that stand, and few that move.
fn marks_at(state: i16) -> Value {
    let entries = (0..80_i16).map(|at| {
        let far = if at % 20 == 7 { path(at / 20, state) } else { f32::from(at) };
        (Value::Int(i64::from(at * 2)), Value::Vector2([far * 0.5, f32::from(at)].into()))
    });
    Value::from([("marks", Value::Dictionary(Box::new(entries.collect())))])
}

fn alone_at(state: i16) -> Value {
    let at = path(3, state);
    Value::from([
        ("eye", turn(1, state, 0.0)),
        ("at", Value::Vector3([at * 0.5, -at, at * at].into())),
        ("fuel", Value::Int(i64::from(90 - state))),
    ])
}
