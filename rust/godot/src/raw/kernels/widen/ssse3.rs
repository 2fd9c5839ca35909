//! UTF-8 that has been checked to characters, four at a time. The plain twin is [`scalar`](super::scalar).

use std::arch::x86_64::*;

use super::super::quads::{NEXT, ORDERS};
use super::short;

/// Bytes that are marked at once, and from where on four more characters may not be whole in them.
const BLOCK: usize = 64;
pub(super) const LAST: usize = BLOCK - 12;

/// # Safety
/// As the kernel's; the processor has SSSE3 and POPCNT.
#[target_feature(enable = "ssse3,popcnt")]
pub(super) unsafe fn characters(text: &str, to: *mut u32) {
    let bytes = text.as_bytes();
    let (mut at, mut made) = (0, 0);
    // SAFETY: as many bytes are left as each kernel asks for. It writes four characters and they are counted only
    // if all four were of its kind; as 16 bytes are at least four characters, there is room for what is not.
    // `at` stays at the first byte of a character, in text that is valid.
    unsafe {
        while at + BLOCK + 16 <= bytes.len() {
            let from = bytes.as_ptr().add(at);
            let target = to.add(made);
            if three4(from, target.cast()) {
                at += 12;
                made += 4;
            } else {
                let (used, written) = block(from, target, LAST + 1);
                at += used;
                made += written;
            }
        }
        if let Some(over) = (bytes.len() - at).checked_sub(short::LONGEST).filter(|over| *over > 0) {
            let (used, written) = block(bytes.as_ptr().add(at), to.add(made), over);
            at += used;
            made += written;
        }
        short::characters(text.get_unchecked(at..), |_| Some(to.add(made)));
    }
}

/// The characters that begin in the first bytes of a block, whatever their lengths: how many bytes and characters they
/// are. The ends of all of them are marked first, so that no step waits for bytes that the one before has looked at.
///
/// # Safety
/// One byte more than a block, the first of them the first of a character, and 16 bytes from each place below `first`,
/// which is at most behind [`LAST`]; room for every character in them.
#[target_feature(enable = "ssse3")]
#[inline]
pub(super) unsafe fn block(from: *const u8, to: *mut u32, first: usize) -> (usize, usize) {
    // SAFETY: the caller's promise. No step begins beyond `LAST`, and each reads 16 bytes. It writes four
    // characters and counts three where the fourth is not whole: there is one more behind them.
    unsafe {
        let mut ends = 0_u64;
        for part in 0..4 {
            let next = _mm_loadu_si128(from.add(part * 16 + 1).cast());
            let begins = _mm_cmpgt_epi8(next, _mm_set1_epi8(-0x41));
            let mask = u64::from(_mm_movemask_epi8(begins).cast_unsigned());
            ends |= mask << (part * 16);
        }
        let (mut at, mut made) = (0, 0);
        while at < first {
            let next = NEXT[(ends & 0xFFF) as usize];
            let used = usize::from(next.bytes);
            let order = _mm_loadu_si128(ORDERS[usize::from(next.order)].as_ptr().cast());
            let lanes = _mm_shuffle_epi8(_mm_loadu_si128(from.add(at).cast()), order);
            _mm_storeu_si128(to.add(made).cast(), codes(lanes));
            ends >>= used;
            at += used;
            made += usize::from(next.characters);
        }
        (at, made)
    }
}

/// The characters of four lanes, each with its bytes from the last to the first.
#[target_feature(enable = "ssse3")]
#[inline]
pub(super) fn codes(lanes: __m128i) -> __m128i {
    // The third from the end may be the first of three, 1110xxxx: its third bit is not the character's.
    let mark = _mm_srli_epi32::<1>(_mm_and_si128(lanes, _mm_set1_epi32(0x40_0000)));
    let parts = _mm_and_si128(_mm_xor_si128(lanes, mark), _mm_set1_epi32(0x073F_3F7F));
    // Six bits a place: by two bytes, then by two words.
    let words = _mm_maddubs_epi16(parts, _mm_set1_epi16(0x4001));
    _mm_madd_epi16(words, _mm_set1_epi32(0x1000_0001))
}

/// Four characters of three bytes each.
///
/// # Safety
/// 16 bytes, room for four characters.
#[target_feature(enable = "ssse3")]
#[inline]
unsafe fn three4(from: *const u8, to: *mut __m128i) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let order = _mm_setr_epi8(2, 1, 0, -1, 5, 4, 3, -1, 8, 7, 6, -1, 11, 10, 9, -1);
        let lanes = _mm_shuffle_epi8(_mm_loadu_si128(from.cast()), order);
        let marks = _mm_and_si128(lanes, _mm_set1_epi32(0x00F0_C0C0));
        if _mm_movemask_epi8(_mm_cmpeq_epi32(marks, _mm_set1_epi32(0x00E0_8080))) != 0xFFFF {
            return false;
        }
        let last = _mm_and_si128(lanes, _mm_set1_epi32(0x3F));
        let middle = _mm_and_si128(_mm_srli_epi32(lanes, 2), _mm_set1_epi32(0xFC0));
        let first = _mm_and_si128(_mm_srli_epi32(lanes, 4), _mm_set1_epi32(0xF000));
        _mm_storeu_si128(to, _mm_or_si128(last, _mm_or_si128(middle, first)));
    }
    true
}

/// The character at `from`; gives its bytes.
///
/// # Safety
/// A whole character of valid text, room for it.
#[inline]
pub(super) unsafe fn one(from: *const u8, to: *mut u32) -> usize {
    // SAFETY: the caller's promise: what the first byte announces is there.
    unsafe {
        let byte = |n: usize| u32::from(from.add(n).read());
        let low = |n: usize| byte(n) & 0x3F;
        let (code, length) = match byte(0) {
            first @ 0..0x80 => (first, 1),
            first @ 0x80..0xE0 => ((first & 0x1F) << 6 | low(1), 2),
            first @ 0xE0..0xF0 => ((first & 0x0F) << 12 | low(1) << 6 | low(2), 3),
            first => ((first & 0x07) << 18 | low(1) << 12 | low(2) << 6 | low(3), 4),
        };
        to.write(code);
        length
    }
}
