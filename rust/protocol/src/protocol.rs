//! Holds the protocol of one side: its table, its peers, and what it does about those that misbehave.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::peer::{Counts, Peer};
use crate::refusal::{Detail, Reason, Refusal};
use crate::score::{Offence, Policy};
use crate::table::Table;

/// The id that Godot gives the server.
pub const SERVER: i32 = 1;

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
    /// At once: the game compares hashes on its own way.
    None,
}

/// Receives and sends the messages of a table. It does no input or output and reads no clock: packets and the
/// time in microseconds are given to it.
#[derive(Debug)]
pub struct Protocol {
    pub(crate) table: Table,
    pub(crate) role: Role,
    pub(crate) handshake: Handshake,
    pub(crate) policy: Policy,
    /// In the order of their ids. Strangers choose theirs, which a hash table would have to be guarded against.
    pub(crate) peers: BTreeMap<i32, Box<Peer>>,
    /// The strangers by when they were heard last, so that the quietest is forgotten first.
    strangers: BTreeMap<u64, i32>,
    heard: u64,
    pub(crate) counts: Counts,
    /// Whether values of messages are judged here.
    pub(crate) judges: bool,
}

impl Protocol {
    /// Makes a protocol without peers.
    #[must_use]
    pub fn new(table: Table, role: Role, handshake: Handshake, policy: Policy) -> Protocol {
        Protocol {
            table,
            role,
            handshake,
            policy,
            peers: BTreeMap::new(),
            strangers: BTreeMap::new(),
            heard: 0,
            counts: Counts::default(),
            judges: true,
        }
    }

    /// Leaves it to the caller to judge the values of messages by their schemas, such as while it builds something of them.
    /// Values that the caller refuses are to be given to [`refuse_value`](Protocol::refuse_value). States are judged here nevertheless:
    /// others are made of them.
    pub const fn leave_judging(&mut self) {
        self.judges = false;
    }

    /// Returns the table.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
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

    /// Says that the transport connected a peer. It is kept until [`forget`](Protocol::forget).
    pub fn connect(&mut self, peer: i32, now: u64) {
        let is_greeted = self.handshake == Handshake::None;
        let known =
            self.peers.entry(peer).or_insert_with(|| Box::new(Peer::new(&self.policy, is_greeted, now)));
        known.is_connected = true;
        self.strangers.remove(&known.heard);
    }

    /// Forgets a peer and all that was kept for it.
    pub fn forget(&mut self, peer: i32) {
        if let Some(known) = self.peers.remove(&peer) {
            self.strangers.remove(&known.heard);
        }
    }

    /// Believes that a peer has the same table: its handshake was checked elsewhere.
    pub fn greet(&mut self, peer: i32) {
        if let Some(known) = self.peers.get_mut(&peer) {
            known.is_greeted = true;
        }
    }

    /// Lists the peers that messages for all go to: connected, greeted and not thrown out.
    pub fn listeners(&self) -> impl Iterator<Item = i32> {
        let listens = |peer: &Peer| peer.is_connected && peer.is_greeted && !peer.is_expelled;
        self.peers.iter().filter(move |(_, peer)| listens(peer)).map(|(id, _)| *id)
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

    /// Returns the score of one peer in thousandths of a point.
    pub fn score(&mut self, peer: i32, now: u64) -> u64 {
        let Some(known) = self.peers.get_mut(&peer) else { return 0 };
        known.score.fade(&self.policy, now);
        known.score.milli_points()
    }

    /// Returns the number of peers that are kept, connected or not.
    #[must_use]
    pub fn peer_count(&self) -> usize {
        self.peers.len()
    }

    #[cfg(test)]
    pub(crate) fn strangers_kept(&self) -> usize {
        self.strangers.len()
    }

    /// Returns the bytes of the struct that is kept for each peer.
    #[must_use]
    pub const fn peer_struct_bytes() -> usize {
        size_of::<Peer>()
    }

    /// Returns the bytes that are kept for all peers beside one struct of fixed size each.
    #[must_use]
    pub fn kept_bytes(&self) -> usize {
        self.peers.values().map(|peer| peer.kept_bytes()).fold(0, usize::saturating_add)
    }

    /// Hears a packet of a peer, and takes it from the peer's budget: all checks that need no byte of it. A stranger is
    /// taken in, and the quietest one makes room.
    pub(crate) fn admit(&mut self, peer: i32, size: usize, now: u64) -> Option<Offence> {
        let Protocol { peers, policy, handshake, strangers, heard, counts, .. } = self;
        let known = match peers.entry(peer) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(_) if policy.most_strangers == 0 => return Some(Offence::UnknownPeer),
            Entry::Vacant(place) => {
                let is_greeted = *handshake == Handshake::None;
                place.insert(Box::new(Peer::new(policy, is_greeted, now)))
            }
        };
        *heard = heard.saturating_add(1);
        if !known.is_connected {
            strangers.remove(&known.heard);
            strangers.insert(*heard, peer);
            known.heard = *heard;
        }
        counts.take_in(size);
        known.counts.take_in(size);
        let offence = if known.is_expelled {
            Some(Offence::Expelled)
        } else if size > policy.most_packet_bytes {
            Some(Offence::OverLimit)
        } else {
            (!known.may_send_packet(policy, size, now)).then_some(Offence::RateLimited)
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
        let (mut expel, mut tell) = (false, true);
        if let Some(known) = self.peers.get_mut(&peer) {
            known.counts.refuse(offence);
            let is_over = known.score.add(&self.policy, offence, now);
            expel = is_over && !known.is_expelled;
            tell = known.may_be_told(&self.policy, now);
            if expel {
                known.is_expelled = true;
            }
        }
        Refusal { peer, message, offence, detail, expel, tell }
    }

    /// Counts a message whose value the caller refused, as if it had been refused here. `sent` is what
    /// [`Incoming::sent`](crate::Incoming::sent) said of it. The detail says what the schema has against it, if it is that.
    pub fn refuse_value(&mut self, peer: i32, id: u16, sent: &[u8], now: u64) -> Refusal {
        let own = self.peers.get_mut(&peer).map(|peer| &mut peer.counts);
        for counts in [Some(&mut self.counts), own].into_iter().flatten() {
            counts.messages = counts.messages.saturating_sub(1);
        }
        let judged = self.table.message(id).map(|message| message.form.unpack(sent, &mut Vec::new()));
        let reason = match judged {
            Some(Err(unfit)) => crate::receive::unfit_of(id, unfit),
            _ => Reason::of(id, Offence::Refused),
        };
        self.refuse(peer, reason, now)
    }

    /// Counts what the game itself holds against a peer: a value that a check of its own refused.
    pub fn report(&mut self, peer: i32, message: Option<u16>, offence: Offence, now: u64) -> Refusal {
        self.refuse(peer, Reason { message, offence, detail: Detail::None }, now)
    }
}
