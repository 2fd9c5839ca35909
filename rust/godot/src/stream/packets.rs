//! Packets: values that wait for their peer, in turn. It knows no values.

use std::collections::VecDeque;

use godot::builtin::PackedByteArray;

use super::peer::Peer;
use crate::call::problem::Problem;

pub(crate) struct Packets {
    peer: Peer,
    queue: VecDeque<PackedByteArray>,
    /// INVARIANT: the bytes in `queue`.
    waiting: usize,
}

impl Packets {
    pub(crate) const fn new(peer: Peer) -> Packets {
        Packets { peer, queue: VecDeque::new(), waiting: 0 }
    }

    /// Bytes that wait.
    pub(crate) const fn waiting(&self) -> usize {
        self.waiting
    }

    /// Takes a packet over: it is sent now, or waits. Fails if there is no connection, or the peer would never take it.
    pub(crate) fn post(&mut self, packet: PackedByteArray) -> Result<(), Problem> {
        let is_open = self.peer.is_open()?;
        self.peer.check_size(packet.len())?;
        let is_sent = is_open && self.queue.is_empty() && self.peer.send(&packet)?;
        if !is_sent {
            self.waiting += packet.len();
            self.queue.push_back(packet);
        }
        Ok(())
    }

    /// Sends those of the waiting packets that can go. Without a connection it fails, and all go on waiting. If the peer refuses a
    /// packet, it fails with what the peer says, and drops that packet, so that it is not in the way of the next.
    pub(crate) fn send(&mut self) -> Result<(), Problem> {
        if self.queue.is_empty() || !self.peer.is_open()? {
            return Ok(());
        }
        while let Some(packet) = self.queue.front() {
            let sent = self.peer.send(packet);
            if matches!(sent, Ok(false)) {
                break;
            }
            self.waiting -= packet.len();
            self.queue.pop_front();
            sent?;
        }
        Ok(())
    }
}
