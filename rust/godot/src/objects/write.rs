//! Writes the document of the objects that were collected: one graph, one sequence of bytes. Objects are numbered breadth first
//! from the value, and each property is written where it stays, without a value of the whole document in between.

use std::collections::VecDeque;

use godot::builtin::{Rid, Variant};
use godot::meta::ToGodot;
use variant_core::{Error, ErrorKind, Fault, Path, VariantType};
use variant_objects::{Reference, begin_array, begin_class, begin_document, rids_in};

use super::Of;
use super::collect::{Collector, collected};
use super::convert::replaced;
use super::refusal;
use super::set::{Bound, ClassSet};
use crate::call::codec::{append, sorted};
use crate::call::problem::Problem;
use crate::call::settings::Settings;
use crate::raw::in_place::EncodeRoom;
use crate::raw::objects::id_of;
use crate::raw::variant::type_of;

/// The levels of a document that are around its value, and around the value of a property.
const AROUND_VALUE: u64 = 1;
const AROUND_CELL: u64 = 5;

/// Marks the reference to an object by its place among the collected ones: its number in the document is not known.
const UNNUMBERED: u64 = 0xFFFF_FFFF_0000_0000;

/// Writes the document of a value behind other bytes, and returns how long it is.
pub(crate) fn document(
    set: &ClassSet,
    s: &Settings,
    value: &Variant,
    room: &mut EncodeRoom,
    bytes: &mut Vec<u8>,
) -> Result<u64, Problem> {
    // A getter can let go of the value, which may be lent.
    let value = &value.clone();
    let collector = collected(set, value, s.limits())?;
    let mut settings = s.for_document();
    settings.sorts_keys = false;
    let (of_value, of_cell) = (&settings.within(AROUND_VALUE), &settings.within(AROUND_CELL));
    let mut writer = DocumentWriter {
        references: vec![None; collector.found.len()],
        collector,
        of_value,
        of_cell,
        room,
        tables: Vec::new(),
        written: 0,
        of_class: vec![None; set.classes.len()],
        sorting: s.sorts_keys.then(|| s.for_document()),
        due: VecDeque::new(),
        has_marks: false,
    };
    let mut told = Vec::new();
    writer.value(value, &mut told)?;
    while let Some(number) = writer.due.pop_front() {
        writer.write(number)?;
    }
    let start = bytes.len();
    writer.put_together(bytes).map_err(of_fault)?;
    bytes.extend_from_slice(&told);
    if writer.has_marks {
        let marked = bytes.split_off(start);
        bytes.extend(set.table.unmarked(&marked).map_err(Problem::of_value)?);
    }
    let most = s.limits().max_output_bytes;
    let written = u64::try_from(bytes.len() - start).unwrap_or(u64::MAX);
    if written > most {
        return Err(of_fault(Fault::new(ErrorKind::OutputTooLarge { limit: most }, most)));
    }
    Ok(written)
}

fn of_fault(fault: Fault) -> Problem {
    Problem::of_value(Error::new(fault, Path::default()))
}

#[derive(Default)]
struct Rows {
    /// The number of the class in the set.
    class: u32,
    count: u32,
    bytes: Vec<u8>,
}

struct DocumentWriter<'c, 's> {
    collector: Collector<'s>,
    of_value: &'c Settings,
    of_cell: &'c Settings,
    room: &'c mut EncodeRoom,
    /// By class of the document.
    tables: Vec<Rows>,
    written: u64,
    /// By object.
    references: Vec<Option<u64>>,
    /// By class of the set, its number in the document and the rows that were given numbers.
    of_class: Vec<Option<(u32, u32)>>,
    /// The settings by which each value is sorted before its objects get their numbers, if it is.
    sorting: Option<Settings>,
    due: VecDeque<usize>,
    /// Whether there are marks around containers that are declared for objects of a class.
    has_marks: bool,
}

impl DocumentWriter<'_, '_> {
    fn value(&mut self, value: &Variant, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let new = replaced(value, &mut |it| self.stand_in(it));
        self.append(self.of_value, new.as_ref().unwrap_or(value), bytes)
    }

    /// Writes a value, in which objects have their numbers already unless its keys are sorted.
    fn append(&mut self, settings: &Settings, value: &Variant, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let Some(sorting) = self.sorting else { return append(settings, value, self.room, bytes).map(drop) };
        let mut unsorted = Vec::new();
        append(settings, value, self.room, &mut unsorted)?;
        let start = bytes.len();
        bytes.extend(sorted(&sorting, &unsorted)?);
        for (at, id) in rids_in(&bytes[start..]) {
            let object = usize::try_from(id ^ UNNUMBERED).ok().filter(|_| id >= UNNUMBERED);
            if let Some(reference) = object.and_then(|object| self.numbered(object)) {
                let number = start + at + 4;
                bytes[number..number + 8].copy_from_slice(&reference.to_le_bytes());
            }
        }
        Ok(())
    }

