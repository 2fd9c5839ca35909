//! Encodes characters as UTF-8 with AVX2: 16 at a time where they have the same length, then eight of any
//! kind.
//!
//! Names in a script with digits and marks take 19 ns, and 25 ns four at a time. The fallback is
//! [`scalar`](super::scalar).

use std::arch::x86_64::*;

use super::super::pairs::BYTES;
use super::super::vector::Wide;
use super::sixteen::{self, GATHER, SHUFFLES};

/// # Safety
/// The caller's promise is that of [`utf8`](super::utf8), and the processor has AVX2 and POPCNT.
#[target_feature(enable = "avx2,popcnt")]
pub(super) unsafe fn utf8(from: *const u32, count: usize, to: *mut u8) -> Option<usize> {
    let (mut at, mut used) = (0, 0);
    // SAFETY: no more characters are read than the caller's. Each step writes at most four bytes for each of
    // its characters, or at most 16 bytes from where its text ends; the last step, whose characters are
    // filled up with some of one byte, writes up to three bytes more. The caller has room for that.
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
                let bytes = any8(low, target)?;
                bytes + any8(high, target.add(bytes))?
            };
            at += 16;
        }
        if at + 8 <= count {
            let codes = _mm256_loadu_si256(from.add(at).cast());
            used += eight(codes, to.add(used))?;
            at += 8;
        }
        let rest = count - at;
        if rest == 0 {
            return Some(used);
        }
        if count < 8 {
            return sixteen::utf8::<Wide>(from, count, to);
        }
        eight(last(from.add(count - 8), rest), to.add(used)).map(|bytes| used + bytes - (8 - rest))
    }
}

/// Loads the last one to seven of eight characters, and fills the register with characters of one byte behind
/// them.
///
/// # Safety
/// `from` points to eight characters; `rest` is from 1 to 7.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn last(from: *const u32, rest: usize) -> __m256i {
    const PLACES: [i32; 15] = [0, 1, 2, 3, 4, 5, 6, 7, -1, -1, -1, -1, -1, -1, -1];
    // SAFETY: the caller's promise; eight words from one of the first eight of the table.
    unsafe {
        let places = _mm256_loadu_si256(PLACES.as_ptr().add(8 - rest).cast());
        let moved = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(from.cast()), places);
        _mm256_blendv_epi8(moved, _mm256_set1_epi32(1), _mm256_srai_epi32::<31>(places))
    }
}

/// Writes eight characters; returns how many bytes they take.
///
/// # Safety
/// `to` has room for 32 bytes.
#[target_feature(enable = "avx2,popcnt")]
#[inline]
unsafe fn eight(c: __m256i, to: *mut u8) -> Option<usize> {
    // SAFETY: the caller's promise.
    unsafe {
        if _mm256_testz_si256(c, _mm256_set1_epi32(!0x7F)) == 0 {
            return any8(c, to);
        }
        let words = _mm_packus_epi32(_mm256_castsi256_si128(c), _mm256_extracti128_si256::<1>(c));
        let bytes = _mm_packus_epi16(words, words);
        _mm_storel_epi64(to.cast(), bytes);
        let nul = _mm_cmpeq_epi8(bytes, _mm_setzero_si128());
        (_mm_testz_si128(nul, nul) != 0).then_some(8)
    }
}

