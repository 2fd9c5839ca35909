//! Checks what the manifests of published crates say: the fields that the registry shows, the features that docs.rs builds
//! with, and the oldest Rust of everything that a crate is built of.
//!
//! It reads `cargo metadata` and builds nothing.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::child::{self, Show};
use crate::workspace::Workspace;

/// The categories that our crates use. The registry knows each of them, and refuses a crate with one that it does not know.
const CATEGORIES: [&str; 5] = [
    "command-line-utilities",
    "encoding",
    "game-development",
    "network-programming",
    "parser-implementations",
];
/// The registry's own bounds.
const MOST_KEYWORDS: usize = 5;
const LONGEST_KEYWORD: usize = 20;

/// Holds what `cargo metadata` says of the workspace and of everything that it is built of.
pub(super) struct Manifests(Value);

/// Returns what cargo says of the workspace and of everything that it is built of.
pub(crate) fn metadata(workspace: &Workspace) -> Result<Value> {
    let mut cargo = workspace.cargo();
    cargo.args(["metadata", "--format-version=1", "--locked", "--all-features"]);
    let outcome = child::run(&mut cargo, Show::Later, None)?;
    ensure!(outcome.success(), "cargo metadata: {}", outcome.text());
    let line =
        outcome.lines.iter().find(|line| line.starts_with('{')).context("no answer of cargo metadata")?;
    Ok(serde_json::from_str(line)?)
}

impl Manifests {
    pub(super) fn read(workspace: &Workspace) -> Result<Manifests> {
        metadata(workspace).map(Manifests)
    }

    /// Returns cargo's options for the features that docs.rs builds a crate with: its public ones.
    pub(super) fn documented_features(&self, name: &str) -> Result<Vec<String>> {
        let package = self.ours(name).with_context(|| format!("no crate {name}"))?;
        let docs = &package["metadata"]["docs"]["rs"];
        if docs["all-features"] == true {
            return Ok(vec!["--all-features".to_owned()]);
        }
        let features: Vec<&str> = texts(&docs["features"]).collect();
        Ok(vec!["--features".to_owned(), features.join(",")])
    }

    /// Returns what is wrong with the crates, which stand in the order in which they are published.
    pub(super) fn findings(&self, crates: &[&str]) -> Vec<String> {
        let published = self.packages().filter(|package| is_ours(package) && package["publish"].is_null());
        let published: BTreeSet<&str> = published.filter_map(|package| package["name"].as_str()).collect();
        let listed: BTreeSet<&str> = crates.iter().copied().collect();
        let unlike = published.symmetric_difference(&listed);
        let mut findings: Vec<String> =
            unlike.map(|name| format!("{name}: published, or listed, alone")).collect();
        for (at, name) in crates.iter().enumerate() {
            let Some(package) = self.ours(name) else { continue };
            let own = fields(package).into_iter().chain(docs(package)).chain(order(package, &crates[at..]));
            let newer = self.newer(package);
            findings.extend(own.chain(newer).map(|finding| format!("{name}: {finding}")));
        }
        findings
    }

    fn packages(&self) -> impl Iterator<Item = &Value> {
        list(&self.0["packages"])
    }

    /// Returns what is said of a crate of the workspace.
    pub(super) fn ours(&self, name: &str) -> Option<&Value> {
        self.packages().find(|package| is_ours(package) && package["name"] == name)
    }

    /// Names the crates that a user of this one builds, on any platform, and that ask for a newer Rust.
    fn newer(&self, package: &Value) -> Vec<String> {
        let promised = version(&package["rust_version"]);
        let mut seen = BTreeSet::new();
        let mut open = vec![package["id"].as_str().unwrap_or_default()];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let node = list(&self.0["resolve"]["nodes"]).find(|node| node["id"] == id);
            let built = list(node.map_or(&Value::Null, |node| &node["deps"]))
                .filter(|dependency| list(&dependency["dep_kinds"]).any(|kind| kind["kind"] != "dev"));
            open.extend(built.filter_map(|dependency| dependency["pkg"].as_str()));
        }
        let built = self.packages().filter(|built| built["id"].as_str().is_some_and(|id| seen.contains(id)));
        let newer = built.filter(|built| version(&built["rust_version"]) > promised);
        let told = |built: &Value| {
            format!("{} {} wants Rust {}", built["name"], built["version"], built["rust_version"])
                .replace('"', "")
        };
        newer.map(told).collect()
    }
}

/// Tells whether a package is a member of the workspace, which has no source.
fn is_ours(package: &Value) -> bool {
    package["source"].is_null()
}

/// Names the fields that are missing, and those that the registry refuses.
fn fields(package: &Value) -> Vec<String> {
    let wanted = ["description", "license", "repository", "documentation", "readme", "rust_version"];
    let is_missing = |field: &&&str| package[**field].as_str().is_none_or(str::is_empty);
    let mut findings: Vec<String> =
        wanted.iter().filter(is_missing).map(|field| format!("no {field}")).collect();
    let keywords: Vec<&str> = texts(&package["keywords"]).collect();
    if keywords.is_empty() || keywords.len() > MOST_KEYWORDS {
        findings.push(format!("{} keywords, 1 to {MOST_KEYWORDS} are taken", keywords.len()));
    }
    findings
        .extend(keywords.iter().filter(|word| !is_keyword(word)).map(|word| format!("the keyword {word:?}")));
    let categories: Vec<&str> = texts(&package["categories"]).collect();
    let unknown = categories.iter().filter(|category| !CATEGORIES.contains(category));
    findings.extend(unknown.map(|category| format!("the category {category:?} is not known here")));
    if categories.is_empty() {
        findings.push("no categories".to_owned());
    }
    findings
}

