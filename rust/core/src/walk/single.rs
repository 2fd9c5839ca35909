//! Single: reads a plain value that is all the bytes there are, without a ledger, as most values that are sent
//! alone. It refuses nothing: a value that is not plain, or near a limit, is left to the walk.

use crate::cursor::{Cursor, length};
use crate::token::{self, Container, Leaf};
use crate::tricks::Trick;
use crate::wire::{Rules, VariantType, heap};

/// A value that is all the bytes there are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Single<'a> {
    /// A scalar, a String, a matrix or packed numbers.
    Leaf(Leaf<'a>),
    /// An Array or a Dictionary without entries and types.
    Empty(VariantType),
}

/// Returns the value that the bytes are, if it is plain and within every limit: the leaf that a walk would
/// give to its sink. `None` says nothing about the bytes.
#[inline]
#[must_use]
pub fn single<'a>(bytes: &'a [u8], rules: &Rules) -> Option<Single<'a>> {
    if !may_be_single(bytes, rules) {
        return None;
    }
    let mut cursor = Cursor::new(bytes);
    let (single, price) = match token::read_scalar(&mut cursor, None) {
        Some(leaf) => (Single::Leaf(leaf), 0),
        None => costly(&mut cursor, rules)?,
    };
    // What the walk charges, doubled for all builds: near the limit it decides itself.
    let is_paid = price == 0 || price.saturating_mul(2) <= rules.limits.max_heap_bytes;
    (is_paid && cursor.rest().is_empty()).then_some(single)
}

/// Tells whether no rule speaks against a plain value that costs nothing and is all that the bytes are.
#[inline]
#[must_use]
pub fn may_be_single(bytes: &[u8], rules: &Rules) -> bool {
    let limits = &rules.limits;
    let is_within = length(bytes) <= limits.max_bytes && limits.max_depth > 0 && limits.max_values > 0;
    is_within && token::are_plain(rules) && !Trick::Lone.is_off()
}

/// Reads a value that is charged for: the value and its price.
#[inline]
fn costly<'a>(cursor: &mut Cursor<'a>, rules: &Rules) -> Option<(Single<'a>, u64)> {
    if let Some(container) = token::read_plain_opening(cursor, rules) {
        // As `charge::container` has it.
        let price = match container {
            Container::Array { count: 0, .. } => heap::array(0),
            Container::Dictionary { count: 0, .. } => heap::dictionary(0, 0),
            _ => return None,
        };
        return Some((Single::Empty(container.ty()), price));
    }
    let leaf = match token::read_plain_text(cursor, None, rules) {
        Some((ty, text, _)) => Leaf::Text(ty, text),
        None => token::read_plain_numbers(cursor, None, rules)?,
    };
    Some((Single::Leaf(leaf), heap::leaf(leaf.ty(), cursor.at())))
}
