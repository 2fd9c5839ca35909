//! Lists everything that a crate offers, a line each, from the compiler's own documentation.
//!
//! The list is kept in `docs/api`, so a change of the public interface shows in a review.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::signature;
use crate::child::{self, Show};
use crate::tally::Tally;
use crate::workspace::Workspace;

/// Compares the list of a crate with its public interface, or writes the list where `BLESS` is set. `features` are cargo's
/// options for those that are part of the interface.
pub(super) fn compare(workspace: &Workspace, name: &str, features: &[String]) -> Result<Tally> {
    let list = list(&documented(workspace, name, features)?)?;
    let path = workspace.root().join("docs/api").join(format!("{name}.txt"));
    if std::env::var_os("BLESS").is_some() {
        fs::create_dir_all(path.parent().context("a folder")?)?;
        fs::write(&path, &list)?;
    }
    let known = fs::read_to_string(&path).unwrap_or_default();
    let (known, now): (BTreeSet<&str>, BTreeSet<&str>) = (known.lines().collect(), list.lines().collect());
    known.difference(&now).for_each(|line| eprintln!("{name}: no longer offered: {line}"));
    now.difference(&known).for_each(|line| eprintln!("{name}: not in the list: {line}"));
    if known != now {
        eprintln!("{name}: BLESS=1 cargo xtask packages writes docs/api/{name}.txt anew");
    }
    Ok(Tally::new(u64::from(known == now), u64::from(known != now)))
}

/// Returns rustdoc's description of a crate as docs.rs builds it. A link that leads nowhere is an error: features that the
/// workspace does not build by itself have documents too.
fn documented(workspace: &Workspace, name: &str, features: &[String]) -> Result<Value> {
    let mut cargo = workspace.cargo();
    // A folder of its own: with the variable below, build scripts of others' crates have other answers, and everything that
    // depends on them is built anew, there and back.
    let folder = workspace.target().join("api");
    cargo
        .args(["rustdoc", "--quiet", "--package", name, "--lib", "--target-dir"])
        .arg(&folder)
        .args(features);
    cargo.args(["--", "-Zunstable-options", "--output-format", "json"]);
    // rustdoc's JSON is unstable, but only names and types of it are read.
    cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTDOCFLAGS", "-D warnings");
    ensure!(child::run(&mut cargo, Show::Now, None)?.success(), "{name} has no documentation");
    let file = folder.join("doc").join(format!("{}.json", name.replace('-', "_")));
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(serde_json::from_str(&text)?)
}

/// Returns the list: sorted, without duplicates.
fn list(documented: &Value) -> Result<String> {
    let index = &documented["index"];
    let root = &index[id(&documented["root"])];
    let mut lines = BTreeSet::new();
    let name = root["name"].as_str().context("a crate has a name")?;
    module(index, root, name, &mut lines);
    ensure!(lines.len() > 3, "the compiler's documentation has another form than this command reads");
    Ok(lines.into_iter().map(|line| line + "\n").collect())
}

fn id(value: &Value) -> String {
    value.to_string()
}

/// Adds everything in a module, by the path under which it is public.
fn module(index: &Value, module: &Value, path: &str, lines: &mut BTreeSet<String>) {
    for child in module["inner"]["module"]["items"].as_array().into_iter().flatten() {
        let item = &index[id(child)];
        if item["visibility"] != "public" {
            continue;
        }
        let Some((kind, inner)) = kind_of(item) else { continue };
        if kind == "use" {
            let target = &index[id(&inner["id"])];
            let name = inner["name"].as_str().unwrap_or_default();
            if inner["is_glob"] == true {
                self::module(index, target, path, lines);
            } else if target.is_null() {
                lines
                    .insert(format!("use {path}::{name} = {}", inner["source"].as_str().unwrap_or_default()));
            } else {
                offered(index, target, &format!("{path}::{name}"), lines);
            }
        } else if let Some(name) = item["name"].as_str() {
            offered(index, item, &format!("{path}::{name}"), lines);
        }
    }
}

fn kind_of(item: &Value) -> Option<(&str, &Value)> {
    item["inner"].as_object()?.iter().next().map(|(kind, inner)| (kind.as_str(), inner))
}

/// Adds an item with its fields, variants, methods and traits.
fn offered(index: &Value, item: &Value, path: &str, lines: &mut BTreeSet<String>) {
    let Some((kind, inner)) = kind_of(item) else { return };
    match kind {
        "module" => return module(index, item, path, lines),
        _ => lines.insert(format!("{kind} {path}{}", signature::of(kind, inner))),
    };
    let parts = ["variants", "items"].iter().flat_map(|part| inner[part].as_array().into_iter().flatten());
    let fields = inner["kind"]["plain"]["fields"].as_array().into_iter().flatten();
    for part in parts.chain(fields).map(|part| &index[id(part)]) {
        part_of(index, part, path, lines);
    }
    for own in inner["impls"].as_array().into_iter().flatten().map(|own| &index[id(own)]["inner"]["impl"]) {
        let is_made_up = own["is_synthetic"] == true || !own["blanket_impl"].is_null();
        if is_made_up {
            continue;
        }
        if own["trait"].is_null() {
            for part in own["items"].as_array().into_iter().flatten().map(|part| &index[id(part)]) {
                part_of(index, part, path, lines);
            }
        } else {
            let of = signature::path_of(&own["trait"]);
            lines.insert(format!("impl {of} for {path}"));
        }
    }
}

/// Adds a field, a variant or a method. Those of a trait and of a variant are public with it.
fn part_of(index: &Value, part: &Value, path: &str, lines: &mut BTreeSet<String>) {
    let is_offered = part["visibility"] == "public" || part["visibility"] == "default";
    if let (true, Some((kind, inner)), Some(name)) = (is_offered, kind_of(part), part["name"].as_str()) {
        let path = format!("{path}::{name}");
        lines.insert(format!("{kind} {path}{}", signature::of(kind, inner)));
        for field in inner["kind"]["struct"]["fields"].as_array().into_iter().flatten() {
            part_of(index, &index[id(field)], &path, lines);
        }
    }
}