/// Writes eight characters of any kind, as [`sixteen::any4`] writes four; returns how many bytes they take.
///
/// # Safety
/// `to` has room for 32 bytes.
#[target_feature(enable = "avx2,popcnt")]
#[inline]
unsafe fn any8(c: __m256i, to: *mut u8) -> Option<usize> {
    let all = |bits: i32| _mm256_set1_epi32(bits);
    let part = |bits: __m256i| _mm256_or_si256(_mm256_and_si256(bits, all(0x3F)), all(0x80));
    let (by6, by12, by18) =
        (_mm256_srli_epi32::<6>(c), _mm256_srli_epi32::<12>(c), _mm256_srli_epi32::<18>(c));
    let (last, middle, third) = (part(c), part(by6), part(by12));
    let two = _mm256_or_si256(_mm256_or_si256(by6, all(0xC0)), _mm256_slli_epi32::<8>(last));
    let three = _mm256_or_si256(
        _mm256_or_si256(by12, all(0xE0)),
        _mm256_or_si256(_mm256_slli_epi32::<8>(middle), _mm256_slli_epi32::<16>(last)),
    );
    let four = _mm256_or_si256(
        _mm256_or_si256(_mm256_or_si256(by18, all(0xF0)), _mm256_slli_epi32::<8>(third)),
        _mm256_or_si256(_mm256_slli_epi32::<16>(middle), _mm256_slli_epi32::<24>(last)),
    );
    let above = |bound: i32| _mm256_cmpgt_epi32(c, all(bound));
    let (over1, over2, over3) = (above(0x7F), above(0x7FF), above(0xFFFF));
    let words = _mm256_blendv_epi8(c, two, over1);
    let words = _mm256_blendv_epi8(words, three, over2);
    let words = _mm256_blendv_epi8(words, four, over3);
    // A code is no scalar value if it is 0 or negative, a surrogate or too large.
    let surrogate = _mm256_cmpeq_epi32(_mm256_srli_epi32::<11>(c), all(0xD800 >> 11));
    let small = _mm256_cmpgt_epi32(all(1), c);
    let bad = _mm256_or_si256(_mm256_or_si256(surrogate, small), above(0x0010_FFFF));
    if _mm256_testz_si256(bad, bad) == 0 {
        return None;
    }
    // The lengths are stored less one, a byte for each character.
    let lengths =
        _mm256_sub_epi32(_mm256_setzero_si256(), _mm256_add_epi32(_mm256_add_epi32(over1, over2), over3));
    let packed = _mm256_packs_epi32(lengths, lengths);
    let packed = _mm256_packus_epi16(packed, packed);
    let low = _mm256_extract_epi32::<0>(packed).cast_unsigned();
    let high = _mm256_extract_epi32::<4>(packed).cast_unsigned();
    let order = |lengths: u32| SHUFFLES[(lengths.wrapping_mul(GATHER) >> 24) as usize].as_ptr().cast();
    let bytes = |lengths: u32| 4 + (lengths.wrapping_mul(0x0101_0101) >> 24) as usize;
    // SAFETY: the table's rows have 16 bytes; the caller's promise.
    unsafe {
        let first = _mm_shuffle_epi8(_mm256_castsi256_si128(words), _mm_loadu_si128(order(low)));
        let second = _mm_shuffle_epi8(_mm256_extracti128_si256::<1>(words), _mm_loadu_si128(order(high)));
        _mm_storeu_si128(to.cast(), first);
        _mm_storeu_si128(to.add(bytes(low)).cast(), second);
    }
    Some(bytes(low) + bytes(high))
}

/// Writes 16 characters below 0x80 and returns their number of bytes, or `None` if one is NUL. `packed` holds
/// them as packing two times eight leaves them: the middle fours are exchanged.
///
/// # Safety
/// `to` has room for 16 bytes.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn ascii16(packed: __m256i, to: *mut u8) -> Option<usize> {
    let bytes = _mm_packus_epi16(_mm256_castsi256_si128(packed), _mm256_extracti128_si256::<1>(packed));
    let nul = _mm_cmpeq_epi8(bytes, _mm_setzero_si128());
    // SAFETY: the caller's promise.
    unsafe { _mm_storeu_si128(to.cast(), _mm_shuffle_epi32::<0b11_01_10_00>(bytes)) };
    (_mm_testz_si128(nul, nul) != 0).then_some(16)
}

/// Writes 16 characters below 0x800 from lanes of two bytes; returns how many bytes they take, or `None` if
/// one is NUL.
///
/// # Safety
/// `to` has room for 32 bytes.
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
    // There is one bit for each character, in order within each half, because each half packs into its own.
    let packed = _mm256_packs_epi16(is_one, is_one);
    let ones = _mm256_movemask_epi8(packed).cast_unsigned();
    let (left, right) = (ones & 0xFF, ones >> 16 & 0xFF);
    let used = 16 - left.count_ones() as usize;
    // SAFETY: the table's rows have 16 bytes; the caller's promise.
    unsafe {
        compact(_mm256_castsi256_si128(lanes), left, to);
        compact(_mm256_extracti128_si256::<1>(lanes), right, to.add(used));
    }
    (_mm256_testz_si256(nul, nul) != 0).then(|| used + 16 - right.count_ones() as usize)
}

/// Writes the bytes of eight characters of one or two bytes each.
///
/// # Safety
/// `to` has room for 16 bytes; `ones` is below 256.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn compact(lanes: __m128i, ones: u32, to: *mut u8) {
    // SAFETY: the table's rows have 16 bytes; the caller's promise.
    unsafe {
        let order = _mm_loadu_si128(BYTES[ones as usize].as_ptr().cast());
        _mm_storeu_si128(to.cast(), _mm_shuffle_epi8(lanes, order));
    }
}

/// Tells whether all codes are from 0x800 to 0xFFFF and none is a surrogate.
#[target_feature(enable = "avx2")]
#[inline]
fn are_three(codes: __m256i) -> bool {
    let high = _mm256_srli_epi32::<11>(codes);
    let small = _mm256_cmpeq_epi32(high, _mm256_setzero_si256());
    let surrogate = _mm256_cmpeq_epi32(high, _mm256_set1_epi32(0xD800 >> 11));
    let bad = _mm256_or_si256(_mm256_or_si256(small, surrogate), _mm256_srli_epi32::<16>(codes));
    _mm256_testz_si256(bad, bad) != 0
}

/// Writes eight characters of three bytes each.
///
/// # Safety
/// `to` has room for 28 bytes.
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
