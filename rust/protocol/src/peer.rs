//! Keeps what is known of one peer: its session, budgets, score, counts, states, and what waits to be sent to it.

use std::collections::BTreeMap;

use crate::bucket::{Bucket, Rate};
use crate::event::Ending;
use crate::hello::Sessions;
use crate::queue::WaitingBatches;
use crate::score::{COUNT, Offence, Policy, Score};
use crate::states::{ReceiveRing, SendRing};
use crate::table::{Message, Mode, Table};

/// A reliable transport repeats what was lost and then hands over several messages at once. So much more of a second's messages
/// may come at once than the burst says.
const BUNCHED: u64 = 500_000;

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
    /// Messages that were accepted and that nothing handled.
    pub unhandled: u64,
    /// Refusals, in the order of [`Offence::ALL`].
    pub refused: [u64; COUNT],
}

impl Counts {
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

#[derive(Debug, Default)]
pub(crate) struct Peer {
    /// The transport named it. Strangers are forgotten when there are too many.
    pub(crate) is_connected: bool,
    /// Its table fits ours, or nobody asked.
    pub(crate) is_greeted: bool,
    /// The game was told that it is greeted.
    pub(crate) is_told: bool,
    /// Why its connection ends, once it does.
    pub(crate) ending: Option<Box<Ending>>,
    /// When it was heard last, in packets of all peers.
    pub(crate) heard: u64,
    pub(crate) session: Session,
    pub(crate) score: Score,
    pub(crate) counts: Counts,
    packets: Bucket,
    bytes: Bucket,
    pub(crate) control: Bucket,
    pub(crate) reports: Bucket,
    messages: Buckets,
    pub(crate) own: Own,
    pub(crate) sent: BTreeMap<u16, SendRing>,
    pub(crate) got: BTreeMap<u16, ReceiveRing>,
    pub(crate) waiting: WaitingBatches,
    /// When the oldest of them was queued.
    pub(crate) waits_since: u64,
    /// Reliable messages that wait for the handshake.
    pub(crate) early: WaitingBatches,
}

/// Holds what both sides say of this session.
#[derive(Debug, Default)]
pub(crate) struct Session {
    pub(crate) own: u32,
    /// Theirs, once it was said.
    pub(crate) theirs: Option<u32>,
    /// Whether it has said our number.
    pub(crate) knows_us: bool,
    pub(crate) begun_at: u64,
    pub(crate) hello_at: Option<u64>,
    /// Whether our handshake went out at all.
    pub(crate) is_hello_out: bool,
    pub(crate) is_answer_due: bool,
    /// The packets that were taken for those of the session before.
    excused: u8,
}

impl Session {
    /// Begins a session with a number of its own. It is never 0, which stands for none.
    pub(crate) fn draw(seed: &mut u64, now: u64) -> Session {
        // SplitMix64: a sequence without repetition, of which the caller's seed says where it begins.
        *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = *seed;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Session::new(u32::try_from((mixed ^ (mixed >> 31)) >> 32).unwrap_or_default().max(1), now)
    }

    fn new(own: u32, now: u64) -> Session {
        Session { own, begun_at: now, ..Session::default() }
    }

    /// Tells whether a packet can be one of the session before.
    pub(crate) const fn excuses(&mut self, now: u64, time: u64, most: u8) -> bool {
        self.excused = self.excused.saturating_add(1);
        now.saturating_sub(self.begun_at) < time && self.excused <= most
    }

    pub(crate) fn numbers(&self) -> Sessions {
        Sessions { own: self.own, other: self.theirs.unwrap_or(0) }
    }
}

/// Holds the budgets of what we send.
#[derive(Debug, Default)]
pub(crate) struct Own {
    packets: Bucket,
    bytes: Bucket,
    states: Bucket,
    messages: Buckets,
}

/// Holds a budget for each message with a rate. They are made by the first message: one for each id.
#[derive(Debug, Default)]
struct Buckets(Vec<Bucket>);

impl Buckets {
    fn get(&mut self, table: &Table, id: u16, since: u64) -> Option<&mut Bucket> {
        if self.0.is_empty() {
            self.0 = (1..=table.largest_id())
                .map(|id| table.message(id).and_then(|message| message.rate))
                .map(|rate| full(rate, since))
                .collect();
        }
        self.0.get_mut(usize::from(id).checked_sub(1)?)
    }

    const fn kept_bytes(&self) -> usize {
        self.0.len().saturating_mul(size_of::<Bucket>())
    }
}

fn full(rate: Option<Rate>, now: u64) -> Bucket {
    Bucket::full(rate.unwrap_or(Rate::per_second(0, 0)), now)
}

/// Lets the largest packet be saved up: it could never be sent otherwise.
fn with_burst(rate: Rate, most: usize) -> Rate {
    Rate { burst: rate.burst.max(u32::try_from(most).unwrap_or(u32::MAX)), ..rate }
}

fn whole(size: usize) -> u64 {
    u64::try_from(size).unwrap_or(u64::MAX)
}

impl Own {
    fn new(policy: &Policy, now: u64) -> Own {
        Own {
            packets: full(policy.own_packets, now),
            bytes: full(policy.own_bytes, now),
            states: full(policy.state_bytes, now),
            messages: Buckets::default(),
        }
    }

