//! Holds the protocol of one side: its table, its peers, and what it does about those that misbehave.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use variant_pack::Packer;

use crate::bucket::Bucket;
use crate::event::{Event, LeaveReason};
use crate::outside::Outside;
use crate::peer::{Counts, Peer, Session};
use crate::pieces::ReadPieces;
use crate::refusal::{Detail, Reason, Refusal};
use crate::score::{Offence, Policy};
use crate::table::Table;

/// The id that Godot gives the server.
pub const SERVER: i32 = 1;

/// A longer time without a call is a stall: a level loads, or the machine sleeps.
const STALL: u64 = 250_000;
/// Packets that came in a stall may be handed over within this time after it.
const AFTER_STALL: u64 = 500_000;
/// In this time after the beginning of a session, so many packets of the one before are no fault.
const FRESH: u64 = 1_000_000;
const MOST_EXCUSED: u8 = 16;

/// Says which side of the game this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// It hears clients.
    Server,
    /// It hears the server, and other clients where messages are relayed.
    Client,
}

/// Says when a peer is believed to have the same table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Handshake {
    /// After its handshake. Nothing else is taken before.
    Hello,
    /// After its handshake, which the game carries itself: [`hello_to`](Protocol::hello_to) and
    /// [`take_hello`](Protocol::take_hello).
    Auth,
    /// At once: the game compares hashes on its own way.
    None,
}

/// Receives and sends the messages of a table. It does no input or output, reads no clock and draws no random numbers: packets,
/// the time in microseconds and a seed are given to it.
#[derive(Debug)]
pub struct Protocol {
    pub(crate) table: Table,
    pub(crate) role: Role,
    pub(crate) handshake: Handshake,
    pub(crate) policy: Policy,
    pub(crate) seed: u64,
    pub(crate) packer: Packer,
    /// The bases of differences, as they were read.
    pub(crate) read: ReadPieces,
    /// In the order of their ids. Strangers choose theirs, which a hash table would have to be guarded against.
    pub(crate) peers: BTreeMap<i32, Box<Peer>>,
    /// The strangers by when they were heard last, so that the quietest is forgotten first.
    pub(crate) strangers: BTreeMap<u64, i32>,
    pub(crate) outside: Outside,
    pub(crate) events: VecDeque<Event>,
    /// The peers and states of several parts of which some came.
    pub(crate) due_states: BTreeSet<(i32, u16)>,
    heard: u64,
    pub(crate) counts: Counts,
    /// The messages without a handler that were told.
    unhandled: BTreeSet<u16>,
    /// How often refusals of those are told that are no peers.
    reports: Bucket,
    clock: Clock,
}

/// Knows when it was called last, and whether that was long ago. Its time never goes back: where the caller's clock does, it
/// goes on from where it was.
#[derive(Clone, Copy, Debug, Default)]
struct Clock {
    last: Option<u64>,
    /// The time by which the caller's clock went back.
    behind: u64,
    /// The length of the last stall.
    stall: u64,
    /// Until when it is forgiven.
    until: u64,
}

impl Protocol {
    /// Makes a protocol without peers. `seed` has to be random: the numbers of its sessions begin there, by which another side
    /// sees that this one began anew.
    #[must_use]
    pub fn new(table: Table, role: Role, handshake: Handshake, policy: Policy, seed: u64) -> Protocol {
        Protocol {
            table,
            role,
            handshake,
            reports: Bucket::full(policy.reports, 0),
            policy,
            seed,
            packer: Packer::new(),
            read: ReadPieces::default(),
            peers: BTreeMap::new(),
            strangers: BTreeMap::new(),
            outside: Outside::default(),
            events: VecDeque::new(),
            due_states: BTreeSet::new(),
            heard: 0,
            counts: Counts::default(),
            unhandled: BTreeSet::new(),
            clock: Clock::default(),
        }
    }

    /// Leaves it to the caller to judge the values of messages by their schemas, such as while it builds something of them, but
    /// for those that [`is_value_complete`](Protocol::is_value_complete) tells of. Values that the caller refuses are to be
    /// given to [`refuse_value`](Protocol::refuse_value). States are judged here nevertheless: others are made of them.
    pub const fn leave_judging(&mut self) {
        self.packer.fills = true;
    }

