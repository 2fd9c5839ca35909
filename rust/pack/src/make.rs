//! Make: codes into a value in Godot's format. It refuses what packing does not make; what the schema says beyond that is
//! judged on the bytes that come out.

use variant_core::cursor::Cursor;
use variant_core::token::{Container, ContainerType, Lanes, Leaf, Text, Writer};
use variant_core::wire::{Lane, Layout as Bytes, RealWidth};
use variant_core::{ErrorKind, Limits, Rules, Skip, Step, Target, VariantType, Walker};

use crate::fault::{Fault, Outcome};
use crate::layout::{Dict, KeyedEntries, Layout, Node, Tuple, Wire};
use crate::ledger::Ledger;
use crate::math_types::{Numbers, Solid};
use crate::number_codec::Number;
use crate::text::{Chars, length, pull_bytes, size};
use crate::unions::{self, Ends};

/// The header of a null.
const NIL: [u8; 4] = [0; 4];
const BOM: &[u8] = &[0xEF, 0xBB, 0xBF];

/// Where a value that was made begins, in bytes and in codes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BuiltValue {
    pub(crate) byte: u64,
    pub(crate) code: u64,
    pub(crate) node: usize,
    /// How many bytes it has, its parts included, unless it is null.
    pub(crate) bytes: u64,
}

pub(crate) struct Maker<'l> {
    layout: &'l Layout,
    codes: &'l [u64],
    at: usize,
    out: &'l mut Vec<u8>,
    ledger: Ledger<'l>,
    /// Where each value begins, if that is asked for.
    pub(crate) spots: Option<Vec<BuiltValue>>,
    /// Whether a judge has refused what was made, so that the schema's program has to say what it is.
    pub(crate) is_unsure: bool,
    /// Whether defaults are filled in; else how many bytes they would have is counted.
    pub(crate) fills: bool,
    pub(crate) unfilled: u64,
    pub(crate) scratch: Vec<u8>,
    /// Where the keys of all open dictionaries begin, the innermost at the end.
    pub(crate) places: Vec<Option<usize>>,
}

