//! Makes the objects of a checked document: steps of older versions first, on plain values; then every object; then their
//! properties; then the loaded methods. A failure lets go of all of them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use godot::builtin::{StringName, VarArray, VarDictionary, Variant};
use godot::classes::Object;
use godot::global::weakref;
use godot::obj::Gd;
use variant_core::{ErrorKind, Rules, Step, VariantType};
use variant_objects::{Checked, Head, Scratch};

use super::link::Made;
use super::set::{Bound, ClassSet, Compiled, Of, Slot};
use super::steps::Steps;
use super::{copy, refusal};
use crate::checks;
use crate::codec::Problem;
use crate::names::{ASSIGN, DUPLICATE, NEW};
use crate::raw::any_thread::AnyThread;
use crate::raw::objects;
use crate::raw::variant::{call_with, type_of};
use crate::schema::Held;
use crate::stream::job;

/// A document that was built: the rows of its classes, and its value.
pub(super) struct Parts {
    rows: Vec<VarArray>,
    value: Variant,
}

/// The properties that a row sets, in the order of the class.
pub(super) enum Cells {
    Row(VarArray),
    Named(VarDictionary),
}

impl Cells {
    /// Returns what stands for an object that is known by a key: the only cell of its row.
    fn key(&self) -> Option<Variant> {
        match self {
            Cells::Row(cells) => cells.get(0),
            Cells::Named(_) => None,
        }
    }
}

impl Parts {
    /// Takes a document apart that was checked.
    pub(super) fn of(document: &Variant) -> Option<Parts> {
        let document = document.try_to::<VarArray>().ok()?;
        let classes = document.get(1)?.try_to::<VarArray>().ok()?;
        let rows = classes.iter_shared().map(|class| class.try_to::<VarArray>().ok()?.get(3)?.try_to().ok());
        Some(Parts { rows: rows.collect::<Option<_>>()?, value: document.get(2)? })
    }

    /// Makes the objects of the document, on the main thread where a job does it, and returns its value with them.
    pub(super) fn constructed(
        self,
        set: &ClassSet,
        checked: Checked,
        (scratch, rules): (&mut Scratch, &Rules),
        (held, classes): (&Held, &Arc<Compiled>),
    ) -> Result<Variant, Problem> {
        let rows = self.rows(set, &checked, (scratch, rules))?;
        if checked.has_checks {
            checks::run(held, &self.value)?;
        }
        let mut building = Building {
            classes: Arc::clone(classes),
            made: Made::new(set.classes.len(), &checked, false),
            checked,
            rows,
            value: self.value,
            stage: Stage::Make,
            head: 0,
            row: 0,
            columns: Vec::new(),
            is_whole: false,
        };
        if set.builds_on_thread || !job::has_main_thread_elsewhere() {
            return building.work(None).unwrap_or_else(|| Ok(Variant::nil()));
        }
        let outcome = Arc::new(Mutex::new(AnyThread(None)));
        let told = Arc::clone(&outcome);
        job::on_main_thread(set.time_budget, move |until| {
            let ended = building.work(Some(until));
            let is_done = ended.is_some();
            told.lock().unwrap_or_else(PoisonError::into_inner).0 = ended;
            is_done
        })?;
        let ended = outcome.lock().unwrap_or_else(PoisonError::into_inner).0.take();
        ended.unwrap_or_else(|| Ok(Variant::nil()))
    }

    /// Every row with its properties by today's names; those of older versions have taken their steps.
    fn rows(
        &self,
        set: &ClassSet,
        checked: &Checked,
        (scratch, rules): (&mut Scratch, &Rules),
    ) -> Result<Vec<Vec<Cells>>, Problem> {
        let steps = Steps { table: &set.table, checked, rules };
        let mut all = Vec::with_capacity(self.rows.len());
        for (head, rows) in checked.heads.iter().zip(&self.rows) {
            let mut own = Vec::with_capacity(rows.len());
            for (number, row) in rows.iter_shared().enumerate() {
                own.push(match set.class(head.class) {
                    Some(Bound::Object(of)) => {
                        let row: VarArray = row.try_to().unwrap_or_default();
                        match head.migrates {
                            true => Cells::Named(steps.taken(scratch, (of, head), &row, number)?),
                            false => Cells::Row(row),
                        }
                    }
                    // A key is the only cell of its row.
                    _ => Cells::Row(std::iter::once(row).collect()),
                });
            }
            all.push(own);
        }
        Ok(all)
    }
}

