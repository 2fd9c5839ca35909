//! The bytes that a schema has refused, kept by a codec until somebody asks for every reason.

use std::sync::Arc;

use godot::builtin::PackedByteArray;

use crate::call::checked::explained;
use crate::call::packed::{self, KeptPacking};
use crate::call::problem::Problem;
use crate::call::schema::{self, BoundSchema};
use crate::call::settings::Settings;
use crate::call::sniff::Beginning;

/// Refused bytes and what they were refused by. The bytes are shared with the script until it changes them.
pub(super) struct RefusedBytes {
    pub(super) bytes: PackedByteArray,
    pub(super) settings: Settings,
    pub(super) held: Arc<BoundSchema>,
    pub(super) packing: Option<KeptPacking>,
}

impl RefusedBytes {
    pub(super) fn shared(&self) -> RefusedBytes {
        let (held, packing) = (Arc::clone(&self.held), self.packing.clone());
        RefusedBytes { bytes: self.bytes.clone(), settings: self.settings, held, packing }
    }

    /// A brief problem in full.
    pub(super) fn explained(&self, problem: Problem) -> Problem {
        let (s, held, bytes) = (&self.settings, &self.held, self.bytes.as_slice());
        match &self.packing {
            Some(packing) => packed::explained(s, packing.lent(held), bytes, problem),
            None => explained(s, held, bytes, problem),
        }
    }

    /// All that is wrong with them, up to `most`.
    pub(super) fn all(&self, most: usize) -> Option<Vec<Problem>> {
        let (s, bytes) = (&self.settings, self.bytes.as_slice());
        if let Some(packing) = &self.packing {
            return packed::all(s, packing.lent(&self.held), bytes, most).ok();
        }
        let found = schema::violations(&self.held, bytes, s.rules(), most).ok()?;
        let mut problems: Vec<Problem> = found.iter().map(Problem::of_rejection).collect();
        if let Some(first) = problems.first_mut() {
            first.begins(Beginning::of(bytes, s.rules().dialect));
        }
        Some(problems)
    }
}
