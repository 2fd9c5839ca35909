//! Finds the rows of a document of objects, the entries of its value, and the outline that is left without them. It knows the form
//! of a document, and nothing of classes.

use std::ops::Range;

use variant_core::cursor::Cursor;
use variant_core::token::{self, Container, ContainerType, Leaf, Token};
use variant_core::{Error, ErrorKind, Refusal, Sink, Walker};

use crate::chunk::{Fields, to_u64};
use crate::cut::{Slice, any};

/// The size of the largest outline with the places of slices; a document with a larger one is cut anywhere.
const MOST_BYTES: usize = 1 << 20;
/// A value of so many bytes stays in the outline as a whole.
const SMALL_VALUE: usize = 1 << 10;
/// A value also stays there where the document is so many times as long.
const SMALL_SHARE: usize = 8;

/// A document of more parts is cut anywhere: a save file has as many objects at the most.
const MOST_PARTS: u32 = 1 << 20;

/// A place in a document where rows, or entries of the value, follow one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    /// The number of the part before it, which is bytes of the outline.
    pub(crate) part: u32,
    /// The byte of the outline where the class that the rows are of begins, or the value.
    pub(crate) head: usize,
    /// The byte of the outline where they go in. The four bytes before it are their number.
    pub(crate) at: usize,
    pub(crate) count: u32,
    /// The values of each: two for the entry of a Dictionary.
    pub(crate) values: u32,
    /// The Arrays and Dictionaries that begin between this place and the one before.
    pub(crate) containers: u32,
}

/// A document without rows, and without the entries of its value if that is large.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outline {
    pub(crate) bytes: Vec<u8>,
    /// The gaps, one for each class, and one for the value if its entries are not in the outline.
    pub(crate) gaps: Vec<Gap>,
    pub(crate) is_value_cut: bool,
    /// The bytes of the value, as far as the outline has it.
    pub(crate) value: Range<usize>,
    /// The number of the value's first container, among all Arrays and Dictionaries of the document.
    pub(crate) value_number: u32,
}

/// A part of a document: bytes of the outline between two gaps, a row, or an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentPart {
    Outline(usize),
    Unit(usize, u32),
}

/// The bytes of a part, and how many containers begin before it.
#[derive(Clone, Debug)]
pub(crate) struct DocumentPiece {
    pub(crate) range: Range<usize>,
    containers: u32,
}

/// Takes a document apart. Returns `None` for other bytes.
pub(crate) fn parts(payload: &[u8]) -> Option<(Outline, Vec<DocumentPiece>)> {
    let mut scanner = DocumentScanner::of(payload);
    scanner.has_units = true;
    scanner.document()?;
    Some((scanner.outline, scanner.pieces))
}

impl Outline {
    /// The bytes that a save keeps beside the slices: the outline, and where in the document each slice begins.
    pub(crate) fn written(&self, slices: &[Slice], pieces: &[DocumentPiece]) -> Option<Vec<u8>> {
        let word = |number: usize| u32::try_from(number).ok();
        let mut words = vec![u32::from(self.is_value_cut), self.value_number, word(slices.len())?];
        let mut begun = 0_usize;
        for entries in slices.iter().map(|slice| slice.entries).chain([0]) {
            words.push(word(begun)?);
            words.push(pieces.get(begun).map_or(0, |piece| piece.containers));
            begun = begun.saturating_add(usize::try_from(entries).ok()?);
        }
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.extend(&self.bytes);
        (bytes.len() <= MOST_BYTES).then_some(bytes)
    }

    /// Reads such bytes. The numbers of each slice are its first part, and the containers before that; one more pair is the end.
    pub(crate) fn read(bytes: &[u8]) -> Option<(Outline, Vec<(u32, u32)>)> {
        let mut fields = Fields::new(bytes, 0);
        let (is_value_cut, value_number) = (fields.u32().ok()? == 1, fields.u32().ok()?);
        let mut slices = Vec::new();
        for _ in 0..=fields.u32().ok()? {
            slices.push((fields.u32().ok()?, fields.u32().ok()?));
        }
        let mut scanner = DocumentScanner::of(fields.rest());
        scanner.outline.is_value_cut = is_value_cut;
        scanner.document()?;
        Some((Outline { value_number, ..scanner.outline }, slices))
    }

