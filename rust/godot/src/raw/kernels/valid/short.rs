//! Whether short bytes are UTF-8, 16 at a time. The plain twin is [`std::str::from_utf8`].
//!
//! Three tables, each asked by half a byte, say of what kinds two bytes may be that cannot follow one another: what all
//! three say is so. The method is that of Keiser and Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte".

use super::super::vector::{Vector, WIDTH, Wide};
use super::super::window::{joined, slid};

/// The longest text: of longer ones another reader takes more bytes at a time.
const LONGEST: usize = 127;

/// The bytes as text; `None` where they are none, or this processor lacks what it takes, or they are too many.
#[inline]
pub(crate) fn short(bytes: &[u8]) -> Option<Option<&str>> {
    if bytes.len() <= LONGEST && Wide::can_pick() {
        // SAFETY: the processor has it; what is valid is text.
        return Some(unsafe { is_valid::<Wide>(bytes).then(|| std::str::from_utf8_unchecked(bytes)) });
    }
    None
}

/// A kind of two bytes that cannot follow one another: the upper halves of the first, its lower halves, and the upper
/// halves of the second, a bit for each.
const KINDS: [[u16; 3]; 8] = {
    const ANY: u16 = 0xFFFF;
    const BEHIND: u16 = 0x0F00;
    [
        // Fewer bytes than announced.
        [0xF000, ANY, !BEHIND],
        // More of them: none was announced.
        [0x00FF, ANY, BEHIND],
        // Longer than they have to be, of two bytes, of three; surrogates.
        [1 << 0xC, 0b11, BEHIND],
        [1 << 0xE, 1, 0x0300],
        [1 << 0xE, 1 << 0xD, 0x0C00],
        // Beyond the last character.
        [1 << 0xF, 0xFFF0, 0x0E00],
        // Likewise, and longer than they have to be.
        [1 << 0xF, 0xFFE1, 0x0100],
        // Right only as the end of three or four bytes.
        [BEHIND, ANY, BEHIND],
    ]
};

/// By half a byte: the kinds that it may be of. The last kind is the top bit.
pub(super) static TABLES: [[u8; WIDTH]; 3] = {
    let mut tables = [[0; WIDTH]; 3];
    let mut at = 0;
    while at < 3 * WIDTH * KINDS.len() {
        let (kind, table, half) = (at / (3 * WIDTH), at / WIDTH % 3, at % WIDTH);
        tables[table][half] |= ((KINDS[kind][table] >> half & 1) as u8) << kind;
        at += 1;
    }
    tables
};

/// # Safety
/// The processor [can pick](Vector::can_pick).
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,popcnt"))]
unsafe fn is_valid<V: Vector>(bytes: &[u8]) -> bool {
    // SAFETY: each load lies within the bytes. Zeros behind them end a character that is not whole.
    unsafe {
        let zero = V::lanes(0);
        let wrong = if bytes.len() < WIDTH {
            wrong(joined::<V>(bytes), zero)
        } else {
            let (mut at, mut before, mut found) = (0, zero, zero);
            while at + WIDTH <= bytes.len() {
                let next = V::load(bytes.as_ptr().add(at));
                found = found.or(wrong(next, before));
                before = next;
                at += WIDTH;
            }
            let last = V::load(bytes.as_ptr().add(bytes.len() - WIDTH));
            let rest = slid(last, WIDTH - (bytes.len() - at));
            found.or(wrong(rest, before))
        };
        wrong.is_zero()
    }
}

