//! Encodes characters as UTF-8, four of any kind at a time, in registers of 16 bytes. The fallback is
//! [`scalar`](super::scalar).

use super::super::vector::Vector;

/// The factor that moves the two low bits of each byte of a word together into its upper byte.
pub(super) const GATHER: u32 = 1 << 24 | 1 << 18 | 1 << 12 | 1 << 6;

/// The bytes of four words that make the text, by the lengths of four characters, two bits each.
pub(super) static SHUFFLES: [[u8; 16]; 256] = shuffles();

const fn shuffles() -> [[u8; 16]; 256] {
    let mut table = [[0x80; 16]; 256];
    let mut lengths = 0;
    while lengths < 256 {
        let (mut character, mut used) = (0, 0);
        while character < 4 {
            let length = (lengths >> (2 * character) & 3) + 1;
            let mut byte = 0;
            while byte < length {
                table[lengths][used] = (character * 4 + byte) as u8;
                used += 1;
                byte += 1;
            }
            character += 1;
        }
        lengths += 1;
    }
    table
}

/// # Safety
/// The caller's promise is that of [`utf8`](super::utf8), and the processor [can shuffle](Vector::can_pick).
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,popcnt"))]
pub(super) unsafe fn utf8<V: Vector>(from: *const u32, count: usize, to: *mut u8) -> Option<usize> {
    let (mut at, mut used) = (0, 0);
    // SAFETY: no more characters are read than the caller's. Every step writes 16 bytes from where at most
    // four bytes for each character before it end, and the caller has room for 16 more.
    unsafe {
        while at + 16 <= count {
            if ascii16::<V>(from.add(at), to.add(used)) {
                at += 16;
                used += 16;
                continue;
            }
            used += any16::<V>(from.add(at), to.add(used))?;
            at += 16;
        }
        while at + 4 <= count {
            let four = V::load(from.add(at).cast());
            used += if ascii4(four, to.add(used)) { 4 } else { any4(four, to.add(used))? };
            at += 4;
        }
        super::scalar(from.add(at), count - at, to.add(used)).map(|rest| used + rest)
    }
}

/// Writes 16 characters of any kind; returns how many bytes they take.
///
/// # Safety
/// The caller's promise is that of [`utf8`], for 16 characters and room for four bytes each.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,popcnt"))]
#[inline]
unsafe fn any16<V: Vector>(from: *const u32, to: *mut u8) -> Option<usize> {
    let mut used = 0;
    for at in [0, 4, 8, 12] {
        // SAFETY: the caller's promise; four characters take at most 16 bytes.
        unsafe { used += any4(V::load(from.add(at).cast()), to.add(used))? };
    }
    Some(used)
}

/// Writes 16 characters if all of them are ASCII and none is NUL.
///
/// # Safety
/// The caller's promise is that of [`utf8`], for 16 characters and room for 16 bytes.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,popcnt"))]
unsafe fn ascii16<V: Vector>(from: *const u32, to: *mut u8) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let [a, b, c, d] = [0, 4, 8, 12].map(|at| V::load(from.add(at).cast()));
        let high = a.or(b).or(c.or(d)).and(V::lanes(!0x7F));
        let bytes = V::narrowed([a, b, c, d]);
        let is_plain = high.is_zero() && !bytes.has_zero();
        if is_plain {
            bytes.store(to);
        }
        is_plain
    }
}

/// Writes four characters if all of them are ASCII and none is NUL.
///
/// # Safety
/// The caller's promise is that of [`utf8`], for room for four bytes.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,popcnt"))]
#[inline]
unsafe fn ascii4<V: Vector>(c: V, to: *mut u8) -> bool {
    let less_one = c.minus(V::lanes(1));
    if !c.or(less_one).and(V::lanes(!0x7F)).is_zero() {
        return false;
    }
    let bytes = V::narrowed([c; 4]).low() as u32;
    // SAFETY: the caller's promise.
    unsafe { to.cast::<[u8; 4]>().write_unaligned(bytes.to_le_bytes()) };
    true
}

/// Writes four characters of any kind; returns how many bytes they take.
///
/// # Safety
/// The caller's promise is that of [`utf8`], for room for 16 bytes.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,popcnt"))]
unsafe fn any4<V: Vector>(c: V, to: *mut u8) -> Option<usize> {
    let part = |bits: V| bits.and(V::lanes(0x3F)).or(V::lanes(0x80));
    let (by6, by12, by18) = (c.down::<6>(), c.down::<12>(), c.down::<18>());
    let last = part(c);
    let two = by6.or(V::lanes(0xC0)).or(last.up::<8>());
    let three = by12.or(V::lanes(0xE0)).or(part(by6).up::<8>().or(last.up::<16>()));
    let four =
        (by18.or(V::lanes(0xF0)).or(part(by12).up::<8>())).or(part(by6).up::<16>().or(last.up::<24>()));
    let (over1, over2, over3) = (c.above(0x7F), c.above(0x7FF), c.above(0xFFFF));
    let words = over3.choose(four, over2.choose(three, over1.choose(two, c)));
    // A code is no scalar value if it is 0 or negative, a surrogate or too large.
    let surrogate = c.down::<11>().equals(V::lanes(0xD800 >> 11));
    let positive = c.above(0);
    let bad = surrogate.or(c.above(0x0010_FFFF));
    if !bad.is_zero() || !positive.is_full() {
        return None;
    }
    // The lengths are stored less one, two bits for each character.
    let lengths = V::lanes(0).minus(over1.plus(over2).plus(over3));
    let lengths = V::narrowed([lengths; 4]).low() as u32;
    let index = (lengths.wrapping_mul(GATHER) >> 24) as usize;
    let total = 4 + (lengths.wrapping_mul(0x0101_0101) >> 24) as usize;
    // SAFETY: the table's rows have 16 bytes; the caller's promise.
    unsafe { words.picked(V::load(SHUFFLES[index].as_ptr())).store(to) };
    Some(total)
}
