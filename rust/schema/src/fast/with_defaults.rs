//! FilledBytes: bytes as they were, with what the schema fills in and declares. It copies, and knows no schema.

use variant_core::token::{Container, ContainerType, Writer};
use variant_core::{Target, VariantType};

/// Bytes of the value that decoding is to make of others; keep it and use it again: no allocation once warm.
#[derive(Debug, Default)]
pub struct FilledBytes {
    /// Where a word is to be another one.
    words: Vec<(usize, u32)>,
    /// Where something is to be added, in order, and where that ends in `added`.
    places: Vec<(usize, usize)>,
    added: Vec<u8>,
    /// The bytes with their words changed.
    changed: Vec<u8>,
    bytes: Vec<u8>,
}

impl FilledBytes {
    /// Nothing is to be changed yet.
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.places.clear();
        self.added.clear();
        self.bytes.clear();
    }

    pub(super) fn set_word(&mut self, at: usize, word: u32) {
        self.words.push((at, word));
    }

    /// Adds bytes behind those before `at`. Places come in order.
    pub(super) fn add(&mut self, at: usize, bytes: &[u8]) {
        self.added.extend_from_slice(bytes);
        self.places.push((at, self.added.len()));
    }

    pub(super) fn apply(&mut self, bytes: &[u8]) {
        self.changed.clear();
        self.changed.extend_from_slice(bytes);
        for (at, word) in &self.words {
            if let Some(slot) = self.changed.get_mut(*at..).and_then(<[u8]>::first_chunk_mut) {
                *slot = word.to_le_bytes();
            }
        }
        let (mut from, mut added) = (0, 0);
        for (at, end) in &self.places {
            self.bytes.extend_from_slice(self.changed.get(from..*at).unwrap_or_default());
            self.bytes.extend_from_slice(self.added.get(added..*end).unwrap_or_default());
            (from, added) = (*at, *end);
        }
        self.bytes.extend_from_slice(self.changed.get(from..).unwrap_or_default());
    }

    /// The bytes, after a verdict that they are others.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The header of an Array of such elements, and the word behind it.
pub(super) fn typed_array(ty: VariantType) -> (u32, [u8; 4]) {
    let mut head = Vec::new();
    let opening = Container::Array { element: ContainerType::Builtin(ty), count: 0 };
    Writer::new(&mut head, Target::default()).open(&opening);
    let word = |at: usize| head.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or_default();
    (u32::from_le_bytes(word(0)), word(4))
}
