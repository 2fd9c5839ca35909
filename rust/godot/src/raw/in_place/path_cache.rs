//! Caches NodePaths that were made before, found by their bytes.
//!
//! A path costs more than all other small values: five names are looked for in the engine's table, and each
//! is a text before. Each has two places, and their number is bounded. A path has to come twice before it is
//! kept, so that those of a level that is read once cost nothing more.

use godot::builtin::Variant;
use godot::sys;
use variant_core::Trick;

/// Places, powers of two: the paths of a scene find room in few, those of all that moves in a large world in many. 16 bytes
/// each, for a codec that has decoded a path; what the paths take themselves comes on top.
const FEW: usize = 1024;
const MANY: usize = 8192;
/// The longest record that is kept.
const RECORD: usize = 256;
/// Bytes of all records that are kept, and the part of a message's limit that they are at most: under `network()` 64 KiB. A
/// name takes eight of them at least, and some hundred bytes in the engine, but for those that paths share: six megabytes
/// are the most that anybody can have kept, under `network()` one.
const ALL_RECORDS: usize = 384 * 1024;
const PART: u64 = 16;

#[derive(Debug)]
struct Entry {
    /// INVARIANT: valid under SAFE, and what `path` was made of.
    record: Box<[u8]>,
    path: Variant,
    /// The walk in which it came last.
    walk: u64,
}

#[derive(Debug, Default)]
struct Bucket {
    entry: Option<Box<Entry>>,
    /// The hash of a path that wanted this place and is not here.
    wanted: u64,
}

/// A path that is looked for: its record, and its hash.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathQuery<'r> {
    pub(super) record: &'r [u8],
    mixed: u64,
}

impl<'r> PathQuery<'r> {
    #[inline]
    pub(super) fn new(record: &'r [u8]) -> PathQuery<'r> {
        PathQuery { record, mixed: mixed(record) }
    }
}

/// Empty until it is used.
#[derive(Debug, Default)]
pub(super) struct PathCache {
    places: Vec<Bucket>,
    /// How many paths there are, and the bytes of all their records.
    count: usize,
    bytes: usize,
    /// Which place is emptied next when those are too many.
    next: usize,
    /// Counts those that were wanted in vain.
    turn: u32,
}

impl PathCache {
    /// Returns the path that was made of these bytes.
    #[inline]
    pub(super) fn find(&self, wanted: PathQuery<'_>) -> Option<sys::GDExtensionConstVariantPtr> {
        let entry = self.places.get(self.place_of(wanted)?)?.entry.as_deref()?;
        Some(entry.path.var_sys())
    }

    /// Returns where the path is, if it is there.
    #[inline]
    fn place_of(&self, PathQuery { record, mixed }: PathQuery<'_>) -> Option<usize> {
        if self.places.is_empty() || Trick::PathCache.is_off() {
            return None;
        }
        let first = self.first(mixed);
        let is_at = |at: &usize| {
            let entry = self.places.get(*at).and_then(|place| place.entry.as_deref());
            entry.is_some_and(|entry| *entry.record == *record)
        };
        Some(first).filter(is_at).or_else(|| Some(first ^ 1).filter(is_at))
    }

    /// Returns the first place where a path may be. The second is its neighbour.
    #[inline]
    fn first(&self, mixed: u64) -> usize {
        (mixed >> 40) as usize & (self.places.len() - 1)
    }

    /// Offers a path that was not there and has just been made. `most`: bytes that one message may have.
    pub(super) fn keep(&mut self, wanted: PathQuery<'_>, path: &Variant, walk: u64, most: u64) {
        if self.places.is_empty() {
            self.places.resize_with(FEW, Bucket::default);
        }
        let most = usize::try_from(most / PART).map_or(ALL_RECORDS, |most| most.min(ALL_RECORDS));
        if wanted.record.len() > RECORD.min(most) {
            return;
        }
        let first = self.first(wanted.mixed);
        self.turn = self.turn.wrapping_add(1);
        if self.places[first].wanted != wanted.mixed {
            // Of two that come in turns each would make the other forgotten: not always.
            if self.turn & 1 == 1 || self.places[first].wanted == 0 {
                self.places[first].wanted = wanted.mixed;
            }
            return;
        }
        self.places[first].wanted = 0;
        while self.bytes + wanted.record.len() > most {
            self.empty(self.next);
            self.next = (self.next + 1) % self.places.len();
        }
        self.put(wanted, path, walk);
    }

    /// Keeps a path that is not there, and for which there is room.
    #[cold]
    fn put(&mut self, PathQuery { record, mixed }: PathQuery<'_>, path: &Variant, walk: u64) {
        if self.count > self.places.len() / 2 && self.places.len() < MANY {
            self.grow();
        }
        let first = self.first(mixed);
        let walk_at = |at: usize| self.places[at].entry.as_deref().map(|entry| entry.walk);
        // None is before any: what is empty, or came longest ago.
        let at = if walk_at(first ^ 1) < walk_at(first) { first ^ 1 } else { first };
        self.empty(at);
        self.bytes += record.len();
        self.count += 1;
        self.places[at].entry = Some(Box::new(Entry { record: record.into(), path: path.clone(), walk }));
    }

    fn empty(&mut self, at: usize) {
        if let Some(entry) = self.places[at].entry.take() {
            self.bytes -= entry.record.len();
            self.count -= 1;
        }
    }

    /// Makes more places. Those that are there are let go, and kept again when they come again.
    fn grow(&mut self) {
        self.places.clear();
        self.places.resize_with(MANY, Bucket::default);
        (self.count, self.bytes, self.next) = (0, 0, 0);
    }
}

/// Hashes all words of a record: whoever makes paths for one place only gets what there would be without. Two
/// chains of them, since each multiplication waits for the one before.
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
