//! Has all of the bytes checked by a walk, once, where something comes that the plain reader does not count: more keys, more names
//! or longer ones than are free. From there on it counts nothing.

use super::Reader;
use super::make::Make;

/// Says who checks what the plain reader does not.
pub enum CheckBy<'c> {
    /// Nobody: such values are given up.
    Nobody,
    /// The caller has done so: all of the bytes are accepted.
    Caller {
        /// Whether the steps in tables of any size were bounded, so that a maker may give them their room beforehand. Else
        /// those in tables that grow were counted.
        fills_tables: bool,
    },
    /// A walk that bounds steps so.
    Walk {
        /// The levels of a flat value that [`free_levels`](super::free_levels) finds; 0 where a limit may refuse one.
        levels: u64,
        /// Asks it, at most once, whether it accepts all of the bytes.
        is_accepted: &'c mut dyn FnMut() -> bool,
    },
}

impl CheckBy<'_> {
    /// Tells whether a maker may give tables their room beforehand.
    #[must_use]
    pub const fn fills_tables(&self) -> bool {
        match self {
            CheckBy::Caller { fills_tables } => *fills_tables,
            CheckBy::Nobody | CheckBy::Walk { .. } => true,
        }
    }
}

impl<'b, M: Make> Reader<'b, '_, '_, M> {
    /// Has the bytes checked, unless they are. `None`: they are not accepted.
    #[cold]
    #[inline(never)]
    pub(super) fn check_all(&mut self) -> Option<()> {
        let is_accepted = match &mut self.check {
            CheckBy::Nobody => false,
            CheckBy::Caller { .. } => true,
            CheckBy::Walk { is_accepted, .. } => is_accepted(),
        };
        if is_accepted {
            let fills_tables = self.check.fills_tables();
            (self.check, self.most) = (CheckBy::Caller { fills_tables }, u32::MAX);
            Some(())
        } else {
            self.check = CheckBy::Nobody;
            None
        }
    }

    /// Counts a field that holds so many names, if it is no longer than this.
    pub(super) fn count(&mut self, field: &'b [u8], names: u32, longest: usize) -> Option<()> {
        if matches!(self.check, CheckBy::Caller { .. }) {
            return Some(());
        }
        let is_counted = field.len() <= longest && self.names.field(field, names).is_some();
        if is_counted { Some(()) } else { self.check_all() }
    }
}

#[cfg(test)]
mod tests;
