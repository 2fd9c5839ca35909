//! Counts how badly a peer behaves: points for each offence, which fade with time.

use std::time::Duration;

use crate::bucket::Rate;
use crate::named::named;

/// The number of offences.
pub const COUNT: usize = 13;

named! {
    /// Lists what a peer can do wrong, by what it says about the peer. [`Policy::points`] has their order.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Offence [COUNT, pub] {
        /// A message that only the other side may send.
        WrongDirection = "wrong_direction",
        /// A value beyond the limits: too deep, too many, too large.
        OverLimit = "over_limit",
        /// An acknowledgement of a state that was never sent.
        FalseAck = "false_ack",
        /// A value that an honest sender refuses itself: the schema or the form does not allow it.
        Refused = "refused",
        /// A control message that is cut off, or that nobody defined.
        Malformed = "malformed",
        /// A message before the handshake.
        NotGreeted = "not_greeted",
        /// An id without a message.
        UnknownMessage = "unknown_message",
        /// More packets, bytes or messages than the peer may send.
        RateLimited = "rate_limited",
        /// A delta on a state that is not there any more: packets were lost.
        LostBaseline = "lost_baseline",
        /// A handshake of another version of the game.
        OtherProtocol = "other_protocol",
        /// A packet of a peer that was thrown out.
        Expelled = "expelled",
        /// A packet of a peer that nobody named and that is no handshake, or of an id that no peer has.
        UnknownPeer = "unknown_peer",
        /// A packet of something else on the same connection: it begins with 0 and is no control message of ours.
        Foreign = "foreign",
    }
}

impl Offence {
    const fn default_points(self) -> f64 {
        match self {
            Offence::WrongDirection | Offence::OverLimit | Offence::FalseAck => 25.0,
            Offence::Refused | Offence::Malformed => 10.0,
            Offence::UnknownMessage | Offence::NotGreeted => 5.0,
            Offence::RateLimited => 1.0,
            // Loss, old versions and neighbours are nobody's fault. Two have no score to add to.
            Offence::LostBaseline
            | Offence::OtherProtocol
            | Offence::Expelled
            | Offence::UnknownPeer
            | Offence::Foreign => 0.0,
        }
    }

    pub(crate) fn index(self) -> usize {
        Offence::ALL.iter().position(|offence| *offence == self).unwrap_or(0)
    }
}

/// Says what a peer may do before it is thrown out.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The points at which a peer is thrown out. `None`: never.
    pub disconnect_at: Option<f64>,
    /// The points that fade in a second.
    pub decay: f64,
    /// The points that each offence costs, in the order of [`Offence::ALL`].
    pub points: [f64; COUNT],
    /// The packets of one peer. `None`: any number.
    pub packets: Option<Rate>,
    /// The bytes of one peer. `None`: any number.
    pub bytes: Option<Rate>,
    /// The handshakes and acknowledgements of one peer.
    pub control: Rate,
    /// How often the refusals of one peer are told. All of them are counted.
    pub reports: Rate,
    /// The longest packet that is looked at.
    pub most_packet_bytes: usize,
    /// The longest batch of unreliable messages: what a datagram carries everywhere.
    pub most_datagram_bytes: usize,
    /// The peers that are kept without [`connect`](crate::Protocol::connect) having named them.
    pub most_strangers: usize,
    /// How long a peer may take for its handshake, in microseconds. `None`: for ever.
    pub greet_timeout: Option<u64>,
    /// How long a peer stays out that was thrown out or kicked, in microseconds.
    pub stay_out: u64,
    /// The longest time without a poll, in microseconds, for which peers are forgiven that all of it arrives at once.
    pub forgive_stall: u64,
    /// The packets that this side sends one peer. `None`: any number.
    pub own_packets: Option<Rate>,
    /// The bytes that this side sends one peer. `None`: any number.
    pub own_bytes: Option<Rate>,
    /// The bytes of states that this side sends one peer: parts that are more wait for the next states. `None`: any number.
    pub state_bytes: Option<Rate>,
}

