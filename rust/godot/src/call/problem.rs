//! Problem: why a call was refused, and where. Its sentences are made when somebody asks for them: whoever is flooded
//! with bad packets does not read them.
//!
//! It says what a refusal means to the engine; `api/error.rs` shows it to GDScript.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

use godot::global::Error;
use variant_core::{Dialect, ErrorKind, ErrorLocation, EscapedText, Fault, Path, Place, Rejection, Step};
use variant_text::sniff::Looks;

use crate::call::settings::Settings;
use crate::call::sniff::Beginning;

/// Says why a call was refused, and where. It is one word, since it is handed up through every call that
/// failed. Engine rooms use it again when it is over, so that whoever is flooded with bad packets asks for no
/// memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem(Box<Facts>);

#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// A `VariantCodec.ErrorKind`.
    pub(crate) kind: i16,
    pub(crate) error: Error,
    /// -1: no bytes were involved.
    pub(crate) byte_offset: i64,
    /// -1: no packed bits were involved.
    pub(crate) bit_offset: i64,
    pub(crate) fatal: bool,
    pub(crate) words: Words,
    /// The facts of a refusal that makes no error of them before somebody asks.
    pub(crate) spot: ErrorLocation,
    /// The beginning of the bytes that were refused, for whoever asks what they may be.
    beginning: Option<Beginning>,
    /// The file that it is about, as who asked for it named it.
    file: Option<Box<str>>,
    /// Other problems that the same call found, where they are not looked for when somebody asks.
    others: Vec<Problem>,
}

impl Default for Facts {
    fn default() -> Facts {
        let (error, words, spot) = (Error::FAILED, Words::Nothing, ErrorLocation::default());
        Facts {
            kind: 0,
            error,
            byte_offset: -1,
            bit_offset: -1,
            fatal: false,
            words,
            spot,
            beginning: None,
            file: None,
            others: Vec::new(),
        }
    }
}

impl Deref for Problem {
    type Target = Facts;

    #[inline]
    fn deref(&self) -> &Facts {
        &self.0
    }
}

impl DerefMut for Problem {
    #[inline]
    fn deref_mut(&mut self) -> &mut Facts {
        &mut self.0
    }
}

/// The texts about a problem, or what they are made of when they are asked for.
#[derive(Clone, Debug)]
pub(crate) enum Words {
    /// There are none.
    Nothing,
    /// A schema refused, and neither texts nor path are made yet: that takes the bytes once more.
    Brief,
    Said(Box<ProblemText>),
    LazyMessage(LazyMessage),
}

/// The texts themselves.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProblemText {
    pub(crate) path: String,
    pub(crate) expected: String,
    pub(crate) got: String,
    pub(crate) message: String,
}

/// A refusal of the core's that nobody has asked about yet.
#[derive(Clone, Debug)]
pub(crate) struct LazyMessage {
    /// The error; none where the problem has it in its spot.
    error: Option<variant_core::Error>,
    /// Whether there are bytes to point at.
    is_of_bytes: bool,
    /// Objects are refused although the codec has `full_objects`.
    wants_objects: bool,
}

impl LazyMessage {
    /// Bytes have an end; a value that seems to have none may hold itself.
    fn got(&self, kind: ErrorKind) -> String {
        match kind {
            ErrorKind::TooDeep { .. } if !self.is_of_bytes => {
                "more, or a container that holds itself".to_owned()
            }
            kind => kind.got(),
        }
    }

    fn message(&self, error: &variant_core::Error) -> String {
        if !self.is_of_bytes {
            let (kind, path) = (error.kind(), error.path());
            return format!("{path}: expected {}, got {}", kind.expected(), self.got(kind));
        }
        let hint = match self.wants_objects {
            true => {
                "; full_objects is for encoding only: objects that can be read again are written under a VariantClassSet"
            }
            false => "",
        };
        format!("{error}{hint}")
    }
}

