//! Runs every check that a change must pass, cheapest first, for `cargo xtask check`.
//!
//! It stops at the first failure and prints the command that repeats it.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::arguments::Arguments;
use crate::child::{self, Show};
use crate::workspace::Workspace;
use crate::{deny, instructions, test, tidy};

pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    let steps = [
        "fmt --all --check",
        "clippy --workspace --all-targets -- -D warnings",
        // These are the features that the web is built with.
        "clippy --package variant-stream --no-default-features --features nothreads -- -D warnings",
        "doc --workspace --no-deps",
    ];
    for step in steps {
        println!("=== cargo {step}");
        let mut cargo = workspace.cargo();
        deny_doc_warnings(cargo.args(step.split(' ')));
        if !child::run(&mut cargo, Show::Now, None)?.success() {
            return Ok(failed(&format!("cargo {step}")));
        }
    }
    println!("=== cargo xtask tidy");
    if tidy::run(workspace, false)? != ExitCode::SUCCESS {
        return Ok(failed("cargo xtask tidy"));
    }
    println!("=== cargo xtask deny");
    if deny::run(workspace, arguments)? != ExitCode::SUCCESS {
        return Ok(failed("cargo xtask deny"));
    }
    println!("=== cargo xtask instructions");
    if instructions::run(workspace)? != ExitCode::SUCCESS {
        return Ok(failed("cargo xtask instructions"));
    }
    println!("=== cargo xtask test");
    let code = test::run(workspace, arguments)?;
    if code != ExitCode::SUCCESS {
        failed("cargo xtask test");
    }
    Ok(code)
}

fn deny_doc_warnings(cargo: &mut Command) {
    cargo.env("RUSTDOCFLAGS", "-D warnings");
}

fn failed(command: &str) -> ExitCode {
    eprintln!("check: failed; to repeat this step: {command}");
    ExitCode::FAILURE
}
