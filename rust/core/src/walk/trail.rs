//! Trail: the keys on the way to where a walk is, kept only when the input will be gone by the time they are wanted.
//!
//! A whole input is read again for the one path an error needs; a push decoder has given its bytes back by then.

use crate::path::{KEY_CHARS, Step};
use crate::token::{Leaf, Token};

#[derive(Debug, Default)]
pub(super) struct Trail {
    /// Whether keys are noted at all.
    pub(super) is_kept: bool,
    /// The current key of each open level that has one, outermost first.
    notes: Vec<Note>,
    /// Their names, back to back.
    names: String,
}

/// One key, without an allocation of its own.
#[derive(Clone, Copy, Debug)]
struct Note {
    /// Which level it is the key of.
    depth: usize,
    key: Noted,
    /// Where its name begins.
    start: usize,
}

#[derive(Clone, Copy, Debug)]
enum Noted {
    Name,
    Property,
    Int(i64),
}

impl Trail {
    pub(super) fn clear(&mut self) {
        self.notes.clear();
        self.names.clear();
    }

    /// A Dictionary's key at this depth. What was noted at this depth or below is over.
    #[inline]
    pub(super) fn note_key(&mut self, depth: usize, key: &Token<'_>) {
        if !self.is_kept {
            return;
        }
        match key {
            Token::Leaf(Leaf::Text(_, text)) => self.put(depth, Noted::Name, text.as_str()),
            Token::Leaf(Leaf::Int(key)) => self.put(depth, Noted::Int(*key), ""),
            _ => self.forget(depth),
        }
    }

    /// The name of an Object's property at this depth.
    #[inline]
    pub(super) fn note_property(&mut self, depth: usize, name: &str) {
        if self.is_kept {
            self.put(depth, Noted::Property, name);
        }
    }

    pub(super) fn step(&self, depth: usize) -> Option<Step> {
        let mut notes = self.notes.iter();
        let note = notes.find(|note| note.depth == depth)?;
        let end = notes.next().map_or(self.names.len(), |next| next.start);
        let name = self.names.get(note.start..end).unwrap_or_default();
        Some(match note.key {
            Noted::Name => Step::Key(name.to_owned()),
            Noted::Property => Step::Property(name.to_owned()),
            Noted::Int(key) => Step::IntKey(key),
        })
    }

    fn put(&mut self, depth: usize, key: Noted, name: &str) {
        self.forget(depth);
        self.notes.push(Note { depth, key, start: self.names.len() });
        self.names.push_str(shown(name));
    }

    fn forget(&mut self, depth: usize) {
        while let Some(note) = self.notes.pop_if(|note| note.depth >= depth) {
            self.names.truncate(note.start);
        }
    }
}

/// The step that a key makes, when it can be written as one.
pub(crate) fn key_step(key: &Token<'_>) -> Option<Step> {
    match key {
        Token::Leaf(Leaf::Text(_, text)) => Some(Step::Key(shown(text.as_str()).to_owned())),
        Token::Leaf(Leaf::Int(key)) => Some(Step::IntKey(*key)),
        _ => None,
    }
}

/// As much of a name as a path shows, and one character more to tell that there was more.
pub(super) fn shown(name: &str) -> &str {
    if name.len() <= KEY_CHARS {
        return name;
    }
    let end = name.char_indices().nth(KEY_CHARS.saturating_add(1)).map_or(name.len(), |(at, _)| at);
    name.get(..end).unwrap_or(name)
}
