//! Plans a value that always has as many codes: a number, a vector, a Dictionary of such. By the plan one loop does what
//! `take.rs`, `make.rs`, `read.rs` and `write.rs` do part by part, or it does nothing, and they say what is wrong.

mod bytes;
mod plan;
mod put;

pub(crate) use plan::complete;
pub use put::SlotWriter;

use variant_core::VariantType;

use crate::bits::{BitReader, BitWriter, PlainCell};
use crate::judge::Judge;
use crate::math_types::Solid;
use crate::number_codec::{Form, is_single_code};

/// A plan of places and cells. The numbers of codes count from the first of the row.
#[derive(Debug, Default)]
pub(crate) struct Row {
    /// In the order of the bytes.
    places: Vec<Place>,
    /// In the order of the bits, each for a code.
    cells: Vec<Cell>,
    /// All cells, where each is a plain one that one load brings; else none.
    plain: Vec<PlainCell>,
    /// Keys and places in the order in which they lie in slots, if all have a way there.
    steps: Vec<SlotStep>,
    /// Where the codes of rotations begin, and their bits.
    rotations: Vec<(usize, u32)>,
    /// The number of its first step among those of all rows.
    first_step: usize,
    /// Values in it, itself not counted, and levels of them.
    pub(crate) values: u64,
    pub(crate) levels: u32,
    /// The most bytes that it takes.
    pub(crate) most_bytes: usize,
}

#[derive(Debug)]
enum Place {
    Same(Box<[u8]>),
    Bool {
        at: usize,
    },
    Int {
        at: usize,
        form: Form,
    },
    Float {
        at: usize,
        form: Form,
        judge: Judge,
    },
    /// Numbers of 32 bits, whose header is said before.
    Solid {
        at: usize,
        ty: VariantType,
        solid: Solid,
        judge: Judge,
    },
    Enum {
        at: usize,
        all: Vec<Vec<u8>>,
    },
}

/// A part of the value as it lies in slots.
#[derive(Debug)]
enum SlotStep {
    /// A Dictionary of so many keys; each comes with its value behind it.
    Open(usize),
    Key(Box<str>),
    /// A value that is always the same.
    Same(Box<[u8]>),
    Place(usize),
}

#[derive(Debug)]
enum Cell {
    Plain(PlainCell),
    /// As a number of 32 bits.
    Single,
    Form(Form),
}

impl Row {
    pub(crate) const fn codes(&self) -> usize {
        self.cells.len()
    }

    /// Appends all codes, of which the first may be known. False: a code is none, or bits are missing; some may be there
    /// then, and the bits are not passed.
    #[inline]
    pub(crate) fn read(&self, bits: &mut BitReader<'_>, codes: &mut Vec<u64>, known: Option<u64>) -> bool {
        codes.extend(known);
        let from = usize::from(known.is_some());
        if let Some(cells) = self.plain.get(from..).filter(|_| !self.plain.is_empty()) {
            return bits.take_all(cells, codes).is_some();
        }
        // A reader of its own stays in registers.
        let mut ahead = *bits;
        for cell in self.cells.get(from..).unwrap_or_default() {
            let code = match cell {
                Cell::Plain(cell) => ahead.take(cell.width).ok().filter(|code| *code <= cell.last),
                Cell::Single => ahead.take(32).ok().filter(|code| is_single_code(*code)),
                Cell::Form(form) => {
                    let mut far = ahead;
                    let code = form.read(&mut far).ok();
                    ahead = far;
                    code
                }
            };
            let Some(code) = code else { return false };
            codes.push(code);
        }
        *bits = ahead;
        true
    }

    /// Writes all of its codes, or the last ones.
    pub(crate) fn write(&self, codes: &[u64], bits: &mut BitWriter) {
        let known = self.cells.len().saturating_sub(codes.len());
        for (cell, code) in self.cells.iter().skip(known).zip(codes) {
            match cell {
                Cell::Plain(cell) => bits.put(*code, cell.width),
                Cell::Single => bits.put(*code, 32),
                Cell::Form(form) => form.write(*code, bits),
            }
        }
    }
}
