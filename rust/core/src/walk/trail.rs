//! Trail: keeps the keys of the path to where a walk in pieces is. They are noted when the piece that holds them is
//! given back.
//!
//! A whole input is read again for the one path an error needs; a push decoder has given its bytes back by then.

use crate::path::{Label, Step};

#[derive(Debug, Default)]
pub(super) struct Trail {
    /// The current key of each open level that has one, by depth, outermost first.
    notes: Vec<(usize, Step)>,
}

impl Trail {
    pub(super) fn clear(&mut self) {
        self.notes.clear();
    }

    /// Forgets the keys of levels deeper than this one: they are over, or noted anew.
    pub(super) fn forget_below(&mut self, depth: usize) {
        while self.notes.pop_if(|note| note.0 > depth).is_some() {}
    }

    /// Notes the current key of the level at this depth, which is deeper than all noted.
    pub(super) fn note(&mut self, depth: usize, key: Step) {
        self.notes.push((depth, key));
    }

    pub(super) fn key(&self, depth: usize) -> Option<Label<'_>> {
        let (_, step) = self.notes.iter().find(|note| note.0 == depth)?;
        Some(step.map(|text| text.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::{Leaf, Text};
    use crate::wire::VariantType;

    #[test]
    fn notes_are_kept_by_depth_until_they_are_over() {
        let mut trail = Trail::default();
        (1..=3).for_each(|depth| trail.note(depth, Step::IntKey(depth as i64)));
        let key = |trail: &Trail, depth| trail.key(depth).map(Label::step);
        assert_eq!((key(&trail, 3), key(&trail, 4)), (Some(Step::IntKey(3)), None));
        trail.forget_below(2);
        assert_eq!((key(&trail, 2), key(&trail, 3)), (Some(Step::IntKey(2)), None));
        trail.clear();
        assert_eq!([1, 2, 3].map(|depth| key(&trail, depth)), [None, None, None]);
        assert!(trail.notes.is_empty(), "no name is kept");
    }

    /// A key of any length may stand in the bytes; a step is short.
    #[test]
    fn a_step_holds_one_character_more_than_is_shown() {
        for character in ["a", "é", "日"] {
            for (count, held) in [(0, 0), (1, 1), (64, 64), (65, 65), (66, 65), (1000, 65)] {
                let key = character.repeat(count);
                let step = Leaf::Text(VariantType::String, Text::new(&key)).key_step();
                assert_eq!(step, Some(Step::Key(character.repeat(held))), "{count} characters");
            }
        }
    }
}