    /// The gap of the value's entries.
    pub(crate) fn entries(&self) -> Option<&Gap> {
        self.gaps.last().filter(|_| self.is_value_cut)
    }

    pub(crate) fn units(&self) -> u64 {
        self.gaps.iter().map(|gap| u64::from(gap.count)).sum()
    }

    /// Tells whether a document of so many bytes can have as many rows and entries: each takes four bytes.
    pub(crate) fn can_be_of(&self, payload_bytes: u64) -> bool {
        self.units().saturating_mul(4) <= payload_bytes && to_u64(self.bytes.len()) <= payload_bytes
    }

    /// Tells what each part is, from this one on.
    pub(crate) fn parts_from(&self, first: u32) -> impl Iterator<Item = DocumentPart> {
        let start = self.gaps.partition_point(|gap| gap.part <= first).saturating_sub(1);
        let gaps = self.gaps.iter().enumerate().skip(start);
        gaps.flat_map(move |(gap, of)| {
            let skipped = first.saturating_sub(of.part);
            let before = (skipped == 0).then_some(DocumentPart::Outline(gap));
            let units = skipped.saturating_sub(1)..of.count;
            before.into_iter().chain(units.map(move |number| DocumentPart::Unit(gap, number)))
        })
    }

    pub(crate) fn before(&self, gap: usize) -> &[u8] {
        let start = gap.checked_sub(1).and_then(|before| self.gaps.get(before)).map_or(0, |before| before.at);
        self.gaps.get(gap).and_then(|gap| self.bytes.get(start..gap.at)).unwrap_or_default()
    }
}

/// Finds the references to objects in a value, and counts Arrays and Dictionaries.
#[derive(Debug, Default)]
pub(crate) struct ReferenceFinder {
    /// The byte of each RID, and its number.
    pub(crate) references: Vec<(usize, u64)>,
    pub(crate) containers: u32,
    /// The byte at which the walk ends, if it does not go on to the end of the value.
    pub(crate) stop: Option<usize>,
}

impl ReferenceFinder {
    /// Looks through the value at the front of the bytes, and returns where it ends.
    pub(crate) fn look(&mut self, walker: &mut Walker<()>, bytes: &[u8]) -> Option<usize> {
        let consumed = self.walk(walker, bytes).ok()?;
        // The padding of a text at the end of a value may be missing.
        usize::try_from(consumed).ok().filter(|end| *end <= bytes.len() && *end > 0)
    }

    pub(crate) fn walk(&mut self, walker: &mut Walker<()>, bytes: &[u8]) -> Result<u64, Error> {
        walker.visit(bytes, &any(), self).map(|extent| extent.consumed)
    }
}

impl Sink for ReferenceFinder {
    type Output = ();
    type Frame = ();

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<(), Refusal> {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        if let Leaf::Rid(id) = leaf {
            self.references.push((at, id));
        }
        if self.stop == Some(at) { Err(ErrorKind::Refused) } else { Ok(()) }
    }

    fn open(&mut self, _: u64, container: Container<'_>, _: usize) -> Result<(), Refusal> {
        let is_counted = matches!(container, Container::Array { .. } | Container::Dictionary { .. });
        self.containers = self.containers.saturating_add(u32::from(is_counted));
        Ok(())
    }

    fn close(&mut self, (): ()) -> Result<(), Refusal> {
        Ok(())
    }
}

/// Reads a document, or an outline: the same bytes without what goes into its gaps.
#[derive(Default)]
struct DocumentScanner<'b> {
    bytes: &'b [u8],
    at: usize,
    has_units: bool,
    walker: Walker<()>,
    found: ReferenceFinder,
    outline: Outline,
    pieces: Vec<DocumentPiece>,
    /// Where the bytes begin that are not in the outline yet, and the containers before them.
    due: usize,
    due_containers: u32,
}