impl Problem {
    /// Where in the value.
    pub(crate) fn path(&self) -> Cow<'_, str> {
        self.said(|said| &said.path, |_, error| error.path().to_string())
    }

    /// Returns what would have been accepted.
    pub(crate) fn expected(&self) -> Cow<'_, str> {
        self.said(|said| &said.expected, |_, error| error.kind().expected())
    }

    /// Returns what was there instead.
    pub(crate) fn got(&self) -> Cow<'_, str> {
        self.said(|said| &said.got, |unsaid, error| unsaid.got(error.kind()))
    }

    /// All of it as one sentence, with what the bytes look like instead of a value, and which file it is about.
    pub(crate) fn message(&self) -> Cow<'_, str> {
        let message = self.said(|said| &said.message, LazyMessage::message);
        let kind = self.error_of_bytes().map(|error| error.kind());
        let beginning = self.beginning.filter(|_| kind.is_none_or(Looks::may_help));
        let advice = beginning.map(|beginning| beginning.advice()).unwrap_or_default();
        match &self.file {
            Some(file) => Cow::Owned(format!("{message}{advice}; the file is {}", EscapedText(file))),
            None if advice.is_empty() => message,
            None => Cow::Owned(format!("{message}{advice}")),
        }
    }

    /// Names the file that it is about.
    #[cold]
    pub(crate) fn in_file(mut self, file: &str) -> Problem {
        // A cancelled job has nothing to say of the file, whenever it was cancelled.
        if !self.is_any(&[ErrorKind::Cancelled]) {
            self.file = Some(file.into());
        }
        self
    }

    fn said(
        &self,
        ready: impl FnOnce(&ProblemText) -> &str,
        say: impl FnOnce(&LazyMessage, &variant_core::Error) -> String,
    ) -> Cow<'_, str> {
        match (&self.words, self.error_of_bytes()) {
            (Words::Said(said), _) => Cow::Borrowed(ready(said)),
            (Words::LazyMessage(unsaid), Some(error)) => Cow::Owned(say(unsaid, &error)),
            _ => Cow::Borrowed(""),
        }
    }

    /// Whether a schema refused, and nobody has looked for the place yet.
    pub(crate) fn is_brief(&self) -> bool {
        matches!(self.words, Words::Brief)
    }

    /// Returns the error by which the format or a limit refused bytes or a value.
    pub(crate) fn error_of_bytes(&self) -> Option<variant_core::Error> {
        let Words::LazyMessage(unsaid) = &self.words else { return None };
        Some(unsaid.error.clone().unwrap_or_else(|| self.spot.error()))
    }

    /// Returns the problem with these texts.
    #[cold]
    pub(crate) fn saying(self, said: ProblemText) -> Problem {
        self.with_words(Words::Said(Box::new(said)))
    }

    /// Returns the problem with these texts, which have the whole message in them.
    #[cold]
    pub(crate) fn saying_all(mut self, said: ProblemText) -> Problem {
        (self.beginning, self.file) = (None, None);
        self.saying(said)
    }

    fn with_words(mut self, words: Words) -> Problem {
        self.words = words;
        self
    }

    /// Returns the problem for a value that stands at a place in another one.
    #[cold]
    pub(crate) fn at_place(mut self, mut place: Vec<Step>) -> Problem {
        let error = self.error_of_bytes();
        if let (Words::LazyMessage(unsaid), Some(error)) = (&mut self.words, error) {
            place.extend(error.path().0.iter().cloned());
            unsaid.error =
                Some(variant_core::Error::new(Fault::new(error.kind(), error.offset()), Path(place)));
        }
        self
    }

    /// Returns the problem for bytes that begin so.
    #[cold]
    pub(crate) fn beginning(mut self, beginning: Beginning) -> Problem {
        self.begins(beginning);
        self
    }

    /// The refused bytes begin so.
    pub(crate) fn begins(&mut self, beginning: Beginning) {
        self.beginning = Some(beginning);
    }

    /// Becomes what its spot says of these refused bytes.
    #[cold]
    pub(crate) fn note(&mut self, s: &Settings, bytes: &[u8]) {
        let (kind, offset) = (self.spot.kind(), self.spot.offset());
        self.become_kind(kind);
        self.byte_offset = i64::try_from(offset).unwrap_or(i64::MAX);
        self.beginning = Some(Beginning::of(bytes, s.rules().dialect));
        let wants_objects = s.full_objects && kind == ErrorKind::ObjectNotAllowed;
        self.words = Words::LazyMessage(LazyMessage { error: None, is_of_bytes: true, wants_objects });
    }

    /// Becomes what a schema says that was not asked for the place.
    #[cold]
    pub(crate) fn note_brief(&mut self, kind: ErrorKind) {
        self.become_kind(kind);
        self.words = Words::Brief;
    }

    /// Whether it is of one of these kinds, whatever is in them.
    pub(crate) fn is_any(&self, kinds: &[ErrorKind]) -> bool {
        kinds.iter().any(|kind| kind.code() == i64::from(self.kind))
    }

    /// Whether scripts ran before it came about: checks of the game's own.
    pub(crate) fn is_of_scripts(&self) -> bool {
        // Limits on what checks do have words at once, those on bytes only when somebody asks.
        let limits = [ErrorKind::TooDeep { limit: 0 }, ErrorKind::TooManyValues { limit: 0, declared: 0 }];
        self.is_any(&[ErrorKind::CheckFailed, ErrorKind::IllFormedSchema])
            || (matches!(self.words, Words::Said(_)) && self.is_any(&limits))
    }

    /// Whether it is of what a call was given and not of the bytes in it.
    pub(crate) fn is_of_arguments(&self) -> bool {
        self.is_any(&[ErrorKind::InvalidArgument])
    }

    /// Returns the problem for a value with levels around it, which it does not know: the limit of all of
    /// them, and what there was.
    #[cold]
    pub(crate) fn of_levels(self, limit: u64, got: String) -> Problem {
        let (path, expected) = (self.path().into_owned(), ErrorKind::TooDeep { limit }.expected());
        let message = format!("{path}: expected {expected}, got {got}");
        self.saying(ProblemText { path, expected, got, message })
    }

    /// Returns the problem as the first of several.
    #[cold]
    pub(crate) fn with_others(mut self, others: Vec<Problem>) -> Problem {
        self.others = others;
        self
    }

    /// This one and those that the same call found after it.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Problem> {
        std::iter::once(self).chain(&self.others)
    }

    fn become_kind(&mut self, kind: ErrorKind) {
        self.others.clear();
        self.beginning = None;
        self.file = None;
        self.kind = i16::try_from(kind.code()).unwrap_or(i16::MAX);
        self.error = code(kind);
        self.byte_offset = -1;
        self.bit_offset = -1;
        self.fatal = false;
    }

    /// Returns the problem for bytes that only stand for the bits that were given: nobody knows those bytes. The place and the words
    /// are looked for when somebody asks. A problem of scripts or arguments has its words.
    pub(crate) fn without_place(mut self) -> Problem {
        self.byte_offset = -1;
        self.beginning = None;
        if !self.is_of_scripts() && !self.is_of_arguments() {
            self.words = Words::Brief;
        }
        self
    }
}

