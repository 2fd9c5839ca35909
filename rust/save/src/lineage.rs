//! Names saves so that their order can be told, and compares two saves by these names. Clocks are not used: players change
//! them, and consoles have none.
//!
//! An id is a writer and the tick of that writer. A writer's saves are one line, in which each continues the one before it: so the
//! last id of each writer says which of its saves are ancestors, and a save names writers and not saves.

use std::sync::{Mutex, PoisonError};

use crate::head::{Head, MOST_ANCESTORS, SaveId};
use crate::keys::random;

/// Says how one save relates to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Both are the same save.
    Same,
    /// The first is an ancestor of the second.
    Older,
    /// The second is an ancestor of the first.
    Newer,
    /// Both descend from one save, and each may have changes that the other lacks.
    Diverged,
    /// They descend from no common save.
    Unrelated,
}

/// Compares two saves by their headers.
#[must_use]
pub fn compare(first: &Head, second: &Head) -> Order {
    if first.id == second.id {
        Order::Same
    } else if descends(second, first.id) {
        Order::Older
    } else if descends(first, second.id) {
        Order::Newer
    } else if first_writer(first) == first_writer(second) {
        Order::Diverged
    } else {
        Order::Unrelated
    }
}

/// Tells whether a save of this header is the one with this id, or descends from it, as far as it names its writer.
pub(crate) fn descends(head: &Head, id: SaveId) -> bool {
    let follows = |own: &SaveId| own.writer() == id.writer() && own.tick() >= id.tick();
    follows(&head.id) || head.ancestors.iter().any(follows)
}

/// Returns the writer of the save that all others of the line go back to.
fn first_writer(head: &Head) -> u64 {
    head.ancestors.last().unwrap_or(&head.id).writer()
}

/// Returns the ancestors of a save of this id that continues `parent`. The writer of the id itself is not among them, and where there
/// are too many, the first one stays: it tells saves of one game from those of another.
pub(crate) fn ancestors(parent: &Head, id: SaveId) -> Vec<SaveId> {
    let own = (parent.id.writer() != id.writer()).then_some(parent.id);
    let mut ancestors: Vec<SaveId> = own.into_iter().chain(parent.ancestors.iter().copied()).collect();
    if let Some((first, newer)) = ancestors.split_last().filter(|(_, newer)| newer.len() >= MOST_ANCESTORS) {
        ancestors = newer.iter().take(MOST_ANCESTORS.saturating_sub(1)).chain([first]).copied().collect();
    }
    ancestors
}

/// Holds the saves that this process wrote and that no other one continues yet, the newest last.
static ENDS: Mutex<Vec<SaveId>> = Mutex::new(Vec::new());

/// The number of ends that are kept. Whoever continues a save whose end was dropped is a new writer.
const MOST_ENDS: usize = 256;

/// Returns the id of a save that continues `parent`; `None` where the system gives no random bytes. It is the next of the parent's
/// writer where this process wrote the parent and has not continued it yet, and otherwise the first of a new writer.
pub(crate) fn next_id(parent: Option<SaveId>) -> Option<SaveId> {
    // Only whole ids are put there, so even after a panic each is one.
    let mut ends = ENDS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = ends.iter().position(|end| Some(*end) == parent);
    let next = known.and_then(|at| ends.remove(at).next());
    let id = match next {
        Some(id) => id,
        None => SaveId::of(u64::from_le_bytes(random()?), 0),
    };
    if ends.len() >= MOST_ENDS {
        ends.remove(0);
    }
    ends.push(id);
    Some(id)
}
