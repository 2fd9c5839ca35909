//! Guesses what refused bytes look like: another dialect, a frame, a value behind a header, another kind of
//! file. It is called after a refusal, and quotes nothing of the bytes.
//!
//! ```text
//! first bytes and size ─► Head ─┬─ framing   lengths before values, or none; cut off
//!                               ├─ kind      JSON, gzip, resources ...
//!                               ├─ behind    a value behind a header
//!                               └─ rank      which of several readings is the likeliest
//! ```
//! Every caller adds its own advice: the game in the extension's messages, the command line in `gdvar`'s
//! hints.

mod framing;
mod head;
mod kind;
mod offset;
mod rank;

use variant_core::{Dialect, ErrorKind, Framing};

pub use framing::{FrameStart, are_lengths, begun, framing_of, guess_framing};
pub use head::{InputHead, LOOKED_AT};
pub use kind::FileKind;
pub use offset::behind;
pub use rank::{Fit, rank};

/// The bytes at the beginning that are enough for a guess: more than any value has that is made of numbers
/// alone, so that whatever is behind such a value is read.
pub const ENOUGH: usize = 96;

/// Says what bytes look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Looks {
    /// There are no bytes.
    Empty,
    /// A value of this dialect, or the beginning of one that goes on.
    Dialect(Dialect),
    /// A value with its length before it: whole, or cut off.
    Framed(FrameStart),
    /// A value with nothing before it, where its length should stand.
    Unframed(Dialect),
    /// A file or text of another kind.
    Kind(FileKind),
    /// A value behind this many bytes.
    Behind(u64),
}

impl Looks {
    /// Guesses what an input looks like that should have been a value of this dialect, with nothing before
    /// it. `None` means that it is one, with another fault, or that it looks like nothing known.
    #[must_use]
    pub fn of(head: &InputHead<'_>, dialect: Dialect) -> Option<Looks> {
        if head.bytes().is_empty() {
            return Some(Looks::Empty);
        }
        if head.goes_on(dialect) {
            return None;
        }
        // A cut value would now and then be a whole one by the ids that no engine uses.
        let is_usual = |other: &Dialect| *other != Dialect::Documented || !head.is_cut(dialect);
        let other = Dialect::ALL.into_iter().filter(is_usual).find(|dialect| head.goes_on(*dialect));
        other
            .map(Looks::Dialect)
            .or_else(|| begun(head, dialect).map(Looks::Framed))
            .or_else(|| FileKind::of(head.bytes(), head.size()).map(Looks::Kind))
            // Ends of values are values as well.
            .or_else(|| behind(head).filter(|_| !head.begins(dialect)).map(Looks::Behind))
    }

    /// Whether bytes that were refused so may be something else at all. Where only their form is wrong, they are what they
    /// were read as: another dialect asks less of it.
    #[must_use]
    pub const fn may_help(kind: ErrorKind) -> bool {
        !matches!(
            kind,
            ErrorKind::DirtyPadding
                | ErrorKind::LeadingBom
                | ErrorKind::EmbeddedNul
                | ErrorKind::DuplicateKey
                | ErrorKind::WrongElementType { .. }
                | ErrorKind::NotCanonical
        )
    }

