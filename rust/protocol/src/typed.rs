//! Sends and hears the messages of a protocol as Rust types. `gdvar protocol rust` writes the types; this is the part that all
//! such modules have. It opens no packets and knows no peers: that is [`Protocol`]'s part.

use std::fmt;
use std::marker::PhantomData;
use variant_core::Mistakes;

use serde::Deserialize;
use variant_serde::{Limits, Rules};

use crate::{
    Carry, Delivery, Event, Form, Handshake, Incoming, Offence, Policy, Protocol, Refusal, Role, SendError,
    Spec, Table, To,
};

/// The messages that one side sends.
pub trait Message: Sized {
    /// The protocol, as `VariantProtocol.to_json()` writes it.
    const PROTOCOL: &'static str;
    /// The side that sends them.
    const SENDER: Role;

    /// Returns the number of the message.
    fn id(&self) -> u16;
    /// Writes its value in Godot's format.
    fn write(&self) -> Result<Vec<u8>, variant_serde::Error>;
    /// Reads the value of the message with this number, if this side has it.
    fn read(id: u16, value: &[u8]) -> Option<Result<Self, variant_serde::Error>>;
}

fn rules() -> Rules {
    Rules::safe(Limits::network())
}

/// Makes the table of a protocol's messages.
pub fn table(protocol: &str) -> Result<Table, Mistakes> {
    Spec::from_json(protocol)?.table(|schema| Form::of(schema, &rules()))
}

/// Reads a value within the limits of networks.
pub fn read<'v, T: Deserialize<'v>>(value: &'v [u8]) -> Result<T, variant_serde::Error> {
    variant_serde::from_slice_with(value, &rules())
}

/// Reads a key that is there, and may be null.
pub fn there<'v, D: serde::Deserializer<'v>, T: Deserialize<'v>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// A side of the protocol: it sends `Out` and hears `In`.
#[derive(Debug)]
pub struct Side<Out, In> {
    /// The protocol, which takes care of peers, time and packets.
    pub protocol: Protocol,
    value: Vec<u8>,
    messages: PhantomData<fn(Out) -> In>,
}

/// Tells what a packet brought.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrival<In> {
    /// A message or a state.
    Message(In),
    /// Tells what became of a peer.
    Event(Event),
}

/// Says why a message was not sent.
#[derive(Debug)]
pub enum SendFailure {
    /// Godot cannot hold the value.
    Value(variant_serde::Error),
    /// The schema, a rate or a peer is against it.
    Protocol(SendError),
}

impl fmt::Display for SendFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SendFailure::Value(error) => error.fmt(f),
            SendFailure::Protocol(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SendFailure {}

impl<Out: Message, In: Message> Side<Out, In> {
    /// Makes the side that sends `Out`. The seed is a number that nobody can guess.
    pub fn new(policy: Policy, seed: u64) -> Result<Self, Mistakes> {
        let protocol = Protocol::new(table(Out::PROTOCOL)?, Out::SENDER, Handshake::Hello, policy, seed);
        Ok(Side { protocol, value: Vec::new(), messages: PhantomData })
    }

    /// Sends a message, or a state.
    pub fn send(
        &mut self,
        message: &Out,
        to: To<'_>,
        now: u64,
        carry: Carry<'_>,
    ) -> Result<Delivery, SendFailure> {
        let (id, value) = (message.id(), message.write().map_err(SendFailure::Value)?);
        let is_state = self.protocol.table().message(id).is_some_and(|message| message.state.is_some());
        let sent = match is_state {
            true => self.protocol.send_state(id, &value, to, now, carry),
            false => self.protocol.send(id, &value, to, now, carry),
        };
        sent.map_err(SendFailure::Protocol)
    }

    /// Returns the next message of a packet that `protocol.open()` began at `now`, or `None` at its end.
    pub fn next(
        &mut self,
        packet: &[u8],
        incoming: &mut Incoming,
        now: u64,
    ) -> Option<Result<Arrival<In>, Refusal>> {
        let event = match self.protocol.next(packet, incoming, &mut self.value)? {
            Ok(event) => event,
            Err(refusal) => return Some(Err(refusal)),
        };
        let (Event::Message { id } | Event::State { id, .. }) = event else {
            return Some(Ok(Arrival::Event(event)));
        };
        Some(match In::read(id, &self.value) {
            Some(Ok(message)) => Ok(Arrival::Message(message)),
            _ => Err(self.protocol.report(incoming.peer(), Some(id), Offence::Refused, now)),
        })
    }
}
