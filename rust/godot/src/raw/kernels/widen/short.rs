//! Short texts of any characters: all their ends are marked first, which says how many there are before the first is
//! made. The plain twin is [`scalar`](super::scalar).

use std::arch::x86_64::*;

use super::super::quads::{NEXT, ORDERS};
use super::super::window::{WIDTH, slid, words};
use super::ssse3::codes;

/// The longest text: its ends are in one word.
pub(super) const LONGEST: usize = 64;

const TOPS: u64 = 0x8080_8080_8080_8080;

/// Asks for room for the characters of a text of at most [`LONGEST`] bytes and one more, and writes them and a NUL.
/// `None` where there is no room.
///
/// # Safety
/// The processor has SSSE3 and POPCNT. There is as much room as is asked for.
#[target_feature(enable = "ssse3,popcnt")]
pub(super) unsafe fn characters(text: &str, room: impl FnOnce(usize) -> Option<*mut u32>) -> Option<()> {
    let (from, length) = (text.as_ptr(), text.len());
    // SAFETY: a text that is shorter than a window is not looked at but through `words`; every other window lies
    // within the text, as no place is behind its end. The caller's room.
    unsafe {
        if length < WIDTH {
            // Counted without a detour over wide registers, for which the engine's allocator would wait.
            let [low, high] = words(text.as_bytes());
            let continues = |word: u64| (word & !(word << 1) & TOPS).count_ones() as usize;
            let count = length - continues(low) - continues(high);
            let to = room(count)?;
            let whole = _mm_set_epi64x(high.cast_signed(), low.cast_signed());
            let begins = begins(whole) & ((1 << length) - 1);
            write(begins >> 1 | (1 << length) >> 1, count, to, |at| slid(whole, at));
        } else {
            let window = |at: usize| _mm_loadu_si128(from.add(at).cast());
            let last = length - WIDTH;
            let mut marks = begins(window(0)) | begins(window(last)) << last;
            if last > WIDTH {
                marks |= begins(window(WIDTH)) << WIDTH;
            }
            if last > 2 * WIDTH {
                marks |= begins(window(2 * WIDTH)) << (2 * WIDTH);
            }
            let count = marks.count_ones() as usize;
            let to = room(count)?;
            write(marks >> 1 | 1 << (length - 1), count, to, |at| {
                let start = at.min(last);
                slid(window(start), at - start)
            });
        }
    }
    Some(())
}

/// Which bytes begin a character.
#[inline(always)]
fn begins(window: __m128i) -> u64 {
    // SAFETY: SSE2 is part of this processor.
    unsafe {
        let begins = _mm_cmpgt_epi8(window, _mm_set1_epi8(-0x41));
        u64::from(_mm_movemask_epi8(begins).cast_unsigned())
    }
}

/// Writes so many characters and a NUL, by the bytes that end them.
///
/// # Safety
/// Room for them; `window` gives what stands at a place before the last end.
#[target_feature(enable = "ssse3")]
#[inline]
unsafe fn write(mut ends: u64, count: usize, to: *mut u32, window: impl Fn(usize) -> __m128i) {
    let (mut at, mut made) = (0, 0);
    // SAFETY: the caller's promise. Four are written where the NUL's place is the last of them at most, then two.
    unsafe {
        while made + 3 <= count {
            let next = NEXT[(ends & 0xFFF) as usize];
            let order = _mm_loadu_si128(ORDERS[usize::from(next.order)].as_ptr().cast());
            let lanes = _mm_shuffle_epi8(window(at), order);
            _mm_storeu_si128(to.add(made).cast(), codes(lanes));
            ends >>= next.bytes;
            at += usize::from(next.bytes);
            made += usize::from(next.characters);
        }
        if made < count {
            let next = NEXT[(ends & 0xFFF) as usize];
            let order = _mm_loadu_si128(ORDERS[usize::from(next.order)].as_ptr().cast());
            let lanes = _mm_shuffle_epi8(window(at), order);
            _mm_storel_epi64(to.add(made).cast(), codes(lanes));
        }
        to.add(count).write(0);
    }
}
