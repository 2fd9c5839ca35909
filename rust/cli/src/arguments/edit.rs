//! Defines the arguments of `gdvar edit`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Reading;

#[derive(Debug, Args)]
pub(crate) struct Edit {
    /// The file
    pub(crate) file: PathBuf,
    #[command(subcommand)]
    pub(crate) step: EditStep,
    /// Take the value with this number, from 0 on, of a file of several
    #[arg(long, value_name = "NUMBER", global = true)]
    pub(crate) value: Option<u64>,
    /// Write the file with the change here, and leave the file itself as it is
    #[arg(short, long, value_name = "FILE", global = true)]
    pub(crate) out: Option<PathBuf>,
    /// Keep the file as it was here
    #[arg(long, value_name = "FILE", global = true, conflicts_with = "out")]
    pub(crate) backup: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EditStep {
    /// Show the value at a place as tagged JSON
    Get {
        /// The place as the other commands write it, such as players[3].name
        place: String,
    },
    /// Put a value in the place of one of the same type
    Set(Set),
    /// Take out an entry of a Dictionary, or an element of an Array
    Delete {
        /// The place as the other commands write it, such as players[3]
        place: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Set {
    /// The place as the other commands write it, such as players[3].name
    pub(crate) place: String,
    /// The value as tagged JSON, as `get` and `decode` show it: 80, "Ana", {"$Vector2": [1.5, -2.0]}
    #[arg(allow_hyphen_values = true)]
    pub(crate) json: String,
    /// Add it where nothing is: an entry of a Dictionary, or the next element of an Array
    #[arg(long)]
    pub(crate) add: bool,
    /// It may be of another type than what is there
    #[arg(long)]
    pub(crate) retype: bool,
}
