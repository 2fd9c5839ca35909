//! Makes the objects of a checked document: first every object, then their properties, then it calls the loaded methods. A
//! failure lets go of all of them. Where the rows come from is `rows.rs`' matter.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use godot::builtin::{StringName, VarArray, VarDictionary, Variant};
use godot::classes::Object;
use godot::global::weakref;
use godot::obj::Gd;
use variant_core::{ErrorKind, Step};
use variant_objects::{CheckedDocument, Head};

use super::link::MadeObjects;
use super::rows::Rows;
use super::set::{Bound, ClassSet, CompiledClasses, Of, Slot};
use super::{TakenMarks, copy, refusal};
use crate::call::checks;
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;
use crate::engine::names::{ASSIGN, DUPLICATE, NEW};
use crate::raw::any_thread::AnyThread;
use crate::raw::objects;
use crate::raw::variant::call_with;
use crate::stream::job;

/// Objects that are being made, one step after another: each can be followed by other work of the same thread.
pub(super) struct Building {
    classes: Arc<CompiledClasses>,
    checked: CheckedDocument,
    made: MadeObjects,
    value: Variant,
    stage: Stage,
    /// The place of the next object: its class in the document, and its row.
    head: usize,
    row: u32,
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
    /// Begins with a value whose references are those of the document, or of what was built while it was checked. Asks
    /// the checks of the game first, and fails if one refuses the value.
    pub(super) fn begin(
        held: &BoundSchema,
        checked: CheckedDocument,
        mut value: Variant,
        made: MadeObjects,
    ) -> Result<Building, Problem> {
        if checked.has_checks {
            // They see plain containers.
            let has_marks = checked.has_typed_containers();
            let marks = if has_marks { TakenMarks::of(&mut value) } else { TakenMarks::default() };
            checks::run(held, &value)?;
            value = marks.put_back(value);
        }
        Ok(Building {
            classes: Arc::clone(&made.classes),
            made,
            checked,
            value,
            stage: Stage::Make,
            head: 0,
            row: 0,
            columns: Vec::new(),
            is_whole: false,
        })
    }

    /// Makes all objects at once. If one cannot be made, it fails and lets go of all others.
    pub(super) fn at_once(mut self, mut rows: impl Rows) -> Result<Variant, Problem> {
        self.work(&mut rows, None).map(Option::unwrap_or_default)
    }

    /// Makes all objects on the main thread, in slices of its frames. If one cannot be made, or the job is cancelled, it fails
    /// and lets go of all others.
    pub(super) fn on_main_thread(
        mut self,
        mut rows: impl Rows + 'static,
        set: &ClassSet,
    ) -> Result<Variant, Problem> {
        let outcome = Arc::new(Mutex::new(AnyThread(None)));
        let told = Arc::clone(&outcome);
        job::on_main_thread(set.time_budget, move |until| {
            let ended = self.work(&mut rows, Some(until)).transpose();
            let is_done = ended.is_some();
            told.lock().unwrap_or_else(PoisonError::into_inner).0 = ended;
            is_done
        })?;
        let ended = outcome.lock().unwrap_or_else(PoisonError::into_inner).0.take();
        ended.unwrap_or_else(|| Ok(Variant::nil()))
    }

    /// Works until the value stands or the time has come, if it is ever to come.
    fn work(&mut self, rows: &mut dyn Rows, until: Option<Instant>) -> Result<Option<Variant>, Problem> {
        let classes = Arc::clone(&self.classes);
        let set = classes.set()?;
        while !self.step(set, rows)? {
            if until.is_some_and(|until| Instant::now() >= until) {
                return Ok(None);
            }
        }
        self.is_whole = true;
        Ok(Some(std::mem::take(&mut self.value)))
    }

    /// Does what is next to one object. Returns whether that was the last.
    fn step(&mut self, set: &ClassSet, rows: &mut dyn Rows) -> Result<bool, Problem> {
        let Building { checked, made, head: at, row: number, .. } = self;
        let Some(head) = checked.heads.get(*at) else { return self.next_stage() };
        if *number >= head.rows {
            (*at, *number) = (at.saturating_add(1), 0);
            return Ok(false);
        }
        let row = usize::try_from(*number).unwrap_or(usize::MAX);
        let object = made.rows.get(*at).and_then(|objects| objects.get(row));
        match (self.stage, set.class(head.class)) {
            (Stage::Make, of) => {
                // What stands for an object that is known by a key is the key.
                let key = if let Some(Bound::Object(_)) = of { None } else { rows.row(*at, row) };
                let object = made_of(set, head, row, key.as_ref())?;
                if let Some(objects) = made.rows.get_mut(*at) {
                    if row == 0 {
                        objects.reserve(usize::try_from(head.rows).unwrap_or(0));
                    }
                    objects.push(object);
                }
            }
            (Stage::Fill, Some(Bound::Object(of))) => {
                if row == 0 {
                    self.columns = columns(head, of);
                }
                if let Some((object, cells)) = object.zip(rows.row(*at, row)) {
                    let with = FillWith { set, head, of, made, columns: &self.columns };
                    with.fill(row, object, &cells)?;
                }
            }
            (Stage::Tell, Some(Bound::Object(of))) if of.has_loaded => {
                if let Some(object) = object {
                    tell(set, head, of, row, object)?;
                }
            }
            (Stage::Fill | Stage::Tell, _) => {}
        }
        *number = number.saturating_add(1);
        Ok(false)
    }

