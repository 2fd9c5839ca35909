//! Decodes texts of about a line, 32 bytes at a time: they are counted first and then written exactly. The
//! fallback is [`scalar`](super::scalar).

use std::arch::x86_64::*;

use super::super::pairs::LANES;
use super::avx2::{STEP, begins, codes};

/// The lengths of texts in bytes: the last step of the shortest has two bytes before it.
pub(super) const LENGTHS: std::ops::RangeInclusive<usize> = STEP + 2..=256;

/// Asks for room for the characters of a text of [`LENGTHS`] and one more, and writes them and a NUL. Returns
/// `None` for a text with characters of four bytes, and `Some(None)` where there is no room.
///
/// # Safety
/// The processor has AVX2 and POPCNT. `room` returns as much room as it is asked for.
#[target_feature(enable = "avx2,popcnt")]
pub(super) unsafe fn characters(
    text: &str,
    room: impl FnOnce(usize) -> Option<*mut u32>,
) -> Option<Option<()>> {
    let (from, last) = (text.as_ptr(), text.len() - STEP);
    // SAFETY: the last step begins at `last`, behind at least two bytes, and every other one before it.
    // `room` returns enough.
    unsafe {
        let load = |at: usize| _mm256_loadu_si256(from.add(at).cast());
        let (mut at, mut most, mut count) = (0, load(last), 0);
        while at < last {
            let bytes = load(at);
            most = _mm256_max_epu8(most, bytes);
            count += begins(bytes).count_ones() as usize;
            at += STEP;
        }
        // The last step contains bytes again that the one before had.
        let new = u32::MAX << (at - last);
        count += (begins(load(last)) & new).count_ones() as usize;
        let four = _mm256_subs_epu8(most, _mm256_set1_epi8(0xEF_u8.cast_signed()));
        if _mm256_testz_si256(four, four) == 0 {
            return None;
        }
        let Some(to) = room(count) else { return Some(None) };
        let first = load(0);
        let before = _mm256_permute2x128_si256::<0x08>(first, first);
        let (second, third) =
            (_mm256_alignr_epi8::<15>(first, before), _mm256_alignr_epi8::<14>(first, before));
        let mut made = exactly(codes(first, second, third), begins(load(1)), to, 0, count);
        for at in (STEP..last).step_by(STEP) {
            let codes = codes(load(at), load(at - 1), load(at - 2));
            made = exactly(codes, begins(load(at + 1)), to, made, count);
        }
        let ends = begins(load(last)) >> 1 | 1 << (STEP - 1);
        exactly(codes(load(last), load(last - 1), load(last - 2)), ends & new, to, made, count);
        to.add(count).write(0);
    }
    Some(Some(()))
}

/// Writes the characters that end in a step, behind the `made` characters; returns how many there are then.
///
/// # Safety
/// There is room for `count` characters in all and a NUL.
#[target_feature(enable = "avx2,popcnt")]
#[inline]
unsafe fn exactly(eights: [__m128i; 4], ends: u32, to: *mut u32, made: usize, count: usize) -> usize {
    let mut made = made;
    for (at, eight) in eights.into_iter().enumerate() {
        let kept = ends >> (at * 8) & 0xFF;
        // SAFETY: the table has rows of 16 bytes. Lanes that are written behind the kept characters are
        // overwritten later, or lie in the place of the NUL.
        unsafe {
            let order = _mm_loadu_si128(LANES[kept as usize].as_ptr().cast());
            let characters = _mm256_cvtepu16_epi32(_mm_shuffle_epi8(eight, order));
            if made + 7 <= count {
                _mm256_storeu_si256(to.add(made).cast(), characters);
            } else {
                four(_mm256_castsi256_si128(characters), to, made, count);
                four(_mm256_extracti128_si256::<1>(characters), to, made + 4, count);
            }
        }
        made += kept.count_ones() as usize;
    }
    made
}

/// Writes those of four characters for which there is room.
///
/// # Safety
/// The caller's promise is that of [`exactly`].
#[inline(always)]
unsafe fn four(characters: __m128i, to: *mut u32, made: usize, count: usize) {
    // SAFETY: SSE2 is part of this processor; the NUL's place is behind the last character.
    unsafe {
        if made + 3 <= count {
            _mm_storeu_si128(to.add(made).cast(), characters);
        } else if made < count {
            _mm_storel_epi64(to.add(made).cast(), characters);
        }
    }
}