/// Objects that are being made, one step after another: each can be followed by other work of the same thread.
pub(super) struct Building {
    classes: Arc<Compiled>,
    checked: Checked,
    rows: Vec<Vec<Cells>>,
    made: Made,
    value: Variant,
    stage: Stage,
    /// The place of the next object: its class in the document, and its row.
    head: usize,
    row: usize,
    /// By slot, the columns of the class whose objects are being filled.
    columns: Vec<Option<usize>>,
    is_whole: bool,
}

/// Says what is done to each object, in this order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Make,
    Fill,
    Tell,
}

impl Building {
    /// Works until the value stands or the time has come, if it is ever to come.
    ///
    /// # Errors
    /// An object could not be made. All others are let go then.
    pub(super) fn work(&mut self, until: Option<Instant>) -> Option<Result<Variant, Problem>> {
        let classes = Arc::clone(&self.classes);
        let set = match classes.set() {
            Ok(set) => set,
            Err(problem) => return Some(Err(problem)),
        };
        loop {
            match self.step(set) {
                Ok(false) => {}
                Ok(true) => {
                    self.is_whole = true;
                    return Some(Ok(std::mem::take(&mut self.value)));
                }
                Err(problem) => return Some(Err(problem)),
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                return None;
            }
        }
    }

    /// Does what is next to one object. Returns whether that was the last.
    fn step(&mut self, set: &ClassSet) -> Result<bool, Problem> {
        let Building { checked, rows, made, head: at, row: number, .. } = self;
        let (Some(head), Some(rows)) = (checked.heads.get(*at), rows.get(*at)) else {
            return Ok(self.is_last_stage());
        };
        let Some(row) = rows.get(*number) else {
            (*at, *number) = (at.saturating_add(1), 0);
            return Ok(false);
        };
        match self.stage {
            Stage::Make => {
                let object = made_of((set, head), *number, row.key().as_ref())?;
                if let Some(objects) = made.rows.get_mut(*at) {
                    objects.push(object);
                }
            }
            Stage::Fill => {
                if let Some(Bound::Object(of)) = set.class(head.class)
                    && let Some(object) = made.rows.get(*at).and_then(|objects| objects.get(*number))
                {
                    if *number == 0 {
                        self.columns = columns(head, of);
                    }
                    let with = FillWith { set, head, of, made, columns: &self.columns };
                    fill_row(&with, *number, object, row)?;
                }
            }
            Stage::Tell => {
                if let Some(Bound::Object(of)) = set.class(head.class)
                    && of.has_loaded
                    && let Some(object) = made.rows.get(*at).and_then(|objects| objects.get(*number))
                {
                    object.call(&set.loaded_method, &[]);
                }
            }
        }
        *number = number.saturating_add(1);
        Ok(false)
    }

    /// Begins with the next stage at the first object.
    fn is_last_stage(&mut self) -> bool {
        (self.head, self.row) = (0, 0);
        match self.stage {
            Stage::Make => {
                self.value = self.made.linked(&self.value).unwrap_or_else(|| self.value.clone());
                self.stage = Stage::Fill;
            }
            Stage::Fill => self.stage = Stage::Tell,
            Stage::Tell => return true,
        }
        false
    }
}

impl Drop for Building {
    /// Lets go of the objects of a value that does not stand, circles of them too.
    fn drop(&mut self) {
        if self.is_whole {
            return;
        }
        if let Ok(set) = self.classes.set() {
            copy::cut_made(set, &self.checked, &self.made);
        }
    }
}

/// Makes one object: of its class, or of the key that stands for it.
pub(super) fn made_of(
    (set, head): (&ClassSet, &Head),
    number: usize,
    key: Option<&Variant>,
) -> Result<Variant, Problem> {
    let object = match (set.class(head.class), key) {
        (Some(Bound::Object(of)), _) => of.maker.call(&*NEW, &[]),
        (Some(Bound::Assets(assets)), Some(key)) => {
            assets.load(&key.stringify().to_string()).unwrap_or_default()
        }
        (Some(Bound::Value { from, .. }), Some(key)) => call_with(from, key).unwrap_or_default(),
        _ => Variant::nil(),
    };
    let is_made = match set.class(head.class) {
        Some(Bound::Object(_)) => type_of(&object) == VariantType::Object,
        _ => object.try_to::<Gd<Object>>().is_ok(),
    };
    match is_made {
        true => Ok(object),
        false => Err(not_made((set, head, number), None, "an object", "none: its code or its file failed")),
    }
}

