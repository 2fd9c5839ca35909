//! Packs directions and rotations: a direction as a point of an octahedron, a rotation as its three smaller numbers. Each
//! direction has one row of codes, and what has another is refused, so that nothing creeps when it is packed again.

use crate::grid::{code_of, narrow, number_of, rounded};

/// The f64 nearest to the square root of one half. It and the order of all operations are part of the format.
const ROOT: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// By so much the number that is left out has to be larger than the others, so that it is the largest of the numbers of 32
/// bits too.
const MARGIN: f64 = 1.0 / 2_097_152.0;

/// The largest code on either side of 0.
fn most(bits: u32) -> f64 {
    number_of(1_u64.wrapping_shl(bits.saturating_sub(1)).saturating_sub(1))
}

/// A code from 0 on.
#[inline]
fn stored(code: f64, most: f64) -> u64 {
    code_of(code + most)
}

/// Rounds the code of a number on either side of 0.
#[inline]
fn code(number: f64, most: f64) -> f64 {
    let code = rounded(number / ROOT * most);
    // The methods of floats also look for what is no number.
    if code > most {
        most
    } else if code < -most {
        -most
    } else {
        code
    }
}

/// All but one of four numbers.
#[inline]
fn others([x, y, z, w]: Quaternion, left_out: u64) -> [f64; 3] {
    match left_out {
        0 => [y, z, w],
        1 => [x, z, w],
        2 => [x, y, w],
        _ => [x, y, z],
    }
}

pub(crate) type Quaternion = [f64; 4];

#[inline]
pub(crate) fn unit(quaternion: &Quaternion) -> Option<Quaternion> {
    let [x, y, z, w] = *quaternion;
    let length = (x * x + y * y + z * z + w * w).sqrt();
    if !length.is_finite() || length <= 0.0 {
        return None;
    }
    Some(quaternion.map(|number| number / length))
}

/// Packs a quaternion: which number is the largest, and codes of the others.
pub(crate) fn from_quaternion(quaternion: Quaternion, bits: u32) -> Option<[u64; 4]> {
    let unit = unit(&quaternion)?;
    let (mut largest, mut left_out) = (0_u64, -0.0_f64);
    for (at, number) in (0..).zip(unit) {
        if number.abs() > left_out.abs() {
            (largest, left_out) = (at, number);
        }
    }
    let sign = if left_out < 0.0 { -1.0 } else { 1.0 };
    let most = most(bits);
    let mut codes = others(unit, largest).map(|number| code(number * sign, most));
    while settled(&codes, most).is_none() {
        let far = codes.iter().fold(0.0_f64, |far, code| far.max(code.abs()));
        let code = codes.iter_mut().find(|code| code.abs() >= far)?;
        *code -= code.signum();
    }
    let [a, b, c] = codes.map(|code| stored(code, most));
    Some([largest, a, b, c])
}

/// The numbers of codes, and the one that is left out, if that is larger than the others.
#[inline(always)]
fn settled(codes: &[f64; 3], most: f64) -> Option<([f64; 3], f64)> {
    let numbers @ [a, b, c] = codes.map(|code| code / most * ROOT);
    let sum = a * a + b * b + c * c;
    let far = numbers.iter().fold(0.0, |far, number| if number.abs() > far { number.abs() } else { far });
    let left_out = (sum < 1.0).then(|| (1.0 - sum).sqrt())?;
    (left_out >= far + MARGIN).then_some((numbers, left_out))
}

/// Whether packing makes these codes. Most are so far from the others that this shows before a root is taken.
#[inline]
pub(crate) fn is_quaternion(codes: [u64; 4], bits: u32) -> bool {
    let [largest, others @ ..] = codes;
    let most = most(bits);
    let others = others.map(|code| number_of(code) - most);
    let far = others.iter().fold(0.0, |far, code| if code.abs() > far { code.abs() } else { far });
    let sum = others.iter().fold(far * far, |sum, code| sum + code * code);
    let is_plain = largest < 4 && far <= most && sum < most * most * 1.998;
    is_plain || wide(codes, bits).is_some()
}