    /// Tells whether the value that came last needs no other look: the schema accepts it, and its defaults are in it.
    #[must_use]
    pub const fn is_value_complete(&self) -> bool {
        self.packer.is_complete()
    }

    /// Returns the table.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the side.
    #[must_use]
    pub const fn role(&self) -> Role {
        self.role
    }

    /// Returns the policy.
    #[must_use]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Replaces the policy. Scores and budgets of the peers stay.
    pub fn set_policy(&mut self, policy: Policy) {
        self.policy = policy;
    }

    /// Lists the peers that messages for all go to: connected, greeted and not on their way out.
    pub fn listeners(&self) -> impl Iterator<Item = i32> {
        self.peers.iter().filter(move |(_, peer)| peer.listens()).map(|(id, _)| *id)
    }

    /// Tells whether the handshake of a peer was accepted.
    #[must_use]
    pub fn is_greeted(&self, peer: i32) -> bool {
        self.peers.get(&peer).is_some_and(|peer| peer.is_greeted)
    }

    /// Returns the counts of all peers together, those that were forgotten included.
    #[must_use]
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// Returns the counts of one peer.
    #[must_use]
    pub fn peer_counts(&self, peer: i32) -> Option<Counts> {
        self.peers.get(&peer).map(|peer| peer.counts)
    }

    /// Returns the points of one peer.
    pub fn score(&mut self, peer: i32, now: u64) -> f64 {
        let now = self.pass(now);
        let Some(known) = self.peers.get_mut(&peer) else { return 0.0 };
        known.score.fade(&self.policy, now);
        known.score.points()
    }

    /// Returns the number of peers that are kept, connected or not.
    #[must_use]
    pub fn peer_count(&self) -> usize {
        self.peers.len()
    }

    /// Returns the bytes of the struct that is kept for each peer.
    #[must_use]
    pub const fn peer_struct_bytes() -> usize {
        size_of::<Peer>()
    }

    /// Returns the bytes that are kept for all peers beside one struct of fixed size each, those that are out included.
    #[must_use]
    pub fn kept_bytes(&self) -> usize {
        let peers = self.peers.values().map(|peer| peer.kept_bytes()).fold(0, usize::saturating_add);
        peers.saturating_add(self.outside.kept_bytes())
    }

    /// Takes note of the time, and of a stall that ends now. Returns the time that everything here is counted in.
    pub(crate) fn pass(&mut self, now: u64) -> u64 {
        let clock = &mut self.clock;
        let last = clock.last.unwrap_or(now);
        let mut time = now.saturating_add(clock.behind);
        if time < last {
            clock.behind = last.saturating_sub(now);
            time = last;
        }
        clock.last = Some(time);
        let gap = time.saturating_sub(last);
        if gap > STALL {
            clock.stall = gap;
            clock.until = time.saturating_add(AFTER_STALL);
            // Handshakes could not be heard meanwhile.
            for peer in self.peers.values_mut().filter(|peer| !peer.is_greeted) {
                peer.session.begun_at = peer.session.begun_at.saturating_add(gap);
            }
        }
        time
    }

    /// Returns the time for which peers may have saved up packets, since nobody took them.
    pub(crate) fn stall(&self, now: u64) -> u64 {
        if now < self.clock.until { self.clock.stall.min(self.policy.forgive_stall) } else { 0 }
    }

