//! Characters to UTF-8, 32 at a time where they are of one byte or two, else 16 of any kind. The plain twin is
//! [`scalar`](super::scalar).
//!
//! Each character is spread over its lane with zeros where it has no byte; then the bytes that are not zero are moved
//! together by one instruction, whatever they belong to.

use std::arch::x86_64::*;

/// Characters of a register, and of the two that a step has.
const HALF: usize = 16;
const STEP: usize = 32;

/// # Safety
/// As the kernel's; the processor has what [`has_avx512`](super::super::processor::has_avx512) asks for.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) unsafe fn utf8(from: *const u32, count: usize, to: *mut u8) -> Option<usize> {
    let (mut at, mut used) = (0, 0);
    // SAFETY: never more characters than the caller's. Each step writes within four bytes for each of its characters from
    // where the text ends, for which the caller has room; the last one no more than its text.
    unsafe {
        while at + STEP <= count {
            let (start, target) = (from.add(at), to.add(used));
            let low = _mm512_loadu_epi32(start.cast());
            let high = _mm512_loadu_epi32(start.add(HALF).cast());
            let all = _mm512_or_si512(low, high);
            used += if _mm512_test_epi32_mask(all, _mm512_set1_epi32(!0x7FF)) == 0 {
                let words = packed(low, high);
                match _mm512_test_epi32_mask(all, _mm512_set1_epi32(!0x7F)) {
                    0 => ascii32(words, target)?,
                    _ => upto_two32(words, target)?,
                }
            } else {
                let bytes = any16(low, target)?;
                bytes + any16(high, target.add(bytes))?
            };
            at += STEP;
        }
        while at < count {
            let left = (count - at).min(HALF);
            used += rest(from.add(at), left, to.add(used))?;
            at += left;
        }
    }
    Some(used)
}

/// Writes one to 16 characters, and nothing behind them; gives their bytes.
///
/// # Safety
/// As many characters, room for four bytes each.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
#[inline]
unsafe fn rest(from: *const u32, count: usize, to: *mut u8) -> Option<usize> {
    let there = u16::MAX >> (HALF - count);
    // SAFETY: the caller's promise. No bit of a mask is set for what is not there.
    unsafe {
        // As many characters of one byte as are missing.
        let codes = _mm512_mask_loadu_epi32(_mm512_set1_epi32(1), there, from.cast());
        if _mm512_test_epi32_mask(codes, _mm512_set1_epi32(!0x7F)) == 0 {
            _mm512_mask_cvtepi32_storeu_epi8(to.cast(), there, codes);
            return (_mm512_testn_epi32_mask(codes, codes) == 0).then_some(count);
        }
        let (bytes, length) = spread(codes)?;
        let length = length + count - HALF;
        _mm512_mask_storeu_epi8(to.cast(), u64::MAX >> (64 - length), bytes);
        Some(length)
    }
}

/// 32 characters below 0x8000 as lanes of two bytes.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn packed(low: __m512i, high: __m512i) -> __m512i {
    const ORDER: [u64; 8] = [0, 2, 4, 6, 1, 3, 5, 7];
    // SAFETY: as many bytes.
    let order = unsafe { _mm512_loadu_epi64(ORDER.as_ptr().cast()) };
    _mm512_permutexvar_epi64(order, _mm512_packus_epi32(low, high))
}

/// Writes 32 characters of one byte. `None`: one is NUL.
///
/// # Safety
/// Room for 32 bytes.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
unsafe fn ascii32(words: __m512i, to: *mut u8) -> Option<usize> {
    // SAFETY: the caller's promise.
    unsafe { _mm256_storeu_si256(to.cast(), _mm512_cvtepi16_epi8(words)) };
    (_mm512_testn_epi16_mask(words, words) == 0).then_some(STEP)
}

/// Writes 32 characters below 0x800; gives their bytes. `None`: one is NUL.
///
/// # Safety
/// Room for 64 bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
#[inline]
unsafe fn upto_two32(words: __m512i, to: *mut u8) -> Option<usize> {
    let words_of = |bits: u16| _mm512_set1_epi16(bits.cast_signed());
    let is_two = _mm512_cmpgt_epi16_mask(words, words_of(0x7F));
    let last = _mm512_and_si512(_mm512_slli_epi16::<8>(words), words_of(0x3F00));
    // One of them or the other.
    let two = _mm512_ternarylogic_epi32::<ANY>(_mm512_srli_epi16::<6>(words), last, words_of(0x80C0));
    let lanes = _mm512_mask_mov_epi16(words, is_two, two);
    let kept = _mm512_test_epi8_mask(lanes, lanes);
    // SAFETY: the caller's promise.
    unsafe { _mm512_storeu_epi8(to.cast(), _mm512_maskz_compress_epi8(kept, lanes)) };
    (_mm512_testn_epi16_mask(words, words) == 0).then_some(kept.count_ones() as usize)
}

/// Writes 16 characters of any kind; gives their bytes.
///
/// # Safety
/// Room for 64 bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
#[inline]
unsafe fn any16(codes: __m512i, to: *mut u8) -> Option<usize> {
    let (bytes, length) = spread(codes)?;
    // SAFETY: the caller's promise.
    unsafe { _mm512_storeu_epi8(to.cast(), bytes) };
    Some(length)
}

/// The bytes of 16 characters, and how many those are. `None`: one is no scalar value, or NUL.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
#[inline]
fn spread(codes: __m512i) -> Option<(__m512i, usize)> {
    /// Bits 18, 12, 6, 0 and on of each of two lanes.
    const SIXES: i64 = 0x2026_2C32_0006_0C12;
    let all = |bits: u32| _mm512_set1_epi32(bits.cast_signed());
    let over = |bound: u32| _mm512_cmpgt_epu32_mask(codes, all(bound));
    let surrogate = _mm512_cmpeq_epi32_mask(_mm512_srli_epi32::<11>(codes), all(0xD800 >> 11));
    // What is NUL becomes the greatest.
    let bad = _mm512_cmpge_epu32_mask(_mm512_sub_epi32(codes, all(1)), all(0x10_FFFF));
    if surrogate | bad != 0 {
        return None;
    }
    let (over1, over2, over3) = (over(0x7F), over(0x7FF), over(0xFFFF));
    let marks = _mm512_maskz_mov_epi32(over1, all(0x80C0_0000));
    let marks = _mm512_mask_mov_epi32(marks, over2, all(0x8080_E000));
    let marks = _mm512_mask_mov_epi32(marks, over3, all(0x8080_80F0));
    let sixes = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(SIXES), codes);
    let lanes = _mm512_ternarylogic_epi32::<WITHIN_OR>(sixes, all(0x3F3F_3F3F), marks);
    let lanes = _mm512_mask_mov_epi32(_mm512_slli_epi32::<24>(codes), over1, lanes);
    let kept = _mm512_test_epi8_mask(lanes, lanes);
    Some((_mm512_maskz_compress_epi8(kept, lanes), kept.count_ones() as usize))
}

/// Bits of one, two, or three.
const ANY: i32 = 0b1111_1110;
/// Bits of the first that the second has, and those of the third.
const WITHIN_OR: i32 = 0b1110_1010;
