//! Checks of the game's own: Callables that schemas keep, and the walk that brings each its values. They run last, on a
//! value that passed everything else, and never while a lock of ours is held.

use std::sync::{Mutex, PoisonError};

use godot::builtin::{AnyArray, AnyDictionary, Callable, Variant, VariantType};
use variant_core::{ErrorKind, Path, Step};
use variant_schema::{Check, Checker, Schema, Shape, Violation};

use crate::codec::Problem;
use crate::raw::any_thread::AnyThread;
use crate::schema::tree;

/// A Callable as schemas keep it. It ends with the last schema that has it, which is before the scripting
/// languages end; a table of our own would outlive them.
type Kept = Mutex<AnyThread<Callable>>;

/// What a schema keeps of a Callable.
pub(crate) fn kept(callable: Callable) -> Check {
    Check::new(Mutex::new(AnyThread(callable)) as Kept)
}

/// Runs every check on the values of its part of the schema.
pub(crate) fn run(schema: &Schema, value: &Variant) -> Result<(), Problem> {
    let mut walk = Walk { path: Vec::new() };
    walk.value(schema, &Scope { around: None, of: schema }, value).map_err(|()| {
        Problem::of_live_violation(&Violation {
            kind: ErrorKind::CheckFailed,
            path: Path(walk.path),
            offset: 0,
            expected: "a value that check_with() accepts".to_owned(),
            got: "another one".to_owned(),
        })
    })
}

/// The definitions that a reference may name.
#[derive(Clone, Copy)]
struct Scope<'s> {
    around: Option<&'s Scope<'s>>,
    of: &'s Schema,
}

impl<'s> Scope<'s> {
    fn find(&'s self, name: &str) -> Option<(&'s Schema, &'s Scope<'s>)> {
        match self.of.definitions().iter().find(|(known, _)| known == name) {
            Some((_, schema)) => Some((schema, self)),
            None => self.around?.find(name),
        }
    }

    /// The schema by itself, with all that it may refer to.
    fn whole(&self, schema: &Schema) -> Schema {
        let mut whole = schema.clone();
        let mut scope = Some(self);
        while let Some(at) = scope {
            for (name, definition) in at.of.definitions() {
                if !whole.definitions().iter().any(|(known, _)| known == name) {
                    whole = whole.define(name, definition.clone());
                }
            }
            scope = at.around;
        }
        whole
    }
}

struct Walk {
    path: Vec<Step>,
}

/// `Err` leaves the path where the check failed.
type Verdict = Result<(), ()>;

impl Walk {
    fn value(&mut self, schema: &Schema, around: &Scope<'_>, value: &Variant) -> Verdict {
        if schema.is_nullable() && value.is_nil() {
            return Ok(());
        }
        let scope = Scope { around: Some(around), of: schema };
        match schema.shape() {
            Shape::Ref(name) => {
                if let Some((target, scope)) = scope.find(name) {
                    self.value(target, scope, value)?;
                }
            }
            Shape::Union(alternatives) => {
                if let Some(chosen) = alternatives.iter().find(|it| accepts(&scope.whole(it), value)) {
                    self.value(chosen, &scope, value)?;
                }
            }
            Shape::Array(item) => self.items(value, &scope, |_| Some(item))?,
            Shape::Tuple(items) => self.items(value, &scope, |at| items.get(at))?,
            Shape::Dict { keys, .. } => self.keys(keys, &scope, value)?,
            Shape::Map(_, item) => self.entries(item, &scope, value)?,
            Shape::Discriminated { cases, .. } => {
                if let Some((_, case)) =
                    cases.iter().find(|(told, it)| is_case(told, value, schema, it, &scope))
                {
                    self.value(case, &scope, value)?;
                }
            }
            _ => {}
        }
        schema.check().map_or(Ok(()), |check| ask(check, value))
    }

    fn items<'s>(
        &mut self,
        value: &Variant,
        scope: &Scope<'_>,
        item: impl Fn(usize) -> Option<&'s Schema>,
    ) -> Verdict {
        let Ok(array) = value.try_to::<AnyArray>() else { return Ok(()) };
        for (at, value) in array.iter_shared().enumerate() {
            if let Some(schema) = item(at) {
                self.within(Step::Index(at as u64), schema, scope, &value)?;
            }
        }
        Ok(())
    }

    fn keys(&mut self, keys: &[(String, Schema)], scope: &Scope<'_>, value: &Variant) -> Verdict {
        let Ok(dictionary) = value.try_to::<AnyDictionary>() else { return Ok(()) };
        for (name, schema) in keys {
            if let Some(value) = dictionary.get(name.as_str()) {
                self.within(Step::Key(name.clone()), schema, scope, &value)?;
            }
        }
        Ok(())
    }

    fn entries(&mut self, item: &Schema, scope: &Scope<'_>, value: &Variant) -> Verdict {
        let Ok(dictionary) = value.try_to::<AnyDictionary>() else { return Ok(()) };
        for (at, key) in dictionary.keys_array().iter_shared().enumerate() {
            let step = match key.get_type() {
                VariantType::STRING | VariantType::STRING_NAME => Step::Key(key.stringify().to_string()),
                VariantType::INT => Step::IntKey(key.to()),
                _ => Step::Entry(at as u64),
            };
            if let Some(value) = dictionary.get(&key) {
                self.within(step, item, scope, &value)?;
            }
        }
        Ok(())
    }

    fn within(&mut self, step: Step, schema: &Schema, scope: &Scope<'_>, value: &Variant) -> Verdict {
        self.path.push(step);
        self.value(schema, scope, value)?;
        self.path.pop();
        Ok(())
    }
}

fn is_case(
    told: &variant_core::Value,
    value: &Variant,
    of: &Schema,
    case: &Schema,
    scope: &Scope<'_>,
) -> bool {
    let Shape::Discriminated { key, .. } = of.shape() else { return false };
    accepts(&scope.whole(&Schema::discriminated(key, [(told.clone(), case.clone())])), value)
}

fn accepts(schema: &Schema, value: &Variant) -> bool {
    match (schema.compile(), tree(value)) {
        (Ok(program), Ok(tree)) => Checker::new().check(&program, &tree).is_ok(),
        _ => false,
    }
}

/// Anything but `true` is a no, an error inside of the check too.
fn ask(check: &Check, value: &Variant) -> Verdict {
    // Cloned, so that the lock is not held while the script runs.
    let lock = |kept: &Kept| kept.lock().unwrap_or_else(PoisonError::into_inner).0.clone();
    let callable = check.get::<Kept>().map(lock).filter(Callable::is_valid);
    let answer = callable.map(|callable| callable.call(std::slice::from_ref(value)));
    let is_yes = answer.is_some_and(|answer| matches!(answer.try_to::<bool>(), Ok(true)));
    if is_yes { Ok(()) } else { Err(()) }
}
