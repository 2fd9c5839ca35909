//! Builds the published crates as a new project gets them, without our lock file: with the newest versions of what they
//! depend on, and with the lowest that their manifests allow.
//!
//! Both are one package that names all crates. It needs a registry, so only the long form of the tests does this.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::manifest::Manifests;
use crate::child::{self, Show};
use crate::files::remove_tree;
use crate::tally::Tally;
use crate::workspace::Workspace;

/// Selects the versions of dependencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Versions {
    Newest,
    Lowest,
}

/// Checks every feature of every crate alone, none of them, and all at once, with either versions.
pub(super) fn test(workspace: &Workspace, manifests: &Manifests, crates: &[&str]) -> Result<Tally> {
    let packages = crates
        .iter()
        .map(|name| manifests.ours(name).with_context(|| format!("no crate {name}")))
        .collect::<Result<Vec<_>>>()?;
    let mut tally = Tally::default();
    for (versions, name) in [(Versions::Newest, "newest"), (Versions::Lowest, "lowest")] {
        let folder = workspace.target().join("fresh").join(name);
        remove_tree(&folder)?;
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("Cargo.toml"), manifest(&packages, versions))?;
        fs::write(folder.join("lib.rs"), "")?;
        let alone = features(&packages).iter().map(|feature| plain(feature)).collect::<Vec<_>>();
        for features in [String::new()].into_iter().chain(alone).chain(["all".to_owned()]) {
            tally += checked(workspace, &folder, name, &features)?;
        }
    }
    Ok(tally)
}

fn checked(workspace: &Workspace, folder: &Path, name: &str, features: &str) -> Result<Tally> {
    let mut cargo = workspace.cargo();
    cargo.args(["check", "--quiet", "--features", features, "--manifest-path"]);
    // Both share what is the same for them.
    cargo.arg(folder.join("Cargo.toml")).arg("--target-dir").arg(workspace.target().join("fresh/target"));
    let outcome = child::run(&mut cargo, Show::Later, None)?;
    if !outcome.success() {
        eprintln!("with the {name} versions and the feature {features:?}:\n{}", outcome.text());
    }
    Ok(Tally::new(u64::from(outcome.success()), u64::from(!outcome.success())))
}

/// Writes the manifest of a package that depends on all libraries and has the sources of the tool.
fn manifest(packages: &[&Value], versions: Versions) -> String {
    let mut text = "[package]\nname = \"fresh\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
                    [lib]\npath = \"lib.rs\"\n"
        .to_owned();
    let mut libraries = String::new();
    let mut others = BTreeMap::new();
    for package in packages {
        let name = &package["name"];
        let tool = tool(package);
        match tool {
            None => {
                let folder = text_of(&package["manifest_path"]).trim_end_matches("Cargo.toml");
                let _ = writeln!(
                    libraries,
                    "{} = {{ path = {folder:?}, default-features = false }}",
                    text_of(name)
                );
            }
            Some(source) => {
                let _ = writeln!(
                    text,
                    "[[bin]]\nname = {name}\npath = {source:?}\nrequired-features = [\"all\"]"
                );
            }
        }
        if tool.is_some() || versions == Versions::Lowest {
            outside(package).for_each(|it| add(&mut others, it, versions));
        }
    }
    let features = features(packages);
    let _ = writeln!(text, "[dependencies]\n{libraries}");
    for (name, other) in &others {
        let _ = writeln!(text, "{name} = {}", other.line(name));
    }
    let _ = writeln!(text, "[features]\nall = {:?}", features.iter().collect::<Vec<_>>());
    for feature in &features {
        let _ = writeln!(text, "{:?} = [{feature:?}]", plain(feature));
    }
    text
}

/// Holds a dependency on a crate of others. Cargo takes each version of a crate under one name only.
struct Other {
    package: String,
    /// The numbers to compare by.
    lowest: Vec<u64>,
    requirement: String,
    of_default: bool,
    features: BTreeSet<String>,
}

impl Other {
    /// Writes the dependency. A crate is renamed only where its manifest does so: that would rename its library, too.
    fn line(&self, name: &str) -> String {
        let Other { package, requirement, of_default, features, .. } = self;
        let package = if name == package { String::new() } else { format!("package = {package:?}, ") };
        let features: Vec<_> = features.iter().collect();
        format!(
            "{{ {package}version = {requirement:?}, default-features = {of_default}, features = {features:?} }}"
        )
    }
}

