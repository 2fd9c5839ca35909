//! Defines the arguments of `gdvar save`, and reads passwords and keys.

use std::path::{Path, PathBuf};

use clap::{ArgAction, Args, Subcommand, ValueEnum};
use variant_save::Keys;

use super::{Format, Reading, Report};
use crate::failure::Failure;

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
    #[arg(long)]
    pub(crate) compression: Option<SaveCompression>,
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

impl Repack {
    /// Returns the password or key for the new file.
    pub(crate) fn new_keys(&self) -> Result<Option<Keys>, Failure> {
        match (&self.new_password_file, &self.new_key) {
            (Some(path), _) => Ok(Some(Keys::password(&first_line(path, "--new-password-file")?))),
            (_, Some(digits)) => Ok(Some(Keys::key(key_of(digits, "--new-key")?))),
            _ => Ok(None),
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SaveCompression {
    None,
    Zstd,
    Deflate,
}

/// Returns the first line of a file, which is a password.
pub(super) fn first_line(path: &Path, option: &str) -> Result<String, Failure> {
    let text = crate::source::text(path)?;
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let password = String::from_utf8(line.strip_suffix(b"\r").unwrap_or(line).to_vec());
    password.map_err(|_| Failure::misuse(format!("{option}: expected text in UTF-8")))
}

/// Reads a key of 32 bytes as digits.
pub(super) fn key_of(digits: &str, option: &str) -> Result<[u8; 32], Failure> {
    let key = crate::pasted::read(digits.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
    key.ok_or_else(|| Failure::misuse(format!("{option}: expected 64 hexadecimal digits")))
}
