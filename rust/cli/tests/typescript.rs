//! Tests the modules that `gdvar protocol typescript` writes: every vector and the plain codec under Node, Deno and Bun, each
//! where it is there; a server in Rust that sends states, under Node. Without Node they say so and test nothing.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value as Json;
use variant_core::{Limits, Rules, Value};
use variant_protocol::{Form, Handshake, Offence, Policy, Protocol, Rate, Role, Spec, To};

use crate::bounds;

const ARENA: &str = "cli/files/arena.protocol.json";

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

fn has_node() -> bool {
    let has = Command::new("node").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !has {
        println!("skipped: Node is not installed");
    }
    has
}

/// The programs here that run JavaScript, each with its words before the file.
fn runtimes() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    let all: [(&str, &[&str]); 3] =
        [("node", &["--max-old-space-size=1500"]), ("deno", &["run", "--allow-all"]), ("bun", &[])];
    let is_there = |name: &str| Command::new(name).arg("--version").stdout(Stdio::null()).status().is_ok();
    all.into_iter().filter(move |(name, _)| is_there(name))
}

/// Runs a program of `tests/protocol` in each of them.
fn runs_everywhere(program: &str, words: &[&Path]) {
    for (name, options) in runtimes() {
        let mut command = Command::new(name);
        command.args(options).arg(tests().join("protocol").join(program)).args(words);
        let output = command.output().expect("it starts");
        let told = [output.stdout, output.stderr].concat();
        assert!(output.status.success(), "{name} {program} {words:?}: {}", String::from_utf8_lossy(&told));
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("typescript").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    // Node takes a file for a module of this kind where this says so.
    fs::write(folder.join("package.json"), "{\"type\": \"module\"}").expect("a file can be written");
    folder
}

fn gdvar(words: &[&str]) -> Vec<u8> {
    let output = Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args(words)
        .current_dir(tests())
        .stdin(Stdio::null())
        .output()
        .expect("gdvar starts");
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn module(protocol: &str, folder: &Path) -> PathBuf {
    let out = folder.to_str().expect("a path of text");
    gdvar(&["protocol", "typescript", protocol, "--out", out, "--name", "game"]);
    folder.join("game.js")
}

#[test]
fn modules_agree_with_all_vectors() {
    for (name, protocol) in [("arena", ARENA), ("kinds", "protocol/kinds.json")] {
        let folder = folder(name);
        let module = module(protocol, &folder);
        for seed in ["1", "2"] {
            let vectors = folder.join("vectors.json");
            let text = gdvar(&["protocol", "vectors", protocol, "--count", "40", "--seed", seed]);
            fs::write(&vectors, text).expect("a file can be written");
            runs_everywhere("agree.mjs", &[&module, &vectors]);
        }
    }
}

#[test]
fn modules_have_the_bounds_of_the_crates() {
    if !has_node() {
        return;
    }
    let folder = folder("bounds");
    let (module, vectors) = (module(bounds::PROTOCOL, &folder), folder.join("vectors.json"));
    fs::write(&vectors, bounds::vectors().to_string()).expect("a file can be written");
    let output = Command::new("node")
        .arg(tests().join("protocol/agree.mjs"))
        .args([&module, &vectors])
        .output()
        .expect("Node starts");
    let told = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&told));
}

#[test]
fn a_map_is_asked_by_what_is_in_its_keys() {
    let module = module("protocol/tiles.json", &folder("tiles"));
    runs_everywhere("keys.mjs", &[&module]);
}

