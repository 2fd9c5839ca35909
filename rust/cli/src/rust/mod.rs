//! Writes a module in Rust with a type for each message of a protocol. `variant_protocol::typed` sends and hears those types.
//! `head.rs` is part of what is written and not of this program.

mod types;

use variant_protocol::{Sender, Spec, Table};

use crate::layouts::MessageLayout;
use crate::names::Names;
use types::Types;

/// Names of the head and of the language that a message may not take.
const TAKEN: &str = "Arrival AsRef BTreeMap Box Client ClientMessage Clone Copy Debug Default Deserialize Drop Eq Err \
    Error Fn From Hash Into Message None Ok Option Ord Result Self SendFailure Serialize Server \
    ServerMessage Side Sized Some String Vec";

/// Writes the module of a protocol. The error names the part that has no form in Rust.
pub(crate) fn module(messages: &[MessageLayout<'_>], table: &Table, spec: &Spec) -> Result<String, String> {
    let mut names = Names::new(TAKEN);
    let mut variants = Names::new("Self");
    let (mut client, mut server) = (Vec::new(), Vec::new());
    let mut types = String::new();
    for message in messages {
        let declared = message.declared;
        let name = &declared.name;
        let fail = |error: String| format!("message {name:?}: {error}");
        let otherwise = format!("Message{}", message.id);
        let mut of = Types::new(if name.is_empty() { &otherwise } else { name }, &message.layout, &mut names);
        let ty = of.ty(message.layout.root()).map_err(fail)?;
        types.push_str(&of.text);
        let row = (variants.of(name, &otherwise), ty, message);
        if declared.sender != Sender::Server {
            client.push(row.clone());
        }
        if declared.sender != Sender::Client {
            server.push(row);
        }
    }
    let json = spec.to_json();
    let fence =
        "#".repeat((1..).find(|count| !json.contains(&format!("\"{}", "#".repeat(*count)))).unwrap_or(1));
    let sides = [("Client", "a client", client), ("Server", "the server", server)];
    Ok(format!(
        "{HEAD}\n/// The protocol, as `VariantProtocol.to_json()` writes it.\npub const PROTOCOL: &str = r{fence}\"{json}\"{fence};\n\n\
         /// The hash that both sides have to agree on.\npub const PROTOCOL_HASH: u64 = 0x{:016x};\n\n\
         /// Makes the table of the messages.\n\
         pub fn table() -> Result<variant_protocol::Table, variant_protocol::Mistakes> {{\n    \
         variant_protocol::typed::table(PROTOCOL)\n}}\n{types}{}",
        table.hash(),
        sides.map(|(role, who, rows)| enumeration(role, who, &rows)).concat(),
    ))
}

const HEAD: &str = include_str!("head.rs");

fn enumeration(role: &str, who: &str, rows: &[(String, String, &MessageLayout<'_>)]) -> String {
    let name = format!("{role}Message");
    let each = |write: &dyn Fn(&str, &str, u16) -> String| -> String {
        rows.iter().map(|(variant, ty, message)| write(variant, ty, message.id)).collect()
    };
    // Where there are none, a value is compared with none.
    let this = if rows.is_empty() { "*self" } else { "self" };
    format!(
        "\n/// A message that {who} may send.\n#[derive(Clone, Debug, PartialEq)]\npub enum {name} {{\n{}}}\n\n\
         impl Message for {name} {{\n    const PROTOCOL: &'static str = PROTOCOL;\n    \
         const SENDER: variant_protocol::Role = variant_protocol::Role::{role};\n\n    fn id(&self) -> u16 {{\n        match {this} {{\n{}        }}\n    }}\n\n    \
         fn write(&self) -> Result<Vec<u8>, variant_serde::Error> {{\n        match {this} {{\n{}        }}\n    }}\n\n    \
         fn read(id: u16, value: &[u8]) -> Option<Result<{name}, variant_serde::Error>> {{\n        match id {{\n{}            \
         _ => None,\n        }}\n    }}\n}}\n",
        each(&|variant, ty, _| format!("    {variant}({ty}),\n")),
        each(&|variant, _, id| format!("            {name}::{variant}(_) => {id},\n")),
        each(&|variant, _, _| format!(
            "            {name}::{variant}(value) => variant_serde::to_vec(value),\n"
        )),
        each(&|variant, _, id| format!(
            "            {id} => Some(variant_protocol::typed::read(value).map({name}::{variant})),\n"
        )),
    )
}