impl Problem {
    /// Bytes were refused.
    #[cold]
    pub(crate) fn of_bytes(error: variant_core::Error, s: &Settings) -> Self {
        let wants_objects = s.full_objects && error.kind() == ErrorKind::ObjectNotAllowed;
        let mut problem = Self::of_look(error);
        if let Words::LazyMessage(unsaid) = &mut problem.words {
            unsaid.wants_objects = wants_objects;
        }
        problem
    }

    /// A value could not be written: there are no bytes to point at.
    #[cold]
    pub(crate) fn of_value(error: variant_core::Error) -> Self {
        let problem = Self::of_call(error.kind());
        let unsaid = LazyMessage { error: Some(error), is_of_bytes: false, wants_objects: false };
        problem.with_words(Words::LazyMessage(unsaid))
    }

    /// An object could not be written, of this class.
    #[cold]
    pub(crate) fn of_object(error: variant_core::Error, class: &str) -> Self {
        let problem = Self::of_value(error);
        let (path, expected) = (problem.path().into_owned(), problem.expected().into_owned());
        let got = format!("an Object: {class}");
        let message = format!("{path}: expected {expected}, got {got}; write what it holds, not the object");
        problem.saying(ProblemText { path, expected, got, message })
    }

    /// Bytes or bits were refused.
    #[cold]
    pub(crate) fn of_rejection(rejection: &Rejection) -> Self {
        Self::placed(rejection, rejection.path.to_string(), rejection.to_string())
    }

    /// Bytes or bits of a part with a name were refused.
    #[cold]
    pub(crate) fn of_rejection_in(name: &str, rejection: &Rejection) -> Self {
        Self::placed(rejection, rejection.path.within(name), rejection.sentence_in(name))
    }

    /// A value that is no bytes was refused: there is nothing to point at.
    #[cold]
    pub(crate) fn of_live(rejection: &Rejection) -> Self {
        Self::worded(rejection, rejection.path.to_string(), rejection.sentence())
    }

    fn placed(rejection: &Rejection, path: String, message: String) -> Self {
        let mut problem = Self::worded(rejection, path, message);
        if rejection.place != Place::None {
            problem.byte_offset = i64::try_from(rejection.offset()).unwrap_or(i64::MAX);
        }
        if let Place::Bit(bit) = rejection.place {
            problem.bit_offset = i64::try_from(bit).unwrap_or(i64::MAX);
        }
        problem
    }

    fn worded(rejection: &Rejection, path: String, message: String) -> Self {
        let (expected, got) = (rejection.expected.clone(), rejection.got.clone());
        Self::of_call(rejection.kind).saying(ProblemText { path, expected, got, message })
    }

    /// An argument, or the value for a place, is of the wrong type. `place` says which.
    #[cold]
    pub(crate) fn wrong_type(place: &str, expected: &str, got: &str) -> Self {
        let (expected, got) = (in_scripts(expected), in_scripts(got));
        let message = format!("{place}: expected {expected}, got {got}");
        let said =
            ProblemText { message, expected: expected.into(), got: got.into(), ..ProblemText::default() };
        Self::of_call(ErrorKind::InvalidArgument).saying(said)
    }

