//! Sink: what a walk is for. The walker calls it, owns its frames, and keeps all nesting to itself.

use crate::fault::ErrorKind;
use crate::token::{Container, Leaf, Text};

/// Why a sink says no. The walker adds the byte and the path.
pub type Refusal = ErrorKind;

/// What a walk produces. A sink keeps no stack: an unfinished container is a `Frame`, which the walker holds.
///
/// Leaves are lent for the call only, so no sink can keep a borrow of the input; that is what lets the same
/// sinks be fed in pieces.
pub trait Sink {
    /// A finished value.
    type Output;
    /// An unfinished container.
    type Frame;

    /// A value without children, whose header stands at byte `at`.
    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<Self::Output, Refusal>;

    /// A container opens. `reserve` is how many children it may be trusted to have: never more than the
    /// bytes at hand could hold, whatever it declares.
    fn open(&mut self, at: u64, container: Container<'_>, reserve: usize) -> Result<Self::Frame, Refusal>;

    /// A bare text: a NodePath's name, a PackedStringArray's entry, the name of an Object's next property.
    fn text(&mut self, frame: &mut Self::Frame, text: Text<'_>) -> Result<(), Refusal>;

    /// The engine's own hash of a key that is finished, from a sink that can ask it. None: the core's is right, as
    /// it is for 4.6.3. What it is for, `max_key_probes` tells.
    #[inline]
    fn key_hash(&self, _key: &Self::Output) -> Option<u32> {
        None
    }

    /// A Dictionary's key; its value is the next item.
    fn key(&mut self, frame: &mut Self::Frame, key: Self::Output) -> Result<(), Refusal>;

    /// An Array's element, a Dictionary's or an Object property's value.
    fn item(&mut self, frame: &mut Self::Frame, item: Self::Output) -> Result<(), Refusal>;

    /// The container is complete.
    fn close(&mut self, frame: Self::Frame) -> Result<Self::Output, Refusal>;
}

/// Finds the end and nothing else: validation without building.
#[derive(Clone, Copy, Debug, Default)]
pub struct Skip;

impl Sink for Skip {
    type Output = ();
    type Frame = ();

    fn leaf(&mut self, _: u64, _: Leaf<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    fn open(&mut self, _: u64, _: Container<'_>, _: usize) -> Result<(), Refusal> {
        Ok(())
    }

    fn text(&mut self, (): &mut (), _: Text<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    fn key(&mut self, (): &mut (), (): ()) -> Result<(), Refusal> {
        Ok(())
    }

    fn item(&mut self, (): &mut (), (): ()) -> Result<(), Refusal> {
        Ok(())
    }

    fn close(&mut self, (): ()) -> Result<(), Refusal> {
        Ok(())
    }
}

/// Two sinks in one walk; the first may refuse before the second builds.
impl<A: Sink, B: Sink> Sink for (A, B) {
    type Output = (A::Output, B::Output);
    type Frame = (A::Frame, B::Frame);

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<Self::Output, Refusal> {
        Ok((self.0.leaf(at, leaf)?, self.1.leaf(at, leaf)?))
    }

    fn open(&mut self, at: u64, container: Container<'_>, reserve: usize) -> Result<Self::Frame, Refusal> {
        Ok((self.0.open(at, container, reserve)?, self.1.open(at, container, reserve)?))
    }

    fn text(&mut self, frame: &mut Self::Frame, text: Text<'_>) -> Result<(), Refusal> {
        self.0.text(&mut frame.0, text)?;
        self.1.text(&mut frame.1, text)
    }

    fn key_hash(&self, key: &Self::Output) -> Option<u32> {
        self.0.key_hash(&key.0).or_else(|| self.1.key_hash(&key.1))
    }

    fn key(&mut self, frame: &mut Self::Frame, key: Self::Output) -> Result<(), Refusal> {
        self.0.key(&mut frame.0, key.0)?;
        self.1.key(&mut frame.1, key.1)
    }

    fn item(&mut self, frame: &mut Self::Frame, item: Self::Output) -> Result<(), Refusal> {
        self.0.item(&mut frame.0, item.0)?;
        self.1.item(&mut frame.1, item.1)
    }

    fn close(&mut self, frame: Self::Frame) -> Result<Self::Output, Refusal> {
        Ok((self.0.close(frame.0)?, self.1.close(frame.1)?))
    }
}
