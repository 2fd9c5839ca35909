//! Make: codes into a value, told part by part to who builds it: as bytes of Godot's format, or as something else. It refuses
//! what packing does not make; what the schema says beyond that is judged on the bytes that come out.

mod rare;

use variant_core::token::{Lanes, Leaf, Text};
use variant_core::wire::{Lane, Layout as Bytes};
use variant_core::{ErrorKind, Limits, Step, VariantType};

use crate::budget::Budget;
use crate::build::Build;
use crate::fault::{Fault, Outcome};
use crate::form::Number;
use crate::layout::{Dict, Layout, Node, Tuple, Wire};
use crate::ledger::Ledger;
use crate::solid::{Numbers, Solid};
use crate::text::{Chars, length, size};

/// The header of a null.
const NIL: [u8; 4] = [0; 4];
/// Room for the header of a text and its length.
const TEXT_HEAD: [u8; 8] = [0; 8];
const BOM: &[u8] = &[0xEF, 0xBB, 0xBF];

/// Where a value that was made begins, in bytes and in codes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made {
    pub(crate) byte: u64,
    pub(crate) code: u64,
    pub(crate) node: usize,
}

/// Makes one value of codes.
pub(crate) struct Maker<'l, B> {
    layout: &'l Layout,
    codes: &'l [u64],
    at: usize,
    out: &'l mut B,
    /// Bytes that the value may have, where none are made to be counted.
    pub(crate) budget: Option<Budget<'l>>,
    ledger: Ledger,
    limits: Limits,
    /// Where each value begins, if that is asked for.
    pub(crate) spots: Option<Vec<Made>>,
    /// Bytes of each node's own, if that is asked for.
    pub(crate) tally: Option<Vec<u64>>,
    /// Whether a judge has refused what was made, so that the schema's program has to say what it is.
    pub(crate) is_unsure: bool,
    /// Whether defaults are filled in; else how many bytes they would have is counted.
    pub(crate) fills: bool,
    pub(crate) unfilled: u64,
    pub(crate) scratch: Vec<u8>,
    /// Where the keys of all open dictionaries begin, the innermost at the end.
    pub(crate) places: Vec<Option<usize>>,
}

impl<'l, B: Build> Maker<'l, B> {
    pub(crate) fn new(layout: &'l Layout, codes: &'l [u64], out: &'l mut B, limits: &Limits) -> Maker<'l, B> {
        if let Some(bytes) = out.bytes() {
            bytes.clear();
        }
        let ledger = Ledger::new(limits);
        Maker {
            layout,
            codes,
            at: 0,
            out,
            budget: None,
            ledger,
            limits: *limits,
            spots: None,
            tally: None,
            is_unsure: false,
            fills: false,
            unfilled: 0,
            scratch: Vec::new(),
            places: Vec::new(),
        }
    }

    fn next(&mut self) -> u64 {
        let code = self.codes.get(self.at).copied().unwrap_or(0);
        self.at = self.at.saturating_add(1);
        code
    }

    fn many(&mut self, count: usize) -> &'l [u64] {
        let start = self.at;
        self.at = self.at.saturating_add(count);
        self.codes.get(start..self.at).unwrap_or_default()
    }

    fn fault(&self, kind: ErrorKind) -> Box<Fault> {
        Fault::new(kind, length(self.at))
    }

    /// Passes a part on, which has so many bytes at most. It fails where who builds gives up, or where a limit might speak about
    /// a value that nobody counts.
    #[inline(always)]
    fn put(&mut self, bytes: usize, build: impl FnOnce(&mut B) -> Option<()>) -> Outcome<()> {
        let has_room = self.budget.as_mut().is_none_or(|budget| budget.takes(bytes));
        if has_room && build(self.out).is_some() { Ok(()) } else { Err(self.given_up()) }
    }

    fn leaf(&mut self, leaf: &Leaf<'_>) -> Outcome<()> {
        let bytes =
            if let Leaf::Math(_, lanes) | Leaf::Packed(_, lanes) = leaf { lanes.bytes() } else { &NIL };
        self.put(bytes.len().saturating_add(8), |out| out.leaf(leaf))
    }

    fn whole(&mut self, bytes: &[u8]) -> Outcome<()> {
        self.put(bytes.len(), |out| out.whole(bytes))
    }

    /// The bytes so far, for what only they can tell.
    fn bytes(&mut self) -> Outcome<&mut Vec<u8>> {
        // Asked twice, or the borrow would last.
        if self.out.bytes().is_none() {
            return Err(self.given_up());
        }
        self.out.bytes().ok_or_else(|| Fault::new(ErrorKind::Refused, 0))
    }

