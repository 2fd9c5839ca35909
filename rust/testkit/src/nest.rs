//! Makes deeply nested blobs for tests of depth and stack: one container in another, a nil innermost.

/// Names the kind of container at a level of a nested blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// An Array of one element.
    Array,
    /// A Dictionary of one entry whose value is the inner level and whose key is nil.
    Value,
    /// A Dictionary of one entry whose key is the inner level and whose value is nil.
    Key,
    /// An Object of one property.
    Object,
}

impl Level {
    /// Lists every kind of level.
    pub const ALL: [Level; 4] = [Level::Array, Level::Value, Level::Key, Level::Object];

    /// Returns the header, the count, and everything else before the child.
    const fn head(self) -> &'static [u8] {
        match self {
            Level::Array => b"\x1c\0\0\0\x01\0\0\0",
            Level::Value => b"\x1b\0\0\0\x01\0\0\0\0\0\0\0",
            Level::Key => b"\x1b\0\0\0\x01\0\0\0",
            Level::Object => b"\x18\0\0\0\x04\0\0\0Node\x01\0\0\0\x01\0\0\0p\0\0\0",
        }
    }

    /// Returns the bytes after the child.
    const fn tail(self) -> &'static [u8] {
        match self {
            Level::Key => b"\0\0\0\0",
            _ => b"",
        }
    }
}

/// Makes `containers` containers around one nil, the kinds taken in turn: `containers + 1` levels in all.
#[must_use]
pub fn nested(kinds: &[Level], containers: usize) -> Vec<u8> {
    let levels: Vec<Level> = kinds.iter().copied().cycle().take(containers).collect();
    let mut bytes: Vec<u8> = levels.iter().flat_map(|level| level.head()).copied().collect();
    bytes.extend([0; 4]);
    bytes.extend(levels.iter().rev().flat_map(|level| level.tail()));
    bytes
}
