//! `cargo xtask mutants`: cargo-mutants on the core. It changes one thing at a time and runs the tests; a change that
//! stays green is a gap in them. What no input can tell apart is listed, with its reason, in `.cargo/mutants.toml`.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use crate::child::{self, Show};
use crate::workspace::Workspace;

/// The version whose options and closing line are read here.
const VERSION: &str = "27.1.0";

/// What the tests must notice, in percent.
const GOAL: f64 = 95.0;

/// Runs all mutants, or the share `k/n` of them; 1 below the goal.
pub(crate) fn run(workspace: &Workspace, shard: Option<&str>) -> Result<ExitCode> {
    let tool = installed(workspace)?;
    let mut mutants = Command::new(tool);
    mutants.current_dir(workspace.root()).arg("mutants");
    mutants.args(["--package", "variant-core", "--no-shuffle", "--colors", "never", "--output"]);
    mutants.arg(workspace.target().join("mutants"));
    if let Some(shard) = shard {
        mutants.args(["--shard", shard]);
    }
    let outcome = child::run(&mut mutants, Show::Now, None)?;
    let closing = outcome.lines.iter().rev().find_map(|line| Tally::read(line));
    let tally =
        closing.with_context(|| format!("cargo-mutants did not come to its end: {}", outcome.text()))?;
    ensure!(tally.caught + tally.missed > 0, "no mutant was tried");
    let is_reached = tally.percent() >= GOAL;
    let word = if is_reached { "PASS" } else { "FAIL" };
    println!("{word}  {:.1} % of the mutants are noticed, the goal is {GOAL} %", tally.percent());
    Ok(ExitCode::from(u8::from(!is_reached)))
}

/// The tool of the version above, in the target folder.
fn installed(workspace: &Workspace) -> Result<PathBuf> {
    let root = workspace.target().join("tools");
    let tool = root.join("bin").join("cargo-mutants").with_extension(std::env::consts::EXE_EXTENSION);
    if is_of_version(&tool) {
        return Ok(tool);
    }
    let mut cargo = workspace.cargo();
    cargo.args(["install", "cargo-mutants", "--locked", "--version", VERSION, "--root"]).arg(&root);
    ensure!(child::run(&mut cargo, Show::Now, None)?.success(), "cargo-mutants could not be installed");
    Ok(tool)
}

fn is_of_version(tool: &Path) -> bool {
    let outcome = child::run(Command::new(tool).args(["mutants", "--version"]), Show::Later, None);
    outcome.is_ok_and(|outcome| outcome.lines.iter().any(|line| line.ends_with(VERSION)))
}

/// From the closing line: `61 mutants tested in 9m: 3 missed, 50 caught, 7 unviable, 1 timeouts`.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    caught: u32,
    missed: u32,
}

impl Tally {
    fn read(line: &str) -> Option<Self> {
        let (_, counts) = line.split_once(" tested in ")?;
        let (_, counts) = counts.split_once(": ")?;
        let mut tally = Self::default();
        for count in counts.split(", ") {
            let (number, what) = count.split_once(' ')?;
            let number: u32 = number.parse().ok()?;
            match what {
                "missed" => tally.missed += number,
                // A loop that no longer ends is noticed too.
                "caught" | "timeouts" | "timeout" => tally.caught += number,
                _ => {}
            }
        }
        Some(tally)
    }

    fn percent(&self) -> f64 {
        100.0 * f64::from(self.caught) / f64::from((self.caught + self.missed).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_line_is_read() {
        let line = "61 mutants tested in 9m: 3 missed, 50 caught, 7 unviable, 1 timeouts";
        let tally = Tally::read(line).unwrap();
        assert_eq!(tally, Tally { caught: 51, missed: 3 });
        assert!((94.0..95.0).contains(&tally.percent()));
        assert_eq!(Tally::read("Found 61 mutants to test"), None);
    }
}
