//! Plays a server and a client of `variant-protocol` as the input says: packets of any bytes come between honest ones,
//! honest ones are lost, doubled and broken, and time passes.
//!
//! Values that arrive are ones that the schema accepts, a state that arrives unbroken is one that was sent, and what is
//! kept for peers stays bounded.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use variant_core::{Limits, Rules, Value};
use variant_pack::Packer;
use variant_protocol::{
    Declared, Event, Form, Handshake, Mode, Policy, Protocol, Rate, Role, SERVER, SendError, Sender, Spec, To,
};
use variant_schema::{Checker, Program, Schema};

/// The client's id.
const CLIENT: i32 = 7;
const WORLD: u16 = 3;
/// The strangers that a server keeps here, so that a short input can reach the bound.
const MOST_STRANGERS: usize = 8;
/// The most bytes that a peer's two rings, its budgets and its queue may take.
const MOST_KEPT: usize = 2 * (256 << 10) + (64 << 10);
/// The bytes that a side keeps of each peer that it put out, when no peer is left; those are at most as many as strangers.
const BYTES_OF_ONE_OUT: usize = 24;

/// Holds the messages, made once: compiling costs more than playing.
struct Messages {
    spec: Spec,
    forms: Vec<Arc<Form>>,
    programs: Vec<Arc<Program>>,
}

fn rules() -> Rules {
    Rules { limits: Limits::network(), ..Rules::default() }
}

fn schemas() -> [Schema; 3] {
    let entity = Schema::dict([
        ("id", Schema::int().min(0).max(300)),
        ("hp", Schema::int().min(0).max(100)),
        ("name", Schema::string().max_chars(6u64).optional()),
    ]);
    [
        Schema::dict([
            ("seq", Schema::int().min(0).max(65_535)),
            ("bag", Schema::array(Schema::int()).max_size(20u64)),
        ]),
        Schema::string().max_chars(20u64),
        Schema::dict([
            ("tick", Schema::int().min(0).max(1 << 20)),
            ("entities", Schema::array(entity).keyed("id").max_size(24u64)),
        ]),
    ]
}

impl Messages {
    fn new() -> Messages {
        let [step, chat, world] = schemas();
        let rate = Rate::of(30.0, Some(9));
        let step = Declared { sender: Sender::Client, rate, ..Declared::new("step", step) };
        let chat = Declared { sender: Sender::Both, relay: true, ..Declared::new("chat", chat) };
        let messages = vec![step, chat, Declared::state("world", world)];
        let programs: Vec<Arc<Program>> =
            messages.iter().map(|message| Arc::new(message.schema.compile().expect("well formed"))).collect();
        let forms = programs
            .iter()
            .map(|program| Arc::new(Form::new(Arc::clone(program), rules()).expect("packable")));
        Messages { forms: forms.collect(), spec: Spec { messages, ..Spec::default() }, programs }
    }

    fn side(&self, role: Role, handshake: Handshake) -> Protocol {
        let mut forms = self.forms.iter();
        let table = self
            .spec
            .table(|_| forms.next().cloned().ok_or_else(|| variant_core::Mistake::of_whole("no form").into()))
            .expect("well formed");
        let policy = Policy { most_strangers: MOST_STRANGERS, ..Policy::default() };
        let mut protocol = Protocol::new(table, role, handshake, policy, role as u64);
        protocol.connect(if role == Role::Server { CLIENT } else { SERVER }, 0).expect("a peer's id");
        protocol
    }
}

/// Takes choices from the front of the input.
struct Choices<'b>(&'b [u8]);

impl<'b> Choices<'b> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    fn take(&mut self, count: usize) -> &'b [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }
}

/// Peers may be gone or not there yet, and may take no more; the values themselves are right.
fn expect_sendable(error: Option<SendError>) {
    let is_wrong = matches!(
        error,
        Some(
            SendError::Unfit(_)
                | SendError::TooLarge { .. }
                | SendError::UnknownMessage
                | SendError::WrongDirection
        )
    );
    assert!(!is_wrong, "{error:?}");
}

/// Holds both sides and what is under way between them.
struct Game<'m> {
    messages: &'m Messages,
    sides: [Protocol; 2],
    now: u64,
    /// Packets to each side, and whether they are as they were sent.
    lines: [Vec<(Vec<u8>, bool)>; 2],
    /// The states that were sent, as the bytes that arrive.
    sent: HashSet<Vec<u8>>,
    /// Whether a state arrived that nobody sent: later ones can stand on it.
    is_deceived: bool,
    checker: Checker,
}

/// Plays the input.
///
/// # Panics
/// When a property does not hold.
pub fn check_receive(bytes: &[u8]) {
    thread_local!(static MESSAGES: Messages = Messages::new());
    MESSAGES.with(|messages| {
        let mut choices = Choices(bytes);
        let handshake = if choices.byte().is_multiple_of(2) { Handshake::Hello } else { Handshake::None };
        let sides = [messages.side(Role::Server, handshake), messages.side(Role::Client, handshake)];
        let (lines, sent) = (Default::default(), HashSet::new());
        let mut game =
            Game { messages, sides, now: 0, lines, sent, is_deceived: false, checker: Checker::new() };
        while !choices.0.is_empty() {
            game.play(&mut choices);
        }
    });
}

