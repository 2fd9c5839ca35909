//! KeySet: tells whether a Dictionary has had a key before, by the bytes, before any value is built.
//!
//! Two keys are one key when the engine's table would say so (FORMAT.md 5.1 rule 12; hash and comparison read in
//! 4.6.3's variant.cpp): ints by value whatever their width, 0.0 as -0.0, NaN as NaN, String as StringName, arrays
//! and dictionaries by their parts in order, two object ids never. Parts are compared more strictly than keys: there a
//! float that is NaN equals nothing, and a String no StringName. Each key is rewritten into a normal form in which "one
//! key" means "equal bytes". Memory is bounded by the key bytes present.

use std::hash::{BuildHasher, RandomState};

use super::ways::took;
use crate::flood::scratch::let_go;
use crate::token::{self, Container, Lanes, Leaf, Text};
use crate::wire::{Lane, Layout, RealWidth, VariantType, hash};

/// The most entries of a Dictionary whose keys are searched from end to end; larger ones have an index.
pub(super) const LINEAR: u32 = 16;
const EMPTY: u32 = u32::MAX;
/// The levels of a key that the engine compares. It tells deeper parts apart by a hash of 32 bits, and anybody can find
/// two of one hash: keys that are alike so far are one here.
const COMPARED_LEVELS: usize = 50;

#[derive(Clone, Copy, Debug)]
struct KeySpan {
    /// The whole key where it is a short text of a small Dictionary, else a hash of it.
    word: u128,
    /// Its normal form; empty for a key that its word holds.
    start: usize,
    end: usize,
}

/// Holds the keys of all open dictionaries in one arena, one list and one index, each used as a stack.
#[derive(Debug, Default)]
pub(super) struct KeySet {
    /// Normal forms, back to back.
    arena: Vec<u8>,
    entries: Vec<KeySpan>,
    /// Open addressing tables of the larger dictionaries, the innermost at the end.
    index: Vec<u32>,
    /// The keys that are being read: more than one when a key holds a dictionary.
    open: Vec<OpenKey>,
    /// A secret of this process: nobody outside can make keys that share a slot.
    secret: RandomState,
}

/// A key that is being read.
#[derive(Clone, Copy, Debug)]
struct OpenKey {
    /// Where its normal form begins.
    start: usize,
    /// The depth of its Dictionary.
    depth: usize,
}

/// Where a Dictionary's keys begin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marks {
    arena: usize,
    entries: usize,
    index: usize,
    /// Whether it declares more than [`LINEAR`] entries.
    is_large: bool,
}

impl KeySet {
    pub(super) fn let_go(&mut self) {
        self.clear();
        let_go(&mut self.arena);
        let_go(&mut self.entries);
        let_go(&mut self.index);
    }

    pub(super) fn clear(&mut self) {
        self.arena.clear();
        self.entries.clear();
        self.index.clear();
        self.open.clear();
    }

    /// Notes where the keys of a container that opens now begin.
    pub(super) fn marks(&self, container: &Container<'_>) -> Marks {
        let is_large = matches!(container, Container::Dictionary { count, .. } if *count > LINEAR);
        Marks { arena: self.arena.len(), entries: self.entries.len(), index: self.index.len(), is_large }
    }

    pub(super) fn begin_key(&mut self, depth: usize) {
        self.open.push(OpenKey { start: self.arena.len(), depth });
    }

    /// Ends the key that was begun last. `shared` is a hash of it that not many keys can have, if somebody
    /// counted; it is given for all keys of a Dictionary or for none. False when the Dictionary has it
    /// already; true when none was begun, since nobody asked.
    #[inline]
    pub(super) fn end_key(&mut self, marks: &Marks, shared: Option<u32>) -> bool {
        self.open.pop().is_none_or(|key| self.is_new(key.start, marks, shared))
    }

    fn is_new(&mut self, start: usize, marks: &Marks, shared: Option<u32>) -> bool {
        let end = self.arena.len();
        let key = self.arena.get(start..end).unwrap_or_default();
        if !marks.is_large
            && let Some(word) = short_text(key)
        {
            // Around it a key may be open that this one is a part of.
            if !self.is_recording() {
                self.arena.truncate(start);
            }
            return self.is_new_short(marks, word);
        }
        let hash = match shared {
            _ if !marks.is_large => fingerprint(key),
            Some(hash) => spread(hash),
            None => self.secret.hash_one(key),
        };
        let entry = KeySpan { word: u128::from(hash), start, end };
        let is_new = if marks.is_large {
            self.claim_slot(marks, &entry)
        } else {
            let known = self.entries.get(marks.entries..).unwrap_or_default();
            !known.iter().any(|other| self.same(other, &entry))
        };
        if !is_new {
            return false;
        }
        self.entries.push(entry);
        true
    }

