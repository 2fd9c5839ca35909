//! Trail: the keys on the way to where a walk in pieces is, noted when a piece that holds them is given back.
//!
//! A whole input is read again for the one path an error needs; a push decoder has given its bytes back by then.

use crate::path::{KEY_CHARS, Step};
use crate::token::{Leaf, Token};

#[derive(Debug, Default)]
pub(super) struct Trail {
    /// The current key of each open level that has one, by depth, outermost first.
    notes: Vec<(usize, Step)>,
}

impl Trail {
    pub(super) fn clear(&mut self) {
        self.notes.clear();
    }

    /// The first so many levels are as they were; what was noted of deeper ones is over.
    pub(super) fn forget_below(&mut self, depth: usize) {
        while self.notes.pop_if(|note| note.0 > depth).is_some() {}
    }

    /// The current key of the level at this depth, which is deeper than all noted.
    pub(super) fn note(&mut self, depth: usize, key: Step) {
        self.notes.push((depth, key));
    }

    pub(super) fn step(&self, depth: usize) -> Option<Step> {
        self.notes.iter().find(|note| note.0 == depth).map(|note| note.1.clone())
    }
}

/// The step that a key makes, when it can be written as one.
pub(super) fn key_step(key: &Token<'_>) -> Option<Step> {
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
