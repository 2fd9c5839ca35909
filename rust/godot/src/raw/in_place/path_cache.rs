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

/// A path that is looked for: its record, and what it is told by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'r> {
    record: &'r [u8],
    pub(super) mixed: u64,
}

impl<'r> Wanted<'r> {
    #[inline]
    pub(super) fn new(record: &'r [u8]) -> Wanted<'r> {
        Wanted { record, mixed: mixed(record) }
    }

    /// The same of which that is known already. By another number it is looked for in vain.
    #[inline]
    pub(super) const fn of(record: &'r [u8], mixed: u64) -> Wanted<'r> {
        Wanted { record, mixed }
    }
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
    pub(super) fn known(&self, wanted: Wanted<'_>, walk: u64) -> Option<sys::GDExtensionConstVariantPtr> {
        let entry = self.entry(wanted)?;
        (entry.walk == walk).then(|| entry.path.var_sys())
    }

    /// The path that was made of these bytes in any walk.
    #[inline]
    pub(super) fn made(&self, wanted: Wanted<'_>) -> Option<sys::GDExtensionConstVariantPtr> {
        self.entry(wanted).map(|entry| entry.path.var_sys())
    }

    #[inline]
    fn entry(&self, wanted: Wanted<'_>) -> Option<&Entry> {
        if self.places.is_empty() {
            return None;
        }
        let entry = self.places.get(place(wanted.mixed))?.entry.as_deref()?;
        (entry.record == wanted.record).then_some(entry)
    }

    /// Offers a path that has just been made.
    pub(super) fn keep(&mut self, Wanted { record, mixed }: Wanted<'_>, path: &Variant, walk: u64) {
        if self.places.is_empty() {
            self.places.resize_with(PLACES, Place::default);
        }
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

/// By all words: whoever makes paths for one place only gets what there would be without. Two chains of them, since each
/// multiplication waits for the one before.
fn mixed(record: &[u8]) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix =
        |mixed: u64, word: &[u8; 8]| (mixed ^ u64::from_le_bytes(*word)).wrapping_mul(ODD).rotate_left(31);
    let (pairs, tail) = record.as_chunks::<16>();
    let (mut one, mut other) = (record.len() as u64, 0);
    for pair in pairs {
        if let (Some(first), Some(second)) = (pair.first_chunk(), pair.last_chunk()) {
            (one, other) = (mix(one, first), mix(other, second));
        }
    }
    // A record is of whole words.
    let last = |mixed: u64, word: &[u8; 4]| mix(mixed, &u64::from(u32::from_le_bytes(*word)).to_le_bytes());
    other = tail.as_chunks::<4>().0.iter().fold(other, last);
    (one ^ other.rotate_left(17)).wrapping_mul(ODD)
}

const fn place(mixed: u64) -> usize {
    (mixed >> 40) as usize % PLACES
}
