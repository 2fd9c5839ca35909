//! Decodes short texts of any characters: all their ends are marked first, which gives their number before
//! the first is decoded. The fallback is [`scalar`](super::scalar).

use super::super::quads::{NEXT, ORDERS};
use super::super::vector::{Vector, WIDTH};
use super::super::window::{slid, words};
use super::sixteen::{self, codes};

/// The length of the longest text: its ends fit in one word.
pub(super) const LONGEST: usize = 64;

const TOPS: u64 = 0x8080_8080_8080_8080;

/// Asks for room for the characters of a text of at most [`LONGEST`] bytes and one more, and writes them and
/// a NUL. Returns `None` where there is no room.
///
/// # Safety
/// The processor [can shuffle](Vector::can_pick). `room` returns as much room as it is asked for.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,popcnt"))]
pub(super) unsafe fn characters<V: Vector>(
    text: &str,
    room: impl FnOnce(usize) -> Option<*mut u32>,
) -> Option<()> {
    let (from, length) = (text.as_ptr(), text.len());
    // SAFETY: a text that is shorter than a window is read only by `words`; every other window lies within
    // the text, because no position is behind its end. `room` returns enough.
    unsafe {
        if length < WIDTH {
            // Counting with ordinary registers is faster here: the engine's allocator would wait for wide
            // ones.
            let [low, high] = words(text.as_bytes());
            let continues = |word: u64| (word & !(word << 1) & TOPS).count_ones() as usize;
            let count = length - continues(low) - continues(high);
            let to = room(count)?;
            let whole = V::words([low, high]);
            let begins = begins(whole) & ((1 << length) - 1);
            write(begins >> 1 | (1 << length) >> 1, count, to, |at| slid(whole, at));
        } else {
            let window = |at: usize| V::load(from.add(at));
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

/// Returns a bit for each byte that begins a character.
#[inline(always)]
fn begins<V: Vector>(window: V) -> u64 {
    u64::from(sixteen::begins(window).mask())
}

/// Writes `count` characters and a NUL, by the bits of the bytes that end them.
///
/// # Safety
/// The caller's promise is that of [`characters`], for `count` characters; `window` returns the bytes at a
/// position before the last end.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,popcnt"))]
#[inline]
unsafe fn write<V: Vector>(mut ends: u64, count: usize, to: *mut u32, window: impl Fn(usize) -> V) {
    let (mut at, mut made) = (0, 0);
    // SAFETY: the caller's promise. Four are written where the NUL's place is the last of them at most, then
    // two.
    unsafe {
        while made + 3 <= count {
            let next = NEXT[(ends & 0xFFF) as usize];
            let order = V::load(ORDERS[usize::from(next.order)].as_ptr());
            codes(window(at).picked(order)).store(to.add(made).cast());
            ends >>= next.bytes;
            at += usize::from(next.bytes);
            made += usize::from(next.characters);
        }
        if made < count {
            let next = NEXT[(ends & 0xFFF) as usize];
            let order = V::load(ORDERS[usize::from(next.order)].as_ptr());
            codes(window(at).picked(order)).store_low(to.add(made).cast());
        }
        to.add(count).write(0);
    }
}
