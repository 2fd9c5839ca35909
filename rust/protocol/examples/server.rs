//! Serves an arena to Godot clients over TCP: a dedicated server without the engine, in one file and one thread.
//!
//! ```text
//! cargo run -p variant-protocol --example server -- arena.protocol.json 7779
//! ```
//! Each packet has its length in front, 4 bytes, little-endian: that is what `PacketPeerStream` of Godot reads and writes.
//! Port 0 takes any that is free; the line `listening on PORT` names it. With a third argument the server ends when the last
//! of its clients has left, and prints what it counted. `tests/server.rs` runs it with clients in Rust and in Godot.

use std::collections::BTreeMap;
use std::collections::hash_map::RandomState;
use std::error::Error;
use std::hash::{BuildHasher, Hasher};
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use variant_core::{Limits, Rules, ToValue, Value, Walker};
use variant_protocol::{
    Counts, Event, Form, Handshake, LeaveReason, Mode, Policy, Protocol, Refusal, Role, Spec, To,
};

/// The bytes that may wait for a client that does not read. With more it is let go.
const MOST_WAITING: usize = 1 << 20;
/// The clients at a time: as many as fit a state.
const MOST_CLIENTS: usize = 16;
const FRAME: Duration = Duration::from_millis(5);
/// The frames between two states.
const FRAMES_OF_STATE: u64 = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, port, ..] = arguments.as_slice() else {
        return Err("name the protocol's file and a port".into());
    };
    let listener = TcpListener::bind(("127.0.0.1", port.parse::<u16>()?))?;
    println!("listening on {}", listener.local_addr()?.port());
    let (moves, counts) = serve(&listener, &std::fs::read_to_string(path)?, arguments.len() > 2)?;
    println!("{moves} moves, {} messages, {} refused", counts.messages, counts.all_refused());
    Ok(())
}

/// Serves the protocol of this text, for ever or until the last client has left. Returns how many moves came, and all counts.
pub fn serve(listener: &TcpListener, text: &str, ends: bool) -> Result<(u64, Counts), Box<dyn Error>> {
    listener.set_nonblocking(true)?;
    let mut server = Server::new(text)?;
    let mut frame = 0_u64;
    loop {
        server.accept(listener)?;
        server.receive();
        server.send(frame)?;
        frame += 1;
        if ends && server.next_id > FIRST_ID && server.clients.is_empty() {
            return Ok((server.moves, server.protocol.counts()));
        }
        std::thread::sleep(FRAME);
    }
}

/// The first client's id: 1 is the server's.
const FIRST_ID: i32 = 2;

struct Server {
    protocol: Protocol,
    rules: Rules,
    begun: Instant,
    clients: BTreeMap<i32, Client>,
    next_id: i32,
    moves: u64,
}

struct Client {
    stream: TcpStream,
    incoming: Vec<u8>,
    outgoing: Vec<u8>,
    is_leaving: bool,
    pos: [f32; 2],
}

impl Server {
    fn new(text: &str) -> Result<Server, Box<dyn Error>> {
        let rules = Rules::safe(Limits::network());
        let table = Spec::from_json(text)?.table(|schema| Form::of(schema, &rules))?;
        // Its sessions are told from those of the server that ran here before: hash tables are seeded at random.
        let seed = RandomState::new().build_hasher().finish();
        let protocol = Protocol::new(table, Role::Server, Handshake::Hello, Policy::default(), seed);
        let (begun, clients) = (Instant::now(), BTreeMap::new());
        Ok(Server { protocol, rules, begun, clients, next_id: FIRST_ID, moves: 0 })
    }

    fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn accept(&mut self, listener: &TcpListener) -> Result<(), Box<dyn Error>> {
        loop {
            let (stream, _) = match listener.accept() {
                Ok(accepted) => accepted,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                // One connection that failed is no reason to leave the others.
                Err(error) => {
                    eprintln!("a client could not connect: {error}");
                    return Ok(());
                }
            };
            if self.clients.len() >= MOST_CLIENTS {
                continue;
            }
            stream.set_nonblocking(true)?;
            stream.set_nodelay(true)?;
            let now = self.now();
            self.protocol.connect(self.next_id, now)?;
            let (incoming, outgoing) = (Vec::new(), Vec::new());
            let client = Client { stream, incoming, outgoing, is_leaving: false, pos: [0.0, 0.0] };
            self.clients.insert(self.next_id, client);
            self.next_id += 1;
        }
    }

    /// Reads what came, packet by packet.
    fn receive(&mut self) {
        let ids: Vec<i32> = self.clients.keys().copied().collect();
        for id in ids {
            let most = self.protocol.policy().most_packet_bytes;
            let Some(client) = self.clients.get_mut(&id) else { continue };
            client.read();
            while let Some(packet) = self.clients.get_mut(&id).and_then(|client| client.packet(most)) {
                self.take(id, &packet);
            }
        }
    }

