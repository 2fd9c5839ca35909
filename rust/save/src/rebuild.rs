//! Makes a document of the rows that are left of a damaged one: references to lost objects become null, and objects that nothing
//! leads to any more are left out. A reference keeps its object or becomes null; it never gets another one.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::Range;

use variant_core::{Dictionary, Path, Step, Value, Walker, decode};

use crate::cut::any;
use crate::document::{DocumentPart, Gap, Outline, ReferenceFinder};
use crate::recover::IntactSlices;

pub(crate) struct RebuiltDocument {
    pub(crate) payload: Vec<u8>,
    /// The rows and entries in it.
    pub(crate) entries: u32,
    /// Where references to lost objects stood.
    pub(crate) lost_references: Vec<String>,
}

/// The number of lost references that are named.
const MOST_NAMED: usize = 100;
/// The bytes that are walked for a name, so that a hostile file costs no more than an honest one.
const MOST_WALKED: usize = 1 << 20;
const REFERENCE: usize = 12;
const NULL: [u8; 4] = [0; 4];

/// Where a row or an entry stands: the gap of the outline, and its number there.
type UnitPlace = (usize, u32);

/// A row, an entry, or the whole value.
#[derive(Debug, Default)]
struct WholeUnit {
    bytes: Vec<u8>,
    /// The byte of each reference, and its number.
    references: Vec<(usize, u64)>,
    /// The numbers of its Arrays and Dictionaries in the damaged document.
    containers: Range<u32>,
}

pub(crate) struct WholeUnits<'o> {
    outline: &'o Outline,
    found: BTreeMap<UnitPlace, WholeUnit>,
    walker: Walker<()>,
}

impl<'o> WholeUnits<'o> {
    /// Finds whole rows and entries in the slices that are left. `places` has the first part of each slice, with the number of
    /// containers before it, and the end.
    pub(crate) fn of(
        outline: &'o Outline,
        places: &[(u32, u32)],
        mut slices: IntactSlices,
    ) -> WholeUnits<'o> {
        let mut units = WholeUnits { outline, found: BTreeMap::new(), walker: Walker::new() };
        let parts_of = |slice: u32| {
            let at = usize::try_from(slice).ok()?;
            let ((first, containers), (end, _)) = (places.get(at)?, places.get(at.checked_add(1)?)?);
            Some((*first..*end, *containers))
        };
        while let Some((slice, run)) = slices.pop_run() {
            // A slice in which no part begins continues one whose beginning is lost.
            if let Some((parts, containers)) = parts_of(slice).filter(|(parts, _)| !parts.is_empty()) {
                units.take(&run.raw, parts, containers);
            }
        }
        units
    }

    /// Takes the parts of these numbers out of bytes that begin with the first of them, up to one that is not whole.
    fn take(&mut self, run: &[u8], parts: Range<u32>, mut containers: u32) {
        let mut at = 0_usize;
        for (_, part) in parts.clone().zip(self.outline.parts_from(parts.start)) {
            let rest = run.get(at..).unwrap_or_default();
            let end = match part {
                DocumentPart::Outline(gap) => {
                    let before = self.outline.gaps.get(gap).map_or(0, |gap| gap.containers);
                    containers = containers.saturating_add(before);
                    let bytes = self.outline.before(gap);
                    rest.starts_with(bytes).then_some(bytes.len())
                }
                DocumentPart::Unit(gap, number) => {
                    let values = self.outline.gaps.get(gap).map_or(1, |gap| gap.values);
                    let unit = self.unit(rest, values, containers);
                    unit.map(|unit| {
                        let end = unit.bytes.len();
                        containers = unit.containers.end;
                        self.found.entry((gap, number)).or_insert(unit);
                        end
                    })
                }
            };
            let Some(end) = end else { break };
            at = at.saturating_add(end);
        }
    }

    fn unit(&mut self, bytes: &[u8], values: u32, containers: u32) -> Option<WholeUnit> {
        let (mut unit, mut end, mut next) = (WholeUnit::default(), 0_usize, containers);
        for _ in 0..values {
            let mut found = ReferenceFinder::default();
            let length = found.look(&mut self.walker, bytes.get(end..)?)?;
            unit.references.extend(found.references.iter().map(|(at, id)| (at.saturating_add(end), *id)));
            next = next.saturating_add(found.containers);
            end = end.saturating_add(length);
        }
        bytes.get(..end)?.clone_into(&mut unit.bytes);
        unit.containers = containers..next;
        Some(unit)
    }

    /// Makes the document of everything that the value still leads to. Returns `None` where that is nothing.
    pub(crate) fn rebuilt(mut self) -> Option<RebuiltDocument> {
        let outline = self.outline;
        let value = match outline.entries() {
            Some(_) => {
                let entries = self.found.split_off(&(outline.gaps.len().saturating_sub(1), 0));
                entries.into_iter().map(|((_, number), unit)| (number, unit)).collect()
            }
            None => {
                let bytes = outline.bytes.get(outline.value.clone())?;
                BTreeMap::from([(0, self.unit(bytes, 1, outline.value_number)?)])
            }
        };
        let order = RowOrder::of(&self.found, &value);
        let mut writer = DocumentWriter::new(outline, &order.numbers)?;
        writer.begin(order.classes.len())?;
        let mut entries = 0_u32;
        for (at, rows) in &order.classes {
            let head = writer.class(outline.gaps.get(*at)?, rows.len())?;
            for (number, row) in (0..).zip(rows) {
                let unit = self.found.get(&(*at, *row))?;
                writer.unit(unit, |byte| head.path(number, path_to(&unit.bytes, byte)));
                entries = entries.saturating_add(1);
            }
        }
        entries = entries.saturating_add(writer.value(&value)?);
        let (payload, lost_references) = writer.end()?;
        (entries > 0).then_some(RebuiltDocument { payload, entries, lost_references })
    }
}

