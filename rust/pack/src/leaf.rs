//! Leaf: the codes of leaves, and bytes that are equal for equal leaves. It reads no container.

use variant_core::cursor::Cursor;
use variant_core::token::{self, Lanes, Leaf, Token};
use variant_core::wire::Lane;
use variant_core::{ErrorKind, Rules, VariantType};

use crate::layout::Wire;
use crate::math_types::{MOST_NUMBERS, Numbers, Solid};
use crate::number_codec::Number;
use crate::text::length;

/// Rules under which any value is read: checks before and after say what may not be in one.
pub(crate) const RULES: Rules = Rules::engine();

/// Appends the codes of a leaf.
pub(crate) fn leaf_codes(wire: &Wire, leaf: &Leaf<'_>, codes: &mut Vec<u64>) -> Result<(), ErrorKind> {
    match (wire, leaf) {
        (Wire::Nothing(bytes), leaf) => {
            if same_for_equal(bytes) == fingerprint(leaf) {
                Ok(())
            } else {
                Err(ErrorKind::NotInEnum)
            }
        }
        (Wire::Enum(values), leaf) => {
            codes.push(*values.numbers.get(&fingerprint(leaf)).ok_or(ErrorKind::NotInEnum)?);
            Ok(())
        }
        (Wire::Bool, Leaf::Bool(value)) => {
            codes.push(u64::from(*value));
            Ok(())
        }
        (Wire::Number(VariantType::Int, form), Leaf::Int(value)) => {
            codes.push(form.code(Number::Int(*value))?);
            Ok(())
        }
        (Wire::Number(VariantType::Float, form), Leaf::Float(value)) => {
            codes.push(form.code(Number::Real(*value))?);
            Ok(())
        }
        (Wire::Text(ty, chars), Leaf::Text(got, text)) if ty == got => chars.take(text.as_str(), codes),
        (Wire::Solid { ty, solid, .. }, Leaf::Math(got, lanes)) if ty == got => {
            let mut numbers = [Number::Real(0.0); MOST_NUMBERS];
            fill(lanes, &mut numbers);
            solid.take(&numbers, more(codes, solid.codes()))
        }
        (Wire::Packed { ty, solid, count, .. }, Leaf::Packed(got, lanes)) if ty == got => {
            let elements = length(lanes.count()).checked_div(length(solid.numbers())).unwrap_or(0);
            count.check(elements)?;
            codes.push(elements);
            packed(solid, lanes, codes)
        }
        _ => Err(ErrorKind::WrongType),
    }
}

fn packed(solid: &Solid, lanes: &Lanes<'_>, codes: &mut Vec<u64>) -> Result<(), ErrorKind> {
    let bytes = solid.numbers().saturating_mul(lanes.lane().size()).max(1);
    for element in lanes.bytes().chunks_exact(bytes) {
        let mut numbers = [Number::Real(0.0); MOST_NUMBERS];
        if let Some(lanes) = Lanes::new(element, lanes.lane()) {
            fill(&lanes, &mut numbers);
        }
        solid.take(&numbers, more(codes, solid.codes()))?;
    }
    Ok(())
}

/// Appends so many codes, to be filled.
pub(crate) fn more(codes: &mut Vec<u64>, count: usize) -> &mut [u64] {
    let start = codes.len();
    if count == 1 {
        codes.push(0);
    } else {
        codes.resize(start.saturating_add(count), 0);
    }
    codes.get_mut(start..).unwrap_or_default()
}

pub(crate) fn fill(lanes: &Lanes<'_>, numbers: &mut Numbers) {
    let slots = numbers.iter_mut();
    match lanes.lane() {
        Lane::U8 => slots.zip(lanes.bytes()).for_each(|(slot, n)| *slot = Number::Int(i64::from(*n))),
        Lane::I32 => slots.zip(lanes.i32s()).for_each(|(slot, n)| *slot = Number::Int(i64::from(n))),
        Lane::I64 => slots.zip(lanes.i64s()).for_each(|(slot, n)| *slot = Number::Int(n)),
        _ => slots.zip(lanes.widened()).for_each(|(slot, n)| *slot = Number::Real(n)),
    }
}

/// Returns equal bytes for equal leaves: 0.0 is -0.0, NaN is NaN, and the width does not count.
pub(crate) fn fingerprint(leaf: &Leaf<'_>) -> Vec<u8> {
    let mut bytes = vec![leaf.ty().id()];
    let mut real = |number: f64| {
        let number = if number.is_nan() { f64::NAN } else { number + 0.0 };
        bytes.extend_from_slice(&number.to_le_bytes());
    };
    match leaf {
        Leaf::Float(number) => real(*number),
        Leaf::Math(_, lanes) | Leaf::Packed(_, lanes) if matches!(lanes.lane(), Lane::F32 | Lane::F64) => {
            lanes.widened().for_each(real);
        }
        Leaf::Math(_, lanes) | Leaf::Packed(_, lanes) => bytes.extend_from_slice(lanes.bytes()),
        Leaf::Bool(value) => bytes.push(u8::from(*value)),
        Leaf::Int(value) => bytes.extend_from_slice(&value.to_le_bytes()),
        Leaf::Text(_, text) => bytes.extend_from_slice(text.as_bytes()),
        _ => {}
    }
    bytes
}

/// Returns the fingerprint of an encoded value.
pub(crate) fn same_for_equal(bytes: &[u8]) -> Vec<u8> {
    match token::read(&mut Cursor::new(bytes), &RULES) {
        Ok(Token::Leaf(leaf)) => fingerprint(&leaf),
        _ => bytes.to_vec(),
    }
}
