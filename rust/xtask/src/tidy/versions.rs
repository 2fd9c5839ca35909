//! Files that must be there and must agree: the changelog and the version numbers. Releases nothing.

use super::{File, Finding};

const MANIFEST: &str = "Cargo.toml";
const CHANGELOG: &str = "CHANGELOG.md";

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !files.iter().any(|file| file.path == CHANGELOG) {
        findings.push(Finding { path: CHANGELOG.to_owned(), line: 0, what: "is missing".to_owned() });
    }
    let manifest = files.iter().find(|file| file.path == MANIFEST);
    let Some(version) = manifest.and_then(|file| version_in(&file.text)) else {
        findings.push(Finding { path: MANIFEST.to_owned(), line: 0, what: "has no version".to_owned() });
        return findings;
    };
    for file in files.iter().filter(|file| file.name() == "plugin.cfg") {
        if version_in(&file.text) != Some(version) {
            findings.push(file.finding(0, format!("its version is not {version}, that of {MANIFEST}")));
        }
    }
    findings
}

/// The first `version = "..."`, in TOML and in Godot's config files alike.
fn version_in(text: &str) -> Option<&str> {
    text.lines().find_map(|line| {
        let value = line.strip_prefix("version")?.trim_start().strip_prefix('=')?.trim();
        value.strip_prefix('"')?.strip_suffix('"')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(plugin: &str, with_changelog: bool) -> usize {
        let mut files = vec![
            File::sample(MANIFEST, "[workspace.package]\nversion = \"0.2.0\"\nrust-version = \"1.94\""),
            File::sample("addons/variant_stream/plugin.cfg", plugin),
        ];
        files.extend(with_changelog.then(|| File::sample(CHANGELOG, "# Changelog")));
        check(&files).len()
    }

    #[test]
    fn versions_agree() {
        assert_eq!(findings("[plugin]\nversion=\"0.2.0\"", true), 0);
        assert_eq!(findings("[plugin]\nversion=\"0.1.0\"", true), 1);
        assert_eq!(findings("[plugin]\nname=\"x\"", true), 1);
    }

    #[test]
    fn the_changelog_is_there() {
        assert_eq!(findings("version=\"0.2.0\"", false), 1);
    }
}