    /// Hears a packet of a peer, and takes it from the peer's budget: all checks that need no byte of it. A stranger is
    /// taken in, and the quietest one makes room.
    pub(crate) fn admit(&mut self, peer: i32, size: usize, now: u64) -> Option<Offence> {
        let stall = self.stall(now);
        let Protocol { peers, policy, strangers, heard, counts, outside, seed, .. } = self;
        let known = match peers.entry(peer) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(_) if outside.has(peer) => return Some(Offence::Expelled),
            Entry::Vacant(_) if policy.most_strangers == 0 => return Some(Offence::UnknownPeer),
            Entry::Vacant(place) => place.insert(Box::new(Peer::new(policy, Session::draw(seed, now), now))),
        };
        *heard = heard.saturating_add(1);
        if !known.is_connected {
            strangers.remove(&known.heard);
            strangers.insert(*heard, peer);
            known.heard = *heard;
        }
        counts.take_in(size);
        known.counts.take_in(size);
        let offence = if known.ending.is_some() {
            Some(Offence::Expelled)
        } else if size > policy.most_packet_bytes {
            Some(Offence::OverLimit)
        } else {
            (!known.may_send_packet(policy, size, now, stall)).then_some(Offence::RateLimited)
        };
        if strangers.len() > policy.most_strangers
            && let Some((_, quietest)) = strangers.pop_first()
        {
            peers.remove(&quietest);
        }
        offence
    }

    /// Counts a message that was accepted, or a state that came late.
    pub(crate) fn count(&mut self, peer: i32, pick: impl Fn(&mut Counts) -> &mut u64) {
        let own = self.peers.get_mut(&peer).map(|peer| &mut peer.counts);
        for counts in [Some(&mut self.counts), own].into_iter().flatten() {
            let count = pick(counts);
            *count = count.saturating_add(1);
        }
    }

    /// Counts an offence against its peer, and says what to do about it.
    pub(crate) fn refuse(&mut self, peer: i32, reason: Reason, now: u64) -> Refusal {
        let Reason { message, offence, detail } = reason;
        self.counts.refuse(offence);
        let (mut expel, mut tell) = (false, false);
        if let Some(known) = self.peers.get_mut(&peer) {
            known.counts.refuse(offence);
            let excuse = match offence {
                // They can be of the session before, or on their way while our handshake is.
                Offence::NotGreeted | Offence::FalseAck => {
                    known.session.excuses(now, FRESH, MOST_EXCUSED) || now < self.clock.until
                }
                // A stall that is longer than forgiven is not the peer's fault either.
                Offence::RateLimited => {
                    now < self.clock.until && self.clock.stall > self.policy.forgive_stall
                }
                _ => false,
            };
            expel = !excuse && known.score.add(&self.policy, offence, now) && known.ending.is_none();
            tell = known.reports.take(self.policy.reports, 1, now);
        } else if offence != Offence::Expelled {
            tell = self.reports.take(self.policy.reports, 1, now);
        }
        if expel {
            self.end(peer, LeaveReason::ThrownOut, "");
        }
        Refusal { peer, message, offence, detail, expel, tell }
    }

    /// Counts a message whose value the caller refused, as if it had been refused here. `sent` is what
    /// [`Incoming::sent`](crate::Incoming::sent) said of it. The detail says what the schema has against it, if it is that.
    pub fn refuse_value(&mut self, peer: i32, id: u16, sent: &[u8], now: u64) -> Refusal {
        let now = self.pass(now);
        let own = self.peers.get_mut(&peer).map(|peer| &mut peer.counts);
        for counts in [Some(&mut self.counts), own].into_iter().flatten() {
            counts.messages = counts.messages.saturating_sub(1);
        }
        let Protocol { table, packer, .. } = self;
        let judged = table.message(id).map(|message| message.form.unpack(packer, sent, &mut Vec::new()));
        let reason = match judged {
            Some(Err(rejection)) => Reason::unfit(id, rejection),
            _ => Reason::of(id, Offence::Refused),
        };
        self.refuse(peer, reason, now)
    }

    /// Counts what the game itself holds against a peer: a value that a check of its own refused.
    pub fn report(&mut self, peer: i32, message: Option<u16>, offence: Offence, now: u64) -> Refusal {
        let now = self.pass(now);
        self.refuse(peer, Reason { message, offence, detail: Detail::None }, now)
    }

    /// Counts a message that nothing handled, and tells whether it is the first of its id: worth a word.
    pub fn unhandled(&mut self, peer: i32, id: u16) -> bool {
        self.count(peer, |counts| &mut counts.unhandled);
        self.unhandled.insert(id)
    }
}
