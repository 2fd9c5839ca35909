//! Lists the messages of a game: their ids, forms, directions and rates. Mistakes are found when it is made.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use variant_core::{Mistake, Mistakes};
use variant_pack::{MOST_PARTS, fnv};

use crate::bucket::Rate;
use crate::form::{Form, folded};
use crate::hello::{self, Sessions};
use crate::state_form::{History, StateForm};
use crate::wire::Control;

/// The largest id. A table of so many messages is a mistake long before.
pub const LARGEST_ID: u16 = 4096;

/// The most states that are kept for a peer: as many as an acknowledgement names.
pub const MOST_HISTORY: u8 = 32;

/// Says who may send a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sender {
    /// Clients send it to the server.
    Client,
    /// The server sends it to clients.
    Server,
    /// Both may send it to each other.
    Both,
}

/// Says how a transport carries a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// It arrives, and in order.
    Reliable,
    /// It may be lost; what arrives late is dropped by the transport.
    UnreliableOrdered,
    /// It may be lost, and may arrive in another order.
    Unreliable,
}

/// Describes one message.
#[derive(Clone, Debug)]
pub struct Message {
    /// The name, for people and programs. It is never sent.
    pub name: Box<str>,
    /// The form of its values.
    pub form: Arc<Form>,
    /// The side that may send it.
    pub sender: Sender,
    /// How often one peer may send it. `None`: as often as the peer's packets allow.
    pub rate: Option<Rate>,
    /// How it is carried.
    pub mode: Mode,
    /// The id, or `None` for the next free one.
    pub id: Option<u16>,
    /// Whether clients may send it to each other through the server.
    pub relay: bool,
    /// Whether it is a state, and what is kept of it.
    pub state: Option<History>,
}

impl Message {
    /// Returns the path of the part that takes the most bytes, behind the message's name.
    pub(crate) fn largest_part(&self) -> String {
        within(&self.name, self.form.largest_part())
    }
}

/// Returns the path of a part of a message behind the message's name.
pub(crate) fn within(name: &str, path: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{name}.{path}") }
}

/// Holds all messages of a game by id.
#[derive(Clone, Debug)]
pub struct Table {
    /// The message of each id less one. Reserved ids have none.
    slots: Vec<Option<Message>>,
    names: HashMap<Box<str>, u16>,
    states: BTreeMap<u16, StateForm>,
    hash: u64,
}

impl Table {
    /// Makes a table. `reserved` ids belonged to messages that are gone, and stay free. `most_packet_bytes`
    /// bounds what one unreliable packet can carry.
    ///
    /// # Errors
    /// Names or ids stand twice, ids are out of range, or messages could be larger than what carries them. Paths are the
    /// names of messages.
    pub fn new(
        messages: Vec<Message>,
        reserved: &[u16],
        most_packet_bytes: usize,
    ) -> Result<Table, Mistakes> {
        let mut table = Table { slots: Vec::new(), names: HashMap::new(), states: BTreeMap::new(), hash: 0 };
        let mut mistakes = None;
        for message in messages {
            let name = message.name.clone();
            if let Err(words) = table.add(message, reserved, most_packet_bytes) {
                Mistakes::add(&mut mistakes, Mistake::new(name, words));
            }
        }
        Mistakes::unless(mistakes, Ok(()))?;
        table.hash = table.layout_hash();
        Ok(table)
    }

    fn add(&mut self, message: Message, reserved: &[u16], most: usize) -> Result<(), String> {
        check(&message, most)?;
        let id = match message.id {
            Some(id) => id,
            None => self.next_free(reserved),
        };
        if id == 0 || id > LARGEST_ID {
            return Err(format!("its id is {id}; ids go from 1 to {LARGEST_ID}"));
        }
        if reserved.contains(&id) {
            return Err(format!("its id {id} is reserved for a message that was removed; give it another"));
        }
        if self.names.contains_key(&message.name) {
            return Err("this name stands twice".to_owned());
        }
        let at = usize::from(id).saturating_sub(1);
        if self.slots.len() <= at {
            self.slots.resize(at.saturating_add(1), None);
        }
        let Some(slot) = self.slots.get_mut(at) else { return Err("it has no place".to_owned()) };
        if let Some(other) = slot {
            return Err(format!("its id {id} is the id of {:?} already", other.name));
        }
        if let Some(history) = message.state {
            self.states.insert(id, StateForm::new(&message.form, history, id, &message.name)?);
        }
        self.names.insert(message.name.clone(), id);
        *slot = Some(message);
        Ok(())
    }

    /// Returns the id after the largest that is taken or reserved.
    fn next_free(&self, reserved: &[u16]) -> u16 {
        let taken = u16::try_from(self.slots.len()).unwrap_or(u16::MAX);
        reserved.iter().copied().max().unwrap_or(0).max(taken).saturating_add(1)
    }

    /// Returns the message of an id.
    #[must_use]
    pub fn message(&self, id: u16) -> Option<&Message> {
        self.slots.get(usize::from(id).checked_sub(1)?)?.as_ref()
    }

