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

pub(crate) fn leaf_codes(wire: &Wire, leaf: &Leaf<'_>, codes: &mut Vec<u64>) -> Result<(), ErrorKind> {
    let code = match (wire, leaf) {
        (Wire::Nothing(bytes), leaf) if same_for_equal(bytes) == fingerprint(leaf) => return Ok(()),
        (Wire::Nothing(_), _) => return Err(ErrorKind::NotInEnum),
        (Wire::Enum(values), leaf) => *values.numbers.get(&fingerprint(leaf)).ok_or(ErrorKind::NotInEnum)?,
        (Wire::Bool, Leaf::Bool(value)) => u64::from(*value),
        (Wire::Number(VariantType::Int, form), Leaf::Int(value)) => form.code(Number::Int(*value))?,
        (Wire::Number(VariantType::Float, form), Leaf::Float(value)) => form.code(Number::Real(*value))?,
        (Wire::Text(ty, chars), Leaf::Text(got, text)) if ty == got => {
            return chars.take(text.as_str(), codes);
        }
        (Wire::Solid { ty, solid, .. }, Leaf::Math(got, lanes)) if ty == got => {
            return solid_codes(solid, lanes, codes);
        }
        (Wire::Packed { ty, solid, count, .. }, Leaf::Packed(got, lanes)) if ty == got => {
            let elements = length(lanes.count()).checked_div(length(solid.numbers())).unwrap_or(0);
            count.check(elements)?;
            codes.push(elements);
            let bytes = solid.numbers().saturating_mul(lanes.lane().size()).max(1);
            let mut elements =
                lanes.bytes().chunks_exact(bytes).filter_map(|element| Lanes::new(element, lanes.lane()));
            return elements.try_for_each(|lanes| solid_codes(solid, &lanes, codes));
        }
        _ => return Err(ErrorKind::WrongType),
    };
    codes.push(code);
    Ok(())
}

fn solid_codes(solid: &Solid, lanes: &Lanes<'_>, codes: &mut Vec<u64>) -> Result<(), ErrorKind> {
    let mut numbers = [Number::Real(0.0); MOST_NUMBERS];
    fill(lanes, &mut numbers);
    solid.take(&numbers, more(codes, solid.codes()))
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

pub(crate) fn same_for_equal(bytes: &[u8]) -> Vec<u8> {
    match token::read(&mut Cursor::new(bytes), &RULES) {
        Ok(Token::Leaf(leaf)) => fingerprint(&leaf),
        _ => bytes.to_vec(),
    }
}