const SECOND: u64 = 1_000_000;

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            disconnect_at: Some(100.0),
            decay: 10.0,
            points: Offence::ALL.map(Offence::default_points),
            packets: Some(Rate::per_second(120, 240)),
            bytes: Some(Rate::per_second(32_768, 65_536)),
            control: Rate::per_second(120, 120),
            reports: Rate::per_second(10, 10),
            most_packet_bytes: 65_535,
            most_datagram_bytes: 1200,
            most_strangers: 4096,
            greet_timeout: Some(3 * SECOND),
            stay_out: 60 * SECOND,
            forgive_stall: 5 * SECOND,
            own_packets: None,
            own_bytes: None,
            state_bytes: None,
        }
    }
}

impl Policy {
    /// Returns the policy of a client: it counts what its server does wrong and throws nobody out, because
    /// a server sends as much as it likes. The client sends no more than a server takes by default.
    #[must_use]
    pub fn for_client() -> Policy {
        let server = Policy::default();
        Policy {
            disconnect_at: None,
            packets: None,
            bytes: None,
            // Smaller bursts than the server takes: what is on its way bunches up.
            own_packets: Some(Rate::per_second(120, 180)),
            own_bytes: Some(Rate::per_second(32_768, 49_152)),
            control: Rate::per_second(4096, 4096),
            ..server
        }
    }

    /// Sets the points of an offence.
    pub fn set_points(&mut self, offence: Offence, points: f64) {
        if let Some(place) = self.points.get_mut(offence.index()) {
            *place = points;
        }
    }
}

/// Holds the points of one peer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Score {
    points: f64,
    counted_at: u64,
}

impl Score {
    /// Adds the points of an offence, and tells whether the peer is to be thrown out.
    pub(crate) fn add(&mut self, policy: &Policy, offence: Offence, now: u64) -> bool {
        self.fade(policy, now);
        let points = policy.points.get(offence.index()).copied().unwrap_or(0.0);
        self.points += points;
        policy.disconnect_at.is_some_and(|most| points > 0.0 && self.points >= most)
    }

    /// Returns the points as they stood when they were last counted.
    pub(crate) const fn points(self) -> f64 {
        self.points
    }

    pub(crate) fn fade(&mut self, policy: &Policy, now: u64) {
        let elapsed = now.saturating_sub(self.counted_at);
        let faded = Duration::from_micros(elapsed).as_secs_f64() * policy.decay;
        self.points = (self.points - faded).max(0.0);
        self.counted_at = self.counted_at.max(now);
    }
}

#[cfg(test)]
mod tests {
    use super::{Offence, Policy, Score};

    #[test]
    fn points_add_up_and_fade() {
        let policy = Policy::default();
        let mut score = Score::default();
        assert!(!score.add(&policy, Offence::Refused, 0));
        assert_eq!(score.points(), 10.0);
        assert!(!score.add(&policy, Offence::Refused, 500_000));
        assert_eq!(score.points(), 15.0, "5 points faded in half a second");
        for _ in 0..3 {
            assert!(!score.add(&policy, Offence::WrongDirection, 500_000));
        }
        assert!(score.add(&policy, Offence::WrongDirection, 500_000), "115 points");
        score.fade(&policy, 60_000_000);
        assert_eq!(score.points(), 0.0);
    }

    #[test]
    fn loss_never_throws_anybody_out() {
        let policy = Policy::default();
        let mut score = Score::default();
        for _ in 0..100_000 {
            assert!(!score.add(&policy, Offence::LostBaseline, 0));
        }
    }

    #[test]
    fn every_offence_has_its_own_place() {
        for (at, offence) in Offence::ALL.into_iter().enumerate() {
            assert_eq!(offence.index(), at);
        }
    }
}
