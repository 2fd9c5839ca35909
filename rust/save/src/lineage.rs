//! Compares two saves by their ancestors. Clocks are not used: players change them, and consoles have none.

use crate::head::Head;

/// Says how one save relates to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Both are the same save.
    Same,
    /// The first is an ancestor of the second.
    Older,
    /// The second is an ancestor of the first.
    Newer,
    /// Both descend from one save, and each has changes that the other lacks.
    Diverged,
    /// They name no common ancestor.
    Unrelated,
}

/// Compares two saves by their headers.
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
