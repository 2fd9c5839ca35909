//! Counts the names of a flat value, so that none of them has to be looked for in chains of the engine's table.

use super::limits::{LONGEST_FLAT_NAME, MOST_FLAT_NAMES, flat_names_may_repeat};
use crate::token::Text;
use crate::wire::Rules;

/// The number of names that may come.
const NAMES: usize = 12;
const _: () = assert!(MOST_FLAT_NAMES == 12, "there is room for each");

/// The few names that a value may have without any limit refusing it, whatever their hashes are.
#[derive(Clone, Debug)]
pub struct FlatNames<'b> {
    /// The number of names that may still come.
    left: u32,
    /// The fields of those that came, if they are free from then on.
    came: [&'b [u8]; NAMES],
    may_repeat: bool,
}

impl<'b> FlatNames<'b> {
    /// Returns the count of a value that has no name yet.
    #[inline]
    #[must_use]
    pub const fn new(rules: &Rules) -> FlatNames<'b> {
        FlatNames { left: MOST_FLAT_NAMES, came: [&[]; NAMES], may_repeat: flat_names_may_repeat(rules) }
    }

    /// Counts a StringName that is written in this field; returns `None` if it is too long or one too many.
    #[inline]
    pub fn name(&mut self, field: &'b [u8], text: &Text<'_>) -> Option<()> {
        if text.as_bytes().len() > LONGEST_FLAT_NAME { None } else { self.field(field, 1) }
    }

    /// Counts a field that holds so many names, if it did not come before.
    pub(super) fn field(&mut self, field: &'b [u8], names: u32) -> Option<()> {
        if self.came.contains(&field) {
            return Some(());
        }
        self.left = self.left.checked_sub(names)?;
        if self.may_repeat {
            // There are never more fields than names.
            *self.came.get_mut(usize::try_from(self.left).ok()?)? = field;
        }
        Some(())
    }
}
