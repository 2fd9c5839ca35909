//! Sliced: bytes that are all there, checked and then decoded a part at a time, for callers that must not be held up.
//!
//! Two passes, since nothing is to be built of a value that is refused. Both are the walks of [`Validator`] and
//! [`DefaultingSink`], pushed: what they know between two parts lies in [`Scratch`] and in the walker.

use std::fmt::{self, Debug};
use std::ops::Range;
use std::sync::Arc;

use variant_core::{Error, Progress, PushWalker, Rejection, Rules, Sink};

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
    program: Arc<Program>,
    scratch: Scratch,
    bytes: Vec<u8>,
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
    Check(PushWalker<()>, B),
    Build(PushWalker<B::Frame>, B),
}

impl<B: Sink> Sliced<B> {
    /// Nothing is done yet. All of `bytes` is one value.
    #[must_use]
    pub fn new(program: Arc<Program>, bytes: Vec<u8>, rules: Rules, build: B) -> Sliced<B> {
        let mut scratch = Scratch::default();
        // The walk's beginning.
        let _ = Validator::new(&program, &mut scratch, &bytes, &rules);
        let pass = Some(Pass::Check(PushWalker::new(rules), build));
        Sliced { program, scratch, bytes, rules, at: 0, wanted: 0, pass }
    }

    /// Goes on for so many bytes, or for the token that is there if that is larger. The value or what is wrong with it,
    /// once; `None` before that and afterwards.
    ///
    /// # Errors
    /// In the outcome: the first violation, of the schema or of the format.
    pub fn go_on(&mut self, most: usize) -> Option<Result<B::Output, Box<Rejection>>> {
        let Sliced { program, scratch, bytes, rules, at, wanted, pass } = self;
        let start = *at;
        *at = start.saturating_add(most.max(*wanted).max(1)).min(bytes.len());
        let piece = start..*at;
        // As it was left.
        let validator = Validator::resumed(program, scratch, bytes, rules);
        match pass.take()? {
            Pass::Check(mut walker, build) => {
                match pushed(&mut walker, &mut validator.collecting(1), bytes, piece, wanted) {
                    Ok(None) => *pass = Some(Pass::Check(walker, build)),
                    Ok(Some(())) => {
                        // All of it is good: the second pass begins.
                        let _ = Validator::new(program, scratch, bytes, rules);
                        (*at, *wanted, *pass) = (0, 0, Some(Pass::Build(PushWalker::new(*rules), build)));
                    }
                    Err(error) => {
                        let found = scratch.found.pop();
                        return Some(Err(Box::new(found.unwrap_or_else(|| Rejection::from(&error)))));
                    }
                }
            }
            Pass::Build(mut walker, build) => {
                let mut sink = DefaultingSink::new(validator, build);
                match pushed(&mut walker, &mut sink, bytes, piece, wanted).transpose() {
                    None => *pass = Some(Pass::Build(walker, sink.build)),
                    Some(built) => return Some(built.map_err(|error| Box::new(Rejection::from(&error)))),
                }
            }
        }
        None
    }
}

impl<B: Sink> Debug for Sliced<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sliced").field("at", &self.at).field("of", &self.bytes.len()).finish_non_exhaustive()
    }
}

/// The output, once the walk has ended; until then it wants so many bytes more, at least.
fn pushed<S: Sink>(
    walker: &mut PushWalker<S::Frame>,
    sink: &mut S,
    bytes: &[u8],
    piece: Range<usize>,
    wanted: &mut usize,
) -> Result<Option<S::Output>, Error> {
    let is_last = piece.end == bytes.len();
    match walker.feed(sink, bytes.get(piece).unwrap_or_default())? {
        Progress::Done { output, .. } => Ok(Some(output)),
        Progress::NeedMore { .. } if is_last => walker.finish(sink).map(Some),
        Progress::NeedMore { at_least } => {
            *wanted = usize::try_from(at_least).unwrap_or(usize::MAX);
            Ok(None)
        }
    }
}
