//! Trail: the keys on the way to where a walk is, kept only when the input will be gone by the time they are wanted.
//!
//! A whole input is read again for the one path an error needs; a push decoder has given its bytes back by then.

use crate::path::{KEY_CHARS, Step};
use crate::token::{Leaf, Token};

#[derive(Debug, Default)]
pub(super) struct Trail {
    /// Whether keys are noted at all.
    pub(super) is_kept: bool,
    /// The current key of each open level that has one, outermost first: which level, and its step.
    steps: Vec<(usize, Step)>,
}

impl Trail {
    pub(super) fn clear(&mut self) {
        self.steps.clear();
    }

    /// A Dictionary's key at this depth. What was noted at this depth or below is over.
    #[inline]
    pub(super) fn note_key(&mut self, depth: usize, key: &Token<'_>) {
        if self.is_kept {
            self.put(depth, key_step(key));
        }
    }

    /// The name of an Object's property at this depth.
    #[inline]
    pub(super) fn note_property(&mut self, depth: usize, name: &str) {
        if self.is_kept {
            self.put(depth, Some(Step::Property(shown(name))));
        }
    }

    pub(super) fn step(&self, depth: usize) -> Option<Step> {
        self.steps.iter().find(|(at, _)| *at == depth).map(|(_, step)| step.clone())
    }

    fn put(&mut self, depth: usize, step: Option<Step>) {
        while self.steps.last().is_some_and(|(at, _)| *at >= depth) {
            self.steps.pop();
        }
        self.steps.extend(step.map(|step| (depth, step)));
    }
}

/// The step that a key makes, when it can be written as one.
pub(super) fn key_step(key: &Token<'_>) -> Option<Step> {
    match key {
        Token::Leaf(Leaf::Text(_, text)) => Some(Step::Key(shown(text.as_str()))),
        Token::Leaf(Leaf::Int(key)) => Some(Step::IntKey(*key)),
        _ => None,
    }
}

/// As much of a name as a path shows, and one character more to tell that there was more.
pub(super) fn shown(name: &str) -> String {
    name.chars().take(KEY_CHARS.saturating_add(1)).collect()
}
