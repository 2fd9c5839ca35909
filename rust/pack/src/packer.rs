//! Packer: packs, unpacks, and does both with differences, in memory that is kept.

use std::ops::Range;

use variant_core::cursor::Cursor;
use variant_core::{ErrorKind, Place, Rejection, Rules};
use variant_schema::Checker;

use crate::bases::Bases;
use crate::bits::{BitReader, BitWriter, PADDING};
use crate::codes::{CodeBases, Codes};
use crate::columns;
use crate::fault::{Answer, Fault, rejected};
use crate::layout::Layout;
use crate::ledger::most_without_bits;
use crate::make::Maker;
use crate::pass::Pass;
use crate::proof::made_rules;
use crate::read::CodeReader;
use crate::tag::Tagging;
use crate::take::ValueReader;
use crate::text::length;
use crate::write::Writer;

/// Packs and unpacks. Keep it and use it again: little is allocated once warm.
#[derive(Debug, Default)]
pub struct Packer {
    /// The tag in front of what is packed.
    pub tagging: Tagging,
    /// Whether bytes may follow those of a value; [`Packer::consumed`] says where they begin.
    pub is_followed: bool,
    /// Whether values that are made of bits have their defaults filled in, as far as [`Packer::is_complete`] tells.
    pub fills: bool,
    pub(crate) consumed: u64,
    pub(crate) codes: Vec<u64>,
    pub(crate) base: Vec<u64>,
    pub(crate) older: Vec<u64>,
    made: Vec<u8>,
    /// Whether the value is known to be one that the schema accepts.
    is_judged: bool,
    /// Whether what the schema adds to it is there, too.
    is_filled: bool,
    pub(crate) bits: BitWriter,
    checker: Checker,
    pub(crate) room: PassMemory,
}

#[derive(Debug, Default)]
pub(crate) struct PassMemory {
    found: Vec<Option<Range<usize>>>,
    moved: Vec<u64>,
    places: Vec<Option<usize>>,
    scratch: Vec<u8>,
    pub(crate) bits: Vec<u8>,
    pub(crate) columns: columns::differ::PassMemory,
    pub(crate) predicted: Vec<u64>,
}

impl Packer {
    /// A packer that puts nothing in front.
    #[must_use]
    pub fn new() -> Packer {
        Packer::tagged(Tagging::Bare)
    }

    /// A packer with such tags.
    #[must_use]
    pub fn tagged(tagging: Tagging) -> Packer {
        Packer { tagging, ..Packer::default() }
    }

    /// Packs a value in Godot's format.
    ///
    /// # Errors
    /// The value, or that which the receiver would get, is none that the schema accepts.
    pub fn pack(&mut self, layout: &Layout, value: &[u8], rules: &Rules) -> Answer<&[u8]> {
        self.take(layout, value, rules)?;
        self.written(layout, rules)
    }

    /// The value of packed bytes, judged as the schema says. Defaults are left out, unless it [fills](Packer::fills) them in.
    ///
    /// # Errors
    /// They are not what [`Packer::pack`] makes of an accepted value.
    pub fn unpack(&mut self, layout: &Layout, packed: &[u8], rules: &Rules) -> Answer<&[u8]> {
        self.transcode(layout, packed, rules)?;
        self.judge(layout, rules, |judge, byte| Place::Bit(judge.bit_of(layout, packed, byte)))?;
        Ok(&self.made)
    }

    /// The bytes that the packed value took that was read last.
    #[must_use]
    pub const fn consumed(&self) -> u64 {
        self.consumed
    }

    /// The value of the last call in Godot's format, as a receiver gets it. A call that packed has made it only where the
    /// schema names checks of the game's own.
    #[must_use]
    pub fn made(&self) -> &[u8] {
        &self.made
    }

