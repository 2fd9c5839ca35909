//! `protocol check`: whether protocols are well formed, and how many bytes each message takes at least and at most.

use std::io::Write;

use serde_json::{Value as Json, json};
use variant_protocol::{Mode, Sender};

use super::{LoadedProtocol, counted, load};
use crate::arguments::ProtocolCheck;
use crate::failure::{Failure, Outcome};
use crate::layouts::MessageLayout;
use crate::{paint, source};

/// The worst verdict of all files is that of the call.
pub(super) fn run(given: &ProtocolCheck) -> Result<Outcome, Failure> {
    source::asked_for(&given.files)?;
    let mut verdict = Outcome::Good;
    for file in source::named(&given.files) {
        let answer = |loaded: LoadedProtocol| {
            let answer = match given.format.is_json() {
                true => format!("{}\n", as_json(&source::name(&file), &loaded)?),
                false => format!("{}: {}", source::shown(&file), lines(&loaded)?),
            };
            Ok(anstream::stdout().lock().write_all(paint::shown_lines(&answer).as_bytes())?)
        };
        if paint::verdict(&file, given.format, load(&file).and_then(answer))? != Outcome::Good {
            verdict = Outcome::Bad;
        }
    }
    Ok(verdict)
}

/// Writes a line for the protocol and one for each message.
fn lines(loaded: &LoadedProtocol) -> Result<String, Failure> {
    let messages = loaded.messages()?;
    let counted = counted(messages.len());
    let mut text = format!("ok, {counted}, hash {:016x}\n", loaded.table.hash());
    let widest = messages.iter().map(|message| shown(message).chars().count()).max().unwrap_or(0);
    for message in &messages {
        let name = shown(message);
        let room = " ".repeat(widest.saturating_sub(name.chars().count()));
        let (id, words) = (message.id, [size_words(message), parts_words(loaded, message)].concat());
        text.push_str(&format!(
            "{id:>6}  {name}{room}  from {}, {}: {words}\n",
            sender(message),
            carried(message)
        ));
    }
    Ok(text)
}

/// Escapes line ends in a name too: it stands on one line.
fn shown(message: &MessageLayout<'_>) -> String {
    paint::shown(&message.declared.name)
}

fn size_words(message: &MessageLayout<'_>) -> String {
    let size = message.layout.size();
    let least = size.min_bits.div_ceil(8);
    match size.max_bits {
        Some(_) if size.is_fixed() => format!("{least} bytes ({} bits)", size.min_bits),
        Some(most) => {
            let largest = message.layout.largest_part();
            let part = if largest.is_empty() { String::new() } else { format!(", most of it {largest}") };
            format!("{least} to {} bytes ({} to {most} bits{part})", most.div_ceil(8), size.min_bits)
        }
        None => {
            let parts = message.layout.unbounded();
            format!("from {least} bytes on, nothing bounds {}", parts.join(", "))
        }
    }
}

/// Says in how many parts a state is sent, each of which fits a packet.
fn parts_words(loaded: &LoadedProtocol, message: &MessageLayout<'_>) -> String {
    match (loaded.table.parts(message.id), message.declared.state) {
        (parts @ 2.., Some(state)) => {
            format!("; in {parts} parts, each in a packet of {} bytes at most", state.most_packet_bytes)
        }
        _ => String::new(),
    }
}

fn sender(message: &MessageLayout<'_>) -> &'static str {
    match message.declared.sender {
        Sender::Client => "client",
        Sender::Server => "server",
        Sender::Both if message.declared.relay => "both and between clients",
        Sender::Both => "both",
    }
}

fn carried(message: &MessageLayout<'_>) -> &'static str {
    match (message.declared.state, message.declared.mode) {
        (Some(_), _) => "state",
        (None, Mode::Reliable) => "reliable",
        (None, Mode::UnreliableOrdered) => "unreliable in order",
        (None, Mode::Unreliable) => "unreliable",
    }
}

fn as_json(file: &str, loaded: &LoadedProtocol) -> Result<Json, Failure> {
    let messages: Vec<Json> =
        loaded.messages()?.iter().map(|message| message_json(loaded, message)).collect();
    let hash = format!("{:016x}", loaded.table.hash());
    Ok(json!({ "file": file, "ok": true, "hash": hash, "messages": messages }))
}

fn message_json(loaded: &LoadedProtocol, message: &MessageLayout<'_>) -> Json {
    let size = message.layout.size();
    json!({
        "name": message.declared.name,
        "id": message.id,
        "sender": sender(message),
        "carried": carried(message),
        "parts": loaded.table.parts(message.id),
        "layout_hash": format!("{:016x}", message.layout.hash()),
        "min_bits": size.min_bits,
        "max_bits": size.max_bits,
        "largest_part": message.layout.largest_part(),
        "unbounded": message.layout.unbounded(),
    })
}
