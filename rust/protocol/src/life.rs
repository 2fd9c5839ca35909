//! Lets peers come and go: connections, handshakes, ends, and what the game is told of them.

use crate::event::{Ending, Event, LeaveReason, WrongPeer};
use crate::hello::{Mismatch, Sessions};
use crate::outside::Outside;
use crate::peer::{Peer, Session};
use crate::protocol::{Handshake, Protocol, Role, SERVER};
use crate::score::Policy;

/// The most events that wait. A caller who takes none has no use for more.
const MOST_EVENTS: usize = 1 << 16;
/// A session that says "I do not know you" so soon after its beginning said that before it knew us.
const SETTLED: u64 = 1_000_000;
/// The most bytes of a text that says why a peer was kicked.
const MOST_TEXT: usize = 255;

impl Protocol {
    /// Says that the transport connected a peer. It is kept until [`leave`](Protocol::leave), or until the protocol itself ends
    /// its connection. Nothing changes for one that is connected already.
    ///
    /// # Errors
    /// No peer can have this id, or the peer was thrown out.
    pub fn connect(&mut self, peer: i32, now: u64) -> Result<(), WrongPeer> {
        let now = self.pass(now);
        self.check_id(peer)?;
        if self.outside.stays_out(peer, now) {
            return Err(WrongPeer::StaysOut(peer));
        }
        self.outside.remove(peer);
        // What the server relays was greeted by the server: clients do not shake hands.
        let is_believed = self.handshake == Handshake::None || (self.role == Role::Client && peer != SERVER);
        let known = self.taken_in(peer, now);
        if known.is_connected {
            return Ok(());
        }
        known.is_connected = true;
        known.is_greeted |= is_believed;
        known.session.begun_at = now;
        let heard = known.heard;
        self.strangers.remove(&heard);
        self.tell_greeted(peer);
        Ok(())
    }

    /// Says that the transport lost a peer. All that was kept for it is forgotten.
    pub fn leave(&mut self, peer: i32, reason: LeaveReason) {
        self.outside.closed(peer);
        self.remove(peer, reason);
    }

    /// Sends a peer away. The other side is told the reason with the next [`tick`](Protocol::tick), and the game with the one
    /// after it, which is when its connection is to be ended.
    pub fn kick(&mut self, peer: i32, text: &str) {
        self.end(peer, LeaveReason::Kicked, text);
    }

    /// Compares with the transport's list of peers: who is not there any more leaves, and who is new is connected. Returns those
    /// whose connections the caller has to end, since they are out.
    pub fn compare(&mut self, there: &[i32], now: u64) -> Vec<i32> {
        let is_gone = |id: i32, peer: &Peer| peer.is_connected && !there.contains(&id);
        let gone: Vec<i32> =
            self.peers.iter().filter(|(id, peer)| is_gone(**id, peer)).map(|(id, _)| *id).collect();
        for peer in gone {
            self.leave(peer, LeaveReason::Closed);
        }
        self.outside.keep_there(there);
        let mut to_close = Vec::new();
        for peer in there {
            if self.outside.has(*peer) {
                to_close.push(*peer);
            } else if !self.peers.get(peer).is_some_and(|known| known.is_connected) {
                // Ids that no peer can have are the transport's business.
                let _ = self.connect(*peer, now);
            }
        }
        to_close
    }

    /// Changes the side, such as when the multiplayer peer changes. All peers leave, and everything begins anew.
    pub fn set_role(&mut self, role: Role, policy: Policy) {
        let peers: Vec<i32> = self.peers.keys().copied().collect();
        for peer in peers {
            self.remove(peer, LeaveReason::Closed);
        }
        (self.role, self.policy) = (role, policy);
        self.outside = Outside::default();
    }

    /// Believes that a peer has the same table: its handshake was checked elsewhere.
    pub fn greet(&mut self, peer: i32) {
        if let Some(known) = self.peers.get_mut(&peer) {
            known.is_greeted = true;
            self.tell_greeted(peer);
        }
    }

    /// Returns the handshake for a peer, where the game carries it itself. The peer counts as a stranger until it is connected.
    ///
    /// # Errors
    /// No peer can have this id.
    pub fn hello_to(&mut self, peer: i32, now: u64) -> Result<Vec<u8>, WrongPeer> {
        let now = self.pass(now);
        self.check_id(peer)?;
        let session = &mut self.taken_in(peer, now).session;
        (session.is_hello_out, session.hello_at) = (true, Some(now));
        let numbers = session.numbers();
        Ok(self.table.hello(numbers.own, numbers.other))
    }

    /// Returns the next event that belongs to no packet. [`next`](Protocol::next) gives those that wait before its own.
    pub fn event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Says that a packet to a peer could not be carried. While the handshake is not over, it is due again, and the time for it
    /// begins anew.
    pub fn not_carried(&mut self, peer: i32, now: u64) {
        let now = self.pass(now);
        if let Some(known) = self.peers.get_mut(&peer)
            && !known.is_greeted
        {
            known.session.hello_at = None;
            known.session.is_hello_out = false;
            known.session.begun_at = now;
        }
    }

