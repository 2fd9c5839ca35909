//! Scalars and texts in their plainest form, read without going over a [`Token`](super::Token): most values of most
//! inputs. The plain twin is `read.rs`, which reads whatever is not plain and words every fault. It refuses nothing.
//! An int that is skipped costs 41 instructions here and 227 there (rustc 1.95, `cargo xtask instructions`).

use super::{Lanes, Leaf, Text};
use crate::cursor::{Cursor, padding};
use crate::wire::{Dialect, Lane, Layout, Rules, VariantType, WIDE, heap};

const NIL: u32 = 0;
const BOOL: u32 = 1;
const INT: u32 = 2;
const FLOAT: u32 = 3;
const STRING: u32 = 4;
const STRING_NAME: u32 = 21;
const WIDE_INT: u32 = INT | WIDE;
const WIDE_FLOAT: u32 = FLOAT | WIDE;

/// Whether these rules ask nothing of a plain scalar that its bytes do not say themselves. CANONICAL does, and some
/// dialects number the vectors otherwise.
#[inline]
pub(crate) fn are_plain(rules: &Rules) -> bool {
    let all = rules.limits.allowed_types.0 & PLAIN == PLAIN;
    all && !rules.is_canonical() && rules.dialect == Dialect::Godot4
}

/// The scalar that comes next, if it is one in its plainest form and of the type declared. Else nothing is read.
#[inline(always)]
pub(crate) fn read_scalar<'a>(
    cursor: &mut Cursor<'a>,
    declared: Option<VariantType>,
    rules: &Rules,
) -> Option<Leaf<'a>> {
    let mut next = *cursor;
    let leaf = match next.u32().ok()? {
        NIL => Leaf::Nil,
        BOOL => match next.u32().ok()? {
            0 => Leaf::Bool(false),
            1 => Leaf::Bool(true),
            _ => return None,
        },
        INT => Leaf::Int(i64::from(i32::from_le_bytes(next.array().ok()?))),
        FLOAT => Leaf::Float(f64::from(f32::from_le_bytes(next.array().ok()?))),
        WIDE_INT => Leaf::Int(i64::from_le_bytes(next.array().ok()?)),
        WIDE_FLOAT => Leaf::Float(f64::from_le_bytes(next.array().ok()?)),
        STRING | STRING_NAME => return read_plain_text(cursor, declared, rules),
        other => {
            let (ty, lane, bytes) = (*VECTORS.get(usize::try_from(other).ok()?)?)?;
            Leaf::Math(ty, Lanes::new(next.take(bytes).ok()?, lane)?)
        }
    };
    if declared.is_some_and(|declared| declared != leaf.ty()) {
        return None;
    }
    *cursor = next;
    Some(leaf)
}

/// The String or StringName that comes next, if it is of the type declared, plain, and padded with zeros.
#[inline(always)]
pub(crate) fn read_plain_text<'a>(
    cursor: &mut Cursor<'a>,
    declared: Option<VariantType>,
    rules: &Rules,
) -> Option<Leaf<'a>> {
    let mut next = *cursor;
    let ty = match next.u32().ok()? {
        STRING => VariantType::String,
        STRING_NAME => VariantType::StringName,
        _ => return None,
    };
    let length = u64::from(next.u32().ok()?);
    if length > rules.limits.max_string_bytes || declared.is_some_and(|declared| declared != ty) {
        return None;
    }
    let body = next.take(length).ok()?;
    let pad = next.take(padding(length)).ok()?;
    let text = Text::plain(body)?;
    if pad.iter().any(|byte| *byte != 0) {
        return None;
    }
    *cursor = next;
    Some(Leaf::Text(ty, text))
}

/// The types that are read here, as bits.
const PLAIN: u64 = {
    let mut bits = 0b1111 | 1 << STRING | 1 << STRING_NAME;
    let mut rest: &[VariantType] = VariantType::ALL;
    while let [ty, tail @ ..] = rest {
        if vector(*ty).is_some() {
            bits |= 1 << ty.id();
        }
        rest = tail;
    }
    bits
};

/// By type id: type, lane and bytes of the vectors that cost nothing of their own.
static VECTORS: [Option<(VariantType, Lane, u64)>; VariantType::ALL.len()] = {
    let mut vectors = [None; VariantType::ALL.len()];
    let mut slots: &mut [_] = &mut vectors;
    let mut types: &[VariantType] = VariantType::ALL;
    while let ([slot, slots_tail @ ..], [ty, types_tail @ ..]) = (slots, types) {
        *slot = vector(*ty);
        (slots, types) = (slots_tail, types_tail);
    }
    vectors
};

const fn vector(ty: VariantType) -> Option<(VariantType, Lane, u64)> {
    if heap::COSTLY.contains(ty) {
        return None;
    }
    match ty.layout() {
        Layout::Math(Lane::I32, count) => Some((ty, Lane::I32, bytes(count))),
        Layout::Math(Lane::Real | Lane::F32, count) => Some((ty, Lane::F32, bytes(count))),
        _ => None,
    }
}

/// Of so many lanes of four bytes.
const fn bytes(count: u8) -> u64 {
    u64::from_le_bytes([count, 0, 0, 0, 0, 0, 0, 0]) << 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::{Token, read};

    /// What is read here is what the plain twin reads, to the byte; and everything plain is read here.
    #[test]
    fn it_is_what_the_plain_twin_reads() {
        let rules = Rules::default();
        assert!(are_plain(&rules));
        let mut found = 0;
        for word in (0_u32..64).chain((0..64).map(|id| id | WIDE)).chain([0x100, 0x8000_0002, 0x2_0002]) {
            for second in [0, 1, 2, 3, 4, 9, 0x3F80_0000, u32::MAX] {
                let words = [
                    word,
                    second,
                    0x61,
                    0x6261,
                    0,
                    0x6463_6261,
                    11,
                    12,
                    13,
                    14,
                    15,
                    16,
                    17,
                    18,
                    19,
                    20,
                    21,
                    22,
                ];
                let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
                for length in [0, 3, 4, 7, 8, 12, bytes.len()] {
                    let mut cursor = Cursor::new(&bytes[..length]);
                    let Some(leaf) = read_scalar(&mut cursor, None, &rules) else {
                        assert_eq!(cursor.at(), 0, "nothing is read");
                        continue;
                    };
                    let mut plain = Cursor::new(&bytes[..length]);
                    // As text, since NaN is not equal to itself.
                    let twin = format!("{:?}", read(&mut plain, &rules));
                    assert_eq!(twin, format!("{:?}", Ok::<_, ()>(Token::Leaf(leaf))), "{word:#x}");
                    assert_eq!(cursor.at(), plain.at());
                    assert!(PLAIN & 1 << leaf.ty().id() != 0 && !heap::COSTLY.contains(leaf.ty()));
                    let other = Some(VariantType::Rid);
                    assert_eq!(
                        read_scalar(&mut Cursor::new(&bytes), other, &rules),
                        None,
                        "not what is declared"
                    );
                    found |= 1u64 << leaf.ty().id();
                }
            }
        }
        assert_eq!(found, PLAIN, "every plain type");
        assert_eq!(PLAIN.count_ones(), 4 + 2 + 10);
    }
}
