//! Tests the modules that `gdvar protocol rust` writes: they are compiled here, read and write every vector, and a server and a
//! client of one talk.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value as Json;
use variant_pack::Packer;
use variant_protocol::{Event, Mode, Policy, Table, To};
use variant_serde::{Limits, Rules, Vector2};

#[path = "../../../tests/protocol/arena.rs"]
#[rustfmt::skip]
mod arena;
#[path = "../../../tests/protocol/kinds.rs"]
#[rustfmt::skip]
mod kinds;
#[path = "../../../tests/protocol/words.rs"]
#[rustfmt::skip]
mod words;

use arena::{Arrival, ClientMessage, Message, Move, SendFailure, Server, ServerMessage, World};

fn gdvar(words: &[&str]) -> Vec<u8> {
    let output = Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args(words)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests"))
        .stdin(Stdio::null())
        .output()
        .expect("gdvar starts");
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

const PROTOCOLS: [(&str, &str); 3] = [
    ("arena", "cli/files/arena.protocol.json"),
    ("kinds", "protocol/kinds.json"),
    ("words", "protocol/words.json"),
];

/// With `BLESS=1` the modules are written anew; the tests below then compile those.
#[test]
fn the_modules_that_are_compiled_are_those_that_are_written() {
    for (name, protocol) in PROTOCOLS {
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.rs"));
        gdvar(&["protocol", "rust", protocol, "--out", out.to_str().expect("a path of text")]);
        let written = fs::read_to_string(out).expect("a readable file");
        let compiled = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/protocol/{name}.rs"));
        if std::env::var_os("BLESS").is_some() {
            fs::write(&compiled, &written).expect("a file can be written");
        }
        let was = fs::read_to_string(compiled).expect("a readable file");
        assert_eq!(was, written, "{name}: BLESS=1 writes it anew");
    }
}

/// A message is written as what it was read of.
fn come_back<M: Message + PartialEq + std::fmt::Debug>(table: &Table, protocol: &str) -> u32 {
    let vectors: Json =
        serde_json::from_slice(&gdvar(&["protocol", "vectors", protocol, "--count", "30"])).expect("JSON");
    let (mut packer, rules, mut count) = (Packer::new(), Rules::safe(Limits::network()), 0);
    for message in vectors["messages"].as_array().expect("a list") {
        let id = message["id"].as_u64().and_then(|id| u16::try_from(id).ok()).expect("an id");
        let layout = table.message(id).expect("a message").form.layout();
        for vector in message["accepted"].as_array().expect("a list") {
            let packed = bytes(vector["packed"].as_str().expect("a text"));
            let value = packer.unpack(layout, &packed, &rules).expect("an accepted value").to_vec();
            let Some(read) = M::read(id, &value) else { continue };
            let read =
                read.unwrap_or_else(|error| panic!("{protocol} {} {vector}: {error}", message["name"]));
            assert_eq!(read.id(), id);
            let written = read.write().expect("it was read");
            let again = packer
                .pack(layout, &written, &rules)
                .unwrap_or_else(|error| panic!("{vector}: {error}"))
                .to_vec();
            if again != packed {
                // Keys of a map come back in their order.
                let value = packer.unpack(layout, &again, &rules).expect("it was packed").to_vec();
                assert_eq!(M::read(id, &value).expect("the message").expect("a value"), read, "{vector}");
            }
            count += 1;
        }
    }
    count
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).expect("digits"));
    digits.map(|pair| u8::from_str_radix(pair, 16).expect("digits")).collect()
}

#[test]
fn every_vector_comes_back() {
    let [arena, kinds, words] =
        [arena::table(), kinds::table(), words::table()].map(|table| table.expect("a protocol"));
    let of_client = come_back::<ClientMessage>(&arena, PROTOCOLS[0].1);
    let of_server = come_back::<ServerMessage>(&arena, PROTOCOLS[0].1);
    let of_kinds = come_back::<kinds::ServerMessage>(&kinds, PROTOCOLS[1].1);
    let of_words = come_back::<words::ClientMessage>(&words, PROTOCOLS[2].1);
    println!("{of_client} {of_server} {of_kinds} {of_words}");
    assert!(of_client >= 50 && of_server >= 50 && of_kinds >= 200 && of_words >= 60);
    assert_eq!(arena.hash(), arena::PROTOCOL_HASH);
}

/// Delivers what both sides have to send.
struct Wire {
    server: arena::Server,
    client: arena::Client,
    now: u64,
    /// All that the client heard while both greeted.
    heard: Vec<Arrival<ServerMessage>>,
}

const CLIENT: i32 = 7;
const SERVER: i32 = 1;

impl Wire {
    fn new() -> Wire {
        let server = arena::Server::new(Policy::default(), 1).expect("a protocol");
        let client = arena::Client::new(Policy::for_client(), 2).expect("a protocol");
        let mut wire = Wire { server, client, now: 0, heard: Vec::new() };
        wire.server.protocol.connect(CLIENT, 0).expect("a client's id");
        wire.client.protocol.connect(SERVER, 0).expect("the server's id");
        for _ in 0..4 {
            wire.tick();
        }
        assert!(wire.server.protocol.is_greeted(CLIENT) && wire.client.protocol.is_greeted(SERVER));
        wire
    }

