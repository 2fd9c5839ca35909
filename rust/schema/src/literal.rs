//! Literal: a value that a schema lists, and when a leaf of the input is that value.
//!
//! Types must agree: 1 is not 1.0, and a String is no StringName. 0.0 is -0.0 and NaN is NaN.

use variant_core::cursor::Cursor;
use variant_core::token::{self, Leaf, Token};
use variant_core::wire::{Lane, Layout};
use variant_core::{Rules, Value};

/// RIDs from here on are no engine's: `variant-objects` has them stand for classes, which a schema can so tell apart.
pub(crate) const STAND_INS: u64 = 1 << 63;

#[derive(Debug)]
pub(crate) struct Literal {
    pub(crate) value: Value,
    /// Its encoding, from which vectors are compared.
    bytes: Vec<u8>,
    /// The encoded literal, to be found at the head of bytes.
    pub(crate) encoded: EncodedPrefix,
}

impl Literal {
    /// `None` for what cannot be listed: values with children, and handles that mean nothing elsewhere.
    pub(crate) fn new(value: &Value) -> Option<Literal> {
        let bytes = value.encode().ok()?;
        let is_leaf = matches!(
            value.ty().layout(),
            Layout::Nil
                | Layout::Bool
                | Layout::Int
                | Layout::Float
                | Layout::Text
                | Layout::Math(..)
                | Layout::Packed(..)
        );
        let is_listed = is_leaf || matches!(value, Value::Rid(id) if *id >= STAND_INS);
        is_listed.then(|| Literal { value: value.clone(), encoded: EncodedPrefix::new(&bytes), bytes })
    }

    pub(crate) fn is(&self, leaf: &Leaf<'_>) -> bool {
        match (&self.value, leaf) {
            (Value::Nil, Leaf::Nil) => true,
            (Value::Bool(mine), Leaf::Bool(other)) => mine == other,
            (Value::Int(mine), Leaf::Int(other)) => mine == other,
            (Value::Float(mine), Leaf::Float(other)) => same(*mine, *other),
            // The upper half stands for a class, the lower one for an object of it.
            (Value::Rid(mine), Leaf::Rid(other)) => mine >> 32 == other >> 32,
            (Value::String(mine) | Value::StringName(mine), Leaf::Text(ty, other)) => {
                *ty == self.value.ty() && mine == other.as_str()
            }
            (_, Leaf::Math(..) | Leaf::Packed(..)) => self.is_run(leaf),
            _ => false,
        }
    }

    fn is_run(&self, leaf: &Leaf<'_>) -> bool {
        match (leaf_of(&self.bytes), leaf) {
            (
                Some(Leaf::Math(ty, mine) | Leaf::Packed(ty, mine)),
                Leaf::Math(other_ty, other) | Leaf::Packed(other_ty, other),
            ) => {
                let is_real = matches!(mine.lane(), Lane::F32 | Lane::F64);
                ty == *other_ty
                    && mine.count() == other.count()
                    && if is_real {
                        mine.widened().zip(other.widened()).all(|(a, b)| same(a, b))
                    } else {
                        mine.bytes() == other.bytes()
                    }
            }
            _ => false,
        }
    }
}

/// The value of these bytes, if it has no children.
pub(crate) fn leaf_of(bytes: &[u8]) -> Option<Leaf<'_>> {
    match token::read(&mut Cursor::new(bytes), &Rules::engine()) {
        Ok(Token::Leaf(leaf)) => Some(leaf),
        _ => None,
    }
}

#[expect(clippy::float_cmp, reason = "a literal is exactly what it says")]
fn same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

/// Bytes that are compared at once.
const AT_ONCE: usize = 16;

/// The bytes of a value as engines write it, to be found at the head of others. Other encodings of the same value are not found.
#[derive(Debug)]
pub(crate) struct EncodedPrefix {
    bytes: Box<[u8]>,
    /// The first of them as one number, and which bits of it count.
    number: u128,
    mask: u128,
}

impl EncodedPrefix {
    pub(crate) fn new(bytes: &[u8]) -> EncodedPrefix {
        let (mut number, mut mask) = ([0; AT_ONCE], [0; AT_ONCE]);
        for ((slot, counts), byte) in number.iter_mut().zip(&mut mask).zip(bytes) {
            (*slot, *counts) = (*byte, 0xFF);
        }
        let (number, mask) = (u128::from_le_bytes(number), u128::from_le_bytes(mask));
        EncodedPrefix { bytes: bytes.into(), number, mask }
    }

    /// Returns what follows these bytes in others that begin with them.
    #[inline(always)]
    pub(crate) fn strip<'i>(&self, bytes: &'i [u8]) -> Option<&'i [u8]> {
        match bytes.first_chunk() {
            Some(head) if (u128::from_le_bytes(*head) ^ self.number) & self.mask != 0 => None,
            Some(_) if self.bytes.len() <= AT_ONCE => bytes.get(self.bytes.len()..),
            _ => bytes.strip_prefix(&*self.bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_strips_what_a_plain_comparison_strips() {
        let all: Vec<u8> = (1..=40).collect();
        for length in 0..40 {
            let encoded = EncodedPrefix::new(&all[..length]);
            for end in 0..=40 {
                let mut bytes = all[..end].to_vec();
                assert_eq!(encoded.strip(&bytes), bytes.strip_prefix(&all[..length]), "{length} of {end}");
                for at in 0..end {
                    bytes[at] ^= 0x80;
                    assert_eq!(encoded.strip(&bytes), bytes.strip_prefix(&all[..length]), "{length}, {at}");
                    bytes[at] ^= 0x80;
                }
            }
        }
    }
}
