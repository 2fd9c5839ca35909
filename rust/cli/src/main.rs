//! `gdvar`: looks into files in Godot's binary Variant format, compares, checks and converts them.
//!
//! This file runs the command that the arguments name and returns its exit code: 0 all is well, 1 the data is
//! not (or, for `diff`, differs; for `scan`, has something in it), 2 the call was wrong or a file could not
//! be used.

mod arguments;
mod arguments_path;
mod batch;
mod batch_report;
mod command;
mod container;
mod csharp;
mod draw;
mod failure;
mod framing;
mod hex_dump;
mod hint;
mod input_name;
mod layouts;
mod literals;
mod names;
mod paint;
mod pasted;
mod pieces;
mod rust;
mod save;
mod source;
mod tables;
mod typescript;
mod values;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Cli, Command, Schema};
use failure::{Failure, Outcome};

fn main() -> ExitCode {
    match run(&asked().command) {
        Ok(verdict) => verdict.exit_code(),
        Err(failure) => {
            if failure.is_closed_pipe() {
                return ExitCode::SUCCESS;
            }
            paint::tell(None, &failure);
            failure.exit_code()
        }
    }
}

/// Reads the command line. A mistake in it, or a call for help, ends the program here.
fn asked() -> Cli {
    Cli::try_parse().unwrap_or_else(|mistake| {
        // The message quotes the arguments, so the mistake is made once more with arguments whose control
        // characters are escaped.
        let words = std::env::args_os().map(|word| paint::shown(&word.to_string_lossy()));
        Cli::try_parse_from(words).err().unwrap_or(mistake).exit()
    })
}

fn run(command: &Command) -> Result<Outcome, Failure> {
    match command {
        Command::Decode(given) => command::json::decode(given),
        Command::Encode(given) => command::json::encode(given),
        Command::Edit(given) => command::edit::run(given),
        Command::Dump(given) => command::look::dump(given),
        Command::Outline(given) => command::look::outline(given),
        Command::Pack(given) => command::packed::pack(given),
        Command::Unpack(given) => command::packed::unpack(given),
        Command::Sizes(given) => command::look::sizes(given),
        Command::Check(given) => command::check::run(given),
        Command::Schema(Schema::Infer(given)) => command::schema::infer(given),
        Command::Diff(given) => command::diff::run(given),
        Command::Transcode(given) => command::transcode::run(given),
        Command::Split(given) => command::split::run(given),
        Command::Save(given) => command::save::run(given),
        Command::Protocol(given) => command::protocol::run(given),
        Command::Guess(given) => command::guess::run(given),
        Command::Scan(given) => command::scan::run(given),
        Command::Bench(given) => command::bench::run(given),
        Command::Completions { shell } => command::shell::completions(*shell),
        Command::Man { command } => command::shell::man(command),
    }
}
