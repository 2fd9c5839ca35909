//! Makes the form of a message from its schema as the game gave it.

use std::sync::Arc;

use variant_core::Rules;
use variant_protocol::{Form, Packed};

use crate::schema::Held;

/// Makes the form of a message.
///
/// # Errors
/// A sentence about what contradicts itself, or cannot be packed.
pub(super) fn of(held: Option<&Arc<Held>>, rules: &Rules) -> Result<Arc<dyn Form>, String> {
    let held = held.ok_or_else(|| "it has no schema".to_owned())?;
    let program = held.shared_program().map_err(|problem| problem.message().into_owned())?;
    Ok(Arc::new(Packed::new(Arc::clone(program), *rules)?))
}
