//! Defines the arguments of `gdvar save`.

use std::path::PathBuf;

use clap::{ArgAction, Args, Subcommand};
use variant_save::Compression;

use super::{Format, Reading, Report, words};

#[derive(Debug, Subcommand)]
pub(crate) enum Save {
    /// Show what a save says of itself: version, time, metadata; no key is needed
    Info(Report),
    /// Check that saves are whole, and with the key that nobody changed them
    Verify(Report),
    /// Write a save of the entries of a damaged one that are whole
    Recover(SaveRecover),
    /// Write the same state with another compression or protection
    Repack(Repack),
}

#[derive(Debug, Args)]
pub(crate) struct SaveRecover {
    /// The damaged save
    pub(crate) file: PathBuf,
    /// Write the new save into this file
    #[arg(short, long)]
    pub(crate) out: PathBuf,
    /// Replace a file that is there; never the damaged save
    #[arg(long)]
    pub(crate) force: bool,
    /// Answer in JSON, one object
    #[arg(long = "json", action = ArgAction::SetTrue, value_parser = Format::flag())]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, Args)]
pub(crate) struct Repack {
    /// The save
    pub(crate) file: PathBuf,
    /// Write the new save into this file
    #[arg(short, long)]
    pub(crate) out: PathBuf,
    /// Compress it so; without it as before
    #[arg(long, value_parser = words(COMPRESSIONS))]
    pub(crate) compression: Option<Compression>,
    /// Encrypt it with the first line of a file as the password
    #[arg(long, value_name = "FILE")]
    pub(crate) new_password_file: Option<PathBuf>,
    /// Encrypt it with a key: 32 bytes as hexadecimal digits
    #[arg(long, value_name = "KEY", conflicts_with = "new_password_file")]
    pub(crate) new_key: Option<String>,
    /// Take its protection off
    #[arg(long, conflicts_with_all = ["new_password_file", "new_key"])]
    pub(crate) unprotected: bool,
    /// Answer in JSON, one object
    #[arg(long = "json", action = ArgAction::SetTrue, value_parser = Format::flag())]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

const COMPRESSIONS: [(&str, Compression); 3] =
    [("none", Compression::None), ("zstd", Compression::Zstd), ("deflate", Compression::Deflate)];
