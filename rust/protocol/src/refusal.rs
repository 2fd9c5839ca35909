//! Says why a packet, a message or a send was refused.

use std::fmt;

use variant_core::{ErrorKind, Rejection};

use crate::bucket::Rate;
use crate::event::WrongPeer;
use crate::hello::Mismatch;
use crate::score::Offence;

/// Describes a packet or a message that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The peer that sent it.
    pub peer: i32,
    /// The id of the message, where one was read and exists.
    pub message: Option<u16>,
    /// The group of the reason.
    pub offence: Offence,
    /// The details.
    pub detail: Detail,
    /// Whether the peer is thrown out for it. It is said once; [`Event::Left`](crate::Event::Left) follows.
    pub expel: bool,
    /// Whether the refusal is worth telling: floods are counted, and told some times a second.
    pub tell: bool,
}

/// Says why a message was refused, before it is counted against its peer.
#[derive(Debug)]
pub(crate) struct Reason {
    pub(crate) message: Option<u16>,
    pub(crate) offence: Offence,
    pub(crate) detail: Detail,
}

impl From<Offence> for Reason {
    fn from(offence: Offence) -> Reason {
        Reason { message: None, offence, detail: Detail::None }
    }
}

impl Reason {
    /// Names an offence by a message that exists.
    pub(crate) const fn of(message: u16, offence: Offence) -> Reason {
        Reason { message: Some(message), offence, detail: Detail::None }
    }

    /// Says that a value does not fit its message.
    pub(crate) fn unfit(message: u16, rejection: Box<Rejection>) -> Reason {
        let offence = match rejection.kind {
            ErrorKind::BaselineMismatch => Offence::LostBaseline,
            kind if kind.is_of_limits() => Offence::OverLimit,
            _ => Offence::Refused,
        };
        Reason { message: Some(message), offence, detail: Detail::Unfit(rejection) }
    }

    /// Says that a handshake does not fit.
    pub(crate) fn mismatch(mismatch: Mismatch) -> Reason {
        let offence = match mismatch {
            Mismatch::NotAHello => Offence::Foreign,
            Mismatch::OtherVersion(_) | Mismatch::Messages { .. } => Offence::OtherProtocol,
        };
        Reason { message: None, offence, detail: Detail::Mismatch(Box::new(mismatch)) }
    }
}

/// Holds the details of a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The offence says all.
    None,
    /// A value was refused.
    Unfit(Box<Rejection>),
    /// The other side's table differs.
    Mismatch(Box<Mismatch>),
    /// No peer has this id.
    WrongPeer(WrongPeer),
}

impl Refusal {
    /// Returns a sentence for people. `name` is the name of the message.
    #[must_use]
    pub fn words(&self, name: Option<&str>) -> String {
        let name = name.unwrap_or("packet");
        match (&self.detail, self.offence) {
            (Detail::Unfit(rejection), _) => rejection.sentence_in(name),
            (Detail::Mismatch(mismatch), _) => mismatch.to_string(),
            (Detail::WrongPeer(wrong), _) => format!("{name}: {wrong}"),
            (Detail::None, offence) => format!("{name}: {}", sentence(offence)),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(None))
    }
}

impl std::error::Error for Refusal {}

const fn sentence(offence: Offence) -> &'static str {
    match offence {
        Offence::WrongDirection => "only the other side may send it",
        Offence::OverLimit => "it is longer than packets may be",
        Offence::FalseAck => "it acknowledges a state that was never sent",
        Offence::Refused => "its value is not allowed",
        Offence::Malformed => "it is cut off, or no control message that this version knows",
        Offence::NotGreeted => "it came before the handshake",
        Offence::UnknownMessage => "no message has this id",
        Offence::RateLimited => "the peer sent more than its rate allows",
        Offence::LostBaseline => "it changes a state that is not here; the whole state was asked for",
        Offence::OtherProtocol => "the other side runs another version of the game",
        Offence::Expelled => "this peer was thrown out",
        Offence::UnknownPeer => "this peer is not connected: call connect() when its connection is open",
        Offence::Foreign => {
            "it begins with 0 and is no packet of this protocol; if other packets share the connection, give the protocol a prefix"
        }
    }
}

/// Says why something was not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SendError {
    /// No message has this id, or it is no state.
    UnknownMessage,
    /// This side may not send the message.
    WrongDirection,
    /// Only the server sends states.
    StateOfServer,
    /// No server is connected, so nobody can get it.
    NoServer,
    /// No such peer is connected.
    UnknownPeer(i32),
    /// This peer was thrown out, or its connection ends for another reason.
    ThrownOut(i32),
    /// The handshake with this peer is not over, and only reliable messages wait for it.
    NotGreeted(i32),
    /// The peer is another client, and the message is not relayed.
    NotRelayed(i32),
    /// The receiver would refuse it: more than the rate allows.
    RateLimited {
        /// The peer.
        peer: i32,
        /// The things that are counted: `messages` of this kind, `packets` or `bytes`.
        what: &'static str,
        /// The rate.
        rate: Rate,
    },
    /// The value does not fit the message.
    Unfit(Box<Rejection>),
    /// The packet would be larger than what carries it.
    TooLarge {
        /// The bytes of the packet.
        size: usize,
        /// The most that is allowed.
        most: usize,
        /// The path of the largest part.
        largest: String,
    },
    /// Too much waits for this peer already: this many bytes are the most.
    QueueFull {
        /// The peer.
        peer: i32,
        /// The most bytes that wait.
        most: usize,
    },
}

impl From<Box<Rejection>> for SendError {
    fn from(unfit: Box<Rejection>) -> SendError {
        SendError::Unfit(unfit)
    }
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SendError::UnknownMessage => f.write_str("no message has this id"),
            SendError::WrongDirection => f.write_str("only the other side may send this message"),
            SendError::StateOfServer => f.write_str("only the server sends states"),
            SendError::NoServer => f.write_str("no server is connected; nobody would get it"),
            SendError::UnknownPeer(peer) => write!(f, "peer {peer} is not connected"),
            SendError::ThrownOut(peer) => write!(f, "peer {peer} was thrown out"),
            SendError::NotGreeted(peer) => {
                write!(
                    f,
                    "the handshake with peer {peer} is not over; until greeted, only reliable messages wait"
                )
            }
            SendError::NotRelayed(peer) => {
                write!(f, "peer {peer} is another client; messages go there with the option relay")
            }
            SendError::RateLimited { peer, what, rate } => write!(
                f,
                "peer {peer} takes {} {what} a second and {} at once; this is more",
                rate.per_second_f64(),
                rate.burst
            ),
            SendError::Unfit(rejection) => rejection.fmt(f),
            SendError::TooLarge { size, most, largest } => {
                write!(
                    f,
                    "the packet takes {size} bytes, and {most} are allowed; {largest} is the largest part"
                )
            }
            SendError::QueueFull { peer, most } => {
                write!(f, "{most} bytes wait for peer {peer} already; flush() sends them, once it is greeted")
            }
        }
    }
}

impl std::error::Error for SendError {}
