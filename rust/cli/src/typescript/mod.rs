//! Writes a module in JavaScript, and its types for TypeScript, that packs and unpacks the messages of a protocol. The
//! module is a small runtime (`runtime.js` and its neighbours) and a table of each message's parts.

mod literal;
mod musts;
mod tables;
mod types;

use variant_pack::Layout;
use variant_protocol::{Declared, Mode, Sender, Table};

use crate::literals::text;

/// The parts of the runtime, in the order in which they stand in a module.
const RUNTIME: [&str; 7] = [
    include_str!("runtime.js"),
    include_str!("turns.js"),
    include_str!("parts.js"),
    include_str!("codec.js"),
    include_str!("judge.js"),
    include_str!("apply.js"),
    include_str!("packets.js"),
];

/// The types of the runtime.
const TYPES: &str = include_str!("runtime.d.ts");

/// Holds a message that is to be written.
pub(crate) struct Message<'m> {
    pub(crate) declared: &'m Declared,
    pub(crate) id: u16,
    pub(crate) layout: &'m Layout,
}

/// Holds the texts of a module.
pub(crate) struct Module {
    pub(crate) code: String,
    pub(crate) types: String,
}

/// Writes the module of a protocol. The error names the part of a message that JavaScript has no value for.
pub(crate) fn module(messages: &[Message<'_>], table: &Table, hello: &[u8]) -> Result<Module, String> {
    let mut code = format!("{HEAD}{}", RUNTIME.join("\n"));
    let mut types = format!("{HEAD}{TYPES}");
    code.push_str(&format!("\nexport const PROTOCOL_HASH = \"{:016x}\";\n", table.hash()));
    let bytes: Vec<String> = hello.iter().map(u8::to_string).collect();
    code.push_str(&format!("export const HELLO = Uint8Array.from([{}]);\n", bytes.join(", ")));
    code.push_str("\nexport const messages = {\n");
    let mut names = types::Names::default();
    let mut listed = String::new();
    for message in messages {
        let (parts, root) = message.layout.parts();
        let fail = |error: String| format!("message {:?}: {error}", message.declared.name);
        let name = text(&message.declared.name);
        let rows = tables::rows(&parts).map_err(fail)?;
        code.push_str(&format!(
            "  [{name}]: {{ name: {name}, {}, codec: new Codec({name}, [\n",
            facts(message)
        ));
        rows.iter().for_each(|row| code.push_str(&format!("    {row},\n")));
        code.push_str(&format!("  ], {root}) }},\n"));
        let of = names.of(&message.declared.name, message.id);
        types.push_str(&types::of(&of, &parts, root).map_err(fail)?);
        listed.push_str(&format!("  {name}: {of};\n"));
    }
    code.push_str(
        "};\nconst byId = new Map(Object.values(messages).map((message) => [message.id, message]));\n",
    );
    types.push_str(&format!(
        "\n/** The value of each message. */\nexport interface Messages {{\n{listed}}}\n"
    ));
    Ok(Module { code, types })
}

const HEAD: &str =
    "// Written by `gdvar protocol typescript`. Changes are lost when it is written again.\n\n";

/// Writes the facts that a program may ask of a message.
fn facts(message: &Message<'_>) -> String {
    let Declared { from, mode, relay, state, .. } = message.declared;
    let from = match from {
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
        format!(", state: {{ history: {}, maxPacket: {} }}", state.entries, state.most_packet_bytes)
    });
    format!("id: {}, from: \"{from}\", mode: \"{mode}\", relay: {relay}{state}", message.id)
}
