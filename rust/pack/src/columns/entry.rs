//! Entry: an entry of the base that a reader keeps, where its fields stand, and how each is told.

use super::plan::MISSING;

/// An entry of the base that stays.
pub(super) struct OldEntry {
    pub(super) number: u64,
    pub(super) key: u64,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) older: usize,
    pub(super) is_moving: bool,
}

/// How a field of an entry is told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Absent,
    New,
    Same,
    /// From its base.
    Changed,
    /// By its column: whether codes follow.
    Own(bool),
}

/// Where the fields of an entry stand in both bases. Its memory is kept.
#[derive(Default)]
pub(super) struct BothPlaces(pub(super) [Vec<usize>; 2]);

impl BothPlaces {
    pub(super) fn of(&self, field: usize) -> (usize, usize) {
        let [a, b] = self.0.each_ref().map(|places| places.get(field).copied().unwrap_or(MISSING));
        (a, b)
    }
}
