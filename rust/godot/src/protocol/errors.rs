//! Says why a protocol refused a packet, a value or a declaration, as the engine's errors are told.

use godot::global::Error;
use variant_core::ErrorKind;
use variant_protocol::{Detail, Mismatch, Mistakes, Offence, Refusal, SendError, WrongPeer};

use crate::call::problem::Problem;
use crate::call::problem::ProblemText;

fn told(kind: ErrorKind, message: String) -> Problem {
    told_of("", kind, message)
}

#[cold]
fn told_of(path: &str, kind: ErrorKind, message: String) -> Problem {
    Problem::told(kind, path.to_owned(), message)
}

/// Describes a refusal. `name` is the name of its message.
#[cold]
pub(crate) fn of_refusal(refusal: &Refusal, name: Option<&str>) -> Problem {
    match &refusal.detail {
        Detail::Unfit(rejection) => Problem::of_rejection_in(name.unwrap_or("packet"), rejection),
        _ => told_of(name.unwrap_or_default(), kind_of(refusal.offence), refusal.words(name)),
    }
}

const fn kind_of(offence: Offence) -> ErrorKind {
    match offence {
        Offence::WrongDirection => ErrorKind::WrongDirection,
        Offence::OverLimit => ErrorKind::TooManyBytes { limit: 0, declared: 0 },
        Offence::FalseAck | Offence::Malformed | Offence::Foreign => ErrorKind::BadControl,
        Offence::NotGreeted => ErrorKind::NotGreeted,
        Offence::UnknownMessage => ErrorKind::UnknownMessage,
        Offence::RateLimited => ErrorKind::RateLimited,
        Offence::LostBaseline => ErrorKind::BaselineMismatch,
        Offence::OtherProtocol => ErrorKind::ProtocolMismatch,
        Offence::Expelled | Offence::UnknownPeer => ErrorKind::PeerNotHeard,
        _ => ErrorKind::Refused,
    }
}

/// Puts the name of a message in front of a path in its value.
fn joined(name: &str, path: &str) -> String {
    match path.chars().next() {
        None => name.to_owned(),
        Some('[') => format!("{name}{path}"),
        Some(_) => format!("{name}.{path}"),
    }
}

/// Names the message that a problem's value belongs to.
#[cold]
pub(super) fn in_message(problem: Problem, name: &str) -> Problem {
    let path = problem.path();
    let rest = problem.message();
    let rest = rest.strip_prefix(&*path).map_or(&*rest, |rest| rest);
    // The name stands for the whole value.
    let path = if path == "(root)" { "".into() } else { path };
    let said = ProblemText {
        path: joined(name, &path),
        expected: problem.expected().into_owned(),
        got: problem.got().into_owned(),
        message: format!("{}{}{rest}", joined(name, &path), if rest.starts_with(':') { "" } else { ": " }),
    };
    problem.with_others(Vec::new()).saying_all(said)
}

#[cold]
pub(super) fn of_send(error: &SendError, name: &str) -> Problem {
    let kind = match error {
        SendError::Unfit(rejection) => return Problem::of_rejection_in(name, rejection),
        SendError::UnknownMessage => {
            let ways = "states by send_state(), messages by send(), queue() and encode()";
            return told(ErrorKind::UnknownMessage, format!("{name} is sent in another way: {ways}"));
        }
        SendError::WrongDirection | SendError::StateOfServer | SendError::NotRelayed(_) => {
            ErrorKind::WrongDirection
        }
        SendError::RateLimited { .. } => ErrorKind::RateLimited,
        SendError::NotGreeted(_) => ErrorKind::NotGreeted,
        SendError::TooLarge { .. } | SendError::QueueFull { .. } => ErrorKind::OutputTooLarge { limit: 0 },
        // Nobody is there to get it.
        _ => ErrorKind::PeerNotHeard,
    };
    told_of(name, kind, format!("{name}: {error}"))
}

pub(crate) fn of_mismatch(mismatch: &Mismatch) -> Problem {
    let kind = match mismatch {
        Mismatch::NotAHello => ErrorKind::BadControl,
        Mismatch::OtherVersion(_) | Mismatch::Messages { .. } => ErrorKind::ProtocolMismatch,
    };
    told(kind, mismatch.to_string())
}

pub(crate) fn of_wrong_peer(wrong: WrongPeer) -> Problem {
    told(ErrorKind::PeerNotHeard, wrong.to_string())
}

pub(crate) fn not_well_formed(mistakes: &Mistakes) -> Problem {
    told(ErrorKind::IllFormedSchema, format!("the protocol cannot run: {mistakes}"))
}

pub(crate) fn unknown_name(name: &str) -> Problem {
    told(ErrorKind::UnknownMessage, format!("no message is called {name:?}; add() it first"))
}

pub(crate) fn in_use() -> Problem {
    let words = "the protocol is in use; messages are added before the first packet";
    let mut problem = told(ErrorKind::Busy, words.to_owned());
    problem.error = Error::ERR_ALREADY_IN_USE;
    problem
}

pub(crate) fn wrong_option(words: &str) -> Problem {
    told(ErrorKind::InvalidArgument, words.to_owned())
}

pub(crate) fn not_reachable(peer: impl std::fmt::Display) -> Problem {
    told(ErrorKind::PeerNotHeard, format!("peer {peer} is not connected"))
}

pub(crate) fn not_taken(who: &str, peer: i32, why: &str) -> Problem {
    told(ErrorKind::PeerNotHeard, format!("{who} did not take a packet to peer {peer}: {why}"))
}

pub(crate) fn no_way(peer: i32) -> Problem {
    let message = format!("nothing carries packets to peer {peer}; call attach() or set carrier");
    told(ErrorKind::PeerNotHeard, message)
}

/// Makes a refusal that no peer is blamed for.
pub(super) fn nobodys(peer: i32) -> Refusal {
    Refusal {
        peer,
        message: None,
        offence: Offence::Refused,
        detail: Detail::None,
        expel: false,
        tell: false,
    }
}
