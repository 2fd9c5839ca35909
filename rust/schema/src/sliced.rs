//! Sliced: bytes that are all there, checked and then decoded a part at a time, for who must not be held up.
//!
//! Two passes, since nothing is to be built of a value that is refused. Both are the walks of [`Validator`] and
//! [`DefaultingSink`], pushed: what they know between two parts lies in [`Scratch`] and in the walker.

use std::fmt::{self, Debug};
use std::sync::Arc;

use variant_core::token::{Container, Leaf, Text};
use variant_core::{Cost, Error, Progress, PushDecoder, Refusal, Rejection, Rules, Sink};

use crate::defaulting_sink::DefaultingSink;
use crate::program::Program;
use crate::validator::{Scratch, Validator};

/// Decodes one value under a program, so many bytes a call. The outcome is that of one call for all bytes.
///
/// ```
/// use std::sync::Arc;
/// use variant_core::{Array, Rules, ToValue, Value};
/// use variant_schema::{Schema, Sliced};
///
/// let program = Arc::new(Schema::array(Schema::int().min(0)).compile()?);
/// let bytes = Value::from((0..1000_i64).collect::<Array>()).encode()?;
/// let mut sliced = Sliced::new(program, bytes, Rules::default(), ToValue);
/// let (mut calls, mut outcome) = (1, sliced.go_on(4096));
/// while outcome.is_none() {
///     (calls, outcome) = (calls + 1, sliced.go_on(4096));
/// }
/// assert!(calls > 3 && outcome.is_some_and(|outcome| outcome.is_ok()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sliced<B: Sink> {
    bytes: Arc<Vec<u8>>,
    rules: Rules,
    /// Bytes given to the walk of this pass.
    at: usize,
    /// Bytes that it wants at least.
    wanted: usize,
    /// None once it is over.
    pass: Option<Pass<B>>,
}

/// The pass over the bytes that is under way.
enum Pass<B: Sink> {
    /// And later it will be built by this sink.
    Check(PushDecoder<CheckState>, B),
    Build(PushDecoder<Building<B>>),
}

impl<B: Sink> Sliced<B> {
    /// Nothing is done yet. All of `bytes` is one value.
    #[must_use]
    pub fn new(program: Arc<Program>, bytes: Vec<u8>, rules: Rules, build: B) -> Sliced<B> {
        let bytes = Arc::new(bytes);
        let mut scratch = Scratch::default();
        // The walk's beginning.
        let _ = Validator::new(&program, &mut scratch, &bytes, &rules);
        let checking = CheckState { program, scratch, bytes: Arc::clone(&bytes), rules };
        let pass = Some(Pass::Check(PushDecoder::new(checking, rules), build));
        Sliced { bytes, rules, at: 0, wanted: 0, pass }
    }

    /// Goes on for so many bytes, or for the token that is there if that is larger. The value or what is wrong with it,
    /// once; `None` before that and afterwards.
    ///
    /// # Errors
    /// In the outcome: the first violation, of the schema or of the format.
    pub fn go_on(&mut self, most: usize) -> Option<Result<B::Output, Box<Rejection>>> {
        let start = self.at;
        self.at = start.saturating_add(most.max(self.wanted).max(1)).min(self.bytes.len());
        let is_last = self.at == self.bytes.len();
        let bytes = Arc::clone(&self.bytes);
        let piece = (bytes.get(start..self.at).unwrap_or_default(), is_last);
        match self.pass.take()? {
            Pass::Check(mut decoder, build) => match pushed(&mut decoder, piece) {
                Push::Short(wanted) => {
                    self.wanted = wanted;
                    self.pass = Some(Pass::Check(decoder, build));
                    None
                }
                Push::Done(()) => {
                    self.build(decoder, build);
                    None
                }
                Push::Refused(error) => {
                    let found = decoder.sink_mut().scratch.found.pop();
                    Some(Err(Box::new(found.unwrap_or_else(|| Rejection::from(&error)))))
                }
            },
            Pass::Build(mut decoder) => match pushed(&mut decoder, piece) {
                Push::Short(wanted) => {
                    self.wanted = wanted;
                    self.pass = Some(Pass::Build(decoder));
                    None
                }
                Push::Done(output) => Some(Ok(output)),
                Push::Refused(error) => Some(Err(Box::new(Rejection::from(&error)))),
            },
        }
    }

    /// All of it is good: the second pass begins.
    fn build(&mut self, mut decoder: PushDecoder<CheckState>, build: B) {
        let checked = decoder.sink_mut();
        let program = Arc::clone(&checked.program);
        let mut scratch = std::mem::take(&mut checked.scratch);
        let _ = Validator::new(&program, &mut scratch, &self.bytes, &self.rules);
        let checking = CheckState { program, scratch, bytes: Arc::clone(&self.bytes), rules: self.rules };
        let building = Building { checking, build };
        (self.at, self.wanted) = (0, 0);
        self.pass = Some(Pass::Build(PushDecoder::new(building, self.rules)));
    }
}

