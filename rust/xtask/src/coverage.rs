//! Counts which lines of the core the tests and the corpora run by cargo-llvm-cov, for `cargo xtask coverage`.
//!
//! It prints the missed lines file by file and fails below the goal. Test modules inside the files are not
//! counted, because they always run.

use std::fs;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use crate::child::{self, Show};
use crate::cross::tools::of_cargo;
use crate::engine::llvm;
use crate::tally::ended;
use crate::workspace::Workspace;

/// The version whose options are known here.
const VERSION: &str = "0.9.1";

/// The share of the core's lines that must be run, in percent, as docs/SECURITY.md promises.
const GOAL: f64 = 98.0;

/// The crates whose tests are counted, whatever crate the code is in that they run.
const TESTED: &str = "--package variant-core --package variant-testkit --package variant-tests";

/// Runs the instrumented tests and prints a line for each file; returns 1 when the core is below its goal.
pub(crate) fn run(workspace: &Workspace) -> Result<ExitCode> {
    let tools = llvm::find(workspace)?;
    let lcov = workspace.target().join("coverage.lcov");
    let mut cargo = Command::new(of_cargo(workspace, "cargo-llvm-cov", VERSION)?);
    cargo.current_dir(workspace.root()).args(["llvm-cov", "test", "--lcov", "--output-path"]).arg(&lcov);
    cargo.args(TESTED.split(' '));
    cargo.env("LLVM_COV", tools.join("llvm-cov")).env("LLVM_PROFDATA", tools.join("llvm-profdata"));
    cargo.env("CARGO_LLVM_COV_TARGET_DIR", workspace.target().join("coverage"));
    ensure!(
        child::run(&mut cargo, Show::Now, None)?.success(),
        "the tests are red: their coverage says nothing"
    );
    let rows = rows(&fs::read_to_string(&lcov)?)?;
    ensure!(!rows.is_empty(), "llvm-cov reported no file of the core");
    println!();
    for Row { name, lines, missed } in &rows {
        let missed: String = missed.iter().map(|line| format!(" {line}")).collect();
        println!("{name:<22} {lines:>6} lines, missed:{missed}");
    }
    let lines: usize = rows.iter().map(|row| row.lines).sum();
    let missed: usize = rows.iter().map(|row| row.missed.len()).sum();
    let percent = 100.0 * (1.0 - missed as f64 / lines as f64);
    let is_reached = percent >= GOAL;
    let verdict = if is_reached { "PASS" } else { "FAIL" };
    println!("{verdict}  {percent:.2} % of {lines} lines are run, the core's goal is {GOAL} %");
    ended(is_reached)
}

/// Holds the counts of one file.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    name: String,
    lines: usize,
    /// The numbers of the lines that nothing ran.
    missed: Vec<usize>,
}

/// Reads lcov's format: `SF:file`, then `DA:line,times` for each line with code. Returns the files of the core, sorted.
fn rows(lcov: &str) -> Result<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    for file in lcov.split("SF:").skip(1) {
        let path = file.lines().next().unwrap_or_default();
        let normal = path.replace('\\', "/");
        let Some((_, name)) = normal.split_once("/rust/core/src/") else { continue };
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
        let tests_at = first_line_of_tests(&text);
        let counts = file.lines().filter_map(line_count).filter(|(number, _)| *number < tests_at);
        let counts: Vec<(usize, u64)> = counts.collect();
        let missed = counts.iter().filter(|(_, times)| *times == 0).map(|(line, _)| *line).collect();
        rows.push(Row { name: name.to_owned(), lines: counts.len(), missed });
    }
    rows.retain(|row| row.lines > 0 && !row.name.ends_with("tests.rs"));
    rows.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(rows)
}

/// Reads a count: `DA:12,3` says that line 12 ran three times.
fn line_count(line: &str) -> Option<(usize, u64)> {
    let (number, times) = line.strip_prefix("DA:")?.split_once(',')?;
    Some((number.parse().ok()?, times.parse().ok()?))
}

/// Returns the line at which a file's own tests begin; they are its last part.
fn first_line_of_tests(text: &str) -> usize {
    text.lines().position(|line| line == "#[cfg(test)]").map_or(usize::MAX, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_inside_a_file_are_not_counted() {
        assert_eq!(first_line_of_tests("fn a() {}\n\n#[cfg(test)]\nmod tests {}\n"), 3);
        assert_eq!(line_count("DA:12,3"), Some((12, 3)));
        assert_eq!(line_count("FNF:3"), None);
        let file = Workspace::find().unwrap().root().join("rust/core/src/cursor.rs");
        let lcov = format!(
            "TN:\nSF:{}\nDA:1,5\nDA:2,0\nDA:99999,0\nend_of_record\nSF:/other.rs\nDA:1,1\n",
            file.display()
        );
        let rows = rows(&lcov).unwrap();
        assert_eq!(rows, [Row { name: "cursor.rs".to_owned(), lines: 2, missed: vec![2] }]);
    }
}
