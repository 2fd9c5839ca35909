//! Follows where in a document a walk is: which class, which row, which column.

/// The levels that have a meaning in a document; what is below belongs to a value.
const LEVELS: usize = 6;

/// The containers around a row.
const AROUND_ROW: usize = 4;

/// Where a walk is: how many containers are open, and which child of each comes next.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DocumentPlace {
    pub(crate) depth: usize,
    /// By level from 1 on; only the first few are counted.
    at: [u32; LEVELS],
}

/// The part of a document that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentPart {
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

impl DocumentPlace {
    pub(crate) const START: DocumentPlace = DocumentPlace { depth: 0, at: [0; LEVELS] };

    /// The part that the next token begins.
    pub(crate) fn part(&self) -> DocumentPart {
        let [_, first, class, field, row, _] = self.at;
        match (self.depth, first) {
            (0, _) => DocumentPart::Root,
            (1, 0) => DocumentPart::Form,
            (1, 1) => DocumentPart::Classes,
            (1, 3) => DocumentPart::Containers,
            (2, 3) => DocumentPart::Numbers(class),
            (_, 2) => DocumentPart::Value,
            (2, 1) => DocumentPart::Class(class),
            (3, 1) => match field {
                0 => DocumentPart::Tag(class),
                1 => DocumentPart::Version(class),
                2 => DocumentPart::Names(class),
                3 => DocumentPart::Rows(class),
                _ => DocumentPart::Beyond,
            },
            (4, 1) if field == 3 => DocumentPart::Row(class, row),
            (4, 1) => DocumentPart::Beyond,
            (_, 1) => DocumentPart::Cell(class, row),
            _ => DocumentPart::Beyond,
        }
    }

    /// The column of a row that the next token begins or is in.
    pub(crate) fn column(&self) -> usize {
        let [.., column] = self.at;
        usize::try_from(column).unwrap_or(usize::MAX)
    }

    /// The levels from the object, or from outside of the value, to the next token: one, and the containers that are open.
    pub(crate) fn levels(&self) -> u32 {
        let around = if matches!(self.part(), DocumentPart::Cell(..)) { AROUND_ROW } else { 0 };
        u32::try_from(self.depth.saturating_sub(around)).unwrap_or(u32::MAX).max(1)
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