/// Adds a dependency with its features. The higher one of two lowest versions
/// counts.
fn add(others: &mut BTreeMap<String, Other>, dependency: &Value, versions: Versions) {
    let package = text_of(&dependency["name"]).to_owned();
    let requirement = text_of(&dependency["req"]);
    let lowest = lowest(requirement).unwrap_or_default();
    let name = dependency["rename"].as_str().unwrap_or(&package).to_owned();
    let requirement = match versions {
        Versions::Newest => requirement.to_owned(),
        Versions::Lowest => {
            let numbers: Vec<String> = lowest.iter().map(u64::to_string).collect();
            format!("={}", numbers.join("."))
        }
    };
    let features = super::manifest::list(&dependency["features"]).map(|feature| text_of(feature).to_owned());
    let of_default = dependency["uses_default_features"] != false;
    let other = others.entry(name).or_insert_with(|| Other {
        package,
        lowest: Vec::new(),
        requirement: String::new(),
        of_default: false,
        features: BTreeSet::new(),
    });
    other.of_default |= of_default;
    other.features.extend(features);
    if lowest > other.lowest {
        (other.lowest, other.requirement) = (lowest, requirement);
    }
}

/// Returns the path of the first source of a tool, and nothing of a library.
fn tool(package: &Value) -> Option<&str> {
    let mut targets = super::manifest::list(&package["targets"]);
    targets.find(|target| target["kind"][0] == "bin").map(|target| text_of(&target["src_path"]))
}

/// Lists the features of the crates as cargo writes those of a dependency.
fn features(packages: &[&Value]) -> BTreeSet<String> {
    let of_one = |package: &&Value| {
        let name = text_of(&package["name"]).to_owned();
        let features = package["features"].as_object().into_iter().flat_map(|features| features.keys());
        features.map(move |feature| format!("{name}/{feature}")).collect::<Vec<_>>()
    };
    packages.iter().flat_map(of_one).collect()
}

fn plain(feature: &str) -> String {
    feature.replace('/', "-")
}

/// Lists the dependencies on crates of others that a user of this one builds.
fn outside(package: &Value) -> impl Iterator<Item = &Value> {
    let dependencies = super::manifest::list(&package["dependencies"]);
    dependencies.filter(|it| it["kind"] != "dev" && it["path"].is_null())
}

/// Returns the numbers of the lowest version that a requirement allows: `^1.2` allows 1.2.0.
fn lowest(requirement: &str) -> Option<Vec<u64>> {
    let first = requirement.split(',').next()?.trim_start_matches(['^', '~', '=', '>', ' ']);
    let mut numbers = first.split('.').map(|number| number.parse().ok()).collect::<Option<Vec<u64>>>()?;
    numbers.resize(3, 0);
    Some(numbers)
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_lowest_version_is_that_of_the_requirement() {
        for (requirement, wanted) in
            [("^1.0", [1, 0, 0]), (">=0.29, <0.35", [0, 29, 0]), ("=0.5.5", [0, 5, 5]), ("^7", [7, 0, 0])]
        {
            assert_eq!(lowest(requirement).as_deref(), Some(&wanted[..]), "{requirement}");
        }
        assert_eq!(lowest("*"), None);
    }

    #[test]
    fn the_project_names_every_crate_and_feature() {
        let needs = json!([
            { "name": "glam", "req": "^0.34", "kind": null, "features": ["std"] },
            { "name": "proptest", "req": "^1.2", "kind": "dev" },
        ]);
        let library = json!({
            "name": "left", "manifest_path": "p/left/Cargo.toml", "targets": [{ "kind": ["lib"] }],
            "features": { "glam": [] }, "dependencies": needs,
        });
        let tool = json!({
            "name": "tool", "manifest_path": "p/tool/Cargo.toml", "dependencies": needs,
            "targets": [{ "kind": ["bin"], "src_path": "p/tool/src/main.rs" }],
        });
        let newest = manifest(&[&library, &tool], Versions::Newest);
        for line in [
            "left = { path = \"p/left/\", default-features = false }",
            "glam = { version = \"^0.34\", default-features = true, features = [\"std\"] }",
            "path = \"p/tool/src/main.rs\"",
            "\"left-glam\" = [\"left/glam\"]",
            "all = [\"left/glam\"]",
        ] {
            assert!(newest.contains(line), "{line}:\n{newest}");
        }
        assert!(!newest.contains("proptest"));
        let pin = "glam = { version = \"=0.34.0\", default-features = true, features = [\"std\"] }";
        let lowest = manifest(&[&library], Versions::Lowest);
        assert!(lowest.contains(pin), "{lowest}");
    }
}
