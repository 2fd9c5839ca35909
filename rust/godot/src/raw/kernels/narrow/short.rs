//! Short ASCII texts in one go: keys, names, labels. The plain twin is [`scalar`](super::scalar).

use super::super::vector::{Vector, Wide};

/// Characters that a text may have here.
pub(in super::super::super) const SHORT: usize = 16;
/// Bytes that may be written, whatever the text's length: the text itself, and zeros.
#[cfg(test)]
pub(super) const ROOM: usize = 24;

/// Writes at most [`SHORT`] characters and four zeros at least, if all of them are ASCII and none NUL. Otherwise
/// what was written is of no use.
///
/// # Safety
/// So many characters and a NUL, room for 24 bytes.
#[inline(always)]
pub(in super::super::super) unsafe fn ascii(from: *const u32, count: usize, to: *mut u8) -> bool {
    // SAFETY: the caller's promise, which each of these has for fewer characters.
    unsafe {
        match count {
            0 => {
                to.cast::<u64>().write_unaligned(0);
                true
            }
            1..4 => upto3(from, count, to),
            _ if !Wide::IS_WIDE => one_by_one(from, count, to),
            4..=8 => upto8::<Wide>(from, count, to),
            _ => upto16::<Wide>(from, count, to),
        }
    }
}

/// Three at once: behind fewer of them stands a NUL, and what is behind that is not read.
///
/// # Safety
/// One to three characters and a NUL, room for eight bytes.
#[inline(always)]
unsafe fn upto3(from: *const u32, count: usize, to: *mut u8) -> bool {
    /// Something where no character is.
    const REST: [u32; 4] = [0, 0x01_01_00, 0x01_00_00, 0];
    // SAFETY: the caller's promise.
    unsafe {
        let (first, second, third) = (from.read(), from.add(1).read(), from.add(count.min(2)).read());
        let bytes = first | second << 8 | third << 16;
        to.cast::<u64>().write_unaligned(bytes.into());
        let less = (bytes | REST[count & 3]).wrapping_sub(0x01_01_01);
        (first | second | third) & !0x7F == 0 && less & 0x80_80_80 == 0
    }
}

/// The first four and the last four, of which some may be the same. What packing cannot make a byte of becomes 0xFF, or
/// 0 when it is negative: one look at the bytes is enough.
///
/// # Safety
/// Four to eight characters, room for 16 bytes.
#[inline(always)]
unsafe fn upto8<V: Vector>(from: *const u32, count: usize, to: *mut u8) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // SAFETY: every load lies within the caller's characters.
    unsafe {
        let (first, last) = (V::load(from.cast()), V::load(from.add(count - 4).cast()));
        let both = V::narrowed([first, last, first, last]).low();
        let bytes = u64::from(both as u32) | both >> 32 << (8 * (count - 4));
        to.cast::<[u8; 8]>().write_unaligned(bytes.to_le_bytes());
        to.add(8).cast::<u32>().write_unaligned(0);
        (both | both.wrapping_sub(ONES)) & (ONES << 7) == 0
    }
}

/// The first eight and the last eight, likewise.
///
/// # Safety
/// Eight to 16 characters, room for 24 bytes.
#[inline(always)]
unsafe fn upto16<V: Vector>(from: *const u32, count: usize, to: *mut u8) -> bool {
    // SAFETY: every load lies within the caller's characters.
    unsafe {
        let bytes = V::narrowed([0, 4, count - 8, count - 4].map(|at| V::load(from.add(at).cast())));
        to.add(count).cast::<u64>().write_unaligned(0);
        to.cast::<[u8; 8]>().write_unaligned(bytes.low().to_le_bytes());
        to.add(count - 8).cast::<[u8; 8]>().write_unaligned(bytes.high().to_le_bytes());
        bytes.bytes_above(0).is_full()
    }
}

/// # Safety
/// As [`ascii`].
#[inline]
unsafe fn one_by_one(from: *const u32, count: usize, to: *mut u8) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let mut codes = 0;
        for at in 0..count {
            let code = from.add(at).read();
            codes |= code | code.wrapping_sub(1);
            to.add(at).write(code as u8);
        }
        to.add(count).cast::<u64>().write_unaligned(0);
        codes & !0x7F == 0
    }
}
