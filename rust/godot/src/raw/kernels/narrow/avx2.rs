//! Characters to UTF-8, 16 at a time where they are alike. The plain twin is [`scalar`](super::scalar); where they are
//! not alike, and for the rest, the kernel for four.

use std::arch::x86_64::*;

use super::super::pairs::BYTES;
use super::ssse3;

/// # Safety
/// As the kernel's; the processor has AVX2 and POPCNT.
#[target_feature(enable = "avx2,popcnt")]
pub(super) unsafe fn utf8(from: *const u32, count: usize, to: *mut u8) -> Option<usize> {
    let (mut at, mut used) = (0, 0);
    // SAFETY: never more characters than the caller's. Each step writes within four bytes for each of its characters,
    // or at most 16 bytes from where its text ends, which the caller has room for.
    unsafe {
        while at + 16 <= count {
            let (start, target) = (from.add(at), to.add(used));
            let low = _mm256_loadu_si256(start.cast());
            let high = _mm256_loadu_si256(start.add(8).cast());
            let all = _mm256_or_si256(low, high);
            let packed = _mm256_packus_epi32(low, high);
            used += if _mm256_testz_si256(all, _mm256_set1_epi32(!0x7F)) != 0 {
                ascii16(packed, target)?
            } else if _mm256_testz_si256(all, _mm256_set1_epi32(!0x7FF)) != 0 {
                upto_two16(_mm256_permute4x64_epi64::<0b11_01_10_00>(packed), target)?
            } else if are_three(low) && are_three(high) {
                three8(low, target);
                three8(high, target.add(24));
                48
            } else {
                ssse3::any16(start, target)?
            };
            at += 16;
        }
        ssse3::utf8(from.add(at), count - at, to.add(used)).map(|rest| used + rest)
    }
}

/// 16 characters below 0x80, as packing two times eight leaves them: the middle fours are exchanged. Gives their
/// bytes; `None`: one is NUL.
///
/// # Safety
/// Room for 16 bytes.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn ascii16(packed: __m256i, to: *mut u8) -> Option<usize> {
    let bytes = _mm_packus_epi16(_mm256_castsi256_si128(packed), _mm256_extracti128_si256::<1>(packed));
    let nul = _mm_cmpeq_epi8(bytes, _mm_setzero_si128());
    // SAFETY: the caller's promise.
    unsafe { _mm_storeu_si128(to.cast(), _mm_shuffle_epi32::<0b11_01_10_00>(bytes)) };
    (_mm_testz_si128(nul, nul) != 0).then_some(16)
}

/// 16 characters below 0x800 in lanes of two bytes; gives their bytes. `None`: one is NUL.
///
/// # Safety
/// Room for 32 bytes.
#[target_feature(enable = "avx2,popcnt")]
#[inline]
unsafe fn upto_two16(words: __m256i, to: *mut u8) -> Option<usize> {
    let nul = _mm256_cmpeq_epi16(words, _mm256_setzero_si256());
    let first = _mm256_srli_epi16::<6>(words);
    let last = _mm256_slli_epi16::<8>(_mm256_and_si256(words, _mm256_set1_epi16(0x3F)));
    let marks = _mm256_set1_epi16(0x80C0_u16.cast_signed());
    let two = _mm256_or_si256(_mm256_or_si256(first, last), marks);
    let is_one = _mm256_cmpgt_epi16(_mm256_set1_epi16(0x80), words);
    let lanes = _mm256_blendv_epi8(two, words, is_one);
    // One bit a character: halves in order, as each half packs into its own.
    let packed = _mm256_packs_epi16(is_one, is_one);
    let ones = _mm256_movemask_epi8(packed).cast_unsigned();
    let (left, right) = (ones & 0xFF, ones >> 16 & 0xFF);
    let used = 16 - left.count_ones() as usize;
    // SAFETY: rows of 16 bytes; the caller's promise.
    unsafe {
        compact(_mm256_castsi256_si128(lanes), left, to);
        compact(_mm256_extracti128_si256::<1>(lanes), right, to.add(used));
    }
    (_mm256_testz_si256(nul, nul) != 0).then(|| used + 16 - right.count_ones() as usize)
}

/// The bytes of eight characters of one or two bytes.
///
/// # Safety
/// Room for 16 bytes; `ones` is below 256.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn compact(lanes: __m128i, ones: u32, to: *mut u8) {
    // SAFETY: rows of 16 bytes; the caller's promise.
    unsafe {
        let order = _mm_loadu_si128(BYTES[ones as usize].as_ptr().cast());
        _mm_storeu_si128(to.cast(), _mm_shuffle_epi8(lanes, order));
    }
}

/// Whether all are from 0x800 to 0xFFFF, and no surrogates.
#[target_feature(enable = "avx2")]
#[inline]
fn are_three(codes: __m256i) -> bool {
    let high = _mm256_srli_epi32::<11>(codes);
    let small = _mm256_cmpeq_epi32(high, _mm256_setzero_si256());
    let surrogate = _mm256_cmpeq_epi32(high, _mm256_set1_epi32(0xD800 >> 11));
    let bad = _mm256_or_si256(_mm256_or_si256(small, surrogate), _mm256_srli_epi32::<16>(codes));
    _mm256_testz_si256(bad, bad) != 0
}

/// Eight characters of three bytes each.
///
/// # Safety
/// Room for 28 bytes.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn three8(codes: __m256i, to: *mut u8) {
    let first = _mm256_srli_epi32::<12>(codes);
    let middle = _mm256_and_si256(_mm256_slli_epi32::<2>(codes), _mm256_set1_epi32(0x3F00));
    let last = _mm256_and_si256(_mm256_slli_epi32::<16>(codes), _mm256_set1_epi32(0x003F_0000));
    let marks = _mm256_set1_epi32(0x0080_80E0);
    let lanes = _mm256_or_si256(_mm256_or_si256(first, middle), _mm256_or_si256(last, marks));
    let order =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
    let bytes = _mm256_shuffle_epi8(lanes, order);
    // SAFETY: the caller's promise.
    unsafe {
        _mm_storeu_si128(to.cast(), _mm256_castsi256_si128(bytes));
        _mm_storeu_si128(to.add(12).cast(), _mm256_extracti128_si256::<1>(bytes));
    }
}
