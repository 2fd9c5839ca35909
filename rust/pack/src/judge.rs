//! Judge: says of a leaf what its schema asks beyond what its codes say. Which leaf gets which, `proof` decides.

use std::sync::Arc;

use variant_core::token::Leaf;
use variant_core::wire::Lane;
use variant_schema::Program;

#[derive(Clone, Debug, Default)]
pub(crate) enum Judge {
    /// Nothing.
    #[default]
    Codes,
    /// Its numbers are to be finite.
    Finite,
    /// The program of its schema alone has to accept it.
    Program(Arc<Program>),
}

impl Judge {
    pub(crate) const fn is_needed(&self) -> bool {
        !matches!(self, Judge::Codes)
    }

    #[inline]
    pub(crate) fn accepts(&self, leaf: &Leaf<'_>) -> bool {
        match (self, leaf) {
            (Judge::Codes, _) => true,
            (Judge::Finite, Leaf::Float(number)) => number.is_finite(),
            (Judge::Finite, Leaf::Math(_, lanes)) if lanes.lane() == Lane::F32 => {
                lanes.f32s().all(f32::is_finite)
            }
            (Judge::Finite, _) => false,
            (Judge::Program(program), leaf) => program.accepts_leaf(leaf),
        }
    }
}
