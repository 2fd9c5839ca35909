//! Defines the arguments of `gdvar protocol`.

use std::path::PathBuf;

use clap::{ArgAction, Args, Subcommand, ValueEnum};
use variant_protocol::Category;

use super::{Format, words};

#[derive(Debug, Subcommand)]
pub(crate) enum Protocol {
    /// Check that protocols are well formed, and show how large each message can become
    Check(ProtocolCheck),
    /// Compare two versions of a protocol: can they still talk to each other? Exit code 1 if not
    Diff(ProtocolDiff),
    /// Print a protocol as Markdown
    Docs(ProtocolFile),
    /// Print values of each message with their packed bytes, and bytes that are refused, as JSON: what a program in
    /// another language has to agree with
    Vectors(Vectors),
    /// Write a module that packs and unpacks the messages: JavaScript with types for TypeScript
    Typescript(TypeScript),
    /// Write a C# file with a class for each message, which packs and unpacks it without the engine
    Csharp(CSharp),
    /// Write a Rust module with a type for each message, and both sides of the protocol, which send and hear those types
    Rust(RustModule),
}

#[derive(Debug, Args)]
pub(crate) struct ProtocolCheck {
    /// Files with a protocol as JSON, as VariantProtocol.to_json() writes it; `-` is the standard input, which is
    /// also read when nothing is named
    pub(crate) files: Vec<PathBuf>,
    /// Answer in JSON, one object a file
    #[arg(long = "json", action = ArgAction::SetTrue, value_parser = Format::flag())]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct ProtocolDiff {
    /// The protocol before
    pub(crate) before: PathBuf,
    /// The protocol after
    pub(crate) after: PathBuf,
    /// End with 1 for changes of this category, or of one before it: wire (the bytes), meaning (what is checked, rates, modes),
    /// source (names that programs use)
    #[arg(long, default_value = "wire", value_parser = words(BREAKING))]
    pub(crate) breaking: Category,
    /// Answer in JSON, one line a difference
    #[arg(long = "json", action = ArgAction::SetTrue, value_parser = Format::flag())]
    pub(crate) format: Format,
}

const BREAKING: [(&str, Category); 3] =
    [("wire", Category::Wire), ("meaning", Category::Meaning), ("source", Category::Source)];

#[derive(Debug, Args)]
pub(crate) struct ProtocolFile {
    /// A file with a protocol as JSON; `-` is the standard input
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Vectors {
    #[command(flatten)]
    pub(crate) of: ProtocolFile,
    /// Show so many values of each message
    #[arg(long, default_value_t = 8, value_name = "COUNT")]
    pub(crate) count: u32,
    /// Draw the values from this number: the same number gives the same values
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(Debug, Args)]
pub(crate) struct TypeScript {
    #[command(flatten)]
    pub(crate) of: ProtocolFile,
    /// The folder for the module, the runtime variant_stream.js and their types
    #[arg(short, long)]
    pub(crate) out: PathBuf,
    /// The name of the module, without an ending; left out, it is the first word of the protocol's
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// The ending of the files: Node takes mjs for modules everywhere, js where package.json says "type": "module"
    #[arg(long, default_value = "js")]
    pub(crate) module: ModuleEnding,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ModuleEnding {
    Js,
    Mjs,
}

#[derive(Debug, Args)]
pub(crate) struct CSharp {
    #[command(flatten)]
    pub(crate) of: ProtocolFile,
    /// Write into this file
    #[arg(short, long)]
    pub(crate) out: PathBuf,
    /// The namespace of everything in it
    #[arg(long, default_value = "GameProtocol", value_parser = namespace)]
    pub(crate) namespace: String,
}

fn namespace(text: &str) -> Result<String, &'static str> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let is_word = |word: &str| word.chars().all(is_part) && !word.starts_with(|c: char| c.is_ascii_digit());
    let is_right = text.split('.').all(|word| !word.is_empty() && is_word(word));
    if is_right {
        Ok(text.to_owned())
    } else {
        Err("letters, digits and _ make words, with dots between them")
    }
}

#[derive(Debug, Args)]
pub(crate) struct RustModule {
    #[command(flatten)]
    pub(crate) of: ProtocolFile,
    /// Write into this file
    #[arg(short, long)]
    pub(crate) out: PathBuf,
}
