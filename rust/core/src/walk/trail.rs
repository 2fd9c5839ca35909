//! Trail: the keys on the way to where a walk in pieces is, noted when a piece that holds them is given back.
//!
//! A whole input is read again for the one path an error needs; a push decoder has given its bytes back by then.

use crate::path::{Label, Step};
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

/// What a key is called, when it can be written as a step.
pub(crate) const fn key_name<'a>(key: &Token<'a>) -> Option<Label<'a>> {
    match key {
        Token::Leaf(Leaf::Text(_, text)) => Some(Label::Key(text.as_bytes())),
        Token::Leaf(Leaf::Int(key)) => Some(Label::Int(*key)),
        _ => None,
    }
}
