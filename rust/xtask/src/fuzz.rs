//! Builds the targets of `rust/fuzz` by cargo-fuzz on the stable toolchain and runs them, for `cargo xtask fuzz`.
//!
//! Each target runs for a number of seconds, then the counts of libFuzzer are printed. The testkit defines
//! the properties that are checked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::arguments::Fuzz;
use crate::child::{self, Outcome, Show};
use crate::cross::tools::of_cargo;
use crate::tally::ended;
use crate::workspace::{Workspace, rustc};

/// The version of cargo-fuzz whose options are known here.
const VERSION: &str = "0.13.2";

/// Runs all targets or the one that is named; returns 1 when there was a finding.
pub(crate) fn run(workspace: &Workspace, options: &Fuzz) -> Result<ExitCode> {
    let targets = targets(workspace, options.target.as_deref())?;
    let seconds = options.seconds;
    let folder = workspace.target().join("fuzz");
    let seeds = folder.join("seeds");
    write_seeds(workspace, &seeds)?;
    let built = build(workspace, &folder, options)?;
    let mut lines = Vec::new();
    let mut findings = 0;
    for target in targets {
        println!("=== {target}, {seconds} s");
        let outcome = fuzz(&built.join(&target), &folder, &seeds, seconds, options.small)?;
        let found = !outcome.success();
        findings += u32::from(found);
        let told = outcome.lines.iter().filter(|line| line.starts_with("stat::"));
        lines.extend(told.map(|line| format!("{target:<16} {line}")));
        lines.extend(found.then(|| format!("{target:<16} a finding")));
        if found {
            let from = outcome.lines.len().saturating_sub(40);
            outcome.lines[from..].iter().for_each(|line| eprintln!("{line}"));
        }
    }
    println!();
    lines.iter().for_each(|line| println!("{line}"));
    println!("{findings} findings");
    ended(findings == 0)
}

/// Returns the names of all targets, or the one that was asked for.
fn targets(workspace: &Workspace, asked: Option<&str>) -> Result<Vec<String>> {
    let files = fs::read_dir(workspace.root().join("rust/fuzz/fuzz_targets"))?.flatten();
    let mut names: Vec<String> =
        files.map(|file| file.file_name().to_string_lossy().trim_end_matches(".rs").to_owned()).collect();
    names.sort();
    match asked {
        Some(name) if names.iter().any(|target| target == name) => Ok(vec![name.to_owned()]),
        Some(name) => bail!("no target `{name}`; there are {}", names.join(", ")),
        None => Ok(names),
    }
}

/// Writes the golden values, the malformed inputs and the attack corpus, a file each.
fn write_seeds(workspace: &Workspace, folder: &Path) -> Result<()> {
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--quiet", "--package", "variant-testkit", "--example", "seeds", "--"]).arg(folder);
    ensure!(child::run(&mut cargo, Show::Now, None)?.success(), "no seeds were written");
    Ok(())
}

/// Builds the targets by cargo-fuzz and returns their folder; each set of flags has one of its own.
fn build(workspace: &Workspace, folder: &Path, options: &Fuzz) -> Result<PathBuf> {
    let mut folder = folder.to_owned();
    let mut cargo = Command::new(of_cargo(workspace, "cargo-fuzz", VERSION)?);
    cargo.current_dir(workspace.root()).args(["fuzz", "build", "--fuzz-dir", "rust/fuzz", "--release"]);
    if options.small {
        folder.push("small");
        // libFuzzer finds more of the code by comparisons, and runs slower.
        cargo.arg("--no-trace-compares");
    }
    if options.asan {
        folder.push("asan");
    }
    cargo.args(["--sanitizer", if options.asan { "address" } else { "none" }, "--target-dir"]).arg(&folder);
    // The compiler calls AddressSanitizer unstable.
    cargo.env("RUSTC_BOOTSTRAP", "1");
    ensure!(
        child::run(&mut cargo, Show::Now, None)?.success(),
        "the targets do not build: libFuzzer needs a C++ compiler"
    );
    Ok(folder.join(host()?).join("release"))
}

/// Returns the target triple of this machine.
pub(crate) fn host() -> Result<String> {
    told_by_rustc("host: ")
}

/// Returns what the compiler says of itself, such as its `release: `.
pub(crate) fn told_by_rustc(key: &str) -> Result<String> {
    let outcome = child::run(rustc().arg("-vV"), Show::Later, None)?;
    let line = outcome.lines.iter().find_map(|line| line.strip_prefix(key));
    Ok(line.with_context(|| format!("rustc does not tell its {key}"))?.to_owned())
}

/// Runs one target to the end of its time or to its first finding, which libFuzzer keeps in `artifacts`.
fn fuzz(binary: &Path, folder: &Path, seeds: &Path, seconds: u64, small: bool) -> Result<Outcome> {
    let name = binary.file_name().unwrap_or_default();
    let (corpus, artifacts) = (folder.join("corpus").join(name), folder.join("artifacts").join(name));
    fs::create_dir_all(&corpus)?;
    fs::create_dir_all(&artifacts)?;
    let mut command = Command::new(binary);
    command.arg(&corpus).arg(seeds);
    command.arg(format!("-max_total_time={seconds}"));
    // Small inputs are fuzzed without weights by rarity and without a search for shorter ones, which take
    // half of the time.
    let how: &[&str] =
        if small { &["-max_len=256", "-entropic=0", "-reduce_inputs=0"] } else { &["-max_len=4096"] };
    command.args(how);
    command.args(["-timeout=5", "-rss_limit_mb=2048", "-print_final_stats=1"]);
    command.arg(format!("-artifact_prefix={}/", artifacts.display()));
    // libFuzzer ends by itself; this limit is for a target that hangs so that it cannot.
    child::run(&mut command, Show::Later, Some(Duration::from_secs(seconds + 120)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_target_that_exists_is_chosen() {
        let workspace = Workspace::find().unwrap();
        assert!(targets(&workspace, None).unwrap().len() > 5);
        assert_eq!(targets(&workspace, Some("walk")).unwrap(), ["walk"]);
        assert!(targets(&workspace, Some("wal")).is_err());
    }
}
