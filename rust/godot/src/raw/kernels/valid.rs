//! Checks whether short bytes are UTF-8, 16 at a time. The fallback is [`std::str::from_utf8`].
//!
//! Three tables, each indexed by half a byte, give the kinds of errors that two bytes may form; a kind that
//! all three give is an error. The method is that of Keiser and Lemire, "Validating UTF-8 In Less Than One
//! Instruction Per Byte".

use super::vector::{Vector, WIDTH, Wide};
use super::window::{joined, slid};

/// The length of the longest text; longer ones have a validator that takes more bytes at a time.
const LONGEST: usize = 127;

/// Returns the bytes as text. The outer `None` says that this processor lacks the instructions, or that there
/// are too many bytes; the inner that they are no text.
#[inline]
pub(crate) fn short(bytes: &[u8]) -> Option<Option<&str>> {
    if bytes.len() <= LONGEST && Wide::can_pick() {
        // SAFETY: the processor has the instructions, and valid bytes are text.
        return Some(unsafe { is_valid::<Wide>(bytes).then(|| std::str::from_utf8_unchecked(bytes)) });
    }
    None
}

/// The kinds of two bytes that cannot follow one another. Each kind has the upper halves of the first byte,
/// its lower halves, and the upper halves of the second, a bit for each value.
const KINDS: [[u16; 3]; 8] = {
    const ANY: u16 = 0xFFFF;
    const BEHIND: u16 = 0x0F00;
    [
        // There are fewer bytes than announced.
        [0xF000, ANY, !BEHIND],
        // There are more bytes: none was announced.
        [0x00FF, ANY, BEHIND],
        // The form of two or three bytes is overlong, or the character is a surrogate.
        [1 << 0xC, 0b11, BEHIND],
        [1 << 0xE, 1, 0x0300],
        [1 << 0xE, 1 << 0xD, 0x0C00],
        // The code is beyond the last character.
        [1 << 0xF, 0xFFF0, 0x0E00],
        // The code is beyond the last character, or its form is overlong.
        [1 << 0xF, 0xFFE1, 0x0100],
        // The two bytes are right only as the end of three or four bytes.
        [BEHIND, ANY, BEHIND],
    ]
};

/// The kinds that a byte may belong to, by half a byte. The last kind is the top bit.
static TABLES: [[u8; WIDTH]; 3] = {
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
/// The processor [can shuffle](Vector::can_pick).
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,popcnt"))]
unsafe fn is_valid<V: Vector>(bytes: &[u8]) -> bool {
    // SAFETY: each load lies within the bytes. Zeros behind them end an incomplete character.
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

/// Returns a vector that is not zero where a byte cannot follow the three before it.
///
/// # Safety
/// The caller's promise is that of [`is_valid`].
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,popcnt"))]
#[inline]
unsafe fn wrong<V: Vector>(bytes: V, before: V) -> V {
    // SAFETY: the caller's promise; tables of 16 bytes.
    unsafe {
        let table = |number: usize, half: V| V::load(TABLES[number].as_ptr()).picked(half);
        let first = bytes.behind::<15>(before);
        let kinds = table(0, first.upper_halves()).and(table(1, first.and(V::bytes(0x0F))));
        let kinds = kinds.and(table(2, bytes.upper_halves()));
        // The top bit stays set for bytes of 0xE0 and more, and of 0xF0 and more: it marks the third byte and
        // the fourth.
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

    /// Checks the kernels, and tells whether the bytes are text.
    #[track_caller]
    fn check(bytes: &[u8]) -> bool {
        let expected = std::str::from_utf8(bytes).ok();
        if let Some(read) = short(bytes) {
            assert_eq!(read, expected, "{bytes:x?}");
            if bytes.len() <= FEW {
                // SAFETY: the processor can shuffle, else the text would not have been read.
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

    /// Tests the ends of every range that the standard names, four of them in a row, at every position of a
    /// window and at the end of a text.
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
    fn short_inputs_get_the_verdict_of_the_standard_library() {
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
        let count = if std::env::var_os("VARIANT_LONG").is_some() { 1_000_000 } else { 100_000 };
        for _ in 0..count {
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
        assert!((count / 5..count / 10 * 9).contains(&accepted), "{accepted} of {count}");
    }
}