    /// Takes a message from the budget that the receiver holds as well.
    pub(crate) fn may_send(&mut self, table: &Table, id: u16, rate: Option<Rate>, now: u64) -> bool {
        let Some(rate) = rate else { return true };
        self.messages.get(table, id, now).is_some_and(|bucket| bucket.take(rate, 1, now))
    }

    /// Takes a packet from the budget, or says what there is too much of.
    pub(crate) fn may_carry(
        &mut self,
        policy: &Policy,
        size: usize,
        now: u64,
    ) -> Result<(), (&'static str, Rate)> {
        if let Some(rate) = policy.own_packets
            && !self.packets.take(rate, 1, now)
        {
            return Err(("packets", rate));
        }
        match policy.own_bytes {
            Some(rate) if !self.bytes.take(rate, whole(size), now) => Err(("bytes", rate)),
            _ => Ok(()),
        }
    }

    /// Returns the bytes of a packet with a state that the budget has room for.
    pub(crate) fn room_for_states(&mut self, policy: &Policy, most: usize, now: u64) -> usize {
        let Some(rate) = policy.state_bytes else { return usize::MAX };
        usize::try_from(self.states.left(with_burst(rate, most), now)).unwrap_or(usize::MAX)
    }

    /// Takes a packet with a state from the budget.
    pub(crate) fn carry_state(&mut self, policy: &Policy, most: usize, size: usize, now: u64) {
        if let Some(rate) = policy.state_bytes {
            self.states.drain(with_burst(rate, most), whole(size), now);
        }
    }

    /// Counts a packet that is sent in any case.
    pub(crate) fn carry(&mut self, policy: &Policy, size: usize, now: u64) {
        if let Some(rate) = policy.own_packets {
            self.packets.drain(rate, 1, now);
        }
        if let Some(rate) = policy.own_bytes {
            self.bytes.drain(rate, whole(size), now);
        }
    }
}

impl Peer {
    pub(crate) fn new(policy: &Policy, session: Session, now: u64) -> Peer {
        Peer {
            session,
            packets: full(policy.packets, now),
            bytes: full(policy.bytes, now),
            control: Bucket::full(policy.control, now),
            reports: Bucket::full(policy.reports, now),
            own: Own::new(policy, now),
            waits_since: now,
            ..Peer::default()
        }
    }

    /// Forgets what belonged to the session before. The score and the budgets of packets stay: a new session is no way out.
    pub(crate) fn begin_anew(&mut self, policy: &Policy, now: u64) {
        let own = self.session.own;
        self.session = Session { is_answer_due: self.session.is_answer_due, ..Session::new(own, now) };
        (self.is_greeted, self.is_told) = (false, false);
        self.messages = Buckets::default();
        self.own = Own::new(policy, now);
        self.sent.clear();
        self.got.clear();
        self.waiting = WaitingBatches::default();
        self.early = WaitingBatches::default();
    }

    pub(crate) const fn listens(&self) -> bool {
        self.is_connected && self.is_greeted && self.ending.is_none()
    }

    pub(crate) fn may_send_packet(&mut self, policy: &Policy, size: usize, now: u64, stall: u64) -> bool {
        let packets = policy.packets.is_none_or(|rate| self.packets.take_after(rate, 1, now, stall));
        packets && policy.bytes.is_none_or(|rate| self.bytes.take_after(rate, whole(size), now, stall))
    }

    /// Takes a message from the budget of its kind.
    pub(crate) fn may_send_message(&mut self, table: &Table, id: u16, now: u64, stall: u64) -> bool {
        let Some(Message { rate: Some(rate), mode, .. }) = table.message(id) else { return true };
        let bunched = if *mode == Mode::Reliable { BUNCHED } else { 0 };
        let bucket = self.messages.get(table, id, self.session.begun_at);
        bucket.is_some_and(|bucket| bucket.take_after(*rate, 1, now, stall.saturating_add(bunched)))
    }

    /// Returns the bytes that are kept for this peer beside this struct.
    pub(crate) fn kept_bytes(&self) -> usize {
        let sent = self.sent.values().map(SendRing::kept_bytes);
        let got = self.got.values().map(ReceiveRing::kept_bytes);
        let states = sent.chain(got).fold(0, usize::saturating_add);
        let buckets = self.messages.kept_bytes().saturating_add(self.own.messages.kept_bytes());
        let waiting = self.waiting.bytes().saturating_add(self.early.bytes());
        states.saturating_add(buckets).saturating_add(waiting)
    }
}