/// Not zero where a byte cannot stand, by the three before it.
///
/// # Safety
/// As [`is_valid`].
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,popcnt"))]
#[inline]
unsafe fn wrong<V: Vector>(bytes: V, before: V) -> V {
    // SAFETY: the caller's promise; tables of 16 bytes.
    unsafe {
        let table = |number: usize, half: V| V::load(TABLES[number].as_ptr()).picked(half);
        let first = bytes.behind::<15>(before);
        let kinds = table(0, first.upper_halves()).and(table(1, first.and(V::bytes(0x0F))));
        let kinds = kinds.and(table(2, bytes.upper_halves()));
        // The top bit stays of what is 0xE0 and more, of what is 0xF0 and more: the third byte of it, the fourth.
        let third = bytes.behind::<14>(before).bytes_less(0x60);
        let fourth = bytes.behind::<13>(before).bytes_less(0x70);
        kinds.xor(third.or(fourth).and(V::bytes(0x80)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ends of every range that the standard names.
    const ENDS: [u8; 22] = [
        0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
        0xEF, 0xF0, 0xF4, 0xF5, 0xFF,
    ];
    use crate::raw::kernels::vector::{FEW, Plain};

    /// Whether they are text.
    #[track_caller]
    fn check(bytes: &[u8]) -> bool {
        let expected = std::str::from_utf8(bytes).ok();
        if let Some(read) = short(bytes) {
            assert_eq!(read, expected, "{bytes:x?}");
            if bytes.len() <= FEW {
                // SAFETY: the processor can pick, as otherwise nothing would have been read.
                assert_eq!(unsafe { is_valid::<Plain>(bytes) }, expected.is_some(), "{bytes:x?}");
            }
        }
        expected.is_some()
    }

    #[test]
    fn every_byte_at_every_place() {
        let characters = ["a", "ж", "漢", "\u{D7FF}", "\u{E000}", "😀", "\u{10FFFF}"];
        let mut accepted = 0;
        for (length, at) in (1..=130_usize).flat_map(|length| (0..length).map(move |at| (length, at))) {
            let mut bytes = characters[(length + at) % 7].repeat(130).into_bytes();
            bytes.truncate(length);
            for byte in 0..=255 {
                bytes[at] = byte;
                accepted += usize::from(check(&bytes));
            }
        }
        assert!(accepted > 10_000, "{accepted}");
    }

    /// The ends of every range that the standard names, four of them in a row, at every place of a window and at the
    /// end of a text.
    #[test]
    fn every_four_ends_of_ranges() {
        let mut accepted = 0;
        for number in 0..ENDS.len().pow(4) {
            let four = [0, 1, 2, 3].map(|place| ENDS[number / ENDS.len().pow(place) % ENDS.len()]);
            let mut bytes = [b'a'; 127];
            let at = number % 124;
            bytes[at..at + 4].copy_from_slice(&four);
            let whole = if number % 3 == 0 { &bytes[..at + 4] } else { &bytes[..] };
            accepted += usize::from(check(whole));
        }
        assert!(accepted > 1000, "{accepted}");
    }

    #[test]
    fn a_million_short_inputs() {
        let mut random = 1_u64;
        let mut below = move |end: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % end
        };
        let pieces: Vec<&[u8]> = [
            "a",
            "\u{7F}",
            "\u{80}",
            "\u{7FF}",
            "\u{800}",
            "\u{D7FF}",
            "\u{E000}",
            "\u{FFFF}",
            "\u{10000}",
            "😀",
        ]
        .iter()
        .map(|piece| piece.as_bytes())
        .chain([&b"\xED\xA0\x80"[..], b"\xF4\x90\x80\x80", b"\xE0\x9F\xBF", b"\xC1\xBF", b"\xF0\x8F\xBF\xBF"])
        .collect();
        let (mut bytes, mut accepted) = (Vec::new(), 0);
        for _ in 0..1_000_000 {
            bytes.clear();
            let (length, kinds) = (below(128), if below(8) == 0 { pieces.len() } else { 10 });
            while bytes.len() < length {
                bytes.extend_from_slice(pieces[below(kinds)]);
            }
            if below(2) == 0 {
                bytes.truncate(length);
            }
            if below(3) == 0 && !bytes.is_empty() {
                let at = below(bytes.len());
                bytes[at] = below(256) as u8;
            }
            accepted += usize::from(check(&bytes));
        }
        assert!((200_000..900_000).contains(&accepted), "{accepted}");
    }
}
