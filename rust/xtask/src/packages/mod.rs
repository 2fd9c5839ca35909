//! Packs the crates that are published and compares their interfaces with `docs/api`, for `cargo xtask
//! packages`.
//!
//! The manifests are checked first. Each crate is checked by what is in its package. It uploads nothing.

mod api;
mod fresh;
mod manifest;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::child::{self, Show};
use crate::cross::tools::must;
use crate::files::remove_tree;
use crate::tally::Tally;
use crate::workspace::Workspace;
use manifest::Manifests;
pub(crate) use manifest::metadata;

/// The crates in the order in which they are published: each needs only those before it.
const CRATES: [&str; 9] = [
    "variant-core",
    "variant-schema",
    "variant-text",
    "variant-serde",
    "variant-save",
    "variant-objects",
    "variant-pack",
    "variant-protocol",
    "gdvar",
];

/// Builds all crates in new projects, without our lock file; the suite `fresh` of `cargo xtask test --long`.
pub(crate) fn fresh(workspace: &Workspace) -> Result<Tally> {
    fresh::test(workspace, &Manifests::read(workspace)?)
}

/// Runs the suite `packages` of `cargo xtask test`: the manifests, then a package and a list for each crate; `BLESS=1` writes the
/// lists again.
pub(crate) fn test(workspace: &Workspace) -> Result<Tally> {
    let manifests = Manifests::read(workspace)?;
    let mut tally = judged(&manifests.findings(&CRATES));
    for name in CRATES {
        tally += judged(&ballast(name, &contents(workspace, name)?));
    }
    tally += packed(workspace, &manifests)?;
    Ok(tally)
}

/// Prints findings; one check more has passed where there are none.
fn judged(findings: &[String]) -> Tally {
    findings.iter().for_each(|finding| eprintln!("{finding}"));
    Tally::new(u64::from(findings.is_empty()), u64::try_from(findings.len()).unwrap_or(u64::MAX))
}

/// Returns the paths of the files in the package of a crate.
fn contents(workspace: &Workspace, name: &str) -> Result<Vec<String>> {
    let mut cargo = workspace.cargo();
    must(cargo.args(["package", "--list", "--allow-dirty", "--quiet", "--package", name]))
}

/// Names the files that nobody who builds a crate needs. Tests across crates need fixtures that no package has.
fn ballast(name: &str, files: &[String]) -> Vec<String> {
    let is_needed = |path: &str| match path.split_once(['/', '\\']) {
        Some((folder, _)) => matches!(folder, "src" | "examples"),
        None => matches!(
            path,
            ".cargo_vcs_info.json"
                | "Cargo.lock"
                | "Cargo.toml"
                | "Cargo.toml.orig"
                | "LICENSE"
                | "README.md"
        ),
    };
    let mut findings: Vec<String> =
        files.iter().filter(|path| !is_needed(path)).map(|path| format!("{name}: packs {path}")).collect();
    for needed in ["Cargo.toml", "LICENSE", "README.md"] {
        if !files.iter().any(|path| path == needed) {
            findings.push(format!("{name}: packs no {needed}"));
        }
    }
    findings
}

/// Packs the folders as they are, committed or not, and checks each crate by what is in its package, alone and with the others'
/// packages: cargo's own verification would build all that they depend on. The lists of what they offer are of the same packages.
fn packed(workspace: &Workspace, manifests: &Manifests) -> Result<Tally> {
    let folder = workspace.target().join("packages");
    let _alone = alone(&folder)?;
    let unpacked = unpack(workspace, &folder)?;
    fs::copy(workspace.root().join("Cargo.lock"), unpacked.join("Cargo.lock"))?;
    let mut tally = Tally::default();
    for name in CRATES {
        let mut cargo = checking(workspace, "check", name, &folder);
        tally += Tally::one(child::run(&mut cargo, Show::Now, None)?.success());
    }
    // The crate `gdvar` is a tool and no library.
    for name in CRATES.iter().filter(|name| name.starts_with("variant-")) {
        let mut cargo = checking(workspace, "rustdoc", name, &folder);
        cargo.arg("--lib").args(manifests.documented_features(name)?);
        tally += api::compare(workspace, name, &mut cargo, &folder)?;
    }
    Ok(tally)
}

