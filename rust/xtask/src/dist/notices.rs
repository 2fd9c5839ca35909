//! Writes addons/variant_stream/THIRDPARTY.md from what cargo says is linked into the library, for `cargo
//! xtask notices`.
//!
//! Without `BLESS` it prints what is out of date. The licence texts are those in the crates.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::cross::rows::{ROWS, Row};
use crate::cross::tools::must;
use crate::packages::metadata;
use crate::workspace::Workspace;

pub(super) const FILE: &str = "THIRDPARTY.md";

const HEAD: &str = "\
# What the library is made of besides our own code

<!-- Made by `BLESS=1 cargo xtask notices` from Cargo.lock; do not edit. -->

The libraries in `bin/` are linked with these Rust crates, unchanged. Their sources are published by their
projects under the versions below; `Cargo.lock` of VariantStream names them with their checksums.

| Crate | Version | Licence | Project |
|---|---|---|---|
";

const MPL: &str = "
The Mozilla Public License 2.0 covers the files of the `godot` crates only: <https://mozilla.org/MPL/2.0/>.
Crates with CC0-1.0 among their licences and without MIT are used under CC0-1.0: they are in the public domain.
Crates under Zlib ask for no notice where they are linked: <https://opensource.org/license/zlib>.
The Rust standard library is linked in as well, under MIT or Apache-2.0, copyright The Rust Project Contributors:
<https://github.com/rust-lang/rust>.

## MIT licence

All other crates above, and the standard library, are used under this licence. Copyright lines that they
bring along:

";

/// Writes the file when `BLESS` is set, else prints how it differs. Returns whether the file is up to date.
pub(crate) fn run(workspace: &Workspace) -> Result<bool> {
    let path = workspace.addon().join(FILE);
    let made = made(workspace)?;
    if env::var_os("BLESS").is_some() {
        fs::write(&path, &made)?;
    }
    let there = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    if there == made {
        return Ok(true);
    }
    let parted =
        made.lines().zip(there.lines().chain(std::iter::repeat(""))).find(|(made, there)| made != there);
    println!("{FILE} is not what cargo says is linked: {parted:?}; BLESS=1 cargo xtask notices");
    Ok(false)
}

fn made(workspace: &Workspace) -> Result<String> {
    let folders = folders(workspace)?;
    let mut text = HEAD.to_owned();
    let mut rights = String::new();
    let mut permission = None;
    for line in linked(workspace)? {
        let [package, licence, project] = line.split('|').collect::<Vec<_>>()[..] else { continue };
        let (name, version) =
            package.split_once(" v").with_context(|| format!("cargo tree says {package}"))?;
        writeln!(text, "| {name} | {version} | {} | <{project}> |", licence.replace(" OR ", " or "))?;
        let is_one_of = |wanted: &str| licence.split(" OR ").any(|one| one == wanted);
        // CC0 asks for nothing, since such a crate is in the public domain, and Zlib for something of sources only.
        if matches!(licence, "MPL-2.0" | "Zlib") || (is_one_of("CC0-1.0") && !is_one_of("MIT")) {
            continue;
        }
        ensure!(is_one_of("MIT"), "{name} is under {licence}: think about it");
        let folder = folders.get(package).with_context(|| format!("no {name}"))?;
        let mit = mit_of(folder).with_context(|| format!("{name} brings no MIT licence along"))?;
        rights.extend(mit.rights.iter().map(|line| format!("- {name}: {line}\n")));
        let common = permission.get_or_insert_with(|| mit.permission.clone());
        let is_common = common.split_whitespace().eq(mit.permission.split_whitespace());
        ensure!(is_common, "the MIT licence of {name} has other words: think about it");
    }
    let permission = permission.context("no crate is under MIT")?;
    Ok(format!("{text}{MPL}{rights}\n```text\n{permission}\n```\n"))
}

/// Lists the crates that end up in the library on any platform, `name vVERSION|licence|project`: no macros, no build scripts, none
/// of ours, whose lines name their folders as well.
fn linked(workspace: &Workspace) -> Result<BTreeSet<String>> {
    let mut cargo = workspace.cargo();
    cargo.args(["tree", "--package", "variant-stream", "--edges", "normal,no-proc-macro"]);
    // Some crates are linked only on platforms that Godot does not run on.
    for target in ROWS.iter().filter(|row| row.library().is_some()).flat_map(Row::standard_libraries) {
        cargo.args(["--target", &target]);
    }
    let told = must(cargo.args(["--prefix", "none", "--no-dedupe", "--locked", "--format", "{p}|{l}|{r}"]))?;
    let all = told.into_iter().filter(|line| line.contains('|') && !line.contains(" ("));
    let all: BTreeSet<String> = all.collect();
    ensure!(all.len() > 5, "cargo tree names {} crates", all.len());
    Ok(all)
}

/// Returns the folder with the sources of each package, by `name vVERSION`.
fn folders(workspace: &Workspace) -> Result<BTreeMap<String, PathBuf>> {
    let metadata = metadata(workspace)?;
    let word = |package: &Value, field: &str| package[field].as_str().unwrap_or_default().to_owned();
    let packages = metadata["packages"].as_array().context("no packages")?;
    let named = packages.iter().map(|it| {
        let folder = PathBuf::from(word(it, "manifest_path")).with_file_name("");
        (format!("{} v{}", word(it, "name"), word(it, "version")), folder)
    });
    Ok(named.collect())
}

#[derive(Debug, PartialEq, Eq)]
struct Mit {
    /// The copyright lines.
    rights: Vec<String>,
    /// The text of the licence, as the crate has it.
    permission: String,
}

fn mit_of(folder: &Path) -> Option<Mit> {
    let names = ["LICENSE-MIT", "LICENSE-MIT.md", "LICENSE-MIT.txt", "LICENSE", "LICENSE.md", "LICENSE.txt"];
    names
        .iter()
        .filter_map(|name| fs::read_to_string(folder.join(name)).ok())
        .find_map(|text| read_mit(&text))
}

fn read_mit(text: &str) -> Option<Mit> {
    let rights = text.lines().map(str::trim).filter(|line| line.starts_with("Copyright"));
    let rights = rights.map(|line| line.trim_end_matches(" All rights reserved.").to_owned()).collect();
    let permission = text.get(text.find("Permission is hereby granted")?..)?.trim_end().to_owned();
    Some(Mit { rights, permission })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_are_read_as_people_write_them() {
        let text = "MIT License\n\nCopyright (c) 2020 A\n\nPermission is hereby granted,\nfree of charge\n";
        let mit = read_mit(text).unwrap();
        assert_eq!(mit.rights, ["Copyright (c) 2020 A"]);
        assert_eq!(mit.permission, "Permission is hereby granted,\nfree of charge");
        assert_eq!(read_mit("Apache License"), None);
    }
}
