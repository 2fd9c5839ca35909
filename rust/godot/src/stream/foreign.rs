//! Foreign: what is said of a file in which no length of a value stands where one should, by the bytes that stand there
//! instead. It quotes none of them.

use godot::classes::FileAccess;
use godot::global::Error;
use godot::obj::Gd;
use variant_core::{ErrorKind, Framing, Part};
use variant_text::sniff::ENOUGH;

use crate::call::problem::Problem;
use crate::call::problem::ProblemText;
use crate::call::settings::Settings;
use crate::call::sniff::Beginning;

/// Bytes that are looked at.
const LOOKED_AT: i64 = ENOUGH as i64;

/// The bytes at a place of a file, a few of them, and how many there are.
pub(super) struct ForeignHead {
    bytes: Vec<u8>,
    /// Whether the file begins here.
    is_first: bool,
    there: u64,
}

impl ForeignHead {
    /// Looks at a place of a file, which is then where it was.
    pub(super) fn of(file: &mut Gd<FileAccess>, at: u64) -> ForeignHead {
        let before = file.get_position();
        file.seek(at);
        let bytes = file.get_buffer(LOOKED_AT).to_vec();
        file.seek(before);
        ForeignHead { bytes, is_first: at == 0, there: file.get_length().saturating_sub(at) }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The length that stands here, if one does.
    pub(super) fn declared(&self, framing: Framing) -> Option<u64> {
        framing.read_length(&self.bytes).map(|(declared, _)| declared)
    }

    /// Bytes behind it.
    pub(super) const fn left(&self) -> u64 {
        self.there.saturating_sub(4)
    }

    fn beginning(&self, s: &Settings) -> Beginning {
        Beginning::of_part(&self.bytes, self.there, s.rules().dialect)
    }

    /// A refusal of all of it, which whoever asks is told the looks of.
    #[cold]
    pub(super) fn whole(&self, problem: Problem, s: &Settings) -> Problem {
        match problem.byte_offset >= 0 || problem.is_any(&[ErrorKind::TrailingBytes { count: 0 }]) {
            true => problem.beginning(self.beginning(s)),
            false => problem,
        }
    }

    /// Returns a refusal of what is behind the length, which whoever asks is told the looks of.
    #[cold]
    pub(super) fn within(&self, problem: Problem, s: &Settings) -> Problem {
        if problem.byte_offset < 0 {
            return problem;
        }
        let value = self.bytes.get(4..).unwrap_or_default();
        problem.beginning(Beginning::of_part(value, self.left(), s.rules().dialect))
    }
}

/// A length of more bytes than there are.
#[cold]
pub(super) fn problem(head: &ForeignHead, framing: Framing, s: &Settings) -> Problem {
    let (declared, left) = (head.declared(framing).unwrap_or(0), head.left());
    let guess = match head.is_first {
        true => head.beginning(s).framed(framing).advice_on_length(),
        false => String::new(),
    };
    let is_cut = guess.is_empty() && declared <= s.limits().max_bytes;
    let what = if is_cut { "the file is cut off" } else { "this is no file of values" };
    let word = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let mut problem = Problem::of_call(ErrorKind::Incomplete {
        needed: word(declared.saturating_sub(left)),
        part: Part::Header,
        declared: word(declared),
        left: word(left),
    });
    let (expected, got) = (format!("{declared} bytes"), format!("{left} bytes"));
    problem.error = if is_cut { Error::ERR_FILE_EOF } else { Error::ERR_FILE_UNRECOGNIZED };
    problem.byte_offset = 0;
    problem.fatal = true;
    let message = format!("{what}: its length says {expected}, {got} are there{guess}");
    problem.saying(ProblemText { message, expected, got, ..ProblemText::default() })
}
