//! Runs every check that a change must pass, cheapest first, for `cargo xtask check`.
//!
//! It stops at the first failure and prints the command that repeats it.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use crate::arguments::Test;
use crate::child::{self, Show};
use crate::tally::ended;
use crate::workspace::Workspace;
use crate::{deny, instructions, test, tidy};

pub(crate) fn run(workspace: &Workspace, long: bool, godot: Option<PathBuf>) -> Result<ExitCode> {
    let cargo = |words: &str| {
        let mut cargo = workspace.cargo();
        let cargo = cargo.args(words.split(' ')).env("RUSTDOCFLAGS", "-D warnings");
        ended(child::run(cargo, Show::Now, None)?.success())
    };
    let options = Test { long, godot, ..Test::default() };
    type Step<'a> = (&'a str, &'a dyn Fn(&str) -> Result<ExitCode>);
    let steps: [Step<'_>; 8] = [
        ("fmt --all --check", &cargo),
        ("clippy --workspace --all-targets -- -D warnings", &cargo),
        // These are the features that the web is built with.
        ("clippy --package variant-stream --no-default-features --features nothreads -- -D warnings", &cargo),
        ("doc --workspace --no-deps", &cargo),
        ("xtask tidy", &|_| tidy::run(workspace, false)),
        ("xtask deny", &|_| ended(deny::run(workspace, long)?)),
        ("xtask instructions", &|_| instructions::run(workspace)),
        ("xtask test", &|_| test::run(workspace, &options)),
    ];
    for (step, run) in steps {
        println!("=== cargo {step}");
        let code = run(step)?;
        if code != ExitCode::SUCCESS {
            eprintln!("check: failed; to repeat this step: cargo {step}");
            return Ok(code);
        }
    }
    Ok(ExitCode::SUCCESS)
}
