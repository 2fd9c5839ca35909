//! Writes C# classes that pack and unpack the messages of a protocol: a runtime (the `.cs` files in this folder) and, for each
//! message, a class and the table of its parts. They need C# 7 and nothing of Godot.

mod classes;
mod literal;

use variant_protocol::{Sender, Table};

use crate::layouts::MessageLayout;
use crate::literals::text;
use crate::names::Names;

/// The parts of the runtime, in the order in which they stand in a file.
const RUNTIME: [&str; 7] = [
    include_str!("Numbers.cs"),
    include_str!("Turns.cs"),
    include_str!("Parts.cs"),
    include_str!("Codec.cs"),
    include_str!("Bits.cs"),
    include_str!("Applier.cs"),
    include_str!("Columns.cs"),
];

const HEAD: &str = "\
// Written by `gdvar protocol csharp`. Changes are lost when it is written again.
#pragma warning disable 0649
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

";

/// Writes the file of a protocol, all of it in one namespace. The error names the part that has no form in C#.
pub(crate) fn file(
    messages: &[MessageLayout<'_>],
    table: &Table,
    hello: &[u8],
    namespace: &str,
) -> Result<String, String> {
    let mut names = Names::new(classes::TAKEN);
    let mut body = String::new();
    let mut listed = String::new();
    for message in messages {
        let fail = |error: String| format!("message {:?}: {error}", message.declared.name);
        let name = names.of(&message.declared.name, &format!("Message{}", message.id));
        body.push_str(&classes::of(&name, message, &mut names).map_err(fail)?);
        listed.push_str(&format!("        {{ {}, {} }},\n", message.id, text(&message.declared.name)));
    }
    let bytes: Vec<String> = hello.iter().map(u8::to_string).collect();
    let facts = format!(
        "/// <summary>What both sides of the protocol agree on.</summary>\npublic static class Protocol\n{{\n    \
         public const ulong Hash = 0x{:016x};\n    /// <summary>The first packet that a client sends. Draw a number for each connection: a server tells sessions apart \
         by it.</summary>\n    \
         public static byte[] Hello(uint session)\n    {{\n        byte[] hello = {{ {} }};\n        \
         for (int at = 0; at < 4; at++) hello[6 + at] = (byte)(session >> (8 * at));\n        \
         return hello;\n    }}\n    \
         public static readonly Dictionary<int, string> Names = new Dictionary<int, string>\n    {{\n{listed}    }};\n}}\n",
        table.hash(),
        bytes.join(", ")
    );
    Ok(format!("{HEAD}namespace {namespace}\n{{\n{body}\n{facts}\n{}\n}}\n", RUNTIME.join("\n")))
}

fn from(message: &MessageLayout<'_>) -> &'static str {
    match message.declared.sender {
        Sender::Client => "clients",
        Sender::Server => "the server",
        Sender::Both => "both sides",
    }
}
