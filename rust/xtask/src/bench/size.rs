//! Measures what each crate adds to the release library, for `cargo xtask bench size`, and judges what saves add.
//!
//! It sums the sizes of the functions and tables that the symbols of a build with names have, so it counts neither the
//! data of unwinding nor what is shared. It knows ELF libraries only.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use object::{Object, ObjectSymbol};

use crate::child::{self, Show};
use crate::workspace::Workspace;

/// The library's package.
const LIBRARY: &str = "variant-stream";
/// The package of save files, and the modules of the library that are about them.
const SAVES: &str = "variant-save";
const MODULES: [&str; 2] = ["variant_stream::saves::", "variant_stream::api::save::"];
/// The KiB that save files may add.
const MOST: u64 = 450;
/// The crates that are listed.
const LISTED: usize = 24;

/// Returns 0 when saves add no more than they may, 1 when they do.
pub(super) fn run(workspace: &Workspace) -> Result<u8> {
    if !cfg!(target_os = "linux") {
        println!("not run: only ELF libraries are read");
        return Ok(0);
    }
    let library = build(workspace)?;
    let bytes = fs::read(&library).with_context(|| format!("cannot read {}", library.display()))?;
    let symbols = symbols(&bytes)?;
    let mut crates: BTreeMap<&str, u64> = BTreeMap::new();
    for (name, size) in &symbols {
        *crates.entry(owner(name)).or_default() += size;
    }
    let mut order: Vec<_> = crates.iter().collect();
    order.sort_by_key(|(_, size)| std::cmp::Reverse(**size));
    for (name, size) in order.into_iter().take(LISTED) {
        println!("{:>8} KiB  {name}", size >> 10);
    }
    let brought = brought(workspace)?;
    let is_of_saves =
        |name: &str| brought.contains(owner(name)) || MODULES.iter().any(|of| name.contains(of));
    let added = symbols.iter().filter(|(name, _)| is_of_saves(name)).map(|(_, size)| size).sum::<u64>() >> 10;
    let passes = added <= MOST;
    println!(
        "{} saves add {added} KiB, {MOST} are allowed: {}",
        if passes { "PASS" } else { "FAIL" },
        brought.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
    );
    Ok(u8::from(!passes))
}

/// Builds the release library with its names.
fn build(workspace: &Workspace) -> Result<PathBuf> {
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--locked", "--package", LIBRARY, "--profile", "counted"]);
    ensure!(child::run(&mut cargo, Show::Now, None)?.success(), "the library was not built");
    Ok(workspace.target().join("counted/libvariant_stream.so"))
}

/// Reads the names of functions and tables with their sizes.
fn symbols(bytes: &[u8]) -> Result<Vec<(String, u64)>> {
    let file = object::File::parse(bytes).context("the library is no object file")?;
    let named = file.symbols().filter(|symbol| symbol.is_definition() && symbol.size() > 0);
    let symbols: Vec<(String, u64)> = named
        .filter_map(|symbol| {
            Some((format!("{:#}", rustc_demangle::demangle(symbol.name().ok()?)), symbol.size()))
        })
        .collect();
    ensure!(symbols.len() > 1000, "the library has {} symbols", symbols.len());
    Ok(symbols)
}

/// Returns the crate that a name begins with: `<ruzstd::Frame as core::Read>::read` is of `ruzstd`.
fn owner(name: &str) -> &str {
    let bare = name.trim_start_matches(['<', '&', '[', '(', '*']);
    let bare =
        ["mut ", "dyn ", "const "].iter().fold(bare, |bare, word| bare.strip_prefix(word).unwrap_or(bare));
    let end = bare.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(bare.len());
    match bare.split_at(end) {
        (owner, rest) if rest.starts_with("::") => owner,
        _ => "others",
    }
}

/// Returns the crates that the library would not have without saves.
fn brought(workspace: &Workspace) -> Result<BTreeSet<String>> {
    let all = tree(workspace, &[])?;
    let others = tree(workspace, &["--prune", SAVES])?;
    let mut brought: BTreeSet<String> = all.difference(&others).cloned().collect();
    brought.insert(SAVES.replace('-', "_"));
    ensure!(brought.len() > 5, "saves bring {} crates", brought.len());
    Ok(brought)
}

fn tree(workspace: &Workspace, more: &[&str]) -> Result<BTreeSet<String>> {
    let mut cargo: Command = workspace.cargo();
    cargo
        .args(["tree", "--locked", "--package", LIBRARY, "--edges", "normal", "--prefix", "none"])
        .args(more);
    let outcome = child::run(&mut cargo, Show::Later, None)?;
    ensure!(outcome.success(), "cargo tree: {}", outcome.text());
    let names = outcome.lines.iter().filter_map(|line| line.split_whitespace().next());
    Ok(names.map(|name| name.replace('-', "_")).collect())
}

#[cfg(test)]
mod tests {
    use super::owner;

    #[test]
    fn a_name_has_an_owner() {
        for (name, expected) in [
            ("ruzstd::decoding::read", "ruzstd"),
            ("<ruzstd::Frame as core::io::Read>::read", "ruzstd"),
            ("<&mut dyn blake3::Hash as core::fmt::Debug>::fmt", "blake3"),
            ("<&mut blake3::Hash as core::fmt::Debug>::fmt", "blake3"),
            ("<T as alloc::vec::From>::from", "others"),
            ("memcpy", "others"),
        ] {
            assert_eq!(owner(name), expected, "{name}");
        }
    }
}
