//! Sixteen bytes of a text from any place of it, without a look behind its end or a copy of it. Knows of no text.

use super::vector::{Vector, WIDTH};

/// Where each byte of a window comes from when it slides by so many bytes: zeros follow.
static SLIDE: [u8; 2 * WIDTH] = {
    let mut table = [0x80; 2 * WIDTH];
    let mut at = 0;
    while at < WIDTH {
        table[at] = at as u8;
        at += 1;
    }
    table
};

/// Fewer bytes than a window has, and zeros behind them: two loads that overlap.
#[inline(always)]
pub(super) fn joined<V: Vector>(bytes: &[u8]) -> V {
    V::words(words(bytes))
}

/// The same as two words.
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

/// The bytes of a window from `by` on, and zeros behind them.
///
/// # Safety
/// At most [`WIDTH`]. The processor [can pick](Vector::can_pick).
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,popcnt"))]
#[inline]
pub(super) unsafe fn slid<V: Vector>(window: V, by: usize) -> V {
    // SAFETY: the caller's promise: a row within the table.
    unsafe { window.picked(V::load(SLIDE.as_ptr().add(by))) }
}