    /// Writes the row of an object, whose reference was given out.
    fn write(&mut self, number: usize) -> Result<(), Problem> {
        let Some((object, class)) = self.collector.object(number) else { return Ok(()) };
        let head = usize::try_from(class).ok().and_then(|class| *self.of_class.get(class)?);
        let Some(at) = head.and_then(|(head, _)| usize::try_from(head).ok()) else { return Ok(()) };
        while self.tables.len() <= at {
            self.tables.push(Rows::default());
        }
        let mut bytes = std::mem::take(&mut self.tables[at].bytes);
        let before = bytes.len();
        let told = match self.collector.set.class(class) {
            Some(Bound::Object(of)) => self.row(of, number, &object, &mut bytes),
            _ => self.collector.key(number).and_then(|key| self.cell(&key, &mut bytes)),
        };
        self.written += u64::try_from(bytes.len() - before).unwrap_or(u64::MAX);
        let Rows { class: before, count, .. } = self.tables[at];
        debug_assert!(count == 0 || before == class, "a table is of one class");
        self.tables[at] = Rows { class, count: count + 1, bytes };
        told?;
        let most = self.of_cell.limits().max_output_bytes;
        match self.written > most {
            true => Err(of_fault(Fault::new(ErrorKind::OutputTooLarge { limit: most }, most))),
            false => Ok(()),
        }
    }

    fn row(&mut self, of: &Of, number: usize, object: &Variant, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        begin_array(bytes, of.slots.len()).map_err(of_fault)?;
        for (at, slot) in of.slots.iter().enumerate() {
            let value = self.collector.value(number, object, at, slot)?;
            let value = match &slot.names {
                Some(names) => names.name_of(&value).ok_or_else(|| self.no_name(number, at, &value))?,
                None => value,
            };
            let new = match (slot.holds, slot.is_of_objects) {
                (false, _) => None,
                // Its class is what declares it.
                (true, true) => replaced(&value, &mut |it| self.object(it)),
                (true, false) => replaced(&value, &mut |it| self.stand_in(it)),
            };
            let told = self.cell(new.as_ref().unwrap_or(&value), bytes);
            told.map_err(|problem| problem.at_place(self.collector.path_to(number, at)))?;
        }
        Ok(())
    }

    #[cold]
    fn no_name(&self, number: usize, at: usize, value: &Variant) -> Problem {
        let path = self.collector.path_to(number, at);
        refusal(
            ErrorKind::NotInEnum,
            path,
            "a value of the enum, which has a name",
            value.stringify().to_string(),
        )
    }

    fn cell(&mut self, value: &Variant, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        self.append(self.of_cell, value, bytes)
    }

    fn put_together(&self, bytes: &mut Vec<u8>) -> Result<(), Fault> {
        let length = self.tables.iter().map(|rows| rows.bytes.len()).sum::<usize>();
        bytes.reserve(length + 64 * (self.tables.len() + 1));
        begin_document(bytes, self.tables.len())?;
        for rows in &self.tables {
            let Some(of) = self.collector.set.table.class(rows.class) else { continue };
            let names = of.properties().iter().map(|property| property.name.as_str());
            let count = usize::try_from(rows.count).unwrap_or(usize::MAX);
            begin_class(bytes, &of.tag, of.version(), names, count)?;
            bytes.extend_from_slice(&rows.bytes);
        }
        Ok(())
    }

    /// Returns what is written for an object, or around a container that is declared for objects.
    fn stand_in(&mut self, value: &Variant) -> Option<Variant> {
        let mark = self.collector.set.mark_of(value);
        self.has_marks |= mark.is_some();
        mark.or_else(|| self.object(value))
    }

    /// The reference that is written for an object; null where the object is not written.
    fn object(&mut self, value: &Variant) -> Option<Variant> {
        let is_object = type_of(value) == VariantType::Object;
        is_object.then(|| self.reference(value).map_or_else(Variant::nil, |id| Rid::new(id).to_variant()))
    }

    fn reference(&mut self, object: &Variant) -> Option<u64> {
        let number = *self.collector.by_id.get(&id_of(object))?;
        match self.sorting {
            Some(_) => Some(UNNUMBERED | u64::try_from(number).ok()?),
            None => self.numbered(number),
        }
    }

    /// The reference to a collected object, which gets the next number if it has none.
    fn numbered(&mut self, number: usize) -> Option<u64> {
        if self.references.len() <= number {
            self.references.resize(self.collector.found.len(), None);
        }
        if let Some(known) = *self.references.get(number)? {
            return Some(known);
        }
        let class = self.collector.found.get(number)?.class;
        let classes = u32::try_from(self.of_class.iter().flatten().count()).ok()?;
        let (head, rows) = self.of_class.get_mut(usize::try_from(class).ok()?)?.get_or_insert((classes, 0));
        let reference = Reference { class: *head, row: *rows }.in_document();
        *rows += 1;
        *self.references.get_mut(number)? = Some(reference);
        self.due.push_back(number);
        Some(reference)
    }
}
