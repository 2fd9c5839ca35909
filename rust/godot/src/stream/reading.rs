//! Reading: the core's frame reader, fed from what was handed over or from a file, a slice of time at once.

use std::time::{Duration, Instant};

use godot::builtin::{PackedByteArray, Variant};
use godot::classes::FileAccess;
use godot::global::Error;
use godot::obj::Gd;
use variant_core::{Error as Refusal, ErrorKind, FrameReader, Framing, Stop};

use super::foreign::{self, ForeignHead};
use super::pieces::Pieces;
use super::shaping::Shaping;
use super::stream_window::{Places, StreamWindow};
use super::{CHUNK, failed, file_closed};
use crate::call::problem::Problem;
use crate::call::problem::ProblemText;
use crate::call::schema::{BoundSchema, violations};
use crate::call::settings::Settings;
use crate::call::sniff::Beginning;
use crate::engine::build::ToVariant;

/// Bytes decoded between two looks at the clock: some hundred small values, far below a millisecond.
const SLICE: usize = 1 << 12;

/// Why there is no value.
#[derive(Debug)]
pub(crate) enum ReadStop {
    /// At least so many bytes are wanted.
    NeedMore(u64),
    /// The time is spent.
    Busy,
    End,
    Misplaced,
    Rejected(Problem),
    Broken(Problem),
}

/// Bytes of a length.
const LENGTH: u64 = 4;

/// Where the bytes of a file come from.
struct Source {
    /// None once it is read, or cannot be: whoever wants to replace or remove it can.
    file: Option<Gd<FileAccess>>,
    /// Where in the file the stream begins.
    start: u64,
    /// The bytes that it should hold in all.
    length: u64,
    taken: u64,
}

/// A stream that is being read.
pub(crate) struct Reading {
    pub(crate) frames: FrameReader<ToVariant>,
    pub(crate) pieces: Pieces,
    pub(crate) framing: Framing,
    source: Option<Source>,
    /// Why the file cannot be read on.
    failed: Option<Problem>,
    /// The beginning of the bytes that were refused last, where they came at once.
    refused: Option<Beginning>,
    /// Nothing will come but what is there.
    pub(crate) ends: bool,
    /// Time spent since the last pause.
    spent: Duration,
    /// Whether the value that comes next was begun by other rules, by which it goes on.
    pub(crate) keeps_rules: bool,
    /// The value that comes next, whose bytes were read. INVARIANT: the frame reader is behind it.
    pub(crate) shaping: Option<Box<Shaping>>,
    /// The bytes of what is read, while a debugger watches.
    shown: Option<Box<StreamWindow>>,
}

impl Reading {
    pub(crate) fn new(framing: Framing, s: &Settings) -> Reading {
        let sink = s.building();
        Reading {
            frames: FrameReader::new(sink, framing, *s.rules()),
            pieces: Pieces::default(),
            framing,
            source: None,
            failed: None,
            refused: None,
            ends: false,
            spent: Duration::ZERO,
            keeps_rules: false,
            shaping: None,
            shown: None,
        }
    }

    /// From a file, from where it stands; it is never read as a whole.
    pub(crate) fn of_file(framing: Framing, s: &Settings, file: Gd<FileAccess>) -> Reading {
        let start = file.get_position();
        let length = file.get_length().saturating_sub(start);
        Reading {
            source: Some(Source { file: Some(file), start, length, taken: 0 }),
            ..Reading::new(framing, s)
        }
    }

    /// Keeps the bytes of what is read from here on, so that [`Reading::refused_bytes`] has them.
    pub(crate) fn watch(&mut self) {
        self.shown = Some(Box::default());
    }

    /// Returns the bytes of the value that was refused last, or the beginning of them, if they are kept.
    pub(crate) fn refused_bytes(&mut self) -> Option<PackedByteArray> {
        let at = self.places();
        self.shown.as_mut().map(|shown| shown.value(at))
    }

    const fn places(&self) -> Places {
        Places { frame_at: self.frames.frame_at(), value_at: self.frames.value_at() }
    }

    /// Sets the rules for the next value.
    pub(crate) fn go_by(&mut self, s: &Settings) {
        self.keeps_rules = !self.frames.is_between();
        self.frames.set_rules(*s.rules());
        *self.frames.sink_mut() = s.building();
    }

    /// Whether nothing of the value that comes next was read.
    pub(crate) const fn is_between(&self) -> bool {
        self.frames.is_between() && self.shaping.is_none()
    }

    /// Goes on making what was read, in the place of a null, until it is there or the time is spent.
    pub(crate) fn made(
        &mut self,
        given: NextValue,
        budget: Option<Duration>,
        place: &mut Variant,
    ) -> Result<Result<(), Problem>, ReadStop> {
        let mut shaping = match given {
            NextValue::Made(told) => return Ok(told),
            NextValue::Begun(shaping) => shaping,
        };
        let mut watch = budget.map(Watch::new);
        loop {
            if watch.as_mut().is_some_and(|watch| watch.is_over(&mut self.spent)) {
                self.spent = Duration::ZERO;
                self.shaping = Some(shaping);
                return Err(ReadStop::Busy);
            }
            if let Some(told) = shaping.go_on(if watch.is_some() { SLICE } else { usize::MAX }, place) {
                match watch {
                    Some(mut watch) if told.is_ok() => drop(watch.is_over(&mut self.spent)),
                    _ => self.spent = Duration::ZERO,
                }
                return Ok(told);
            }
        }
    }