    /// Guesses what an input looks like in which the length of a value should stand first.
    #[must_use]
    pub fn of_framed(head: &InputHead<'_>, framing: Framing, dialect: Dialect) -> Option<Looks> {
        if head.bytes().is_empty() {
            return Some(Looks::Empty);
        }
        if let Some(begun) = begun(head, dialect) {
            let is_so = begun.framing == framing && begun.dialect == dialect && begun.is_whole();
            return (!is_so).then_some(Looks::Framed(begun));
        }
        let unframed = || {
            let dialects = [dialect].into_iter().chain(Dialect::ALL);
            dialects.into_iter().find(|dialect| head.goes_on(*dialect)).map(Looks::Unframed)
        };
        FileKind::of(head.bytes(), head.size()).map(Looks::Kind).or_else(unframed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn looks(bytes: &[u8]) -> Option<Looks> {
        let looks = Looks::of(&InputHead::of(bytes), Dialect::Godot4);
        // A few bytes and the size give the same guess.
        let head = InputHead::new(&bytes[..bytes.len().min(ENOUGH)], bytes.len() as u64);
        assert_eq!(Looks::of(&head, Dialect::Godot4), looks, "{bytes:?}");
        looks
    }

    #[test]
    fn bytes_that_begin_with_their_own_length_are_told() {
        let value = words(&[27, 1, 4, 2, u32::from_le_bytes(*b"hp\0\0"), 2, 1]);
        for (framing, length) in
            [(Framing::U32, 28_u32.to_le_bytes()), (Framing::U32Be, 28_u32.to_be_bytes())]
        {
            let begun = FrameStart { framing, dialect: Dialect::Godot4, declared: 28, there: 28 };
            assert_eq!(looks(&[&length[..], &value].concat()), Some(Looks::Framed(begun)));
            let cut = FrameStart { there: 20, ..begun };
            assert_eq!(looks(&[&length[..], &value[..20]].concat()), Some(Looks::Framed(cut)));
            let large = [&words(&[29, 800])[..], &[9; 800]].concat();
            let length = if framing == Framing::U32 { 808_u32.to_le_bytes() } else { 808_u32.to_be_bytes() };
            let begun = FrameStart { declared: 808, there: 808, ..begun };
            assert_eq!(looks(&[&length[..], &large].concat()), Some(Looks::Framed(begun)));
        }
        let record = [&words(&[16, 4, 6])[..], b"sec"].concat();
        let begun = FrameStart { framing: Framing::U32, dialect: Dialect::Godot4, declared: 16, there: 11 };
        assert_eq!(looks(&record), Some(Looks::Framed(begun)));
    }

    #[test]
    fn values_of_godot_3_are_told() {
        let root = [&words(&[18, 1, 4, 2])[..], b"hp\0\0", &words(&[2, 9])].concat();
        assert_eq!(looks(&root), Some(Looks::Dialect(Dialect::Godot3)));
        let long = words(&[19, 100].into_iter().chain([2, 7].repeat(100)).collect::<Vec<_>>());
        assert_eq!(looks(&long), Some(Looks::Dialect(Dialect::Godot3)));
    }

    #[test]
    fn other_files_and_values_behind_a_header_are_told() {
        assert_eq!(looks(b"{\"hp\": 80}"), Some(Looks::Kind(FileKind::Json)));
        assert_eq!(looks(b"\x1F\x8B\x08\x08\0\0\0\0"), Some(Looks::Kind(FileKind::Gzip)));
        assert_eq!(looks(&[&[5][..], &words(&[2, 7])].concat()), Some(Looks::Behind(1)));
        assert_eq!(looks(b""), Some(Looks::Empty));
    }

    /// Tests that a value which a limit or a schema refuses looks like nothing else.
    #[test]
    fn nothing_is_told_of_a_value_and_of_what_is_unknown() {
        assert_eq!(looks(&words(&[24, 4, u32::from_le_bytes(*b"Node"), 0])), None);
        assert_eq!(looks(&words(&[99, 99, 99])), None);
        assert_eq!(looks(&words(&[27, 1, 4, 4, u32::from_le_bytes(*b"name")])), None);
    }

    #[test]
    fn values_without_a_length_are_told_where_one_is_expected() {
        let of = |bytes: &[u8], framing| Looks::of_framed(&InputHead::of(bytes), framing, Dialect::Godot4);
        let value = words(&[27, 1, 4, 2, u32::from_le_bytes(*b"hp\0\0"), 2, 1]);
        assert_eq!(of(&value, Framing::U32), Some(Looks::Unframed(Dialect::Godot4)));
        let framed = [&28_u32.to_le_bytes()[..], &value].concat();
        assert_eq!(of(&framed, Framing::U32), None);
        let begun = FrameStart { framing: Framing::U32, dialect: Dialect::Godot4, declared: 28, there: 28 };
        assert_eq!(of(&framed, Framing::U32Be), Some(Looks::Framed(begun)));
        let cut = FrameStart { there: 20, ..begun };
        assert_eq!(of(&framed[..24], Framing::U32), Some(Looks::Framed(cut)));
        assert_eq!(of(b"[1, 2]", Framing::U32), Some(Looks::Kind(FileKind::Json)));
    }

    #[test]
    fn where_all_makes_sense_in_both_ways_there_are_lengths() {
        // These are Rect2i(2, 5, 8, 2) and null, or the ints 5 and 0; an empty text, or null.
        for stream in [&words(&[8, 2, 5, 8, 2, 0]), &words(&[4, 0])] {
            assert!(are_lengths(&InputHead::of(stream), Framing::U32), "{stream:?}");
            assert_eq!(guess_framing(stream), Framing::U32, "{stream:?}");
        }
        // Its size is its header as well, but nothing behind that is a value.
        let array = words(&[28, 3, 2, 1, 2, 2, 2, 3]);
        assert!(!are_lengths(&InputHead::of(&array), Framing::U32));
    }
}
