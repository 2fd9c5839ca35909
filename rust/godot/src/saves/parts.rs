//! Holds the objects and the value of an older save while steps change them: objects are Dictionaries by the names of their
//! properties, references to them RIDs. Objects that a step makes are taken apart at once, and are those of today.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use godot::builtin::{PackedStringArray, Rid, VarArray, VarDictionary, Variant};
use godot::meta::ToGodot;
use variant_core::VariantType;
use variant_objects::{FORM, ObjectOrder, Reference};

use super::Plan;
use super::errors;
use crate::call::codec::Codec;
use crate::call::form::Call;
use crate::call::problem::Problem;
use crate::call::settings::Settings;
use crate::engine::names::DUPLICATE;
use crate::objects::{Bound, ClassSet, CompiledClasses, TakenMarks, items, mark_containers, replaced};
use crate::raw::objects::id_of;
use crate::raw::variant::type_of;

#[derive(Clone, Copy)]
pub(super) struct PartsRules<'s> {
    pub(super) set: &'s ClassSet,
    pub(super) reading: &'s Settings,
    pub(super) writing: &'s Settings,
}

pub(super) struct Parts<'s> {
    pub(super) rules: PartsRules<'s>,
    classes: Vec<Rows>,
    pub(super) value: Variant,
    /// Whether there are marks around containers that are declared for objects.
    has_marks: bool,
}

struct Rows {
    tag: String,
    /// Its number in the set; none of a class that was forgotten.
    class: Option<u32>,
    /// 0 where a row is one plain value, which stands for the object.
    version: i64,
    rows: Vec<Row>,
}

struct Row {
    /// A Dictionary by name, or the value that stands for the object.
    cells: Variant,
    /// Whether a step of the game's has made it: it is of today's form.
    is_todays: bool,
}