    /// How much of the file is read, 0 to 1. Without a file 0.
    pub(crate) fn progress(&self) -> f64 {
        match &self.source {
            Some(source) if source.length > 0 => {
                let unread = u64::try_from(self.pieces.unread()).unwrap_or(0);
                (source.taken.saturating_sub(unread) as f64 / source.length as f64).min(1.0)
            }
            Some(_) => 1.0,
            None => 0.0,
        }
    }

    /// Asks the frame reader for something, with what has come, until there is an answer or the time is spent.
    pub(crate) fn ask<T>(
        &mut self,
        s: &Settings,
        budget: Option<Duration>,
        mut call: impl FnMut(&mut FrameReader<ToVariant>, &mut &[u8]) -> Result<T, Stop>,
    ) -> Result<T, ReadStop> {
        if let Some(problem) = &self.failed {
            return Err(ReadStop::Broken(problem.clone()));
        }
        let mut watch = budget.map(Watch::new);
        loop {
            if watch.as_mut().is_some_and(|watch| watch.is_over(&mut self.spent)) {
                self.spent = Duration::ZERO;
                return Err(ReadStop::Busy);
            }
            let outcome = self.step(if watch.is_some() { SLICE } else { usize::MAX }, &mut call);
            let halt = match outcome {
                Err(Stop::NeedMore { .. }) if !self.pieces.is_empty() => continue,
                Err(Stop::NeedMore { at_least }) => match self.fill()? {
                    true => continue,
                    false => ReadStop::NeedMore(at_least),
                },
                Ok(value) => {
                    self.keeps_rules = false;
                    if let Some(mut watch) = watch {
                        watch.is_over(&mut self.spent);
                    }
                    return Ok(value);
                }
                Err(Stop::Rejected(error)) => ReadStop::Rejected(self.looked_at(Problem::of_bytes(error, s))),
                Err(Stop::Broken(error)) => ReadStop::Broken(self.broken(error, s)),
                Err(Stop::End) => ReadStop::End,
                Err(_) => ReadStop::Misplaced,
            };
            self.spent = Duration::ZERO;
            return Err(halt);
        }
    }

    /// Puts a schema's refusal before the fault of format or limit that ended a value, if it comes first in
    /// the bytes: a codec that has all of the bytes says that one.
    pub(crate) fn first_fault(
        &mut self,
        s: &Settings,
        held: Option<&BoundSchema>,
        halt: ReadStop,
    ) -> ReadStop {
        let (ReadStop::Rejected(refused) | ReadStop::Broken(refused)) = &halt else { return halt };
        let bytes = self.frames.take_refused();
        let Some(held) = held.filter(|_| refused.error_of_bytes().is_some()) else { return halt };
        let mut problem = match violations(held, &bytes, Settings::new(*self.frames.rules()).rules(), 1) {
            Err(ill_formed) => ill_formed,
            Ok(found) => match found.first().filter(|found| found.kind.is_of_schema()) {
                None => return halt,
                Some(found) => {
                    Problem::of_rejection(found).beginning(Beginning::of(&bytes, s.rules().dialect))
                }
            },
        };
        problem.fatal = refused.fatal;
        if matches!(halt, ReadStop::Rejected(_)) {
            return ReadStop::Rejected(problem);
        }
        self.failed = Some(problem.clone());
        ReadStop::Broken(problem)
    }

    /// Runs a call with the first piece, or with the beginning of it.
    fn step<T>(
        &mut self,
        most: usize,
        call: &mut impl FnMut(&mut FrameReader<ToVariant>, &mut &[u8]) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        if let Some(length) = self.pieces.packet().filter(|_| self.frames.is_between()) {
            self.frames.packet(u64::try_from(length).unwrap_or(u64::MAX))?;
        }
        let is_between = self.frames.is_between();
        let front = self.pieces.front();
        let mut input = front.get(..most.min(front.len())).unwrap_or_default();
        let given = input.len();
        let outcome = call(&mut self.frames, &mut input);
        let used = given - input.len();
        // A stream that is another one altogether is often refused when it ends.
        let may_be_refused = match &outcome {
            Err(Stop::Rejected(_) | Stop::Broken(_)) => true,
            Err(Stop::NeedMore { .. }) => self.frames.value_at() <= LENGTH,
            _ => false,
        };
        if is_between && may_be_refused && !front.is_empty() {
            self.refused = self.beginning(front);
        }
        let at = self.places();
        if let Some(shown) = &mut self.shown {
            let is_refused = matches!(outcome, Err(Stop::Rejected(_) | Stop::Broken(_)));
            let front = self.pieces.front();
            match is_refused {
                true => shown.refuse(front, used, self.framing, at),
                false => shown.pass(front, used, at),
            }
        }
        self.pieces.advance(used);
        outcome
    }

