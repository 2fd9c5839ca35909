//! The bytes that a schema has refused, kept by a codec until somebody asks for every reason.

use godot::builtin::PackedByteArray;

use crate::call::form::KeptCall;
use crate::call::problem::Problem;

/// Refused bytes and what they were refused by. The bytes are shared with the script until it changes them.
#[derive(Clone)]
pub(super) struct RefusedBytes {
    pub(super) bytes: PackedByteArray,
    pub(super) call: KeptCall,
}

impl RefusedBytes {
    /// A brief problem in full.
    pub(super) fn explained(&self, problem: Problem) -> Problem {
        match self.call.lent() {
            Ok(call) => call.explained(self.bytes.as_slice(), problem),
            Err(_) => problem,
        }
    }

    /// All that is wrong with them, up to `most`.
    pub(super) fn all(&self, most: usize) -> Option<Vec<Problem>> {
        self.call.lent().and_then(|call| call.all(self.bytes.as_slice(), most)).ok()
    }
}
