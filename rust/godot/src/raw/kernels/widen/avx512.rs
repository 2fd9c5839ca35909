//! UTF-8 that has been checked to characters, 64 bytes at a time, of whatever lengths those are. The plain twin is
//! [`scalar`](super::scalar).
//!
//! Each byte is taken for the last one of a character, together with the three before it; then those that are stay, moved
//! together by one instruction. So no block waits for the one before to say how far it came, and a character may begin in
//! one and end in the next.

use std::arch::x86_64::*;

/// Bytes of a register.
const BLOCK: usize = 64;
/// Characters of one.
const STEP: usize = 16;
/// Bytes between two looks at whether all characters have three: a third of them is a whole number.
const SOME: usize = 12 * BLOCK;
/// Characters of three bytes that are taken at once, and the bytes that are read for them.
const RUN: usize = 4 * STEP;
const READ: usize = 3 * (RUN - STEP) + BLOCK;
/// Characters from one that is written to one whose place the cache is told to fetch: it does not foresee that by itself.
/// 1 MB takes 44 us instead of 55; with 256 or 1024 it takes 46 and 48.
const AHEAD: usize = 512;

/// # Safety
/// As the kernel's; the processor has what [`has_avx512`](super::super::processor::has_avx512) asks for.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) unsafe fn characters(text: &str, to: *mut u32) {
    // SAFETY: the caller's promise.
    unsafe {
        if text.len() > SOME {
            return long(text.as_bytes(), to);
        }
        let mut made = 0;
        for at in (0..text.len()).step_by(BLOCK) {
            made += block(text.as_bytes(), at, to.add(made));
        }
    }
}

/// # Safety
/// As [`characters`].
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
#[inline(never)]
unsafe fn long(bytes: &[u8], to: *mut u32) {
    let (mut at, mut made) = (0, 0);
    while at < bytes.len() {
        // SAFETY: as many characters end before each place as were made.
        unsafe {
            let (used, written) = any(bytes, at, to.add(made));
            at += used;
            made += written;
            if at < bytes.len() {
                let (used, written) = threes(bytes, at, to.add(made));
                at += used;
                made += written;
            }
        }
    }
}

/// Characters of any kind, to the end or until they seem to be of three bytes each: the bytes and characters they are.
/// On its own, so that what the blocks share stays in registers.
///
/// # Safety
/// As [`block`], of every place from `start` on.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
#[inline(never)]
unsafe fn any(bytes: &[u8], start: usize, to: *mut u32) -> (usize, usize) {
    let (mut at, mut made) = (start, 0);
    while at < bytes.len() {
        let (end, before) = (bytes.len().min(at + SOME), made);
        while at < end {
            // SAFETY: the caller's promise.
            made += unsafe { block(bytes, at, to.add(made)) };
            at += BLOCK;
        }
        if made - before == SOME / 3 {
            break;
        }
    }
    (at - start, made)
}

/// How many characters a text has.
///
/// # Safety
/// As [`characters`].
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
pub(super) unsafe fn count(text: &str) -> usize {
    let (blocks, rest) = text.as_bytes().as_chunks::<BLOCK>();
    // SAFETY: as many bytes.
    let begun =
        |block: &[u8; BLOCK]| begins(unsafe { _mm512_loadu_epi8(block.as_ptr().cast()) }).count_ones();
    let of_blocks: usize = blocks.iter().map(|block| begun(block) as usize).sum();
    of_blocks + rest.iter().filter(|byte| byte.cast_signed() > -0x41).count()
}

/// Characters of three bytes each, as long as 64 of them come, from the one on that the byte at `at` belongs to: the bytes
/// from there on, and characters.
///
/// # Safety
/// As [`block`], and at least two bytes stand before the place.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline(never)]
unsafe fn threes(bytes: &[u8], at: usize, to: *mut u32) -> (usize, usize) {
    let begun = (0..2).take_while(|back| bytes[at - back].leading_ones() == 1).count();
    let (mut from, mut made) = (at - begun, 0);
    while from + READ <= bytes.len() {
        // SAFETY: so many bytes are there; the caller's promise of room, if they are such characters.
        unsafe {
            if !run(bytes.as_ptr().add(from), to.add(made)) {
                break;
            }
        }
        from += 3 * RUN;
        made += RUN;
    }
    if made == 0 { (0, 0) } else { (from - at, made) }
}

