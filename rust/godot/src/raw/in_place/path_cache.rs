//! PathCache: NodePaths that this walk has made already, found by their wire records.
//!
//! A path is the dearest of all small values: five names are looked for in the engine's table, and each is a text before.
//! Direct-mapped and bounded, as the cache of keys is; a path has to come twice in a row of those that want its place.

use godot::builtin::Variant;
use godot::sys;

/// A power of two: the paths of a scene that come with every packet find room. 16 KiB a codec that has decoded a path, and
/// what the paths take themselves.
const PLACES: usize = 1024;
/// The longest record that is kept.
const RECORD: usize = 256;
/// Bytes of all records that are kept. A name takes eight of them at least, and some hundred bytes in the engine: a
/// megabyte is the most that anybody can have kept.
const ALL_RECORDS: usize = 64 * 1024;

#[derive(Debug)]
struct Entry {
    /// INVARIANT: valid under SAFE, and what `path` was made of.
    record: Vec<u8>,
    path: Variant,
    /// The walk in which it came last.
    walk: u64,
}

#[derive(Debug, Default)]
struct Place {
    entry: Option<Box<Entry>>,
    /// What the path that wanted this place last is told by.
    wanted: u64,
}

/// Empty until it is used.
#[derive(Debug, Default)]
pub(super) struct PathCache {
    places: Vec<Place>,
    /// Bytes of all records.
    bytes: usize,
    /// Which place is emptied next when those are too many.
    next: usize,
}

impl PathCache {
    /// The path that was made of these bytes in this walk. It lives until the next call that may put another one in its
    /// place.
    #[inline]
    pub(super) fn known(&self, record: &[u8], walk: u64) -> Option<sys::GDExtensionConstVariantPtr> {
        let entry = self.entry(record)?;
        (entry.walk == walk).then(|| entry.path.var_sys())
    }

    /// The path that was made of these bytes in any walk.
    #[inline]
    pub(super) fn made(&self, record: &[u8]) -> Option<sys::GDExtensionConstVariantPtr> {
        self.entry(record).map(|entry| entry.path.var_sys())
    }

    #[inline]
    fn entry(&self, record: &[u8]) -> Option<&Entry> {
        if self.places.is_empty() {
            return None;
        }
        let entry = self.places.get(place(mixed(record)))?.entry.as_deref()?;
        (entry.record == record).then_some(entry)
    }

    /// Offers a path that has just been made.
    pub(super) fn keep(&mut self, record: &[u8], path: &Variant, walk: u64) {
        if self.places.is_empty() {
            self.places.resize_with(PLACES, Place::default);
        }
        let mixed = mixed(record);
        let at = place(mixed);
        let Place { entry, wanted } = &mut self.places[at];
        if let Some(entry) = entry.as_deref_mut().filter(|entry| entry.record == record) {
            // Of an older walk, in which its names were counted.
            entry.walk = walk;
        } else if record.len() <= RECORD && std::mem::replace(wanted, mixed) == mixed {
            self.empty(at);
            while self.bytes + record.len() > ALL_RECORDS {
                self.empty(self.next);
                self.next = (self.next + 1) % PLACES;
            }
            self.bytes += record.len();
            let entry = Entry { record: record.to_vec(), path: path.clone(), walk };
            self.places[at].entry = Some(Box::new(entry));
        }
    }

    fn empty(&mut self, at: usize) {
        if let Some(entry) = self.places[at].entry.take() {
            self.bytes -= entry.record.len();
        }
    }
}

/// By all words: whoever makes paths for one place only gets what there would be without.
fn mixed(record: &[u8]) -> u64 {
    let (words, tail) = record.as_chunks::<8>();
    let last = tail.first_chunk::<4>().map_or(0, |last| u32::from_le_bytes(*last).into());
    let mixed = words.iter().fold(last, |mixed: u64, word| {
        (mixed ^ u64::from_le_bytes(*word)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31)
    });
    mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

const fn place(mixed: u64) -> usize {
    (mixed >> 40) as usize % PLACES
}