/// Unpacks a quaternion, unless the codes are none that packing makes.
#[inline]
pub(crate) fn to_quaternion(codes: [u64; 4], bits: u32) -> Option<Quaternion> {
    Some(wide(codes, bits)?.map(narrow))
}

/// That quaternion in 64 bits; codes that packing does not make turn nothing.
pub(crate) fn of_codes(codes: [u64; 4], bits: u32) -> Quaternion {
    wide(codes, bits).unwrap_or([0.0, 0.0, 0.0, 1.0])
}

/// The codes of the other numbers, where this one is left out though it may not be the largest.
pub(crate) fn without(quaternion: &Quaternion, left_out: u64, bits: u32) -> [u64; 3] {
    let unit = unit(quaternion).unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let most = most(bits);
    let is_negative = (0..).zip(unit).any(|(at, number)| at == left_out && number < 0.0);
    let sign = if is_negative { -1.0 } else { 1.0 };
    others(unit, left_out).map(|number| stored(code(number * sign, most), most))
}

pub(crate) fn dot(a: &Quaternion, b: &Quaternion) -> f64 {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (*a, *b);
    ax * bx + ay * by + az * bz + aw * bw
}

/// The rotation `b`, then `a`.
pub(crate) fn product(a: &Quaternion, b: &Quaternion) -> Quaternion {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (*a, *b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

#[inline]
fn wide(codes: [u64; 4], bits: u32) -> Option<Quaternion> {
    let [largest, codes @ ..] = codes;
    let most = most(bits);
    let codes = codes.map(|code| number_of(code) - most);
    if codes.iter().any(|code| *code > most) {
        return None;
    }
    let ([a, b, c], left_out) = settled(&codes, most)?;
    // No jumps: which one is left out is anybody's guess.
    let at = |number: u64, below: f64, above: f64| match number {
        _ if number == largest => left_out,
        _ if number > largest => below,
        _ => above,
    };
    (largest < 4).then(|| [at(0, a, a), at(1, a, b), at(2, b, c), at(3, c, c)])
}

pub(crate) fn from_direction(direction: [f64; 3], bits: u32) -> Option<[u64; 2]> {
    let [x, y, z] = direction;
    let sum = x.abs() + y.abs() + z.abs();
    if !sum.is_finite() || sum <= 0.0 {
        return None;
    }
    let (mut u, mut v) = (x / sum, y / sum);
    if z < 0.0 {
        (u, v) = ((1.0 - v.abs()) * sign(u), (1.0 - u.abs()) * sign(v));
    }
    let most = most(bits);
    let [mut u, mut v] = [u, v].map(|number| rounded(number * most).clamp(-most, most));
    // Both ends of an edge of the square are one direction.
    if u.abs() >= most {
        v = v.abs();
    }
    if v.abs() >= most {
        u = u.abs();
    }
    Some([u, v].map(|code| stored(code, most)))
}

/// Unpacks it, unless the codes are none that packing makes.
pub(crate) fn to_direction(codes: [u64; 2], bits: u32) -> Option<[f64; 3]> {
    let most = most(bits);
    let [u, v] = codes.map(|code| (number_of(code) - most) / most);
    if u > 1.0 || v > 1.0 {
        return None;
    }
    let z = 1.0 - u.abs() - v.abs();
    let (x, y) = if z < 0.0 { ((1.0 - v.abs()) * sign(u), (1.0 - u.abs()) * sign(v)) } else { (u, v) };
    let length = (x * x + y * y + z * z).sqrt();
    let direction = [x, y, z].map(|number| narrow(number / length) + 0.0);
    (from_direction(direction, bits) == Some(codes)).then_some(direction)
}

/// Packs a direction in a plane: its first number on a square that stands on a corner, and the sign of the other.
pub(crate) fn from_flat(direction: [f64; 2], bits: u32) -> Option<[u64; 2]> {
    let [x, y] = direction;
    let sum = x.abs() + y.abs();
    if !sum.is_finite() || sum <= 0.0 {
        return None;
    }
    let most = most(bits);
    let code = rounded(x / sum * most).clamp(-most, most);
    let is_below = y < 0.0 && code.abs() < most;
    Some([stored(code, most), u64::from(is_below)])
}

/// Unpacks it, unless the codes are none that packing makes.
pub(crate) fn to_flat(codes: [u64; 2], bits: u32) -> Option<[f64; 2]> {
    let most = most(bits);
    let [code, is_below] = codes;
    let u = (number_of(code) - most) / most;
    if u > 1.0 {
        return None;
    }
    let v = (1.0 - u.abs()) * if is_below == 1 { -1.0 } else { 1.0 };
    let length = (u * u + v * v).sqrt();
    let direction = [u, v].map(|number| narrow(number / length) + 0.0);
    (from_flat(direction, bits) == Some(codes)).then_some(direction)
}

fn sign(number: f64) -> f64 {
    if number < 0.0 { -1.0 } else { 1.0 }
}

/// The rotation of a basis given by rows, or none if that has a scale or mirrors.
pub(crate) fn of_basis(rows: &[f64; 9]) -> Option<[f64; 4]> {
    let [a, b, c, d, e, f, g, h, i] = *rows;
    let dot = |u: [f64; 3], v: [f64; 3]| u.iter().zip(v).map(|(u, v)| u * v).sum::<f64>();
    let (x, y, z) = ([a, b, c], [d, e, f], [g, h, i]);
    let is_unit = [x, y, z].iter().all(|row| (dot(*row, *row) - 1.0).abs() < 0.001);
    let is_square = [dot(x, y), dot(y, z), dot(x, z)].iter().all(|dot| dot.abs() < 0.001);
    let determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
    if !is_unit || !is_square || determinant < 0.0 {
        return None;
    }
    // The largest of the four is taken from the diagonal, the others from sums beside it.
    let quarters = [1.0 + a - e - i, 1.0 - a + e - i, 1.0 - a - e + i, 1.0 + a + e + i];
    let mut largest = (0, f64::MIN);
    for (at, quarter) in quarters.iter().enumerate() {
        if *quarter > largest.1 {
            largest = (at, *quarter);
        }
    }
    let q = largest.1;
    Some(match largest.0 {
        0 => [q, b + d, c + g, h - f],
        1 => [b + d, q, f + h, c - g],
        2 => [c + g, f + h, q, d - b],
        _ => [h - f, c - g, d - b, q],
    })
}

pub(crate) fn to_basis([x, y, z, w]: [f64; 4]) -> [f64; 9] {
    let s = 2.0 / (x * x + y * y + z * z + w * w);
    let (xx, yy, zz) = (x * x * s, y * y * s, z * z * s);
    let (xy, xz, yz) = (x * y * s, x * z * s, y * z * s);
    let (wx, wy, wz) = (w * x * s, w * y * s, w * z * s);
    [1.0 - (yy + zz), xy - wz, xz + wy, xy + wz, 1.0 - (xx + zz), yz - wx, xz - wy, yz + wx, 1.0 - (xx + yy)]
        .map(|number| narrow(number) + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in -1..1, each time the same.
    fn random() -> impl FnMut() -> f64 {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    fn settles(quaternion: [f64; 4], bits: u32) {
        let codes = from_quaternion(quaternion, bits).unwrap();
        let again = to_quaternion(codes, bits).unwrap_or_else(|| panic!("{quaternion:?} {bits} {codes:?}"));
        assert_eq!(from_quaternion(again, bits), Some(codes), "{quaternion:?} in {bits} bits");
    }

    #[test]
    fn rotations_settle_at_once() {
        let mut random = random();
        for round in 0..60_000_u32 {
            let bits = 2 + round % 19;
            settles([random(), random(), random(), random()], bits);
        }
        // Exact ties and almost ties of two, three and four numbers.
        for bits in 2..=20 {
            for signs in 0..16_u32 {
                for zeros in 0..15_u32 {
                    for off in [0.0, 1e-9, -1e-7, 1e-5] {
                        let number = |at: u32| match (zeros >> at & 1, signs >> at & 1) {
                            (1, _) => 0.0,
                            (_, 1) => -1.0 - off * f64::from(at),
                            _ => 1.0 + off * f64::from(at),
                        };
                        settles([0, 1, 2, 3].map(number), bits);
                    }
                }
            }
        }
    }

    /// Plain rounding would not settle: this is what the margin is for.
    #[test]
    fn codes_without_the_margin_are_refused() {
        let refused =
            (0..8_u64.pow(3)).filter(|n| to_quaternion([0, n & 7, n >> 3 & 7, n >> 6], 3).is_none());
        assert!(refused.count() > 0);
        assert_eq!(to_quaternion([0, 6, 6, 6], 3), None);
        assert_eq!(to_quaternion([0, 7, 3, 3], 3), None);
    }

    #[test]
    fn all_codes_that_are_taken_come_back() {
        for bits in 2..=5 {
            let end = 1_u64 << bits;
            for (largest, a, b, c) in
                (0..4 * end.pow(3)).map(|n| (n & 3, n / 4 % end, n / 4 / end % end, n / 4 / end / end))
            {
                let codes = [largest, a, b, c];
                assert_eq!(is_quaternion(codes, bits), to_quaternion(codes, bits).is_some(), "{codes:?}");
                if let Some(quaternion) = to_quaternion(codes, bits) {
                    assert_eq!(from_quaternion(quaternion, bits), Some(codes));
                }
            }
        }
    }

    #[test]
    fn rotations_are_as_near_as_documents_say() {
        let mut random = random();
        for (bits, worst) in [(8, 1.09), (10, 0.28), (12, 0.07), (15, 0.0092)] {
            for _ in 0..20_000 {
                let raw = [random(), random(), random(), random()];
                let length = raw.iter().map(|n| n * n).sum::<f64>().sqrt();
                if length < 0.1 {
                    continue;
                }
                let unit = raw.map(|n| n / length);
                let again = to_quaternion(from_quaternion(unit, bits).unwrap(), bits).unwrap();
                let sign = unit.iter().zip(again).map(|(a, b)| a * b).sum::<f64>().signum();
                let apart = unit.iter().zip(again).map(|(a, b)| (a - b * sign).powi(2)).sum::<f64>().sqrt();
                let degrees = 4.0 * (apart / 2.0).asin().to_degrees();
                assert!(degrees < worst, "{bits} bits: {degrees} of {unit:?}");
            }
        }
    }

    #[test]
    fn directions_settle_at_once() {
        let mut random = random();
        for round in 0..60_000_u32 {
            let bits = 2 + round % 15;
            let mut direction = [random(), random(), random()];
            if round % 7 == 0 {
                direction[(round % 3) as usize] = 0.0;
            }
            let codes = from_direction(direction, bits).unwrap();
            let again = to_direction(codes, bits).unwrap_or_else(|| panic!("{direction:?} in {bits} bits"));
            assert_eq!(from_direction(again, bits), Some(codes));
            let codes = from_flat([direction[0], direction[1]], bits);
            if let Some(codes) = codes {
                let again = to_flat(codes, bits).unwrap_or_else(|| panic!("{direction:?} in {bits} bits"));
                assert_eq!(from_flat(again, bits), Some(codes));
            }
        }
        assert_eq!(from_direction([0.0; 3], 8), None);
        assert_eq!(from_flat([f64::NAN, 1.0], 8), None);
    }

    #[test]
    fn bases_are_rotations_and_back() {
        let mut random = random();
        for round in 0..20_000_u32 {
            let bits = 2 + round % 15;
            let codes = from_quaternion([random(), random(), random(), random()], bits).unwrap();
            let basis = to_basis(to_quaternion(codes, bits).unwrap());
            assert_eq!(from_quaternion(of_basis(&basis).unwrap(), bits), Some(codes));
        }
        assert_eq!(of_basis(&[2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]), None);
        assert_eq!(of_basis(&[-1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]), None);
    }
}