    fn tick(&mut self) {
        self.now += 100_000;
        let (mut there, mut back) = (Vec::new(), Vec::new());
        self.client
            .protocol
            .tick(self.now, &mut |_: i32, packet: &[u8], _: Mode| there.push(packet.to_vec()));
        self.server.protocol.tick(self.now, &mut |_: i32, packet: &[u8], _: Mode| back.push(packet.to_vec()));
        there.iter().for_each(|packet| drop(self.server_hears(packet)));
        for packet in back {
            let heard = self.client_hears(&packet);
            self.heard.extend(heard);
        }
    }

    fn server_hears(&mut self, packet: &[u8]) -> Vec<Arrival<ClientMessage>> {
        let mut incoming = self.server.protocol.open(CLIENT, packet, self.now).expect("a peer");
        let mut heard = Vec::new();
        while let Some(next) = self.server.next(packet, &mut incoming, self.now) {
            heard.extend(next);
        }
        heard
    }

    fn client_hears(&mut self, packet: &[u8]) -> Vec<Arrival<ServerMessage>> {
        let mut incoming = self.client.protocol.open(SERVER, packet, self.now).expect("the server");
        let mut heard = Vec::new();
        while let Some(next) = self.client.next(packet, &mut incoming, self.now) {
            heard.extend(next);
        }
        heard
    }
}

#[test]
fn a_server_and_a_client_talk_in_types() {
    let mut wire = Wire::new();
    let step = ClientMessage::Move(Move { seq: 65_535, dir: Vector2::new(0.0, 1.0), jump: true });
    let mut packets: Vec<Vec<u8>> = Vec::new();
    wire.client
        .send(&step, To::All, wire.now, &mut |_, packet, _| packets.push(packet.to_vec()))
        .expect("it is sent");
    assert_eq!(packets.len(), 1);
    let heard = wire.server_hears(&packets[0]);
    let [Arrival::Message(ClientMessage::Move(heard))] = &heard[..] else { panic!("{heard:?}") };
    assert!(heard.seq == 65_535 && heard.jump && (heard.dir.y - 1.0).abs() < 0.01, "{heard:?}");

    let state = ServerMessage::World(World { tick: 9, players: Vec::new() });
    packets.clear();
    wire.server
        .send(&state, To::All, wire.now, &mut |_, packet, _| packets.push(packet.to_vec()))
        .expect("it is sent");
    assert_eq!(wire.client_hears(&packets[0]), [Arrival::Message(state)]);
}

#[test]
fn what_the_schema_or_godot_refuses_is_not_sent() {
    let mut wire = Wire::new();
    let long = ClientMessage::Chat("x".repeat(81));
    let refused =
        wire.client.send(&long, To::All, wire.now, &mut |_, _, _| panic!("it is sent")).unwrap_err();
    assert!(matches!(&refused, SendFailure::Protocol(_)), "{refused}");
    let nul = ServerMessage::Chat("a\0b".to_owned());
    let refused = wire.server.send(&nul, To::All, wire.now, &mut |_, _, _| panic!("it is sent")).unwrap_err();
    assert!(matches!(&refused, SendFailure::Value(_)), "{refused}");
}

#[test]
fn what_happens_to_a_peer_and_what_is_refused_are_heard() {
    let mut wire = Wire::new();
    let greeted = Event::Greeted { peer: SERVER };
    assert!(wire.heard.contains(&Arrival::Event(greeted)), "{:?}", wire.heard);
    let mut incoming = wire.server.protocol.open(CLIENT, &[99, 1], wire.now).expect("a peer");
    let refusal = wire.server.next(&[99, 1], &mut incoming, wire.now).expect("a message").unwrap_err();
    assert_eq!(refusal.peer, CLIENT);
}

/// Serves a packet as `docs/OTHER_LANGUAGES.md` shows it.
fn serve<F: FnMut(u16, Vector2)>(
    (seed, now, packet): (u64, u64, &[u8]),
    (tick, players): (u32, Vec<arena::WorldPlayers>),
    carry: variant_protocol::Carry<'_>,
    mut walk: F,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut server = Server::new(Policy::default(), seed)?;
    server.protocol.connect(7, now)?;
    let mut incoming = server.protocol.open(7, packet, now)?;
    while let Some(heard) = server.next(packet, &mut incoming, now) {
        match heard {
            Ok(Arrival::Message(ClientMessage::Move(step))) => walk(step.seq, step.dir),
            Ok(Arrival::Message(ClientMessage::Chat(text))) => println!("{text}"),
            Ok(Arrival::Event(event)) => println!("{event:?}"),
            Err(refusal) => println!("{refusal}"),
        }
    }
    server.send(&ServerMessage::World(World { tick, players }), To::All, now, carry)?;
    Ok(())
}

/// Tests that the lines of the page are those above, which are compiled.
#[test]
fn the_page_shows_what_is_compiled() {
    let _compiled = serve::<fn(u16, Vector2)>;
    let page = include_str!("../../../docs/OTHER_LANGUAGES.md");
    let block = page.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block");
    let shown =
        block.lines().skip_while(|line| !line.is_empty()).map(str::trim).filter(|line| !line.is_empty());
    let own: Vec<&str> = include_str!("rust_modules.rs").lines().map(str::trim).collect();
    let shown: Vec<&str> = shown.collect();
    assert!(shown.len() > 5, "{shown:?}");
    assert!(own.windows(shown.len()).any(|lines| lines == shown), "{shown:#?}");
}
