//! UTF-8 that has been checked to characters, 16 bytes at a time. The plain twin is [`scalar`](super::scalar); what
//! has characters of four bytes, and the end of a text, is left to the kernel for four.

use std::arch::x86_64::*;

use super::super::pairs::LANES;
use super::super::vector::Wide;
use super::sixteen;

/// Bytes between two looks at what kind of text comes.
const BLOCK: usize = 64;
/// Bytes of a register.
pub(super) const STEP: usize = 32;
/// Bytes that have to follow a block: at least eight characters, so that there is room for what is written and not
/// counted.
const BEHIND: usize = 32;

/// # Safety
/// As the kernel's; the processor has AVX2 and POPCNT; the text is not empty.
#[target_feature(enable = "avx2,popcnt")]
pub(super) unsafe fn characters(text: &str, to: *mut u32) {
    let bytes = text.as_bytes();
    let (mut at, mut made) = (0, 0);
    // SAFETY: a kernel is used only where a block and `BEHIND` more bytes are left, and two came before for those that
    // look back. `at` is the first byte of a character, in text that is valid, or follows a block of characters of up to
    // three bytes, of which the last one is not made if it goes on.
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

/// What the next block has: characters of up to so many bytes.
enum Kind {
    Ascii,
    Upto3,
    Upto4,
}

/// # Safety
/// A block.
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
/// A block of ASCII, room for as many characters.
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

/// Eight characters of three bytes each.
///
/// # Safety
/// 28 bytes, room for eight characters.
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

/// The characters that end in a block, of up to three bytes each; the bytes and characters they are.
///
/// Each byte is taken for the last one of a character, together with the two before it; then those stay that are. So
/// no step waits for the one before to say how far it came, and the next block begins behind this one, be that in a
/// character.
///
/// # Safety
/// A block and one byte behind it, two bytes before it, no character of four bytes; room for its characters and eight
/// more.
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

/// How many bytes of a character stand before a place in it.
///
/// # Safety
/// A byte of valid text; if it is not the first of it, two stand before it.
#[inline]
unsafe fn begun(at: *const u8) -> usize {
    // SAFETY: the caller's promise.
    let continues = |back: usize| unsafe { at.sub(back).cast::<i8>().read() < -0x40 };
    (0..3).take_while(|back| continues(*back)).count()
}

/// Which bytes begin a character.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn begins(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(_mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(-0x41))).cast_unsigned()
}

/// What each byte ends, if it ends something, by the one and the two before it: eight after eight of them.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn codes(last: __m256i, second: __m256i, third: __m256i) -> [__m128i; 4] {
    let only = |bits: u8, from: __m256i| _mm256_and_si256(from, _mm256_set1_epi8(bits.cast_signed()));
    // The first byte of two, 110xxxxx, has no sixth bit: it is read like the second of three.
    let low = _mm256_or_si256(only(0x3F, last), only(0xC0, _mm256_slli_epi16::<6>(second)));
    let is_third = _mm256_cmpgt_epi8(_mm256_set1_epi8(-0x40), second);
    let top = _mm256_and_si256(is_third, only(0xF0, _mm256_slli_epi16::<4>(third)));
    let high = _mm256_or_si256(only(0x0F, _mm256_srli_epi16::<2>(second)), top);
    // A byte without its top bit is the character.
    let low = _mm256_blendv_epi8(last, low, last);
    let high = _mm256_blendv_epi8(_mm256_setzero_si256(), high, last);
    // Each half of a register has its own eight of a low byte and a high byte.
    let (left, right) = (_mm256_unpacklo_epi8(low, high), _mm256_unpackhi_epi8(low, high));
    [
        _mm256_castsi256_si128(left),
        _mm256_castsi256_si128(right),
        _mm256_extracti128_si256::<1>(left),
        _mm256_extracti128_si256::<1>(right),
    ]
}

/// Writes those of eight characters that stay; gives how many.
///
/// # Safety
/// Room for eight; `kept` is below 256.
#[target_feature(enable = "avx2,popcnt")]
#[inline]
unsafe fn keep(codes: __m128i, kept: u32, to: *mut u32) -> usize {
    // SAFETY: rows of 16 bytes; the caller's promise.
    unsafe {
        let order = _mm_loadu_si128(LANES[kept as usize].as_ptr().cast());
        let together = _mm_shuffle_epi8(codes, order);
        _mm256_storeu_si256(to.cast(), _mm256_cvtepu16_epi32(together));
    }
    kept.count_ones() as usize
}

/// The character at `from`; gives its bytes.
///
/// # Safety
/// A whole character of valid text, room for it.
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