    fn take(&mut self, id: i32, packet: &[u8]) {
        let now = self.now();
        let mut incoming = match self.protocol.open(id, packet, now) {
            Ok(incoming) => incoming,
            Err(refusal) => return self.refused(&refusal),
        };
        let mut value = Vec::new();
        while let Some(event) = self.protocol.next(packet, &mut incoming, &mut value) {
            match event {
                Ok(Event::Message { id: message }) => self.heard(id, message, &value),
                Ok(event) => self.happened(&event),
                Err(refusal) => self.refused(&refusal),
            }
        }
    }

    /// Takes note of who is there and who is gone.
    fn happened(&mut self, event: &Event) {
        match event {
            Event::Greeted { peer } => println!("client {peer} has the same messages"),
            Event::Mismatched { peer, mismatch } => println!("client {peer}: {mismatch}"),
            Event::Left { peer, reason, .. } => {
                println!("client {peer} left: {}", reason.name());
                if reason.must_close() {
                    self.clients.entry(*peer).and_modify(|client| client.is_leaving = true);
                }
            }
            _ => {}
        }
    }

    /// Does what a message asks for. The schema was checked: what is missing here would be a mistake of the protocol's file.
    fn heard(&mut self, id: i32, message: u16, value: &[u8]) {
        let Ok((value, _)) = Walker::new().decode(value, &self.rules, &mut ToValue) else { return };
        let name = self.protocol.table().message(message).map(|message| message.name.clone());
        match name.as_deref() {
            Some("move") => {
                self.moves += 1;
                if let (Some(client), Value::Vector2(dir)) = (self.clients.get_mut(&id), &value["dir"]) {
                    let dir = dir.to_f64();
                    for (pos, dir) in client.pos.iter_mut().zip(dir) {
                        *pos = (*pos + dir as f32).clamp(-512.0, 512.0);
                    }
                }
            }
            Some("chat") => println!("client {id} says {value}"),
            _ => {}
        }
    }

    fn refused(&mut self, refusal: &Refusal) {
        let message = refusal.message.and_then(|id| self.protocol.table().message(id));
        if refusal.tell {
            println!("client {}: {}", refusal.peer, refusal.words(message.map(|message| &*message.name)));
        }
    }

    /// Sends the state to all, what is due to each, and lets those go that left.
    fn send(&mut self, frame: u64) -> Result<(), Box<dyn Error>> {
        let now = self.now();
        let mut packets: Vec<(i32, Vec<u8>)> = Vec::new();
        let mut carry = |peer: i32, packet: &[u8], _: Mode| packets.push((peer, packet.to_vec()));
        self.protocol.tick(now, &mut carry);
        if frame.is_multiple_of(FRAMES_OF_STATE)
            && let Some(world) = self.protocol.table().id("world")
        {
            let state = state(frame, &self.clients).encode()?;
            self.protocol.send_state(world, &state, To::All, now, &mut carry)?;
        }
        while let Some(event) = self.protocol.event() {
            self.happened(&event);
        }
        for (peer, packet) in packets {
            if let Some(client) = self.clients.get_mut(&peer) {
                client.outgoing.extend(u32::try_from(packet.len())?.to_le_bytes());
                client.outgoing.extend(packet);
            }
        }
        self.clients.values_mut().for_each(Client::write);
        let gone: Vec<i32> =
            self.clients.iter().filter(|(_, client)| client.is_leaving).map(|(id, _)| *id).collect();
        for id in gone {
            self.clients.remove(&id);
            self.protocol.leave(id, LeaveReason::Closed);
        }
        Ok(())
    }
}

fn state(frame: u64, clients: &BTreeMap<i32, Client>) -> Value {
    let players = clients.iter().map(|(id, client)| {
        let pos = Value::Vector2(client.pos.into());
        Value::from([("id", Value::Int(i64::from(*id % 64))), ("pos", pos), ("hp", Value::Int(100))])
    });
    let tick = i64::try_from(frame & 0xFFFF_FFFF).unwrap_or(0);
    Value::from([("tick", Value::Int(tick)), ("players", Value::from(players.collect::<Vec<_>>()))])
}

impl Client {
    fn read(&mut self) {
        let mut bytes = [0; 4096];
        // What a flood sends beyond this waits in its own connection.
        for _ in 0..16 {
            match self.stream.read(&mut bytes) {
                Ok(0) => self.is_leaving = true,
                Ok(count) => {
                    self.incoming.extend_from_slice(&bytes[..count]);
                    continue;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(_) => self.is_leaving = true,
            }
            return;
        }
    }

    /// Cuts off the next packet. A length that no packet has ends the connection: what follows could not be told apart.
    fn packet(&mut self, most: usize) -> Option<Vec<u8>> {
        let (length, rest) = self.incoming.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
        if length > most {
            self.is_leaving = true;
            self.incoming.clear();
            return None;
        }
        let packet = rest.get(..length)?.to_vec();
        self.incoming.drain(..length + 4);
        Some(packet)
    }

    fn write(&mut self) {
        while !self.outgoing.is_empty() {
            match self.stream.write(&self.outgoing) {
                Ok(count) if count > 0 => drop(self.outgoing.drain(..count)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                _ => {
                    self.is_leaving = true;
                    return;
                }
            }
        }
        self.is_leaving |= self.outgoing.len() > MOST_WAITING;
    }
}