    fn len(&mut self) -> usize {
        self.out.bytes().map_or(0, |bytes| bytes.len())
    }

    /// Nobody is told: the value is made anew as bytes, which are judged.
    #[cold]
    fn given_up(&self) -> Box<Fault> {
        self.fault(ErrorKind::Refused)
    }

    /// Whether the bytes so far are within the limit. Where there are none, they are counted before.
    fn written(&mut self) -> Result<(), ErrorKind> {
        match self.out.bytes() {
            Some(bytes) => self.ledger.written(bytes),
            None => Ok(()),
        }
    }

    pub(crate) fn value(&mut self, at: usize) -> Outcome<()> {
        let Some(node) = self.layout.node(at) else { return Ok(()) };
        let (start, code) = (self.len(), self.at);
        if let Some(spots) = &mut self.spots {
            spots.push(Made { byte: length(start), code: length(self.at), node: at });
        }
        if node.nullable && self.next() == 0 {
            return self.leaf(&Leaf::Nil);
        }
        let limited = self.ledger.down().and_then(|()| self.written());
        limited.map_err(|kind| Fault::new(kind, length(code)))?;
        let made = if self.row(node, start)? { Ok(()) } else { self.wire(node, start) };
        self.ledger.up();
        made?;
        if node.nullable && node.wire.may_be_null() && self.bytes()?.get(start..).is_some_and(is_null) {
            // Null has a form of its own.
            return Err(Fault::new(ErrorKind::NotCanonical, length(code)));
        }
        let end = self.len();
        if let Some(slot) = self.tally.as_mut().and_then(|tally| tally.get_mut(at)) {
            *slot = slot.saturating_add(length(end.saturating_sub(start)));
        }
        Ok(())
    }

    /// Makes a value by its row, if it has one and its codes are all right.
    #[inline]
    fn row(&mut self, node: &Node, start: usize) -> Outcome<bool> {
        let is_plain = self.spots.is_none() && self.tally.is_none();
        let Some(row) = node.row.as_ref().filter(|_| is_plain) else { return Ok(false) };
        let codes = self.codes.get(self.at..self.at.saturating_add(row.codes()));
        let is_made = self.ledger.has_room(0, row.levels.saturating_sub(1))
            && self.budget.as_mut().is_none_or(|budget| budget.takes(row.most_bytes))
            && codes.and_then(|codes| row.make(codes, self.out)).is_some()
            && self.written().is_ok();
        if is_made {
            self.at = self.at.saturating_add(row.codes());
        } else {
            self.bytes()?.truncate(start);
        }
        Ok(is_made)
    }

    fn wire(&mut self, node: &'l Node, start: usize) -> Outcome<()> {
        let wire = &node.wire;
        // Texts are judged where they are made.
        self.is_unsure |= node.judge.is_needed() && !matches!(wire, Wire::Text(..));
        match wire {
            Wire::Pending => Ok(()),
            Wire::Same(node) => self.value(*node),
            Wire::Nothing(bytes) => self.whole(bytes),
            Wire::Bool => {
                let value = self.next() == 1;
                self.leaf(&Leaf::Bool(value))
            }
            Wire::Number(_, form) => {
                let number = form.number(self.next());
                self.leaf(&match number {
                    Number::Int(value) => Leaf::Int(value),
                    Number::Real(value) => Leaf::Float(value),
                })
            }
            Wire::Solid { ty, solid, is_wide } => {
                let codes = self.many(solid.codes());
                let numbers = solid.make(codes).map_err(|kind| self.fault(kind))?;
                self.math(*ty, &numbers, *is_wide)
            }
            Wire::Text(ty, chars) => self.text(node, *ty, chars),
            Wire::Enum(values) => {
                let code = self.next();
                let bytes = values.all.get(size(code)).ok_or_else(|| self.fault(ErrorKind::NotInEnum))?;
                self.whole(bytes)
            }
            _ => self.dicts(wire, start),
        }
    }

    fn dicts(&mut self, wire: &'l Wire, start: usize) -> Outcome<()> {
        match wire {
            Wire::Packed { ty, solid, is_wide, .. } => self.packed(*ty, solid, *is_wide),
            Wire::Dict(dict) => {
                let start = self.at;
                self.dict(dict, None, start)
            }
            Wire::Cases { tag, values, cases, .. } => {
                let number = size(self.next());
                let (Some(value), Some(case)) = (values.all.get(number), cases.get(number)) else {
                    return Err(self.fault(ErrorKind::NotInEnum));
                };
                let start = self.at;
                match self.layout.node(*case).map(|node| &node.wire) {
                    Some(Wire::Dict(dict)) => self.dict(dict, Some((tag, value)), start),
                    _ => Ok(()),
                }
            }
            Wire::Array { item, .. } | Wire::Keyed { item, .. } => {
                let count = self.next();
                self.array(count)?;
                (0..count).try_for_each(|at| self.value(*item).map_err(|fault| fault.below(Step::Index(at))))
            }
            Wire::Tuple(tuple) => self.tuple(tuple),
            _ => self.rare(wire, start),
        }
    }

