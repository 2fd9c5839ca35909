//! Compares two saves by their ancestors. Clocks are not asked: players change them, and consoles have none.

use crate::head::Head;

/// How one save stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// They are one save.
    Same,
    /// The first is an ancestor of the second.
    Older,
    /// The second is an ancestor of the first.
    Newer,
    /// Both go back to one save, and each has what the other lacks.
    Diverged,
    /// They have no ancestor in common that they still name.
    Unrelated,
}

/// Compares two saves by what their headers say.
#[must_use]
pub fn compare(first: &Head, second: &Head) -> Order {
    if first.id == second.id {
        Order::Same
    } else if second.ancestors.contains(&first.id) {
        Order::Older
    } else if first.ancestors.contains(&second.id) {
        Order::Newer
    } else if first.ancestors.iter().any(|id| second.ancestors.contains(id)) {
        Order::Diverged
    } else {
        Order::Unrelated
    }
}
