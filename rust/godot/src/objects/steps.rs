//! Brings rows of an older version of a class to today's, by the game's own steps. They see plain values alone, in which
//! references are RIDs that may be moved, and their results are checked again.

use godot::builtin::{VarArray, VarDictionary, VariantType};
use godot::meta::ToGodot;
use variant_core::{ErrorKind, Limits, Rejection, Rules, Step};
use variant_objects::{CheckedDocument, Head, Scratch, Table};

use super::set::Of;
use crate::call::problem::Problem;
use crate::raw::variant::call_with;

pub(super) struct Steps<'s> {
    pub(super) table: &'s Table,
    pub(super) checked: &'s CheckedDocument,
    pub(super) rules: &'s Rules,
    /// The class whose rows take them, and what the document says of it.
    pub(super) of: &'s Of,
    pub(super) head: &'s Head,
}

impl Steps<'_> {
    /// The properties of a row after all steps, by name.
    pub(super) fn taken(
        &self,
        scratch: &mut Scratch,
        row: &VarArray,
        number: usize,
    ) -> Result<VarDictionary, Problem> {
        let Steps { of, head, .. } = *self;
        let mut object = VarDictionary::new();
        for (at, column) in head.columns.iter().enumerate() {
            object.set(column.name.as_str(), &row.get(at).unwrap_or_default());
        }
        let tag = self.table.class(head.class).map_or("", |class| class.tag.as_str());
        for (from, step) in of.steps.range(head.version..) {
            let failed = |why: &str| failed(tag, number, *from, why);
            let made = match call_with(step, &object.to_variant()) {
                Ok(made) => made,
                Err(_) => return Err(failed("it cannot be called with one argument")),
            };
            if made.get_type() != VariantType::DICTIONARY {
                return Err(failed("it returned no Dictionary, or ended in a script error"));
            }
            // A function with a declared type returns the empty value of that type when it ends in a script error.
            if !object.is_empty() && !made.booleanize() && !of.allow_empty.contains(from) {
                return Err(failed(MADE_NOTHING));
            }
            object = made.try_to().map_err(|_| failed("it returned a typed Dictionary"))?;
        }
        for column in head.columns.iter().filter(|column| column.property.is_none()) {
            object.remove(column.name.as_str());
        }
        self.check(scratch, &object, tag, number)?;
        Ok(object)
    }

    fn check(
        &self,
        scratch: &mut Scratch,
        object: &VarDictionary,
        tag: &str,
        number: usize,
    ) -> Result<(), Problem> {
        let bytes = crate::call::schema::encoded_within(&object.to_variant(), self.rules.limits.max_values)
            .map_err(|error| at_row(&Rejection::from(&error), tag, number))?;
        // Limits on sizes that the bytes kept are those of what is made of them.
        let rules = Rules { strictness: variant_core::Strictness::Safe, ..*self.rules };
        let rules = Rules { limits: Limits { max_bytes: u64::MAX, ..rules.limits }, ..rules };
        let judged = self.table.check_object(scratch, self.checked, self.head.class, &bytes, &rules);
        judged.map_err(|refusal| at_row(&refusal, tag, number))
    }
}

/// The words for a step that returned the empty value of its declared type.
pub(crate) const MADE_NOTHING: &str = "it made nothing of something, as a function with a declared type does that ends in a \
    script error; {\"allow_empty\": true} as the last argument of migrate() allows it";

fn at_row(refusal: &Rejection, tag: &str, number: usize) -> Problem {
    let mut refusal = refusal.clone();
    let row = u64::try_from(number).unwrap_or(u64::MAX);
    refusal.path.0.splice(0..0, [Step::Key(tag.to_owned()), Step::Index(row)]);
    Problem::of_live(&refusal)
}

fn failed(tag: &str, number: usize, from: u32, why: &str) -> Problem {
    let path = format!("{tag}[{number}]");
    let message = format!("{path}: the step from version {from} of the class failed: {why}");
    Problem::told(ErrorKind::MigrationFailed, path, message)
}
