//! Characters to UTF-8, four of any kind at a time. The plain twin is [`scalar`](super::scalar).

use std::arch::x86_64::*;

/// Brings the two low bits of each byte of a word, by multiplication, together in its upper byte.
pub(super) const GATHER: u32 = 1 << 24 | 1 << 18 | 1 << 12 | 1 << 6;

/// For the lengths of four characters, two bits each: which bytes of four words make the text.
pub(super) static SHUFFLES: [[u8; 16]; 256] = shuffles();

const fn shuffles() -> [[u8; 16]; 256] {
    let mut table = [[0x80; 16]; 256];
    let mut lengths = 0;
    while lengths < 256 {
        let (mut character, mut used) = (0, 0);
        while character < 4 {
            let length = (lengths >> (2 * character) & 3) + 1;
            let mut byte = 0;
            while byte < length {
                table[lengths][used] = (character * 4 + byte) as u8;
                used += 1;
                byte += 1;
            }
            character += 1;
        }
        lengths += 1;
    }
    table
}

/// # Safety
/// As the kernel's; the processor has SSSE3.
#[target_feature(enable = "ssse3")]
pub(super) unsafe fn utf8(from: *const u32, count: usize, to: *mut u8) -> Option<usize> {
    let (mut at, mut used) = (0, 0);
    // SAFETY: never more characters than the caller's; every step writes 16 bytes from where at most four
    // bytes for each character before it end, and the caller has room for 16 more.
    unsafe {
        while at + 16 <= count {
            if ascii16(from.add(at), to.add(used)) {
                at += 16;
                used += 16;
                continue;
            }
            used += any16(from.add(at), to.add(used))?;
            at += 16;
        }
        while at + 4 <= count {
            let four = _mm_loadu_si128(from.add(at).cast());
            used += if ascii4(four, to.add(used)) { 4 } else { any4(four, to.add(used))? };
            at += 4;
        }
        super::scalar(from.add(at), count - at, to.add(used)).map(|rest| used + rest)
    }
}

/// Writes 16 characters of any kind; gives the bytes they take.
///
/// # Safety
/// 16 characters and room for four bytes each.
#[target_feature(enable = "ssse3")]
#[inline]
unsafe fn any16(from: *const u32, to: *mut u8) -> Option<usize> {
    let mut used = 0;
    for at in [0, 4, 8, 12] {
        // SAFETY: the caller's promise; four characters take at most 16 bytes.
        unsafe { used += any4(_mm_loadu_si128(from.add(at).cast()), to.add(used))? };
    }
    Some(used)
}

/// Writes 16 characters if all of them are ASCII, and none NUL.
///
/// # Safety
/// 16 characters and room for 16 bytes.
#[target_feature(enable = "ssse3")]
unsafe fn ascii16(from: *const u32, to: *mut u8) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let load = |n: usize| _mm_loadu_si128(from.add(4 * n).cast());
        let (a, b, c, d) = (load(0), load(1), load(2), load(3));
        let all = _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d));
        let high = _mm_and_si128(all, _mm_set1_epi32(!0x7F));
        let bytes = _mm_packus_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
        let zero = _mm_setzero_si128();
        let is_plain = _mm_movemask_epi8(_mm_cmpeq_epi8(high, zero)) == 0xFFFF
            && _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, zero)) == 0;
        if is_plain {
            _mm_storeu_si128(to.cast(), bytes);
        }
        is_plain
    }
}

/// Writes four characters if all of them are ASCII, and none NUL.
///
/// # Safety
/// Room for four bytes.
#[target_feature(enable = "ssse3")]
#[inline]
unsafe fn ascii4(c: __m128i, to: *mut u8) -> bool {
    let less_one = _mm_sub_epi32(c, _mm_set1_epi32(1));
    let high = _mm_and_si128(_mm_or_si128(c, less_one), _mm_set1_epi32(!0x7F));
    if _mm_movemask_epi8(_mm_cmpeq_epi8(high, _mm_setzero_si128())) != 0xFFFF {
        return false;
    }
    let packed = _mm_packs_epi32(c, c);
    // SAFETY: the caller's promise.
    unsafe { to.cast::<i32>().write_unaligned(_mm_cvtsi128_si32(_mm_packus_epi16(packed, packed))) };
    true
}

/// Writes four characters of any kind; gives the bytes they take.
///
/// # Safety
/// Room for 16 bytes.
#[target_feature(enable = "ssse3")]
unsafe fn any4(c: __m128i, to: *mut u8) -> Option<usize> {
    let low6 = _mm_set1_epi32(0x3F);
    let more = _mm_set1_epi32(0x80);
    let part = |bits: __m128i| _mm_or_si128(_mm_and_si128(bits, low6), more);
    let (by6, by12, by18) = (_mm_srli_epi32(c, 6), _mm_srli_epi32(c, 12), _mm_srli_epi32(c, 18));
    let last = part(c);
    let two = _mm_or_si128(_mm_or_si128(by6, _mm_set1_epi32(0xC0)), _mm_slli_epi32(last, 8));
    let three = _mm_or_si128(
        _mm_or_si128(by12, _mm_set1_epi32(0xE0)),
        _mm_or_si128(_mm_slli_epi32(part(by6), 8), _mm_slli_epi32(last, 16)),
    );
    let four = _mm_or_si128(
        _mm_or_si128(_mm_or_si128(by18, _mm_set1_epi32(0xF0)), _mm_slli_epi32(part(by12), 8)),
        _mm_or_si128(_mm_slli_epi32(part(by6), 16), _mm_slli_epi32(last, 24)),
    );
    let above = |bound: i32| _mm_cmpgt_epi32(c, _mm_set1_epi32(bound));
    let (over1, over2, over3) = (above(0x7F), above(0x7FF), above(0xFFFF));
    let choose = |mask: __m128i, yes: __m128i, no: __m128i| {
        _mm_or_si128(_mm_and_si128(mask, yes), _mm_andnot_si128(mask, no))
    };
    let words = choose(over3, four, choose(over2, three, choose(over1, two, c)));
    // Not a scalar value: 0 or negative, a surrogate, too large.
    let surrogate = _mm_cmpeq_epi32(_mm_srli_epi32(c, 11), _mm_set1_epi32(0xD800 >> 11));
    let small = _mm_cmplt_epi32(c, _mm_set1_epi32(1));
    let bad = _mm_or_si128(_mm_or_si128(surrogate, small), above(0x0010_FFFF));
    if _mm_movemask_epi8(bad) != 0 {
        return None;
    }
    // Lengths less one, two bits a character.
    let lengths = _mm_sub_epi32(_mm_setzero_si128(), _mm_add_epi32(_mm_add_epi32(over1, over2), over3));
    let packed = _mm_packs_epi32(lengths, lengths);
    let lengths = _mm_cvtsi128_si64(_mm_packus_epi16(packed, packed)) as u32;
    let index = (lengths.wrapping_mul(GATHER) >> 24) as usize;
    let total = 4 + (lengths.wrapping_mul(0x0101_0101) >> 24) as usize;
    // SAFETY: the table's rows have 16 bytes; the caller's promise.
    unsafe {
        let shuffle = _mm_loadu_si128(SHUFFLES[index].as_ptr().cast());
        _mm_storeu_si128(to.cast(), _mm_shuffle_epi8(words, shuffle));
    }
    Some(total)
}
