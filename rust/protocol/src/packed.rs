//! Sends values packed by their schema: the form that messages have.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use variant_core::{ErrorKind, Rules};
use variant_pack::{Layout, Packer, Place, Problem};
use variant_schema::{Program, Schema};

use crate::form::{Form, Unfit, Why};

/// Packs values of one schema. Nothing stands in front of the bits: the message's id says which schema it is.
pub struct Packed {
    layout: Layout,
    rules: Rules,
    /// The memory of packing, which is used again.
    packer: Mutex<Packer>,
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packed").field("hash", &self.layout.hash()).finish_non_exhaustive()
    }
}

impl Packed {
    /// Makes the form of a schema's program. Both ways are held to the limits of `rules`.
    ///
    /// # Errors
    /// A sentence about the part that cannot be packed.
    pub fn new(program: Arc<Program>, rules: Rules) -> Result<Packed, String> {
        let layout = Layout::compile(program).map_err(|error| error.to_string())?;
        Ok(Packed { layout, rules, packer: Mutex::new(Packer::new()) })
    }

    /// Makes the form of a schema, for [`Spec::table`](crate::Spec::table).
    ///
    /// # Errors
    /// A sentence about what contradicts itself, or cannot be packed.
    pub fn of(schema: &Schema, rules: &Rules) -> Result<Arc<dyn Form>, String> {
        let program = schema.compile().map_err(|error| error.to_string())?;
        Ok(Arc::new(Packed::new(Arc::new(program), *rules)?))
    }

    fn packer(&self) -> MutexGuard<'_, Packer> {
        // Every call begins anew, so that nothing of a call that panicked is left.
        self.packer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Form for Packed {
    fn hash(&self) -> u64 {
        // States go as differences, which count the keys by which dictionaries have grown.
        self.layout.full_hash()
    }

    fn most_bytes(&self) -> Option<u64> {
        self.layout.size().max_bits.map(|bits| bits.div_ceil(8))
    }

    fn largest_part(&self) -> String {
        self.layout.largest_part().to_owned()
    }

    fn pack(&self, value: &[u8], out: &mut Vec<u8>) -> Result<(), Unfit> {
        append(out, self.packer().pack(&self.layout, value, &self.rules))
    }

    fn unpack(&self, sent: &[u8], out: &mut Vec<u8>) -> Result<(), Unfit> {
        append(out, self.packer().unpack(&self.layout, sent, &self.rules))
    }

    fn transcode(&self, sent: &[u8], out: &mut Vec<u8>) -> Result<(), Unfit> {
        append(out, self.packer().transcode(&self.layout, sent, &self.rules))
    }

    fn delta(&self, base: &[u8], new: &[u8], out: &mut Vec<u8>) -> Result<(), Unfit> {
        append(out, self.packer().delta(&self.layout, base, new, &self.rules))
    }

    fn apply(&self, base: &[u8], delta: &[u8], out: &mut Vec<u8>) -> Result<(), Unfit> {
        append(out, self.packer().apply(&self.layout, base, delta, &self.rules))
    }
}

fn append(out: &mut Vec<u8>, made: Result<&[u8], Box<Problem>>) -> Result<(), Unfit> {
    match made {
        Ok(bytes) => {
            out.extend(bytes);
            Ok(())
        }
        Err(problem) => Err(unfit(*problem)),
    }
}

#[cold]
fn unfit(problem: Problem) -> Unfit {
    let Problem { kind, path, place, expected, got } = problem;
    let bit = match place {
        Place::Byte(_) => None,
        Place::Bit(bit) => Some(bit),
    };
    let path = match path.to_string() {
        root if root == "(root)" => String::new(),
        path => path,
    };
    Unfit { why: why(kind), kind, at: place.byte(), bit, path, expected, got }
}

const fn why(kind: ErrorKind) -> Why {
    match kind {
        ErrorKind::BaselineMismatch => Why::OtherBase,
        kind if kind.is_of_limits() => Why::OverLimit,
        _ => Why::Refused,
    }
}