/// Packs all crates in this target folder and returns a workspace of what is in their packages.
fn unpack(workspace: &Workspace, folder: &Path) -> Result<PathBuf> {
    let unpacked = folder.join("unpacked");
    remove_tree(&folder.join("package"))?;
    remove_tree(&unpacked)?;
    fs::create_dir_all(&unpacked)?;
    let mut cargo = workspace.cargo();
    cargo.args(["package", "--allow-dirty", "--no-verify", "--quiet", "--target-dir"]).arg(folder);
    must(cargo.args(CRATES.iter().flat_map(|name| ["--package", name])))?;
    let mut manifest = "[workspace]\nresolver = \"3\"\nmembers = [\"*-*\"]\n[patch.crates-io]\n".to_owned();
    for name in CRATES {
        let package = format!("{name}-{}", env!("CARGO_PKG_VERSION"));
        let archive = folder.join("package").join(format!("{package}.crate"));
        // With the date of today: all packed files have one, by which cargo takes what it has checked before for these.
        must(Command::new("tar").arg("-xzmf").arg(archive).arg("-C").arg(&unpacked))?;
        manifest += &format!("{name} = {{ path = \"{package}\" }}\n");
    }
    fs::write(unpacked.join("Cargo.toml"), manifest)?;
    Ok(unpacked)
}

/// Returns a cargo among the unpacked packages. rustdoc's JSON is unstable; the variable that allows it is set for the checks too,
/// because build scripts of others' crates have other answers with it, and all that depends on them would be checked twice.
fn checking(workspace: &Workspace, task: &str, name: &str, folder: &Path) -> Command {
    let mut cargo = workspace.cargo();
    cargo.current_dir(folder.join("unpacked")).env("RUSTC_BOOTSTRAP", "1");
    cargo.args([task, "--quiet", "--package", name, "--target-dir"]).arg(folder);
    cargo
}

/// Waits until no other run works in this folder. The next one may when the file is dropped.
fn alone(folder: &Path) -> Result<File> {
    fs::create_dir_all(folder)?;
    let path = folder.join("packages.lock");
    let lock = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
    lock.lock().context("cannot wait for another run")?;
    Ok(lock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_hold_what_is_needed() {
        let found = |files: &[&str]| {
            let files: Vec<String> = files.iter().map(|path| (*path).to_owned()).collect();
            ballast("it", &files)
        };
        assert_eq!(
            found(&["Cargo.toml", "LICENSE", "README.md", "src/lib.rs", "src/a/b.rs", "examples/server.rs"]),
            [""; 0]
        );
        assert_eq!(
            found(&["Cargo.toml", "LICENSE", "README.md", "tests/a.json"]),
            ["it: packs tests/a.json"]
        );
        assert_eq!(found(&["Cargo.toml", "src/lib.rs"]), ["it: packs no LICENSE", "it: packs no README.md"]);
    }

    /// Plays what two runs do to each other: each takes away what lies there, leaves something of its own and builds from that.
    #[test]
    fn two_runs_do_not_spoil_each_other() {
        let home = std::env::temp_dir().join(format!("variant-packages-{}", std::process::id()));
        let run = |name: usize| {
            for _ in 0..20 {
                let _alone = alone(&home).unwrap();
                let unpacked = home.join("unpacked");
                remove_tree(&unpacked).unwrap();
                fs::create_dir(&unpacked).unwrap();
                fs::write(unpacked.join("source"), name.to_string()).unwrap();
                std::thread::sleep(std::time::Duration::from_millis(1));
                assert_eq!(fs::read_to_string(unpacked.join("source")).unwrap(), name.to_string());
            }
        };
        std::thread::scope(|scope| {
            let runs: Vec<_> = (0..4).map(|name| scope.spawn(move || run(name))).collect();
            assert!(runs.into_iter().all(|run| run.join().is_ok()), "another run was in the folder");
        });
        remove_tree(&home).unwrap();
    }

    /// The program of a README is a test of its crate, so that it runs as it is shown.
    #[test]
    fn every_readme_is_tested() {
        let root = Workspace::find().unwrap().root();
        for name in CRATES {
            let folder = root.join("rust").join(if name == "gdvar" {
                "cli"
            } else {
                name.trim_start_matches("variant-")
            });
            let readme = fs::read_to_string(folder.join("README.md")).expect("a README");
            let source = fs::read_to_string(folder.join("src/lib.rs")).unwrap_or_default();
            let is_tested = source.contains("include_str!(\"../README.md\")");
            assert_eq!(is_tested, readme.contains("```rust"), "{name}");
            assert!(is_tested || name == "gdvar", "{name} shows no program");
        }
    }

    /// The workflow that builds with the oldest Rust and compares versions knows no list but its own.
    #[test]
    fn the_workflow_tests_every_published_crate() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.github/workflows/ci.yml");
        let workflow = std::fs::read_to_string(path).expect("a workflow");
        let job = workflow.split("\n  crates:\n").nth(1).expect("the job of published crates");
        let oldest = job.split("- name: the oldest Rust").nth(1).expect("the oldest Rust");
        let (oldest, versions) = oldest.split_once("- name: versions").expect("versions");
        for name in CRATES {
            assert!(
                oldest.contains(&format!("--package {name} ")),
                "{name} is not built with the oldest Rust"
            );
            let is_tool = name == "gdvar";
            let compared = versions.split_whitespace().any(|word| word.trim_end_matches(';') == name);
            assert!(is_tool || compared, "{name}'s versions are not compared");
        }
    }
}