    fn array(&mut self, count: u64) -> Outcome<()> {
        self.put(room(count), |out| out.array(low(count)))
    }

    fn dictionary(&mut self, count: u64) -> Outcome<()> {
        self.put(room(count), |out| out.dictionary(low(count), None))
    }

    fn key(&mut self, bytes: &[u8]) -> Outcome<()> {
        self.put(bytes.len(), |out| out.key(bytes))
    }

    fn math(&mut self, ty: VariantType, numbers: &Numbers, is_wide: bool) -> Outcome<()> {
        let mut bytes = std::mem::take(&mut self.scratch);
        bytes.clear();
        let (lane, count) = match ty.layout() {
            Bytes::Math(lane, count) => (lane, count),
            _ => (Lane::F32, 0),
        };
        let lane =
            put_numbers(numbers.get(..usize::from(count)).unwrap_or_default(), lane, is_wide, &mut bytes);
        let made = Lanes::new(&bytes, lane).map_or(Ok(()), |lanes| self.leaf(&Leaf::Math(ty, lanes)));
        self.scratch = bytes;
        made
    }

    fn packed(&mut self, ty: VariantType, solid: &Solid, is_wide: bool) -> Outcome<()> {
        let count = self.next();
        let mut bytes = std::mem::take(&mut self.scratch);
        bytes.clear();
        let lane = if let Bytes::Packed(lane, _) = ty.layout() { lane } else { Lane::U8 };
        let mut actual = put_numbers(&[], lane, is_wide, &mut bytes);
        for _ in 0..count {
            let codes = self.many(solid.codes());
            let numbers = solid.make(codes).map_err(|kind| self.fault(kind))?;
            actual =
                put_numbers(numbers.get(..solid.numbers()).unwrap_or_default(), lane, is_wide, &mut bytes);
        }
        let made = Lanes::new(&bytes, actual).map_or(Ok(()), |lanes| self.leaf(&Leaf::Packed(ty, lanes)));
        self.scratch = bytes;
        made
    }

    fn text(&mut self, node: &Node, ty: VariantType, chars: &Chars) -> Outcome<()> {
        let count = self.next();
        let codes = self.many(chars.rest(count));
        let mut bytes = std::mem::take(&mut self.scratch);
        bytes.clear();
        bytes.extend_from_slice(&TEXT_HEAD);
        chars.make(count, codes, &mut bytes);
        let made = self.text_of(node, ty, &mut bytes);
        self.scratch = bytes;
        made
    }

    /// Makes a text that stands behind room for its header and its length.
    fn text_of(&mut self, node: &Node, ty: VariantType, bytes: &mut Vec<u8>) -> Outcome<()> {
        let (head, text) = bytes.split_at_mut_checked(TEXT_HEAD.len()).unwrap_or_default();
        let words = [u32::from(ty.id()), low(length(text.len()))].map(u32::to_le_bytes);
        head.iter_mut().zip(words.as_flattened()).for_each(|(slot, byte)| *slot = *byte);
        self.is_unsure |= !node.judge.accepts(&Leaf::Text(ty, Text::new(self.checked(text)?)));
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        self.whole(bytes)
    }

