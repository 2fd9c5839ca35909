//! Stated: values that a schema states, such as defaults, which it has to accept itself.

use variant_core::Value;

use crate::checker::Checker;
use crate::compile::{BuildError, error_at};
use crate::defaults;
use crate::program::Program;
use crate::trail::Trail;

/// A value that the schema states, such as a default, and the node that has to accept it.
pub(crate) struct StatedValue {
    pub(crate) at: usize,
    pub(crate) value: Value,
    pub(crate) what: &'static str,
    pub(crate) path: Trail,
}

/// A value that the schema states has to be what it accepts, or decoding would make refused values. Defaults are then what
/// decoding makes of them.
pub(crate) fn complete(program: Program, stated: &[StatedValue]) -> Result<Program, BuildError> {
    let mut checker = Checker::new();
    for StatedValue { at, value, what, path } in stated {
        if let Err(violation) = checker.check_node(&program, *at, value) {
            return Err(error_at(path, &format!("{what} does not fit: {}", violation.reason())));
        }
    }
    defaults::completed(program).map_err(|wrong| {
        let is_it = |it: &&StatedValue| it.at == wrong.of && it.value == wrong.stated;
        let path = stated.iter().find(is_it).map_or_else(Trail::default, |it| it.path.clone());
        error_at(&path, wrong.message)
    })
}
