//! Writes modules in JavaScript, and their types for TypeScript: that of a protocol, which packs and unpacks its messages, and
//! the runtime beside it, which is the same for every protocol (`runtime.js` and its neighbours). A module of a protocol is a
//! table of each message's parts.

mod literal;
mod types;

use variant_protocol::{Declared, Mode, Sender, Table};

use crate::layouts::MessageLayout;
use crate::literals::text;
use crate::names::Names;
use crate::tables::rows;
use literal::JavaScript;

pub(crate) const RUNTIME: &str = "variant_stream";

/// The parts of the runtime, in the order in which they stand in it.
const PARTS: [&str; 13] = [
    include_str!("runtime.js"),
    include_str!("turns.js"),
    include_str!("parts.js"),
    include_str!("make.js"),
    include_str!("codec.js"),
    include_str!("judge.js"),
    include_str!("apply.js"),
    include_str!("columns.js"),
    include_str!("states.js"),
    include_str!("packets.js"),
    include_str!("variant_values.js"),
    include_str!("variant.js"),
    include_str!("variant_write.js"),
];

const TYPES: [&str; 2] = [include_str!("runtime.d.ts"), include_str!("variant.d.ts")];
/// The types of a protocol's module that are the same for every protocol.
const PROTOCOL_TYPES: &str = include_str!("protocol.d.ts");

pub(crate) struct Module {
    pub(crate) code: String,
    pub(crate) types: String,
}

pub(crate) fn runtime() -> Module {
    Module { code: format!("{HEAD}{}", PARTS.join("\n")), types: format!("{HEAD}{}", TYPES.join("\n")) }
}

/// Writes the module of a protocol, which has the runtime beside it with this ending. The error names the part of a message that
/// JavaScript has no value for.
pub(crate) fn module(
    messages: &[MessageLayout<'_>],
    table: &Table,
    hello: &[u8],
    ending: &str,
) -> Result<Module, String> {
    let mut lists = Lists { names: Names::new(types::TAKEN), ..Lists::default() };
    messages.iter().try_for_each(|message| lists.add(message))?;
    let Lists { rows, bodies, client, server, states, .. } = lists;
    let from = format!("from \"./{RUNTIME}.{ending}\";\n");
    let hello: Vec<String> = hello.iter().map(u8::to_string).collect();
    let code = format!(
        "{HEAD}import {{ PackError, Protocol, Listener as ProtocolListener, decodeVariant }} {from}\nexport {{ PackError }};\n\
         export const PROTOCOL_HASH = \"{:016x}\";\n\nconst protocol = new Protocol([{}], [\n{rows}]);\n{EXPORTS}",
        table.hash(),
        hello.join(", ")
    );
    let states = if states.is_empty() { "never".to_owned() } else { states.join(" | ") };
    let types = format!(
        "{HEAD}import {{ PackError, Listener as ProtocolListener, type Codec, type Input, type Message, type NodePath, type Variant }} {from}\n\
         {PROTOCOL_TYPES}{bodies}\n\
         /** The values of the messages that a client may send. */\nexport interface ClientMessages {{\n{client}}}\n\
         /** The values of the messages that a server may send. */\nexport interface ServerMessages {{\n{server}}}\n\
         /** The messages that are states. */\nexport type States = {states};\n"
    );
    Ok(Module { code, types })
}

#[derive(Default)]
struct Lists {
    names: Names,
    rows: String,
    bodies: String,
    client: String,
    server: String,
    states: Vec<String>,
}

impl Lists {
    fn add(&mut self, message: &MessageLayout<'_>) -> Result<(), String> {
        let fail = |error: String| format!("message {:?}: {error}", message.declared.name);
        let name = text(&message.declared.name);
        self.rows.push_str(&format!(
            "  {{ name: {name}, {}, root: {}, parts: [\n",
            facts(message),
            message.layout.root()
        ));
        let rows = rows::<JavaScript>(&message.layout).map_err(fail)?;
        rows.iter().for_each(|row| self.rows.push_str(&format!("    {row},\n")));
        self.rows.push_str("  ] },\n");
        let of = self.names.of(&message.declared.name, &format!("Message{}", message.id));
        self.bodies.push_str(&types::of(&of, &message.layout).map_err(fail)?);
        let line = format!("  {name}: {of};\n");
        if message.declared.sender != Sender::Server {
            self.client.push_str(&line);
        }
        if message.declared.sender != Sender::Client {
            self.server.push_str(&line);
        }
        self.states.extend(message.declared.state.map(|_| name));
        Ok(())
    }
}

const HEAD: &str =
    "// Written by `gdvar protocol typescript`. Changes are lost when it is written again.\n\n";

/// The names that a module gives to what its protocol has.
const EXPORTS: &str = "
export const HELLO = protocol.hello;
export const messages = protocol.messages;
export const encode = (name, value) => protocol.encode(name, value);
export const decode = (packet) => protocol.decode(packet);
export class Listener extends ProtocolListener {
  constructor() {
    super(protocol);
  }
}
";

/// Writes the facts that a program may ask of a message.
fn facts(message: &MessageLayout<'_>) -> String {
    let Declared { sender, mode, relay, state, .. } = message.declared;
    let from = match sender {
        Sender::Client => "client",
        Sender::Server => "server",
        Sender::Both => "both",
    };
    let mode = match mode {
        Mode::Reliable => "reliable",
        Mode::UnreliableOrdered => "unreliable_ordered",
        Mode::Unreliable => "unreliable",
    };
    let state = state.map_or(String::new(), |state| {
        let (history, most, parts) = (state.entries, state.most_packet_bytes, message.parts);
        format!(", state: {{ history: {history}, maxPacket: {most}, parts: {parts} }}")
    });
    format!("id: {}, from: \"{from}\", mode: \"{mode}\", relay: {relay}{state}", message.id)
}
