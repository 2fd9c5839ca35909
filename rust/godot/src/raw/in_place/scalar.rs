//! Makes nulls, bools, numbers and short vectors of their bytes straight in a slot. The fallback is `leaf` of
//! the sink that asks for it. It refuses nothing: the walker reads with care what it does not take.

use variant_core::{Trick, VariantType};

use super::super::layout::{PAYLOAD, read, word_at};
use super::bits::{BOOL, FLOAT, INT, NIL, PLAIN, REAL_FLAG, WIDE_FLAG, WRITTEN, id};
use super::slot::{STRIDE, set, tag};

/// The bytes that are read of a value, whatever it is: a header and the largest payload within a Variant.
const RECORD: usize = 4 + STRIDE - PAYLOAD;
/// In the Variant, but not free of charge: `wire/heap.rs`.
const QUATERNION: u32 = id(VariantType::Quaternion);
const RID: u32 = id(VariantType::Rid);

/// Writes the scalar that the bytes begin with, if it is one of the declared type, any where that is `NIL`. Returns how
/// many bytes it has.
///
/// # Safety
/// A Variant that owns nothing and that nobody else uses lies at `slot`.
#[inline(always)]
pub(super) unsafe fn take(bytes: &[u8], slot: *mut u8, declared: u32) -> Option<usize> {
    let Some(record) = bytes.first_chunk::<RECORD>() else {
        // SAFETY: the caller's promise.
        return unsafe { last(bytes, slot, declared) };
    };
    let header = u32::from_le_bytes([record[0], record[1], record[2], record[3]]);
    let ty = header & !WIDE_FLAG;
    if declared != NIL && ty != declared {
        return None;
    }
    // SAFETY: the caller's promise; the record is that long.
    unsafe {
        let narrow = read::<i32>(record.as_ptr().add(4));
        let wide = read::<i64>(record.as_ptr().add(4));
        let is_wide = ty != header;
        let used = 8 + 4 * usize::from(is_wide);
        if ty == INT {
            set(slot, INT, if is_wide { wide } else { i64::from(narrow) }.cast_unsigned());
            return Some(used);
        }
        if ty == FLOAT {
            let single = f64::from(f32::from_bits(narrow.cast_unsigned())).to_bits();
            set(slot, FLOAT, if is_wide { wide.cast_unsigned() } else { single });
            return Some(used);
        }
        other(record, header, slot)
    }
}

/// Writes the numbers of a vector, color or rotation that the bytes begin with over those of one. Returns how many bytes they
/// have. The fallback is [`take`], or what makes any value.
///
/// # Safety
/// A living Variant that nobody else uses lies at `slot`.
#[inline]
pub(super) unsafe fn renew(bytes: &[u8], slot: *mut u8) -> Option<usize> {
    let record = bytes.first_chunk::<RECORD>()?;
    // SAFETY: the caller's promise; these types lie in the Variant and own nothing, and no payload is longer than the record.
    unsafe {
        let (header, tag) = (read::<u32>(record.as_ptr()), word_at(slot));
        let plain = WRITTEN.get(tag as usize).filter(|plain| plain.bytes > 0 && !plain.is_behind)?;
        (header == tag | plain.flag).then(|| {
            std::ptr::copy_nonoverlapping(record.as_ptr().add(4), slot.add(PAYLOAD), STRIDE - PAYLOAD);
            4 + plain.bytes
        })
    }
}