/// The objects that the value leads to, in the order of a writer: breadth first.
#[derive(Default)]
struct RowOrder {
    /// The new number of each reference.
    numbers: HashMap<u64, u64>,
    /// The gaps of classes, each with its rows.
    classes: Vec<(usize, Vec<u32>)>,
    /// The number of each class, by its gap.
    of_gaps: HashMap<usize, usize>,
}

impl RowOrder {
    fn of(found: &BTreeMap<UnitPlace, WholeUnit>, value: &BTreeMap<u32, WholeUnit>) -> RowOrder {
        let mut order = RowOrder::default();
        let mut due: VecDeque<&WholeUnit> = value.values().collect();
        while let Some(unit) = due.pop_front() {
            for (_, id) in &unit.references {
                let Some(place) = place_of(*id).filter(|_| !order.numbers.contains_key(id)) else { continue };
                let Some(target) = found.get(&place) else { continue };
                order.add(*id, place);
                due.push_back(target);
            }
        }
        order
    }

    fn add(&mut self, id: u64, (gap, row): UnitPlace) {
        let class = *self.of_gaps.entry(gap).or_insert(self.classes.len());
        if class == self.classes.len() {
            self.classes.push((gap, Vec::new()));
        }
        let Some((_, rows)) = self.classes.get_mut(class) else { return };
        let word = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        self.numbers.insert(id, word(class).saturating_add(1) << 32 | word(rows.len()));
        rows.push(row);
    }
}

/// The place of the object that a reference is to: its class from 1 on in the upper half, its row in the lower one.
fn place_of(id: u64) -> Option<UnitPlace> {
    let class = usize::try_from(id >> 32).ok()?.checked_sub(1)?;
    Some((class, u32::try_from(id & u64::from(u32::MAX)).ok()?))
}

struct RowNames {
    tag: String,
    names: Vec<String>,
}

impl RowNames {
    /// Names a place in a row, as other errors do: `hero[3].pet`.
    fn path(&self, row: u32, mut path: Vec<Step>) -> Vec<Step> {
        if let Some(first @ Step::Index(_)) = path.first_mut()
            && let Step::Index(column) = *first
            && let Some(name) = usize::try_from(column).ok().and_then(|column| self.names.get(column))
        {
            *first = Step::Key(name.clone());
        }
        path.splice(0..0, [Step::Key(self.tag.clone()), Step::Index(u64::from(row))]);
        path
    }
}

struct DocumentWriter<'o> {
    outline: &'o Outline,
    numbers: &'o HashMap<u64, u64>,
    bytes: Vec<u8>,
    /// The number of the next Array or Dictionary.
    next: u32,
    /// Containers that are declared for a class, by their numbers in the damaged document, and those of today by tag.
    declared: BTreeMap<u32, usize>,
    tags: Vec<(String, Vec<i32>)>,
    lost: Vec<String>,
}

