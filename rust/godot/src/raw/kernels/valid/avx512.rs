//! Whether long bytes are UTF-8 without NUL, and of how many characters, 256 at a time. The plain twins are
//! [`std::str::from_utf8`] and `chars().count()`.
//!
//! The method is that of [`short`](super::short), by its tables, with the bytes before loaded once more. ASCII, and
//! characters of three bytes as long as only such come, take shorter ways.

use std::arch::x86_64::*;

use super::short::TABLES;

/// Bytes of a register.
const BLOCK: usize = 64;
/// Bytes between two looks at whether all are ASCII.
const STEP: usize = 4 * BLOCK;
/// Bytes of 64 characters of three.
const RUN: usize = 3 * BLOCK;
/// Bytes between two looks at whether such characters come.
const SOME: usize = 4 * STEP;

/// What is known of the bytes so far.
#[derive(Clone, Copy)]
struct Seen {
    /// Not zero where one cannot stand.
    wrong: __m512i,
    /// Zero where one is NUL.
    least: __m512i,
    /// How many of them begin a character.
    characters: usize,
}

/// How many characters they are; `None` where they are no text, or one of them is NUL.
///
/// # Safety
/// The processor has what [`has_avx512`](super::super::processor::has_avx512) asks for. The bytes are at least as many as
/// a register has.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,popcnt")]
pub(super) unsafe fn characters(bytes: &[u8]) -> Option<usize> {
    let seen = Seen { wrong: all(0), least: all(0xFF), characters: 0 };
    // SAFETY: the first block has none before it; each step has a block before it and as many bytes; the blocks at the end
    // are loaded as far as they are there, zeros behind the last byte in any case.
    unsafe {
        let mut seen = edge(bytes, 0, seen);
        let (mut at, mut look) = (BLOCK, BLOCK);
        while at + STEP <= bytes.len() {
            if at == look {
                let (run, begun) = threes(bytes, at);
                at += run;
                seen.characters += begun;
                look = at + SOME;
                if run > 0 {
                    continue;
                }
            }
            seen = step(bytes.as_ptr().add(at), seen);
            at += STEP;
        }
        while at <= bytes.len() {
            seen = edge(bytes, at, seen);
            at += BLOCK;
        }
        let is_text = _mm512_test_epi8_mask(seen.wrong, seen.wrong) == 0
            && _mm512_testn_epi8_mask(seen.least, seen.least) == 0;
        is_text.then_some(seen.characters)
    }
}

/// # Safety
/// A step of bytes, and three before it.
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
#[inline]
unsafe fn step(from: *const u8, mut seen: Seen) -> Seen {
    // SAFETY: the caller's promise.
    unsafe {
        let load = |at: usize, back: usize| _mm512_loadu_epi8(from.add(at).sub(back).cast());
        let blocks = [0, 1, 2, 3].map(|number| load(number * BLOCK, 0));
        let [least, most] = [_mm512_min_epu8, _mm512_max_epu8]
            .map(|choose| choose(choose(blocks[0], blocks[1]), choose(blocks[2], blocks[3])));
        seen.least = _mm512_min_epu8(seen.least, least);
        // What ends with ASCII ends a character.
        if _mm512_movepi8_mask(most) == 0 && from.sub(1).read() < 0x80 {
            seen.characters += STEP;
            return seen;
        }
        for (number, block) in blocks.into_iter().enumerate() {
            seen.characters += begins(block).count_ones() as usize;
            let before = [1, 2, 3].map(|back| load(number * BLOCK, back));
            seen.wrong = _mm512_or_si512(seen.wrong, wrong(block, before));
        }
    }
    seen
}

/// One block of which bytes may be missing, before it and behind it: those are zeros.
///
/// # Safety
/// A place in the bytes, or behind the last.
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
#[inline(never)]
unsafe fn edge(bytes: &[u8], at: usize, seen: Seen) -> Seen {
    let load = |back: usize| {
        let there = first(bytes.len() - at + back) & !first(back.saturating_sub(at));
        // SAFETY: none is loaded before the first or behind the last.
        unsafe { _mm512_maskz_loadu_epi8(there, bytes.as_ptr().wrapping_add(at).wrapping_sub(back).cast()) }
    };
    let block = load(0);
    let there = first(bytes.len() - at);
    Seen {
        // SAFETY: the caller's promise.
        wrong: _mm512_or_si512(seen.wrong, unsafe { wrong(block, [1, 2, 3].map(load)) }),
        least: _mm512_mask_min_epu8(seen.least, there, seen.least, block),
        characters: seen.characters + (begins(block) & there).count_ones() as usize,
    }
}

/// Which bytes begin a character, if they are text.
#[target_feature(enable = "avx512bw")]
#[inline]
fn begins(bytes: __m512i) -> u64 {
    _mm512_cmpgt_epi8_mask(bytes, all(0xBF))
}

/// So many of 64 places, from the first on.
fn first(places: usize) -> u64 {
    u64::MAX.checked_shl(places as u32).map_or(u64::MAX, |behind| !behind)
}