impl Game<'_> {
    fn play(&mut self, choices: &mut Choices<'_>) {
        let choice = choices.byte();
        let side = usize::from(choice >> 7);
        match choice % 8 {
            0 | 1 => self.hostile(side, choices),
            2 => self.send_state(choices),
            3 | 4 => self.deliver(side, choices),
            5 => self.tick(),
            6 => self.now += u64::from(choices.byte()) * 4000,
            _ => self.send(side, choices),
        }
        self.check_memory();
    }

    /// Gives a side bytes that nobody sent. They come from the other side's connection, a stranger, or itself.
    fn hostile(&mut self, side: usize, choices: &mut Choices<'_>) {
        let peer = match choices.byte() {
            number @ 0..64 => i32::from(number),
            _ => [CLIENT, SERVER][side],
        };
        let count = usize::from(choices.byte());
        let packet = choices.take(count).to_vec();
        self.receive(side, peer, &packet, false);
    }

    fn send_state(&mut self, choices: &mut Choices<'_>) {
        let tick = i64::from(choices.byte());
        let count = i64::from(choices.byte() % 25);
        let step = 1 + i64::from(choices.byte() % 12);
        let entity = |at: i64| {
            let hp = (at * 7 + tick) % 101;
            let mut entity = BTreeMap::from([("id", Value::Int(at * step)), ("hp", Value::Int(hp))]);
            if hp % 3 == 0 {
                entity.insert("name", Value::from(format!("n{at}")));
            }
            Value::from(entity)
        };
        let entities = Value::from((0..count).map(entity).collect::<Vec<_>>());
        let state = Value::from([("tick", Value::Int(tick)), ("entities", entities)]);
        let state = state.encode().expect("a state");
        let line = &mut self.lines[1];
        let mut carry = |_, packet: &[u8], _: Mode| line.push((packet.to_vec(), true));
        let sent = self.sides[0].send_state(WORLD, &state, To::One(CLIENT), self.now, &mut carry);
        expect_sendable(sent.err());
        let arriving = self.unpacked(&state);
        self.sent.insert(arriving);
    }

    /// Returns the bytes that the receiver of a value is given.
    fn unpacked(&self, value: &[u8]) -> Vec<u8> {
        let form = &self.messages.forms[usize::from(WORLD) - 1];
        let mut packer = Packer::new();
        let packed = packer.pack(form.layout(), value, form.rules()).expect("the schema accepts it").to_vec();
        packer.unpack(form.layout(), &packed, form.rules()).expect("it was just packed").to_vec()
    }

    fn send(&mut self, side: usize, choices: &mut Choices<'_>) {
        let text: String = choices.take(3).iter().map(|byte| char::from(*byte)).collect();
        let value = Value::from(text.as_str()).encode().expect("a text");
        let peer = To::One(if side == 0 { CLIENT } else { SERVER });
        expect_sendable(self.sides[side].queue(2, &value, peer, self.now).err());
        let line = &mut self.lines[1 - side];
        self.sides[side].flush(self.now, &mut |_, packet, _| line.push((packet.to_vec(), true)));
    }

    /// Brings a packet that is under way to its side, loses it, or breaks one of its bytes.
    fn deliver(&mut self, side: usize, choices: &mut Choices<'_>) {
        let line = &mut self.lines[side];
        if line.is_empty() {
            return;
        }
        let at = usize::from(choices.byte()) % line.len();
        let fate = choices.byte();
        let (mut packet, is_whole) = if fate & 3 == 3 { line[at].clone() } else { line.remove(at) };
        if fate & 12 == 12 {
            return;
        }
        let is_broken = fate & 48 == 48;
        if is_broken && !packet.is_empty() {
            let place = usize::from(choices.byte()) % packet.len();
            packet[place] ^= choices.byte();
        }
        self.receive(side, [CLIENT, SERVER][side], &packet, is_whole && !is_broken);
    }

    fn tick(&mut self) {
        for side in 0..2 {
            let line = &mut self.lines[1 - side];
            self.sides[side].tick(self.now, &mut |_, packet, _| line.push((packet.to_vec(), true)));
        }
    }

    fn receive(&mut self, side: usize, peer: i32, packet: &[u8], is_whole: bool) {
        let Ok(mut incoming) = self.sides[side].open(peer, packet, self.now) else { return };
        let mut value = Vec::new();
        while let Some(event) = self.sides[side].next(packet, &mut incoming, &mut value) {
            let id = match event {
                Ok(Event::Message { id }) => id,
                Ok(Event::State { id, .. }) => {
                    assert!(side == 1, "a server takes a state");
                    self.is_deceived |= !is_whole;
                    assert!(self.is_deceived || self.sent.contains(&value), "nobody sent it");
                    id
                }
                Ok(_) => continue,
                Err(_) => {
                    assert!(value.is_empty(), "a refusal has no value");
                    continue;
                }
            };
            let program = &self.messages.programs[usize::from(id) - 1];
            assert!(self.checker.accepts(program, &value, &rules()), "{id}: {}", crate::hex::Hex(&value));
        }
    }

    fn check_memory(&self) {
        for side in &self.sides {
            let peers = side.peer_count();
            assert!(peers <= MOST_STRANGERS + 1, "{peers} peers");
            let most = peers * MOST_KEPT + MOST_STRANGERS * BYTES_OF_ONE_OUT;
            assert!(side.kept_bytes() <= most, "{} bytes are kept", side.kept_bytes());
        }
    }
}
