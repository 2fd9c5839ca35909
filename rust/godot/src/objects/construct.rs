//! Makes the objects of a checked document: steps of older versions first, on plain values; then every object; then their
//! properties; then the loaded methods. A failure lets go of all of them.

use godot::builtin::{StringName, VarArray, VarDictionary, Variant};
use godot::classes::Object;
use godot::global::weakref;
use godot::meta::ToGodot;
use godot::obj::Gd;
use variant_core::{ErrorKind, Rules, Step, VariantType};
use variant_objects::{Checked, Head, Scratch};

use super::link::Made;
use super::set::{Bound, ClassSet, Of, Slot};
use super::steps::Steps;
use super::{copy, refusal};
use crate::checks;
use crate::codec::Problem;
use crate::names::{ASSIGN, DUPLICATE, NEW};
use crate::raw::variant::{call_with, type_of};
use crate::schema::Held;

/// A document that was built: the rows of its classes, and its value.
pub(super) struct Parts {
    rows: Vec<VarArray>,
    value: Variant,
}

/// The properties that a row sets, in the order of the class.
enum Row {
    Cells(VarArray),
    Named(VarDictionary),
}

impl Parts {
    /// Takes a document apart that was checked.
    pub(super) fn of(document: &Variant) -> Option<Parts> {
        let document = document.try_to::<VarArray>().ok()?;
        let classes = document.get(1)?.try_to::<VarArray>().ok()?;
        let rows = classes.iter_shared().map(|class| class.try_to::<VarArray>().ok()?.get(3)?.try_to().ok());
        Some(Parts { rows: rows.collect::<Option<_>>()?, value: document.get(2)? })
    }

    pub(super) fn constructed(
        self,
        set: &ClassSet,
        checked: &Checked,
        (scratch, rules): (&mut Scratch, &Rules),
        held: &Held,
    ) -> Result<Variant, Problem> {
        let rows = self.rows(set, checked, (scratch, rules))?;
        if checked.has_checks {
            checks::run(held, &self.value)?;
        }
        let mut made = Made::new(set.classes.len(), checked);
        let outcome = make(set, (checked, &rows), &mut made).and_then(|()| {
            let value = made.linked(&self.value).unwrap_or_else(|| self.value.clone());
            fill(set, (checked, &rows), &made)?;
            loaded(set, checked, &made);
            Ok(value)
        });
        if outcome.is_err() {
            let objects = checked.heads.iter().zip(&made.rows).flat_map(|(head, rows)| {
                let of = set.class(head.class);
                rows.iter().map(move |object| (of, object))
            });
            copy::cut(objects);
        }
        outcome
    }

    /// Every row with its properties by today's names; those of older versions have taken their steps.
    fn rows(
        &self,
        set: &ClassSet,
        checked: &Checked,
        (scratch, rules): (&mut Scratch, &Rules),
    ) -> Result<Vec<Vec<Row>>, Problem> {
        let steps = Steps { table: &set.table, checked, rules };
        let mut all = Vec::with_capacity(self.rows.len());
        for (head, rows) in checked.heads.iter().zip(&self.rows) {
            let mut own = Vec::with_capacity(rows.len());
            for (number, row) in rows.iter_shared().enumerate() {
                own.push(match set.class(head.class) {
                    Some(Bound::Object(of)) => {
                        let row: VarArray = row.try_to().unwrap_or_default();
                        match head.migrates {
                            true => Row::Named(steps.taken(scratch, (of, head), &row, number)?),
                            false => Row::Cells(row),
                        }
                    }
                    // A key is the only cell of its row.
                    _ => Row::Cells(std::iter::once(row).collect()),
                });
            }
            all.push(own);
        }
        Ok(all)
    }
}

/// Makes every object, in the order of the document.
fn make(set: &ClassSet, (checked, rows): (&Checked, &[Vec<Row>]), made: &mut Made) -> Result<(), Problem> {
    for ((head, rows), objects) in checked.heads.iter().zip(rows).zip(&mut made.rows) {
        objects.reserve(rows.len());
        for row in rows {
            let object = match (set.class(head.class), row) {
                (Some(Bound::Object(of)), _) => {
                    let script = of.script.to_variant();
                    script.call(&*NEW, &[])
                }
                (Some(Bound::Assets(assets)), Row::Cells(cells)) => {
                    let key = cells.get(0).unwrap_or_default().stringify().to_string();
                    assets.load(&key).unwrap_or_default()
                }
                (Some(Bound::Value { from, .. }), Row::Cells(cells)) => {
                    call_with(from, &cells.get(0).unwrap_or_default()).unwrap_or_default()
                }
                _ => Variant::nil(),
            };
            if object.try_to::<Gd<Object>>().is_err() {
                let row = (set, head, objects.len());
                return Err(not_made(row, None, "an object", "none: its code or its file failed"));
            }
            objects.push(object);
        }
    }
    Ok(())
}

/// Sets every property, objects in the order of the document and properties in that of the class.
fn fill(set: &ClassSet, (checked, rows): (&Checked, &[Vec<Row>]), made: &Made) -> Result<(), Problem> {
    for ((head, rows), objects) in checked.heads.iter().zip(rows).zip(&made.rows) {
        let Some(Bound::Object(of)) = set.class(head.class) else { continue };
        let columns = columns(head, of);
        for (number, (row, object)) in rows.iter().zip(objects).enumerate() {
            let Ok(mut object) = object.try_to::<Gd<Object>>() else { continue };
            for (slot, column) in of.slots.iter().zip(&columns) {
                let value = match row {
                    Row::Cells(cells) => column.and_then(|column| cells.get(column)),
                    Row::Named(named) => named.get(&slot.name),
                };
                let Some(value) = value else { continue };
                match slot.taking(value, made, head.migrates) {
                    Ok(value) => object.set(&slot.name, &value),
                    Err((expected, got)) => {
                        return Err(not_made((set, head, number), Some(&slot.name), expected, got));
                    }
                }
            }
        }
    }
    Ok(())
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
fn loaded(set: &ClassSet, checked: &Checked, made: &Made) {
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
