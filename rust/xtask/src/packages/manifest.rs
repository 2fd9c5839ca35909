//! Checks what the manifests of published crates say: the fields that the registry shows, the features that docs.rs builds
//! with, and the oldest Rust of everything that a crate is built of.
//!
//! It reads `cargo metadata` and builds nothing.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::cross::tools::must;
use crate::workspace::Workspace;

const FIELDS: &str = "description license repository documentation readme rust_version keywords categories";
/// The categories that our crates use. The registry knows each of them, and refuses a crate with one that it does not know.
const CATEGORIES: &str =
    "command-line-utilities encoding game-development network-programming parser-implementations";
/// The registry's own bounds.
const MOST_KEYWORDS: usize = 5;
const LONGEST_KEYWORD: usize = 20;

/// Holds what `cargo metadata` says of the workspace and of everything that it is built of.
pub(super) struct Manifests(Value);

/// Returns what cargo says of the workspace and of everything that it is built of.
pub(crate) fn metadata(workspace: &Workspace) -> Result<Value> {
    let mut cargo = workspace.cargo();
    let told = must(cargo.args(["metadata", "--format-version=1", "--locked", "--all-features"]))?;
    let line = told.iter().find(|line| line.starts_with('{'));
    Ok(serde_json::from_str(line.context("no answer of cargo metadata")?)?)
}

impl Manifests {
    pub(super) fn read(workspace: &Workspace) -> Result<Manifests> {
        metadata(workspace).map(Manifests)
    }

    /// Returns cargo's options for the features that docs.rs builds a crate with: its public ones.
    pub(super) fn documented_features(&self, name: &str) -> Result<Vec<String>> {
        let docs = &self.ours(name).with_context(|| format!("no crate {name}"))?["metadata"]["docs"]["rs"];
        Ok(match docs["all-features"] == true {
            true => vec!["--all-features".to_owned()],
            false => vec!["--features".to_owned(), texts(&docs["features"]).collect::<Vec<_>>().join(",")],
        })
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
            let own = fields(package).into_iter().chain(order(package, &crates[at..]));
            findings.extend(own.chain(self.newer(package)).map(|finding| format!("{name}: {finding}")));
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
        let newer = self.packages().filter(|built| {
            built["id"].as_str().is_some_and(|id| seen.contains(id))
                && version(&built["rust_version"]) > promised
        });
        let told = |it: &Value| format!("{} {} wants Rust {}", it["name"], it["version"], it["rust_version"]);
        newer.map(|built| told(built).replace('"', "")).collect()
    }
}

/// Tells whether a package is a member of the workspace, which has no source.
fn is_ours(package: &Value) -> bool {
    package["source"].is_null()
}

/// Names the fields that are missing, and those that the registry refuses.
fn fields(package: &Value) -> Vec<String> {
    let mut findings = Vec::new();
    for field in FIELDS.split(' ') {
        let is_missing = package[field].is_null() || package[field] == "" || package[field] == json!([]);
        findings.extend(is_missing.then(|| format!("no {field}")));
    }
    let keywords: Vec<&str> = texts(&package["keywords"]).collect();
    if keywords.len() > MOST_KEYWORDS {
        findings.push(format!("{} keywords, {MOST_KEYWORDS} are taken", keywords.len()));
    }
    let is_taken = |c: char| c.is_ascii_alphanumeric() || "_-+".contains(c);
    let is_keyword = |word: &&str| {
        word.len() <= LONGEST_KEYWORD && word.chars().all(is_taken) && !word.starts_with(['_', '-', '+'])
    };
    findings.extend(keywords.iter().filter(|it| !is_keyword(it)).map(|it| format!("the keyword {it:?}")));
    let unknown = texts(&package["categories"]).filter(|it| !CATEGORIES.split(' ').any(|known| known == *it));
    findings.extend(unknown.map(|category| format!("the category {category:?} is not known here")));
    let docs = &package["metadata"]["docs"]["rs"];
    if docs["all-features"] != true && !docs["features"].is_array() {
        findings.push("[package.metadata.docs.rs] names no features".to_owned());
    }
    findings
}

/// Names the crates that this one needs and that are published after it, or with it.
fn order(package: &Value, later: &[&str]) -> Vec<String> {
    let needed = list(&package["dependencies"]).filter(|dependency| dependency["kind"] != "dev");
    let needed = needed.filter_map(|dependency| dependency["name"].as_str());
    needed.filter(|name| later.contains(name)).map(|name| format!("{name} is published after it")).collect()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    list(value).filter_map(Value::as_str)
}

/// Returns the numbers of a version, without zeros at its end; none where nothing is said.
fn version(of: &Value) -> Vec<u32> {
    let numbers = of.as_str().unwrap_or_default().split('.').map_while(|number| number.parse().ok());
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.truncate(numbers.iter().rposition(|number| *number > 0).map_or(0, |at| at + 1));
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the findings of a sample that was changed at a place.
    fn changed(place: &str, value: Value, crates: &[&str]) -> Vec<String> {
        let ours = |name: &str, needs: Value| {
            json!({
                "name": name, "id": name, "version": "0.1.0", "source": null, "publish": null, "description": "Is it.",
                "license": "MIT", "repository": "r", "documentation": "d", "readme": "README.md",
                "rust_version": "1.94", "keywords": ["godot"], "categories": ["encoding"], "dependencies": needs,
                "metadata": { "docs": { "rs": { "features": ["a", "b"] } } },
            })
        };
        let mut sample = json!({
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
        });
        *sample.pointer_mut(place).unwrap_or_else(|| panic!("no {place}")) = value;
        let sample = Manifests(sample);
        assert_eq!(sample.documented_features("right").unwrap().join(" "), "--features a,b");
        sample.findings(crates)
    }

    #[test]
    fn what_is_missing_is_found() {
        let newer = ["left: other 2.1.0 wants Rust 1.94.1", "right: other 2.1.0 wants Rust 1.94.1"];
        for (place, value, findings) in [
            ("/packages/0/name", json!("left"), &[][..]),
            ("/packages/0/description", json!(null), &["left: no description"]),
            ("/packages/1/readme", json!(""), &["right: no readme"]),
            ("/packages/0/keywords", json!([]), &["left: no keywords"]),
            (
                "/packages/0/keywords",
                json!(["a", "b", "c", "d", "e", "f"]),
                &["left: 6 keywords, 5 are taken"],
            ),
            ("/packages/0/keywords/0", json!("two words"), &["left: the keyword \"two words\""]),
            (
                "/packages/0/categories/0",
                json!("codecs"),
                &["left: the category \"codecs\" is not known here"],
            ),
            ("/packages/0/metadata", json!(null), &["left: [package.metadata.docs.rs] names no features"]),
            ("/packages/2/rust_version", json!("1.94.1"), &newer),
            ("/packages/2/rust_version", json!(null), &[]),
        ] {
            assert_eq!(changed(place, value, &["left", "right"]), findings, "{place}");
        }
        // A crate without a promise asks for nothing of what it is built of.
        let found = changed("/packages/0/rust_version", json!(null), &["left", "right"]);
        assert!(found.contains(&"left: no rust_version".to_owned()), "{found:?}");
    }

    #[test]
    fn a_crate_is_published_after_what_it_needs() {
        let of = |crates: &[&str]| changed("/packages/0/name", json!("left"), crates);
        assert_eq!(of(&["right", "left"]), ["right: left is published after it"]);
        assert_eq!(of(&["left"]), ["right: published, or listed, alone"]);
    }
}
