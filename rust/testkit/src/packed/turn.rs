//! Packs rotations and directions as the format's page says. The order of operations is part of the format.

const ROOT: f64 = std::f64::consts::FRAC_1_SQRT_2;

fn narrow(number: f64) -> f64 {
    f64::from(number as f32)
}

fn most(bits: u32) -> f64 {
    (2_u64.pow(bits - 1) - 1) as f64
}

fn sign(number: f64) -> f64 {
    if number < 0.0 { -1.0 } else { 1.0 }
}

fn is_settled(codes: [f64; 3], m: f64) -> bool {
    let [a, b, c] = codes.map(|code| code / m * ROOT);
    let sum = a * a + b * b + c * c;
    let far = codes.iter().fold(0.0_f64, |far, code| far.max(code.abs()));
    sum < 1.0 && (1.0 - sum).sqrt() >= far / m * ROOT + 1.0 / 2097152.0
}

/// Which number is the largest, and three numbers of `bits` bits.
pub(super) fn rotation(quaternion: [f64; 4], bits: u32) -> Option<[u128; 4]> {
    let [x, y, z, w] = quaternion;
    let length = (x * x + y * y + z * z + w * w).sqrt();
    if !(length.is_finite() && length > 0.0) {
        return None;
    }
    let unit = quaternion.map(|number| number / length);
    let mut largest = 0;
    for at in 1..4 {
        if unit[at].abs() > unit[largest].abs() {
            largest = at;
        }
    }
    let m = most(bits);
    let others: Vec<f64> =
        (0..4).filter(|at| *at != largest).map(|at| unit[at] * sign(unit[largest])).collect();
    let mut codes = [0, 1, 2].map(|at| (others[at] / ROOT * m).round_ties_even().clamp(-m, m));
    while !is_settled(codes, m) {
        let far = codes.iter().fold(0.0_f64, |far, code| far.max(code.abs()));
        let at = codes.iter().position(|code| code.abs() >= far)?;
        codes[at] -= codes[at].signum();
    }
    let [a, b, c] = codes.map(|code| (code + m) as u128);
    Some([largest as u128, a, b, c])
}

pub(super) fn of_rotation(codes: [u128; 4], bits: u32) -> Option<[f64; 4]> {
    Some(exact(codes, bits)?.map(narrow))
}

/// The quaternion of codes in 64 bits.
pub(super) fn exact(codes: [u128; 4], bits: u32) -> Option<[f64; 4]> {
    let m = most(bits);
    let [largest, a, b, c] = codes;
    let codes = [a, b, c].map(|code| code as f64 - m);
    if codes.iter().any(|code| *code > m) || !is_settled(codes, m) {
        return None;
    }
    let [a, b, c] = codes.map(|code| code / m * ROOT);
    let left_out = (1.0 - (a * a + b * b + c * c)).sqrt();
    let mut numbers = vec![a, b, c];
    numbers.insert(usize::try_from(largest).ok()?, left_out);
    Some([0, 1, 2, 3].map(|at| numbers[at]))
}

fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

