//! Builds the published crates as a new project gets them, without our lock file: with the newest versions of what they
//! depend on, and with the lowest that their manifests allow.
//!
//! It needs a registry, so only the long form of the tests does this.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xtask_engine::cross::tools::must;

use super::manifest::Manifests;
use crate::child::{self, Show};
use crate::files::{copy_tree, remove_tree};
use crate::tally::Tally;
use crate::workspace::Workspace;

/// The versions of dependencies, by the option of cargo that selects them.
const VERSIONS: [(&str, Option<&str>); 2] = [("newest", None), ("lowest", Some("-Zdirect-minimal-versions"))];

/// Checks every crate with none of its features, with each alone, and all crates with all of them, with either versions.
pub(super) fn test(workspace: &Workspace, manifests: &Manifests, crates: &[&str]) -> Result<Tally> {
    let packages = crates
        .iter()
        .map(|name| manifests.ours(name).with_context(|| format!("no crate {name}")))
        .collect::<Result<Vec<_>>>()?;
    let mut forms = vec!["--workspace --all-features".to_owned()];
    for package in &packages {
        let form = format!("--package {} --no-default-features", text(&package["name"]));
        let features = package["features"].as_object().into_iter().flat_map(|features| features.keys());
        forms.extend(features.map(|feature| format!("{form} --features {feature}")));
        forms.push(form);
    }
    let folder = workspace.target().join("fresh/workspace");
    stage(workspace, &packages, &folder)?;
    let target = workspace.target().join("fresh/target");
    let copy = Workspace::at(folder);
    let mut tally = Tally::default();
    for (versions, option) in VERSIONS {
        remove_tree(&copy.target())?;
        let mut lock = copy.cargo();
        must(lock.arg("generate-lockfile").args(option).env("RUSTC_BOOTSTRAP", "1"))?;
        for form in &forms {
            let mut cargo = copy.cargo();
            cargo.args(["check", "--quiet", "--locked", "--target-dir"]).arg(&target).args(form.split(' '));
            let outcome = child::run(&mut cargo, Show::Later, None)?;
            if !outcome.success() {
                eprintln!("with the {versions} versions, {form}:\n{}", outcome.text());
            }
            tally += Tally::one(outcome.success());
        }
    }
    Ok(tally)
}

/// Makes a workspace of these crates alone.
fn stage(workspace: &Workspace, packages: &[&Value], folder: &Path) -> Result<()> {
    remove_tree(folder)?;
    let root = workspace.root();
    let mut members = Vec::new();
    for package in packages {
        let path = Path::new(text(&package["manifest_path"])).with_file_name("");
        let member = path.strip_prefix(&root).context("a crate outside of the workspace")?;
        copy_tree(&path, &folder.join(member), &["tests"])?;
        let manifest = fs::read_to_string(path.join("Cargo.toml"))?;
        fs::write(folder.join(member).join("Cargo.toml"), without_tests(&manifest))?;
        members.push(member.to_string_lossy().trim_end_matches(['/', '\\']).replace('\\', "/"));
    }
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    fs::write(folder.join("Cargo.toml"), with_members(&manifest, &members)?)?;
    Ok(())
}

/// Returns the manifest of the workspace with other members.
fn with_members(manifest: &str, members: &[String]) -> Result<String> {
    let (before, rest) = manifest.split_once("members = [").context("a workspace without members")?;
    let (_, after) = rest.split_once("]\n").context("the list of members has no end")?;
    ensure!(before.ends_with('\n'), "the list of members is none");
    Ok(format!("{before}members = {members:?}\n{after}"))
}

/// Returns the manifest of a crate without what only its tests depend on: users of the crate never get that.
fn without_tests(manifest: &str) -> String {
    let tables = manifest.split_inclusive("\n[");
    let kept = tables.filter(|table| !table.starts_with("dev-dependencies"));
    kept.collect::<String>().trim_end_matches('[').to_owned()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_members_are_others() {
        let manifest = "[workspace]\nmembers = [\n    \"a\", \"b\",\n]\nexclude = [\"c\"]\n";
        let made = with_members(manifest, &["rust/d".to_owned()]).unwrap();
        assert_eq!(made, "[workspace]\nmembers = [\"rust/d\"]\nexclude = [\"c\"]\n");
        assert!(with_members("[workspace]\n", &[]).is_err());
    }

    #[test]
    fn what_only_tests_depend_on_is_left_out() {
        let manifest = "[package]\nname = \"a\"\n[dependencies]\nb = \"1\"\n\n[dev-dependencies]\nc = \"1\"\n[dev-dependencies.d]\npath = \"d\"\n";
        assert_eq!(without_tests(manifest), "[package]\nname = \"a\"\n[dependencies]\nb = \"1\"\n\n");
        let last = format!("{manifest}\n[lints]\nworkspace = true\n");
        assert!(without_tests(&last).ends_with("\n[lints]\nworkspace = true\n"), "{}", without_tests(&last));
    }
}
