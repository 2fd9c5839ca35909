//! Serves many Godot clients over TCP. Each sends moves with `StreamPeerTCP` and `put_var()`, and is
//! answered so that `get_var()` reads it. A message that is refused ends no connection; a client that sends
//! nothing else is let go.
//!
//! ```gdscript
//! stream.put_var({"seq": 7, "at": Vector3(0, 1, 0)})
//! var answer: Dictionary = stream.get_var()  # {"ack": 7, "height": 1.0}
//! ```

use futures_util::{SinkExt, StreamExt};
use serde::{Deserialize, Serialize};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::codec::Framed;
use variant_serde::{Codec, Limits, Rules, TransportError, Vector3};

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

/// Messages of one client that may be refused.
const PATIENCE: u32 = 20;

/// A move is some 60 bytes.
#[must_use]
pub const fn rules() -> Rules {
    Rules::safe(Limits { max_bytes: 1024, ..Limits::network() })
}

/// Answers all who come, each on its own task.
///
/// # Errors
/// When nobody can come any more.
pub async fn serve(listener: TcpListener) -> std::io::Result<()> {
    loop {
        let (client, address) = listener.accept().await?;
        tokio::spawn(async move {
            if let Err(broken) = play(client).await {
                eprintln!("{address}: {broken}");
            }
        });
    }
}

async fn play(client: TcpStream) -> Result<(), TransportError> {
    let mut messages = Framed::new(client, Codec::<Move>::new(rules()));
    let mut refused = 0;
    while let Some(message) = messages.next().await {
        match message? {
            Ok(step) => messages.send(&Ack { ack: step.seq, height: step.at.y }).await?,
            Err(error) => {
                // A line for each would be what a flood wants.
                if refused == 0 {
                    eprintln!("refused: {error}");
                }
                refused += 1;
                if refused > PATIENCE {
                    break;
                }
            }
        }
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
#[allow(dead_code, reason = "the tests call `serve` instead")]
async fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:4600").await?;
    println!("listening on {}", listener.local_addr()?);
    serve(listener).await
}
