//! Measures the release library and what each crate adds to it, for `cargo xtask bench size`; judges the whole and what saves add.
//!
//! It sums for each crate the sizes of the functions and tables that `nm` lists of a build with names, so it counts neither the
//! data of unwinding nor what is shared.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::build::{self, Profile};
use crate::cross::tools::must;
use crate::flags;
use crate::workspace::Workspace;

/// The library's package.
const LIBRARY: &str = "variant-stream";
/// The package of save files, and the modules of the library that are about them.
const SAVES: &str = "variant-save";
const MODULES: [&str; 2] = ["variant_stream::saves::", "variant_stream::api::save::"];
/// The KiB that save files may add.
const MOST: u64 = 450;
/// The bytes that the library may have, with everything in it.
const MOST_OF_ALL: u64 = 8_200_000;
/// The crates that are listed.
const LISTED: usize = 24;

/// Returns 0 when neither the library nor what saves add is more than it may be, else 1.
pub(super) fn run(workspace: &Workspace) -> Result<u8> {
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--locked", "--package", LIBRARY, "--profile", "counted"]);
    cargo.args(["--config", "profile.counted.lto=\"fat\""]);
    must(cargo.env("CARGO_ENCODED_RUSTFLAGS", flags::of_release(workspace)))?;
    let mut nm = Command::new("nm");
    nm.args(["--print-size", "--size-sort", "--demangle=rust"]);
    let symbols = must(nm.arg(workspace.target().join("counted/libvariant_stream.so")))?;
    ensure!(symbols.len() > 1000, "the library has {} symbols", symbols.len());
    let (brought, mut crates, mut added) = (brought(workspace)?, BTreeMap::<&str, u64>::new(), 0);
    for symbol in &symbols {
        let mut words = symbol.splitn(4, ' ');
        let (size, name) = words.nth(1).zip(words.nth(1)).context("a symbol without a size")?;
        let size = u64::from_str_radix(size, 16)?;
        *crates.entry(owner(name)).or_default() += size;
        let is_of_saves = brought.contains(owner(name)) || MODULES.iter().any(|of| name.contains(of));
        added += if is_of_saves { size } else { 0 };
    }
    let mut order: Vec<_> = crates.iter().collect();
    order.sort_by_key(|(_, size)| std::cmp::Reverse(**size));
    for (name, size) in order.into_iter().take(LISTED) {
        println!("{:>8} KiB  {name}", size >> 10);
    }
    let (added, names) = (added >> 10, Vec::from_iter(brought).join(", "));
    let word = |is_within| if is_within { "PASS" } else { "FAIL" };
    println!("{} saves add {added} KiB, {MOST} are allowed: {names}", word(added <= MOST));
    let all = build::compile(workspace, Profile::Release)?.metadata()?.len();
    println!("{} the library has {all} bytes, {MOST_OF_ALL} are allowed", word(all <= MOST_OF_ALL));
    Ok(u8::from(added > MOST || all > MOST_OF_ALL))
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

/// Returns the crates that the library would not have without saves, and that of saves.
fn brought(workspace: &Workspace) -> Result<BTreeSet<String>> {
    let tree = |more: &[&str]| -> Result<BTreeSet<String>> {
        let mut cargo = workspace.cargo();
        cargo.args(["tree", "--locked", "--package", LIBRARY, "--edges", "normal", "--prefix", "none"]);
        let rows = must(cargo.args(more))?;
        Ok(rows.iter().filter_map(|row| Some(row.split_whitespace().next()?.replace('-', "_"))).collect())
    };
    let mut brought = &tree(&[])? - &tree(&["--prune", SAVES])?;
    brought.insert(SAVES.replace('-', "_"));
    ensure!(brought.len() > 5, "saves bring {} crates", brought.len());
    Ok(brought)
}

#[cfg(test)]
mod tests {
    use super::owner;

    /// Cargo drops `lto` where a crate is anything beside a cdylib.
    #[test]
    fn the_library_is_optimised_across_crates() {
        let (library, workspace) =
            (include_str!("../../../godot/Cargo.toml"), include_str!("../../../../Cargo.toml"));
        assert!(library.contains("\ncrate-type = [\"cdylib\"]\n"));
        assert!(workspace.contains("[profile.release]\nlto = \"fat\"\n"));
    }

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