fn is_keyword(word: &str) -> bool {
    let is_taken = |c: char| c.is_ascii_alphanumeric() || "_-+".contains(c);
    word.len() <= LONGEST_KEYWORD
        && word.starts_with(|c: char| c.is_ascii_alphanumeric())
        && word.chars().all(is_taken)
}

/// Says whether the manifest leaves open what docs.rs builds.
fn docs(package: &Value) -> Option<String> {
    let docs = &package["metadata"]["docs"]["rs"];
    let is_said = docs["all-features"] == true || docs["features"].is_array();
    (!is_said).then(|| "[package.metadata.docs.rs] names no features".to_owned())
}

/// Names the crates that this one needs and that are published after it, or with it.
fn order(package: &Value, later: &[&str]) -> Vec<String> {
    let needed = list(&package["dependencies"]).filter(|dependency| dependency["kind"] != "dev");
    let needed = needed.filter_map(|dependency| dependency["name"].as_str());
    needed.filter(|name| later.contains(name)).map(|name| format!("{name} is published after it")).collect()
}

pub(super) fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    list(value).filter_map(Value::as_str)
}

/// Returns the numbers of a version, without zeros at its end; none where nothing is said.
fn version(of: &Value) -> Vec<u32> {
    let mut numbers: Vec<u32> = of
        .as_str()
        .into_iter()
        .flat_map(|text| text.split('.'))
        .map_while(|number| number.parse().ok())
        .collect();
    while numbers.last() == Some(&0) {
        numbers.pop();
    }
    numbers
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sample() -> Value {
        let ours = |name: &str, needs: Value| {
            json!({
                "name": name, "id": name, "version": "0.1.0", "source": null, "publish": null, "description": "Is it.",
                "license": "MIT", "repository": "r", "documentation": "d", "readme": "README.md", "rust_version": "1.94",
                "keywords": ["godot"], "categories": ["encoding"], "dependencies": needs,
                "metadata": { "docs": { "rs": { "features": [] } } },
            })
        };
        json!({
            "packages": [
                ours("left", json!([])),
                ours("right", json!([{ "name": "left", "kind": null }])),
                { "name": "other", "id": "other", "version": "2.1.0", "source": "registry", "rust_version": "1.94.0" },
                { "name": "tested", "id": "tested", "version": "3.0.0", "source": "registry", "rust_version": "1.99" },
            ],
            "resolve": { "nodes": [
                { "id": "left", "deps": [
                    { "pkg": "other", "dep_kinds": [{ "kind": null }] },
                    { "pkg": "tested", "dep_kinds": [{ "kind": "dev" }] },
                ] },
                { "id": "right", "deps": [{ "pkg": "left", "dep_kinds": [{ "kind": null }] }] },
                { "id": "other", "deps": [] },
            ] },
        })
    }

    /// Returns the findings of a sample that was changed at a place.
    fn changed(place: &str, value: Value) -> Vec<String> {
        let mut sample = sample();
        *sample.pointer_mut(place).unwrap_or_else(|| panic!("no {place}")) = value;
        Manifests(sample).findings(&["left", "right"])
    }

    #[test]
    fn what_is_ready_passes() {
        assert_eq!(Manifests(sample()).findings(&["left", "right"]), [""; 0]);
    }

    #[test]
    fn what_is_missing_is_found() {
        for (place, value, finding) in [
            ("/packages/0/description", json!(null), "left: no description"),
            ("/packages/0/rust_version", json!(null), "left: no rust_version"),
            ("/packages/1/readme", json!(null), "right: no readme"),
            ("/packages/0/keywords", json!([]), "left: 0 keywords, 1 to 5 are taken"),
            (
                "/packages/0/keywords",
                json!(["a", "b", "c", "d", "e", "f"]),
                "left: 6 keywords, 1 to 5 are taken",
            ),
            ("/packages/0/keywords/0", json!("two words"), "left: the keyword \"two words\""),
            ("/packages/0/categories", json!([]), "left: no categories"),
            ("/packages/0/categories/0", json!("codecs"), "left: the category \"codecs\" is not known here"),
            ("/packages/0/metadata", json!(null), "left: [package.metadata.docs.rs] names no features"),
        ] {
            // A crate without a promise asks for nothing of what it is built of.
            let found = changed(place, value);
            assert!(found.contains(&finding.to_owned()), "{place}: {found:?}");
        }
    }

    #[test]
    fn a_newer_rust_is_found_wherever_it_is_asked_for() {
        let found = changed("/packages/2/rust_version", json!("1.94.1"));
        let wanted = ["left: other 2.1.0 wants Rust 1.94.1", "right: other 2.1.0 wants Rust 1.94.1"];
        assert_eq!(found, wanted);
        assert_eq!(changed("/packages/2/rust_version", json!(null)), [""; 0], "it promises nothing");
    }

    #[test]
    fn a_crate_is_published_after_what_it_needs() {
        assert_eq!(Manifests(sample()).findings(&["right", "left"]), ["right: left is published after it"]);
        assert_eq!(Manifests(sample()).findings(&["left"]), ["right: published, or listed, alone"]);
    }

    #[test]
    fn documented_features_are_those_of_the_manifest() {
        let of = |docs: Value| {
            let mut sample = sample();
            sample["packages"][0]["metadata"]["docs"]["rs"] = docs;
            Manifests(sample).documented_features("left").unwrap().join(" ")
        };
        assert_eq!(of(json!({ "all-features": true })), "--all-features");
        assert_eq!(of(json!({ "features": ["a", "b"] })), "--features a,b");
    }
}
