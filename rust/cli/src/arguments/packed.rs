//! Defines the commands and options of packed bytes.

use std::num::NonZeroU16;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use variant_core::Limits;
use variant_pack::Tagging;

use super::{Framing, INPUT, PRESETS, Reading, words, written_framing};

/// The schema that packed bytes are of.
#[derive(Debug, Args)]
pub(crate) struct BySchema {
    /// A file with the schema as JSON, as VariantSchema.to_json() writes it
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: PathBuf,
    /// The tag in front of packed bytes: tagged is what pack() of a schema makes
    #[arg(long, default_value = "tagged")]
    pub(crate) tag: Tag,
}

/// The schema of packed bytes, where there are any.
#[derive(Debug, Args)]
pub(crate) struct PackedBy {
    /// The input is packed by this schema, as JSON: its bits are shown
    #[arg(help_heading = INPUT, long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// The tag in front of packed bytes
    #[arg(help_heading = INPUT, long, default_value = "tagged", requires = "schema")]
    pub(crate) tag: Tag,
}

/// The values that a difference is from.
#[derive(Debug, Args)]
pub(crate) struct Baselines {
    /// The packed bytes, with the same tag, that the difference is from; given twice, it is from two: the newer, then the older
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Vec<PathBuf>,
    /// How many states the newer of two baselines is before the value, and the older before the newer; without it, as many
    #[arg(long, value_name = "AHEAD,GAP", requires = "baseline", value_parser = apart)]
    pub(crate) apart: Option<[NonZeroU16; 2]>,
}

fn apart(text: &str) -> Result<[NonZeroU16; 2], String> {
    let both = text.split_once(',').and_then(|(ahead, gap)| Some([ahead.parse().ok()?, gap.parse().ok()?]));
    both.ok_or_else(|| "two numbers from 1 to 65535 are needed, such as 2,1".to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct Pack {
    /// A file with one value, in Godot's format or as tagged JSON; `-` is the standard input, which is also read when nothing
    /// is named
    pub(crate) input: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) by: BySchema,
    #[command(flatten)]
    pub(crate) from: Baselines,
    /// Put the length of the packed bytes before them: varint is what FRAMING_VARINT reads
    #[arg(long, value_parser = written_framing, value_name = "none|u32|u32be|varint")]
    pub(crate) framing: Option<Framing>,
    /// Bounds on the value; without it those of a save file
    #[arg(long, value_parser = words(PRESETS))]
    pub(crate) limits: Option<Limits>,
    /// Write into this file instead of the standard output
    #[arg(short, long)]
    pub(crate) out: Option<PathBuf>,
    /// Write hexadecimal digits instead of bytes
    #[arg(long)]
    pub(crate) hex: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Unpack {
    /// A file with packed bytes; `-` is the standard input, which is also read when nothing is named
    pub(crate) input: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) by: BySchema,
    #[command(flatten)]
    pub(crate) from: Baselines,
    /// Write the packed bytes that the difference makes into this file: the next baseline
    #[arg(long, value_name = "FILE", requires = "baseline")]
    pub(crate) next: Option<PathBuf>,
    /// Write the value, in Godot's format, into this file instead of showing it as tagged JSON
    #[arg(short, long)]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tag {
    /// Nothing
    Bare,
    /// 2 bytes that tell the schema
    Tagged,
    /// 9 bytes that tell the schema, for files
    Long,
}

impl Tag {
    pub(crate) const fn tagging(self) -> Tagging {
        match self {
            Tag::Bare => Tagging::Bare,
            Tag::Tagged => Tagging::Short,
            Tag::Long => Tagging::Long,
        }
    }
}
