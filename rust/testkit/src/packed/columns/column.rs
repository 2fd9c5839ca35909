//! Predicts the numbers of a column and reads how far they are from that, by the format's page.

use variant_core::Value;
use variant_schema::Shape;

use super::{Older, resolved};
use crate::packed::bits::{Source, take_gaps, unzigzag, zigzag};
use crate::packed::delta::number;
use crate::packed::naive::Place;
use crate::packed::number::{Kind, Num};
use crate::packed::solid::Solid;
use crate::packed::{parts, turn};

/// The numbers of a column, and where its rotation begins.
pub(super) struct Column {
    pub(super) forms: Vec<Result<Kind, u32>>,
    pub(super) turn: usize,
}

pub(super) fn column(place: &Place<'_>) -> Option<Column> {
    resolved(place, &mut |place| {
        let Shape::Type(ty) = place.schema.shape() else { return None };
        if place.schema.is_nullable() {
            return None;
        }
        let column = match (number(*ty, place.schema), Solid::of(*ty, place.schema)) {
            (Some(kind), _) => Column { forms: vec![Ok(kind)], turn: 1 },
            (None, Some((Solid::Direction(_) | Solid::Flat(_), _)) | None) => return None,
            (None, Some((solid, _))) => {
                let forms = solid.forms();
                Column { turn: solid.turn().unwrap_or(forms.len()), forms }
            }
        };
        let is_fit = |form: &Result<Kind, u32>| match form {
            Ok(Kind::Steps { narrow, .. }) => *narrow,
            Ok(Kind::Angle(_)) | Err(_) => true,
            Ok(kind) => kind.has_range() && kind.width() <= 32,
        };
        column.forms.iter().all(is_fit).then_some(column)
    })
}

/// The codes of a column's value.
pub(super) fn codes(place: &Place<'_>, value: &Value) -> Option<Vec<u128>> {
    resolved(place, &mut |place| {
        let Shape::Type(ty) = place.schema.shape() else { return None };
        match (number(*ty, place.schema), value) {
            (Some(kind), Value::Int(number)) => Some(vec![kind.code(Num::Int(*number))?]),
            (Some(kind), Value::Float(number)) => Some(vec![kind.code(Num::Real(*number))?]),
            _ => Solid::of(*ty, place.schema)?.0.codes(&parts::numbers(value)?),
        }
    })
}

/// A code as a number that grows with the value.
pub(super) fn step(kind: &Kind, code: u128) -> i128 {
    if matches!(kind, Kind::Steps { .. }) { unzigzag(code) } else { code.cast_signed() }
}

/// An angle's distance, the shorter way round.
pub(super) fn shorter(kind: &Kind, far: i128) -> i128 {
    let Kind::Angle(bits) = kind else { return far };
    let half = 1 << (bits - 1);
    (far + half).rem_euclid(2 * half) - half
}

pub(super) const MOST_STEPS: i128 = 1 << 22;

pub(super) fn predicted(kind: &Kind, a: u128, b: u128, Older(_, k, g): Older<'_>) -> u128 {
    let (a, b) = (step(kind, a), step(kind, b));
    let far = shorter(kind, a - b);
    let to = a + (2 * far * k + g).div_euclid(2 * g);
    match kind {
        Kind::Angle(bits) => to.rem_euclid(1 << bits).unsigned_abs(),
        Kind::Steps { .. } => zigzag(to.clamp(-MOST_STEPS, MOST_STEPS)),
        kind => to.clamp(0, kind.last().unwrap_or(0).cast_signed()).unsigned_abs(),
    }
}

/// The code so far from a predicted one, if it is one.
pub(super) fn restored(kind: &Kind, from: u128, distance: u128) -> Option<u128> {
    let to = step(kind, from) + unzigzag(distance);
    match kind {
        Kind::Angle(bits) => (distance < 1 << bits).then(|| to.rem_euclid(1 << bits).unsigned_abs()),
        Kind::Steps { .. } => (to.abs() <= MOST_STEPS).then(|| zigzag(to)),
        kind => u128::try_from(to).ok().filter(|code| kind.last().is_some_and(|last| *code <= last)),
    }
}

impl Column {
    pub(super) fn numbers(&self) -> usize {
        if self.turn < self.forms.len() { self.forms.len() - 1 } else { self.forms.len() }
    }

    pub(super) fn turn_bits(&self) -> Option<u32> {
        self.forms.get(self.turn + 1).and_then(|form| form.err())
    }