impl<B: Sink> Debug for Sliced<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sliced").field("at", &self.at).field("of", &self.bytes.len()).finish_non_exhaustive()
    }
}

/// The outcome of a piece.
enum Push<T> {
    Done(T),
    /// It wants so many bytes more, at least.
    Short(usize),
    Refused(Error),
}

fn pushed<S: Sink>(decoder: &mut PushDecoder<S>, (piece, is_last): (&[u8], bool)) -> Push<S::Output> {
    match decoder.feed(piece) {
        Ok(Progress::Done { output, .. }) => Push::Done(output),
        Ok(Progress::NeedMore { .. }) if is_last => match decoder.finish() {
            Ok(output) => Push::Done(output),
            Err(error) => Push::Refused(error),
        },
        Ok(Progress::NeedMore { at_least }) => Push::Short(usize::try_from(at_least).unwrap_or(usize::MAX)),
        Err(error) => Push::Refused(error),
    }
}

/// A validator with all that it borrows.
struct CheckState {
    program: Arc<Program>,
    scratch: Scratch,
    bytes: Arc<Vec<u8>>,
    rules: Rules,
}

impl CheckState {
    /// As it was left.
    fn validator(&mut self) -> Validator<'_> {
        Validator::resumed(&self.program, &mut self.scratch, &self.bytes, &self.rules)
    }

    /// Returns a validator that notes the first violation, which ends the walk.
    fn noting(&mut self) -> Validator<'_> {
        self.validator().collecting(1)
    }
}

impl Sink for CheckState {
    type Output = ();
    type Frame = ();

    fn adds(&mut self) -> (u64, Cost) {
        self.validator().adds()
    }

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<(), Refusal> {
        self.noting().leaf(at, leaf)
    }

    fn open(&mut self, at: u64, container: Container<'_>, reserve: usize) -> Result<(), Refusal> {
        self.noting().open(at, container, reserve)
    }

    fn text(&mut self, frame: &mut (), text: Text<'_>) -> Result<(), Refusal> {
        self.noting().text(frame, text)
    }

    fn key(&mut self, frame: &mut (), (): ()) -> Result<(), Refusal> {
        self.noting().key(frame, ())
    }

    fn item(&mut self, frame: &mut (), (): ()) -> Result<(), Refusal> {
        self.noting().item(frame, ())
    }

    fn close(&mut self, (): ()) -> Result<(), Refusal> {
        self.noting().close(())
    }
}

/// A [`DefaultingSink`] with all that it borrows.
struct Building<B> {
    checking: CheckState,
    build: B,
}

impl<B: Sink> Building<B> {
    fn shaped(&mut self) -> DefaultingSink<'_, BorrowedSink<'_, B>> {
        DefaultingSink::new(self.checking.validator(), BorrowedSink(&mut self.build))
    }
}

impl<B: Sink> Sink for Building<B> {
    type Output = B::Output;
    type Frame = B::Frame;

    fn adds(&mut self) -> (u64, Cost) {
        self.checking.adds()
    }

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<B::Output, Refusal> {
        self.shaped().leaf(at, leaf)
    }

    fn open(&mut self, at: u64, container: Container<'_>, reserve: usize) -> Result<B::Frame, Refusal> {
        self.shaped().open(at, container, reserve)
    }

    fn text(&mut self, frame: &mut B::Frame, text: Text<'_>) -> Result<(), Refusal> {
        self.shaped().text(frame, text)
    }

    fn key_hash(&self, key: &B::Output) -> Option<u32> {
        self.build.key_hash(key)
    }

    fn key(&mut self, frame: &mut B::Frame, key: B::Output) -> Result<(), Refusal> {
        self.shaped().key(frame, key)
    }

    fn item(&mut self, frame: &mut B::Frame, item: B::Output) -> Result<(), Refusal> {
        self.shaped().item(frame, item)
    }

    fn close(&mut self, frame: B::Frame) -> Result<B::Output, Refusal> {
        self.shaped().close(frame)
    }
}

/// A sink for the time of one call.
struct BorrowedSink<'b, B>(&'b mut B);

impl<B: Sink> Sink for BorrowedSink<'_, B> {
    type Output = B::Output;
    type Frame = B::Frame;

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<B::Output, Refusal> {
        self.0.leaf(at, leaf)
    }

    fn open(&mut self, at: u64, container: Container<'_>, reserve: usize) -> Result<B::Frame, Refusal> {
        self.0.open(at, container, reserve)
    }

    fn text(&mut self, frame: &mut B::Frame, text: Text<'_>) -> Result<(), Refusal> {
        self.0.text(frame, text)
    }

    fn key_hash(&self, key: &B::Output) -> Option<u32> {
        self.0.key_hash(key)
    }

    fn key(&mut self, frame: &mut B::Frame, key: B::Output) -> Result<(), Refusal> {
        self.0.key(frame, key)
    }

    fn item(&mut self, frame: &mut B::Frame, item: B::Output) -> Result<(), Refusal> {
        self.0.item(frame, item)
    }

    fn close(&mut self, frame: B::Frame) -> Result<B::Output, Refusal> {
        self.0.close(frame)
    }
}
