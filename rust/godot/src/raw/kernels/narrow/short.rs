//! Encodes short ASCII texts in one step: keys, names, labels. The fallback is [`scalar`](super::scalar).

use super::super::vector::{Vector, Wide};

/// The largest number of characters.
pub(in super::super::super) const SHORT: usize = 16;
/// The number of bytes that may be written, whatever the text's length: the text itself, and zeros.
#[cfg(test)]
pub(super) const ROOM: usize = 24;

/// Writes at most [`SHORT`] characters and at least four zeros if all characters are ASCII and none is NUL.
/// Otherwise it returns false, and the bytes that were written mean nothing.
///
/// # Safety
/// `from` points to `count` characters and a NUL; `to` has room for 24 bytes.
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

/// Writes three characters at once. Behind fewer of them stands a NUL, and nothing behind that is read.
///
/// # Safety
/// `from` points to one to three characters and a NUL; `to` has room for eight bytes.
#[inline(always)]
unsafe fn upto3(from: *const u32, count: usize, to: *mut u8) -> bool {
    /// The bytes that replace missing characters, which must not count as NUL.
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

/// Writes the first four and the last four characters, some of which may be the same. Packing makes 0xFF of a
/// character that is too large for a byte, and 0 of a negative one, so one test of the bytes is enough.
///
/// # Safety
/// `from` points to four to eight characters; `to` has room for 16 bytes.
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

/// Writes the first eight and the last eight characters, as [`upto8`] writes four and four.
///
/// # Safety
/// `from` points to eight to 16 characters; `to` has room for 24 bytes.
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
/// The caller's promise is that of [`ascii`].
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
