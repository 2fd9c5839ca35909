//! Loads sixteen bytes from any position of a text, without reading behind its end and without copying it.

use super::vector::{Vector, WIDTH};

/// The position from which each byte of a window comes when the window moves by some bytes; zeros follow.
static SLIDE: [u8; 2 * WIDTH] = {
    let mut table = [0x80; 2 * WIDTH];
    let mut at = 0;
    while at < WIDTH {
        table[at] = at as u8;
        at += 1;
    }
    table
};

/// Returns fewer bytes than a window has with zeros behind them, by two loads that overlap.
#[inline(always)]
pub(super) fn joined<V: Vector>(bytes: &[u8]) -> V {
    V::words(words(bytes))
}

/// Returns fewer bytes than a window has as two words, with zeros behind them.
#[inline(always)]
pub(super) fn words(bytes: &[u8]) -> [u64; 2] {
    let length = bytes.len();
    let (low, high) = if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let behind = u64::from_le_bytes(*last) >> (8 * (15_usize.wrapping_sub(length) & 7));
        (u64::from_le_bytes(*first), behind >> 8)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let last = u64::from(u32::from_le_bytes(*last));
        (u64::from(u32::from_le_bytes(*first)) | last << (8 * (length - 4)), 0)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let last = u64::from(u16::from_le_bytes(*last));
        (u64::from(u16::from_le_bytes(*first)) | last << (8 * (length - 2)), 0)
    } else {
        (bytes.first().map_or(0, |byte| u64::from(*byte)), 0)
    };
    [low, high]
}

/// Returns the bytes of a window from `by` on, with zeros behind them.
///
/// # Safety
/// `by` is at most [`WIDTH`]. The processor [can shuffle](Vector::can_pick).
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,popcnt"))]
#[inline]
pub(super) unsafe fn slid<V: Vector>(window: V, by: usize) -> V {
    // SAFETY: the caller's promise: a row within the table.
    unsafe { window.picked(V::load(SLIDE.as_ptr().add(by))) }
}