    /// Text is not the JSON it should be. The message says where, and quotes nothing.
    #[cold]
    pub(crate) fn wrong_json(message: String) -> Self {
        Self::of_call(ErrorKind::InvalidArgument).saying(ProblemText { message, ..ProblemText::default() })
    }

    /// Bytes were refused under the rules of looking at them.
    #[cold]
    pub(crate) fn of_looked_at(error: variant_core::Error, bytes: &[u8]) -> Self {
        Self::of_look(error).beginning(Beginning::of(bytes, Dialect::Godot4))
    }

    /// Returns the problem of a look that was given no bytes.
    #[cold]
    pub(crate) fn of_look(error: variant_core::Error) -> Self {
        let mut problem = Self::of_call(error.kind());
        problem.byte_offset = i64::try_from(error.offset()).unwrap_or(i64::MAX);
        let error = Some(error);
        problem.with_words(Words::LazyMessage(LazyMessage { error, is_of_bytes: true, wants_objects: false }))
    }

    /// The property `target` names no version that is known.
    #[cold]
    pub(crate) fn unknown_target() -> Self {
        Self::wrong_type("target", "an empty text, or a version from \"4.0\" to \"4.7\"", "another text")
    }

    /// The target of `decode_into` is read-only.
    #[cold]
    pub(crate) fn locked() -> Self {
        let mut container =
            Self::wrong_type("target", "a container that can be changed", "one that is read-only");
        container.error = Error::ERR_LOCKED;
        container
    }

    /// The codec is at work for somebody else.
    #[cold]
    pub(crate) fn busy() -> Self {
        Self::told(ErrorKind::Busy, String::new(), ErrorKind::Busy.to_string())
    }

    /// Returns a problem in the kind's own words, with this message.
    #[cold]
    pub(crate) fn told(kind: ErrorKind, path: String, message: String) -> Self {
        let (expected, got) = (kind.expected(), kind.got());
        Self::of_call(kind).saying(ProblemText { path, expected, got, message })
    }

    pub(crate) fn of_call(kind: ErrorKind) -> Self {
        let mut problem = Self::default();
        problem.become_kind(kind);
        problem
    }
}

/// The type of null, which gdext calls "Variant" and the core "Nil", as scripts write it.
fn in_scripts(name: &str) -> &str {
    if matches!(name, "Variant" | "Nil") { "null" } else { name }
}

/// The engine's own code for such a failure, where it has one.
fn code(kind: ErrorKind) -> Error {
    match kind {
        ErrorKind::Incomplete { .. } => Error::ERR_FILE_EOF,
        ErrorKind::TooLong => Error::ERR_OUT_OF_MEMORY,
        kind if kind.is_of_limits() => Error::ERR_OUT_OF_MEMORY,
        ErrorKind::NotInstantiable
        | ErrorKind::InvalidArgument
        | ErrorKind::NotInDialect { .. }
        | ErrorKind::IllFormedSchema => Error::ERR_INVALID_PARAMETER,
        ErrorKind::ScriptWithoutPath => Error::ERR_UNAVAILABLE,
        ErrorKind::Busy => Error::ERR_BUSY,
        ErrorKind::PeerFailed => Error::ERR_CONNECTION_ERROR,
        ErrorKind::Cancelled => Error::ERR_SKIP,
        ErrorKind::NotASave | ErrorKind::SaveNewer | ErrorKind::ClassNewer => Error::ERR_FILE_UNRECOGNIZED,
        ErrorKind::SaveDamaged | ErrorKind::NoIntactSave => Error::ERR_FILE_CORRUPT,
        ErrorKind::SaveCutShort => Error::ERR_FILE_EOF,
        // Of passwords and keys alone, so that a game may ask the player for one.
        ErrorKind::WrongKey | ErrorKind::NotAuthentic => Error::ERR_UNAUTHORIZED,
        ErrorKind::SaveLocked => Error::ERR_LOCKED,
        ErrorKind::RateLimited => Error::ERR_BUSY,
        ErrorKind::PeerNotHeard => Error::ERR_CONNECTION_ERROR,
        ErrorKind::Refused | ErrorKind::FileFailed | ErrorKind::NotConstructed => Error::FAILED,
        _ => Error::ERR_INVALID_DATA,
    }
}

/// A refusal of these bytes, which keeps how they begin: whoever asks is told what they look like.
#[cold]
pub(crate) fn refused(error: variant_core::Error, s: &Settings, bytes: &[u8]) -> Problem {
    Problem::of_bytes(error, s).beginning(Beginning::of(bytes, s.rules().dialect))
}