impl<'s> Parts<'s> {
    pub(super) const fn of_value(rules: PartsRules<'s>, value: Variant) -> Parts<'s> {
        Parts { rules, classes: Vec::new(), value, has_marks: false }
    }

    /// Takes a decoded document apart. None: it is of another form.
    pub(super) fn of_document(rules: PartsRules<'s>, document: &Variant) -> Option<Parts<'s>> {
        let document = document.try_to::<VarArray>().ok()?;
        let has_marks = mark_containers(rules.set, &document)?;
        let mut parts = Parts { has_marks, ..Parts::of_value(rules, document.get(2)?) };
        for class in document.get(1)?.try_to::<VarArray>().ok()?.iter_shared() {
            parts.classes.push(Rows::of(rules.set, &class.try_to::<VarArray>().ok()?)?);
        }
        Some(parts)
    }

    /// Changes every row of a class of the set that is not of today's form.
    pub(super) fn each_row(
        &mut self,
        class: u32,
        mut change: impl FnMut(Variant, &mut TakenMarks, usize) -> Result<Variant, Problem>,
    ) -> Result<(), Problem> {
        for at in 0..self.classes.len() {
            let rows = &self.classes[at];
            if rows.class != Some(class) || rows.version == 0 {
                continue;
            }
            for number in 0..rows.rows.len() {
                let row = &self.classes[at].rows[number];
                if row.is_todays {
                    continue;
                }
                let cells = row.cells.clone();
                let changed = self.changed(cells, |cells, marks| change(cells, marks, number))?;
                self.classes[at].rows[number].cells = changed;
            }
        }
        Ok(())
    }

    pub(super) fn change_value(
        &mut self,
        change: impl FnOnce(Variant, &mut TakenMarks) -> Result<Variant, Problem>,
    ) -> Result<(), Problem> {
        let value = std::mem::take(&mut self.value);
        self.value = self.changed(value, change)?;
        Ok(())
    }

    /// Returns what a step makes of a value, which it sees without marks.
    fn changed(
        &mut self,
        mut value: Variant,
        change: impl FnOnce(Variant, &mut TakenMarks) -> Result<Variant, Problem>,
    ) -> Result<Variant, Problem> {
        let mut marks = if self.has_marks { TakenMarks::of(&mut value) } else { TakenMarks::default() };
        let changed = change(value, &mut marks)?;
        self.without_objects(marks.put_back(changed))
    }

    /// The value of a step with references in the place of objects, which become rows of today.
    fn without_objects(&mut self, value: Variant) -> Result<Variant, Problem> {
        let mut found = Objects::default();
        let PartsRules { set, reading, writing } = self.rules;
        found.gather(&value, reading.limits().max_depth)?;
        if found.all.is_empty() {
            return Ok(replaced(&value, &mut |it| self.mark_of(it)).unwrap_or(value));
        }
        let objects: VarArray = found.all.iter().cloned().collect();
        let bytes = Codec::new().document_of(set, writing, &objects.to_variant())?;
        let made = super::decoded(reading, &bytes)?;
        let made = Parts::of_document(self.rules, &made).ok_or_else(errors::no_document)?;
        let places = self.take_in(made.classes);
        let references: VarArray = made.value.try_to().unwrap_or_default();
        let references: Vec<Variant> =
            references.iter_shared().map(|it| moved(&it, &places).unwrap_or_default()).collect();
        let mut by = |it: &Variant| match type_of(it) {
            VariantType::Object => references.get(*found.by_id.get(&id_of(it))?).cloned(),
            _ => self.mark_of(it),
        };
        Ok(replaced(&value, &mut by).unwrap_or(value))
    }

    fn mark_of(&mut self, container: &Variant) -> Option<Variant> {
        let mark = self.rules.set.mark_of(container);
        self.has_marks |= mark.is_some();
        mark
    }

    /// Adds rows, and returns for each class its number here and how many rows there were.
    fn take_in(&mut self, made: Vec<Rows>) -> Vec<(u32, u32)> {
        let mut places = Vec::new();
        for rows in &made {
            let known =
                self.classes.iter().position(|it| it.class == rows.class && it.version == rows.version);
            let at = known.unwrap_or_else(|| {
                self.classes.push(Rows { rows: Vec::new(), tag: rows.tag.clone(), ..*rows });
                self.classes.len() - 1
            });
            places.push((number(at), number(self.classes[at].rows.len())));
        }
        for (rows, place) in made.into_iter().zip(&places) {
            for Row { cells, .. } in rows.rows {
                let cells = replaced(&cells, &mut |it| moved(it, &places)).unwrap_or(cells);
                let at = usize::try_from(place.0).unwrap_or(usize::MAX);
                self.classes[at].rows.push(Row { cells, is_todays: true });
            }
        }
        places
    }

    /// The objects that the value leads to, in the order of a writer, and the numbers that they get.
    fn order(&self) -> (ObjectOrder<usize, usize>, HashMap<Reference, Reference>) {
        let (mut order, mut numbers) = (ObjectOrder::default(), HashMap::new());
        let mut due = VecDeque::from([self.value.clone()]);
        while let Some(value) = due.pop_front() {
            let mut met = Vec::new();
            replaced(&value, &mut |it| {
                met.extend(reference(it));
                None
            });
            for of in met {
                let (class, row) = (of.class as usize, of.row as usize);
                if let Some(there) = self.classes.get(class).and_then(|rows| rows.rows.get(row))
                    && let Entry::Vacant(number) = numbers.entry(of)
                {
                    number.insert(order.add(class, row));
                    due.push_back(there.cells.clone());
                }
            }
        }
        (order, numbers)
    }

    /// The document of all objects that the value still leads to.
    pub(super) fn into_document(self) -> Result<Vec<u8>, Problem> {
        let (order, numbers) = self.order();
        let mut tags = HashSet::new();
        let mut tag_of = order.classes.iter().map(|(class, _)| &self.classes[*class].tag);
        if let Some(twice) = tag_of.find(|tag| !tags.insert(*tag)) {
            return Err(errors::of_versions(twice));
        }
        let mut renumber = |it: &Variant| {
            let of = reference(it)?;
            Some(numbers.get(&of).map_or_else(Variant::nil, |of| Rid::new(of.in_document()).to_variant()))
        };
        let classes = order.classes.iter();
        let classes =
            classes.map(|(class, rows)| self.classes[*class].written(self.rules.set, rows, &mut renumber));
        let classes = classes.collect::<Result<VarArray, Problem>>()?;
        let value = replaced(&self.value, &mut renumber).unwrap_or_else(|| self.value.clone());
        let mut document = VarArray::new();
        document.push(&FORM.to_variant());
        document.push(&classes.to_variant());
        document.push(&value);
        let (set, settings) = (self.rules.set, self.rules.writing.for_document());
        let bytes = Codec::new().encoded(&Call::plain(&settings), &document.to_variant())?;
        set.table.unmarked(bytes.as_slice()).map_err(Problem::of_value)
    }
}

impl Rows {
    fn of(set: &ClassSet, class: &VarArray) -> Option<Rows> {
        let tag = class.get(0)?.try_to::<godot::builtin::GString>().ok()?.to_string();
        let number = set.table.find(&tag);
        let version = class.get(1)?.try_to::<i64>().ok()?;
        let names: PackedStringArray = class.get(2)?.try_to().ok()?;
        let rows = class.get(3)?.try_to::<VarArray>().ok()?;
        let row = |cells: Variant| {
            if version == 0 {
                return Some(Row { cells, is_todays: true });
            }
            let cells = cells.try_to::<VarArray>().ok().filter(|cells| cells.len() == names.len())?;
            let mut named = VarDictionary::new();
            for (name, cell) in names.as_slice().iter().zip(cells.iter_shared()) {
                named.set(name, &cell);
            }
            Some(Row { cells: named.to_variant(), is_todays: false })
        };
        let rows = rows.iter_shared().map(row).collect::<Option<Vec<_>>>()?;
        // A name that the class had before is the class.
        let tag = number.and_then(|it| set.table.class(it)).map_or(tag, |class| class.tag.clone());
        Some(Rows { tag, class: number, version, rows })
    }

    /// The entry of the class in a document, with these of its rows.
    fn written(
        &self,
        set: &ClassSet,
        rows: &[usize],
        renumber: &mut dyn FnMut(&Variant) -> Option<Variant>,
    ) -> Result<Variant, Problem> {
        let cells = || rows.iter().filter_map(|row| self.rows.get(*row)).map(|row| &row.cells);
        let mut names: Vec<String> = Vec::new();
        let mut known = HashSet::new();
        let mut written = VarArray::new();
        if self.version > 0 {
            for name in cells().filter_map(|row| row.try_to::<VarDictionary>().ok()).flat_map(|row| {
                row.keys_array().iter_shared().map(|key| key.stringify().to_string()).collect::<Vec<_>>()
            }) {
                if known.insert(name.clone()) {
                    names.push(name);
                }
            }
        }
        for (at, row) in cells().enumerate() {
            if self.version == 0 {
                written.push(row);
                continue;
            }
            let row: VarDictionary = row.try_to().unwrap_or_default();
            let mut cells = VarArray::new();
            for name in &names {
                let cell = match row.get(name.as_str()) {
                    Some(cell) => cell,
                    None => self.missing(set, name).ok_or_else(|| errors::uneven(&self.tag, at, name))?,
                };
                cells.push(&replaced(&cell, renumber).unwrap_or(cell));
            }
            written.push(&cells.to_variant());
        }
        let names: PackedStringArray = names.iter().map(godot::builtin::GString::from).collect();
        let mut entry = VarArray::new();
        entry.push(&self.tag.to_variant());
        entry.push(&self.version.to_variant());
        entry.push(&names.to_variant());
        entry.push(&written.to_variant());
        Ok(entry.to_variant())
    }

    /// The value of a property that one row has and another lacks: that of a new object.
    fn missing(&self, set: &ClassSet, name: &str) -> Option<Variant> {
        let Some(Bound::Object(of)) = set.class(self.class?) else { return None };
        let slot = of.slots.iter().find(|slot| slot.name == name)?;
        slot.initial.clone()
    }
}

/// Makes an object of a class of the set from its properties by name, or an Array of objects from an Array of such. All
/// checks of a load are made first; the error is that of the first that fails.
pub(crate) fn from_rows(
    classes: &Arc<CompiledClasses>,
    tag: &str,
    rows: &Variant,
) -> Result<Variant, Problem> {
    let set = classes.set()?;
    let made = Arc::clone(classes);
    let plan = Plan { classes: Some(Arc::new(move || Arc::clone(&made))), version: 1, ..Plan::default() };
    let (reading, writing) = (plan.settings(), plan.writing());
    let wrong = || errors::no_rows(tag);
    let class = set.table.find(tag).and_then(|at| Some((at, set.table.class(at)?)));
    let Some((at, class)) = class.filter(|(_, class)| class.version() > 0) else { return Err(wrong()) };
    let is_list = type_of(rows) == VariantType::Array;
    let all = if is_list { items(rows) } else { vec![rows.clone()] };
    let mut parts = Parts::of_value(PartsRules { set, reading: &reading, writing: &writing }, Variant::nil());
    let version = i64::from(class.version());
    parts.classes.push(Rows { tag: class.tag.clone(), class: Some(at), version, rows: Vec::new() });
    let mut references = VarArray::new();
    for (row, cells) in all.iter().enumerate() {
        if type_of(cells) != VariantType::Dictionary {
            return Err(wrong());
        }
        // A copy, since names may be added to what was given.
        let cells = parts.without_objects(cells.call(&*DUPLICATE, &[]))?;
        let row_of = &mut parts.classes[0].rows;
        let place = Reference { class: 0, row: number(row_of.len()) };
        debug_assert!(row_of.len() >= row, "objects in a row may add rows of the class");
        row_of.push(Row { cells, is_todays: true });
        references.push(&Rid::new(place.in_document()).to_variant());
    }
    parts.value = if is_list { references.to_variant() } else { references.get(0).unwrap_or_default() };
    plan.checked(&parts.into_document()?)
}

fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn reference(value: &Variant) -> Option<Reference> {
    if type_of(value) != VariantType::Rid {
        return None;
    }
    Reference::of_document(value.try_to::<Rid>().map_or(0, Rid::to_u64))
}

/// The reference to an object that was added, behind those that were there.
fn moved(value: &Variant, places: &[(u32, u32)]) -> Option<Variant> {
    let of = reference(value)?;
    let (class, first) = *places.get(usize::try_from(of.class).ok()?)?;
    let moved = Reference { class, row: of.row.saturating_add(first) };
    Some(Rid::new(moved.in_document()).to_variant())
}

/// The objects in a value, each once.
#[derive(Default)]
struct Objects {
    all: Vec<Variant>,
    by_id: HashMap<i64, usize>,
}

impl Objects {
    fn gather(&mut self, value: &Variant, levels: u64) -> Result<(), Problem> {
        let Some(levels) = levels.checked_sub(1) else { return Err(errors::endless()) };
        match type_of(value) {
            VariantType::Object if id_of(value) != 0 => {
                let next = self.all.len();
                if *self.by_id.entry(id_of(value)).or_insert(next) == next {
                    self.all.push(value.clone());
                }
            }
            _ => items(value).iter().try_for_each(|item| self.gather(item, levels))?,
        }
        Ok(())
    }
}
