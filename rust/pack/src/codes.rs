//! Codes: packed values that were read, and differences between them. A value whose codes are packed anew is judged when it is
//! unpacked.

use std::num::NonZeroU16;

use variant_core::{Place, Rules};

use crate::bases::{self, Bases};
use crate::columns::{self, Distances, MeasuredPart, Part, States};
use crate::deal::Deal;
use crate::fault::Answer;
use crate::layout::Layout;
use crate::ledger::most_without_bits;
use crate::packer::{MOST_PADDING, Packer, at_bit, padded, within};
use crate::read::CodeReader;
use crate::tag::Tagging;
use crate::text::length;

/// The codes of a packed value.
#[derive(Debug, Default)]
pub struct Codes {
    pub(crate) all: Vec<u64>,
    /// The bytes that it was packed in.
    pub(crate) bytes: u64,
}

/// The values that a difference is from, as [`Bases`] are.
#[derive(Clone, Copy, Debug)]
pub struct CodeBases<'c> {
    pub(crate) newer: &'c Codes,
    pub(crate) older: Option<(&'c Codes, Distances)>,
}

impl<'c> CodeBases<'c> {
    /// The value is told from `newer`, and from an older one, with the distances of [`Bases::apart`].
    #[must_use]
    pub fn new(newer: &'c Codes, older: Option<(&'c Codes, NonZeroU16, NonZeroU16)>) -> CodeBases<'c> {
        CodeBases { newer, older: older.map(|(older, ahead, gap)| (older, Distances::new(ahead, gap))) }
    }

    fn codes(&self) -> (&'c [u64], Option<(&'c [u64], Distances)>) {
        (&self.newer.all, self.older.map(|(codes, distances)| (codes.all.as_slice(), distances)))
    }
}

#[doc(hidden)]
impl Packer {
    /// Reads a packed value.
    ///
    /// # Errors
    /// The bits are none of this layout.
    pub fn codes(&mut self, layout: &Layout, packed: &[u8], rules: &Rules) -> Answer<Codes> {
        self.read(layout, packed, rules, MOST_PADDING)?;
        Ok(Codes { all: self.codes.clone(), bytes: length(packed.len()) })
    }

    /// Packs a value in Godot's format, for its codes.
    ///
    /// # Errors
    /// The errors of [`Packer::pack`].
    pub fn pack_codes(&mut self, layout: &Layout, value: &[u8], rules: &Rules) -> Answer<Codes> {
        let bytes = length(self.pack(layout, value, rules)?.len());
        Ok(Codes { all: self.codes.clone(), bytes })
    }

    /// Packs codes.
    ///
    /// # Errors
    /// They take more bytes than the rules allow.
    pub fn packed(&mut self, layout: &Layout, codes: &Codes, rules: &Rules) -> Answer<&[u8]> {
        self.codes.clone_from(&codes.all);
        self.written(layout, rules)
    }

    /// Makes the difference to a value.
    ///
    /// # Errors
    /// It takes more bytes than the rules allow.
    pub fn delta_of_codes(
        &mut self,
        layout: &Layout,
        bases: CodeBases<'_>,
        new: &Codes,
        rules: &Rules,
    ) -> Answer<&[u8]> {
        let (base, older) = bases.codes();
        self.tell(0, &[Part { layout, states: States { base, older, new: &new.all }, sets: &[] }])?;
        self.finished(rules)
    }

    /// Makes the difference to some parts of a value, which are given in their order. None: it may be shorter than by what was
    /// measured.
    ///
    /// # Errors
    /// It takes more bytes than the rules allow.
    pub fn delta_of_parts(
        &mut self,
        deal: &Deal,
        parts: &[&MeasuredPart],
        rules: &Rules,
    ) -> Answer<Option<&[u8]>> {
        let all: Vec<Part<'_>> = parts.iter().map(|part| part.part(deal)).collect();
        if self.tell(0, &all)? { self.finished(rules).map(Some) } else { Ok(None) }
    }

    /// Makes the value that a difference makes of its bases.
    ///
    /// # Errors
    /// The bits are none of this layout.
    pub fn apply_to_codes(
        &mut self,
        layout: &Layout,
        bases: CodeBases<'_>,
        delta: &[u8],
        rules: &Rules,
    ) -> Answer<Codes> {
        self.apply_codes(layout, bases, delta, rules)?;
        Ok(Codes { all: std::mem::take(&mut self.codes), bytes: 0 })
    }

    /// Reads the codes of bases; returns the hash of those and how far apart they are.
    pub(crate) fn read_bases(
        &mut self,
        layout: &Layout,
        bases: Bases<'_>,
        rules: &Rules,
    ) -> Answer<(u64, Option<Distances>)> {
        let mut older = None;
        if let Some((bytes, distances)) = bases.older {
            older = Some((self.read(layout, bytes, rules, MOST_PADDING)?, distances));
            std::mem::swap(&mut self.codes, &mut self.older);
        }
        let newer = self.read(layout, bases.newer, rules, MOST_PADDING)?;
        std::mem::swap(&mut self.codes, &mut self.base);
        let hash = if self.tagging == Tagging::Bare { 0 } else { bases::hash(newer, older) };
        Ok((hash, older.map(|(_, distances)| distances)))
    }

    pub(crate) fn told(
        &mut self,
        layout: &Layout,
        hash: u64,
        distances: Option<Distances>,
        rules: &Rules,
    ) -> Answer<&[u8]> {
        let [base, older, codes] = [&mut self.base, &mut self.older, &mut self.codes].map(std::mem::take);
        let before = distances.map(|distances| (older.as_slice(), distances));
        let states = States { base: &base, older: before, new: &codes };
        let told = self.tell(hash, &[Part { layout, states, sets: &[] }]);
        (self.base, self.older, self.codes) = (base, older, codes);
        told?;
        self.finished(rules)
    }

    /// Writes the difference between codes, of one part or of several. False: several have to be told as one.
    fn tell(&mut self, hash: u64, parts: &[Part<'_>]) -> Answer<bool> {
        let Some(Part { layout, .. }) = parts.first() else { return Ok(false) };
        self.bits.start(&self.tagging.tag(layout, Some(hash)));
        let has_changed = parts.iter().any(|part| part.states.base != part.states.new);
        self.bits.bit(has_changed);
        if !has_changed {
            return Ok(true);
        }
        let written = columns::differ::write(parts, &mut self.room.columns, &mut self.bits);
        written.map_err(|fault| fault.rejection(Place::Byte(0)))
    }

    /// Makes the codes of what a difference without its tag makes of its bases.
    pub(crate) fn apply_codes(
        &mut self,
        layout: &Layout,
        bases: CodeBases<'_>,
        delta: &[u8],
        rules: &Rules,
    ) -> Answer<()> {
        let (head, most_left) = (self.tagging.delta_bits(), self.most_left());
        within(delta, rules)?;
        let bits = padded(&mut self.room.bits, delta);
        let mut reader = CodeReader::new(layout, bits, &mut self.codes, &rules.limits);
        // What comes is compared with what is there afterwards, once more and exactly.
        let most = length(delta.len()).saturating_add(bases.newer.bytes).saturating_mul(8);
        reader.ledger.most_free = most_without_bits(most);
        let (base, older) = bases.codes();
        let applied = columns::apply::read(reader, base, older, &mut self.room.predicted, most_left)
            .map_err(|fault| at_bit(*fault, head))?;
        self.consumed = applied.saturating_add(head.wrapping_shr(3));
        self.pay(layout, Place::Bit(head))
    }
}