/// The types take what a program has and refuse what it may not send: `use.ts` says which lines are errors.
#[test]
fn typescript_takes_the_types() {
    if Command::new("tsc").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("skipped: tsc is not installed");
        return;
    }
    let folder = folder("types");
    let out = folder.to_str().expect("a path of text");
    gdvar(&["protocol", "typescript", ARENA, "--out", out]);
    gdvar(&["protocol", "typescript", "protocol/kinds.json", "--out", out]);
    fs::copy(tests().join("protocol/use.ts"), folder.join("use.ts")).expect("a file can be copied");
    let words = ["--strict", "--noEmit", "--module", "nodenext", "--moduleResolution", "nodenext"];
    let output =
        Command::new("tsc").args(words).args(["--target", "es2022", "use.ts"]).current_dir(&folder).output();
    let output = output.expect("tsc starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// Values of engines come back as the same bytes, and hostile bytes are refused by the codec's own error.
#[test]
fn the_plain_codec_agrees_with_engines() {
    let folder = folder("variants");
    module(ARENA, &folder);
    runs_everywhere("variants.mjs", &[&folder.join("variant_stream.js"), &tests()]);
}

struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Client {
    fn start(module: &Path) -> (Client, Json) {
        let mut child = Command::new("node")
            .arg(tests().join("protocol/listen.mjs"))
            .arg(module)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Node starts");
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut client = Client { child, input, output };
        let first = client.answer();
        (client, first)
    }

    fn answer(&mut self) -> Json {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    fn hear(&mut self, packet: &[u8]) -> Json {
        let digits: String = packet.iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(self.input, "{digits}").expect("Node reads");
        self.answer()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn server() -> Protocol {
    server_of(1)
}

fn server_of(seed: u64) -> Protocol {
    server_by(ARENA, seed, Policy::default())
}

fn server_by(protocol: &str, seed: u64, policy: Policy) -> Protocol {
    let text = fs::read_to_string(tests().join(protocol)).expect("a readable file");
    let rules = Rules::safe(Limits::network());
    let table = Spec::from_json(&text).unwrap().table(|schema| Form::of(schema, &rules)).unwrap();
    let mut server = Protocol::new(table, Role::Server, Handshake::Hello, policy, seed);
    server.connect(7, 0).expect("a client's id");
    server
}

/// Gives the server what a client sent back.
fn reply(server: &mut Protocol, answer: &Json, now: u64) {
    for digits in answer["replies"].as_array().expect("a list") {
        let digits = digits.as_str().expect("digits");
        let packet: Vec<u8> = (0..digits.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("digits"))
            .collect();
        let mut incoming = server.open(7, &packet, now).expect("a packet");
        let mut value = Vec::new();
        while let Some(event) = server.next(&packet, &mut incoming, &mut value) {
            event.expect("the client sends nothing that is refused");
        }
    }
}

fn state(tick: i64) -> Value {
    let players = (0..8).map(|id| {
        let moved = if id == tick % 8 { tick } else { 0 };
        let pos = Value::Vector2([moved as f32, id as f32].into());
        Value::from([("id", Value::Int(id)), ("pos", pos), ("hp", Value::Int(100 - moved % 50))])
    });
    Value::from([("tick", Value::Int(tick)), ("players", Value::from(players.collect::<Vec<_>>()))])
}

#[test]
fn a_module_hears_the_states_of_a_server() {
    if !has_node() {
        return;
    }
    let (mut client, hello) = Client::start(&module(ARENA, &folder("states")));
    let mut server = server();
    reply(&mut server, &hello, 0);
    assert!(server.is_greeted(7));
    let (mut deltas, mut from_two, mut heard) = (0, 0, 0);
    for tick in 0..60_i64 {
        let now = u64::try_from(tick).expect("not negative") * 50_000;
        let mut packets = Vec::new();
        let value = state(tick).encode().expect("a value");
        let world = server.table().id("world").expect("a message");
        let mut carry = |_: i32, packet: &[u8], _: variant_protocol::Mode| packets.push(packet.to_vec());
        server.send_state(world, &value, To::One(7), now, &mut carry).expect("it is sent");
        server.tick(now, &mut carry);
        for packet in packets {
            // Some are lost.
            if packet[0] == 3 && tick % 5 == 3 {
                continue;
            }
            let answer = client.hear(&packet);
            assert_eq!(answer["error"], Json::Null, "tick {tick}: {answer}");
            if packet[0] == 3 {
                deltas += u32::from(packet[3] != 0);
                from_two += u32::from(packet[3] & 0x20 != 0);
                heard += 1;
                let value = &answer["heard"][0]["value"];
                assert_eq!(value["tick"], tick);
                let moved = &value["players"][usize::try_from(tick % 8).expect("small")];
                assert_eq!(moved["pos"][0].as_f64(), Some(tick as f64), "{value}");
            }
            reply(&mut server, &answer, now);
        }
    }
    assert!(heard >= 48 && deltas >= 45, "{deltas} of {heard} states were deltas");
    assert!(from_two >= 43, "{from_two} of {deltas} deltas were from two states");
    let answer = client.hear(&[3, 99, 0, 1, 0xFF]);
    assert!(answer["error"].is_string(), "{answer}");
    let answer = client.hear(&[1, 0, 0]);
    assert_eq!(answer["error"], "WRONG_DIRECTION");
}

/// A crowd of which each member says the tick, and some have a name.
fn crowd(tick: i64) -> Value {
    let members = (0..100).filter(|id| (id * 7 + tick / 9) % 5 < 2).map(|id| {
        let mut keys = std::collections::BTreeMap::from([("id", Value::Int(id)), ("at", Value::Int(tick))]);
        if id % 3 == 0 {
            keys.insert("name", Value::from(format!("{}", (id + tick) % 90)));
        }
        Value::from(keys)
    });
    Value::from([("tick", Value::Int(tick)), ("all", Value::from(members.collect::<Vec<_>>()))])
}

/// A protocol with a state of several parts.
const CROWD: &str = "protocol/crowd.json";

/// States of several parts, of which packets are lost: what is heard has each part as it was in a state that was sent.
#[test]
fn a_module_hears_parts_of_states() {
    if !has_node() {
        return;
    }
    let (mut client, hello) = Client::start(&module(CROWD, &folder("parts")));
    // So few bytes a tick that some parts wait.
    let policy = Policy { state_bytes: Some(Rate::per_second(700, 50)), ..Policy::default() };
    let mut server = server_by(CROWD, 1, policy);
    let parts = i64::from(server.table().parts(3));
    assert!(parts > 3, "{parts}");
    reply(&mut server, &hello, 0);
    let (mut heard, mut from_two, mut mixed) = (0, 0, 0);
    for tick in 1..500_i64 {
        let now = u64::try_from(tick).expect("not negative") * 50_000;
        for (at, packet) in sent(&mut server, 3, &crowd(tick), now).iter().enumerate() {
            // Some are lost.
            if packet[0] == 3 && (tick * 5 + i64::try_from(at).expect("small")) % 7 == 3 {
                continue;
            }
            from_two += u32::from(packet[0] == 3 && packet[3] & 0x20 != 0);
            let answer = client.hear(packet);
            assert_eq!(answer["error"], Json::Null, "tick {tick}: {answer}");
            reply(&mut server, &answer, now);
            let Some(value) = answer["heard"].get(0).map(|heard| &heard["value"]) else { continue };
            heard += 1;
            mixed += u32::from(is_of_states_that_were_sent(value, parts) > 1);
        }
    }
    assert!(heard > 480 && from_two > 240 && mixed > 10, "{heard} heard, {from_two} from two, {mixed} mixed");
    for packet in
        [&[3, 1, 0, 0, 0][..], &[3, 1, 0, 0, 3, 0], &[3, 1, 0, 0x80, 1], &[3, 32, 3, 0x21, 1, 0, 0, 1]]
    {
        assert!(client.hear(packet)["error"].is_string(), "{packet:?}");
    }
}

/// Returns of how many states the parts of a value are, each of which has to be that of one.
fn is_of_states_that_were_sent(value: &Json, parts: i64) -> usize {
    let all = value["all"].as_array().expect("a list");
    let mut ticks = std::collections::BTreeSet::new();
    for part in 0..parts {
        let mine: Vec<&Json> =
            all.iter().filter(|it| it["id"].as_i64().expect("an id") % parts == part).collect();
        // The first part has the tick as well; another one without members may be of any state.
        let tick = if part == 0 { Some(&value["tick"]) } else { mine.first().map(|it| &it["at"]) };
        let Some(tick) = tick.map(|tick| tick.as_i64().expect("a tick")) else { continue };
        let sent = crowd(tick);
        let Value::Array(sent) = &sent["all"] else { panic!("{sent:?}") };
        let wanted: Vec<i64> = sent
            .items
            .iter()
            .filter_map(|it| if let Value::Int(id) = it["id"] { Some(id) } else { None })
            .filter(|id| id % parts == part)
            .collect();
        let ids: Vec<i64> = mine.iter().map(|it| it["id"].as_i64().expect("an id")).collect();
        assert_eq!(ids, wanted, "part {part} of tick {tick}");
        for member in mine {
            assert_eq!(member["at"], tick, "part {part}");
            let id = member["id"].as_i64().expect("an id");
            let name = (id % 3 == 0).then(|| format!("{}", (id + tick) % 90));
            assert_eq!(member["name"].as_str(), name.as_deref());
        }
        ticks.insert(tick);
    }
    ticks.len()
}

/// Returns the packets of the next state.
fn sent(server: &mut Protocol, state: u16, value: &Value, now: u64) -> Vec<Vec<u8>> {
    let (mut packets, value) = (Vec::new(), value.encode().expect("a value"));
    let mut carry = |_: i32, packet: &[u8], _: variant_protocol::Mode| packets.push(packet.to_vec());
    server.send_state(state, &value, To::One(7), now, &mut carry).expect("it is sent");
    server.tick(now, &mut carry);
    packets
}

/// Lets a client hear ten states, a difference whose bases are others, and the next state. Returns the masks of what acknowledges
/// the tenth state and the last, of one group each.
fn masks_around_a_failure(
    client: &mut Client,
    server: &mut Protocol,
    value: impl Fn(i64) -> Value,
) -> [Vec<String>; 2] {
    let parts = server.table().parts(3);
    let group = if parts > 1 { usize::from(parts.div_ceil(8)) * 2 } else { 0 } + 8;
    let masks = |answer: &Json| {
        let replies =
            answer["replies"].as_array().expect("a list").iter().map(|reply| reply.as_str().expect("digits"));
        let groups = replies.flat_map(|reply| reply.as_bytes()[10..].chunks(group));
        groups
            .map(|group| String::from_utf8_lossy(&group[group.len() - 8..]).into_owned())
            .collect::<Vec<_>>()
    };
    let states = |server: &mut Protocol, value: &Value| {
        sent(server, 3, value, 50_000).into_iter().filter(|packet| packet[0] == 3).collect::<Vec<_>>()
    };
    let mut before = Vec::new();
    for tick in 1..=10 {
        for packet in states(server, &value(tick)) {
            let answer = client.hear(&packet);
            reply(server, &answer, 0);
            before = masks(&answer);
        }
    }
    let mut forged = states(server, &value(11)).swap_remove(0);
    assert_ne!(forged[3] & 31, 0, "a difference");
    let hash = forged.len().min(4 + usize::from(forged[3] >> 5 == 3) + (group - 8) / 2);
    forged[hash] ^= 1;
    let answer = client.hear(&forged);
    assert_eq!(
        (answer["error"].as_str(), answer["replies"].to_string()),
        (Some("BASELINE_MISMATCH"), "[\"000303\"]".into())
    );
    let next = states(server, &value(12));
    let answers = next
        .iter()
        .map(|packet| client.hear(packet))
        .inspect(|answer| assert_eq!(answer["error"], Json::Null));
    [before, answers.flat_map(|answer| masks(&answer)).collect()]
}

/// After a difference that failed no base from before is acknowledged again, so that the next one is from none of them: one may be
/// another than was sent.
#[test]
fn a_base_that_failed_is_acknowledged_no_more() {
    if !has_node() {
        return;
    }
    for (name, protocol, alone, value) in
        [("failed", ARENA, "00000000", state as fn(i64) -> Value), ("failed_parts", CROWD, "01000000", crowd)]
    {
        let (mut client, hello) = Client::start(&module(protocol, &folder(name)));
        let mut server = server_by(protocol, 1, Policy::default());
        reply(&mut server, &hello, 0);
        let [before, after] = masks_around_a_failure(&mut client, &mut server, value);
        assert!(!before.is_empty() && before.iter().all(|mask| mask != alone), "{before:?}");
        assert!(!after.is_empty() && after.iter().all(|mask| mask == alone), "{after:?}");
    }
}

/// A batch is heard around what is refused in it, as in Rust: what was acknowledged must not be lost.
#[test]
fn a_batch_gives_all_that_is_right_in_it() {
    if !has_node() {
        return;
    }
    let (mut client, _) = Client::start(&module(ARENA, &folder("batches")));
    let mut server = server();
    server.greet(7);
    let world = server.table().id("world").expect("a message");
    let mut states = Vec::new();
    for tick in 0..2 {
        let value = state(tick).encode().expect("a value");
        let mut carry = |_: i32, packet: &[u8], _: variant_protocol::Mode| states.push(packet.to_vec());
        server.send_state(world, &value, To::One(7), 0, &mut carry).expect("it is sent");
    }
    let count = |bytes: &[u8]| {
        let length = bytes.len();
        if length < 128 { vec![length as u8] } else { vec![(length & 127) as u8 | 128, (length >> 7) as u8] }
    };
    let framed = |bytes: &[u8]| [count(bytes), bytes.to_vec()].concat();
    let batch = [
        &[0, 4][..],
        &framed(&states[0]),
        // A message of the wrong direction, one of nobody's, and a batch in the batch.
        &framed(&[1, 0, 0]),
        &framed(&[99, 0]),
        &framed(&[0, 4]),
        &framed(&states[1]),
    ]
    .concat();
    let answer = client.hear(&batch);
    assert_eq!(answer["heard"].as_array().map(Vec::len), Some(2), "{answer}");
    assert_eq!(answer["heard"][1]["value"]["tick"], 1);
    assert_eq!(answer["replies"].as_array().map(Vec::len), Some(2), "both are acknowledged");
    assert_eq!(answer["error"], "WRONG_DIRECTION, UNKNOWN_MESSAGE, MALFORMED");
    // Longer forms of a count and empty messages are malformed, and so is what Rust calls that.
    for packet in
        [&[][..], &[0, 4, 0], &[0, 4, 0x82, 0x00, 99, 0], &[0, 4, 0x80], &[0, 4, 9, 1], &[0, 9], &[0]]
    {
        assert_eq!(client.hear(packet)["error"], "MALFORMED", "{packet:?}");
        let expected = if packet == [0, 9] { Offence::Foreign } else { Offence::Malformed };
        assert!(refusal(&mut server, packet).is_some_and(|it| it == expected), "{packet:?}");
    }
    // An id has one form, too.
    assert_eq!(client.hear(&[251, 0x80, 0x00, 1])["error"], "UNKNOWN_MESSAGE");
}

/// Returns what the server refuses in a packet of the same form.
fn refusal(server: &mut Protocol, packet: &[u8]) -> Option<Offence> {
    let mut incoming = server.open(7, packet, 1_000_000).ok()?;
    let mut value = Vec::new();
    std::iter::from_fn(|| server.next(packet, &mut incoming, &mut value))
        .find_map(Result::err)
        .map(|refusal| refusal.offence)
}

/// Sends a state, gives the client all that goes out unless it is lost, and returns the ticks of the states that it heard.
fn pass(server: &mut Protocol, client: &mut Client, tick: i64, is_lost: bool) -> Vec<Json> {
    let mut packets = Vec::new();
    let value = state(tick).encode().expect("a value");
    let world = server.table().id("world").expect("a message");
    let mut carry = |_: i32, packet: &[u8], _: variant_protocol::Mode| packets.push(packet.to_vec());
    server.tick(0, &mut carry);
    server.send_state(world, &value, To::One(7), 0, &mut carry).expect("it is sent");
    let mut ticks = Vec::new();
    for packet in packets.iter().filter(|_| !is_lost) {
        let answer = client.hear(packet);
        assert_eq!(answer["error"], Json::Null, "{answer}");
        ticks.extend(answer["heard"].as_array().into_iter().flatten().map(|it| it["value"]["tick"].clone()));
        reply(server, &answer, 0);
    }
    ticks
}

/// A module takes the first state of a server that began anew, has a number of its own for each session, and hears why it
/// has to go.
#[test]
fn a_module_notices_sessions() {
    if !has_node() {
        return;
    }
    let path = module(ARENA, &folder("sessions"));
    let (mut client, hello) = Client::start(&path);
    assert_ne!(Client::start(&path).1, hello, "each session has a number of its own");
    let mut old = server();
    reply(&mut old, &hello, 0);
    for tick in 0..40 {
        assert_eq!(pass(&mut old, &mut client, tick, false), [tick]);
    }
    let mut new = server_of(9);
    let again = serde_json::json!({ "replies": [hello["replies"][0]] });
    reply(&mut new, &again, 0);
    assert_eq!(pass(&mut new, &mut client, 41, false), [41], "the numbers of states begin anew");
    // An outage of nearly all numbers, and one of more than all.
    for lost in [65_400, 65_540] {
        for _ in 0..lost {
            pass(&mut new, &mut client, 1, true);
        }
        assert_eq!(pass(&mut new, &mut client, 42, false), [42], "{lost} states were lost");
        assert_eq!(pass(&mut new, &mut client, 43, false), [43]);
    }
    new.kick(7, "no cheating");
    let mut bye = Vec::new();
    new.tick(0, &mut |_, packet, _| bye = packet.to_vec());
    assert_eq!(client.hear(&bye)["left"], serde_json::json!({ "reason": "kicked", "text": "no cheating" }));
}

/// A socket that is open at once and hears the state of a file.
const SOCKET: &str = r#"
import { readFileSync } from "node:fs";
globalThis.WebSocket = class {
  constructor(address) {
    if (!address.startsWith("ws://")) throw new Error(address);
    this.sent = [];
    setTimeout(() => {
      this.onopen();
      this.onmessage({ data: Uint8Array.from(readFileSync("packet")).buffer });
      if (this.sent.length < 3 || this.sent[0][0] !== 0) throw new Error(`${this.sent.length} packets were sent`);
      console.log(`sent ${this.sent.length}`);
    });
  }
  send(packet) {
    this.sent.push(packet);
  }
};
"#;

#[test]
fn the_client_of_the_document_runs() {
    if !has_node() {
        return;
    }
    let folder = folder("document");
    let out = folder.to_str().expect("a path of text");
    gdvar(&["protocol", "typescript", ARENA, "--out", out]);
    let document = fs::read_to_string(tests().join("../docs/OTHER_LANGUAGES.md")).expect("a readable file");
    let block = document.split("```js\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block");
    fs::write(folder.join("socket.js"), SOCKET).expect("a file can be written");
    fs::write(folder.join("client.js"), format!("import \"./socket.js\";\n{block}"))
        .expect("a file can be written");
    let mut server = server();
    server.greet(7);
    let (world, value) =
        (server.table().id("world").expect("a message"), state(5).encode().expect("a value"));
    let mut write = |_: i32, packet: &[u8], _: variant_protocol::Mode| {
        fs::write(folder.join("packet"), packet).expect("a file can be written");
    };
    server.send_state(world, &value, To::One(7), 0, &mut write).expect("it is sent");
    let output = Command::new("node").arg("client.js").current_dir(&folder).output().expect("Node starts");
    let told = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success() && told.contains("8 players at tick 5\nsent 3\n"), "{told}");
}

#[test]
fn what_javascript_cannot_tell_apart_is_refused_by_name() {
    let folder = folder("twins");
    let protocol = serde_json::json!({ "protocol": 1, "messages": [{
        "name": "odd", "sender": "server",
        "schema": { "schema_version": 1, "type": "union", "of": [{ "type": "int" }, { "type": "float" }] },
    }]});
    let path = folder.join("odd.json");
    fs::write(&path, protocol.to_string()).expect("a file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args(["protocol", "typescript", "odd.json", "--out", "out"])
        .current_dir(&folder)
        .output()
        .expect("gdvar starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("message \"odd\": (root): it may be int or float"), "{told}");
    assert!(!folder.join("out").exists());
}