    fn check_id(&self, peer: i32) -> Result<(), WrongPeer> {
        match self.role {
            Role::Server if peer <= SERVER => Err(WrongPeer::NoClient(peer)),
            Role::Client if peer < SERVER => Err(WrongPeer::NoPeer(peer)),
            _ => Ok(()),
        }
    }

    /// Returns a peer, which is a stranger if nobody named it.
    fn taken_in(&mut self, peer: i32, now: u64) -> &mut Peer {
        let Protocol { peers, policy, seed, .. } = self;
        peers.entry(peer).or_insert_with(|| Box::new(Peer::new(policy, Session::draw(seed, now), now)))
    }

    /// Takes note of what a handshake says.
    pub(crate) fn hello(
        &mut self,
        peer: i32,
        said: Result<Sessions, Mismatch>,
        now: u64,
    ) -> Result<(), Mismatch> {
        let Protocol { peers, policy, .. } = self;
        let Some(known) = peers.get_mut(&peer) else { return Ok(()) };
        let said = match said {
            Ok(said) => said,
            Err(Mismatch::NotAHello) => return Err(Mismatch::NotAHello),
            Err(mismatch) => {
                // Whatever was agreed on before does not hold any more.
                (known.is_greeted, known.is_told) = (false, false);
                // Strangers can be any number of ids: who they are is told once they are connected.
                if known.is_connected {
                    self.put_event(Event::Mismatched { peer, mismatch: Box::new(mismatch.clone()) });
                }
                self.end(peer, LeaveReason::OtherVersion, "");
                return Err(mismatch);
            }
        };
        let is_other = known.session.theirs.is_some_and(|theirs| theirs != said.own);
        let is_settled = now.saturating_sub(known.session.begun_at) >= SETTLED;
        let forgot_us = known.session.knows_us && said.other == 0 && is_settled;
        if is_other || forgot_us {
            let was_told = known.is_told;
            known.begin_anew(policy, now);
            if was_told {
                self.put_event(Event::Left { peer, reason: LeaveReason::Rejoined, text: "".into() });
            }
        }
        if let Some(known) = self.peers.get_mut(&peer) {
            known.session.theirs = Some(said.own);
            known.session.knows_us |= said.other == known.session.own;
            known.is_greeted = true;
        }
        self.tell_greeted(peer);
        Ok(())
    }

    fn tell_greeted(&mut self, peer: i32) {
        let Some(known) = self.peers.get_mut(&peer) else { return };
        if known.listens() && !known.is_told {
            known.is_told = true;
            self.put_event(Event::Greeted { peer });
        }
    }

    /// Begins to end a connection. The first reason counts.
    pub(crate) fn end(&mut self, peer: i32, reason: LeaveReason, text: &str) {
        let Some(known) = self.peers.get_mut(&peer) else { return };
        if known.ending.is_none() {
            let text = text.get(..text.floor_char_boundary(MOST_TEXT)).unwrap_or_default().into();
            known.ending = Some(Box::new(Ending { reason, text, is_said: false, is_theirs: false }));
        }
    }

    /// Forgets a peer, and tells the game if it knew of it.
    pub(crate) fn remove(&mut self, peer: i32, reason: LeaveReason) {
        let Some(known) = self.peers.remove(&peer) else { return };
        self.strangers.remove(&known.heard);
        let (reason, text) = known.ending.map_or((reason, "".into()), |ending| (ending.reason, ending.text));
        if known.is_connected {
            self.put_event(Event::Left { peer, reason, text });
        }
    }

    /// Forgets a peer whose connection is to be ended, and puts it out.
    pub(crate) fn put_out(&mut self, peer: i32, now: u64) {
        let ending = self.peers.get(&peer).and_then(|known| known.ending.as_ref());
        let Some((reason, is_theirs)) = ending.map(|ending| (ending.reason, ending.is_theirs)) else {
            return;
        };
        self.outside.put(peer, reason.is_ban() && !is_theirs, &self.policy, now);
        self.remove(peer, reason);
    }

    /// Ends what has to end, and lets those come back who were out for long enough.
    pub(crate) fn age(&mut self, now: u64) {
        self.outside.purge(now);
        let asks = self.handshake != Handshake::None;
        let Some(patience) = self.policy.greet_timeout.filter(|_| asks) else { return };
        let is_silent = |peer: &Peer| {
            let waited = now.saturating_sub(peer.session.begun_at);
            peer.is_connected && !peer.is_greeted && waited >= patience
        };
        let silent: Vec<i32> =
            self.peers.iter().filter(|(_, peer)| is_silent(peer)).map(|(id, _)| *id).collect();
        for peer in silent {
            self.end(peer, LeaveReason::Silent, "");
        }
    }

    pub(crate) fn put_event(&mut self, event: Event) {
        if self.events.len() >= MOST_EVENTS {
            self.events.pop_front();
        }
        self.events.push_back(event);
    }
}
