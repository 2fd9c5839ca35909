//! Remembers where in the output each StringName of this call was written, by the identity of the name.
//!
//! Names are interned: two equal ones are one record. The table is small and each name has a single place in
//! it; a name that lost its place is written once more.

use variant_core::Trick;

/// A power of two.
const ENTRIES: usize = 128;

/// Where a whole value stands in the output, header included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub(super) at: usize,
    pub(super) bytes: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    name: usize,
    /// The call in which it was written: of an older one nothing stands any more.
    call: u64,
    known: Written,
}

#[derive(Debug, Default)]
pub(super) struct Names {
    entries: Vec<Entry>,
    call: u64,
}

impl Names {
    pub(super) fn for_one_call(&mut self) -> &mut Names {
        self.call += 1;
        self
    }

    #[inline]
    pub(super) fn find(&self, name: usize) -> Option<Written> {
        let entry = self.entries.get(slot(name))?;
        (entry.name == name && entry.call == self.call && !Trick::WrittenNames.is_off())
            .then_some(entry.known)
    }

    #[inline]
    pub(super) fn remember(&mut self, name: usize, known: Written) {
        if self.entries.is_empty() {
            let empty = Entry { name: 0, call: 0, known: Written { at: 0, bytes: 0 } };
            self.entries.resize(ENTRIES, empty);
        }
        self.entries[slot(name)] = Entry { name, call: self.call, known };
    }
}

/// Records are blocks of some 64 bytes.
const fn slot(name: usize) -> usize {
    (name >> 6 ^ name >> 13) % ENTRIES
}
