//! Checks files that must exist and agree: the changelog, and the version wherever it is named.

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
    for file in files.iter().filter(|file| names_versions(&file.path)) {
        for (at, line) in file.text.lines().enumerate() {
            if let Some(named) = version_named(line).filter(|named| *named != version) {
                findings
                    .push(file.finding(at + 1, format!("names version {named}, {MANIFEST} is at {version}")));
            }
        }
    }
    findings
}

/// Tells whether a file has to name the current version: documents, class pages and the addon. The changelog
/// names older versions.
fn names_versions(path: &str) -> bool {
    let is_shown =
        path.ends_with(".md") || path.starts_with("rust/godot/doc/") || path.starts_with("addons/");
    is_shown && path != CHANGELOG
}

/// Returns the version of ours that a line names: behind a name of ours, or as an answer of `get_version()`.
fn version_named(line: &str) -> Option<&str> {
    const NAMES: [&str; 6] =
        ["VariantStream ", "variant_stream-", "VariantStream v", "gdvar ", "such as `\"", "such as [code]\""];
    NAMES.iter().filter_map(|name| line.split_once(name)).find_map(|(_, rest)| {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let number = rest[..end].trim_end_matches('.');
        (number.split('.').count() == 3).then_some(number)
    })
}

/// Returns the first `version = "..."`, in TOML and in Godot's config files alike.
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
    fn documents_name_the_version_that_is() {
        let named = |path: &str, line: &str| {
            let manifest = File::sample(MANIFEST, "version = \"0.2.0\"");
            let files = [manifest, File::sample(CHANGELOG, "# Changelog"), File::sample(path, line)];
            check(&files).len()
        };
        assert_eq!(named("README.md", "prints VariantStream 0.2.0 (api 4.3) on Godot 4.6.3.stable"), 0);
        assert_eq!(named("README.md", "prints VariantStream 0.1.0 (api 4.3)"), 1);
        assert_eq!(named("docs/RELEASING.md", "unzip variant_stream-0.1.9.zip"), 1);
        assert_eq!(named("rust/godot/doc/VariantStream.xml", "such as [code]\"0.1.0\"[/code]."), 1);
        assert_eq!(named("docs/A.md", "VariantStream 4.3 or newer, VariantStream knows"), 0);
    }

    #[test]
    fn the_changelog_is_there() {
        assert_eq!(findings("version=\"0.2.0\"", false), 1);
    }
}
