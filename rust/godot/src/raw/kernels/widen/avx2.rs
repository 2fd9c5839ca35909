//! Decodes UTF-8 that has been checked, with AVX2, 16 bytes at a time. The fallback is
//! [`scalar`](super::scalar).
//!
//! Characters of four bytes and the end of a text are left to the kernel that takes four characters.

use std::arch::x86_64::*;

use super::super::pairs::LANES;
use super::super::vector::Wide;
use super::sixteen;

/// The number of bytes after which the kind of text is tested again.
const BLOCK: usize = 64;
/// The number of bytes of a register.
const STEP: usize = 32;
/// The number of bytes that have to follow a block: they are at least eight characters, so that there is room
/// for lanes that are written and not counted.
const BEHIND: usize = 32;

/// # Safety
/// The caller's promise is that of [`characters`](super::characters), the processor has AVX2 and POPCNT, and
/// the text is not empty.
#[target_feature(enable = "avx2,popcnt")]
pub(super) unsafe fn characters(text: &str, to: *mut u32) {
    let bytes = text.as_bytes();
    let (mut at, mut made) = (0, 0);
    // SAFETY: a kernel runs only where a block and `BEHIND` more bytes are left; the kernels that read before
    // `at` have two bytes there. `at` is the first byte of a character in valid text, or it follows a block
    // of characters of up to three bytes, whose last character is not decoded yet if it goes on.
    unsafe {
        while at < 2 && at + BLOCK + BEHIND <= bytes.len() {
            at += one(bytes.as_ptr().add(at), to.add(made));
            made += 1;
        }
        while at + BLOCK + BEHIND <= bytes.len() {
            let (from, target) = (bytes.as_ptr().add(at), to.add(made));
            let (used, written) = if three8(from, target) {
                (24, 8)
            } else {
                match kind(from) {
                    Kind::Ascii => ascii(from, target),
                    Kind::Upto3 => upto_three(from, target),
                    Kind::Upto4 => {
                        let begun = begun(from);
                        let (used, written) =
                            sixteen::block::<Wide>(from.sub(begun), target, sixteen::LAST + 1);
                        (used - begun, written)
                    }
                }
            };
            at += used;
            made += written;
        }
        at -= begun(bytes.as_ptr().add(at));
        sixteen::characters::<Wide>(text.get_unchecked(at..), to.add(made));
    }
}

/// Says how many bytes the characters of the next block have at most.
enum Kind {
    Ascii,
    Upto3,
    Upto4,
}

/// # Safety
/// `from` points to a block.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn kind(from: *const u8) -> Kind {
    // SAFETY: the caller's promise.
    unsafe {
        let first = _mm256_loadu_si256(from.cast());
        let second = _mm256_loadu_si256(from.add(32).cast());
        if _mm256_movemask_epi8(_mm256_or_si256(first, second)) == 0 {
            return Kind::Ascii;
        }
        let most = _mm256_max_epu8(first, second);
        let four = _mm256_subs_epu8(most, _mm256_set1_epi8(0xEF_u8.cast_signed()));
        if _mm256_testz_si256(four, four) == 0 { Kind::Upto4 } else { Kind::Upto3 }
    }
}

/// # Safety
/// `from` points to a block of ASCII, `to` to room for as many characters.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn ascii(from: *const u8, to: *mut u32) -> (usize, usize) {
    for at in (0..BLOCK).step_by(8) {
        // SAFETY: the caller's promise.
        unsafe {
            let eight = _mm_loadl_epi64(from.add(at).cast());
            _mm256_storeu_si256(to.add(at).cast(), _mm256_cvtepu8_epi32(eight));
        }
    }
    (BLOCK, BLOCK)
}

/// Decodes eight characters of three bytes each; returns false if the bytes are something else.
///
/// # Safety
/// `from` points to 28 bytes, `to` to room for eight characters.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn three8(from: *const u8, to: *mut u32) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let order = _mm_setr_epi8(2, 1, 0, -1, 5, 4, 3, -1, 8, 7, 6, -1, 11, 10, 9, -1);
        let halves = _mm256_inserti128_si256::<1>(
            _mm256_castsi128_si256(_mm_loadu_si128(from.cast())),
            _mm_loadu_si128(from.add(12).cast()),
        );
        let lanes = _mm256_shuffle_epi8(halves, _mm256_broadcastsi128_si256(order));
        let marks = _mm256_and_si256(lanes, _mm256_set1_epi32(0x00F0_C0C0));
        let other = _mm256_xor_si256(marks, _mm256_set1_epi32(0x00E0_8080));
        if _mm256_testz_si256(other, other) == 0 {
            return false;
        }
        let last = _mm256_and_si256(lanes, _mm256_set1_epi32(0x3F));
        let middle = _mm256_and_si256(_mm256_srli_epi32::<2>(lanes), _mm256_set1_epi32(0xFC0));
        let first = _mm256_and_si256(_mm256_srli_epi32::<4>(lanes), _mm256_set1_epi32(0xF000));
        _mm256_storeu_si256(to.cast(), _mm256_or_si256(last, _mm256_or_si256(middle, first)));
    }
    true
}

