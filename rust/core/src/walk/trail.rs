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

    /// Forgets what was noted of levels below this depth. levels are as they were; what was noted of deeper
    /// ones is over.
    pub(super) fn forget_below(&mut self, depth: usize) {
        while self.notes.pop_if(|note| note.0 > depth).is_some() {}
    }

    /// Notes the current key of the level at this depth, which is deeper than all noted.
    pub(super) fn note(&mut self, depth: usize, key: Step) {
        self.notes.push((depth, key));
    }

    pub(super) fn step(&self, depth: usize) -> Option<Step> {
        self.notes.iter().find(|note| note.0 == depth).map(|note| note.1.clone())
    }
}

/// Returns the name of a key, when it can be written as a step.
pub(crate) const fn key_name<'a>(key: &Token<'a>) -> Option<Label<'a>> {
    match key {
        Token::Leaf(Leaf::Text(_, text)) => Some(Label::Key(text.as_bytes())),
        Token::Leaf(Leaf::Int(key)) => Some(Label::Int(*key)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::Text;
    use crate::wire::VariantType;

    #[test]
    fn notes_are_kept_by_depth_until_they_are_over() {
        let mut trail = Trail::default();
        (1..=3).for_each(|depth| trail.note(depth, Step::Index(depth as u64)));
        assert_eq!((trail.step(3), trail.step(4)), (Some(Step::Index(3)), None));
        trail.forget_below(2);
        assert_eq!((trail.step(2), trail.step(3)), (Some(Step::Index(2)), None));
        trail.clear();
        assert_eq!([1, 2, 3].map(|depth| trail.step(depth)), [None, None, None]);
        assert!(trail.notes.is_empty(), "no name is kept");
    }

    /// A key of any length may stand in the bytes; a step is short.
    #[test]
    fn a_step_holds_one_character_more_than_is_shown() {
        for character in ["a", "é", "日"] {
            for (count, held) in [(0, 0), (1, 1), (64, 64), (65, 65), (66, 65), (1000, 65)] {
                let key = character.repeat(count);
                let text = Leaf::Text(VariantType::String, Text::new(&key));
                let step = key_name(&Token::Leaf(text)).map(crate::path::Label::step);
                assert_eq!(step, Some(Step::Key(character.repeat(held))), "{count} characters");
            }
        }
    }
}
