//! Serves Godot clients over UDP, without ENet: each datagram is one value, as `PacketPeerUDP.put_var()`
//! sends it, and the answer is one. Nothing is kept of a client, so that there is nothing to fill up.
//!
//! ```gdscript
//! peer.put_var({"seq": 7, "at": Vector3(0, 1, 0)})
//! var answer: Dictionary = peer.get_var()  # {"ack": 7, "height": 1.0}
//! ```

use std::net::UdpSocket;

use serde::{Deserialize, Serialize};
use variant_serde::{Limits, Reader, Rules, Vector3, Writing};

/// Holds the message that a client sends.
#[derive(Serialize, Deserialize, Debug)]
pub struct Move {
    /// Its number, which the answer names.
    pub seq: u32,
    /// Where to.
    pub at: Vector3,
}

/// Holds the answer to it.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
pub struct Ack {
    /// The move's number.
    pub ack: u32,
    /// How high that is.
    pub height: f32,
}

/// Answers every move that comes. Refusals are counted, and told once in a while.
///
/// # Errors
/// When the socket fails.
pub fn serve(socket: &UdpSocket) -> std::io::Result<()> {
    let mut reader = Reader::new(Rules::safe(Limits { max_bytes: 512, ..Limits::network() }));
    // One byte more than a datagram may have, to see that one has more.
    let (mut packet, mut answer) = ([0; 513], Vec::new());
    let mut refused = 0_u64;
    loop {
        let (count, client) = match socket.recv_from(&mut packet) {
            Ok(received) => received,
            // Where a client is gone, some systems say so here.
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => continue,
            Err(error) => return Err(error),
        };
        match reader.read::<Move>(&packet[..count]) {
            Ok(step) => {
                answer.clear();
                let ack = Ack { ack: step.seq, height: step.at.y };
                let written = variant_serde::append(&ack, &mut answer, &Writing::default());
                if written.is_ok() {
                    // A client that is gone is no error of the server's.
                    let _ = socket.send_to(&answer, client);
                }
            }
            Err(error) => {
                refused += 1;
                if refused.is_power_of_two() {
                    eprintln!("{refused} refused, the last one from {client}: {error}");
                }
            }
        }
    }
}

#[allow(dead_code, reason = "the tests call `serve` instead")]
fn main() -> std::io::Result<()> {
    let socket = UdpSocket::bind("127.0.0.1:4601")?;
    println!("listening on {}", socket.local_addr()?);
    serve(&socket)
}
