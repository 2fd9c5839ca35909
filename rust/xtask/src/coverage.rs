//! Counts which lines of the core the tests and the corpora run, for `cargo xtask coverage`.
//!
//! It prints the missed lines file by file and fails below the goal. Test modules inside the files are not
//! counted, because they always run.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

use crate::child::{self, Show};
use crate::engine::llvm::Llvm;
use crate::files::remove_tree;
use crate::tally::ended;
use crate::workspace::Workspace;

/// The share of the core's lines that must be run, in percent, as docs/SECURITY.md promises.
const GOAL: f64 = 98.0;

/// The crates whose tests are counted, whatever crate the code is in that they run.
const TESTED: [&str; 3] = ["variant-core", "variant-testkit", "variant-tests"];

/// Runs the instrumented tests and prints a line for each file; returns 1 when the core is below its goal.
pub(crate) fn run(workspace: &Workspace) -> Result<ExitCode> {
    let llvm = Llvm::find(workspace)?;
    let folder = workspace.target().join("coverage");
    let profiles = folder.join("profiles");
    remove_tree(&profiles)?;
    fs::create_dir_all(&profiles)?;
    let binaries = test(workspace, &folder, &profiles)?;
    let data = merge(&llvm, &folder, &profiles)?;
    let mut rows = rows(&export(workspace, &llvm, &binaries, &data)?)?;
    rows.sort_by(|one, other| one.name.cmp(&other.name));
    ensure!(!rows.is_empty(), "llvm-cov reported no file of the core");
    println!();
    rows.iter().for_each(|row| println!("{row}"));
    let total = Row::total(&rows);
    println!("{total}");
    let is_reached = total.percent() >= GOAL;
    println!("{}  the core's goal is {GOAL} % of its lines", if is_reached { "PASS" } else { "FAIL" });
    ended(is_reached)
}

/// Builds and runs the tests, and returns the executables, which hold the map from counters to lines.
fn test(workspace: &Workspace, folder: &Path, profiles: &Path) -> Result<Vec<PathBuf>> {
    let mut cargo = workspace.cargo();
    cargo.args(["test", "--target-dir"]).arg(folder);
    TESTED.iter().for_each(|package| {
        cargo.args(["--package", package]);
    });
    cargo.env("RUSTFLAGS", "-Cinstrument-coverage").env("LLVM_PROFILE_FILE", profiles.join("%p-%m.profraw"));
    let outcome = child::run(&mut cargo, Show::Now, None)?;
    ensure!(outcome.success(), "the tests are red: their coverage says nothing");
    let executables = outcome.lines.iter().filter_map(|line| executable(line));
    let executables: Vec<PathBuf> = executables.map(|path| workspace.root().join(path)).collect();
    ensure!(!executables.is_empty(), "cargo named no test executable");
    Ok(executables)
}

/// Reads the path in cargo's line `Running unittests src/lib.rs (target/debug/deps/x-0123)`.
fn executable(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("Running ")?.rsplit_once('(')?.1.strip_suffix(')')
}

fn merge(llvm: &Llvm, folder: &Path, profiles: &Path) -> Result<PathBuf> {
    let data = folder.join("all.profdata");
    let mut merge = llvm.tool("llvm-profdata");
    merge.args(["merge", "-sparse", "-o"]).arg(&data);
    for entry in fs::read_dir(profiles)? {
        merge.arg(entry?.path());
    }
    let outcome = child::run(&mut merge, Show::Later, None)?;
    ensure!(outcome.success(), "llvm-profdata: {}", outcome.text());
    Ok(data)
}

/// Returns the counts in lcov's format: `SF:file`, then `DA:line,times` for each line with code.
fn export(workspace: &Workspace, llvm: &Llvm, binaries: &[PathBuf], data: &Path) -> Result<Vec<String>> {
    let mut export = llvm.tool("llvm-cov");
    export.args(["export", "--format=lcov"]).arg("--instr-profile").arg(data);
    binaries.iter().for_each(|binary| {
        export.arg("--object").arg(binary);
    });
    export.arg("--sources").arg(workspace.root().join("rust/core/src"));
    let outcome = child::run(&mut export, Show::Later, None)?;
    ensure!(outcome.success(), "llvm-cov: {}", outcome.text());
    Ok(outcome.lines)
}

/// Holds the counts of one file, or of all files together.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    name: String,
    lines: u32,
    /// The numbers of the lines that nothing ran.
    missed: Vec<u32>,
}

fn rows(lcov: &[String]) -> Result<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    let mut tests_at = u32::MAX;
    for line in lcov {
        if let Some(path) = line.strip_prefix("SF:") {
            let text = fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
            tests_at = first_line_of_tests(&text);
            let name = path.rsplit_once("/src/").map_or(path, |(_, name)| name);
            rows.push(Row { name: name.to_owned(), lines: 0, missed: Vec::new() });
        } else if let (Some(row), Some((number, times))) = (rows.last_mut(), line_count(line))
            && number < tests_at
        {
            row.lines += 1;
            if times == 0 {
                row.missed.push(number);
            }
        }
    }
    rows.retain(|row| row.lines > 0 && !row.name.ends_with("tests.rs"));
    Ok(rows)
}

/// Reads a count: `DA:12,3` says that line 12 ran three times.
fn line_count(line: &str) -> Option<(u32, u64)> {
    let (number, times) = line.strip_prefix("DA:")?.split_once(',')?;
    Some((number.parse().ok()?, times.parse().ok()?))
}

/// Returns the line at which a file's own tests begin; they are its last part.
fn first_line_of_tests(text: &str) -> u32 {
    let at = text.lines().position(|line| line == "#[cfg(test)]");
    at.and_then(|at| u32::try_from(at + 1).ok()).unwrap_or(u32::MAX)
}

impl Row {
    fn total(rows: &[Row]) -> Row {
        Row {
            name: "all".to_owned(),
            lines: rows.iter().map(|row| row.lines).sum(),
            missed: rows.iter().flat_map(|row| &row.missed).copied().collect(),
        }
    }

    fn percent(&self) -> f64 {
        let missed = u32::try_from(self.missed.len()).unwrap_or(u32::MAX);
        100.0 * (1.0 - f64::from(missed) / f64::from(self.lines.max(1)))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { name, lines, missed } = self;
        write!(f, "{name:<22} {lines:>6} lines {:>5} missed {:>7.2} %", missed.len(), self.percent())?;
        if name != "all" {
            missed.iter().try_for_each(|line| write!(f, " {line}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executables_are_named_by_cargo() {
        let line = "     Running unittests src/lib.rs (target/debug/deps/variant_core-0123)";
        assert_eq!(executable(line), Some("target/debug/deps/variant_core-0123"));
        assert_eq!(executable("   Doc-tests variant_core"), None);
    }

    #[test]
    fn tests_inside_a_file_are_not_counted() {
        assert_eq!(first_line_of_tests("fn a() {}\n\n#[cfg(test)]\nmod tests {}\n"), 3);
        assert_eq!(line_count("DA:12,3"), Some((12, 3)));
        assert_eq!(line_count("FNF:3"), None);
        let row = Row { name: "cursor.rs".to_owned(), lines: 50, missed: vec![7] };
        assert_eq!(row.to_string(), "cursor.rs                  50 lines     1 missed   98.00 % 7");
    }
}
