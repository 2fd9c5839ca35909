//! Decodes UTF-8 that has been checked. It checks nothing.

mod ascii;
#[cfg(target_arch = "x86_64")]
mod avx2;
mod short;
mod sixteen;

#[cfg(target_arch = "x86_64")]
use super::processor::has_avx2;
use super::vector::{Vector, Wide};

pub(in super::super) use ascii::ascii;

/// Returns the number of characters of a text.
pub(in super::super) fn count(text: &str) -> usize {
    text.chars().count()
}

/// Writes the characters of `text`, and perhaps a NUL.
///
/// # Safety
/// `to` has room for as many characters as [`count`] says and one more.
pub(in super::super) unsafe fn characters(text: &str, to: *mut u32) {
    // SAFETY: the caller's promise.
    unsafe {
        if text.is_ascii() {
            return ascii(text.as_bytes(), to);
        }
        #[cfg(target_arch = "x86_64")]
        if has_avx2() {
            return avx2::characters(text, to);
        }
        if Wide::can_pick() {
            return sixteen::characters::<Wide>(text, to);
        }
        scalar(text, to);
    }
}

/// Writes the characters of a short text and a NUL behind them, into the room that `room` returns for their
/// number. Returns `None` for longer texts, and `Some(None)` where there is no room.
///
/// # Safety
/// `room` returns room for as many characters as it is asked for and one more.
#[inline]
pub(in super::super) unsafe fn short(
    text: &str,
    room: impl FnOnce(usize) -> Option<*mut u32>,
) -> Option<Option<()>> {
    if text.len() <= short::LONGEST && Wide::can_pick() {
        // SAFETY: the processor has it; the caller's promise.
        return Some(unsafe { short::characters::<Wide>(text, room) });
    }
    None
}

/// Writes one character at a time.
///
/// # Safety
/// The caller's promise is that of [`characters`].
unsafe fn scalar(text: &str, to: *mut u32) {
    for (at, c) in text.chars().enumerate() {
        // SAFETY: the caller's promise.
        unsafe { to.add(at).write(u32::from(c)) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raw::kernels::vector::{FEW, Plain};

    type Kernel = unsafe fn(&str, *mut u32);

    fn check(text: &str) {
        let expected: Vec<u32> = text.chars().map(u32::from).collect();
        assert_eq!(count(text), expected.len());
        // An empty text is ASCII, which has a kernel of its own.
        for kernel in kernels(expected.len()).into_iter().take(if text.is_empty() { 1 } else { usize::MAX }) {
            let mut made = vec![u32::MAX; expected.len() + 17];
            // SAFETY: there is room for every character and a NUL, and more.
            unsafe { kernel(text, made.as_mut_ptr()) };
            let (made, behind) = made.split_at(expected.len());
            assert_eq!(made, expected, "{text}");
            assert!(matches!(behind[0], 0 | u32::MAX), "the NUL of {text}");
            assert_eq!(behind[1..], [u32::MAX; 16], "written behind {text}");
        }
        check_short(text, &expected);
        if text.is_ascii() {
            let mut made = vec![u32::MAX; expected.len() + 16];
            // SAFETY: there is room for as many characters.
            unsafe { ascii(text.as_bytes(), made.as_mut_ptr()) };
            assert_eq!(made.split_at(expected.len()), (&*expected, &[u32::MAX; 16][..]), "{text}");
        }
    }

    fn check_short(text: &str, expected: &[u32]) {
        let mut made = vec![u32::MAX; expected.len() + 17];
        let first = made.as_mut_ptr();
        let room = |count: usize| {
            assert_eq!(count, expected.len(), "{text}");
            Some(first)
        };
        // SAFETY: there is room for every character and a NUL, and more.
        if let Some(written) = unsafe { short(text, room) } {
            assert_eq!(written, Some(()));
            let (made, behind) = made.split_at(expected.len());
            assert_eq!(made, expected, "{text}");
            assert_eq!(behind[0], 0, "the NUL of {text}");
            assert_eq!(behind[1..], [u32::MAX; 16], "written behind {text}");
            // SAFETY: there is no room, and nothing is written.
            assert_eq!(unsafe { short(text, |_| None) }, Some(None), "no room for {text}");
        }
    }

    /// Returns every kernel of this processor that takes `count` characters.
    fn kernels(count: usize) -> Vec<Kernel> {
        let mut kernels: Vec<Kernel> = vec![characters, scalar];
        if Wide::can_pick() {
            kernels.push(sixteen::characters::<Wide>);
            kernels.extend((count <= FEW).then_some(sixteen::characters::<Plain> as Kernel));
        }
        // SAFETY: the processor has it; the caller's promise.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            if has_avx2() {
                kernels.push(|text, to| avx2::characters(text, to));
            }
        }
        kernels
    }

    #[test]
    fn all_kernels_agree() {
        crate::raw::kernels::samples::for_each_text(|text| check(&text.iter().collect::<String>()));
    }

    #[test]
    fn every_character_at_every_place() {
        let others = ["a", "ж", "漢", "😀"];
        for place in 0..20 {
            for code in ['A', '\u{7F}', '\u{80}', '\u{7FF}', '\u{800}', '\u{FFFF}', '\u{10000}', '\u{10FFFF}']
            {
                for other in others {
                    check(&format!("{}{code}{}", other.repeat(place), other.repeat(20 - place)));
                }
            }
        }
        for other in others {
            (0..120).for_each(|length| check(&other.repeat(length)));
            (0..120).for_each(|length| check(&format!("{}a", other.repeat(length))));
            (0..120).for_each(|length| check(&format!("ab{}", other.repeat(length))));
        }
    }

    /// Tests one other character at every position of a long run of characters of three bytes, and at both
    /// ends of the run.
    #[test]
    fn every_place_in_a_long_run() {
        for other in ["", "a", "ж", "\u{800}", "\u{FFFF}", "😀", "\u{10FFFF}"] {
            for place in 250..400 {
                check(&format!("{}{other}{}", "漢".repeat(place), "\u{FFFF}".repeat(250)));
                let before = other.repeat(1 + place % 4);
                check(&format!("{before}{}{other}{}", "漢".repeat(400 + place), "\u{FFFF}".repeat(80)));
            }
            (0..300).for_each(|length| check(&format!("{}{other}", "漢".repeat(700 + length))));
        }
    }

    #[test]
    fn every_order_of_lengths_in_blocks() {
        const OF_EACH_LENGTH: [[char; 2]; 4] =
            [['a', '\u{7F}'], ['\u{80}', '\u{7FF}'], ['\u{800}', '\u{FFFF}'], ['\u{10000}', '\u{10FFFF}']];
        for order in 0..256 {
            let four: String =
                (0..4).map(|at| OF_EACH_LENGTH[order >> (at * 2) & 3][(order + at) % 2]).collect();
            for before in ["", "a", "ab", "abc"] {
                let text = format!("{before}{}", four.repeat(30));
                check(&text);
                text.char_indices()
                    .map(|(end, _)| end)
                    .filter(|end| *end <= 70)
                    .for_each(|end| check(&text[..end]));
            }
        }
    }
}
