//! Keeps the codes of packed parts of states, so that a base of many differences is read once.

use std::sync::Arc;

use variant_core::Rules;
use variant_pack::{Codes, Layout, Packer};

use crate::form::Answer;

/// A part of a state, packed.
pub(crate) type Piece = Arc<[u8]>;

/// The most parts whose codes are kept: codes take several times the bytes of what is packed.
const MOST: usize = 512;

#[derive(Debug, Default)]
pub(crate) struct ReadPieces(Vec<(Piece, Arc<Codes>)>);

impl ReadPieces {
    pub(crate) fn codes(
        &mut self,
        packer: &mut Packer,
        layout: &Layout,
        piece: &Piece,
        rules: &Rules,
    ) -> Answer<Arc<Codes>> {
        if let Some((_, codes)) = self.0.iter().rev().find(|(other, _)| Arc::ptr_eq(other, piece)) {
            return Ok(Arc::clone(codes));
        }
        let codes = packer.codes(layout, piece, rules)?;
        Ok(self.keep(Arc::clone(piece), codes).1)
    }

    pub(crate) fn keep(&mut self, piece: Piece, codes: Codes) -> (Piece, Arc<Codes>) {
        if self.0.len() >= MOST {
            self.0.clear();
        }
        let read = (piece, Arc::new(codes));
        self.0.push(read.clone());
        read
    }

    /// Forgets the parts that no ring keeps any more.
    pub(crate) fn forget_unused(&mut self) {
        self.0.retain(|(piece, _)| Arc::strong_count(piece) > 1);
    }
}
