//! Says what happened: what a packet brought, who came, who is gone and why.

use std::fmt;

use crate::hello::Mismatch;
use crate::named::named;

/// Says what a packet brought, or what happened to a peer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// The peer is there and its handshake was accepted. All that is sent from here on arrives behind our own.
    Greeted {
        /// The peer.
        peer: i32,
    },
    /// The peer is gone. Nothing is kept of it.
    Left {
        /// The peer.
        peer: i32,
        /// The reason. Where [`must_close`](LeaveReason::must_close) says so, its connection is to be ended now.
        reason: LeaveReason,
        /// The words of the game that kicked the peer.
        text: Box<str>,
    },
    /// The peer has another table. [`Left`](Event::Left) follows.
    Mismatched {
        /// The peer.
        peer: i32,
        /// The differences.
        mismatch: Box<Mismatch>,
    },
    /// A message. Its value replaces what the buffer that was given held.
    Message {
        /// The id of the message.
        id: u16,
    },
    /// A state. Its value replaces what the buffer that was given held.
    State {
        /// The id of the state.
        id: u16,
        /// The number of the state in its sequence.
        seq: u16,
    },
}

named! {
    /// Says why a peer is gone.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum LeaveReason [7, pub(crate)] {
        /// Its connection was closed.
        Closed = "closed",
        /// Its connection broke, the transport says.
        TimedOut = "timed_out",
        /// It had too many points.
        ThrownOut = "thrown_out",
        /// The game sent it away.
        Kicked = "kicked",
        /// It runs another version of the game.
        OtherVersion = "other_version",
        /// It sent no handshake in time.
        Silent = "silent",
        /// It began a new session: it is there again, and is greeted anew.
        Rejoined = "rejoined",
    }
}

impl LeaveReason {
    /// Tells whether the connection is still there, and the caller has to end it.
    #[must_use]
    pub const fn must_close(self) -> bool {
        matches!(
            self,
            LeaveReason::ThrownOut | LeaveReason::Kicked | LeaveReason::OtherVersion | LeaveReason::Silent
        )
    }

    /// Tells whether the peer may not come back for a while.
    pub(crate) const fn is_ban(self) -> bool {
        matches!(self, LeaveReason::ThrownOut | LeaveReason::Kicked)
    }

    pub(crate) fn byte(self) -> u8 {
        let at = LeaveReason::ALL.iter().position(|reason| *reason == self);
        at.and_then(|at| u8::try_from(at).ok()).unwrap_or(0)
    }

    pub(crate) fn from_byte(byte: u8) -> Option<LeaveReason> {
        LeaveReason::ALL.get(usize::from(byte)).copied()
    }
}

/// Says why an id cannot be a peer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WrongPeer {
    /// The id is the server's own, or none.
    NoClient(i32),
    /// The id is none.
    NoPeer(i32),
    /// The peer was thrown out, and may not come back yet.
    StaysOut(i32),
}

impl fmt::Display for WrongPeer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrongPeer::NoClient(id) => {
                write!(f, "no client has the id {id}; clients begin at 2, 1 is the server")
            }
            WrongPeer::NoPeer(id) => {
                write!(f, "no peer has the id {id}; 1 is the server, clients begin at 2")
            }
            WrongPeer::StaysOut(id) => write!(f, "peer {id} was thrown out and stays out for a while"),
        }
    }
}

impl std::error::Error for WrongPeer {}

/// Holds why a connection ends, until the other side and the game were told.
#[derive(Debug)]
pub(crate) struct Ending {
    pub(crate) reason: LeaveReason,
    pub(crate) text: Box<str>,
    /// The other side was told, or it is the one who told us.
    pub(crate) is_said: bool,
    /// The other side ended it. It is no reason to keep it out.
    pub(crate) is_theirs: bool,
}
