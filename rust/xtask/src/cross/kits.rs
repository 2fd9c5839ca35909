//! Builds the library of a platform: by zig, by the platform's own machine, or by the kit of its maker.
//!
//! The kit has to be installed, and cargo has to know its linker: release.yml says how. The result is not checked here.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::rows::{Kit, Row};
use super::tools::{Tools, must, standard_library};
use crate::flags;
use crate::workspace::Workspace;

/// Builds the library and returns its file.
pub(crate) fn build(workspace: &Workspace, row: &Row, folder: &Path) -> Result<PathBuf> {
    let library = row.library().context("a row without a library")?;
    let mut flags = Vec::new();
    if row.target.contains("apple") {
        // Without this the library's own name is the path that it was built under.
        flags.push(format!("-Clink-arg=-Wl,-install_name,@rpath/{}", library.staged));
    }
    let native = row.native();
    if row.key.split('.').next() == Some(env::consts::OS) && !native.is_empty() {
        // Windows gets the C library inside, by Microsoft's linker; macOS both halves in one file, by Apple's.
        flags.extend(cfg!(windows).then(|| "-Ctarget-feature=+crt-static".to_owned()));
        let mut built = Vec::new();
        for target in &native {
            run(workspace, &mut plainly(workspace, target)?, folder, &flags)?;
            built.push(folder.join(target).join("release").join(&library.built));
        }
        if let [one] = &built[..] {
            return Ok(one.clone());
        }
        let whole = folder.join(library.staged);
        must(Command::new("lipo").arg("-create").args(&built).arg("-output").arg(&whole))?;
        return Ok(whole);
    }
    let mut cargo = linked(workspace, row, &mut flags)?;
    run(workspace, &mut cargo, folder, &flags)?;
    Ok(folder.join(row.target).join("release").join(library.built))
}

/// Returns a cargo that links by the row's kit, and adds the flags that the kit needs.
fn linked(workspace: &Workspace, row: &Row, flags: &mut Vec<String>) -> Result<Command> {
    Ok(match row.kit {
        Kit::Zig => {
            let mut cargo = Tools::find(workspace)?.cargo(workspace, row)?;
            cargo.args(["zigbuild", "--target", &row.for_zig()]);
            cargo
        }
        Kit::Maker => {
            // Android 15 may run with pages of 16 KiB.
            let is_android = row.key.starts_with("android");
            flags.extend(is_android.then(|| "-Clink-arg=-Wl,-z,max-page-size=16384".to_owned()));
            plainly(workspace, row.target)?
        }
        Kit::Emscripten { threads } => {
            flags.extend(emscripten_flags(threads));
            // The standard library is built too. That takes a nightly Rust with `rust-src`, or any Rust that RUSTC_BOOTSTRAP
            // makes accept nightly options.
            let mut cargo = workspace.cargo();
            cargo.args(["build", "-Zbuild-std", "--target", row.target]);
            let features =
                if threads { "--features web" } else { "--no-default-features --features nothreads" };
            cargo.args(features.split(' '));
            cargo
        }
    })
}

fn plainly(workspace: &Workspace, target: &str) -> Result<Command> {
    standard_library(target)?;
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--target", target]);
    Ok(cargo)
}

/// Returns the flags that the godot-rust book gives in "Export to Web", and the one for 128-bit SIMD, which
/// the engine is built with too.
fn emscripten_flags(threads: bool) -> impl Iterator<Item = String> {
    let flags = [
        "-Ctarget-feature=+simd128",
        "-Clink-args=-sSIDE_MODULE=2",
        "-Zlink-native-libraries=no",
        "-Cllvm-args=-enable-emscripten-cxx-exceptions=0",
        "-Zemscripten-wasm-eh=false",
        // Debian's Rust needs this flag: it asks for a linker of its own everywhere else.
        "-Clink-self-contained=-linker",
        "-Zunstable-options",
    ];
    let more: &[&str] = if threads { &["-Clink-args=-pthread", "-Ctarget-feature=+atomics"] } else { &[] };
    flags.into_iter().chain(more.iter().copied()).map(str::to_owned)
}

fn run(workspace: &Workspace, cargo: &mut Command, folder: &Path, flags: &[String]) -> Result<()> {
    cargo.args(["--release", "--package", "variant-stream", "--target-dir"]).arg(folder);
    let all: Vec<String> = [flags::of_release(workspace)].into_iter().chain(flags.to_vec()).collect();
    must(cargo.env("CARGO_ENCODED_RUSTFLAGS", all.join("\u{1f}"))).map(drop)
}
