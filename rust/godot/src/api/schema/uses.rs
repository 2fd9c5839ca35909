//! Uses of a schema: checking live values, and telling each thread what was wrong with its last one.

use std::cell::RefCell;

use godot::builtin::{Array, VarDictionary, Variant};
use godot::global::Error;
use godot::register::godot_api;
use variant_schema::{Checker, Program};

use super::{SchemaState, VariantSchema, packs};
use crate::api::codec::{FEW_ERRORS, most_errors};
use crate::api::method_rows::methods;
use crate::call::checks;
use crate::call::live;
use crate::call::problem::Problem;
use crate::call::schema::{BoundSchema, COPY, MOST, copied, variant};
use crate::raw::method::{HandRegistered, Method, Receiver};
use crate::raw::optional::Optional;

/// Memory for checks, and what the last one found.
#[derive(Default)]
struct CheckMemory {
    hint: live::FastCheck,
    checker: Checker,
    problems: Vec<Problem>,
}

thread_local! {
    static DESK: RefCell<CheckMemory> = RefCell::default();
}

impl HandRegistered for VariantSchema {
    type State = SchemaState;
    const RECEIVER: Receiver<Self, SchemaState> = Receiver::Object(|schema| &schema.state);
    const METHODS: &'static [Method<SchemaState>] = &[];
    const QUESTIONS: &'static [Method<SchemaState>] = methods! {
        pack("value") Bytes |schema, given| packs::packed(&schema.held(), given[0]);
        unpack("bytes: PackedByteArray"; "fallback") Value
            |schema, given| packs::unpacked(&schema.held(), given[0]).unwrap_or_else(|| given[1].clone());
        check("value") Code |schema, given| check(&schema.held(), given[0]);
        is_valid("value") Truth |schema, given| check(&schema.held(), given[0]) == Error::OK;
        get_error() Details |_, _| first(Problem::to_dictionary).unwrap_or_default();
        get_error_message() Text |_, _| first(Problem::to_text).unwrap_or_default();
    };
}

/// All that one problem tells of.
pub(super) fn all(problem: Problem) -> Vec<Problem> {
    problem.all().cloned().collect()
}

/// Makes this the outcome of this thread's last check; its error is that of the first problem.
pub(super) fn noted<T>(outcome: Result<T, Vec<Problem>>) -> Result<T, Error> {
    DESK.with_borrow_mut(|desk| {
        desk.problems.clear();
        outcome.map_err(|problems| {
            desk.problems = problems;
            desk.problems.first().map_or(Error::FAILED, |first| first.error)
        })
    })
}

/// Something of the first problem of this thread's last check, if there was one.
fn first<T>(read: impl FnOnce(&Problem) -> T) -> Option<T> {
    DESK.with_borrow(|desk| desk.problems.first().map(read))
}

#[godot_api(secondary)]
impl VariantSchema {
    #[func]
    fn coerce(&self, value: Variant, #[opt(default = Optional::null())] fallback: Optional) -> Variant {
        coerced(&self.held(), &value).unwrap_or(fallback.0)
    }

    #[func]
    fn get_errors(&self, #[opt(default = FEW_ERRORS)] max: i64) -> Array<VarDictionary> {
        let most = most_errors(max);
        DESK.with_borrow(|desk| desk.problems.iter().take(most).map(Problem::to_dictionary).collect())
    }
}

/// No script runs while the value is looked at: objects are their ids. The game's own checks come last, and may check something
/// themselves: the desk is free again.
fn check(held: &BoundSchema, value: &Variant) -> Error {
    let judged = held.program().map_err(all).and_then(|program| {
        check_content(program, value)?;
        if program.has_checks() { checks::run_live(held, program, value).map_err(all) } else { Ok(()) }
    });
    noted(judged).err().unwrap_or(Error::OK)
}

fn check_content(program: &Program, value: &Variant) -> Result<(), Vec<Problem>> {
    DESK.with_borrow_mut(|desk| {
        if desk.hint.is_right(program, value) {
            return Ok(());
        }
        let found = live::violations(&mut desk.checker, program, value, MOST, live::MOST_VALUES);
        if found.is_empty() { Ok(()) } else { Err(found.iter().map(Problem::of_live).collect()) }
    })
}

/// The value as the schema declares it; `None` when that is not to be had, and the desk then says why.
fn coerced(held: &BoundSchema, value: &Variant) -> Option<Variant> {
    let tree = copied(value);
    let coerced = held.program().map_err(all).and_then(|program| {
        let tree = tree.map_err(|violation| vec![Problem::of_live(&violation)])?;
        let coerced = DESK.with_borrow_mut(|desk| desk.checker.coerce_as(program, &tree, &COPY, MOST));
        let tree = coerced.map_err(|found| found.iter().map(Problem::of_live).collect::<Vec<_>>())?;
        let value = variant(&tree).map_err(|error| vec![Problem::of_live(&(&error).into())])?;
        if program.has_checks() {
            checks::run(held, &value).map_err(all)?;
        }
        Ok(value)
    });
    noted(coerced).ok()
}
