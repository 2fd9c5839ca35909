//! Remembers the keys of the dictionaries that are open, and templates of those that were complete: which keys they had, in
//! which order. All of it is room on the stack of the caller.

use std::ops::Range;

use crate::token::Record;

/// The fewest keys with which a template is faster.
const FEWEST: usize = 2;
/// The most keys of a template.
pub(super) const MOST: usize = 16;

/// The field of a key: header, and payload with its padding.
#[derive(Clone, Copy)]
pub(super) struct Key<'b> {
    /// Its last eight bytes: most keys differ in these.
    tail: u64,
    field: &'b [u8],
}

impl Key<'_> {
    pub(super) const NONE: Key<'static> = Key { tail: 0, field: &[] };
}

impl PartialEq for Key<'_> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.tail == other.tail && self.field == other.field
    }
}

/// The keys of a Dictionary that was complete, in their order.
#[derive(Clone, Copy)]
pub(super) struct Template {
    /// A hash of its first key and its length.
    tag: u64,
    start: usize,
}

impl Template {
    /// No tag has so many bits.
    pub(super) const NONE: Template = Template { tag: u64::MAX, start: 0 };
}

/// Where the keys of a template begin that a Dictionary follows. They stay there until no Dictionary follows any.
#[derive(Clone, Copy)]
pub(super) struct Start(usize);

/// The memory of one reader.
pub(super) struct Keys<'b, 'r> {
    /// The keys of open dictionaries, the outermost's first.
    keys: &'r mut [Key<'b>],
    /// How many of them there are.
    open: usize,
    /// The keys of all templates: short Strings, and of one template no two are equal.
    records: &'r mut [Record],
    /// How many of them there are.
    learnt: usize,
    templates: &'r mut [Template],
    followers: u32,
}

impl<'b, 'r> Keys<'b, 'r> {
    pub(super) const fn new(
        keys: &'r mut [Key<'b>],
        records: &'r mut [Record],
        templates: &'r mut [Template],
    ) -> Keys<'b, 'r> {
        Keys { keys, open: 0, records, learnt: 0, templates, followers: 0 }
    }

    /// Finds the template that a Dictionary may have of so many entries, of which this is the first.
    #[inline(always)]
    pub(super) fn follow(&mut self, count: usize, bytes: &[u8]) -> Option<Start> {
        if self.learnt == 0 || !(FEWEST..=MOST).contains(&count) {
            return None;
        }
        let tag = tag(count, bytes)?;
        let template = self.templates.iter().find(|template| template.tag == tag)?;
        self.followers = self.followers.wrapping_add(1);
        Some(Start(template.start))
    }

    /// Notes that a Dictionary follows its template no more.
    #[inline(always)]
    pub(super) fn release(&mut self) {
        self.followers = self.followers.wrapping_sub(1);
    }

    /// Tells how many bytes the key of this number takes, if that comes next.
    #[inline(always)]
    pub(super) fn field(&self, Start(start): Start, at: usize, bytes: &[u8]) -> Option<usize> {
        let key = self.records.get(start.checked_add(at)?)?;
        if key.begins(bytes) { usize::try_from(key.field()).ok() } else { None }
    }

    /// Tells whether the bytes begin with one of the first keys of a template.
    pub(super) fn has(&self, Start(start): Start, first: usize, bytes: &[u8]) -> bool {
        let keys = self.records.get(start..start.saturating_add(first));
        keys.is_none_or(|keys| keys.iter().any(|key| key.begins(bytes)))
    }

    /// Takes room for so many keys. Returns where it begins.
    pub(super) fn open(&mut self, count: usize) -> Option<usize> {
        let start = self.open;
        self.open = start.checked_add(count)?;
        (self.open <= self.keys.len()).then_some(start)
    }

    /// Notes the key of this number, if it was not there before.
    #[inline(always)]
    pub(super) fn enter(&mut self, start: usize, at: usize, field: &'b [u8]) -> Option<()> {
        let key = Key { tail: u64::from_le_bytes(*field.last_chunk()?), field };
        let keys = self.keys.get_mut(start..)?;
        let (before, rest) = keys.split_at_mut_checked(at)?;
        if before.contains(&key) {
            return None;
        }
        *rest.first_mut()? = key;
        Some(())
    }

    /// Gives the room back, leaves the template that was followed, and learns the template of its keys if they are short Strings; the first ones of another template
    /// may have gone before them.
    pub(super) fn close(&mut self, start: usize, before: Option<(Start, usize)>) {
        if before.is_some() {
            self.release();
        }
        let end = std::mem::replace(&mut self.open, start);
        if self.records.is_empty() {
            return;
        }
        let learnt = self.learnt;
        if let Some(count) = self.learn(start..end, before) {
            let hint = self.records.get(learnt).map_or(0, Record::own_hint);
            self.learnt = learnt.saturating_add(count);
            self.tell(tag_of(count, hint), learnt);
        }
    }

    /// Writes the keys of a template behind those of all others. Returns how many they are.
    fn learn(&mut self, keys: Range<usize>, before: Option<(Start, usize)>) -> Option<usize> {
        let keys = self.keys.get(keys)?;
        let known = before.map_or(0..0, |(Start(start), count)| start..start.saturating_add(count));
        let count = known.len().checked_add(keys.len()).filter(|count| *count >= FEWEST)?;
        let (learnt, free) = self.records.split_at_mut_checked(self.learnt)?;
        let Some(free) = free.get_mut(..count) else {
            self.forget();
            return None;
        };
        let (first, last) = free.split_at_mut_checked(known.len())?;
        first.copy_from_slice(learnt.get(known)?);
        for (record, key) in last.iter_mut().zip(keys) {
            *record = Record::read(key.field).filter(|record| !record.is_name())?;
        }
        Some(count)
    }

    /// Notes where the template of this tag begins, in the place of another one with that tag.
    fn tell(&mut self, tag: u64, start: usize) {
        let is_its = |template: &&mut Template| template.tag == tag || template.tag == Template::NONE.tag;
        match self.templates.iter_mut().find(is_its) {
            Some(template) => *template = Template { tag, start },
            None => self.forget(),
        }
    }

    /// Begins anew where there is no more room, unless the keys of a template are needed still.
    #[cold]
    fn forget(&mut self) {
        if self.followers == 0 {
            self.learnt = 0;
            self.templates.fill(Template::NONE);
        }
    }
}

/// Hashes the template of a Dictionary that has so many entries and begins with this one. Two may have one hash.
#[inline(always)]
fn tag(count: usize, bytes: &[u8]) -> Option<u64> {
    Some(tag_of(count, Record::hint(bytes)?))
}

/// Adds the number of entries to a hint, which has fewer bits than a word.
#[inline(always)]
fn tag_of(count: usize, hint: u64) -> u64 {
    hint << 8 ^ u64::try_from(count & 0xFF).unwrap_or(0)
}
