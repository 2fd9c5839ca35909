//! Cuts a payload into slices: between the entries of its root Dictionary, or between the rows of a document of objects.
//!
//! A damaged slice then loses only a few entries. Each slice but the first either begins with an entry, or
//! continues the entry before it and ends with that entry at the latest. A slice in which no entry begins is
//! such a continuation.

use std::ops::Range;

use variant_core::cursor::Cursor;
use variant_core::token::{self, Container, Token};
use variant_core::{Limits, Rules, Walker};

use crate::chunk::to_u64;
use crate::document::{self, ReferenceFinder};

pub(crate) struct CutPayload {
    pub(crate) slices: Vec<Slice>,
    /// Whether it was cut between entries or rows.
    pub(crate) is_cut: bool,
    /// For a document that was cut between rows, what tells where its objects stand.
    pub(crate) outline: Option<Vec<u8>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slice {
    pub(crate) range: Range<usize>,
    /// The number of entries that begin in it, or of parts of a document.
    pub(crate) entries: u32,
}

/// The number of slices that a small payload is cut into, where its entries allow it: a damaged byte loses about as much of it.
const FEWEST: usize = 16;
/// The least size that a slice is filled to: smaller ones would cost more than they hold.
const LEAST: usize = 128;

pub(crate) fn slices(payload: &[u8], most: usize) -> CutPayload {
    match entries(payload) {
        Some((_, ends)) if !ends.is_empty() => {
            CutPayload { slices: between(&ends, payload.len(), most), is_cut: true, outline: None }
        }
        _ => CutPayload { slices: plain(0..payload.len(), most).collect(), is_cut: false, outline: None },
    }
}

/// Cuts a document of objects between its rows. Returns `None` for one that is too large for that, and for other payloads.
pub(crate) fn slices_of_document(payload: &[u8], most: usize) -> Option<CutPayload> {
    let (outline, pieces) = document::parts(payload)?;
    let ranges: Vec<_> = pieces.iter().map(|piece| piece.range.clone()).collect();
    let slices = between(&ranges, payload.len(), most);
    let outline = outline.written(&slices, &pieces)?;
    Some(CutPayload { slices, is_cut: true, outline: Some(outline) })
}

/// Returns rules that accept any value: the reader that loads it checks it.
pub(crate) fn any() -> Rules {
    Rules { limits: Limits { max_depth: 1 << 20, ..Limits::engine() }, full_objects: true, ..Rules::engine() }
}

/// Returns the entries that a root Dictionary declares, and where each begins and ends. Returns `None` for
/// any other value, and for one that is not complete.
pub(crate) fn entries(payload: &[u8]) -> Option<(u32, Vec<Range<usize>>)> {
    let (count, start) = opening(payload)?;
    let mut walker = Walker::new();
    let (ends, at) = whole_entries(&mut walker, payload, start, count);
    (at == payload.len() && to_u64(ends.len()) == u64::from(count)).then_some((count, ends))
}

/// Returns the entries that a Dictionary at the front of `bytes` declares, and where the first of them
/// begins.
pub(crate) fn opening(bytes: &[u8]) -> Option<(u32, usize)> {
    let mut cursor = Cursor::new(bytes);
    match token::read(&mut cursor, &any()).ok()? {
        Token::Open(Container::Dictionary { count, .. }) => Some((count, usize::try_from(cursor.at()).ok()?)),
        _ => None,
    }
}

/// Finds complete entries that follow one another from `start`, `most` at the most, and returns where the
/// last of them ends.
pub(crate) fn whole_entries(
    walker: &mut Walker<()>,
    bytes: &[u8],
    start: usize,
    most: u32,
) -> (Vec<Range<usize>>, usize) {
    let (mut found, mut at) = (Vec::new(), start);
    let mut finder = ReferenceFinder::default();
    let mut value = |at: usize| {
        finder.references.clear();
        at.checked_add(finder.look(walker, bytes.get(at..)?)?)
    };
    while to_u64(found.len()) < u64::from(most) {
        let Some(end) = value(at).and_then(&mut value) else { break };
        found.push(at..end);
        at = end;
    }
    (found, at)
}

/// Fills slices with entries up to a part of the length; an entry that is longer takes a slice by itself, and one of more than
/// `most` bytes several.
fn between(entries: &[Range<usize>], length: usize, most: usize) -> Vec<Slice> {
    let full = length.div_ceil(FEWEST).max(LEAST).min(most);
    let mut slices = Vec::new();
    let mut start = 0;
    let mut begun = 0_u32;
    for entry in entries {
        if entry.end.saturating_sub(start) > full && entry.start > start {
            slices.push(Slice { range: start..entry.start, entries: begun });
            (start, begun) = (entry.start, 0);
        }
        begun = begun.saturating_add(1);
        if entry.end.saturating_sub(start) > most {
            let mut parts = plain(start..entry.end, most);
            slices.extend(parts.next().map(|first| Slice { entries: begun, ..first }));
            slices.extend(parts);
            (start, begun) = (entry.end, 0);
        }
    }
    if start < length {
        slices.push(Slice { range: start..length, entries: begun });
    }
    slices
}

/// Cuts a range into slices of the same size; the last is as long as the rest. An empty range makes one
/// slice.
fn plain(range: Range<usize>, most: usize) -> impl Iterator<Item = Slice> {
    let most = most.max(1);
    let mut next = Some(range.start);
    std::iter::from_fn(move || {
        let start = next?;
        let end = start.saturating_add(most).min(range.end);
        next = (end < range.end).then_some(end);
        Some(Slice { range: start..end, entries: 0 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use variant_core::{Dictionary, Value};

    fn dictionary(lengths: &[usize]) -> Vec<u8> {
        let entries = lengths.iter().enumerate();
        let entries: Vec<(Value, Value)> = entries
            .map(|(key, length)| (Value::Int(key as i64), Value::from("x".repeat(*length).as_str())))
            .collect();
        Value::from(Dictionary::from_iter(entries)).encode().unwrap()
    }

    /// Checks that every byte is in one slice, in order, and that each slice begins where the module says it
    /// does.
    #[track_caller]
    fn check(payload: &[u8], most: usize) -> Vec<Slice> {
        let CutPayload { slices, is_cut, .. } = slices(payload, most);
        let mut at = 0;
        for slice in &slices {
            assert_eq!(slice.range.start, at, "{slices:?}");
            assert!(slice.range.len() <= most);
            at = slice.range.end;
        }
        assert_eq!(at, payload.len());
        if let Some((count, entries)) = entries(payload).filter(|_| is_cut) {
            assert_eq!(slices.iter().map(|slice| slice.entries).sum::<u32>(), count);
            for slice in slices.iter().skip(1) {
                let begins = entries.iter().any(|entry| entry.start == slice.range.start);
                assert_eq!(begins, slice.entries > 0, "{slice:?}");
            }
        }
        slices
    }

    #[test]
    fn entries_are_not_cut_where_they_fit() {
        for most in [16, 40, 64, 100, 1000] {
            check(&dictionary(&[3, 40, 1, 200, 0, 7, 64, 5, 900, 2]), most);
        }
        assert_eq!(check(&dictionary(&[3, 4]), 1000).len(), 1);
        assert_eq!(check(&dictionary(&[40, 40]), 100).len(), 2);
        let many = dictionary(&[100; 200]);
        assert!((14..=20).contains(&check(&many, 1 << 16).len()));
        assert!((14..=20).contains(&check(&dictionary(&[20_000; 50]), 1 << 16).len()));
        assert!(check(&dictionary(&[20_000; 500]), 1 << 16).len() > 150);
    }

    #[test]
    fn other_values_are_cut_anywhere() {
        let list = Value::from("y".repeat(100).as_str()).encode().unwrap();
        assert_eq!(check(&list, 30).len(), 4);
        assert_eq!(check(&[], 30).len(), 1);
        assert_eq!(check(&dictionary(&[]), 30).len(), 1);
        // The payload is not complete, so its bytes are cut anywhere.
        let whole = dictionary(&[5, 5]);
        assert!(!slices(&whole[..whole.len() - 4], 30).is_cut);
    }
}
