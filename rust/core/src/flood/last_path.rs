//! LastPath: counts the names of NodePaths whose bytes are all there, and keeps what it found out of the last one. Paths of
//! one scene have most names in the same places: those are known then, and hardly any is left to be looked for.

use super::string_names::{Chains, Name};
use crate::cursor::{Cursor, length};
use crate::token::{self, PATH_HEAD, PathRecord};
use crate::wire::Rules;

/// The longest record that is kept.
const MOST_BYTES: usize = 256;

/// A name in its place.
#[derive(Clone, Copy, Debug)]
struct Segment {
    alone: Name,
    /// The join of all names, or of all sub-names, up to this one.
    joined: Name,
    characters: usize,
    /// Bytes with its length and padding.
    field: usize,
}

impl Segment {
    const UNKNOWN: Segment = Segment { alone: Name::EMPTY, joined: Name::EMPTY, characters: 0, field: 0 };

    /// Reads and counts the name that comes next, which is joined to nothing yet.
    fn read(cursor: &mut Cursor<'_>, chains: &mut Chains, rules: &Rules) -> Option<Segment> {
        let before = cursor.rest().len();
        let text = token::read_plain_name(cursor, rules)?;
        let field = before.saturating_sub(cursor.rest().len());
        let alone = chains.name(&text);
        if !text.is_empty() {
            chains.find(alone, rules.limits.max_key_probes).ok()?;
        }
        Some(Segment { alone, joined: alone, characters: text.characters(), field })
    }
}

#[derive(Debug, Default)]
pub(crate) struct LastPath {
    /// INVARIANT: every name of it was counted in this walk, and both joins, and the segments are of it. Empty: there is none.
    record: Vec<u8>,
    segments: Vec<Segment>,
    /// Names before the sub-names.
    heads: usize,
}

impl LastPath {
    pub(crate) fn forget(&mut self) {
        self.record.clear();
    }

    /// Makes room for the segments of another path: without a record none of them is known. Returns the last record, if its
    /// names stand in the same places.
    fn begin(&mut self, names: usize, heads: usize) -> Vec<u8> {
        let mut last = std::mem::take(&mut self.record);
        if heads != self.heads || names != self.segments.len() {
            last.clear();
            self.segments.resize(names, Segment::UNKNOWN);
            self.heads = heads;
        }
        last
    }

    /// Keeps the record of a path, in the memory of the one before.
    fn keep(&mut self, record: &[u8], mut room: Vec<u8>) {
        room.clear();
        if record.len() <= MOST_BYTES {
            room.extend_from_slice(record);
        }
        self.record = room;
    }

    /// Counts a path of plain names as `Names` does one name after the other. A name that the last path has
    /// in the same place is looked for again only where that may cost many steps. `None`: the path is left to
    /// the fallback, and the names counted for it have to be taken back.
    pub(crate) fn count(
        &mut self,
        chains: &mut Chains,
        record: PathRecord<'_>,
        mut cursor: Cursor<'_>,
        rules: &Rules,
    ) -> Option<()> {
        let limit = rules.limits.max_key_probes;
        let names = usize::try_from(record.names).ok()?;
        let heads = names.checked_sub(usize::try_from(record.subnames).ok()?)?;
        cursor.take(length(&[0; PATH_HEAD])).ok()?;
        if limit == u64::MAX {
            // Nothing is counted.
            return (0..names).try_for_each(|_| token::read_plain_name(&mut cursor, rules).map(drop));
        }
        let last = self.begin(names, heads);
        let mut fields = last.get(PATH_HEAD..).unwrap_or_default();
        // Of this path's names, or sub-names, so far, and whether the last path has the same.
        let (mut so_far, mut is_same) = (None, true);
        for (number, segment) in self.segments.iter_mut().enumerate() {
            if number == heads {
                (so_far, is_same) = (None, true);
            }
            let (field, others) = fields.split_at_checked(segment.field).unwrap_or_default();
            fields = others;
            if !field.is_empty() && begins_with(cursor.rest(), field) {
                cursor.take(length(field)).ok()?;
                if !segment.alone.is_empty() && !chains.are_near(limit) {
                    chains.find(segment.alone, limit).ok()?;
                }
            } else {
                *segment = Segment::read(&mut cursor, chains, rules)?;
                is_same = false;
            }
            if !is_same {
                let separator = if number < heads { b'/' } else { b':' };
                let join = |begun| chains.joined(begun, separator, segment.alone, segment.characters);
                segment.joined = so_far.map_or(segment.alone, join);
            }
            let is_end = number.saturating_add(1) == heads || number.saturating_add(1) == names;
            // One segment is its own join, and was entered.
            if is_end && so_far.is_some() && !(is_same && chains.are_near(limit)) {
                chains.find(segment.joined, limit).ok()?;
            }
            so_far = Some(segment.joined);
        }
        self.keep(record.bytes, last);
        Some(())
    }
}

/// Tells whether bytes begin with a field: that is whole words, and mostly few, for which no function has to be called.
#[inline]
fn begins_with(bytes: &[u8], field: &[u8]) -> bool {
    let (field, _) = field.as_chunks::<4>();
    let (bytes, _) = bytes.as_chunks::<4>();
    bytes.len() >= field.len() && field.iter().zip(bytes).all(|(one, other)| one == other)
}
