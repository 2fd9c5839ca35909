//! Decodes UTF-8 that has been checked, four characters at a time, in registers of 16 bytes. The fallback is
//! [`scalar`](super::scalar).

use super::super::quads::{NEXT, ORDERS};
use super::super::vector::{Vector, WIDTH};
use super::short;

/// The number of bytes that are marked at once; from [`LAST`] on four more characters may be incomplete in
/// them.
const BLOCK: usize = 64;
pub(super) const LAST: usize = BLOCK - 12;

/// The order of the bytes of four characters of three bytes each, the last byte first.
const THREES: [u8; WIDTH] = [2, 1, 0, 0x80, 5, 4, 3, 0x80, 8, 7, 6, 0x80, 11, 10, 9, 0x80];

/// # Safety
/// The caller's promise is that of [`characters`](super::characters), and the processor [can
/// shuffle](Vector::can_pick).
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,popcnt"))]
pub(super) unsafe fn characters<V: Vector>(text: &str, to: *mut u32) {
    let bytes = text.as_bytes();
    let (mut at, mut made) = (0, 0);
    // SAFETY: as many bytes are left as each kernel needs. A kernel writes four characters, which are counted
    // only if all four were of its kind; 16 bytes are at least four characters, so there is room for lanes
    // that are not counted. `at` stays at the first byte of a character in valid text.
    unsafe {
        while at + BLOCK + 16 <= bytes.len() {
            let from = bytes.as_ptr().add(at);
            let target = to.add(made);
            if three4::<V>(from, target) {
                at += 12;
                made += 4;
            } else {
                let (used, written) = block::<V>(from, target, LAST + 1);
                at += used;
                made += written;
            }
        }
        if let Some(over) = (bytes.len() - at).checked_sub(short::LONGEST).filter(|over| *over > 0) {
            let (used, written) = block::<V>(bytes.as_ptr().add(at), to.add(made), over);
            at += used;
            made += written;
        }
        short::characters::<V>(text.get_unchecked(at..), |_| Some(to.add(made)));
    }
}

/// Decodes the characters that begin in the first bytes of a block, whatever their lengths; returns how many
/// bytes and characters they are. All their ends are marked first, so that no step waits for the length of
/// the one before.
///
/// # Safety
/// The caller's promise is that of [`characters`]. There is one byte more than a block, the first of them
/// begins a character, and 16 bytes follow each position below `first`, which is at most behind [`LAST`].
/// There is room for every character in them.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,popcnt"))]
#[inline]
pub(super) unsafe fn block<V: Vector>(from: *const u8, to: *mut u32, first: usize) -> (usize, usize) {
    // SAFETY: the caller's promise. No step begins beyond `LAST`, and each reads 16 bytes. It writes four
    // characters and counts three where the fourth is not whole: there is one more behind them.
    unsafe {
        let mut ends = V::masks([0, 1, 2, 3].map(|part| begins(V::load(from.add(part * WIDTH + 1)))));
        let (mut at, mut made) = (0, 0);
        while at < first {
            let next = NEXT[(ends & 0xFFF) as usize];
            let used = usize::from(next.bytes);
            let order = V::load(ORDERS[usize::from(next.order)].as_ptr());
            codes(V::load(from.add(at)).picked(order)).store(to.add(made).cast());
            ends >>= used;
            at += used;
            made += usize::from(next.characters);
        }
        (at, made)
    }
}

/// Returns a mask of the bytes that begin a character.
#[inline(always)]
pub(super) fn begins<V: Vector>(bytes: V) -> V {
    bytes.bytes_above(-0x41)
}

/// Returns the characters of four lanes, each with its bytes from the last to the first.
///
/// # Safety
/// The caller's promise is that of [`characters`].
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,popcnt"))]
#[inline]
pub(super) unsafe fn codes<V: Vector>(lanes: V) -> V {
    // The third byte from the end may be the first of three, 1110xxxx: its third bit is not part of the
    // character.
    let mark = lanes.and(V::lanes(0x40_0000)).down::<1>();
    // SAFETY: the caller's promise.
    unsafe { lanes.xor(mark).and(V::lanes(0x073F_3F7F)).sixes() }
}

/// Decodes four characters of three bytes each; returns false if the bytes are something else.
///
/// # Safety
/// The caller's promise is that of [`characters`], for 16 bytes and room for four characters.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,popcnt"))]
#[inline]
unsafe fn three4<V: Vector>(from: *const u8, to: *mut u32) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let lanes = V::load(from).picked(V::load(THREES.as_ptr()));
        if !lanes.and(V::lanes(0x00F0_C0C0)).equals(V::lanes(0x00E0_8080)).is_full() {
            return false;
        }
        let last = lanes.and(V::lanes(0x3F));
        let middle = lanes.down::<2>().and(V::lanes(0xFC0));
        let first = lanes.down::<4>().and(V::lanes(0xF000));
        last.or(middle.or(first)).store(to.cast());
    }
    true
}
