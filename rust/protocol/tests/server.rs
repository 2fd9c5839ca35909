//! Runs the example server: with a client in Rust and hostile ones, and with a client in a real engine.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use variant_core::{Limits, Rules, ToValue, Value, Walker};
use variant_protocol::{Counts, Event, Form, Handshake, Mode, Offence, Policy, Protocol, Role, Spec};

#[path = "../examples/server.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is an example of its own")]
mod server;

const MOVES: i64 = 40;
const PATIENCE: Duration = Duration::from_secs(60);

fn arena() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cli/files/arena.protocol.json")
}

/// Starts the server in a thread; it ends when its last client has left.
fn start() -> (SocketAddr, JoinHandle<(u64, Counts)>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let text = std::fs::read_to_string(arena()).expect("a readable file");
    let server = thread::spawn(move || server::serve(&listener, &text, true).expect("it serves"));
    (address, server)
}

fn refused(counts: &Counts, offence: Offence) -> u64 {
    let at = Offence::ALL.iter().position(|other| *other == offence).expect("it is listed");
    counts.refused[at]
}

fn framed(packet: &[u8]) -> Vec<u8> {
    [&u32::try_from(packet.len()).expect("short").to_le_bytes()[..], packet].concat()
}

/// A client that speaks the protocol over a blocking stream.
struct Client {
    stream: TcpStream,
    protocol: Protocol,
    begun: Instant,
    is_greeted: bool,
    deltas: u32,
    world: Option<Value>,
}

impl Client {
    fn connect(address: SocketAddr) -> Client {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let text = std::fs::read_to_string(arena()).expect("a readable file");
        let rules = Rules::safe(Limits::network());
        let table = Spec::from_json(&text).unwrap().table(|schema| Form::of(schema, &rules)).unwrap();
        let mut protocol = Protocol::new(table, Role::Client, Handshake::Hello, Policy::for_client(), 1);
        protocol.connect(1, 0).expect("the server's id");
        Client { stream, protocol, begun: Instant::now(), is_greeted: false, deltas: 0, world: None }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_micros()).expect("not so long")
    }

    fn packet(&mut self) -> Vec<u8> {
        let mut length = [0; 4];
        self.stream.read_exact(&mut length).expect("a packet in time");
        let mut packet = vec![0; u32::from_le_bytes(length) as usize];
        self.stream.read_exact(&mut packet).expect("a whole packet");
        packet
    }

    /// Takes one packet, and sends back what is due.
    fn step(&mut self) {
        let (packet, now) = (self.packet(), self.now());
        self.deltas += u32::from(packet[0] == 3 && packet[3] != 0);
        let mut incoming = self.protocol.open(1, &packet, now).expect("the server sends what is allowed");
        let mut value = Vec::new();
        while let Some(event) = self.protocol.next(&packet, &mut incoming, &mut value) {
            match event.expect("the server sends what is allowed") {
                Event::Greeted { .. } => self.is_greeted = true,
                Event::State { .. } => {
                    let rules = Rules::safe(Limits::network());
                    self.world =
                        Walker::new().decode(&value, &rules, &mut ToValue).ok().map(|(value, _)| value);
                }
                _ => {}
            }
        }
        self.tick();
    }

    fn tick(&mut self) {
        let (now, mut due) = (self.now(), Vec::new());
        self.protocol.tick(now, &mut |_: i32, packet: &[u8], _: Mode| due.extend(framed(packet)));
        self.stream.write_all(&due).expect("the server reads");
    }

    fn walk(&mut self, seq: i64) {
        let step = Value::from([
            ("seq", Value::Int(seq)),
            ("dir", Value::Vector2([0.0_f32, 1.0].into())),
            ("jump", Value::Bool(false)),
        ]);
        let mut packet = Vec::new();
        let id = self.protocol.table().id("move").expect("a message");
        self.protocol.encode(id, &step.encode().expect("a value"), &mut packet).expect("it is allowed");
        self.stream.write_all(&framed(&packet)).expect("the server reads");
    }

    /// Where our player stands: the only one, or the one with the smallest id.
    fn height(&self) -> Option<f64> {
        match &self.world.as_ref()?["players"][0]["pos"] {
            Value::Vector2(pos) => Some(pos.to_f64()[1]),
            _ => None,
        }
    }
}

/// Sends one thing over and over until the server lets go of it.
fn attack(address: SocketAddr, bytes: &[u8]) {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    for _ in 0..200 {
        if stream.write_all(bytes).is_err() {
            break;
        }
        thread::sleep(Duration::from_millis(1));
    }
    // The connection ends: what comes until then is the server's handshake.
    let mut rest = Vec::new();
    if let Err(error) = stream.read_to_end(&mut rest) {
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "{error}");
    }
}

#[test]
fn a_client_is_served_among_hostile_ones() {
    let (address, server) = start();
    let mut client = Client::connect(address);
    client.tick();
    while !client.is_greeted {
        client.step();
    }
    let unknown = framed(&[99, 1, 2, 3]);
    let early = framed(&[1, 0, 0, 0, 0, 0]);
    let endless = [&u32::MAX.to_le_bytes()[..], &[7; 40]].concat();
    let hostile: Vec<_> = [unknown, early, endless]
        .into_iter()
        .map(|bytes| thread::spawn(move || attack(address, &bytes)))
        .collect();
    for seq in 0..MOVES {
        client.walk(seq);
        client.step();
        thread::sleep(Duration::from_millis(20));
    }
    while client.height() != Some(MOVES as f64) {
        client.step();
    }
    assert!(client.deltas > 10, "{} deltas", client.deltas);
    hostile.into_iter().for_each(|hostile| hostile.join().expect("it was let go"));
    drop(client);
    let (moves, counts) = server.join().expect("the server ends");
    assert_eq!(moves, MOVES as u64);
    assert!(refused(&counts, Offence::UnknownMessage) >= 20, "{counts:?}");
    // In the first second they cost no points.
    assert!(refused(&counts, Offence::NotGreeted) >= 20, "{counts:?}");
    assert_eq!(refused(&counts, Offence::Refused), 0, "{counts:?}");
}

/// A headless engine plays, and attacks over a second connection: see godot_project/tests/protocol/rust_client.gd.
#[test]
#[ignore = "needs a Godot 4: cargo xtask test"]
fn the_engine_plays_on_it() {
    let godot = std::env::var_os("VARIANT_GODOT").expect("VARIANT_GODOT names an engine");
    let (address, server) = start();
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../godot_project");
    let mut engine = Command::new(godot);
    engine.args(["--headless", "--no-header", "--path"]).arg(project);
    engine.args(["-s", "res://tests/protocol/rust_client.gd", "--"]);
    engine.arg(format!("--port={}", address.port())).arg(format!("--protocol={}", arena().display()));
    let outcome = engine.output().expect("the engine runs");
    let told = String::from_utf8_lossy(&[outcome.stdout, outcome.stderr].concat()).into_owned();
    assert!(outcome.status.success(), "{told}");
    assert!(!told.contains("ERROR"), "{told}");
    let (moves, counts) = server.join().expect("the server ends");
    assert!(told.contains(&format!("{moves} moves")) && moves >= 40, "{moves} moves came; {told}");
    assert!(refused(&counts, Offence::UnknownMessage) >= 20, "{counts:?}");
    assert!(refused(&counts, Offence::Refused) + refused(&counts, Offence::OverLimit) == 0, "{counts:?}");
}
