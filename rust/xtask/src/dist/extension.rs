//! Checks the addon's `.gdextension` file: its platforms, the icons of its classes and its engine version.
//!
//! Findings are platforms without a key, classes without a readable icon, and an engine version other than
//! the one that the library is built for. It changes nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::icons;
use crate::cross::rows::ROWS;

pub(super) const FILE: &str = "variant_stream.gdextension";

/// The feature tag of engines that were built with `precision=double`.
const DOUBLE: &str = ".double";

/// Describes one library that the file lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Library {
    /// The feature tags, joined by dots.
    pub(super) key: String,
    /// The path relative to the addon, with `/`.
    pub(super) path: String,
}

impl Library {
    /// Tells whether a release must contain it. Libraries for engines of double precision are built on
    /// request.
    pub(super) fn is_released(&self) -> bool {
        !self.key.ends_with(DOUBLE)
    }
}

#[derive(Debug)]
pub(super) struct Extension {
    text: String,
}

impl Extension {
    pub(super) fn read(addon: &Path) -> Result<Self> {
        let file = addon.join(FILE);
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(Self { text })
    }

    pub(super) fn libraries(&self) -> Vec<Library> {
        let entries = entries(&self.text, "libraries");
        entries.into_iter().map(|(key, path)| Library { key, path }).collect()
    }

    /// Returns the findings, a line each. `pages` is the folder of the help's class pages, `manifest` the
    /// text of the library's Cargo.toml.
    pub(super) fn findings(&self, addon: &Path, pages: &Path, manifest: &str) -> Result<Vec<String>> {
        let mut findings = platform_findings(&self.libraries());
        let minimum = entries(&self.text, "configuration")
            .into_iter()
            .find_map(|(key, value)| (key == "compatibility_minimum").then_some(value));
        let feature = format!("\"api-{}\"", minimum.as_deref().unwrap_or("none").replace('.', "-"));
        if !manifest.contains(&feature) {
            findings.push(format!(
                "{FILE}: compatibility_minimum is {minimum:?}, but rust/godot/Cargo.toml has no {feature}"
            ));
        }
        let icons = entries(&self.text, "icons");
        // Each class has a page of the help.
        let pages =
            fs::read_dir(pages).with_context(|| format!("cannot read {}", pages.display()))?.flatten();
        let mut pages: Vec<_> = pages.map(|page| page.file_name().to_string_lossy().into_owned()).collect();
        pages.sort();
        for class in pages.iter().filter_map(|page| page.strip_suffix(".xml")) {
            match icons.iter().find(|(name, _)| name == class) {
                None => findings.push(format!("{FILE}: {class} has no icon")),
                Some((_, path)) => findings.extend(icons::finding(&addon.join(path), path)),
            }
        }
        Ok(findings)
    }
}

fn platform_findings(libraries: &[Library]) -> Vec<String> {
    let mut findings = Vec::new();
    let keys = ROWS.iter().filter(|row| row.library().is_some()).map(|row| row.key);
    let wanted: BTreeSet<String> = keys.flat_map(|key| [key.to_owned(), format!("{key}{DOUBLE}")]).collect();
    let there: BTreeSet<String> = libraries.iter().map(|library| library.key.clone()).collect();
    findings.extend(wanted.difference(&there).map(|key| format!("{FILE}: no key {key}")));
    findings.extend(there.difference(&wanted).map(|key| format!("{FILE}: {key} is no platform we know")));
    let paths: BTreeSet<&str> = libraries.iter().map(|library| library.path.as_str()).collect();
    if paths.len() != libraries.len() {
        findings.push(format!("{FILE}: two keys name one library"));
    }
    findings
}

/// Returns the lines `key = value` of one section, without quotes.
fn entries(text: &str, section: &str) -> Vec<(String, String)> {
    let header = format!("[{section}]");
    let lines = text.lines().map(str::trim).skip_while(|line| *line != header).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let entries = lines.filter(|line| !line.starts_with(';')).filter_map(|line| line.split_once('='));
    entries.map(|(key, value)| (key.trim().to_owned(), value.trim().trim_matches('"').to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Workspace;

    #[test]
    fn the_file_of_the_addon_fits() {
        let workspace = Workspace::find().unwrap();
        let manifest = fs::read_to_string(workspace.root().join("rust/godot/Cargo.toml")).unwrap();
        let pages = workspace.root().join("rust/godot/doc");
        let extension = Extension::read(&workspace.addon()).unwrap();
        let none: [&str; 0] = [];
        assert_eq!(extension.findings(&workspace.addon(), &pages, &manifest).unwrap(), none);
        assert_eq!(extension.libraries().into_iter().filter(Library::is_released).count(), 15);
    }

    #[test]
    fn a_missing_platform_class_or_version_is_found() {
        let workspace = Workspace::find().unwrap();
        let pages = workspace.root().join("rust/godot/doc");
        let whole = Extension::read(&workspace.addon()).unwrap().text;
        let broken = whole
            .replace("linux.arm64 =", "linux.arm63 =")
            .replace("VariantJob =", "VariantJobs =")
            .replace("minimum = \"4.3\"", "minimum = \"4.9\"");
        let findings =
            Extension { text: broken }.findings(&workspace.addon(), &pages, "\"api-4-3\"").unwrap();
        assert_eq!(findings.len(), 4, "{findings:?}");
    }

    #[test]
    fn sections_end_where_the_next_begins() {
        let text = "; a = 1\n[libraries]\n\nmacos = \"bin/a\"\n; x = y\n[icons]\nB = \"c\"\n";
        assert_eq!(entries(text, "libraries"), [("macos".to_owned(), "bin/a".to_owned())]);
        assert_eq!(entries(text, "icons"), [("B".to_owned(), "c".to_owned())]);
    }
}
