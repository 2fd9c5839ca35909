//! Checks of the game's own: Callables that schemas keep, and the walk that brings each its values. They run last, on a
//! value that passed everything else. No schema is locked then; a codec that decodes is in use, and answers `ERR_BUSY` when
//! a check asks it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use godot::builtin::{AnyArray, AnyDictionary, Callable, Variant};
use variant_core::{ErrorKind, Path, Place, Rejection, Step, Value};
use variant_schema::{Check, Checker, Program, Schema, Scope, Shape};

use crate::call::check_levels::Levels;
use crate::call::live;
use crate::call::problem::Problem;
use crate::call::schema::{BoundSchema, COPY, MOST, copied, variant};
use crate::engine::read::{key_step, may_have_text_keys};
use crate::raw::any_thread::AnyThread;
use crate::raw::variant::{NotCalled, call_with, type_of};
use crate::stream::job::is_given_up;

/// Callables as schemas keep them, in the order in which they are asked. They end with the last schema that has them,
/// which is before the scripting languages end; a table of our own would outlive them.
type KeptCallables = Mutex<AnyThread<Vec<Callable>>>;

/// Adds a Callable to the checks that a schema keeps.
pub(crate) fn kept(before: Option<&Check>, callable: Callable) -> Check {
    let mut callables = before.map(callables).unwrap_or_default();
    callables.push(callable);
    Check::new(Mutex::new(AnyThread(callables)) as KeptCallables)
}

/// Cloned, so that the lock is not held while a script runs.
fn callables(check: &Check) -> Vec<Callable> {
    let lock = |kept: &KeptCallables| kept.lock().unwrap_or_else(PoisonError::into_inner).0.clone();
    check.get::<KeptCallables>().map(lock).unwrap_or_default()
}

/// Runs the checks on a live value. Where the schema accepts it and makes another value of it, with typed
/// containers and its defaults, that one is checked, so that a live value gets the verdict of its bytes. A
/// value that no copy can stand for, such as an object, is checked as it is.
pub(crate) fn run_live(held: &BoundSchema, program: &Program, value: &Variant) -> Result<(), Problem> {
    // The value may be lent by a script, and a check can let go of it: it stays until the last one was asked.
    run(held, &shaped(program, value).unwrap_or_else(|| value.clone()))
}

fn shaped(program: &Program, value: &Variant) -> Option<Variant> {
    if !program.shapes() {
        return None;
    }
    let tree = copied(value).ok()?;
    let shaped = Checker::new().coerce_as(program, &tree, &COPY, 1).ok()?;
    if shaped == tree { None } else { variant(&shaped).ok() }
}

/// Alternatives of one schema, compiled by themselves when a check first asks which of them a value is. They are told
/// apart by where they and what is around them lie, which stays the same as long as the schema lives.
#[derive(Debug, Default)]
pub(crate) struct Alternatives(Mutex<HashMap<Vec<usize>, Option<Arc<Program>>>>);

impl Alternatives {
    fn program(
        &self,
        schema: &Schema,
        scope: &Scope<'_>,
        whole: impl FnOnce() -> Schema,
    ) -> Option<Arc<Program>> {
        let place = std::iter::once(schema).chain(scope.schemas()).map(Schema::address).collect();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(place).or_insert_with(|| scope.whole(&whole()).compile().ok().map(Arc::new)).clone()
    }
}

/// Runs every check on the values of its part of the schema. A value is asked about only where all in it passed.
pub(crate) fn run(held: &BoundSchema, value: &Variant) -> Result<(), Problem> {
    let schema = &held.schema;
    let (alternatives, levels) = (&held.alternatives, Levels::of_thread());
    let mut walk = Walk { path: Vec::new(), alternatives, levels, asked: 0, found: Vec::new() };
    // Whether it ended early, what was found tells.
    drop(walk.value(schema, &Scope::root(schema), value));
    let mut found = walk.found.into_iter();
    found.next().map_or(Ok(()), |first| Err(first.with_others(found.collect())))
}

/// Why a check does not let a value pass: it said no, or something else than yes or no, or changed what it was asked about.
/// The latter two are mistakes in code.
enum CheckFault {
    Refused,
    NoAnswer(String),
    Changes,
}

struct Walk<'h> {
    path: Vec<Step>,
    alternatives: &'h Alternatives,
    levels: Levels,
    /// Values that were looked at.
    asked: u64,
    found: Vec<Problem>,
}

/// Whether every check passed.
type Verdict = Result<bool, StopWalk>;