/// Not zero where a byte cannot stand, by the three before it.
///
/// # Safety
/// The processor has AVX-512 for bytes.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
unsafe fn wrong(block: __m512i, [first, second, third]: [__m512i; 3]) -> __m512i {
    let table = |number: usize, half: __m512i| {
        // SAFETY: tables of 16 bytes.
        let table = unsafe { _mm_loadu_si128(TABLES[number].as_ptr().cast()) };
        _mm512_shuffle_epi8(_mm512_broadcast_i32x4(table), half)
    };
    let low = |bytes: __m512i| _mm512_and_si512(bytes, all(0x0F));
    let high = |bytes: __m512i| low(_mm512_srli_epi16::<4>(bytes));
    let kinds =
        _mm512_ternarylogic_epi32::<ALL>(table(0, high(first)), table(1, low(first)), table(2, high(block)));
    // The top bit stays of what is 0xE0 and more, of what is 0xF0 and more: the third byte of it, the fourth.
    let third_of = _mm512_subs_epu8(second, all(0x60));
    let fourth_of = _mm512_subs_epu8(third, all(0x70));
    let goes_on = _mm512_ternarylogic_epi32::<EITHER_WITHIN>(third_of, fourth_of, all(0x80));
    _mm512_xor_si512(kinds, goes_on)
}

/// How many bytes from a place on go on, or begin, characters of three bytes each of which 64 stand together, as often as
/// they do, and how many of those begin from the place on. The first one begins before it, where it was seen that one may.
///
/// # Safety
/// A place in the bytes, behind three of them at least.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline(never)]
unsafe fn threes(bytes: &[u8], at: usize) -> (usize, usize) {
    let begun = 1 + (1..3).take_while(|back| bytes[at - back].leading_ones() == 1).count();
    let start = at - begun;
    let mut from = start;
    // The last block is loaded from its second byte on too.
    while from + RUN < bytes.len() {
        // SAFETY: as many bytes are there.
        if !unsafe { run(bytes.as_ptr().add(from)) } {
            break;
        }
        from += RUN;
    }
    if from > start { (from - at, (from - start) / 3 - 1) } else { (0, 0) }
}

/// Whether these are 64 characters of three bytes each.
///
/// # Safety
/// As many bytes and one more.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
unsafe fn run(from: *const u8) -> bool {
    let mut other = all(0);
    for (number, leads) in [EVERY_THIRD, EVERY_THIRD << 2, EVERY_THIRD << 1].into_iter().enumerate() {
        // SAFETY: the caller's promise; a table of 64 bytes.
        let (block, next, table) = unsafe {
            let start = from.add(number * BLOCK);
            (
                _mm512_loadu_epi8(start.cast()),
                _mm512_loadu_epi8(start.add(1).cast()),
                _mm512_loadu_epi8(REFUSED.as_ptr().cast()),
            )
        };
        // 1110xxxx 10xxxxxx 10xxxxxx.
        let marks = _mm512_mask_mov_epi8(all(0x80), leads, all(0xE0));
        let marked = _mm512_mask_mov_epi8(all(0xC0), leads, all(0xF0));
        let differs = _mm512_ternarylogic_epi32::<DIFFER_WITHIN>(block, marks, marked);
        let halves = _mm512_ternarylogic_epi32::<CHOOSE>(all(0x0F), block, next);
        let refused = _mm512_maskz_permutexvar_epi8(leads, halves, table);
        other = _mm512_ternarylogic_epi32::<ANY>(other, differs, refused);
    }
    _mm512_test_epi8_mask(other, other) == 0
}

/// Every third of 64 places, from the first on.
const EVERY_THIRD: u64 = 0x9249_2492_4924_9249;

/// By the lower half of the first of three bytes, and two bits of the second above it: not zero where they would be longer
/// than they have to be, and for surrogates.
static REFUSED: [u8; BLOCK] = {
    let mut table = [0; BLOCK];
    table[0x00] = 1;
    table[0x10] = 1;
    table[0x2D] = 1;
    table[0x3D] = 1;
    table
};

#[target_feature(enable = "avx512f")]
#[inline]
fn all(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}

/// Bits of one, two, or three.
const ANY: i32 = 0b1111_1110;
/// Bits of the second where the first has them, else of the third.
const CHOOSE: i32 = 0b1100_1010;
/// Bits in which the first two differ, of those that the third has.
const DIFFER_WITHIN: i32 = 0b0010_1000;
/// Bits of all three.
const ALL: i32 = 0b1000_0000;
/// Bits of the first or the second that the third has.
const EITHER_WITHIN: i32 = 0b1010_1000;

#[cfg(test)]
mod tests {
    use super::super::super::processor::has_avx512;
    use super::*;

    #[test]
    fn runs_are_taken_where_they_come() {
        let text = format!("{}{}", "a".repeat(100), "漢".repeat(200));
        // Whether the place is in one of them or between them.
        for at in (101..110).filter(|_| has_avx512()) {
            // SAFETY: the processor has it; a place within the text.
            let (used, begun) = unsafe { threes(text.as_bytes(), at) };
            assert_eq!(at + used, 100 + (at - 101) / 3 * 3 + 3 * RUN, "{at}");
            assert_eq!(begun, 3 * 64 - 1, "{at}");
        }
    }
}
