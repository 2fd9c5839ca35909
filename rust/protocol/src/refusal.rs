//! Says why a packet, a message or a send was refused.

use std::fmt;

use crate::form::Unfit;
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
    /// Whether the peer is to be thrown out now. It is said once.
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
}

/// Holds the details of a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The offence says all.
    None,
    /// A value was refused.
    Unfit(Box<Unfit>),
    /// The other side's table differs.
    Mismatch(Box<Mismatch>),
}

impl Refusal {
    /// Returns a sentence for people. `name` is the name of the message.
    #[must_use]
    pub fn words(&self, name: Option<&str>) -> String {
        let name = name.unwrap_or("packet");
        match (&self.detail, self.offence) {
            (Detail::Unfit(unfit), _) => {
                let dot = match unfit.path.chars().next() {
                    None => ": ",
                    Some('[') => "",
                    Some(_) => ".",
                };
                format!("{name}{dot}{unfit}")
            }
            (Detail::Mismatch(mismatch), _) => mismatch.to_string(),
            (Detail::None, offence) => format!("{name}: {}", sentence(offence)),
        }
    }
}

const fn sentence(offence: Offence) -> &'static str {
    match offence {
        Offence::WrongDirection => "only the other side may send it",
        Offence::OverLimit => "it is longer than packets may be",
        Offence::FalseAck => "it acknowledges a state that was never sent",
        Offence::Refused => "its value is not allowed",
        Offence::Malformed => "it is cut off, or no control message that this version knows",
        Offence::NotGreeted => "it came before the handshake",
        Offence::UnknownMessage => "no message has this id",
        Offence::RateLimited => "more came than this peer may send",
        Offence::LostBaseline => "it is a change of a state that is not kept; a full one was asked for",
        Offence::OtherProtocol => "the other side runs another version of the game",
        Offence::Expelled => "this peer was thrown out",
        Offence::UnknownPeer => "nobody named this peer; call connect() when the transport does",
    }
}

/// Says why something was not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendError {
    /// No message has this id, or it is no state.
    UnknownMessage,
    /// This side may not send the message.
    WrongDirection,
    /// No such peer is connected.
    UnknownPeer(i32),
    /// The value does not fit the message.
    Unfit(Box<Unfit>),
    /// The packet would be larger than what carries it.
    TooLarge {
        /// The bytes of the packet.
        size: usize,
        /// The most that is allowed.
        most: usize,
        /// The path of the largest part.
        largest: String,
    },
    /// Too much waits for this peer already.
    QueueFull(i32),
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SendError::UnknownMessage => f.write_str("no message of the table is meant"),
            SendError::WrongDirection => f.write_str("only the other side may send this message"),
            SendError::UnknownPeer(peer) => write!(f, "peer {peer} is not connected"),
            SendError::Unfit(unfit) => unfit.fmt(f),
            SendError::TooLarge { size, most, largest } => {
                write!(
                    f,
                    "the packet takes {size} bytes, and {most} are allowed; {largest} is the largest part"
                )
            }
            SendError::QueueFull(peer) => {
                write!(f, "a mebibyte waits for peer {peer} already; call flush() more often")
            }
        }
    }
}

impl std::error::Error for SendError {}
