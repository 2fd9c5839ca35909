//! Defines the sink: the receiver of a walk. The walker calls it, owns its frames, and keeps all nesting to
//! itself.

use crate::fault::ErrorKind;
use crate::token::{Container, Leaf, Text};
use crate::wire::{Cost, TypeSet};

/// The reason for which a sink refuses. The walker adds the byte and the path.
pub type Refusal = ErrorKind;

/// Receives a walk and makes its product. A sink keeps no stack: an unfinished container is a `Frame`, which
/// the walker holds.
///
/// Leaves are lent for the call only, so no sink can keep a borrow of the input; that lets the same sinks be
/// fed in pieces.
pub trait Sink {
    /// The type of a finished value.
    type Output;
    /// The type of an unfinished container.
    type Frame;

    /// Takes a value without children, whose header stands at byte `at`.
    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<Self::Output, Refusal>;

    /// Opens a container. `reserve` is how many children it may be trusted to have: never more than the bytes
    /// at hand could hold, whatever it declares.
    fn open(&mut self, at: u64, container: Container<'_>, reserve: usize) -> Result<Self::Frame, Refusal>;

    /// Takes a bare text: a NodePath's name, a PackedStringArray's entry, the name of an Object's next
    /// property. A sink that keeps none need not say so.
    #[inline]
    fn text(&mut self, _frame: &mut Self::Frame, _text: Text<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    /// Takes a Dictionary's key; its value is the next item. Nothing happens to it by default: a sink that judges has seen it.
    #[inline]
    fn key(&mut self, _frame: &mut Self::Frame, _key: Self::Output) -> Result<(), Refusal> {
        Ok(())
    }

    /// Takes an Array's element, a Dictionary's or an Object property's value. By default it is dropped, as a key is.
    #[inline]
    fn item(&mut self, _frame: &mut Self::Frame, _item: Self::Output) -> Result<(), Refusal> {
        Ok(())
    }

    /// Completes the container.
    fn close(&mut self, frame: Self::Frame) -> Result<Self::Output, Refusal>;

    /// Returns the cost of what [`Sink::close`] adds to the innermost container beyond what the bytes hold, and the
    /// byte at which that container's header stands. It is charged before.
    #[inline(always)]
    fn adds(&mut self) -> (u64, Cost) {
        (0, Cost::default())
    }

    /// Returns the engine's own hash of a finished key, from a sink that can ask the engine. `None` means
    /// that the core's is right, as it is for 4.6.3. It is needed for `max_key_probes`.
    #[inline]
    fn key_hash(&self, _key: &Self::Output) -> Option<u32> {
        None
    }

    /// Tells whether the sink fills hash tables of the engine. It then notices two equal keys of a Dictionary by
    /// itself, at its `close` at the latest, and the walker does not search for them; only another walk,
    /// without such a sink, can say where they stand. It may also reserve such a table beforehand, in which
    /// keys can all want one slot that are harmless to a table that grows: the walker holds an upper bound of
    /// the steps in tables of any size to `max_key_probes`. A walk that this bound refuses may still be
    /// accepted by one with another sink.
    #[inline(always)]
    fn fills_tables(&self) -> bool {
        false
    }

    /// Tells whether the sink need not see values of these types, so that the walk may judge some of them by itself.
    #[inline(always)]
    fn passes_over(&self, _: TypeSet) -> bool {
        false
    }
}

/// Finds the end and builds nothing: validation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Skip;

/// Builds nothing, for a builder that comes after the walk and fills tables: it leaves equal keys to that.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuildCheck;

macro_rules! build_nothing {
    ($($sink:ident $fills_tables:literal)*) => {
        $(impl Sink for $sink {
            type Output = ();
            type Frame = ();

            #[inline(always)]
            fn leaf(&mut self, _: u64, _: Leaf<'_>) -> Result<(), Refusal> {
                Ok(())
            }

            #[inline(always)]
            fn open(&mut self, _: u64, _: Container<'_>, _: usize) -> Result<(), Refusal> {
                Ok(())
            }

            #[inline(always)]
            fn close(&mut self, (): ()) -> Result<(), Refusal> {
                Ok(())
            }

            #[inline(always)]
            fn fills_tables(&self) -> bool {
                $fills_tables
            }

            #[inline(always)]
            fn passes_over(&self, _: TypeSet) -> bool {
                $fills_tables
            }
        })*
    };
}

build_nothing! { Skip false BuildCheck true }
