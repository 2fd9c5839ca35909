//! Hands messages to the side that sends them: the host who plays, and a player who is alone.

use variant_protocol::{Role, SERVER, Sender};

use super::arriving::Origin;
use super::sending::{EncodedMessage, Peers};
use super::{ArrivedValue, Host, Slot, errors};
use crate::call::problem::Problem;

impl Host {
    /// Tells whether a message of this name is for this side itself, whose id is `own`. Those of clients are for the server,
    /// those of the server for all who play, and those of both for everybody.
    pub(crate) fn is_for_itself(&mut self, name: &str, peers: Peers, own: i32) -> bool {
        let role = self.role;
        let Some(slot) = self.slot_of(name).filter(|slot| slot.is_local) else { return false };
        let is_meant = match peers {
            Peers::One(peer) => peer == own,
            Peers::AllBut(left_out) => left_out != Some(own),
        };
        is_meant && (slot.sender != Sender::Client || role == Role::Server)
    }

    /// Tells whether a message of this name that is for this side goes to nobody else: the server has no other server.
    pub(crate) fn is_for_itself_alone(&mut self, name: &str, peers: Peers) -> bool {
        let role = self.role;
        let is_of_clients = self.slot_of(name).is_some_and(|slot| slot.sender == Sender::Client);
        role == Role::Server && (is_of_clients || peers == Peers::One(SERVER))
    }

    fn slot_of(&mut self, name: &str) -> Option<&Slot> {
        let id = self.protocol().ok()?.table().id(name)?;
        self.running.as_ref()?.slot(id)
    }

    /// Returns a value as its receiver would have it, and its handler.
    pub(crate) fn received_here(
        &mut self,
        value: &EncodedMessage,
        own: i32,
    ) -> Result<ArrivedValue, Problem> {
        let mut bytes = Vec::new();
        let made = self.protocol()?.as_received(value.id, value.bytes.as_slice(), &mut bytes);
        made.map_err(|error| errors::of_send(&error, &value.name))?;
        let origin = Origin { peer: own, id: value.id, size: value.bytes.len(), is_state: false };
        let arrived = self.running.as_ref().and_then(|running| running.arrived(origin, bytes, Vec::new()));
        arrived.ok_or_else(|| super::unknown_name(&value.name))
    }
}
