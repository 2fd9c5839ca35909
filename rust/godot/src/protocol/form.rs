//! Makes the form of a message from its schema as the game gave it.

use std::sync::Arc;

use variant_core::{Mistake, Mistakes, Rules};
use variant_protocol::Form;

use crate::call::schema::BoundSchema;

/// Makes the form of a message, or all that contradicts itself, or the part that cannot be packed.
pub(super) fn of(held: Option<&Arc<BoundSchema>>, rules: &Rules) -> Result<Arc<Form>, Mistakes> {
    let held = held.ok_or_else(|| Mistake::of_whole("it has no schema"))?;
    // Nothing is logged here: the protocol is locked, and a game's own Logger may ask it.
    let program = held.quiet_program().map_err(Mistakes::clone)?;
    Ok(Arc::new(Form::new(Arc::clone(program), *rules)?))
}