    /// Returns the id of a message by its name.
    #[must_use]
    pub fn id(&self, name: &str) -> Option<u16> {
        self.names.get(name).copied()
    }

    /// Returns the number of parts that a state is sent in. 1: always whole.
    #[must_use]
    pub fn parts(&self, id: u16) -> u8 {
        self.states.get(&id).map_or(1, StateForm::count)
    }

    pub(crate) fn state_form(&self, id: u16) -> Option<&StateForm> {
        self.states.get(&id)
    }

    /// Lists all messages with their ids, in the order of the ids.
    pub fn messages(&self) -> impl Iterator<Item = (u16, &Message)> {
        (1u16..).zip(&self.slots).filter_map(|(id, slot)| Some((id, slot.as_ref()?)))
    }

    /// Returns the largest id in use.
    #[must_use]
    pub fn largest_id(&self) -> u16 {
        u16::try_from(self.slots.len()).unwrap_or(u16::MAX)
    }

    /// Returns the hash of everything that both sides have to agree on. Names, rates and modes are not part
    /// of it: a server may change them alone.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Returns the 32 bits that a handshake says of one id: 0 for an id without a message, else the direction in the lowest 4
    /// bits, 10 bits of the types of the values and 18 bits of all that packs them.
    #[must_use]
    pub fn mark(&self, id: u16) -> u32 {
        let Some(message) = self.message(id) else { return 0 };
        let mut values = message.form.hash().to_le_bytes().to_vec();
        put_count_of_parts(self.parts(id), &mut values);
        let values = folded(&values) & 0x3_FFFF;
        direction(message) | ((message.form.types() & 0x3FF) << 4) | (values << 14)
    }

    /// Returns the handshake of these messages, as [`Protocol::hello_to`](crate::Protocol::hello_to) does for a peer: for a
    /// side in another language. `session` is the number of the side that sends it, in the bytes 6 to 9; `theirs`, in the
    /// next four, the number that this side knows of the other, or 0.
    #[must_use]
    pub fn hello(&self, session: u32, theirs: u32) -> Vec<u8> {
        let mut out = Vec::new();
        hello::write(self, Control::Hello, Sessions { own: session, other: theirs }, &mut out);
        out
    }

    /// Computes the hash of whole messages: more bits than their marks have.
    fn layout_hash(&self) -> u64 {
        let mut bytes = Vec::new();
        for id in 1..=self.largest_id() {
            if let Some(message) = self.message(id) {
                bytes.extend(id.to_le_bytes());
                bytes.extend(direction(message).to_le_bytes());
                bytes.extend(message.form.hash().to_le_bytes());
                put_count_of_parts(self.parts(id), &mut bytes);
            }
        }
        fnv(&bytes)
    }
}

/// Appends what both sides have to agree on of a state of several parts.
fn put_count_of_parts(count: u8, out: &mut Vec<u8>) {
    if count > 1 {
        out.push(count);
    }
}

/// Returns who sends a message and how, in 4 bits that are never 0.
fn direction(message: &Message) -> u32 {
    let from = match message.sender {
        Sender::Client => 1,
        Sender::Server => 2,
        Sender::Both => 3,
    };
    from | (u32::from(message.state.is_some()) << 2) | (u32::from(message.relay) << 3)
}

/// Checks what one message alone can get wrong.
fn check(message: &Message, most_packet_bytes: usize) -> Result<(), String> {
    let fail = Err::<(), String>;
    if message.name.is_empty() {
        return fail("it has no name".to_owned());
    }
    if message.relay && message.sender != Sender::Both {
        return fail("only a message that both sides may send can be relayed".to_owned());
    }
    if message.state.is_some() && message.sender != Sender::Server {
        return fail("a state is sent by the server".to_owned());
    }
    if message.state.is_some_and(|state| !(1..=MOST_HISTORY).contains(&state.entries)) {
        return fail(format!("a state keeps 1 to {MOST_HISTORY} entries of history"));
    }
    let largest = message.form.most_bytes();
    if message.sender != Sender::Server && largest.is_none() {
        return fail(format!(
            "{} has no largest size; give its texts and arrays one, since clients send this message",
            message.largest_part()
        ));
    }
    let carries = u64::try_from(most_packet_bytes).unwrap_or(u64::MAX);
    let is_plain = message.mode != Mode::Reliable && message.state.is_none();
    if message.state.is_some_and(|state| state.parts.is_some_and(|count| !(1..=MOST_PARTS).contains(&count)))
    {
        return fail(format!("a state has 1 to {MOST_PARTS} parts"));
    }
    match largest {
        Some(bytes) if is_plain && bytes.saturating_add(HEADER) > carries => fail(format!(
            "it can reach {bytes} bytes, and an unreliable packet carries {most_packet_bytes}: {} is the largest part; \
             shorten it, or make the message reliable",
            message.largest_part()
        )),
        None if is_plain => fail(format!(
            "{} has no largest size, and an unreliable packet carries {most_packet_bytes} bytes; give it one",
            message.largest_part()
        )),
        _ => Ok(()),
    }
}

/// The most bytes that an id takes.
const HEADER: u64 = 3;