/// Decodes the characters that end in a block, of up to three bytes each; returns how many bytes and
/// characters they are.
///
/// Each byte is decoded as if it were the last one of a character, together with the two before it; then only
/// the real last bytes are kept. So no step waits for the length of the one before, and the next block begins
/// right behind this one, even inside a character.
///
/// # Safety
/// There are a block and one byte behind it, and two bytes before it. No character has four bytes. There is
/// room for its characters and eight more.
#[target_feature(enable = "avx2,popcnt")]
#[inline]
unsafe fn upto_three(from: *const u8, to: *mut u32) -> (usize, usize) {
    let mut made = 0;
    // SAFETY: the caller's promise: as many bytes; eight characters are written from where the last one was.
    unsafe {
        let load = |at: usize| _mm256_loadu_si256(from.add(at).cast());
        let next_begins = from.add(BLOCK).cast::<i8>().read() > -0x41;
        let begins = u64::from(begins(load(0))) | u64::from(begins(load(STEP))) << STEP;
        let mut ends = begins >> 1 | u64::from(next_begins) << (BLOCK - 1);
        for at in [0, STEP] {
            let before = |back: usize| _mm256_loadu_si256(from.add(at).sub(back).cast());
            for eight in codes(load(at), before(1), before(2)) {
                made += keep(eight, (ends & 0xFF) as u32, to.add(made));
                ends >>= 8;
            }
        }
    }
    (BLOCK, made)
}

/// Returns how many bytes of a character stand before a position inside it.
///
/// # Safety
/// It is a byte of valid text; if it is not the first of its character, two bytes stand before it.
#[inline]
unsafe fn begun(at: *const u8) -> usize {
    // SAFETY: the caller's promise.
    let continues = |back: usize| unsafe { at.sub(back).cast::<i8>().read() < -0x40 };
    (0..3).take_while(|back| continues(*back)).count()
}

/// Returns a bit for each byte that begins a character.
#[target_feature(enable = "avx2")]
#[inline]
fn begins(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(_mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(-0x41))).cast_unsigned()
}

/// Decodes for each byte the character that ends there, if one does, from it and the two bytes before it:
/// four vectors of eight.
#[target_feature(enable = "avx2")]
#[inline]
fn codes(last: __m256i, second: __m256i, third: __m256i) -> [__m128i; 4] {
    let only = |bits: u8, from: __m256i| _mm256_and_si256(from, _mm256_set1_epi8(bits.cast_signed()));
    // The first byte of two, 110xxxxx, has no sixth bit, so it can be read as the second of three.
    let low = _mm256_or_si256(only(0x3F, last), only(0xC0, _mm256_slli_epi16::<6>(second)));
    let is_third = _mm256_cmpgt_epi8(_mm256_set1_epi8(-0x40), second);
    let top = _mm256_and_si256(is_third, only(0xF0, _mm256_slli_epi16::<4>(third)));
    let high = _mm256_or_si256(only(0x0F, _mm256_srli_epi16::<2>(second)), top);
    // A byte without its top bit is the character.
    let low = _mm256_blendv_epi8(last, low, last);
    let high = _mm256_blendv_epi8(_mm256_setzero_si256(), high, last);
    // Each half of a register holds its own eight characters, of a low byte and a high byte each.
    let (left, right) = (_mm256_unpacklo_epi8(low, high), _mm256_unpackhi_epi8(low, high));
    [
        _mm256_castsi256_si128(left),
        _mm256_castsi256_si128(right),
        _mm256_extracti128_si256::<1>(left),
        _mm256_extracti128_si256::<1>(right),
    ]
}

/// Writes the kept ones of eight characters; returns how many they are.
///
/// # Safety
/// `to` has room for eight characters; `kept` is below 256.
#[target_feature(enable = "avx2,popcnt")]
#[inline]
unsafe fn keep(codes: __m128i, kept: u32, to: *mut u32) -> usize {
    // SAFETY: the table's rows have 16 bytes; the caller's promise.
    unsafe {
        let order = _mm_loadu_si128(LANES[kept as usize].as_ptr().cast());
        let together = _mm_shuffle_epi8(codes, order);
        _mm256_storeu_si256(to.cast(), _mm256_cvtepu16_epi32(together));
    }
    kept.count_ones() as usize
}

/// Decodes the character at `from`; returns how many bytes it has.
///
/// # Safety
/// There is a whole character of valid text, and room for it.
#[inline]
unsafe fn one(from: *const u8, to: *mut u32) -> usize {
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