impl<'b> DocumentScanner<'b> {
    fn of(bytes: &'b [u8]) -> DocumentScanner<'b> {
        DocumentScanner { bytes, ..DocumentScanner::default() }
    }

    fn document(&mut self) -> Option<()> {
        let elements = self.array().filter(|count| matches!(count, 3 | 4))?;
        self.form()?;
        for _ in 0..self.array()? {
            let head = self.place();
            self.array().filter(|count| *count == 4)?;
            for _ in ["tag", "version", "names"] {
                self.value()?;
            }
            let rows = self.array()?;
            self.gap(head, rows, 1)?;
        }
        self.value_of_document()?;
        if elements == 4 {
            self.value()?;
        }
        self.end_piece();
        (self.at == self.bytes.len()).then_some(())
    }

    fn rest(&self) -> &'b [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn token(&self) -> Option<(Token<'b>, usize)> {
        let mut cursor = Cursor::new(self.rest());
        let token = token::read(&mut cursor, &any()).ok()?;
        Some((token, usize::try_from(cursor.at()).ok()?))
    }

    fn form(&mut self) -> Option<()> {
        let (Token::Leaf(Leaf::Text(_, text)), _) = self.token()? else { return None };
        if text.as_str().starts_with("variant_objects/") { self.value() } else { None }
    }

    /// Reads the opening of an untyped Array, and returns its number of elements.
    fn array(&mut self) -> Option<u32> {
        let (count, values, end) = self.opening()?;
        self.begin(end);
        (values == 1).then_some(count)
    }

    /// Returns the number of entries or elements of what begins here, how many values each has, and how long the opening is.
    fn opening(&self) -> Option<(u32, u32, usize)> {
        match self.token()? {
            (Token::Open(Container::Array { element: ContainerType::None, count }), end) => {
                Some((count, 1, end))
            }
            (Token::Open(Container::Dictionary { count, .. }), end) => Some((count, 2, end)),
            _ => None,
        }
    }

    fn begin(&mut self, end: usize) {
        self.at = self.at.saturating_add(end);
        self.found.containers = self.found.containers.saturating_add(1);
    }

    fn value(&mut self) -> Option<()> {
        self.found.references.clear();
        let rest = self.rest();
        let end = self.found.look(&mut self.walker, rest)?;
        self.at = self.at.saturating_add(end);
        Some(())
    }

    /// Reads the value, which stays whole where it is small: it leads to all objects.
    fn value_of_document(&mut self) -> Option<()> {
        let (head, before) = (self.place(), (self.at, self.found.containers));
        self.outline.value_number = before.1;
        if self.has_units {
            self.value()?;
            let most = SMALL_VALUE.max(self.bytes.len() / SMALL_SHARE);
            self.outline.is_value_cut = self.at.saturating_sub(before.0) > most;
        }
        if self.outline.is_value_cut {
            (self.at, self.found.containers) = before;
            let (count, values, end) = self.opening().filter(|(count, ..)| *count > 0)?;
            self.begin(end);
            self.gap(head, count, values)?;
        } else if !self.has_units {
            self.value()?;
        }
        let end = if self.outline.is_value_cut { self.outline.bytes.len() } else { self.place() };
        self.outline.value = head..end;
        Some(())
    }

    /// The byte of the outline that the next one is.
    fn place(&self) -> usize {
        self.outline.bytes.len().saturating_add(self.at.saturating_sub(self.due))
    }

    fn gap(&mut self, head: usize, count: u32, values: u32) -> Option<()> {
        let containers = self.found.containers.saturating_sub(self.due_containers);
        self.end_piece();
        let part =
            self.outline.gaps.last().map_or(0, |last| last.part.saturating_add(last.count).saturating_add(1));
        if part.saturating_add(count) > MOST_PARTS {
            return None;
        }
        let at = self.outline.bytes.len();
        self.outline.gaps.push(Gap { part, head, at, count, values, containers });
        if self.has_units {
            for _ in 0..count {
                let (start, containers) = (self.at, self.found.containers);
                for _ in 0..values {
                    self.value()?;
                }
                self.pieces.push(DocumentPiece { range: start..self.at, containers });
            }
        }
        (self.due, self.due_containers) = (self.at, self.found.containers);
        Some(())
    }

    /// Puts the bytes since the last gap into the outline.
    fn end_piece(&mut self) {
        let range = self.due..self.at;
        self.outline.bytes.extend(self.bytes.get(range.clone()).unwrap_or_default());
        if !range.is_empty() {
            self.pieces.push(DocumentPiece { range, containers: self.due_containers });
        }
    }
}
