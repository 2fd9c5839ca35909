//! Defines the command line. Help, completions and the man page are made from this.

use std::path::PathBuf;

use clap::builder::{BoolishValueParser, PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use variant_core::{Dialect, Limits, RealWidth, Rules, Strictness, Target};

mod edit;
mod packed;
mod protocols;
mod saves;

pub(crate) use edit::{Edit, EditStep, Set};
pub(crate) use packed::{Baselines, Pack, PackedBy, Tag, Unpack};
pub(crate) use protocols::{
    ModuleEnding, Protocol, ProtocolCheck, ProtocolDiff, ProtocolFile, TypeScript, Vectors,
};
pub(crate) use saves::{Repack, Save, SaveRecover};

/// The heading of the options on the input, which most commands have.
const INPUT: &str = "What is read";

/// The examples below the help.
const EXAMPLES: &str = "\
Examples:
  gdvar guess slot1.bin                what wrote it, and how it is framed
  gdvar dump slot1.bin                 every field, up to the first error
  gdvar check saves                    a whole folder
  gdvar decode slot1.bin > slot1.json  to be edited; then
  gdvar encode slot1.json --framing u32 --out slot1.bin
  gdvar transcode --from godot3 --to godot4 saves --out new

`gdvar COMMAND --help` tells all of a command.";

/// Looks into files in Godot's binary Variant format: saves, packets, replays.
///
/// Files that FileAccess.open_compressed() or open_encrypted_with_pass() wrote are opened on the way. Nothing
/// in a file is ever run or built: objects are shown as what they say they are.
///
/// Exit codes: 0 all is well, 1 bad data (or a difference, for diff, or a finding, for scan), 2 a wrong call or a
/// file that cannot be used.
#[derive(Debug, Parser)]
#[command(name = "gdvar", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show values as JSON; tagged, so that `encode` brings back every bit
    Decode(Decode),
    /// Make bytes of tagged JSON, as `decode` writes it
    Encode(Encode),
    /// Show or replace one value of a file, and leave all other bytes, lengths, compression and encryption as they are
    Edit(Edit),
    /// Show every field: offset, hex, type, path and value, up to the byte where reading stops
    Dump(Dump),
    /// Show the tree, with the bytes that each value takes
    Outline(Outline),
    /// Pack a value into few bits by a schema, or its difference from packed bytes
    Pack(Pack),
    /// Show the value of packed bytes, or of a difference
    Unpack(Unpack),
    /// Show where the bytes go: by path and by type
    Sizes(Sizes),
    /// Check files against strictness, limits and a schema, folders too
    Check(Check),
    /// Find the schema of files
    #[command(subcommand)]
    Schema(Schema),
    /// Compare two files by path, or the files of two folders
    Diff(Diff),
    /// Convert files or folders: Godot 3 to 4 and back, for an older version, or to the one canonical form
    Transcode(Transcode),
    /// Write each value of a stream into a file of its own
    Split(SplitOptions),
    /// Look into save files of VariantSave, check, recover or repack them
    #[command(subcommand)]
    Save(Save),
    /// Check the protocol of a game, compare two versions of it, and write its documents and test vectors
    #[command(subcommand)]
    Protocol(Protocol),
    /// Say in which dialects and framings a file makes sense
    Guess(Report),
    /// List what would run code if the engine opened a file with objects allowed
    Scan(Report),
    /// Measure how fast a file is checked, read, written and shown
    Bench(Report),
    /// Print a completion script
    Completions {
        /// For this shell
        shell: clap_complete::Shell,
    },
    /// Print the man pages
    Man {
        /// Those of this command alone, such as `protocol diff`
        command: Vec<String>,
    },
}

/// Options that say what is read, and how.
#[derive(Debug, Args)]
pub(crate) struct ReadOptions {
    /// Files or folders; `-` is the standard input, which is also read when nothing is named
    pub(crate) inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

impl ReadOptions {
    /// Whether more than one file may be read.
    pub(crate) fn are_many(&self) -> bool {
        self.inputs.len() > 1 || self.inputs.iter().any(|input| input.is_dir())
    }
}

/// The form of an answer: for people, or for scripts, an object a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Json,
}