/// Nothing more is to be asked: as many were found as one call keeps, a check is a mistake itself, or the job was cancelled.
struct StopWalk;

impl Walk<'_> {
    /// References are followed one after the other, so that only levels of the value cost stack. Checks of their own come
    /// after what they lead to.
    fn value<'s>(&mut self, schema: &'s Schema, around: &'s Scope<'s>, value: &Variant) -> Verdict {
        let (mut schema, mut around, mut checks) = (schema, around, Vec::new());
        while let Shape::Ref(name) = schema.shape()
            && schema.definitions().is_empty()
            && !(schema.is_nullable() && value.is_nil())
            && let Some(target) = around.find(name)
        {
            checks.extend(schema.check());
            (schema, around) = target;
        }
        let mut is_good = self.content(schema, around, value)?;
        for check in checks.into_iter().rev() {
            is_good = is_good && self.ask(check, value)?;
        }
        Ok(is_good)
    }

    fn content(&mut self, schema: &Schema, around: &Scope<'_>, value: &Variant) -> Verdict {
        if schema.is_nullable() && value.is_nil() {
            return Ok(true);
        }
        let scope = around.part(schema);
        let is_good = match schema.shape() {
            Shape::Ref(name) => match scope.find(name) {
                Some((target, scope)) => self.value(target, scope, value)?,
                None => true,
            },
            Shape::Union(alternatives) => {
                let is_it = |it: &&Schema| self.accepts(it, &scope, value, || (*it).clone());
                match alternatives.iter().find(is_it) {
                    Some(chosen) => self.value(chosen, &scope, value)?,
                    None => true,
                }
            }
            Shape::Array(item) => self.items(value, &scope, |_| Some(item))?,
            Shape::Tuple(items) => self.items(value, &scope, |at| items.get(at))?,
            Shape::Dict { keys, .. } => self.keys(keys, &scope, value)?,
            Shape::Map(key, item) => self.entries(key, item, &scope, value)?,
            Shape::Discriminated { key, cases } => {
                let alone =
                    |told: &Value, case: &Schema| Schema::discriminated(key, [(told.clone(), case.clone())]);
                let is_it =
                    |(told, it): &&(Value, Schema)| self.accepts(it, &scope, value, || alone(told, it));
                match cases.iter().find(is_it) {
                    Some((_, case)) => self.value(case, &scope, value)?,
                    None => true,
                }
            }
            _ => true,
        };
        match schema.check() {
            Some(check) if is_good => self.ask(check, value),
            _ => Ok(is_good),
        }
    }

    /// Returns a check's verdict on the value at hand.
    fn ask(&mut self, check: &Check, value: &Variant) -> Verdict {
        if is_given_up() {
            return Err(StopWalk);
        }
        if !self.levels.reach(self.path.len()) {
            return Err(self.too_deep());
        }
        match self.levels.call(self.path.len(), || ask(check, value)) {
            Ok(()) => Ok(true),
            Err(fault) => self.note(&fault),
        }
    }

    fn note(&mut self, fault: &CheckFault) -> Verdict {
        let (kind, expected, got) = match fault {
            CheckFault::Refused => {
                (ErrorKind::CheckFailed, "a value that check_with() accepts", "another one")
            }
            CheckFault::NoAnswer(got) => {
                (ErrorKind::IllFormedSchema, "a check_with() that answers true or false", got.as_str())
            }
            CheckFault::Changes => {
                let expected = "a check_with() that leaves containers as they are";
                (ErrorKind::IllFormedSchema, expected, "one that changed what is being checked")
            }
        };
        self.found(kind, expected.to_owned(), got.to_owned());
        let is_enough = !matches!(fault, CheckFault::Refused) || self.found.len() >= MOST;
        if is_enough { Err(StopWalk) } else { Ok(false) }
    }

    /// Notes a problem of the value at hand. Returns the reason to stop, for callers that ask nothing more.
    #[cold]
    fn found(&mut self, kind: ErrorKind, expected: String, got: String) -> StopWalk {
        let (path, place) = (Path(self.path.clone()), Place::None);
        self.found.push(Problem::of_live(&Rejection { kind, path, place, expected, got }));
        StopWalk
    }

    fn too_many(&mut self) -> StopWalk {
        let kind = ErrorKind::TooManyValues { limit: live::MOST_VALUES, declared: 0 };
        self.found(kind, kind.expected(), kind.got())
    }

    /// Checks stand in one another, or in a value that they make deeper, until the stack would end.
    fn too_deep(&mut self) -> StopWalk {
        let expected = "checks that come to an end".to_owned();
        let got = "one that is asked within itself, again and again".to_owned();
        self.found(ErrorKind::TooDeep { limit: 0 }, expected, got)
    }

    /// Whether a value is this alternative; `whole` is the schema that says so.
    fn accepts(
        &self,
        it: &Schema,
        scope: &Scope<'_>,
        value: &Variant,
        whole: impl FnOnce() -> Schema,
    ) -> bool {
        let program = self.alternatives.program(it, scope, whole);
        program.is_some_and(|program| {
            live::violations(&mut Checker::new(), &program, value, 1, u64::MAX).is_empty()
        })
    }

    fn items<'s>(
        &mut self,
        value: &Variant,
        scope: &Scope<'_>,
        item: impl Fn(usize) -> Option<&'s Schema>,
    ) -> Verdict {
        let Ok(array) = value.try_to::<AnyArray>() else { return Ok(true) };
        let (length, mut are_good) = (array.len(), true);
        for (at, value) in array.iter_shared().enumerate() {
            if let Some(schema) = item(at) {
                are_good &= self.within(Step::Index(at as u64), schema, scope, &value)?;
            }
            self.unchanged(array.len(), length)?;
        }
        Ok(are_good)
    }

    fn keys(&mut self, keys: &[(String, Schema)], scope: &Scope<'_>, value: &Variant) -> Verdict {
        let Ok(dictionary) = value.try_to::<AnyDictionary>() else { return Ok(true) };
        if !may_have_text_keys(&dictionary) {
            return Ok(true);
        }
        let (length, mut are_good) = (dictionary.len(), true);
        for (name, schema) in keys {
            if let Some(value) = dictionary.get(name.as_str()) {
                are_good &= self.within(Step::Key(name.clone()), schema, scope, &value)?;
                self.unchanged(dictionary.len(), length)?;
            }
        }
        Ok(are_good)
    }

    fn entries(&mut self, of_keys: &Schema, item: &Schema, scope: &Scope<'_>, value: &Variant) -> Verdict {
        let Ok(dictionary) = value.try_to::<AnyDictionary>() else { return Ok(true) };
        let (length, mut are_good) = (dictionary.len(), true);
        for (at, key) in dictionary.keys_array().iter_shared().enumerate() {
            are_good &= self.within(Step::KeyOf(at as u64), of_keys, scope, &key)?;
            if let Some(value) = dictionary.get(&key) {
                are_good &= self.within(key_step(&key, at), item, scope, &value)?;
            }
            self.unchanged(dictionary.len(), length)?;
        }
        Ok(are_good)
    }

    /// A container of another size than before the last check was asked could go on for ever.
    fn unchanged(&mut self, length: usize, before: usize) -> Result<(), StopWalk> {
        if length == before { Ok(()) } else { self.note(&CheckFault::Changes).map(drop) }
    }

    fn within(&mut self, step: Step, schema: &Schema, scope: &Scope<'_>, value: &Variant) -> Verdict {
        self.path.push(step);
        self.asked += 1;
        // Sizes may stay the same and what is in there grow all the same.
        if !self.levels.reach(self.path.len()) {
            return Err(self.too_deep());
        }
        if self.asked > live::MOST_VALUES {
            return Err(self.too_many());
        }
        let is_good = self.value(schema, scope, value)?;
        self.path.pop();
        Ok(is_good)
    }
}

/// The first that does not say yes.
fn ask(check: &Check, value: &Variant) -> Result<(), CheckFault> {
    callables(check).iter().try_for_each(|callable| ask_one(callable, value))
}

/// Only `true` lets a value pass.
fn ask_one(callable: &Callable, value: &Variant) -> Result<(), CheckFault> {
    if !callable.is_valid() {
        return Err(CheckFault::NoAnswer("one whose object or method is gone".to_owned()));
    }
    let answer = call_with(callable, value).map_err(|why| {
        CheckFault::NoAnswer(match why {
            NotCalled::Takes(count) => format!("one that takes {count} arguments"),
            NotCalled::OfType => format!("one that takes no {}", type_of(value).name()),
            NotCalled::Otherwise => "one that cannot be called".to_owned(),
        })
    })?;
    match answer.try_to::<bool>() {
        Ok(true) => Ok(()),
        Ok(false) => Err(CheckFault::Refused),
        // A function that failed answers null.
        Err(_) if answer.is_nil() => Err(CheckFault::NoAnswer("one that answered null".to_owned())),
        Err(_) => Err(CheckFault::NoAnswer(format!("one that answered {}", type_of(&answer).name()))),
    }
}