    /// Returns whether there is none.
    fn next_stage(&mut self) -> Result<bool, Problem> {
        (self.head, self.row) = (0, 0);
        match self.stage {
            Stage::Make => {
                self.value = self.made.linked(&self.value).unwrap_or_else(|| self.value.clone());
                self.stage = Stage::Fill;
            }
            Stage::Fill => self.stage = Stage::Tell,
            Stage::Tell => return Ok(true),
        }
        match self.made.has_misfit.get() {
            true => Err(refusal(ErrorKind::NotConstructed, Vec::new(), FITTING, "another one".to_owned())),
            false => Ok(false),
        }
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
fn made_of(set: &ClassSet, head: &Head, number: usize, key: Option<&Variant>) -> Result<Variant, Problem> {
    let object = match (set.class(head.class), key) {
        (Some(Bound::Forgotten), _) => return Ok(Variant::nil()),
        (Some(Bound::Object(of)), _) => {
            let object = objects::called(&of.maker, &NEW).unwrap_or_default();
            is_whole(&object, of).map_err(|got| not_made(tag_of(set, head), number, None, WHOLE, got))?;
            return Ok(object);
        }
        (Some(Bound::Assets(assets)), Some(key)) if assets.is_forgotten(&key.stringify().to_string()) => {
            return Ok(Variant::nil());
        }
        (Some(Bound::Assets(assets)), Some(key)) => {
            assets.load(&key.stringify().to_string()).unwrap_or_default()
        }
        (Some(Bound::Value { from, .. }), Some(key)) => call_with(from, key).unwrap_or_default(),
        _ => Variant::nil(),
    };
    match object.try_to::<Gd<Object>>().is_ok() {
        true => Ok(object),
        false => {
            let got = "none: its code or its file failed";
            Err(not_made(tag_of(set, head), number, None, "an object", got))
        }
    }
}

/// The demand on objects in a container that is declared for those of a class.
const FITTING: &str = "an object of the class that its container is declared for";

/// The demand on an object that its own code has had its hands on.
const WHOLE: &str = "an object of the class";

/// Whether an object is there still and of its class: its code may have let go of it, or changed its script.
fn is_whole(object: &Variant, of: &Of) -> Result<(), &'static str> {
    let id = objects::id_of(object);
    if !objects::is_alive(id) {
        return Err("none: its code failed, or let go of it");
    }
    match objects::script_of(id) == of.script.instance_id().to_i64() {
        true => Ok(()),
        false => Err("one whose code has changed its script"),
    }
}

/// Calls the loaded method of an object, which stands with all others.
fn tell(set: &ClassSet, head: &Head, of: &Of, number: usize, object: &Variant) -> Result<(), Problem> {
    is_whole(object, of).map_err(|got| not_made(tag_of(set, head), number, None, WHOLE, got))?;
    if objects::call(object, &set.loaded_method) {
        return Ok(());
    }
    let (name, got) = (Some(&set.loaded_method), "none that can be called");
    Err(not_made(tag_of(set, head), number, name, "the loaded method", got))
}

struct FillWith<'f> {
    set: &'f ClassSet,
    head: &'f Head,
    of: &'f Of,
    made: &'f MadeObjects,
    columns: &'f [Option<usize>],
}

impl FillWith<'_> {
    /// Sets the properties of one object: by column, or by name where steps have made the row.
    fn fill(&self, number: usize, object: &Variant, row: &Variant) -> Result<(), Problem> {
        let FillWith { set, head, of, made, columns } = *self;
        let named: Option<VarDictionary> = if head.migrates { row.try_to().ok() } else { None };
        let cells: VarArray = row.try_to().unwrap_or_default();
        let failed = |name: Option<&StringName>, expected: &str, got: &str| {
            not_made(tag_of(set, head), number, name, expected, got)
        };
        is_whole(object, of).map_err(|got| failed(None, WHOLE, got))?;
        for (slot, column) in of.slots.iter().zip(columns) {
            let value = match &named {
                Some(named) => named.get(&slot.name),
                None => column.and_then(|column| cells.get(column)),
            };
            let Some(value) = value else { continue };
            let value = slot.taking(value, made, head);
            let value = value.map_err(|(expected, got)| failed(Some(&slot.name), expected, got))?;
            if !objects::set_property(object, &slot.name, &value) {
                let got = is_whole(object, of).err().unwrap_or("one that has none of this name");
                return Err(failed(Some(&slot.name), "an object that takes the property", got));
            }
        }
        Ok(())
    }
}

/// By slot, the column that it is in.
fn columns(head: &Head, of: &Of) -> Vec<Option<usize>> {
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
        made: &MadeObjects,
        head: &Head,
    ) -> Result<Variant, (&'static str, &'static str)> {
        if let Some(number) = self.names.as_ref().and_then(|names| names.number_of(&value)) {
            return Ok(number);
        }
        let value = if self.holds { made.linked(&value).unwrap_or(value) } else { value };
        if value.is_nil() {
            return Ok(value);
        }
        if self.is_weak {
            return Ok(weakref(&value));
        }
        if let Some(fits) = &self.fits
            && !fits.takes_all(&value)
        {
            return Err(("an object of the class that the variable is declared with", "another one"));
        }
        match &self.template {
            Some(template) if self.is_of_objects || head.migrates => {
                let typed = template.call(&*DUPLICATE, &[]);
                typed.call(&*ASSIGN, &[value]);
                Ok(typed)
            }
            _ => Ok(value),
        }
    }
}

fn tag_of<'s>(set: &'s ClassSet, head: &Head) -> &'s str {
    set.table.class(head.class).map_or("", |class| class.tag.as_str())
}

#[cold]
fn not_made(tag: &str, row: usize, property: Option<&StringName>, expected: &str, got: &str) -> Problem {
    let mut path = vec![Step::Key(tag.to_owned()), Step::Index(u64::try_from(row).unwrap_or(u64::MAX))];
    path.extend(property.map(|name| Step::Key(name.to_string())));
    refusal(ErrorKind::NotConstructed, path, expected, got.to_owned())
}
