//! Keeps what a row or a value is followed by, where it lies as today's writer lays it.

use variant_schema::{EntryPoint, Program, Schema};

use crate::table::Table;

/// The program of a row or of a value, and its part that is followed.
#[derive(Debug)]
pub(crate) struct RowProgram {
    pub(crate) program: Program,
    pub(crate) entry: EntryPoint,
}

impl RowProgram {
    pub(crate) fn of(table: &Table, schema: &Schema) -> Option<RowProgram> {
        let program = table.defined(schema).compile().ok()?;
        let entry = program.entry_point(&[])?;
        Some(RowProgram { program, entry })
    }
}