impl<'o> DocumentWriter<'o> {
    fn new(outline: &'o Outline, numbers: &'o HashMap<u64, u64>) -> Option<DocumentWriter<'o>> {
        let (mut declared, mut tags) = (BTreeMap::new(), Vec::new());
        let (bytes, lost) = (Vec::new(), Vec::new());
        let fourth = outline.bytes.get(outline.value.end..).filter(|bytes| !bytes.is_empty());
        if let Some(fourth) = fourth {
            let Value::Dictionary(fourth) = decode(fourth, &any()).ok()? else { return None };
            for (tag, numbers) in fourth.entries {
                let (Value::String(tag), Value::PackedInt32Array(numbers)) = (tag, numbers) else {
                    return None;
                };
                let numbers = numbers.iter().filter_map(|number| u32::try_from(*number).ok());
                declared.extend(numbers.map(|number| (number, tags.len())));
                tags.push((tag, Vec::new()));
            }
        }
        Some(DocumentWriter { outline, numbers, bytes, next: 0, declared, tags, lost })
    }

    fn begin(&mut self, classes: usize) -> Option<()> {
        let end = self.outline.gaps.first().map_or(self.outline.value.start, |gap| gap.head);
        self.with_count(0..end, u32::try_from(classes).ok()?)?;
        self.next = 2;
        Some(())
    }

    /// Writes bytes of the outline that end with a number, which becomes this one.
    fn with_count(&mut self, range: Range<usize>, count: u32) -> Option<()> {
        let kept = self.outline.bytes.get(range)?;
        self.bytes.extend(kept.get(..kept.len().checked_sub(4)?)?);
        self.bytes.extend(count.to_le_bytes());
        Some(())
    }

    fn class(&mut self, gap: &Gap, rows: usize) -> Option<RowNames> {
        let start = self.bytes.len();
        self.with_count(gap.head..gap.at, 0)?;
        let head = decode(self.bytes.get(start..)?, &any()).ok()?;
        let count = self.bytes.len().checked_sub(4)?;
        self.bytes.get_mut(count..)?.copy_from_slice(&u32::try_from(rows).ok()?.to_le_bytes());
        self.next = self.next.saturating_add(2);
        let Value::Array(head) = head else { return None };
        let [Value::String(tag), _, names, _] = <[Value; 4]>::try_from(head.items).ok()? else { return None };
        let names = if let Value::PackedStringArray(names) = names { names } else { Vec::new() };
        Some(RowNames { tag, names })
    }

    /// Writes a unit, with its references to where their objects are now. `path_of` names the place of a byte in it.
    fn unit(&mut self, unit: &WholeUnit, path_of: impl Fn(usize) -> Vec<Step>) {
        let mut from = 0_usize;
        for (at, id) in &unit.references {
            self.bytes.extend(unit.bytes.get(from..*at).unwrap_or_default());
            from = at.saturating_add(REFERENCE);
            if let Some(id) = self.numbers.get(id) {
                self.bytes.extend([23, 0, 0, 0]);
                self.bytes.extend(id.to_le_bytes());
                continue;
            }
            self.bytes.extend(NULL);
            if self.lost.len() < MOST_NAMED {
                self.lost.push(Path(path_of(*at)).to_string());
            }
        }
        self.bytes.extend(unit.bytes.get(from..).unwrap_or_default());
        self.declare(unit.containers.clone());
    }

    /// Gives containers of the damaged document, which stand at the end of the bytes now, their new numbers.
    fn declare(&mut self, containers: Range<u32>) {
        for (number, tag) in self.declared.range(containers.clone()) {
            let new = number.saturating_sub(containers.start).saturating_add(self.next);
            if let Some((_, numbers)) = self.tags.get_mut(*tag) {
                numbers.push(i32::try_from(new).unwrap_or(i32::MAX));
            }
        }
        self.next = self.next.saturating_add(containers.end.saturating_sub(containers.start));
    }

    /// Writes the value, and returns how many of its entries there are.
    fn value(&mut self, units: &BTreeMap<u32, WholeUnit>) -> Option<u32> {
        let Some(gap) = self.outline.entries() else {
            let unit = units.get(&0)?;
            self.unit(unit, |at| path_to(&unit.bytes, at));
            return Some(0);
        };
        let count = u32::try_from(units.len()).ok()?;
        let number = self.outline.value_number;
        let opening = self.bytes.len();
        self.with_count(gap.head..gap.at, if gap.values == 1 { gap.count } else { count })?;
        let opening = self.bytes.get(opening..)?.to_vec();
        self.declare(number..number.saturating_add(1));
        if gap.values == 1 {
            self.elements(units, gap.count);
            return Some(count);
        }
        for unit in units.values() {
            let alone = || [&opening, &unit.bytes[..]].concat();
            self.unit(unit, |at| path_to(&alone(), at.saturating_add(opening.len())));
        }
        Some(count)
    }

    /// Writes the elements of an Array, in which what is lost is null.
    fn elements(&mut self, units: &BTreeMap<u32, WholeUnit>, count: u32) {
        for number in 0..count {
            let Some(unit) = units.get(&number) else {
                self.bytes.extend(NULL);
                continue;
            };
            let first = Step::Index(u64::from(number));
            self.unit(unit, |at| std::iter::once(first.clone()).chain(path_to(&unit.bytes, at)).collect());
        }
    }

    /// Writes the fourth element, and returns the bytes with the names of lost references.
    fn end(mut self) -> Option<(Vec<u8>, Vec<String>)> {
        self.tags.retain(|(_, numbers)| !numbers.is_empty());
        let elements = self.bytes.get_mut(4)?;
        *elements = if self.tags.is_empty() { 3 } else { 4 };
        if !self.tags.is_empty() {
            let entries = self.tags.into_iter();
            let entries =
                entries.map(|(tag, numbers)| (Value::String(tag), Value::PackedInt32Array(numbers)));
            let fourth = Dictionary { entries: entries.collect(), ..Dictionary::default() };
            self.bytes.extend(Value::from(fourth).encode().ok()?);
        }
        Some((self.bytes, self.lost))
    }
}

/// Names the place of a byte in a value; of a byte far behind its beginning, the value alone.
fn path_to(bytes: &[u8], at: usize) -> Vec<Step> {
    if at > MOST_WALKED {
        return Vec::new();
    }
    let mut finder = ReferenceFinder { stop: Some(at), ..ReferenceFinder::default() };
    let stopped = finder.walk(&mut Walker::new(), bytes).err();
    stopped.map(|error| error.path().0.clone()).unwrap_or_default()
}
