//! Whether bytes are UTF-8. The plain twin is [`std::str::from_utf8`].

#[cfg(target_arch = "x86_64")]
mod avx512;
mod short;

pub(crate) use short::short;

/// Bytes from which on the core wants to know of no NUL, and the kernel for 64 of them is worth it.
pub(crate) const LONG: usize = 1024;

/// The bytes as text without NUL; `None` where they are none, or this processor lacks what it takes, or they are too few.
#[inline]
pub(crate) fn long(bytes: &[u8]) -> Option<Option<&str>> {
    counted(bytes).map(|read| read.map(|(text, _)| text))
}

/// The same, with how many characters it has.
#[inline]
pub(in super::super) fn counted(bytes: &[u8]) -> Option<Option<(&str, usize)>> {
    #[cfg(target_arch = "x86_64")]
    if bytes.len() >= LONG && super::processor::has_avx512() {
        // SAFETY: the processor has it, and so many bytes are there; what is valid is text.
        return Some(unsafe {
            avx512::characters(bytes).map(|count| (std::str::from_utf8_unchecked(bytes), count))
        });
    }
    let _ = bytes;
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ends of every range that the standard names.
    pub(super) const ENDS: [u8; 22] = [
        0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
        0xEF, 0xF0, 0xF4, 0xF5, 0xFF,
    ];
    const FILLING: [&str; 8] = ["a", "ж", "漢", "\u{800}", "\u{D7FF}", "\u{E000}", "😀", "\u{10FFFF}"];

    /// Whether they are text without NUL. There are at least as many as a register has.
    #[track_caller]
    fn check(bytes: &[u8]) -> bool {
        let expected = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
        #[cfg(target_arch = "x86_64")]
        if super::super::processor::has_avx512() {
            // SAFETY: the processor has it, and so many bytes are there.
            let characters = unsafe { avx512::characters(bytes) };
            assert_eq!(characters, expected.map(|text| text.chars().count()), "{bytes:x?}");
            assert_eq!(long(bytes), (bytes.len() >= LONG).then_some(expected));
        }
        expected.is_some()
    }

    #[test]
    fn every_end_of_a_range_at_every_place() {
        let mut accepted = 0;
        for filling in FILLING {
            for length in (128..=131).chain([191, 192, 193, 319, 320, 321, 600, 1400]) {
                let mut bytes = filling.repeat(length).into_bytes();
                bytes.truncate(length);
                accepted += usize::from(check(&bytes));
                for at in 0..length {
                    let before = bytes[at];
                    for byte in ENDS {
                        bytes[at] = byte;
                        accepted += usize::from(check(&bytes));
                    }
                    bytes[at] = before;
                }
            }
        }
        assert!(accepted > 10_000, "{accepted}");
    }

    /// Every first and second byte among characters of three bytes, in every place that such a character has in a run.
    #[test]
    fn every_two_bytes_among_threes() {
        let mut accepted = 0;
        for (first, second) in (0..=255_u8).flat_map(|first| (0..=255).map(move |second| (first, second))) {
            for before in 0..3 {
                let mut bytes = "a".repeat(before).into_bytes();
                bytes.extend("漢".repeat(150).into_bytes());
                let at = before + 3 * ((usize::from(first) * 89 + usize::from(second) * 7 + before) % 150);
                bytes[at..at + 2].copy_from_slice(&[first, second]);
                accepted += usize::from(check(&bytes));
            }
        }
        assert!(accepted > 1000, "{accepted}");
    }

    #[test]
    fn every_four_ends_of_ranges() {
        let mut accepted = 0;
        for number in 0..ENDS.len().pow(4) {
            let four = [0, 1, 2, 3].map(|place| ENDS[number / ENDS.len().pow(place) % ENDS.len()]);
            let mut bytes = FILLING[number % 3].repeat(402 / (number % 3 + 1)).into_bytes();
            let at = number % 67 * 6;
            bytes[at..at + 4].copy_from_slice(&four);
            let whole = if at > 128 && number % 5 == 0 { &bytes[..at + 4] } else { &bytes[..] };
            accepted += usize::from(check(whole));
        }
        assert!(accepted > 500, "{accepted}");
    }

    /// What is not whole stands at every distance from a run of characters of three bytes.
    #[test]
    fn no_run_hides_what_is_before_it() {
        for begun in ["", "C3", "E6", "E6BC", "F0", "F09F", "F09F98", "80", "00"] {
            let begun: Vec<u8> = (0..begun.len() / 2)
                .map(|at| u8::from_str_radix(&begun[at * 2..at * 2 + 2], 16).unwrap())
                .collect();
            for before in 0..400 {
                let text = [&b"a".repeat(before), &*begun, "漢".repeat(200).as_bytes()].concat();
                assert_eq!(check(&text), begun.is_empty(), "{begun:x?} behind {before}");
                let text = [text.as_slice(), &begun].concat();
                assert_eq!(check(&text), begun.is_empty(), "{begun:x?} behind {before}, and at the end");
            }
        }
    }

    #[test]
    fn many_long_inputs() {
        let mut random = 1_u64;
        let mut below = move |end: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % end
        };
        let refused: [&[u8]; 6] =
            [b"\xED\xA0\x80", b"\xF4\x90\x80\x80", b"\xE0\x9F\xBF", b"\xC1\xBF", b"\xF0\x8F\xBF\xBF", b"\0"];
        let (mut bytes, mut accepted) = (Vec::new(), 0);
        for _ in 0..20_000 {
            bytes.clear();
            // At every distance from where a register would be loaded best.
            let most = if below(10) == 0 { 6000 } else { 900 };
            let (start, length) = (below(64), 128 + below(most));
            while bytes.len() < start + length {
                let piece = FILLING[below(FILLING.len())].repeat(below(300));
                bytes.extend_from_slice(piece.as_bytes());
                if below(20) == 0 {
                    bytes.extend_from_slice(refused[below(refused.len())]);
                }
            }
            if below(4) == 0 {
                bytes.truncate(start + length);
            }
            if below(4) == 0 {
                let at = start + below(bytes.len() - start);
                bytes[at] = below(256) as u8;
            }
            let start = (start..start + 4).find(|start| bytes[*start] & 0xC0 != 0x80).unwrap_or(start);
            accepted += usize::from(check(&bytes[start..]));
        }
        assert!((5000..17_000).contains(&accepted), "{accepted}");
    }
}
