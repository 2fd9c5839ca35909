//! Short texts of any characters: counted by the way, which for texts of a few words takes as long as making them. The
//! plain twin is [`scalar`](super::scalar).

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use super::super::quads::{NEXT, ORDERS};
use super::ssse3::codes;

/// The longest text. A step may look at 12 bytes, and the ends of all of them are in one word.
pub(super) const LONGEST: usize = 48;
/// Room for their characters, and for those that the last step makes of what is behind the text.
pub(super) const ROOM: usize = LONGEST + 4;

/// The characters of a text of at most [`LONGEST`] bytes; how many there are.
///
/// # Safety
/// The processor has SSSE3.
#[target_feature(enable = "ssse3")]
pub(super) unsafe fn characters(text: &str, to: &mut [MaybeUninit<u32>; ROOM]) -> usize {
    // Zeros behind it are characters of one byte each.
    let mut bytes = [0_u8; 80];
    bytes[..text.len()].copy_from_slice(text.as_bytes());
    let mut ends = 0_u64;
    // SAFETY: four loads of 16 bytes from the second byte on; then one from the first byte of each group of characters,
    // which lies within the text. A group begins after at most as many characters as bytes.
    unsafe {
        for part in 0..4 {
            let next = _mm_loadu_si128(bytes.as_ptr().add(part * 16 + 1).cast());
            let begins = _mm_cmpgt_epi8(next, _mm_set1_epi8(-0x41));
            let mask = u64::from(_mm_movemask_epi8(begins).cast_unsigned());
            ends |= mask << (part * 16);
        }
        let count = (ends & ((1 << text.len()) - 1)).count_ones() as usize;
        let (mut at, mut made) = (0, 0);
        while at < text.len() {
            let next = NEXT[(ends & 0xFFF) as usize];
            let used = usize::from(next.bytes);
            let order = _mm_loadu_si128(ORDERS[usize::from(next.order)].as_ptr().cast());
            let lanes = _mm_shuffle_epi8(_mm_loadu_si128(bytes.as_ptr().add(at).cast()), order);
            _mm_storeu_si128(to.as_mut_ptr().add(made).cast(), codes(lanes));
            ends >>= used;
            at += used;
            made += usize::from(next.characters);
        }
        count
    }
}
