//! Builds the published crates as a new project gets them, from their packages and without our lock file: with the newest
//! versions of what they depend on, and with the lowest that their manifests allow.
//!
//! It needs a registry, so only the long form of the tests does this.

use std::fs;

use anyhow::{Context, Result};

use super::{CRATES, alone, manifest::Manifests, unpack};
use crate::child::{self, Show};
use crate::cross::tools::must;
use crate::tally::Tally;
use crate::workspace::Workspace;

/// The versions of dependencies, by the option of cargo that selects them.
const VERSIONS: [(&str, Option<&str>); 2] = [("newest", None), ("lowest", Some("-Zdirect-minimal-versions"))];

/// Checks every crate with none of its features, with each alone, and all crates with all of them, with either versions.
pub(super) fn test(workspace: &Workspace, manifests: &Manifests) -> Result<Tally> {
    let mut forms = vec!["--workspace --all-features".to_owned()];
    for name in CRATES {
        let form = format!("--package {name} --no-default-features");
        let package = manifests.ours(name).with_context(|| format!("no crate {name}"))?;
        let features = package["features"].as_object().into_iter().flat_map(|features| features.keys());
        forms.extend(features.map(|feature| format!("{form} --features {feature}")));
        forms.push(form);
    }
    let folder = workspace.target().join("fresh");
    let _alone = alone(&folder)?;
    let copy = Workspace::at(unpack(workspace, &folder)?);
    for name in CRATES {
        let manifest = copy.root().join(format!("{name}-{}/Cargo.toml", env!("CARGO_PKG_VERSION")));
        fs::write(&manifest, without_tests(&fs::read_to_string(&manifest)?))?;
    }
    let mut tally = Tally::default();
    for (versions, option) in VERSIONS {
        must(copy.cargo().arg("generate-lockfile").args(option).env("RUSTC_BOOTSTRAP", "1"))?;
        for form in &forms {
            let mut cargo = copy.cargo();
            cargo.args(["check", "--quiet", "--locked", "--target-dir"]).arg(&folder).args(form.split(' '));
            let outcome = child::run(&mut cargo, Show::Later, None)?;
            if !outcome.success() {
                eprintln!("with the {versions} versions, {form}:\n{}", outcome.text());
            }
            tally += Tally::one(outcome.success());
        }
    }
    Ok(tally)
}

/// Returns the manifest of a crate without what only its tests depend on: users of the crate never get that.
fn without_tests(manifest: &str) -> String {
    let tables = manifest.split_inclusive("\n[");
    let kept = tables.filter(|table| !table.starts_with("dev-dependencies"));
    kept.collect::<String>().trim_end_matches('[').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_tests_depend_on_is_left_out() {
        let manifest = "[package]\nname = \"a\"\n[dependencies]\nb = \"1\"\n\n[dev-dependencies]\nc = \"1\"\n[dev-dependencies.d]\npath = \"d\"\n";
        assert_eq!(without_tests(manifest), "[package]\nname = \"a\"\n[dependencies]\nb = \"1\"\n\n");
        let last = format!("{manifest}\n[lints]\nworkspace = true\n");
        assert!(without_tests(&last).ends_with("\n[lints]\nworkspace = true\n"), "{}", without_tests(&last));
    }
}