/// Writes the scalars that the bytes begin with into the elements of a new array, at most so many. Returns how many bytes
/// they have, and how many they are. The fallback is [`take`], once for each.
///
/// # Safety
/// As many Variants as `most` lie from `slot` on, which nobody else uses and nobody has written to: nil, or the default of
/// the declared type, where that is a scalar, so that they own nothing.
#[inline(never)]
#[expect(clippy::too_many_lines, reason = "one loop: cut up, it takes twice the time")]
pub(super) unsafe fn run(bytes: &[u8], slot: *mut u8, declared: u32, most: u32) -> (usize, u32) {
    let most = if Trick::DecodedRuns.is_off() { 0 } else { most };
    let (mut at, mut slot, mut count) = (0, slot, 0);
    // SAFETY: the caller's promise; a record begins before `end` only, so that it is as long as what is read of it.
    unsafe {
        let end = (bytes.len() + 1).saturating_sub(RECORD);
        while count < most && at < end {
            let record = bytes.as_ptr().add(at);
            let header = read::<u32>(record);
            let ty = header & !WIDE_FLAG;
            if declared != NIL && ty != declared {
                break;
            }
            let is_wide = ty != header;
            if ty == INT {
                let narrow = i64::from(read::<i32>(record.add(4)));
                let number = if is_wide { read::<i64>(record.add(4)) } else { narrow };
                set(slot, INT, number.cast_unsigned());
                at += 8 + 4 * usize::from(is_wide);
                (slot, count) = (slot.wrapping_add(STRIDE), count + 1);
                continue;
            }
            if ty == FLOAT {
                let narrow = f64::from(f32::from_bits(read::<u32>(record.add(4)))).to_bits();
                set(slot, FLOAT, if is_wide { read::<u64>(record.add(4)) } else { narrow });
                at += 8 + 4 * usize::from(is_wide);
                (slot, count) = (slot.wrapping_add(STRIDE), count + 1);
                continue;
            }
            let Some(step) = vector(header) else {
                let Some(used) = other(&*record.cast(), header, slot) else { break };
                at += used;
                (slot, count) = (slot.wrapping_add(STRIDE), count + 1);
                continue;
            };
            // As long as the same type comes.
            while count < most && at < end && read::<u32>(bytes.as_ptr().add(at)) == header {
                let payload = bytes.as_ptr().add(at + 4);
                std::ptr::copy_nonoverlapping(payload, slot.add(PAYLOAD), STRIDE - PAYLOAD);
                tag(slot, header & !REAL_FLAG);
                at += step;
                (slot, count) = (slot.wrapping_add(STRIDE), count + 1);
            }
        }
        if at >= end {
            while count < most
                && let Some(used) = last(&bytes[at..], slot, declared)
            {
                at += used;
                (slot, count) = (slot.wrapping_add(STRIDE), count + 1);
            }
        }
    }
    (at, count)
}

/// Takes a scalar, as [`take`] does, where a record could be longer than what is left.
///
/// # Safety
/// It needs what [`take`] needs.
#[inline(never)]
unsafe fn last(bytes: &[u8], slot: *mut u8, declared: u32) -> Option<usize> {
    let (header, payload) = bytes.split_first_chunk()?;
    let header = u32::from_le_bytes(*header);
    let ty = header & !WIDE_FLAG;
    let is_wide = ty != header;
    if declared != NIL && ty != declared {
        return None;
    }
    // SAFETY: the caller's promise; nothing is read that is not there.
    unsafe {
        let (ty, word) = match header {
            NIL => {
                set(slot, NIL, 0);
                return Some(4);
            }
            BOOL => (BOOL, u64::from(u32::from_le_bytes(*payload.first_chunk()?))),
            _ if ty == INT && is_wide => (INT, u64::from_le_bytes(*payload.first_chunk()?)),
            _ if ty == FLOAT && is_wide => (FLOAT, u64::from_le_bytes(*payload.first_chunk()?)),
            INT => (INT, i64::from(i32::from_le_bytes(*payload.first_chunk()?)).cast_unsigned()),
            FLOAT => (FLOAT, f64::from(f32::from_le_bytes(*payload.first_chunk()?)).to_bits()),
            _ => {
                let used = vector(header)?;
                let payload = payload.get(..used - 4)?;
                std::ptr::copy_nonoverlapping(payload.as_ptr(), slot.add(PAYLOAD), payload.len());
                tag(slot, header & !REAL_FLAG);
                return Some(used);
            }
        };
        if ty == BOOL && word > 1 {
            return None;
        }
        set(slot, ty, word);
        Some(8 + 4 * usize::from(is_wide))
    }
}

/// Returns the bytes of a vector that is free of charge, with its header: one as wide as this build has it.
#[inline(always)]
pub(super) fn vector(header: u32) -> Option<usize> {
    let ty = header & !REAL_FLAG;
    let plain = PLAIN.get(ty as usize)?;
    let is_free = plain.bytes > 0 && !plain.is_behind && plain.flag == header & REAL_FLAG;
    (is_free && ty != QUATERNION && ty != RID).then_some(4 + plain.bytes)
}

/// # Safety
/// It needs what [`take`] needs.
#[inline(always)]
unsafe fn other(record: &[u8; RECORD], header: u32, slot: *mut u8) -> Option<usize> {
    // SAFETY: the caller's promise; a payload within a Variant is no larger than the record.
    unsafe {
        if let Some(used) = vector(header) {
            std::ptr::copy_nonoverlapping(record.as_ptr().add(4), slot.add(PAYLOAD), STRIDE - PAYLOAD);
            tag(slot, header & !REAL_FLAG);
            return Some(used);
        }
        match header {
            NIL => {
                set(slot, NIL, 0);
                Some(4)
            }
            BOOL => {
                let value = read::<u32>(record.as_ptr().add(4));
                if value > 1 {
                    return None;
                }
                set(slot, BOOL, value.into());
                Some(8)
            }
            _ => None,
        }
    }
}