    /// Tells whether a short text is new, given as one word, in a Dictionary of at most [`LINEAR`] entries.
    /// It writes nothing into the arena.
    #[inline]
    pub(super) fn is_new_short(&mut self, marks: &Marks, word: u128) -> bool {
        let known = self.entries.get(marks.entries..).unwrap_or_default();
        let is_it = |other: &KeySpan| {
            took("Compared", 1);
            other.word == word && other.start == other.end
        };
        if known.iter().any(is_it) {
            return false;
        }
        self.entries.push(KeySpan { word, start: 0, end: 0 });
        true
    }

    /// Forgets the keys of a Dictionary that is complete, unless it is itself part of a key.
    pub(super) fn close(&mut self, marks: &Marks) {
        self.entries.truncate(marks.entries);
        self.index.truncate(marks.index);
        if self.open.is_empty() {
            self.arena.truncate(marks.arena);
        }
    }

    /// Forgets the parts of an Array or Dictionary at this depth that is complete, if it is too deep in a key for them to be
    /// compared.
    #[inline]
    pub(super) fn close_part(&mut self, marks: &Marks, depth: usize) {
        if let Some(key) = self.open.last()
            && depth.saturating_sub(key.depth) > COMPARED_LEVELS
        {
            self.arena.truncate(marks.arena);
        }
    }

    fn same(&self, a: &KeySpan, b: &KeySpan) -> bool {
        took("Compared", 1);
        a.word == b.word && self.arena.get(a.start..a.end) == self.arena.get(b.start..b.end)
    }

    /// Finds the free slot for an entry about to be pushed, and takes it. False when the key is there already.
    fn claim_slot(&mut self, marks: &Marks, entry: &KeySpan) -> bool {
        let count = self.entries.len().saturating_sub(marks.entries);
        let slots = self.index.len().saturating_sub(marks.index);
        if count.saturating_add(1).saturating_mul(2) > slots {
            self.grow(marks, count);
        }
        match self.probe(marks, entry) {
            Some(slot) => {
                self.set(slot, count);
                true
            }
            None => false,
        }
    }

    fn grow(&mut self, marks: &Marks, count: usize) {
        let slots = count.saturating_add(1).saturating_mul(4).next_power_of_two();
        self.index.truncate(marks.index);
        self.index.resize(marks.index.saturating_add(slots), EMPTY);
        for at in 0..count {
            let known = self.entries.get(marks.entries.saturating_add(at)).copied();
            if let Some(slot) = known.and_then(|entry| self.probe(marks, &entry)) {
                self.set(slot, at);
            }
        }
    }

    /// Returns the first free slot on the entry's way, or `None` when the same key lies on it.
    fn probe(&self, marks: &Marks, entry: &KeySpan) -> Option<usize> {
        let table = self.index.get(marks.index..).unwrap_or_default();
        let mask = table.len().wrapping_sub(1);
        let mut at = usize::try_from(entry.word & u128::from(u32::MAX)).unwrap_or(0) & mask;
        loop {
            let known = *table.get(at)?;
            if known == EMPTY {
                return Some(marks.index.saturating_add(at));
            }
            let known = usize::try_from(known).ok()?.saturating_add(marks.entries);
            if self.entries.get(known).is_some_and(|known| self.same(known, entry)) {
                return None;
            }
            at = at.wrapping_add(1) & mask;
        }
    }

    fn set(&mut self, slot: usize, entry: usize) {
        if let (Some(slot), Ok(entry)) = (self.index.get_mut(slot), u32::try_from(entry)) {
            *slot = entry;
        }
    }
}

/// Spreads a hash: the low half of the result, which the index goes by, depends on all bits of the hash.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32)
}

/// Returns the text of a normal form as one word, if it is a text and a short one.
fn short_text(key: &[u8]) -> Option<u128> {
    let (ty, rest) = key.split_first()?;
    let (_, text) = rest.split_first_chunk::<8>()?;
    let word = if *ty == VariantType::String.id() { token::short_word(text) } else { 0 };
    (word != 0).then_some(word)
}

/// Returns enough of a key to tell most keys of a small Dictionary apart: what it takes for equal is compared
/// byte by byte.
fn fingerprint(key: &[u8]) -> u64 {
    let length = u64::try_from(key.len()).unwrap_or(u64::MAX);
    let tail = key.last_chunk::<8>().map_or(0, |tail| u64::from_le_bytes(*tail));
    tail ^ length.rotate_left(56)
}

/// Writes the normal form. Every record begins with its type and tells its own length, so none is a prefix of another.
impl KeySet {
    pub(super) const fn is_recording(&self) -> bool {
        !self.open.is_empty()
    }