    /// Whether the value that was made last needs no judge: the schema accepts it, and what it adds is there.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.is_judged && self.is_filled
    }

    /// Makes the value for a caller who judges its bytes by the schema's program while building a value of them. [`made_rules`] has the rules for those bytes.
    ///
    /// # Errors
    /// The bits are none of this layout.
    pub fn transcode(&mut self, layout: &Layout, packed: &[u8], rules: &Rules) -> Answer<&[u8]> {
        self.read_codes(layout, None, packed, rules)?;
        self.make_read(layout, None, packed, rules)
    }

    /// Reads the codes of a value, or of what a difference makes of its bases.
    ///
    /// # Errors
    /// The bits are none of this layout.
    #[doc(hidden)]
    pub fn read_codes(
        &mut self,
        layout: &Layout,
        bases: Option<Bases<'_>>,
        packed: &[u8],
        rules: &Rules,
    ) -> Answer<()> {
        let Some(bases) = bases else {
            return self.read(layout, packed, rules, self.most_left()).map(drop);
        };
        let (hash, distances) = self.read_bases(layout, bases, rules)?;
        let rest = self.tagging.strip(layout, Some(hash), packed);
        let rest = rest.map_err(|kind| rejected(kind, Place::Bit(0)))?;
        let newer = Codes { all: std::mem::take(&mut self.base), bytes: length(bases.newer.len()) };
        let older = Codes { all: std::mem::take(&mut self.older), bytes: 0 };
        let from = CodeBases { newer: &newer, older: distances.map(|distances| (&older, distances)) };
        let applied = self.apply_codes(layout, from, rest, rules);
        (self.base, self.older) = (newer.all, older.all);
        applied
    }

    /// Makes the value of the codes that [`Packer::read_codes`] has read, of the same arguments.
    ///
    /// # Errors
    /// Packing does not make these codes.
    #[doc(hidden)]
    pub fn make_read(
        &mut self,
        layout: &Layout,
        bases: Option<Bases<'_>>,
        packed: &[u8],
        rules: &Rules,
    ) -> Answer<&[u8]> {
        self.is_filled = self.fills && layout.proof.is_some_and(|proof| !proof.is_typed);
        let mut made = self.make(layout, rules);
        if made.is_ok() && self.is_filled && !self.is_judged {
            // The schema has to judge the value as it is.
            self.is_filled = false;
            made = self.make(layout, rules);
        }
        made.map_err(|fault| match bases {
            None => {
                let place = Place::Bit(self.bit_at(layout, packed, fault.at));
                fault.rejection(place)
            }
            Some(_) => fault.rejection(Place::Bit(self.tagging.delta_bits())),
        })?;
        Ok(&self.made)
    }

    /// Packs a value as its difference from one or two packed values.
    ///
    /// # Errors
    /// The errors of [`Packer::pack`], and those of [`Packer::unpack`] for the bases.
    pub fn pack_delta<'b>(
        &mut self,
        layout: &Layout,
        bases: impl Into<Bases<'b>>,
        value: &[u8],
        rules: &Rules,
    ) -> Answer<&[u8]> {
        let (hash, distances) = self.read_bases(layout, bases.into(), rules)?;
        self.take(layout, value, rules)?;
        self.told(layout, hash, distances, rules)
    }

    /// Makes the difference from one or two packed values to another.
    ///
    /// # Errors
    /// The errors of [`Packer::unpack`], for all.
    pub fn delta<'b>(
        &mut self,
        layout: &Layout,
        bases: impl Into<Bases<'b>>,
        new: &[u8],
        rules: &Rules,
    ) -> Answer<&[u8]> {
        let (hash, distances) = self.read_bases(layout, bases.into(), rules)?;
        self.read(layout, new, rules, MOST_PADDING)?;
        self.told(layout, hash, distances, rules)
    }

    /// The packed value that a difference makes of its bases.
    ///
    /// # Errors
    /// The difference is from others, or makes a value that the schema does not accept.
    pub fn apply<'b>(
        &mut self,
        layout: &Layout,
        bases: impl Into<Bases<'b>>,
        delta: &[u8],
        rules: &Rules,
    ) -> Answer<&[u8]> {
        self.transcode_delta(layout, bases, delta, rules)?;
        self.judge(layout, rules, |_, _| Place::Bit(0))?;
        self.written(layout, rules)
    }

    /// Returns the value that a difference makes of its bases, for callers that judge it by the schema's program.
    ///
    /// # Errors
    /// The errors of [`Packer::apply`].
    pub fn transcode_delta<'b>(
        &mut self,
        layout: &Layout,
        bases: impl Into<Bases<'b>>,
        delta: &[u8],
        rules: &Rules,
    ) -> Answer<&[u8]> {
        let bases = Some(bases.into());
        self.read_codes(layout, bases, delta, rules)?;
        self.make_read(layout, bases, delta, rules)
    }

    /// Codes of a value, judged as those that the receiver gets.
    pub(crate) fn take(&mut self, layout: &Layout, value: &[u8], rules: &Rules) -> Answer<()> {
        self.codes.clear();
        let mut taker = ValueReader::new(layout, Cursor::new(value), &mut self.codes);
        let room = &mut self.room;
        (taker.found, taker.moved) = (std::mem::take(&mut room.found), std::mem::take(&mut room.moved));
        taker.found.clear();
        let taken = taker.value(layout.root);
        let (end, unfilled, is_unsure) = (taker.cursor.at(), taker.unfilled, taker.is_unsure);
        (room.found, room.moved) = (taker.found, taker.moved);
        if let Err(fault) = taken {
            return Err(self.explain(layout, value, *fault));
        }
        if end < length(value.len()) {
            let count = length(value.len()).saturating_sub(end);
            return Err(rejected(ErrorKind::TrailingBytes { count }, Place::Byte(end)));
        }
        // A number that is widened takes twice the bytes at most.
        let most = length(value.len()).saturating_mul(2).saturating_add(unfilled);
        self.pay(layout, Place::Byte(0))?;
        let is_proven = !is_unsure && layout.is_proven(most, rules);
        if is_proven && !layout.program.has_checks() {
            return Ok(());
        }
        self.is_filled = false;
        self.make(layout, rules).map_err(|fault| fault.rejection(Place::Byte(0)))?;
        self.judge(layout, rules, |_, byte| Place::Byte(byte))
    }

    /// The validator's words for a value that cannot be taken, if it has any.
    #[cold]
    fn explain(&mut self, layout: &Layout, value: &[u8], fault: Fault) -> Box<Rejection> {
        let found = self.checker.violations(&layout.program, value, &Rules::engine(), 1).pop();
        match found {
            Some(rejection) => Box::new(rejection),
            None => {
                let place = Place::Byte(fault.at);
                fault.rejection(place)
            }
        }
    }

    /// Asks whether the bits of the value that the codes are pay for its elements without any.
    pub(crate) fn pay(&mut self, layout: &Layout, place: Place) -> Answer<()> {
        if !layout.has_free {
            return Ok(());
        }
        let free = self.write(layout, &[])?;
        let most = most_without_bits(self.bits.len().div_ceil(8));
        if free > most { Err(Fault::without_bits(most).rejection(place)) } else { Ok(()) }
    }

    /// Makes the value of the codes, with what is missing where it is to be filled.
    fn make(&mut self, layout: &Layout, rules: &Rules) -> Result<(), Box<Fault>> {
        let mut maker = Maker::new(layout, &self.codes, &mut self.made, &rules.limits);
        let room = &mut self.room;
        (maker.places, maker.scratch) = (std::mem::take(&mut room.places), std::mem::take(&mut room.scratch));
        maker.fills = self.is_filled;
        maker.places.clear();
        let made = maker.root();
        let (unfilled, is_unsure) = (maker.unfilled, maker.is_unsure);
        (room.places, room.scratch) = (maker.places, maker.scratch);
        let bytes = length(self.made.len()).saturating_add(unfilled);
        self.is_judged = !is_unsure && layout.is_proven(bytes, rules);
        made
    }

    /// Judges the value that was made by the schema and the limits.
    fn judge(
        &mut self,
        layout: &Layout,
        rules: &Rules,
        place: impl FnOnce(&mut Packer, u64) -> Place,
    ) -> Answer<()> {
        if self.is_judged {
            return Ok(());
        }
        let rules = &made_rules(rules);
        match self.checker.validate(&layout.program, &self.made, rules) {
            Ok(_) => {
                (self.is_judged, self.is_filled) = (true, !self.checker.reshapes());
                Ok(())
            }
            Err(rejection) => {
                let place = place(self, rejection.offset());
                Err(Box::new(rejection.at(place)))
            }
        }
    }

    pub(crate) fn written(&mut self, layout: &Layout, rules: &Rules) -> Answer<&[u8]> {
        self.write(layout, &self.tagging.tag(layout, None))?;
        self.finished(rules)
    }

    /// Writes the codes behind what stands in front; returns how many elements took no bits.
    pub(crate) fn write(&mut self, layout: &Layout, head: &[u8]) -> Answer<u64> {
        self.bits.start(head);
        let mut writer = Writer::new(layout, &self.codes, &mut self.bits);
        writer.value(layout.root).map_err(|fault| fault.rejection(Place::Byte(0)))?;
        Ok(writer.free)
    }

    pub(crate) fn finished(&mut self, rules: &Rules) -> Answer<&[u8]> {
        let packed = self.bits.finish();
        let limit = rules.limits.max_output_bytes;
        if length(packed.len()) > limit {
            return Err(rejected(ErrorKind::OutputTooLarge { limit }, Place::Byte(0)));
        }
        Ok(packed)
    }

    /// The most bits that may be left behind a value.
    pub(crate) const fn most_left(&self) -> u64 {
        if self.is_followed { u64::MAX } else { MOST_PADDING }
    }

    /// Reads packed bytes; returns them without their tag.
    pub(crate) fn read<'b>(
        &mut self,
        layout: &Layout,
        packed: &'b [u8],
        rules: &Rules,
        most_left: u64,
    ) -> Answer<&'b [u8]> {
        within(packed, rules)?;
        let head = self.tagging.bits();
        let rest = self.tagging.strip(layout, None, packed);
        let rest = rest.map_err(|kind| rejected(kind, Place::Bit(0)))?;
        let bits = padded(&mut self.room.bits, rest);
        let mut reader = CodeReader::new(layout, bits, &mut self.codes, &rules.limits);
        let read = reader.value(layout.root).and_then(|()| reader.finish(most_left));
        let read = read.map_err(|fault| at_bit(*fault.placed(reader.bits.at()), head))?;
        let most = most_without_bits(read);
        if reader.ledger.free > most {
            return Err(Fault::without_bits(most).rejection(Place::Bit(head)));
        }
        self.consumed = read.saturating_add(head.wrapping_shr(3));
        Ok(rest)
    }

    #[cold]
    fn bit_at(&mut self, layout: &Layout, packed: &[u8], code: u64) -> u64 {
        let marks = self.marks(layout, packed);
        let found = marks.iter().rev().find(|mark| mark.code <= code);
        found.map_or(self.tagging.bits(), |mark| mark.bit)
    }

    /// The bit of what stands at a byte of the value that [`Packer::transcode`] made of packed bytes.
    #[cold]
    #[must_use]
    #[doc(hidden)]
    pub fn bit_of(&mut self, layout: &Layout, packed: &[u8], byte: u64) -> u64 {
        let made = self.made_spots(layout);
        let code = made.iter().rev().find(|made| made.byte <= byte).map_or(0, |made| made.code);
        self.bit_at(layout, packed, code)
    }
}

pub(crate) fn padded<'b>(room: &'b mut Vec<u8>, bytes: &[u8]) -> BitReader<'b> {
    room.clear();
    room.extend_from_slice(bytes);
    room.extend_from_slice(&PADDING);
    BitReader::padded(room)
}

pub(crate) fn within(bytes: &[u8], rules: &Rules) -> Answer<()> {
    let (there, limit) = (length(bytes.len()), rules.limits.max_bytes);
    if there <= limit {
        return Ok(());
    }
    let declared = u32::try_from(there).unwrap_or(u32::MAX);
    Err(rejected(ErrorKind::TooManyBytes { limit, declared }, Place::Bit(0)))
}

/// The most bits from the end of a value to that of its last byte.
pub(crate) const MOST_PADDING: u64 = 7;

pub(crate) fn at_bit(fault: Fault, head: u64) -> Box<Rejection> {
    let place = Place::Bit(fault.at.saturating_add(head));
    fault.rejection(place)
}
