//! Counts at each place in a value, in a tree of places. A place is found from the one around it, so that
//! deep values cost no more than others.

use std::collections::HashMap;

use variant_core::{Path, Step};

use crate::sizes::Tally;

/// The most places that are counted apart; more are counted together, so that memory stays bounded.
const MOST_PLACES: usize = 100_000;
/// The bytes that all their names may have: a fixed number, and a number for each byte that is counted, since
/// a deep value has a name that is longer than its bytes.
pub(crate) const FREE_NAMES: usize = 64 << 10;
pub(crate) const NAMES_PER_BYTE: usize = 4;
/// The name of the places beyond.
pub(crate) const OTHERS: &str = "(others)";
/// The common name of elements and of keys with numbers.
const NUMBERED: &str = "[]";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    Place(usize),
    /// It is counted to all the places that are not counted apart.
    Others,
    /// It is counted to the value that comes after this key, or after the key that it is a part of.
    Key,
}

#[derive(Debug)]
pub(crate) struct SizePlaces {
    /// The places; the first is the root, once it is there.
    known: Vec<SizePlace>,
    /// The bytes that names of further places may have.
    room: usize,
    /// The places whose keys are counted together.
    pub(crate) merged: Vec<String>,
    pub(crate) others: Tally,
}

#[derive(Debug, Default)]
struct SizePlace {
    around: usize,
    /// Its name without that of the place around it.
    piece: String,
    /// The bytes of its whole name.
    length: usize,
    tally: Tally,
    is_merged: bool,
    within: HashMap<String, usize>,
}

impl Default for SizePlaces {
    fn default() -> Self {
        Self { known: Vec::new(), room: FREE_NAMES, merged: Vec::new(), others: Tally::default() }
    }
}

impl SizePlaces {
    pub(crate) const fn make_room(&mut self, bytes: usize) {
        self.room = self.room.saturating_add(bytes.saturating_mul(NAMES_PER_BYTE));
    }

    /// Finds the place at this step from the one around it; without a step, the root.
    pub(crate) fn spot(&mut self, around: Option<Spot>, step: Option<&Step>) -> Spot {
        let around = match (around, step) {
            (_, Some(Step::KeyOf(_))) => return Spot::Key,
            (None, _) | (_, None) => return self.root(),
            (Some(Spot::Place(around)), _) => around,
            (Some(beyond), _) => return beyond,
        };
        match step {
            Some(step @ (Step::Key(_) | Step::Property(_))) if !self.known[around].is_merged => {
                self.within(around, &Path(vec![step.clone()]).to_string())
            }
            _ => self.within(around, NUMBERED),
        }
    }

    pub(crate) fn tally(&mut self, place: usize) -> &mut Tally {
        &mut self.known[place].tally
    }

    pub(crate) fn into_named(self) -> Vec<(String, Tally)> {
        let told = self.known.iter().map(|place| (self.name(place), place.tally));
        let all = told.chain([(OTHERS.to_owned(), self.others)]);
        all.filter(|(_, tally)| *tally != Tally::default()).collect()
    }

    fn root(&mut self) -> Spot {
        if self.known.is_empty() {
            let piece = Path::default().to_string();
            let is_merged = self.merged.contains(&piece);
            self.known.push(SizePlace { piece, is_merged, ..SizePlace::default() });
        }
        Spot::Place(0)
    }

    fn within(&mut self, around: usize, piece: &str) -> Spot {
        let (at, count) = (&self.known[around], self.known.len());
        if let Some(&place) = at.within.get(piece) {
            return Spot::Place(place);
        }
        let length = at.length + usize::from(has_dot(around, piece)) + piece.len();
        let Some(left) = self.room.checked_sub(length).filter(|_| count < MOST_PLACES) else {
            return Spot::Others;
        };
        self.room = left;
        self.known[around].within.insert(piece.to_owned(), count);
        let mut place = SizePlace { around, piece: piece.to_owned(), length, ..SizePlace::default() };
        place.is_merged = !self.merged.is_empty() && self.merged.contains(&self.name(&place));
        self.known.push(place);
        Spot::Place(count)
    }

    fn name(&self, place: &SizePlace) -> String {
        let (mut pieces, mut at) = (vec![place.piece.as_str()], place);
        while at.around > 0 {
            if has_dot(at.around, &at.piece) {
                pieces.push(".");
            }
            at = &self.known[at.around];
            pieces.push(&at.piece);
        }
        pieces.reverse();
        pieces.concat()
    }
}

/// Tells whether a dot is between the name of a place and the piece behind it.
fn has_dot(around: usize, piece: &str) -> bool {
    around > 0 && !piece.starts_with('[')
}
