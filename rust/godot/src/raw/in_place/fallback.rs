//! Makes the parts of a value that have no fast path, by the sink `build::ToVariant`, through official calls:
//! references into the running game, empty containers of classes and scripts. The rest of the value stays on the fast path.

use godot::builtin::Variant;
use variant_core::Sink;
use variant_core::token::Token;

use crate::engine::build::{References, ToVariant};

/// Makes a leaf that has no fast path, or an empty container that declares what only `build::ToVariant` makes, in the slot.
///
/// # Safety
/// A Variant that owns nothing lies at `slot`.
#[cold]
pub(super) unsafe fn alone(token: Token<'_>, slot: *mut u8, references: References) -> Option<()> {
    let mut sink = ToVariant::new(references);
    let value = match token {
        Token::Leaf(leaf) => sink.leaf(0, leaf),
        Token::Open(container) => sink.open(0, container, 0).and_then(|frame| sink.close(frame)),
    };
    // SAFETY: the caller's promise: a Variant may be moved into the slot.
    unsafe { slot.cast::<Variant>().write(value.ok()?) };
    Some(())
}
