//! Runs the engine suites and the conformance run with the library under AddressSanitizer, for `cargo xtask
//! asan`.
//!
//! It needs Linux and GCC's sanitizer. The engine itself is not instrumented, so its own mistakes are not
//! found. Suites that measure memory are left out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use xtask_engine::cross::tools::must;

use crate::build;
use crate::child::{self, Outcome, Show};
use crate::conformance;
use crate::engine;
use crate::files::{copy_tree, remove_tree};
use crate::tally::Tally;
use crate::workspace::Workspace;

/// The compiler's flags: the code is instrumented, and the sanitizer's runtime is left to the process that
/// loads the library.
const FLAGS: [&str; 2] = ["-Zsanitizer=address", "-Zexternal-clangrt"];

/// The sanitizer's options. Leaks are not reported, because the engine leaves memory allocated at its end.
/// The link order is not checked, because a library of ours is loaded before the sanitizer's.
const OPTIONS: &str = "detect_leaks=0:verify_asan_link_order=0";

/// The bytes of stack for a thread of the library. Instrumented functions take several times as much as the
/// others, so that the depth which `check_levels.rs` allows on 2 MiB would overflow them.
const STACK: &str = "33554432";

/// The text that a report of the sanitizer contains.
const REPORT: &str = "AddressSanitizer";

/// The folders that are not copied: they are built or not needed, and `bin` holds the checkout's own library.
const SKIPPED: [&str; 4] = ["target", ".git", "reports", "bin"];

/// Runs the suite `asan` of `cargo xtask test --long`; it fails when a suite does, or the sanitizer reports something.
pub(crate) fn test(workspace: &Workspace, godot: &Path) -> Result<Tally> {
    ensure!(cfg!(target_os = "linux"), "only on Linux can the sanitizer be loaded into an engine without it");
    let folder = workspace.target().join("asan");
    fs::create_dir_all(&folder)?;
    let preloaded = preloaded(workspace, &folder)?;
    let copy = stage(workspace, &folder)?;
    let mut suites = engine::script(godot, &copy.project(), "res://tests/run.gd");
    let limit = Duration::from_secs(3600);
    let suites = child::run(watched(&mut suites, &preloaded), Show::Now, Some(limit))?;
    let mut compare = engine::script(godot, &copy.project(), conformance::SCRIPT);
    let compare = child::run(watched(&mut compare, &preloaded), Show::Now, Some(limit))?;
    let mut tally = judged(&suites, suites.success() && Tally::red_line_of_suites(&suites).is_none());
    tally += judged(&compare, conformance::verdict(&compare) == 0);
    Ok(tally)
}

fn judged(outcome: &Outcome, ended_well: bool) -> Tally {
    let report = outcome.lines.iter().find(|line| line.contains(REPORT));
    if let Some(line) = report {
        eprintln!("asan: {line}");
    }
    Tally::of_engine(&outcome.lines).unwrap_or_default().judged(ended_well && report.is_none())
}

fn watched<'c>(command: &'c mut Command, preloaded: &str) -> &'c mut Command {
    command.env("LD_PRELOAD", preloaded).env("ASAN_OPTIONS", OPTIONS).env("RUST_MIN_STACK", STACK)
}

/// Copies the checkout and puts the instrumented library into the copy.
fn stage(workspace: &Workspace, folder: &Path) -> Result<Workspace> {
    let library = compile(workspace, folder)?;
    let root = folder.join("checkout");
    remove_tree(&root)?;
    copy_tree(&workspace.root(), &root, &SKIPPED)?;
    let copy = Workspace::at(root);
    remove_tree(&copy.project().join("addons"))?;
    build::stage(&copy, &library)?;
    Ok(copy)
}

fn compile(workspace: &Workspace, folder: &Path) -> Result<PathBuf> {
    let host = crate::fuzz::host()?;
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--package", "variant-stream", "--release", "--target", &host, "--target-dir"]);
    cargo.arg(folder).args(["--config", "profile.release.strip=\"none\""]);
    cargo.env("RUSTC_BOOTSTRAP", "1").env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"));
    ensure!(child::run(&mut cargo, Show::Now, None)?.success(), "the library does not build");
    build::built_in(&folder.join(host).join("release"))
}

/// Returns the value of `LD_PRELOAD`: the two libraries that have to be loaded before all others.
fn preloaded(workspace: &Workspace, folder: &Path) -> Result<String> {
    let name = "libasan.so";
    let outcome = child::run(Command::new("cc").arg(format!("-print-file-name={name}")), Show::Later, None)?;
    let found = outcome.lines.last().map(fs::canonicalize).and_then(Result::ok);
    let sanitizer =
        found.with_context(|| format!("the C compiler has no {name}: install GCC with libasan"))?;
    let library = folder.join("without_deepbind.so");
    let source = workspace.root().join("rust/xtask/asan/without_deepbind.c");
    must(Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source).arg("-ldl"))?;
    Ok(format!("{}:{}", library.display(), sanitizer.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_red_whatever_the_exit_code() {
        let outcome = |text: &str| Outcome::sample(Some(0), text);
        assert_eq!(judged(&outcome("== 7 tests, 0 failed"), true), Tally::new(7, 0));
        let reported = outcome("==1==ERROR: AddressSanitizer: heap-use-after-free\n== 7 tests, 0 failed");
        assert!(judged(&reported, true).failed > 0);
        assert!(judged(&outcome("== 7 tests, 0 failed"), false).failed > 0);
    }
}
