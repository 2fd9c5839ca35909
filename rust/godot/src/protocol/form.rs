//! Makes the form of a message from its schema as the game gave it.

use std::sync::Arc;

use variant_core::Rules;
use variant_protocol::Form;

use crate::schema::BoundSchema;

/// Makes the form of a message, or a sentence about what contradicts itself or cannot be packed.
pub(super) fn of(held: Option<&Arc<BoundSchema>>, rules: &Rules) -> Result<Arc<Form>, String> {
    let held = held.ok_or_else(|| "it has no schema".to_owned())?;
    // Nothing is logged here: the protocol is locked, and a game's own Logger may ask it.
    let program = held.quiet_program().map_err(|error| format!("the schema contradicts itself: {error}"))?;
    Ok(Arc::new(Form::new(Arc::clone(program), *rules)?))
}
