//! Compile: a schema into a program, or all that contradicts itself and where in the schema.
//!
//! Every schema becomes a node (`compiler`), then nodes that depend on what others accept (unions, typed containers) are
//! completed, then the values that it states are checked. Each pass goes on behind a mistake, and the next one needs none
//! before. No value but those is looked at.

use variant_core::Mistakes;

use crate::checker::Checker;
use crate::compiler::{Compiler, StatedValue};
use crate::defaults;
use crate::program::Program;
use crate::schema::Schema;
use crate::trail::{SchemaPath, mistake_at};

impl Schema {
    /// The program of this schema.
    ///
    /// # Errors
    /// All contradictions found: bounds in the wrong order, demands that do not apply, unknown references, patterns that
    /// do not compile; where there are none of these, alternatives that nothing tells apart; else defaults that the schema
    /// itself refuses.
    pub fn compile(&self) -> Result<Program, Mistakes> {
        let (program, stated) = Compiler::program(self)?;
        // A value that the schema states has to be what it accepts, or decoding would make refused values.
        let mut checker = Checker::new();
        let mut mistakes = None;
        for StatedValue { at, value, what, path } in &stated {
            if let Err(violation) = checker.check_node(&program, *at, value) {
                let message = format!("{what} does not fit: {}", violation.reason());
                Mistakes::add(&mut mistakes, mistake_at(path, &message));
            }
        }
        Mistakes::unless(mistakes, Ok(()))?;
        // Defaults are then what decoding makes of them.
        defaults::completed(program).map_err(|wrong| {
            let is_it = |it: &&StatedValue| it.at == wrong.of && it.value == wrong.stated;
            let path = stated.iter().find(is_it).map_or_else(SchemaPath::default, |it| it.path.clone());
            mistake_at(&path, wrong.message).into()
        })
    }
}