    /// The quaternion that a rotation is likely to have.
    pub(super) fn turned(&self, a: &[u128], b: Option<(&[u128], Older<'_>)>, bits: u32) -> Option<[f64; 4]> {
        let turn = |codes: &[u128]| turn::exact(codes[self.turn..].try_into().ok()?, bits);
        match b {
            Some((b, Older(_, k, g))) => Some(turn::predicted(turn(a)?, turn(b)?, k as f64, g as f64)),
            None => turn(a),
        }
    }

    /// Gives the likely codes; `is_two` says which numbers are predicted from two states.
    pub(super) fn likely(
        &self,
        a: &[u128],
        b: Option<(&[u128], Older<'_>)>,
        is_two: impl Fn(usize) -> bool,
    ) -> Option<Vec<u128>> {
        let mut codes = a.to_vec();
        for (at, form) in self.forms.iter().take(self.turn).enumerate() {
            if let (Ok(kind), Some((b, older))) = (form, b.filter(|_| is_two(at))) {
                codes[at] = predicted(kind, a[at], b[at], older);
            }
        }
        if let (Some(bits), Some(b)) = (self.turn_bits(), b.filter(|_| is_two(self.turn)))
            && a[self.turn..] != b.0[self.turn..]
        {
            let turned = self.turned(a, Some(b), bits)?;
            codes.truncate(self.turn);
            codes.extend(turn::rotation(turned, bits)?);
        }
        Some(codes)
    }
}

/// How a column is told.
pub(super) struct Own {
    pub(super) dense: bool,
    pub(super) two: Vec<bool>,
    pub(super) codes: Vec<(u32, bool)>,
}

pub(super) fn take_own(column: &Column, is_double: bool, source: &mut Source<'_>) -> Option<Own> {
    let mut own = Own { dense: source.bit()?, two: Vec::new(), codes: Vec::new() };
    for at in 0..column.forms.len().min(column.turn + 1) {
        own.two.push(is_double && source.bit()?);
        for _ in 0..if at == column.turn { 3 } else { 1 } {
            let bits = source.take(5)?;
            own.codes.push(((bits & 15) as u32, bits > 15));
        }
    }
    Some(own)
}

pub(super) fn take_plain(order: u32, width: u32, source: &mut Source<'_>) -> Option<u128> {
    let mut ones = 0;
    while source.bit()? {
        ones += 1;
        if ones > width + 2 {
            return None;
        }
    }
    let q = (1 << ones) + source.take(ones)?;
    Some(((q - 1) << order) + source.take(order)?)
}

pub(super) fn take_code((order, is_split): (u32, bool), width: u32, source: &mut Source<'_>) -> Option<u128> {
    if !is_split {
        return take_plain(order, width, source);
    }
    if !source.bit()? {
        return source.take(order);
    }
    if !source.bit()? {
        return Some((1 << order) + source.take(order)?);
    }
    Some((2 << order) + take_plain(order, width, source)?)
}

/// Which of so many are marked.
pub(super) fn take_marks(all: usize, source: &mut Source<'_>) -> Option<Vec<bool>> {
    if all == 0 {
        return Some(Vec::new());
    }
    if !source.bit()? {
        return (0..all).map(|_| source.bit()).collect();
    }
    let is_of_others = source.bit()?;
    let places = take_gaps(all as u64, source)?;
    Some((0..all as u64).map(|place| places.contains(&place) != is_of_others).collect())
}

/// Reads how far each number is from what is likely.
pub(super) fn take_numbers(
    column: &Column,
    own: &Own,
    codes: &mut [u128],
    source: &mut Source<'_>,
) -> Option<()> {
    let less = u128::from(!own.dense && column.numbers() == 1);
    let mut told = own.codes.iter();
    for (at, form) in column.forms.iter().enumerate().filter(|(at, _)| *at != column.turn) {
        let width = match form {
            Ok(Kind::Steps { .. }) => 24,
            Ok(kind) => kind.width(),
            Err(bits) => *bits,
        };
        let distance = take_code(*told.next()?, width, source)? + less;
        codes[at] = match form {
            Ok(kind) => restored(kind, codes[at], distance)?,
            Err(bits) => {
                let code = u128::try_from(codes[at].cast_signed() + unzigzag(distance)).ok()?;
                (code <= 2 * ((1 << (bits - 1)) - 1)).then_some(code)?
            }
        };
    }
    Some(())
}