fn product([ax, ay, az, aw]: [f64; 4], [bx, by, bz, bw]: [f64; 4]) -> [f64; 4] {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// The rotation that is likely `k` states after `a`, which is `g` states after `b`.
pub(super) fn predicted(a: [f64; 4], b: [f64; 4], k: f64, g: f64) -> [f64; 4] {
    let s = sign(dot(a, b));
    let [x, y, z, w] = b.map(|number| number * s);
    let p = product(product(a, [-x, -y, -z, w]), a);
    if k == g {
        return p;
    }
    let length = dot(p, p).sqrt();
    let p = p.map(|number| number / length);
    let s = sign(dot(a, p));
    let f = k / g;
    [0, 1, 2, 3].map(|at| a[at] + (s * p[at] - a[at]) * f)
}

/// The numbers beside this one, though it may not be the largest.
pub(super) fn without(quaternion: [f64; 4], chart: usize, bits: u32) -> [u128; 3] {
    let length = dot(quaternion, quaternion).sqrt();
    let unit = quaternion.map(|number| number / length);
    let m = most(bits);
    let others: Vec<f64> = (0..4).filter(|at| *at != chart).map(|at| unit[at] * sign(unit[chart])).collect();
    [0, 1, 2].map(|at| ((others[at] / ROOT * m).round_ties_even().clamp(-m, m) + m) as u128)
}

/// Two numbers of `bits` bits: a point of an octahedron.
pub(super) fn direction([x, y, z]: [f64; 3], bits: u32) -> Option<[u128; 2]> {
    let sum = x.abs() + y.abs() + z.abs();
    if !(sum.is_finite() && sum > 0.0) {
        return None;
    }
    let (u, v) = (x / sum, y / sum);
    let (u, v) = if z < 0.0 { ((1.0 - v.abs()) * sign(u), (1.0 - u.abs()) * sign(v)) } else { (u, v) };
    let m = most(bits);
    let (u, v) = ((u * m).round_ties_even().clamp(-m, m), (v * m).round_ties_even().clamp(-m, m));
    let v = if u.abs() == m { v.abs() } else { v };
    let u = if v.abs() == m { u.abs() } else { u };
    Some([(u + m) as u128, (v + m) as u128])
}

pub(super) fn of_direction([u, v]: [u128; 2], bits: u32) -> Option<[f64; 3]> {
    let m = most(bits);
    let (u, v) = ((u as f64 - m) / m, (v as f64 - m) / m);
    if u > 1.0 || v > 1.0 {
        return None;
    }
    let z = 1.0 - u.abs() - v.abs();
    let (x, y) = if z < 0.0 { ((1.0 - v.abs()) * sign(u), (1.0 - u.abs()) * sign(v)) } else { (u, v) };
    let length = (x * x + y * y + z * z).sqrt();
    Some([x, y, z].map(|number| narrow(number / length) + 0.0))
}

/// A number of `bits` bits and the sign of y.
pub(super) fn flat([x, y]: [f64; 2], bits: u32) -> Option<[u128; 2]> {
    let sum = x.abs() + y.abs();
    if !(sum.is_finite() && sum > 0.0) {
        return None;
    }
    let m = most(bits);
    let code = (x / sum * m).round_ties_even().clamp(-m, m);
    Some([(code + m) as u128, u128::from(y < 0.0 && code.abs() < m)])
}

pub(super) fn of_flat([code, below]: [u128; 2], bits: u32) -> Option<[f64; 2]> {
    let m = most(bits);
    let u = (code as f64 - m) / m;
    if u > 1.0 {
        return None;
    }
    let v = (1.0 - u.abs()) * if below == 1 { -1.0 } else { 1.0 };
    let length = (u * u + v * v).sqrt();
    Some([u, v].map(|number| narrow(number / length) + 0.0))
}

/// The quaternion of a basis given by rows, unless that has a scale or mirrors.
pub(super) fn of_basis(rows: &[f64]) -> Option<[f64; 4]> {
    let row = |at: usize| [rows[at * 3], rows[at * 3 + 1], rows[at * 3 + 2]];
    let dot = |u: [f64; 3], v: [f64; 3]| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    let ([a, b, c], [d, e, f], [g, h, i]) = (row(0), row(1), row(2));
    let is_unit = (0..3).all(|at| (dot(row(at), row(at)) - 1.0).abs() < 0.001);
    let is_square = [(0, 1), (1, 2), (0, 2)].iter().all(|(p, q)| dot(row(*p), row(*q)).abs() < 0.001);
    let determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
    if !is_unit || !is_square || determinant < 0.0 {
        return None;
    }
    let quarters = [1.0 + a - e - i, 1.0 - a + e - i, 1.0 - a - e + i, 1.0 + a + e + i];
    let mut largest = 0;
    for at in 1..4 {
        if quarters[at] > quarters[largest] {
            largest = at;
        }
    }
    let q = quarters[largest];
    Some(match largest {
        0 => [q, b + d, c + g, h - f],
        1 => [b + d, q, f + h, c - g],
        2 => [c + g, f + h, q, d - b],
        _ => [h - f, c - g, d - b, q],
    })
}

pub(super) fn to_basis([x, y, z, w]: [f64; 4]) -> [f64; 9] {
    let s = 2.0 / (x * x + y * y + z * z + w * w);
    let (xx, yy, zz) = (x * x * s, y * y * s, z * z * s);
    let (xy, xz, yz) = (x * y * s, x * z * s, y * z * s);
    let (wx, wy, wz) = (w * x * s, w * y * s, w * z * s);
    let rows = [
        1.0 - (yy + zz),
        xy - wz,
        xz + wy,
        xy + wz,
        1.0 - (xx + zz),
        yz - wx,
        xz - wy,
        yz + wx,
        1.0 - (xx + yy),
    ];
    rows.map(|number| narrow(number) + 0.0)
}