/// 64 characters of three bytes each: whether those come, and are written.
///
/// # Safety
/// As many bytes as are [read](READ), the first of them the first of a character, and room for the characters.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
unsafe fn run(from: *const u8, to: *mut u32) -> bool {
    let all = |bits: u32| _mm512_set1_epi32(bits.cast_signed());
    // SAFETY: the caller's promise.
    unsafe {
        // What each lane has besides the bits that such a character always has.
        let lanes = [0, 1, 2, 3].map(|step| {
            let four = _mm512_loadu_epi8(from.add(step * 3 * STEP).cast());
            _mm512_xor_si512(_mm512_permutexvar_epi8(THREES, four), all(0x00E0_8080))
        });
        let any = _mm512_or_si512(_mm512_or_si512(lanes[0], lanes[1]), _mm512_or_si512(lanes[2], lanes[3]));
        if _mm512_test_epi32_mask(any, all(0x00F0_C0C0)) != 0 {
            return false;
        }
        for (step, lane) in lanes.into_iter().enumerate() {
            let pairs = _mm512_maddubs_epi16(lane, all(0x0001_4001));
            let codes = _mm512_madd_epi16(pairs, all(0x1000_0001));
            _mm_prefetch::<_MM_HINT_ET0>(to.wrapping_add(AHEAD + step * STEP).cast());
            _mm512_storeu_epi32(to.add(step * STEP).cast(), codes);
        }
    }
    true
}

/// The characters that end in the 64 bytes from `at` on: how many.
///
/// # Safety
/// Bytes of valid text, the place of one of them, and room for those characters.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
#[inline]
#[expect(clippy::too_many_lines, reason = "one block of characters, whose parts stay in registers")]
unsafe fn block(bytes: &[u8], at: usize, to: *mut u32) -> usize {
    let is_inside = at > 0 && at + BLOCK < bytes.len();
    // The bytes from so far from here on; zeros where there are none.
    let load = |distance: isize| {
        let first = bytes.as_ptr().wrapping_add(at).wrapping_offset(distance).cast();
        // SAFETY: inside there are three more bytes before and one behind; else those are loaded that there are.
        unsafe {
            if is_inside {
                _mm512_loadu_epi8(first)
            } else {
                _mm512_maskz_loadu_epi8(there(bytes.len(), at, distance), first)
            }
        }
    };
    let last = load(0);
    let is_long = _mm512_movepi8_mask(last);
    // SAFETY: the caller's promise: no more is written than characters end here.
    unsafe {
        if is_long == 0 && is_inside {
            return ascii(last, to);
        }
        // A character ends where the next one begins, or the text ends.
        let ends = begins(load(1)) & if is_inside { u64::MAX } else { there(bytes.len(), at, 0) };
        let (second, third) = (load(-1), load(-2));
        let has_third = is_long & !begins(second);
        let has_fourth = has_third & !begins(third);
        // From the end: 22111111, 33332222, 44433; of a byte that is a character 01111111.
        let first_six = _mm512_mask_set1_epi8(all(0xFF), is_long, 0x3F);
        let low = either(first_six, last, _mm512_slli_epi16::<6>(second));
        let high = either(
            all(0x0F),
            _mm512_maskz_mov_epi8(is_long, _mm512_srli_epi16::<2>(second)),
            _mm512_maskz_mov_epi8(has_third, _mm512_slli_epi16::<4>(third)),
        );
        let low = _mm512_maskz_compress_epi8(ends, low);
        let high = _mm512_maskz_compress_epi8(ends, high);
        let top = (ends & has_fourth != 0).then(|| {
            let of_third = _mm512_and_si512(_mm512_srli_epi16::<4>(third), all(0x03));
            let of_fourth = _mm512_and_si512(_mm512_slli_epi16::<2>(load(-3)), all(0x1C));
            let top = _mm512_maskz_mov_epi8(has_fourth, _mm512_or_si512(of_third, of_fourth));
            _mm512_maskz_compress_epi8(ends, top)
        });
        let made = ends.count_ones() as usize;
        for first in (0..made).step_by(STEP) {
            // Of each character's bytes, where they lie in the two registers.
            let places = _mm512_add_epi32(FIRST_PLACES, _mm512_set1_epi32(first as i32 * 0x01_0101));
            let mut codes = _mm512_maskz_permutex2var_epi8(0x3333_3333_3333_3333, low, places, high);
            if let Some(top) = top {
                codes = _mm512_mask_permutexvar_epi8(codes, 0x4444_4444_4444_4444, places, top);
            }
            let target = to.add(first).cast();
            match made - first {
                STEP.. => _mm512_storeu_epi32(target, codes),
                left => _mm512_mask_storeu_epi32(target, (1 << left) - 1, codes),
            }
        }
        made
    }
}