/// A class whose objects get their properties.
pub(super) struct FillWith<'f> {
    set: &'f ClassSet,
    head: &'f Head,
    of: &'f Of,
    made: &'f Made,
    /// By slot, as [`columns`] finds them.
    columns: &'f [Option<usize>],
}

impl<'f> FillWith<'f> {
    pub(super) const fn new(
        set: &'f ClassSet,
        (head, of): (&'f Head, &'f Of),
        made: &'f Made,
        columns: &'f [Option<usize>],
    ) -> FillWith<'f> {
        FillWith { set, head, of, made, columns }
    }
}

/// Sets the properties of one object.
pub(super) fn fill_row(
    with: &FillWith<'_>,
    number: usize,
    object: &Variant,
    row: &Cells,
) -> Result<(), Problem> {
    let FillWith { set, head, of, made, columns } = *with;
    for (slot, column) in of.slots.iter().zip(columns) {
        let value = match row {
            Cells::Row(cells) => column.and_then(|column| cells.get(column)),
            Cells::Named(named) => named.get(&slot.name),
        };
        let Some(value) = value else { continue };
        match slot.taking(value, made, head.migrates) {
            Ok(value) => objects::set_property(object, &slot.name, &value),
            Err((expected, got)) => {
                return Err(not_made((set, head, number), Some(&slot.name), expected, got));
            }
        }
    }
    Ok(())
}

/// By slot, the column that it is in.
pub(super) fn columns(head: &Head, of: &Of) -> Vec<Option<usize>> {
    let mut columns = vec![None; of.slots.len()];
    for (at, column) in head.columns.iter().enumerate() {
        let slot = column.property.and_then(|property| usize::try_from(property).ok());
        if let Some(slot) = slot.and_then(|slot| columns.get_mut(slot)) {
            *slot = Some(at);
        }
    }
    columns
}

impl Slot {
    /// The value as the property takes it: with objects for references, weakly held or in a container of the declared types.
    fn taking(
        &self,
        value: Variant,
        made: &Made,
        is_of_steps: bool,
    ) -> Result<Variant, (&'static str, &'static str)> {
        let value = if self.holds { made.linked(&value).unwrap_or(value) } else { value };
        if value.is_nil() {
            return Ok(value);
        }
        if self.is_weak {
            return Ok(weakref(&value));
        }
        if let Some(fits) = &self.fits
            && !self.are_fitting(&value, fits)
        {
            return Err(("an object of the class that the variable is declared with", "another one"));
        }
        match &self.template {
            Some(template) if self.is_of_objects || is_of_steps => {
                let typed = template.call(&*DUPLICATE, &[]);
                typed.call(&*ASSIGN, &[value]);
                Ok(typed)
            }
            _ => Ok(value),
        }
    }

    fn are_fitting(&self, value: &Variant, fits: &super::Fits) -> bool {
        let takes = |value: &Variant| {
            value.is_nil() || value.try_to::<Gd<Object>>().is_ok_and(|object| fits.takes(&object))
        };
        match type_of(value) {
            VariantType::Array => {
                value.try_to::<VarArray>().is_ok_and(|it| it.iter_shared().all(|it| takes(&it)))
            }
            VariantType::Dictionary => value
                .try_to::<VarDictionary>()
                .is_ok_and(|it| it.values_array().iter_shared().all(|it| takes(&it))),
            _ => takes(value),
        }
    }
}

/// Tells every object of a class with such a method that the whole graph stands.
pub(super) fn loaded(set: &ClassSet, checked: &Checked, made: &Made) {
    for (head, objects) in checked.heads.iter().zip(&made.rows) {
        if let Some(Bound::Object(of)) = set.class(head.class)
            && of.has_loaded
        {
            for object in objects {
                object.call(&set.loaded_method, &[]);
            }
        }
    }
}

#[cold]
fn not_made(
    (set, head, row): (&ClassSet, &Head, usize),
    property: Option<&StringName>,
    expected: &str,
    got: &str,
) -> Problem {
    let tag = set.table.class(head.class).map_or("", |class| class.tag.as_str());
    let mut path = vec![Step::Key(tag.to_owned()), Step::Index(u64::try_from(row).unwrap_or(u64::MAX))];
    path.extend(property.map(|name| Step::Key(name.to_string())));
    refusal(ErrorKind::NotConstructed, path, expected, got.to_owned())
}
