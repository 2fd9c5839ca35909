//! Shaping: a value under a schema whose bytes are all there, checked and built a slice at once.

use std::sync::Arc;

use godot::builtin::Variant;
use variant_schema::Sliced;

use crate::call::checks;
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;
use crate::call::settings::Settings;
use crate::engine::build::ToVariant;

/// A value that is being made.
pub(crate) struct Shaping {
    sliced: Sliced<ToVariant>,
    held: Arc<BoundSchema>,
}

impl Shaping {
    pub(crate) fn new(
        held: &Arc<BoundSchema>,
        s: &Settings,
        bytes: Vec<u8>,
    ) -> Result<Box<Shaping>, Problem> {
        let program = Arc::clone(held.shared_program()?);
        let sliced = Sliced::new(program, bytes, *s.rules(), s.building());
        Ok(Box::new(Shaping { sliced, held: Arc::clone(held) }))
    }

    /// Goes on for so many bytes. The value is in its place, or it is told why not, once that is known. Checks of the game's own
    /// are asked in one go; a value that they refuse is left there.
    pub(super) fn go_on(&mut self, most: usize, place: &mut Variant) -> Option<Result<(), Problem>> {
        Some(match self.sliced.go_on(most)? {
            Ok(value) => {
                *place = value;
                let has_checks = self.held.program().is_ok_and(|program| program.has_checks());
                if has_checks { checks::run(&self.held, place) } else { Ok(()) }
            }
            Err(violation) => Err(Problem::of_rejection(&violation)),
        })
    }
}