/// # Safety
/// Room for 64 characters.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
unsafe fn ascii(bytes: __m512i, to: *mut u32) -> usize {
    let parts = [
        _mm512_extracti32x4_epi32::<0>(bytes),
        _mm512_extracti32x4_epi32::<1>(bytes),
        _mm512_extracti32x4_epi32::<2>(bytes),
        _mm512_extracti32x4_epi32::<3>(bytes),
    ];
    for (number, part) in parts.into_iter().enumerate() {
        // SAFETY: the caller's promise.
        unsafe { _mm512_storeu_epi32(to.add(number * STEP).cast(), _mm512_cvtepu8_epi32(part)) };
    }
    BLOCK
}

/// Where the bytes of sixteen characters of three bytes lie, the last first; the fourth is any that has to be taken away.
const THREES: __m512i = {
    let mut places = [0_u32; STEP];
    let mut at = 0;
    while at < STEP {
        places[at] = at as u32 * 0x0003_0303 + 0x0000_0102;
        at += 1;
    }
    // SAFETY: a register is its bytes.
    unsafe { std::mem::transmute(places) }
};

/// Where the bytes of sixteen characters lie: the low ones in one register, the high ones in a second, the top ones in a
/// third as the low ones.
const FIRST_PLACES: __m512i = {
    let mut places = [0_u32; STEP];
    let mut at = 0;
    while at < STEP {
        places[at] = at as u32 * 0x01_0101 + ((BLOCK as u32) << 8);
        at += 1;
    }
    // SAFETY: a register is its bytes.
    unsafe { std::mem::transmute(places) }
};

/// Which of the 64 bytes so far from `at` lie in a text of this length.
fn there(length: usize, at: usize, distance: isize) -> u64 {
    let first = at.wrapping_add_signed(distance).cast_signed();
    let bits = |places: isize| u64::MAX.checked_shr((64 - places.clamp(0, 64)) as u32).unwrap_or(0);
    bits(length.cast_signed() - first) & !bits(-first)
}

/// Which bytes begin a character.
#[target_feature(enable = "avx512bw")]
#[inline]
fn begins(bytes: __m512i) -> u64 {
    _mm512_cmpgt_epi8_mask(bytes, all(0xBF))
}

/// The bits of the one where the mask has them, those of the other where it has not.
#[target_feature(enable = "avx512f")]
#[inline]
fn either(mask: __m512i, one: __m512i, other: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<0b1100_1010>(mask, one, other)
}

#[target_feature(enable = "avx512f")]
#[inline]
fn all(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}

#[cfg(test)]
mod tests {
    use super::super::super::processor::has_avx512;
    use super::*;

    #[test]
    fn runs_are_taken_where_they_come() {
        let text = format!("{}{}", "a".repeat(100), "漢".repeat(200));
        let mut made = vec![0; text.len()];
        // Whether the place is in one of them or between them.
        for at in (100..109).filter(|_| has_avx512()) {
            // SAFETY: the processor has it; a place within the text, and room for more characters than it has.
            let (used, written) = unsafe { threes(text.as_bytes(), at, made.as_mut_ptr()) };
            let first = 100 + (at - 100) / 3 * 3;
            assert_eq!((at + used, written), (first + 3 * 3 * RUN, 3 * RUN), "{at}");
            assert_eq!(made[..written], vec![u32::from('漢'); written]);
        }
    }
}
