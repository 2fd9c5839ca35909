//! Writes a module in Rust with a type for each message of a protocol, and with both sides of it, which send and hear those types
//! (`runtime.rs`, which is part of what is written and not of this program).

mod types;

use variant_protocol::{Sender, Spec, Table};

use crate::layouts::MessageLayout;
use crate::names::Names;
use types::Types;

/// Names of the runtime and of the language that a message may not take.
const TAKEN: [&str; 54] = [
    "AsRef",
    "BTreeMap",
    "Box",
    "Carry",
    "Client",
    "ClientMessage",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Delivery",
    "Deserialize",
    "Drop",
    "Eq",
    "Err",
    "Error",
    "Event",
    "Fn",
    "Form",
    "From",
    "Handshake",
    "Hash",
    "Heard",
    "Incoming",
    "Into",
    "Limits",
    "Message",
    "None",
    "Offence",
    "Ok",
    "Option",
    "Ord",
    "PhantomData",
    "Policy",
    "Protocol",
    "Refusal",
    "Result",
    "Role",
    "Rules",
    "Self",
    "SendError",
    "SendFailed",
    "Serialize",
    "Server",
    "ServerMessage",
    "Side",
    "Sized",
    "Some",
    "Spec",
    "String",
    "Table",
    "TableError",
    "To",
    "Vec",
];

/// Writes the module of a protocol. The error names the part that has no form in Rust.
pub(crate) fn module(messages: &[MessageLayout<'_>], table: &Table, spec: &Spec) -> Result<String, String> {
    let mut names = Names::new(&TAKEN);
    let mut variants = Names::new(&["Self"]);
    let (mut client, mut server) = (Vec::new(), Vec::new());
    let mut types = String::new();
    for message in messages {
        let declared = message.declared;
        let name = &declared.name;
        let (parts, root) = message.layout.parts();
        let fail = |error: String| format!("message {name:?}: {error}");
        let otherwise = format!("Message{}", message.id);
        let mut of = Types::new(if name.is_empty() { &otherwise } else { name }, &parts, &mut names);
        let ty = of.ty(root).map_err(fail)?;
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
    let sides = [("ClientMessage", "a client", client), ("ServerMessage", "the server", server)];
    Ok(format!(
        "{RUNTIME}\n/// The protocol, as `VariantProtocol.to_json()` writes it.\npub const PROTOCOL: &str = r{fence}\"{json}\"{fence};\n\n\
         /// The hash that both sides have to agree on.\npub const PROTOCOL_HASH: u64 = 0x{:016x};\n{types}{}",
        table.hash(),
        sides.map(|(name, who, rows)| enumeration(name, who, &rows)).concat(),
    ))
}

/// The beginning of every module.
const RUNTIME: &str = include_str!("runtime.rs");

/// Writes the messages that a side may send, each with its type.
fn enumeration(name: &str, who: &str, rows: &[(String, String, &MessageLayout<'_>)]) -> String {
    let each = |write: &dyn Fn(&str, &str, u16) -> String| -> String {
        rows.iter().map(|(variant, ty, message)| write(variant, ty, message.id)).collect()
    };
    // Where there are none, a value is compared with none.
    let this = if rows.is_empty() { "*self" } else { "self" };
    let states = rows.iter().filter(|(_, _, message)| message.declared.state.is_some());
    let states: Vec<String> = states.map(|(variant, ..)| format!("{name}::{variant}(_)")).collect();
    let is_state = if states.is_empty() {
        "false".to_owned()
    } else {
        format!("matches!(self, {})", states.join(" | "))
    };
    format!(
        "\n/// A message that {who} may send.\n#[derive(Clone, Debug, PartialEq)]\npub enum {name} {{\n{}}}\n\n\
         impl Message for {name} {{\n    fn id(&self) -> u16 {{\n        match {this} {{\n{}        }}\n    }}\n\n    \
         fn is_state(&self) -> bool {{\n        {is_state}\n    }}\n\n    \
         fn write(&self) -> Result<Vec<u8>, variant_serde::Error> {{\n        match {this} {{\n{}        }}\n    }}\n\n    \
         fn read(id: u16, value: &[u8]) -> Option<Result<{name}, variant_serde::Error>> {{\n        match id {{\n{}            \
         _ => None,\n        }}\n    }}\n}}\n",
        each(&|variant, ty, _| format!("    {variant}({ty}),\n")),
        each(&|variant, _, id| format!("            {name}::{variant}(_) => {id},\n")),
        each(&|variant, _, _| format!(
            "            {name}::{variant}(value) => variant_serde::to_vec(value),\n"
        )),
        each(&|variant, _, id| format!("            {id} => Some(read(value).map({name}::{variant})),\n")),
    )
}
