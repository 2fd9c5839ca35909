//! Holds the numbers of a vector or packed array until all of them are there.

/// Takes bytes, as far as there is room.
pub(super) trait ByteSink {
    /// Whether they went in.
    fn put(&mut self, bytes: &[u8]) -> bool;
}

impl ByteSink for Vec<u8> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) -> bool {
        self.extend_from_slice(bytes);
        true
    }
}

/// Bytes of the largest vector or matrix, a Projection of doubles.
const LARGEST: usize = 128;

/// Room for one vector or matrix, without memory of its own.
#[derive(Debug)]
pub(super) struct SmallBuffer {
    bytes: [u8; LARGEST],
    used: usize,
}

impl Default for SmallBuffer {
    fn default() -> SmallBuffer {
        SmallBuffer { bytes: [0; LARGEST], used: 0 }
    }
}

impl SmallBuffer {
    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.used).unwrap_or_default()
    }
}

impl ByteSink for SmallBuffer {
    #[inline]
    fn put(&mut self, bytes: &[u8]) -> bool {
        let end = self.used.saturating_add(bytes.len());
        let Some(place) = self.bytes.get_mut(self.used..end) else { return false };
        place.copy_from_slice(bytes);
        self.used = end;
        true
    }
}
