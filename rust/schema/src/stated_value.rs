//! Stated: values that a schema states, such as defaults, which it has to accept itself.

use variant_core::{Mistakes, Value};

use crate::checker::Checker;
use crate::compile::mistake_at;
use crate::defaults;
use crate::program::Program;
use crate::trail::SchemaPath;

/// A value that the schema states, such as a default, and the node that has to accept it.
pub(crate) struct StatedValue {
    pub(crate) at: usize,
    pub(crate) value: Value,
    pub(crate) what: &'static str,
    pub(crate) path: SchemaPath,
}

/// A value that the schema states has to be what it accepts, or decoding would make refused values. Defaults are then what
/// decoding makes of them.
pub(crate) fn complete(program: Program, stated: &[StatedValue]) -> Result<Program, Mistakes> {
    let mut checker = Checker::new();
    let mut mistakes = None;
    for StatedValue { at, value, what, path } in stated {
        if let Err(violation) = checker.check_node(&program, *at, value) {
            let message = format!("{what} does not fit: {}", violation.reason());
            Mistakes::add(&mut mistakes, mistake_at(path, &message));
        }
    }
    Mistakes::unless(mistakes, Ok(()))?;
    defaults::completed(program).map_err(|wrong| {
        let is_it = |it: &&StatedValue| it.at == wrong.of && it.value == wrong.stated;
        let path = stated.iter().find(is_it).map_or_else(SchemaPath::default, |it| it.path.clone());
        mistake_at(&path, wrong.message).into()
    })
}
