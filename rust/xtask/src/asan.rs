//! Runs the engine suites and the conformance run with the library under AddressSanitizer, for `cargo xtask
//! asan`.
//!
//! It needs Linux and GCC's sanitizer. The engine itself is not instrumented, so its own mistakes are not
//! found. Suites that measure memory are left out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::arguments::Compare;
use crate::build;
use crate::child::{self, Show};
use crate::conformance;
use crate::cross::tools::must;
use crate::engine;
use crate::files::{copy_tree, remove_tree};
use crate::tally::Tally;
use crate::test::suites;
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

/// The folders that are not copied: they are built or not needed, and `bin` holds the checkout's own library.
const SKIPPED: [&str; 4] = ["target", ".git", "reports", "bin"];

pub(crate) fn run(workspace: &Workspace, godot: Option<&Path>) -> Result<ExitCode> {
    test(workspace, &engine::find(workspace, godot)?)?.close()
}

/// Runs the suite `asan` of `cargo xtask test --long`; it fails when a suite does, or the sanitizer reports something.
pub(crate) fn test(workspace: &Workspace, godot: &Path) -> Result<Tally> {
    ensure!(cfg!(target_os = "linux"), "only on Linux can the sanitizer be loaded into an engine without it");
    let folder = workspace.target().join("asan");
    fs::create_dir_all(&folder)?;
    let preloaded = preloaded(workspace, &folder)?;
    let copy = stage(workspace, &folder)?;
    let script = |script: &str| {
        let mut command = engine::script(godot, &copy.project(), script);
        command.env("LD_PRELOAD", &preloaded).env("ASAN_OPTIONS", OPTIONS).env("RUST_MIN_STACK", STACK);
        command
    };
    let mut tally = suites(&mut script("res://tests/run.gd"), "asan", Duration::from_secs(3600))?;
    tally += conformance::tally(script(conformance::SCRIPT), &Compare::default())?;
    Ok(tally)
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
