//! Makes the parts of a value that have no fast path, by the sink `build::ToVariant`, through official calls:
//! references into the running game, empty containers of classes and scripts. It keeps the containers that
//! are keys. The rest of the value stays on the fast path.

use std::cell::UnsafeCell;

use godot::builtin::Variant;
use variant_core::token::Token;
use variant_core::{ErrorKind, Refusal, Sink};

use super::frame::Frame;
use super::to_slots::ToSlots;
use crate::build::ToVariant;

/// Levels of a key that the engine compares. Nested deeper it takes some that differ for equal, and over 100 it prints.
const DEEPEST_KEY: u32 = 50;

/// Containers that are keys of others, the outermost first.
#[derive(Debug, Default)]
pub(super) struct OpenKeys {
    /// INVARIANT: each stays where it is until it is let go.
    #[expect(clippy::vec_box, reason = "a key stays where it is while the list grows")]
    keys: Vec<Box<UnsafeCell<Variant>>>,
    /// Containers that are open, from the outermost key on.
    levels: u32,
}

impl OpenKeys {
    #[inline(always)]
    pub(super) const fn are_some(&self) -> bool {
        !self.keys.is_empty()
    }

    /// Makes a place for a container that is a key. `None`: there are too many, one inside the other.
    #[cold]
    pub(super) fn begin(&mut self) -> Option<*mut u8> {
        self.keys.push(Box::new(UnsafeCell::new(Variant::nil())));
        self.levels = self.levels.max(1);
        self.keys.last().map(|key| key.get().cast())
    }

    /// Counts a container that opens inside a key.
    #[cold]
    pub(super) fn open(&mut self) -> Result<(), Refusal> {
        self.levels += 1;
        if self.levels > DEEPEST_KEY { Err(ErrorKind::Refused) } else { Ok(()) }
    }

    #[cold]
    pub(super) const fn close(&mut self) {
        self.levels = self.levels.saturating_sub(1);
    }
}

impl ToSlots<'_> {
    /// Puts the container that has just been completed into its Dictionary, as a key. A key that is there already is left to
    /// the fallback, whose walk compares such keys as every check does.
    ///
    /// # Safety
    /// It lies in the slot, which is the last of `open_keys`.
    #[cold]
    pub(super) unsafe fn container_key(&mut self, frame: &mut Frame) -> Result<(), Refusal> {
        // SAFETY: the caller's promise; the key lives until it is in.
        let value = unsafe { frame.insert(self.slot.cast()) };
        self.open_keys.keys.pop();
        self.slot = value.ok_or(ErrorKind::Refused)?;
        Ok(())
    }
}

/// Makes a leaf that has no fast path, or an empty container that declares what only `build::ToVariant` makes, in the slot.
///
/// # Safety
/// A Variant that owns nothing lies at `slot`.
#[cold]
pub(super) unsafe fn alone(token: Token<'_>, slot: *mut u8, is_live: bool) -> Option<()> {
    let mut sink = ToVariant::new(false, is_live);
    let value = match token {
        Token::Leaf(leaf) => sink.leaf(0, leaf),
        Token::Open(container) => sink.open(0, container, 0).and_then(|frame| sink.close(frame)),
    };
    // SAFETY: the caller's promise: a Variant may be moved into the slot.
    unsafe { slot.cast::<Variant>().write(value.ok()?) };
    Some(())
}
