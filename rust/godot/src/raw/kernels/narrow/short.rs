//! Short ASCII texts in one go: keys, names, labels. The plain twin is [`scalar`](super::scalar).

use std::arch::x86_64::*;

/// Writes 4 to 16 characters if all of them are ASCII, and none NUL. The first and the last ones are taken as many at
/// a time as fit, so that those in the middle are written twice and no length is different from another.
///
/// # Safety
/// So many characters, room for as many bytes.
#[inline(always)]
pub(super) unsafe fn ascii(from: *const u32, count: usize, to: *mut u8) -> bool {
    // SAFETY: SSE2 is part of this processor; every load and store lies within the caller's characters and bytes.
    unsafe {
        let load = |at: usize| _mm_loadu_si128(from.add(at).cast());
        let zero = _mm_setzero_si128();
        let is_plain = |all: __m128i, bytes: __m128i| {
            let high = _mm_cmpeq_epi8(_mm_and_si128(all, _mm_set1_epi32(!0x7F)), zero);
            let nul = _mm_cmpeq_epi8(bytes, zero);
            _mm_movemask_epi8(_mm_andnot_si128(nul, high)) == 0xFFFF
        };
        if count < 8 {
            let (a, b) = (load(0), load(count - 4));
            let words = _mm_packs_epi32(a, b);
            let bytes = _mm_packus_epi16(words, words);
            if !is_plain(_mm_or_si128(a, b), bytes) {
                return false;
            }
            let both = _mm_cvtsi128_si64(bytes);
            to.cast::<u32>().write_unaligned(both as u32);
            to.add(count - 4).cast::<u32>().write_unaligned((both >> 32) as u32);
            return true;
        }
        let (a, b, c, d) = (load(0), load(4), load(count - 8), load(count - 4));
        let bytes = _mm_packus_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
        if !is_plain(_mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d)), bytes) {
            return false;
        }
        _mm_storel_epi64(to.cast(), bytes);
        _mm_storel_epi64(to.add(count - 8).cast(), _mm_unpackhi_epi64(bytes, bytes));
        true
    }
}
