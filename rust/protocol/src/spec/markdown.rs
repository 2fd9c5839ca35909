//! Writes a protocol as a document for people: a table of messages, then each message's parts.

use variant_schema::markdown_cell;

use super::{Declared, Spec};
use crate::table::{Mode, Sender};

impl Spec {
    /// Returns the protocol as Markdown.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let spec = self.with_ids();
        let mut text =
            "| Id | Message | From | Rate | Carried | Meaning |\n|---|---|---|---|---|---|\n".to_owned();
        for declared in &spec.messages {
            row(declared, &mut text);
        }
        for declared in &spec.messages {
            text.push_str(&format!("\n## {}\n\n", markdown_cell(&declared.name)));
            text.push_str(&declared.schema.to_markdown());
        }
        text
    }
}

fn row(declared: &Declared, text: &mut String) {
    let from = match declared.sender {
        Sender::Client => "client",
        Sender::Server => "server",
        Sender::Both if declared.relay => "both, and clients to each other",
        Sender::Both => "both",
    };
    let rate = match declared.rate {
        Some(rate) => format!("{} a second, {} at once", rate.per_second_f64(), rate.burst),
        None => "any".to_owned(),
    };
    let mode = match (declared.state, declared.mode) {
        (Some(state), _) => format!("state, {} kept, up to {} bytes", state.entries, state.most_packet_bytes),
        (None, Mode::Reliable) => "reliable".to_owned(),
        (None, Mode::UnreliableOrdered) => "unreliable, in order".to_owned(),
        (None, Mode::Unreliable) => "unreliable".to_owned(),
    };
    let id = declared.id.unwrap_or(0);
    let (name, meaning) = (markdown_cell(&declared.name), markdown_cell(declared.schema.description()));
    text.push_str(&format!("| {id} | {name} | {from} | {rate} | {mode} | {meaning} |\n"));
}