    /// Returns the beginning of a value that begins in this piece. Among values without lengths only the
    /// first has a known place.
    #[cold]
    fn beginning(&self, front: &[u8]) -> Option<Beginning> {
        let dialect = self.frames.rules().dialect;
        let is_first = self.frames.value_at() <= LENGTH;
        if is_first {
            let size = self.source.as_ref().map_or(0, |source| source.length);
            return Some(Beginning::of_part(front, size, dialect).framed(self.framing));
        }
        let is_framed = self.framing != Framing::None;
        is_framed.then(|| Beginning::of_part(front, 0, dialect).framed(self.framing))
    }

    /// Takes the next chunk of the file; false when nothing can come by itself.
    fn fill(&mut self) -> Result<bool, ReadStop> {
        let Some(source) = &mut self.source else {
            // Asked again, the frame reader knows that this is the end.
            if self.ends {
                self.frames.close();
            }
            return Ok(self.ends);
        };
        let Some(file) = &mut source.file else {
            self.frames.close();
            return Ok(true);
        };
        // Asked of a closed file, the engine prints, and hands out bytes that nobody wrote.
        if !file.is_open() {
            return Err(self.fail(file_closed()));
        }
        let chunk = file.get_buffer(i64::try_from(CHUNK).unwrap_or(i64::MAX));
        if chunk.is_empty() {
            let (error, path) = (file.get_error(), file.get_path().to_string());
            source.file = None;
            if error != Error::OK && error != Error::ERR_FILE_EOF {
                let problem = failed(ErrorKind::FileFailed, error, "reading the file");
                return Err(self.fail(problem.in_file(&path)));
            }
            self.frames.close();
            return Ok(true);
        }
        source.taken = source.taken.saturating_add(u64::try_from(chunk.len()).unwrap_or(0));
        self.pieces.push(chunk);
        Ok(true)
    }

    /// The file cannot be read on.
    #[cold]
    fn fail(&mut self, mut problem: Problem) -> ReadStop {
        problem.fatal = true;
        self.let_go();
        self.failed = Some(problem.clone());
        ReadStop::Broken(problem)
    }

    /// Lets go of the file, so that whoever wants to can replace or remove it.
    fn let_go(&mut self) {
        if let Some(source) = &mut self.source {
            source.file = None;
        }
    }

    /// The stream cannot be read on. Where the length of a frame is longer than its file, it is none.
    #[cold]
    fn broken(&mut self, error: Refusal, s: &Settings) -> Problem {
        let is_length =
            self.framing != Framing::None && matches!(error.kind(), ErrorKind::TooManyBytes { .. });
        let at = self.frames.frame_at();
        if is_length
            && let Some(Source { file: Some(file), start, .. }) = &mut self.source
            && file.is_open()
        {
            let head = ForeignHead::of(file, start.saturating_add(at));
            if head.declared(self.framing).is_some_and(|declared| declared > head.left()) {
                let problem = foreign::problem(&head, self.framing, s).in_file(&file.get_path().to_string());
                self.failed = Some(problem.clone());
                self.let_go();
                return problem;
            }
        }
        self.let_go();
        match is_length {
            true => self.frame_too_long(error, s),
            false => self.looked_at(fatal(error, s)),
        }
    }

    /// Adds to a problem what its bytes look like, for whoever asks.
    #[cold]
    fn looked_at(&mut self, problem: Problem) -> Problem {
        match self.refused.take() {
            Some(beginning) => problem.beginning(beginning),
            None => problem,
        }
    }

    /// Nothing of the value is there to point at: the frame is.
    fn frame_too_long(&self, error: Refusal, s: &Settings) -> Problem {
        let kind = error.kind();
        let (expected, got) = (kind.expected(), kind.got());
        let message = format!("frame at byte {} of the stream: {kind}", self.frames.frame_at());
        fatal(error, s).saying(ProblemText { message, expected, got, path: "(root)".into() })
    }
}

/// A value that was read.
pub(crate) enum NextValue {
    /// It was refused, or is in its place, or none was wanted.
    Made(Result<(), Problem>),
    /// Its bytes: it is made under the schema.
    Begun(Box<Shaping>),
}

/// Whether the time is spent.
struct Watch {
    budget: Duration,
    since: Instant,
}

impl Watch {
    fn new(budget: Duration) -> Watch {
        Watch { budget, since: Instant::now() }
    }

    fn is_over(&mut self, spent: &mut Duration) -> bool {
        let now = Instant::now();
        *spent += now.duration_since(self.since);
        self.since = now;
        *spent >= self.budget
    }
}

#[cold]
fn fatal(error: Refusal, s: &Settings) -> Problem {
    let mut problem = Problem::of_bytes(error, s);
    problem.fatal = true;
    problem
}
