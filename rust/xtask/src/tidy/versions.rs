//! Checks that the version is the same wherever it is named, and that there is a changelog.

use std::sync::LazyLock;

use regex::Regex;

use super::{File, Finding, pattern};

const MANIFEST: &str = "Cargo.toml";
const CHANGELOG: &str = "CHANGELOG.md";

/// A `version = "..."`, in TOML and in Godot's config files alike.
static DEFINED: LazyLock<Regex> = LazyLock::new(|| pattern(r#"(?m)^version\s*=\s*"(\d+\.\d+\.\d+)""#));
/// A version of ours that a line names: behind a name of ours, or as an answer of `get_version()`.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"(?:VariantStream v?|variant_stream-|gdvar |such as (?:`|\[code\])")(\d+\.\d+\.\d+)"#)
});

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let missing = |path: &str, what: &str| Finding { path: path.to_owned(), line: 0, what: what.to_owned() };
    let mut findings = Vec::new();
    if !files.iter().any(|file| file.path == CHANGELOG) {
        findings.push(missing(CHANGELOG, "is missing"));
    }
    let manifest = files.iter().find(|file| file.path == MANIFEST);
    let Some(version) = manifest.and_then(|file| found(&DEFINED, &file.text)) else {
        findings.push(missing(MANIFEST, "has no version"));
        return findings;
    };
    for file in files.iter().filter(|file| file.name() == "plugin.cfg") {
        if found(&DEFINED, &file.text) != Some(version) {
            findings.push(file.finding(0, format!("its version is not {version}, that of {MANIFEST}")));
        }
    }
    for file in files.iter().filter(|file| names_versions(&file.path)) {
        for (at, line) in file.text.lines().enumerate() {
            if let Some(named) = found(&NAMED, line).filter(|named| *named != version) {
                let what = format!("names version {named}, {MANIFEST} is at {version}");
                findings.push(file.finding(at + 1, what));
            }
        }
    }
    findings
}

/// Tells whether a file has to name the current version: documents, class pages and the addon. The changelog
/// names older versions.
fn names_versions(path: &str) -> bool {
    path != CHANGELOG
        && (path.ends_with(".md") || path.starts_with("rust/godot/doc/") || path.starts_with("addons/"))
}

fn found<'t>(pattern: &Regex, text: &'t str) -> Option<&'t str> {
    pattern.captures(text)?.get(1).map(|version| version.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> usize {
        let manifest =
            File::sample(MANIFEST, "[workspace.package]\nversion = \"0.2.0\"\nrust-version = \"1.94\"");
        check(&[manifest, File::sample(CHANGELOG, "# Changelog"), File::sample(path, text)]).len()
    }

    #[test]
    fn versions_agree() {
        assert_eq!(findings("addons/variant_stream/plugin.cfg", "[plugin]\nversion=\"0.2.0\""), 0);
        assert_eq!(findings("addons/variant_stream/plugin.cfg", "[plugin]\nversion=\"0.1.0\""), 1);
        assert_eq!(findings("addons/variant_stream/plugin.cfg", "[plugin]\nname=\"x\""), 1);
        assert_eq!(check(&[]).len(), 2);
    }

    #[test]
    fn documents_name_the_version_that_is() {
        assert_eq!(findings("README.md", "prints VariantStream 0.2.0 (api 4.3) on Godot 4.6.3.stable"), 0);
        assert_eq!(findings("README.md", "prints VariantStream 0.1.0 (api 4.3)"), 1);
        assert_eq!(findings("docs/RELEASING.md", "unzip variant_stream-0.1.9.zip"), 1);
        assert_eq!(findings("rust/godot/doc/VariantStream.xml", "such as [code]\"0.1.0\"[/code]."), 1);
        assert_eq!(findings("docs/A.md", "VariantStream 4.3 or newer, VariantStream knows"), 0);
    }
}