impl<'l> Maker<'l> {
    pub(crate) fn new(
        layout: &'l Layout,
        codes: &'l [u64],
        out: &'l mut Vec<u8>,
        limits: &'l Limits,
    ) -> Maker<'l> {
        out.clear();
        let ledger = Ledger::new(limits, 0);
        Maker {
            layout,
            codes,
            at: 0,
            out,
            ledger,
            spots: None,
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

    /// Makes all of a value. A fault that has no place is at the code that comes next.
    pub(crate) fn root(&mut self) -> Outcome<()> {
        self.value(self.layout.root).map_err(|fault| fault.placed(length(self.at)))
    }

    fn leaf(&mut self, leaf: &Leaf<'_>) {
        Writer::new(self.out, Target::default()).leaf(leaf);
    }

    fn open(&mut self, container: &Container<'_>) {
        Writer::new(self.out, Target::default()).open(container);
    }

    pub(crate) fn value(&mut self, at: usize) -> Outcome<()> {
        let Some(node) = self.layout.node(at) else { return Ok(()) };
        let (start, code) = (self.out.len(), self.at);
        let spot = self.spots.as_mut().map(|spots| {
            spots.push(BuiltValue { byte: length(start), code: length(code), node: at, bytes: 0 });
            spots.len().saturating_sub(1)
        });
        if node.nullable && self.next() == 0 {
            self.out.extend_from_slice(&NIL);
            return Ok(());
        }
        let limited = self.ledger.down().and_then(|()| self.ledger.written(self.out));
        limited.map_err(|kind| Fault::new(kind, length(code)))?;
        let made = if self.row(node, start) { Ok(()) } else { self.wire(node, start) };
        self.ledger.up();
        made?;
        if node.nullable && self.out.get(start..).is_some_and(|made| made.starts_with(&NIL)) {
            // Null has a form of its own.
            return Err(Fault::new(ErrorKind::NotCanonical, length(code)));
        }
        if let (Some(spots), Some(spot)) = (&mut self.spots, spot)
            && let Some(spot) = spots.get_mut(spot)
        {
            spot.bytes = length(self.out.len().saturating_sub(start));
        }
        Ok(())
    }

    /// Makes a value by its row, if it has one and its codes are all right.
    #[inline]
    fn row(&mut self, node: &Node, start: usize) -> bool {
        let Some(row) = node.row.as_ref().filter(|_| self.spots.is_none()) else { return false };
        let codes = self.codes.get(self.at..self.at.saturating_add(row.codes()));
        let is_made = self.ledger.has_room(0, row.levels.saturating_sub(1))
            && codes.and_then(|codes| row.make(codes, self.out)).is_some()
            && self.ledger.written(self.out).is_ok();
        if is_made {
            self.at = self.at.saturating_add(row.codes());
        } else {
            self.out.truncate(start);
        }
        is_made
    }

    fn wire(&mut self, node: &'l Node, start: usize) -> Outcome<()> {
        let wire = &node.wire;
        // Texts are judged where they are made.
        self.is_unsure |= node.judge.is_needed() && !matches!(wire, Wire::Text(..));
        match wire {
            Wire::Pending => {}
            Wire::Same(node) => return self.same(*node),
            Wire::Nothing(bytes) => self.out.extend_from_slice(bytes),
            Wire::Bool => {
                let value = self.next() == 1;
                self.leaf(&Leaf::Bool(value));
            }
            Wire::Number(_, form) => {
                let code = self.next();
                match form.number(code) {
                    Number::Int(value) => Writer::new(self.out, Target::default()).int(value),
                    Number::Real(value) => Writer::new(self.out, Target::default()).float(value),
                }
            }
            Wire::Solid { ty, solid, reals } => {
                let codes = self.many(solid.codes());
                let numbers = solid.make(codes)?;
                self.math(*ty, *reals, &numbers);
            }
            Wire::Text(ty, chars) => {
                let count = self.next();
                let codes = self.many(chars.rest(count));
                let mut text = std::mem::take(&mut self.scratch);
                text.clear();
                chars.make(count, codes, &mut text);
                let made = self.text(node, *ty, &text);
                self.scratch = text;
                return made;
            }
            Wire::Enum(values) => {
                let code = self.next();
                let bytes = values.all.get(size(code)).ok_or(ErrorKind::NotInEnum)?;
                self.out.extend_from_slice(bytes);
            }
            _ => return self.dicts(wire, start),
        }
        Ok(())
    }

    /// Makes what a reference leads to, or a union is: it is no level of its own.
    fn same(&mut self, node: usize) -> Outcome<()> {
        self.ledger.depth.stay();
        self.value(node)?;
        self.ledger.depth.stayed();
        Ok(())
    }

    fn dicts(&mut self, wire: &'l Wire, start: usize) -> Outcome<()> {
        match wire {
            Wire::Packed { ty, solid, reals, .. } => self.packed(*ty, *reals, solid),
            Wire::Dict(dict) => {
                let start = self.at;
                self.dict(dict, None, start)
            }
            Wire::Cases { tag, values, cases, .. } => {
                let number = size(self.next());
                let (Some(value), Some(case)) = (values.all.get(number), cases.get(number)) else {
                    return Err(ErrorKind::NotInEnum.into());
                };
                let start = self.at;
                match self.layout.node(*case).map(|node| &node.wire) {
                    Some(Wire::Dict(dict)) => self.dict(dict, Some((tag, value)), start),
                    _ => Ok(()),
                }
            }
            _ => self.parts(wire, start),
        }
    }

    fn parts(&mut self, wire: &'l Wire, start: usize) -> Outcome<()> {
        match wire {
            Wire::Array { item, .. } | Wire::Keyed(KeyedEntries { key: None, item, .. }) => {
                let count = self.next();
                self.array(count);
                (0..count).try_for_each(|at| self.value(*item).map_err(|fault| fault.below(Step::Index(at))))
            }
            Wire::Tuple(tuple) => self.tuple(tuple),
            Wire::Map { key, value, .. } | Wire::Keyed(KeyedEntries { key: Some(key), item: value, .. }) => {
                let count = self.next();
                self.dictionary(count);
                (0..count).try_for_each(|at| {
                    self.value(*key).map_err(|fault| fault.below(Step::KeyOf(at)))?;
                    self.value(*value).map_err(|fault| fault.below(Step::Entry(at)))
                })
            }
            Wire::Union { alternatives, tell, .. } => {
                let code = self.at;
                let number = self.next();
                self.same(*alternatives.get(size(number)).ok_or(ErrorKind::NoAlternative)?)?;
                let made = self.out.get(start..).unwrap_or_default();
                let is_dictionary = made.first() == Some(&VariantType::Dictionary.id());
                if is_dictionary && tell.is_alone(number) {
                    return Ok(());
                }
                let (made, mut ends) = (Cursor::new(made), Ends::default());
                match unions::choose(self.layout, alternatives, tell, made, &mut ends) {
                    Some((chosen, _)) if chosen == number => Ok(()),
                    _ => Err(Fault::new(ErrorKind::NotCanonical, length(code))),
                }
            }
            Wire::NodePath => self.node_path(),
            Wire::Strings { chars, .. } => self.strings(chars),
            _ => self.any(start),
        }
    }

    fn strings(&mut self, chars: &Chars) -> Outcome<()> {
        let count = self.next();
        self.open(&Container::PackedStrings { count: low(count) });
        for at in 0..count {
            let count = self.next();
            let codes = self.many(chars.rest(count));
            let mut text = Vec::new();
            chars.make(count, codes, &mut text);
            let text = checked(&text).map_err(|fault| fault.below(Step::Index(at)))?;
            Writer::new(self.out, Target::default()).terminated(text);
            self.ledger.written(self.out)?;
        }
        Ok(())
    }

    fn array(&mut self, count: u64) {
        self.open(&Container::Array { element: ContainerType::None, count: low(count) });
    }

    fn dictionary(&mut self, count: u64) {
        self.open(&Container::Dictionary {
            key: ContainerType::None,
            value: ContainerType::None,
            count: low(count),
        });
    }

    fn math(&mut self, ty: VariantType, reals: RealWidth, numbers: &Numbers) {
        let mut bytes = std::mem::take(&mut self.scratch);
        bytes.clear();
        let (lane, count) = numbers_of(ty, reals);
        put_numbers(numbers.get(..count).unwrap_or_default(), lane, &mut bytes);
        if let Some(lanes) = Lanes::new(&bytes, lane) {
            self.leaf(&Leaf::Math(ty, lanes));
        }
        self.scratch = bytes;
    }

    fn packed(&mut self, ty: VariantType, reals: RealWidth, solid: &Solid) -> Outcome<()> {
        let count = self.next();
        let mut bytes = std::mem::take(&mut self.scratch);
        bytes.clear();
        let (lane, _) = numbers_of(ty, reals);
        for _ in 0..count {
            let codes = self.many(solid.codes());
            let numbers = solid.make(codes)?;
            put_numbers(numbers.get(..solid.numbers()).unwrap_or_default(), lane, &mut bytes);
        }
        if let Some(lanes) = Lanes::new(&bytes, lane) {
            self.leaf(&Leaf::Packed(ty, lanes));
        }
        self.scratch = bytes;
        Ok(())
    }

    fn text(&mut self, node: &Node, ty: VariantType, text: &[u8]) -> Outcome<()> {
        let leaf = Leaf::Text(ty, Text::new(checked(text)?));
        self.is_unsure |= !node.judge.accepts(&leaf);
        self.leaf(&leaf);
        Ok(())
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
                    return Err(fault.below(key.step()));
                }
                at = end;
            }
        }
        let missing = if dict.optional > 0 { self.fillings(dict, base) } else { 0 };
        self.dictionary(count.saturating_add(missing));
        if let Some((key, value)) = tag {
            self.out.extend_from_slice(key);
            self.out.extend_from_slice(value);
        }
        for number in &dict.declared {
            let place = self.places.get(base.saturating_add(*number)).copied().flatten();
            let (Some(key), Some(place)) = (dict.keys.get(*number), place) else {
                continue;
            };
            self.out.extend_from_slice(&key.encoded);
            self.at = place;
            self.value(key.node).map_err(|fault| fault.below(key.step()))?;
        }
        if missing > 0 {
            self.fill(dict, base);
        }
        self.at = at;
        self.places.truncate(base);
        Ok(())
    }

    /// Appends what is missing, in the order of the schema.
    fn fill(&mut self, dict: &Dict, base: usize) {
        let missing = |number: &usize| self.places.get(base.saturating_add(*number)) == Some(&None);
        for key in dict.declared.iter().filter(|number| missing(number)) {
            let filling = dict.keys.get(*key).and_then(|key| key.filling.as_ref());
            self.out.extend_from_slice(filling.map_or(&[], |filling| filling));
        }
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
        self.array(count);
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

    fn node_path(&mut self) -> Outcome<()> {
        let (absolute, names, subnames) = (self.next() == 1, low(self.next()), low(self.next()));
        self.open(&Container::NodePath { absolute, names, subnames });
        for _ in 0..names.saturating_add(subnames) {
            let count = self.next();
            let codes = self.many(size(count.div_ceil(8)));
            let mut text = Vec::new();
            pull_bytes(count, codes, &mut text);
            let text = checked(&text)?;
            Writer::new(self.out, Target::default()).text(text);
            self.ledger.written(self.out)?;
        }
        Ok(())
    }

    /// Whole bytes of one value, and nothing else.
    fn any(&mut self, start: usize) -> Outcome<()> {
        let code = self.at;
        let count = self.next();
        let codes = self.many(size(count.div_ceil(8)));
        pull_bytes(count, codes, self.out);
        let rules = Rules::safe(Limits { max_bytes: u64::MAX, ..*self.ledger.limits });
        let made = self.out.get(start..).unwrap_or_default();
        match Walker::new().visit(made, &rules, &mut Skip) {
            Ok(_) => Ok(()),
            Err(error) => Err(Fault::new(error.kind(), length(code))),
        }
    }
}

/// A text that Godot keeps as it is.
fn checked(text: &[u8]) -> Outcome<&str> {
    let kind = match std::str::from_utf8(text) {
        Err(_) => ErrorKind::InvalidUtf8,
        Ok(_) if text.contains(&0) => ErrorKind::EmbeddedNul,
        Ok(_) if text.starts_with(BOM) => ErrorKind::LeadingBom,
        Ok(text) => return Ok(text),
    };
    Err(kind.into())
}

/// The kind of a type's numbers as they stand in bytes, and how many a value or an element has.
fn numbers_of(ty: VariantType, reals: RealWidth) -> (Lane, usize) {
    let (Bytes::Math(lane, count) | Bytes::Packed(lane, count)) = ty.layout() else { return (Lane::F32, 0) };
    let lane = match (lane, reals) {
        (Lane::Real, RealWidth::Double) => Lane::F64,
        (Lane::Real, RealWidth::Single) => Lane::F32,
        (other, _) => other,
    };
    (lane, usize::from(count))
}

fn put_numbers(numbers: &[Number], lane: Lane, bytes: &mut Vec<u8>) {
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
}

/// Counts have been compared with what the format holds.
fn low(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