    /// A text that Godot keeps as it is.
    fn checked<'t>(&self, text: &'t [u8]) -> Outcome<&'t str> {
        let kind = match std::str::from_utf8(text) {
            Err(_) => ErrorKind::InvalidUtf8,
            Ok(_) if text.contains(&0) => ErrorKind::EmbeddedNul,
            Ok(_) if text.starts_with(BOM) => ErrorKind::LeadingBom,
            Ok(text) => return Ok(text),
        };
        Err(self.fault(kind))
    }

    /// Keys in the order in which the schema has them, after the key that tells what it is.
    fn dict(&mut self, dict: &'l Dict, tag: Option<(&[u8], &[u8])>, start: usize) -> Outcome<()> {
        let (mut flags, mut at) = (start, start.saturating_add(dict.optional));
        let base = self.places.len();
        let mut count = u64::from(tag.is_some());
        for key in &dict.keys {
            let is_there = !key.is_optional || {
                flags = flags.saturating_add(1);
                self.codes.get(flags.saturating_sub(1)) == Some(&1)
            };
            self.places.push(is_there.then_some(at));
            if is_there {
                count = count.saturating_add(1);
                let end = self.layout.skip(key.node, self.codes, at);
                if key.default.as_deref().is_some_and(|default| self.codes.get(at..end) == Some(default)) {
                    let fault = Fault::new(ErrorKind::NotCanonical, length(at));
                    return Err(fault.below(Step::Key(key.name.clone())));
                }
                at = end;
            }
        }
        let missing = if dict.optional > 0 { self.fillings(dict, base) } else { 0 };
        self.dictionary(count.saturating_add(missing))?;
        if let Some((key, value)) = tag {
            self.key(key)?;
            self.whole(value)?;
        }
        for number in &dict.declared {
            let place = self.places.get(base.saturating_add(*number)).copied().flatten();
            let (Some(key), Some(place)) = (dict.keys.get(*number), place) else {
                continue;
            };
            self.key(&key.encoded)?;
            self.at = place;
            self.value(key.node).map_err(|fault| fault.below(Step::Key(key.name.clone())))?;
        }
        if missing > 0 {
            self.fill(dict, base)?;
        }
        self.at = at;
        self.places.truncate(base);
        Ok(())
    }

    /// Appends what is missing, in the order of the schema.
    fn fill(&mut self, dict: &Dict, base: usize) -> Outcome<()> {
        for number in &dict.declared {
            let is_missing = self.places.get(base.saturating_add(*number)) == Some(&None);
            let key = dict.keys.get(*number).filter(|_| is_missing);
            let Some((key, filling)) = key.and_then(|key| Some((key, key.filling.as_ref()?))) else {
                continue;
            };
            let (name, value) = filling.split_at_checked(key.encoded.len()).unwrap_or_default();
            self.key(name)?;
            self.whole(value)?;
        }
        Ok(())
    }

    /// How many defaults are to be filled in behind the keys that are there.
    fn fillings(&mut self, dict: &Dict, base: usize) -> u64 {
        let places = self.places.get(base..).unwrap_or_default();
        let missing = dict.keys.iter().zip(places).filter(|(_, place)| place.is_none());
        let (mut count, mut bytes) = (0_u64, 0);
        for filling in missing.filter_map(|(key, _)| key.filling.as_ref()) {
            count = count.saturating_add(1);
            bytes = length(filling.len()).saturating_add(bytes);
        }
        if self.fills {
            return count;
        }
        self.unfilled = self.unfilled.saturating_add(bytes);
        0
    }

    fn tuple(&mut self, tuple: &'l Tuple) -> Outcome<()> {
        let count = self.next();
        self.array(count)?;
        for (number, item) in tuple.items.iter().take(size(count)).enumerate() {
            let start = self.at;
            self.value(*item).map_err(|fault| fault.below(Step::Index(length(number))))?;
            let default = number.checked_sub(tuple.least).and_then(|part| tuple.defaults.get(part));
            let is_last = length(number).saturating_add(1) == count;
            if is_last && default.is_some_and(|default| self.codes.get(start..self.at) == Some(default)) {
                let fault = Fault::new(ErrorKind::NotCanonical, length(start));
                return Err(fault.below(Step::Index(length(number))));
            }
        }
        Ok(())
    }
}

/// The least bytes of a container with as many parts.
fn room(count: u64) -> usize {
    size(count).saturating_mul(4).saturating_add(8)
}

fn is_null(bytes: &[u8]) -> bool {
    bytes.starts_with(&NIL)
}

/// Appends numbers as they stand in bytes; returns the kind that they are.
fn put_numbers(numbers: &[Number], lane: Lane, is_wide: bool, bytes: &mut Vec<u8>) -> Lane {
    let lane = match lane {
        Lane::Real if is_wide => Lane::F64,
        Lane::Real => Lane::F32,
        other => other,
    };
    for number in numbers {
        match lane {
            Lane::U8 => bytes.push(u8::try_from(number.int()).unwrap_or(0)),
            Lane::I32 => bytes.extend_from_slice(&i32::try_from(number.int()).unwrap_or(0).to_le_bytes()),
            Lane::I64 => bytes.extend_from_slice(&number.int().to_le_bytes()),
            Lane::F64 => bytes.extend_from_slice(&number.real().to_le_bytes()),
            _ => {
                #[expect(clippy::cast_possible_truncation, reason = "a number of 32 bits already")]
                let narrow = number.real() as f32;
                bytes.extend_from_slice(&narrow.to_le_bytes());
            }
        }
    }
    lane
}

/// Counts have been compared with what the format holds.
fn low(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