impl Format {
    pub(crate) fn is_json(self) -> bool {
        self == Format::Json
    }

    fn flag() -> impl TypedValueParser<Value = Format> {
        BoolishValueParser::new().map(|is_json| if is_json { Format::Json } else { Format::Text })
    }
}

/// Options that say what is read, and how the answer looks.
#[derive(Debug, Args)]
pub(crate) struct Report {
    #[command(flatten)]
    pub(crate) look: ReadOptions,
    /// Answer in JSON, one object a line: a file, a value, a field or a finding
    #[arg(long = "json", action = ArgAction::SetTrue, value_parser = Format::flag())]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Decode {
    #[command(flatten)]
    pub(crate) report: Report,
    /// Without tags: nicer to read, but it does not come back
    #[arg(long)]
    pub(crate) plain: bool,
    /// All on one line
    #[arg(long)]
    pub(crate) compact: bool,
    /// Write a float as {"$float": "1.0"}: for tools that make 1 of 1.0
    #[arg(long, conflicts_with = "plain")]
    pub(crate) tag_floats: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Encode {
    /// A file with tagged JSON; `-` is the standard input, which is also read when nothing is named
    pub(crate) input: Option<PathBuf>,
    /// The engine that is to read the bytes: godot4, godot3, documented, or a version such as 4.2
    #[arg(long, value_parser = target, default_value = "godot4")]
    pub(crate) to: Target,
    /// Put the length before each value: u32 is what store_var() writes; none puts values one after another. Without it as
    /// the file that is replaced has it; one value needs neither
    #[arg(long, value_parser = written_framing, value_name = "none|u32|u32be|varint")]
    pub(crate) framing: Option<Framing>,
    /// Make floats of the numbers that are floats in this file, value by value: some tools make 1 of 1.0
    #[arg(long, value_name = "FILE")]
    pub(crate) like: Option<PathBuf>,
    /// Write into this file instead of the standard output
    #[arg(short, long)]
    pub(crate) out: Option<PathBuf>,
    /// Write hexadecimal digits instead of bytes
    #[arg(long)]
    pub(crate) hex: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Dump {
    #[command(flatten)]
    pub(crate) report: Report,
    #[command(flatten)]
    pub(crate) packed: PackedBy,
}

#[derive(Debug, Args)]
pub(crate) struct Outline {
    #[command(flatten)]
    pub(crate) report: Report,
    #[command(flatten)]
    pub(crate) packed: PackedBy,
    /// Show so many levels below the root
    #[arg(long, value_name = "LEVELS")]
    pub(crate) depth: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct Sizes {
    #[command(flatten)]
    pub(crate) report: Report,
    /// Show so many places
    #[arg(long, default_value_t = 20)]
    pub(crate) most: usize,
    /// Count the entries of the Dictionary at this place together, as those of an Array: a table by names. May be given again
    #[arg(long, value_name = "PLACE")]
    pub(crate) merge_keys: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) report: Report,
    /// A file with a schema as JSON, as VariantSchema.to_json() writes it: every value has to be what it says
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Show so many violations of one value
    #[arg(long, default_value_t = 32, value_name = "COUNT")]
    pub(crate) most: usize,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Schema {
    /// Print a schema, as JSON, that accepts every value of these samples: it says what was seen in them
    Infer(ReadOptions),
}

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// The file or folder before
    pub(crate) before: PathBuf,
    /// The file or folder after
    pub(crate) after: PathBuf,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Answer in JSON, one line a difference
    #[arg(long = "json", action = ArgAction::SetTrue, value_parser = Format::flag())]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Transcode {
    #[command(flatten)]
    pub(crate) report: Report,
    /// The engine that is to read the result: godot4, godot3, documented, or a version such as 4.2
    #[arg(long, value_parser = target, default_value = "godot4")]
    pub(crate) to: Target,
    /// The folder for the results; the files keep their names below it
    #[arg(short, long)]
    pub(crate) out: PathBuf,
    /// How to treat objects: they are never built
    #[arg(long, default_value = "refuse")]
    pub(crate) objects: ObjectPolicy,
}

#[derive(Debug, Args)]
pub(crate) struct SplitOptions {
    #[command(flatten)]
    pub(crate) report: Report,
    /// The folder for the values
    #[arg(short, long)]
    pub(crate) out: PathBuf,
}

/// How input becomes values.
#[derive(Clone, Debug, Args)]
pub(crate) struct Reading {
    /// The engine that wrote the bytes; without it godot4, but guess and scan try all
    #[arg(help_heading = INPUT, long, visible_alias = "dialect", value_parser = words(DIALECTS))]
    pub(crate) from: Option<Dialect>,
    /// The form of a length before each value: none, or a number (u32 is what store_var() writes)
    #[arg(help_heading = INPUT, long, default_value = "auto")]
    pub(crate) framing: Framing,
    /// Leave out so many bytes before the first value: the header of another program
    #[arg(help_heading = INPUT, long, value_name = "BYTES", value_parser = bytes, default_value_t = 0, hide_default_value = true)]
    pub(crate) skip: u64,
    /// The input is text: hexadecimal digits as programs write bytes, a dump, a literal with escapes, a [list of numbers]
    #[arg(help_heading = INPUT, long, conflicts_with = "base64")]
    pub(crate) hex: bool,
    /// The input is text: Base64
    #[arg(help_heading = INPUT, long)]
    pub(crate) base64: bool,
    /// Opens what open_encrypted_with_pass() wrote, and a save under a password
    #[arg(help_heading = INPUT, long)]
    pub(crate) password: Option<String>,
    /// Takes the first line of a file as the password, which then stands in no list of processes; `-` is the
    /// standard input
    #[arg(help_heading = INPUT, long, value_name = "FILE", conflicts_with_all = ["password", "key"])]
    pub(crate) password_file: Option<PathBuf>,
    /// Opens what open_encrypted() wrote, and a save under a key: 32 bytes as hexadecimal digits
    #[arg(help_heading = INPUT, long, conflicts_with = "password")]
    pub(crate) key: Option<String>,
    /// Accept what engines accept, what they write (safe), or the one form only; without it check, transcode and
    /// infer are safe, what shows is engine
    #[arg(help_heading = INPUT, long, value_parser = words(STRICTNESS))]
    pub(crate) strictness: Option<Strictness>,
    /// How wide the engine that wrote the bytes has its vectors: double of one built with precision=double. Both are
    /// read either way; canonical, and which keys of a dictionary are the same, go by this
    #[arg(help_heading = INPUT, long, default_value = "single", value_parser = words(WIDTHS))]
    pub(crate) precision: RealWidth,
    /// Bounds on what is read; without it those of a save file, with every type and depth
    #[arg(help_heading = INPUT, long, value_parser = words(PRESETS))]
    pub(crate) limits: Option<Limits>,
    /// Compressed files may become so many times as large
    #[arg(help_heading = INPUT, long, default_value_t = 100)]
    pub(crate) max_ratio: u64,
    /// Bytes of one value, and of a compressed or encrypted file, that may be held; instead of those of --limits. With K, M
    /// or G behind the number: times 1024, once, twice, thrice
    #[arg(help_heading = INPUT, long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) max_bytes: Option<u64>,
    /// Memory that the engine would need for one value, by our price list; instead of that of --limits. With K, M or G
    #[arg(help_heading = INPUT, long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) max_heap_bytes: Option<u64>,
}

impl Reading {
    /// Returns how a file is read when the call says nothing of it.
    pub(crate) fn by_default() -> Reading {
        let command = Reading::augment_args(clap::Command::new("gdvar"));
        let said = command.get_matches_from([""]);
        Reading::from_arg_matches(&said).unwrap_or_else(|mistake| mistake.exit())
    }

    /// Returns the rules for reading, for a command that is this strict unless the call says otherwise.
    pub(crate) fn rules(&self, by_default: Strictness) -> Rules {
        let preset = self.limits.unwrap_or(variant_text::looking().limits);
        let limits = match self.max_bytes {
            None => preset,
            Some(most) => {
                Limits { max_bytes: most, max_output_bytes: most.max(preset.max_output_bytes), ..preset }
            }
        };
        let limits =
            Limits { max_heap_bytes: self.max_heap_bytes.unwrap_or(limits.max_heap_bytes), ..limits };
        Rules {
            strictness: self.strictness.unwrap_or(by_default),
            limits,
            dialect: self.from.unwrap_or(Dialect::Godot4),
            full_objects: true,
            reals: self.precision,
        }
    }
}

const DIALECTS: [(&str, Dialect); 3] =
    [("godot4", Dialect::Godot4), ("godot3", Dialect::Godot3), ("documented", Dialect::Documented)];

const STRICTNESS: [(&str, Strictness); 3] =
    [("engine", Strictness::Engine), ("safe", Strictness::Safe), ("canonical", Strictness::Canonical)];

const WIDTHS: [(&str, RealWidth); 2] = [("single", RealWidth::Single), ("double", RealWidth::Double)];

const PRESETS: [(&str, Limits); 3] =
    [("network", Limits::network()), ("save-file", Limits::save_file()), ("engine", Limits::engine())];

/// Parses one of these words, each of which stands for a value.
fn words<T: Copy + Send + Sync + 'static, const N: usize>(
    words: [(&'static str, T); N],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(words.map(|(word, _)| word)).try_map(move |given| {
        let found = words.iter().find(|(word, _)| *word == given);
        found.map(|(_, value)| *value).ok_or("no such word")
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Framing {
    /// U32 where its lengths add up and values stand between them, else none
    Auto,
    /// Values one after another, with nothing before them
    None,
    /// A little-endian length before each value
    U32,
    /// A big-endian length before each value
    U32be,
    /// A length of 1 to 5 bytes before each value, 7 bits in each: FRAMING_VARINT. It is never guessed
    Varint,
}

impl Framing {
    /// Returns its word for `--framing`.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Framing::Auto => "auto",
            Framing::None => "none",
            Framing::U32 => "u32",
            Framing::U32be => "u32be",
            Framing::Varint => "varint",
        }
    }

    /// Returns the framing of `variant-core`. `Auto` stands for none, until lengths are found.
    pub(crate) const fn core(self) -> variant_core::Framing {
        match self {
            Framing::Auto | Framing::None => variant_core::Framing::None,
            Framing::U32 => variant_core::Framing::U32,
            Framing::U32be => variant_core::Framing::U32Be,
            Framing::Varint => variant_core::Framing::Varint,
        }
    }

    /// Whether a length stands before each value.
    pub(crate) const fn has_lengths(self) -> bool {
        matches!(self, Framing::U32 | Framing::U32be | Framing::Varint)
    }

    /// Returns the length of so many bytes as it stands before them.
    pub(crate) fn length(self, bytes: u32) -> Vec<u8> {
        let mut length = Vec::new();
        self.core().write_length(bytes, &mut length);
        length
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ObjectPolicy {
    /// A file with an object is refused
    Refuse,
    /// Each object becomes null, with a warning
    Null,
    /// Class and properties are written as they are; a script is refused between Godot 3 and 4
    Keep,
}

/// Parses a framing to write with. `auto` is refused: there is nothing to find it out from.
fn written_framing(text: &str) -> Result<Framing, String> {
    let known = Framing::from_str(text, false).ok().filter(|framing| *framing != Framing::Auto);
    known.ok_or_else(|| "expected none, u32, u32be or varint".to_owned())
}

/// Parses a number of bytes, with or without a unit.
fn bytes(text: &str) -> Result<u64, String> {
    let units = [('K', 1 << 10), ('M', 1 << 20), ('G', 1 << 30)];
    let unit = units
        .into_iter()
        .find_map(|(unit, bytes)| Some((text.strip_suffix([unit, unit.to_ascii_lowercase()])?, bytes)));
    let (digits, unit) = unit.unwrap_or((text, 1));
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    number.ok_or_else(|| "expected a number of bytes, such as 65536, 64K, 1M or 2G".to_owned())
}

fn target(text: &str) -> Result<Target, String> {
    match text {
        "godot4" => Ok(Target::newest(Dialect::Godot4)),
        "godot3" => Ok(Target::newest(Dialect::Godot3)),
        "documented" => Ok(Target::newest(Dialect::Documented)),
        version => Target::godot_4(version)
            .filter(|_| !version.is_empty())
            .ok_or_else(|| "expected godot4, godot3, documented, or a version from 4.0 to 4.7".to_owned()),
    }
}
