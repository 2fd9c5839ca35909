//! LastPath: counts the names of NodePaths whose bytes are all there, and keeps what it found out of the last one. Paths of
//! one scene have most names in the same places: those are known then, and hardly any is left to be looked for.

use super::chains::{Chains, Name};
use crate::cursor::{Cursor, length};
use crate::token::{self, PATH_HEAD, PathRecord};
use crate::wire::Rules;

/// The longest record that is kept.
const MOST_BYTES: usize = 256;

/// A name in its place.
#[derive(Clone, Copy, Debug)]
struct Segment {
    alone: Name,
    /// Of all names, or all sub-names, up to this one.
    joined: Name,
    characters: usize,
}

#[derive(Debug, Default)]
pub(super) struct LastPath {
    /// INVARIANT: every name of it was counted in this walk, and both joins. Empty: there is none.
    record: Vec<u8>,
    segments: Vec<Segment>,
    /// Names before the sub-names.
    heads: usize,
    /// Of the path that is being counted.
    next: Vec<Segment>,
}

impl LastPath {
    pub(super) fn forget(&mut self) {
        self.record.clear();
        self.segments.clear();
    }

    /// Counts a path of plain names as `Names` does one name after the other. What the last path has in the same place is
    /// looked for again only where that may be dear. `None`: the path is for the careful way, and what was counted of it
    /// has to be taken back.
    pub(super) fn count(
        &mut self,
        chains: &mut Chains,
        record: PathRecord<'_>,
        mut cursor: Cursor<'_>,
        rules: &Rules,
    ) -> Option<()> {
        let limit = rules.limits.max_key_probes;
        let names = usize::try_from(record.names).ok()?;
        let heads = names.checked_sub(usize::try_from(record.subnames).ok()?)?;
        let is_alike = heads == self.heads && names == self.segments.len();
        let bytes: &[u8] = if is_alike { &self.record } else { &[] };
        let mut before = PathRecord::fields_of(bytes).zip(&self.segments);
        self.next.clear();
        cursor.take(length(&[0; PATH_HEAD])).ok()?;
        if limit == u64::MAX {
            // Nothing is counted.
            return (0..names).try_for_each(|_| token::read_plain_name(&mut cursor, rules).map(drop));
        }
        // Of this path's names, or sub-names, so far, and whether the last path has the same.
        let (mut so_far, mut is_same) = (None, true);
        for number in 0..names {
            if number == heads {
                (so_far, is_same) = (None, true);
            }
            let is_end = number.saturating_add(1) == heads || number.saturating_add(1) == names;
            let separator = if number < heads { b'/' } else { b':' };
            let last = before.next();
            let known = last.filter(|(field, _)| cursor.rest().starts_with(field));
            let segment = if let Some((field, segment)) = known {
                cursor.take(length(field)).ok()?;
                if !segment.alone.is_empty() && !chains.are_near(limit) {
                    chains.find(segment.alone, limit).ok()?;
                }
                *segment
            } else {
                let text = token::read_plain_name(&mut cursor, rules)?;
                let alone = chains.name(&text);
                if !text.is_empty() {
                    chains.find(alone, limit).ok()?;
                }
                is_same = false;
                Segment { alone, joined: alone, characters: text.characters() }
            };
            let joined = match so_far {
                _ if is_same => segment.joined,
                None => segment.alone,
                Some(begun) => chains.joined(begun, separator, segment.alone, segment.characters),
            };
            // One segment is its own join, and was entered.
            if is_end && so_far.is_some() && !(is_same && chains.are_near(limit)) {
                chains.find(joined, limit).ok()?;
            }
            so_far = Some(joined);
            self.next.push(Segment { joined, ..segment });
        }
        drop(before);
        self.keep(record, heads);
        Some(())
    }

    /// Puts the path that was counted in place of the last.
    fn keep(&mut self, record: PathRecord<'_>, heads: usize) {
        self.record.clear();
        if record.bytes.len() <= MOST_BYTES {
            self.record.extend_from_slice(record.bytes);
            std::mem::swap(&mut self.segments, &mut self.next);
            self.heads = heads;
        } else {
            self.segments.clear();
        }
    }
}
