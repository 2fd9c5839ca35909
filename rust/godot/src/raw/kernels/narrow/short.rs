//! Short ASCII texts in one go: keys, names, labels. The plain twin is [`scalar`](super::scalar).

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// Characters that a text may have here.
pub(in super::super::super) const SHORT: usize = 16;
/// Bytes that may be written, whatever the text's length: the text itself, and zeros.
#[cfg(test)]
pub(super) const ROOM: usize = 24;

/// Writes at most [`SHORT`] characters and four zeros at least, if all of them are ASCII and none NUL. Otherwise
/// what was written is of no use.
///
/// # Safety
/// So many characters, room for 24 bytes.
#[inline(always)]
pub(in super::super::super) unsafe fn ascii(from: *const u32, count: usize, to: *mut u8) -> bool {
    // SAFETY: the caller's promise, which each of these has for fewer characters.
    unsafe {
        match count {
            0 => {
                to.cast::<u64>().write_unaligned(0);
                true
            }
            1..4 => upto3(from, count, to),
            #[cfg(target_arch = "x86_64")]
            4..=8 => upto8(from, count, to),
            #[cfg(target_arch = "x86_64")]
            _ => upto16(from, count, to),
            #[cfg(not(target_arch = "x86_64"))]
            _ => one_by_one(from, count, to),
        }
    }
}

/// The first, the one in the middle, the last: of fewer than three some are the same.
///
/// # Safety
/// One to three characters, room for eight bytes.
#[inline(always)]
unsafe fn upto3(from: *const u32, count: usize, to: *mut u8) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let (first, middle, last) = (from.read(), from.add(count / 2).read(), from.add(count - 1).read());
        let all = first | middle | last;
        let less = first.wrapping_sub(1) | middle.wrapping_sub(1) | last.wrapping_sub(1);
        let bytes = first | middle << (8 * (count / 2)) | last << (8 * (count - 1));
        to.cast::<u64>().write_unaligned(bytes.into());
        (all | less) & !0x7F == 0
    }
}

/// The first four and the last four, of which some may be the same. What packing cannot make a byte of becomes 0xFF, or
/// 0 when it is negative: one look at the bytes is enough.
///
/// # Safety
/// Four to eight characters, room for 16 bytes.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn upto8(from: *const u32, count: usize, to: *mut u8) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // SAFETY: SSE2 is part of this processor; every load lies within the caller's characters.
    unsafe {
        let words = _mm_packs_epi32(four(from), four(from.add(count - 4)));
        let both = _mm_cvtsi128_si64(_mm_packus_epi16(words, words)).cast_unsigned();
        let bytes = u64::from(both as u32) | both >> 32 << (8 * (count - 4));
        to.cast::<u64>().write_unaligned(bytes);
        to.add(8).cast::<u32>().write_unaligned(0);
        (both | both.wrapping_sub(ONES)) & (ONES << 7) == 0
    }
}

/// The first eight and the last eight, likewise.
///
/// # Safety
/// Eight to 16 characters, room for 24 bytes.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn upto16(from: *const u32, count: usize, to: *mut u8) -> bool {
    // SAFETY: SSE2 is part of this processor; every load lies within the caller's characters.
    unsafe {
        let end = from.add(count);
        let (a, b) = (four(from), four(from.add(4)));
        let (c, d) = (four(end.sub(8)), four(end.sub(4)));
        let bytes = _mm_packus_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
        to.add(count).cast::<u64>().write_unaligned(0);
        _mm_storel_epi64(to.cast(), bytes);
        _mm_storel_epi64(to.add(count - 8).cast(), _mm_unpackhi_epi64(bytes, bytes));
        _mm_movemask_epi8(_mm_cmpgt_epi8(bytes, _mm_setzero_si128())) == 0xFFFF
    }
}

/// # Safety
/// Four characters.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn four(from: *const u32) -> __m128i {
    // SAFETY: the caller's promise.
    unsafe { _mm_loadu_si128(from.cast()) }
}

/// # Safety
/// As [`ascii`].
#[cfg(not(target_arch = "x86_64"))]
#[inline]
unsafe fn one_by_one(from: *const u32, count: usize, to: *mut u8) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let mut codes = 0;
        for at in 0..count {
            let code = from.add(at).read();
            codes |= code | code.wrapping_sub(1);
            to.add(at).write(code as u8);
        }
        to.add(count).cast::<u64>().write_unaligned(0);
        codes & !0x7F == 0
    }
}
