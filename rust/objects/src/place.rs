//! Follows where in a document a walk is: which class, which row, which column.

/// The levels that have a meaning in a document; what is below belongs to a value.
const LEVELS: usize = 6;

/// The containers around a row.
const AROUND_ROW: usize = 4;

/// Where a walk is: how many containers are open, and which child of each comes next.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    depth: usize,
    /// By level from 1 on; only the first few are counted.
    at: [u32; LEVELS],
}

/// The part of a document that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Root,
    Form,
    Classes,
    /// The entry of a class, by its number in the document.
    Class(u32),
    Tag(u32),
    Version(u32),
    Names(u32),
    Rows(u32),
    Row(u32, u32),
    /// A value of a row, or the inside of a row that is a value itself.
    Cell(u32, u32),
    /// The value, and what is in it.
    Value,
    /// The fourth element of the document, which tells of containers.
    Containers,
    /// A key of it, or the value of a key: by turns.
    Numbers(u32),
    /// A fifth element of the document, or of a class.
    Beyond,
}

impl Place {
    /// Before the first token.
    pub(crate) const START: Place = Place { depth: 0, at: [0; LEVELS] };

    /// The part that the next token begins.
    pub(crate) fn part(&self) -> Part {
        let [_, first, class, field, row, _] = self.at;
        match (self.depth, first) {
            (0, _) => Part::Root,
            (1, 0) => Part::Form,
            (1, 1) => Part::Classes,
            (1, 3) => Part::Containers,
            (2, 3) => Part::Numbers(class),
            (_, 2) => Part::Value,
            (2, 1) => Part::Class(class),
            (3, 1) => match field {
                0 => Part::Tag(class),
                1 => Part::Version(class),
                2 => Part::Names(class),
                3 => Part::Rows(class),
                _ => Part::Beyond,
            },
            (4, 1) if field == 3 => Part::Row(class, row),
            (4, 1) => Part::Beyond,
            (_, 1) => Part::Cell(class, row),
            _ => Part::Beyond,
        }
    }

    /// The column of a row that the next token begins or is in.
    pub(crate) fn column(&self) -> usize {
        let [.., column] = self.at;
        usize::try_from(column).unwrap_or(usize::MAX)
    }

    /// The levels from the object, or from outside of the value, to the next token: one, and the containers that are open.
    pub(crate) fn levels(&self) -> u32 {
        let around = if matches!(self.part(), Part::Cell(..)) { AROUND_ROW } else { 0 };
        u32::try_from(self.depth.saturating_sub(around)).unwrap_or(u32::MAX).max(1)
    }

    pub(crate) const fn depth(&self) -> usize {
        self.depth
    }

    pub(crate) fn open(&mut self) {
        self.depth = self.depth.saturating_add(1);
        if let Some(at) = self.at.get_mut(self.depth) {
            *at = 0;
        }
    }

    /// A child is complete.
    pub(crate) fn advance(&mut self) {
        if let Some(at) = self.at.get_mut(self.depth) {
            *at = at.saturating_add(1);
        }
    }

    pub(crate) fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.advance();
    }
}
