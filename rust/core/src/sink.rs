//! Defines the sink: the receiver of a walk. The walker calls it, owns its frames, and keeps all nesting to
//! itself.

use crate::cursor::Cursor;
use crate::fault::ErrorKind;
use crate::token::{Container, Leaf, Text};
use crate::wire::{Cost, VariantType};

/// The reason for which a sink refuses. The walker adds the byte and the path.
pub type Refusal = ErrorKind;

/// Holds a text that a sink has cached, at the beginning of some input.
#[derive(Clone, Copy, Debug)]
pub struct Cached<O> {
    /// The type: String or StringName.
    pub ty: VariantType,
    /// The bytes of the text, without header, length and padding.
    pub length: u32,
    /// Whether it came in this very walk, as a token.
    pub is_again: bool,
    /// The output that [`Sink::leaf`] would return.
    pub output: O,
}

/// Counts entries of a Dictionary that a sink has taken in one call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Run {
    /// The number of whole entries.
    pub entries: u32,
    /// The bytes of all texts, with header, length and padding.
    pub text_bytes: u64,
    /// The bytes of a key whose value is still to come; 0 when there is none.
    pub open_key: u64,
}

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

    /// Whether the sink notices two equal keys of a Dictionary by itself, at its `close` at the latest. The
    /// walker does not search for them then; only another walk, without such a sink, can say where they
    /// stand.
    const FINDS_DUPLICATES: bool = false;

    /// Whether an upper bound of what `max_key_probes` counts is enough, which is cheaper. A walk that this
    /// bound refuses may still be accepted by one with another sink. Only a sink that sets this may reserve a
    /// table of the engine's beforehand: keys that are harmless to a table that grows can all hash to one
    /// slot of a large one.
    const BOUNDS_PROBES: bool = false;

    /// Whether the sink makes a NodePath from its bytes, so that [`Sink::path`] is called.
    const MAKES_PATHS: bool = false;

    /// Whether the sink makes values that the bytes do not hold, so that [`Sink::adds`] is called.
    const ADDS: bool = false;

    /// Returns the cost of what [`Sink::close`] adds to the innermost container beyond what the bytes hold, and the
    /// byte at which that container's header stands. It is charged before.
    #[inline(always)]
    fn adds(&mut self) -> (u64, Cost) {
        (0, Cost::default())
    }

    /// Takes a value without children, whose header stands at byte `at`.
    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<Self::Output, Refusal>;

    /// Opens a container. `reserve` is how many children it may be trusted to have: never more than the bytes
    /// at hand could hold, whatever it declares.
    fn open(&mut self, at: u64, container: Container<'_>, reserve: usize) -> Result<Self::Frame, Refusal>;

    /// Takes a bare text: a NodePath's name, a PackedStringArray's entry, the name of an Object's next
    /// property.
    fn text(&mut self, frame: &mut Self::Frame, text: Text<'_>) -> Result<(), Refusal>;

    /// Takes the scalars that come next on a fast path, moves the cursor behind them, and returns how many it
    /// took: at most `most` nulls, bools, numbers and short vectors in exactly the forms that `leaf` and
    /// `item` would be called with, all of the declared type. It is called only where the walker has no other
    /// check to make of them.
    #[inline(always)]
    fn scalars(
        &mut self,
        _frame: &mut Self::Frame,
        _cursor: &mut Cursor<'_>,
        _declared: Option<VariantType>,
        _most: u32,
    ) -> u32 {
        0
    }

    /// Returns the text of at most 64 bytes that the input begins with, if it is in the sink's cache as the
    /// very same field, valid under SAFE and padded with zeros. Otherwise `leaf` gets it.
    #[doc(hidden)]
    #[inline(always)]
    fn known(&mut self, _is_key: bool, _input: &[u8]) -> Option<Cached<Self::Output>> {
        None
    }

    /// Returns the NodePath that is written in exactly these bytes, if this very walk has given the sink
    /// these bytes before: header, counts and names, padded with zeros. Otherwise `open` and `text` get it.
    #[inline(always)]
    fn known_path(&mut self, _record: &[u8]) -> Option<Self::Output> {
        None
    }

    /// Returns the NodePath that is written in exactly these bytes, whose header stands at byte `at`: they
    /// are valid, and within all limits. A path that it does not take goes to `open` and `text`.
    #[inline(always)]
    fn path(&mut self, _at: u64, _record: &[u8]) -> Option<Self::Output> {
        None
    }

    /// Takes the entries that come next on a fast path: those that begin with a String in the sink's cache
    /// and hold a scalar or a text that [`short_string`](crate::token::short_string) takes, at most `most`,
    /// with `bytes` bytes of texts. It moves the cursor behind them, and behind a key whose value is
    /// something else. It is called only for a Dictionary that declares no types, and only where the walker
    /// has no other check to make.
    #[doc(hidden)]
    #[inline(always)]
    fn entries(
        &mut self,
        _frame: &mut Self::Frame,
        _cursor: &mut Cursor<'_>,
        _most: u32,
        _bytes: u64,
    ) -> Run {
        Run::default()
    }

    /// Returns the engine's own hash of a finished key, from a sink that can ask the engine. `None` means
    /// that the core's is right, as it is for 4.6.3. It is needed for `max_key_probes`.
    #[inline]
    fn key_hash(&self, _key: &Self::Output) -> Option<u32> {
        None
    }

    /// Announces the hash of a key, as 4.6.3 computes it, that probably comes soon in this Dictionary, which
    /// has many: a sink that puts it into a table may prefetch its memory. It is called only for sinks that
    /// bound probes.
    #[inline(always)]
    fn foresee_key(&mut self, _frame: &mut Self::Frame, _hash: u32) {}

    /// Takes a Dictionary's key; its value is the next item.
    fn key(&mut self, frame: &mut Self::Frame, key: Self::Output) -> Result<(), Refusal>;

    /// Takes an Array's element, a Dictionary's or an Object property's value.
    fn item(&mut self, frame: &mut Self::Frame, item: Self::Output) -> Result<(), Refusal>;

    /// Completes the container.
    fn close(&mut self, frame: Self::Frame) -> Result<Self::Output, Refusal>;
}

/// Finds the end and builds nothing: validation.
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

/// Feeds two sinks in one walk; the first may refuse before the second builds.
impl<A: Sink, B: Sink> Sink for (A, B) {
    type Output = (A::Output, B::Output);
    type Frame = (A::Frame, B::Frame);

    const ADDS: bool = A::ADDS || B::ADDS;

    fn adds(&mut self) -> (u64, Cost) {
        let ((at, first), (other, second)) = (self.0.adds(), self.1.adds());
        (at.max(other), first.and(second))
    }

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

#[cfg(test)]
mod tests {
    use crate::{Rules, ToValue, Walker};

    /// Tests `{"a": ["b", 2]}` and the packed texts `["c"]`.
    #[test]
    fn both_of_a_pair_build() {
        let dictionary: &[u32] = &[27, 1, 4, 1, 0x61, 28, 2, 4, 1, 0x62, 2, 2];
        for words in [dictionary, &[34, 1, 2, 0x63]] {
            let bytes: Vec<u8> = words.iter().copied().flat_map(u32::to_le_bytes).collect();
            let alone = crate::decode(&bytes, &Rules::default()).expect("it is valid");
            let pair = Walker::new().decode(&bytes, &Rules::default(), &mut (ToValue, ToValue));
            let ((first, second), _) = pair.expect("it is valid");
            assert_eq!((&first, &second), (&alone, &alone));
        }
    }
}
