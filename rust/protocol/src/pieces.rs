//! Keeps the codes of packed parts of states, so that a base of many differences is read once.

use std::sync::Arc;

use variant_core::Rules;
use variant_pack::{Codes, Layout, Packer};

use crate::form::Answer;

/// A part of a state, packed.
pub(crate) type Piece = Arc<[u8]>;

/// The most parts whose codes are kept: codes take several times the bytes of what is packed.
const MOST: usize = 512;

/// Holds parts that were read.
#[derive(Debug, Default)]
pub(crate) struct ReadPieces(Vec<(Piece, Arc<Codes>)>);

impl ReadPieces {
    /// Returns the codes of a part, which is read if it was not.
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
        self.keep(Arc::clone(piece), codes);
        Ok(self.0.last().map(|(_, codes)| Arc::clone(codes)).unwrap_or_default())
    }

    /// Keeps the codes of a part; returns it.
    pub(crate) fn keep(&mut self, piece: Piece, codes: Codes) -> Piece {
        if self.0.len() >= MOST {
            self.0.clear();
        }
        self.0.push((Arc::clone(&piece), Arc::new(codes)));
        piece
    }

    /// Forgets the parts that no ring keeps any more.
    pub(crate) fn forget_unused(&mut self) {
        self.0.retain(|(piece, _)| Arc::strong_count(piece) > 1);
    }
}