    /// Notes a leaf. `is_key`: it is itself a Dictionary's key, where String and StringName are one, and so is every NaN.
    pub(super) fn record_leaf(&mut self, leaf: &Leaf<'_>, is_key: bool, reals: RealWidth) {
        let ty = match leaf {
            Leaf::Text(..) if is_key => VariantType::String,
            other => other.ty(),
        };
        self.arena.push(ty.id());
        match leaf {
            Leaf::Nil | Leaf::Callable => {}
            Leaf::Bool(value) => self.arena.push(u8::from(*value)),
            Leaf::Int(value) => self.put(&value.to_le_bytes()),
            Leaf::Float(value) if value.is_nan() && !is_key => self.put(&self.nan_of_its_own()),
            Leaf::Float(value) => self.put(&hash::one_double(*value).to_le_bytes()),
            Leaf::Text(_, text) => self.put_text(text),
            Leaf::Math(ty, lanes) | Leaf::Packed(ty, lanes) => self.put_lanes(*ty, lanes, reals),
            Leaf::Rid(id) => self.put(&id.to_le_bytes()),
            Leaf::ObjectId(0) => self.put(&0u64.to_le_bytes()),
            // A new object is made for each id, so no two are the same key: the place in the arena sets them apart.
            Leaf::ObjectId(_) => self.put(&u64::try_from(self.arena.len()).unwrap_or(u64::MAX).to_le_bytes()),
            Leaf::Signal(name, object) => {
                self.put_text(name);
                self.put(&object.to_le_bytes());
            }
        }
    }

    pub(super) fn record_open(&mut self, container: &Container<'_>) {
        if !self.is_recording() {
            return;
        }
        self.arena.push(container.ty().id());
        match *container {
            Container::Array { count, .. }
            | Container::Dictionary { count, .. }
            | Container::PackedStrings { count } => self.put(&count.to_le_bytes()),
            Container::Object { count, .. } => {
                // Each object is a new one, as with ids.
                self.put(&u64::try_from(self.arena.len()).unwrap_or(u64::MAX).to_le_bytes());
                self.put(&count.to_le_bytes());
            }
            Container::NodePath { absolute, names, subnames } => {
                self.arena.push(u8::from(absolute));
                self.put(&names.to_le_bytes());
                self.put(&subnames.to_le_bytes());
            }
        }
    }

    pub(super) fn record_text(&mut self, text: &Text<'_>) {
        if self.is_recording() {
            self.put_text(text);
        }
    }

    fn put_text(&mut self, text: &Text<'_>) {
        self.put(&u64::try_from(text.as_bytes().len()).unwrap_or(u64::MAX).to_le_bytes());
        self.put(text.as_bytes());
    }

    fn put_lanes(&mut self, ty: VariantType, lanes: &Lanes<'_>, reals: RealWidth) {
        self.put(&u64::try_from(lanes.count()).unwrap_or(u64::MAX).to_le_bytes());
        let real = matches!(ty.layout(), Layout::Math(Lane::Real, _) | Layout::Packed(Lane::Real, _));
        match lanes.lane() {
            Lane::F64 if !real => lanes.f64s().for_each(|n| self.put(&hash::one_double(n).to_le_bytes())),
            _ if real && reals == RealWidth::Double => {
                lanes.widened().for_each(|n| self.put(&hash::one_double(n).to_le_bytes()))
            }
            Lane::F32 | Lane::F64 => {
                lanes.narrowed().for_each(|n| self.put(&hash::one_single(n).to_le_bytes()))
            }
            _ => self.put(lanes.bytes()),
        }
    }

    /// Returns a NaN that no other float is rewritten to: the place in the arena sets it apart.
    fn nan_of_its_own(&self) -> [u8; 8] {
        let place = u64::try_from(self.arena.len()).unwrap_or(u64::MAX);
        (f64::NAN.to_bits() | place).to_le_bytes()
    }

    fn put(&mut self, bytes: &[u8]) {
        self.arena.extend_from_slice(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::ContainerType;

    impl KeySet {
        /// Returns how many keys there has been room for at once.
        pub(in crate::walk) const fn held(&self) -> usize {
            self.entries.capacity()
        }
    }

    fn fill(keys: &mut KeySet, count: u32) {
        let (key, value) = (ContainerType::None, ContainerType::None);
        let marks = keys.marks(&Container::Dictionary { key, value, count });
        for n in 0..count {
            keys.begin_key(1);
            keys.record_leaf(&Leaf::Int(n.into()), true, RealWidth::Single);
            assert!(keys.end_key(&marks, None));
        }
    }

    #[test]
    fn a_giants_memory_is_given_back() {
        let mut keys = KeySet::default();
        fill(&mut keys, 1000);
        let warm = keys.entries.capacity();
        fill(&mut keys, 50_000);
        assert!(keys.arena.capacity() > 400_000 && keys.index.capacity() > 100_000 && keys.held() > 50_000);
        keys.let_go();
        let bytes = keys.arena.capacity() + keys.index.capacity() * 4 + keys.held() * size_of::<KeySpan>();
        assert!(bytes <= 3 * 16 * 1024, "{bytes}");
        assert!(warm >= 1000 && keys.entries.is_empty() && keys.index.is_empty() && keys.open.is_empty());
    }
}
