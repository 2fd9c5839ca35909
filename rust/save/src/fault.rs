//! Says why a save was refused: its kind, the byte where that shows, and a sentence.

use std::borrow::Cow;
use std::fmt;

/// Lists the kinds of refusal that people and programs react to differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The file does not begin as a save does.
    NotASave,
    /// Bytes were changed: a checksum does not fit, or the parts contradict each other.
    Damaged,
    /// The file ends before its last chunk does.
    CutShort,
    /// A newer version of this library wrote it.
    Newer,
    /// It needs a password or a key, or another one than was given.
    WrongKey,
    /// It was changed by somebody who did not have the key.
    NotAuthentic,
    /// It holds more bytes than were allowed.
    TooLarge,
    /// The caller stopped the opening.
    Stopped,
}

impl Kind {
    /// Tells whether the bytes were lost or changed by accident, so that an older backup is the better
    /// choice. Every other kind of refusal means that the progress in the file is intact, or that somebody
    /// changed it on purpose.
    #[must_use]
    pub const fn is_damage(self) -> bool {
        matches!(self, Kind::NotASave | Kind::Damaged | Kind::CutShort)
    }
}

/// Describes a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveFault {
    /// The kind of the refusal.
    pub kind: Kind,
    /// The byte of the file where it shows.
    pub at: u64,
    /// The description of the fault, for people. It quotes nothing of the file.
    pub words: Cow<'static, str>,
}

impl SaveFault {
    pub(crate) fn new(kind: Kind, at: u64, words: impl Into<Cow<'static, str>>) -> SaveFault {
        SaveFault { kind, at, words: words.into() }
    }

    pub(crate) fn damaged(at: u64, words: impl Into<Cow<'static, str>>) -> SaveFault {
        SaveFault::new(Kind::Damaged, at, words)
    }
}

impl fmt::Display for SaveFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SaveFault { kind, at, words } = self;
        match kind {
            Kind::NotASave => write!(f, "this is no save: {words} (byte {at})"),
            Kind::Damaged => write!(f, "the save is damaged: {words} (byte {at})"),
            Kind::CutShort => write!(f, "the save is cut short: {words} (byte {at})"),
            Kind::Newer => write!(f, "a newer version wrote this save: {words} (byte {at})"),
            Kind::WrongKey => write!(f, "{words} (byte {at})"),
            Kind::NotAuthentic => write!(f, "this save was not written with the key: {words} (byte {at})"),
            Kind::TooLarge => write!(f, "the save is too large: {words} (byte {at})"),
            Kind::Stopped => write!(f, "{words} (byte {at})"),
        }
    }
}

impl std::error::Error for SaveFault {}
