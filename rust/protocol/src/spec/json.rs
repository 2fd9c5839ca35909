//! Reads and writes a protocol as JSON. Schemas inside are those of docs/SCHEMA_JSON.md.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use variant_core::{Mistake, Mistakes};
use variant_schema::Schema;

use super::{DATAGRAM, Declared, Spec};
use crate::bucket::Rate;
use crate::state_form::History;
use crate::table::{Mode, Sender};

/// The version of the form. A reader refuses a later one.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProtocolDocument {
    protocol: u32,
    #[serde(default = "datagram", skip_serializing_if = "is_datagram")]
    max_packet: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    reserved: Vec<u16>,
    messages: Vec<MessageEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MessageEntry {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<u16>,
    #[serde(with = "SenderWord")]
    sender: Sender,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rate: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    burst: Option<u32>,
    #[serde(default = "reliable", skip_serializing_if = "is_reliable", with = "ModeWord")]
    mode: Mode,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    relay: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    local: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    state: Option<State>,
    schema: Box<RawValue>,
}

#[derive(Serialize, Deserialize)]
struct State(#[serde(with = "HistoryWords")] History);

#[derive(Serialize, Deserialize)]
#[serde(remote = "History", deny_unknown_fields)]
struct HistoryWords {
    #[serde(rename = "history")]
    entries: u8,
    #[serde(rename = "max_packet")]
    most_packet_bytes: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parts: Option<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Sender", rename_all = "snake_case")]
enum SenderWord {
    Client,
    Server,
    Both,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Mode", rename_all = "snake_case")]
enum ModeWord {
    Reliable,
    UnreliableOrdered,
    Unreliable,
}

const fn datagram() -> usize {
    DATAGRAM
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_datagram(bytes: &usize) -> bool {
    *bytes == DATAGRAM
}

const fn reliable() -> Mode {
    Mode::Reliable
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_reliable(mode: &Mode) -> bool {
    *mode == Mode::Reliable
}

impl Spec {
    /// Reads a protocol.
    ///
    /// # Errors
    /// Text that is no JSON, keys that nobody defined, and all that is wrong with the messages; paths begin with the name of
    /// the message.
    pub fn from_json(text: &str) -> Result<Spec, Mistakes> {
        let document: ProtocolDocument = serde_json::from_str(text)
            .map_err(|error| Mistake::of_whole(format!("not the JSON of a protocol: {error}")))?;
        if document.protocol > VERSION {
            let of = document.protocol;
            let message =
                format!("a later version wrote this: it is form {of}, and this version reads {VERSION}");
            return Err(Mistake::of_whole(message).into());
        }
        let mut mistakes = None;
        let messages = document
            .messages
            .into_iter()
            .map(declared)
            .filter_map(|declared| declared.map_err(|wrong| Mistakes::add(&mut mistakes, wrong)).ok());
        let messages = messages.collect();
        let spec = Spec { messages, reserved: document.reserved, most_datagram_bytes: document.max_packet };
        Mistakes::unless(mistakes, Ok(spec))
    }

    /// Returns the protocol as JSON, with the id of every message. `Schema::check_with` is left out: it is code.
    #[must_use]
    pub fn to_json(&self) -> String {
        let spec = self.with_ids();
        let document = ProtocolDocument {
            protocol: VERSION,
            max_packet: spec.most_datagram_bytes,
            reserved: spec.reserved,
            messages: spec.messages.iter().map(entry).collect(),
        };
        let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
        text.push('\n');
        text
    }
}

fn declared(entry: MessageEntry) -> Result<Declared, Mistakes> {
    let schema = Schema::from_json(entry.schema.get()).map_err(|it| it.within(&entry.name))?;
    Ok(Declared {
        rate: rate(entry.rate, entry.burst).map_err(|words| Mistake::new(&entry.name, words))?,
        sender: entry.sender,
        mode: entry.mode,
        state: entry.state.map(|State(history)| history),
        id: entry.id,
        relay: entry.relay,
        local: entry.local,
        schema,
        name: entry.name,
    })
}

/// Makes a rate of messages a second and of how many may come at once.
///
/// # Errors
/// Numbers that are no rate.
pub fn rate(per_second: Option<f64>, burst: Option<u32>) -> Result<Option<Rate>, String> {
    let Some(per_second) = per_second else {
        return match burst {
            None => Ok(None),
            Some(_) => Err("burst says how many may come at once; it needs a rate".to_owned()),
        };
    };
    let rate = Rate::of(per_second, burst);
    rate.map(Some).ok_or_else(|| {
        format!("rate is {per_second}; it goes from 0.001 to 1000000 a second, and burst from 1")
    })
}

fn entry(declared: &Declared) -> MessageEntry {
    // The text of a schema has line ends only between its parts, so that it can be moved to the right.
    let schema = declared.schema.to_json().trim_end().replace('\n', "\n      ");
    MessageEntry {
        name: declared.name.clone(),
        id: declared.id,
        sender: declared.sender,
        rate: declared.rate.map(Rate::per_second_f64),
        burst: declared.rate.map(|rate| rate.burst),
        mode: declared.mode,
        relay: declared.relay,
        local: declared.local,
        state: declared.state.map(State),
        schema: RawValue::from_string(schema).unwrap_or_default(),
    }
}
