//! Keeps what is known of one peer: budgets, score, counts, states, and what waits to be sent to it.

use std::collections::BTreeMap;

use crate::bucket::Bucket;
use crate::score::{COUNT, Offence, Policy, Score};
use crate::states::{Held, Sent};
use crate::table::{Message, Table};

/// Counts what one peer, or all of them, sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Packets that were looked at, refused ones included.
    pub packets: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Messages and states that were accepted.
    pub messages: u64,
    /// States that came late or twice, which is no fault.
    pub late: u64,
    /// Refusals, in the order of [`Offence::ALL`].
    pub refused: [u64; COUNT],
}

impl Counts {
    /// Counts a packet of this many bytes.
    pub(crate) fn take_in(&mut self, size: usize) {
        self.packets = self.packets.saturating_add(1);
        self.bytes = self.bytes.saturating_add(u64::try_from(size).unwrap_or(u64::MAX));
    }

    pub(crate) fn refuse(&mut self, offence: Offence) {
        if let Some(count) = self.refused.get_mut(offence.index()) {
            *count = count.saturating_add(1);
        }
    }

    /// Returns the refusals for all reasons together.
    #[must_use]
    pub fn all_refused(&self) -> u64 {
        self.refused.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }
}

/// Holds all that is known of one peer.
#[derive(Debug)]
pub(crate) struct Peer {
    /// The transport named it. Strangers are forgotten when there are too many.
    pub(crate) is_connected: bool,
    /// Its table fits ours, or nobody asked.
    pub(crate) is_greeted: bool,
    pub(crate) is_expelled: bool,
    /// When it was heard last, in packets of all peers.
    pub(crate) heard: u64,
    pub(crate) score: Score,
    pub(crate) counts: Counts,
    packets: Bucket,
    bytes: Bucket,
    control: Bucket,
    reports: Bucket,
    /// They are made by the first message: one for each id.
    messages: Vec<Bucket>,
    pub(crate) sent: BTreeMap<u16, Sent>,
    pub(crate) held: BTreeMap<u16, Held>,
    /// When our handshake was sent last.
    pub(crate) hello_at: Option<u64>,
    pub(crate) is_answer_due: bool,
    pub(crate) waiting: crate::queue::Waiting,
}

impl Peer {
    pub(crate) fn new(policy: &Policy, is_greeted: bool, now: u64) -> Peer {
        let full = |rate: Option<_>| {
            rate.map_or_else(|| Bucket::full(policy.control, now), |rate| Bucket::full(rate, now))
        };
        Peer {
            is_connected: false,
            is_greeted,
            is_expelled: false,
            heard: 0,
            score: Score::default(),
            counts: Counts::default(),
            packets: full(policy.packets),
            bytes: full(policy.bytes),
            control: full(Some(policy.control)),
            reports: full(Some(policy.reports)),
            messages: Vec::new(),
            sent: BTreeMap::new(),
            held: BTreeMap::new(),
            hello_at: None,
            is_answer_due: false,
            waiting: crate::queue::Waiting::default(),
        }
    }

    /// Takes a packet from the budget of the peer.
    pub(crate) fn may_send_packet(&mut self, policy: &Policy, size: usize, now: u64) -> bool {
        let size = u64::try_from(size).unwrap_or(u64::MAX);
        let packets = policy.packets.is_none_or(|rate| self.packets.take(rate, 1, now));
        packets && policy.bytes.is_none_or(|rate| self.bytes.take(rate, size, now))
    }

    pub(crate) fn may_send_control(&mut self, policy: &Policy, now: u64) -> bool {
        self.control.take(policy.control, 1, now)
    }

    pub(crate) fn may_be_told(&mut self, policy: &Policy, now: u64) -> bool {
        self.reports.take(policy.reports, 1, now)
    }

    /// Takes a message from the budget of its kind.
    pub(crate) fn may_send_message(&mut self, table: &Table, id: u16, message: &Message, now: u64) -> bool {
        let Some(rate) = message.rate else { return true };
        if self.messages.is_empty() {
            self.messages = (1..=table.largest_id())
                .map(|id| table.message(id).and_then(|message| message.rate))
                .map(|rate| Bucket::full(rate.unwrap_or(crate::Rate::per_second(0, 0)), now))
                .collect();
        }
        let bucket = usize::from(id).checked_sub(1).and_then(|at| self.messages.get_mut(at));
        bucket.is_some_and(|bucket| bucket.take(rate, 1, now))
    }

    /// Returns the bytes that are kept for this peer beside this struct.
    pub(crate) fn kept_bytes(&self) -> usize {
        let sent = self.sent.values().map(Sent::kept_bytes);
        let held = self.held.values().map(Held::kept_bytes);
        let states = sent.chain(held).fold(0, usize::saturating_add);
        let buckets = self.messages.len().saturating_mul(size_of::<Bucket>());
        states.saturating_add(buckets).saturating_add(self.waiting.bytes())
    }
}
