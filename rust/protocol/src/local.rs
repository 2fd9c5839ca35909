//! Hands messages to the very side that sends them, as if they had travelled.

use crate::protocol::Protocol;
use crate::refusal::SendError;

impl Protocol {
    /// Appends what a receiver would make of a value to `out`: packing may leave less of its numbers. Both are in Godot's binary
    /// format. Nothing is sent, and nobody's direction is asked about.
    ///
    /// # Errors
    /// The message is unknown, or the value is not what the receiver accepts.
    pub fn as_received(&mut self, id: u16, value: &[u8], out: &mut Vec<u8>) -> Result<(), SendError> {
        let Protocol { table, packer, .. } = self;
        let message = table.message(id).ok_or(SendError::UnknownMessage)?;
        let mut packed = Vec::new();
        let made = message.form.pack(packer, value, &mut packed);
        Ok(made.and_then(|()| message.form.unpack(packer, &packed, out))?)
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{hp, table};
    use crate::{Handshake, Policy, Protocol, Role, SendError};

    #[test]
    fn a_side_hears_of_itself_what_a_receiver_would() {
        let mut server = Protocol::new(table(), Role::Server, Handshake::Hello, Policy::default(), 1);
        let mut out = Vec::new();
        // The message is one of clients: on the server it is the host who plays.
        server.as_received(1, &hp(5), &mut out).unwrap();
        assert_eq!(out, hp(5));
        assert!(matches!(server.as_received(1, &hp(201), &mut Vec::new()), Err(SendError::Unfit(_))));
        assert_eq!(server.as_received(99, &hp(5), &mut Vec::new()), Err(SendError::UnknownMessage));
    }
}
