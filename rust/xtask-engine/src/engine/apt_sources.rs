//! Reads the mirrors of the Debian archive from the system's own apt sources, in both of their formats.
//!
//! The address of a mirror comes only from there; this repository contains none.

use std::fs;
use std::path::{Path, PathBuf};

/// The files of Debian's archive keys, for sources that name none.
const KEYRINGS: [&str; 2] =
    ["/usr/share/keyrings/debian-archive-keyring.gpg", "/usr/share/keyrings/debian-archive-keyring.pgp"];

/// The suites of the main archive that are not named after the release.
const SUITES: [&str; 6] = ["stable", "oldstable", "testing", "unstable", "sid", "forky"];

/// Describes a place to fetch packages from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mirror {
    pub(super) uri: String,
    pub(super) keyring: Option<PathBuf>,
}

/// Holds a source as it is written, whatever its format.
#[derive(Debug, Default)]
struct Entry {
    types: String,
    uris: String,
    suites: String,
    components: String,
    signed_by: String,
    enabled: String,
}

/// Returns the mirrors that this system takes its own release from; `codename` is that release.
pub(super) fn mirrors(apt: &Path, codename: &str) -> Vec<Mirror> {
    let mut files = vec![apt.join("sources.list")];
    if let Ok(folder) = fs::read_dir(apt.join("sources.list.d")) {
        files.extend(folder.flatten().map(|entry| entry.path()));
    }
    files.sort();
    let mut mirrors = Vec::new();
    for file in files {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let entries = match file.extension().and_then(|extension| extension.to_str()) {
            Some("list") => read_lines(&text),
            Some("sources") => read_stanzas(&text),
            _ => continue,
        };
        for mirror in entries.iter().flat_map(|entry| entry.mirrors(codename)) {
            if !mirrors.contains(&mirror) {
                mirrors.push(mirror);
            }
        }
    }
    mirrors
}

impl Entry {
    /// Returns the mirrors of a source of the main archive. Other repositories, `-security` and `-backports`
    /// have other suites, so they drop out.
    fn mirrors(&self, codename: &str) -> Vec<Mirror> {
        let is_main = self.enabled != "no"
            && self.types.split_whitespace().any(|kind| kind == "deb")
            && self.components.split_whitespace().any(|component| component == "main")
            && self.suites.split_whitespace().any(|suite| suite == codename || SUITES.contains(&suite));
        let keyring = Some(PathBuf::from(&self.signed_by)).filter(|path| path.is_absolute());
        let uris = self.uris.split_whitespace().filter(|_| is_main);
        uris.map(|uri| Mirror { uri: uri.trim_end_matches('/').to_owned(), keyring: keyring.clone() })
            .collect()
    }
}

impl Mirror {
    /// Returns the keys to verify packages with. Without keys nothing is fetched: an unsigned engine is never
    /// run.
    pub(super) fn keys(&self) -> Option<PathBuf> {
        let known = self.keyring.iter().cloned().chain(KEYRINGS.map(PathBuf::from));
        known.into_iter().find(|path| path.is_file())
    }
}

/// Reads the format `deb [options] uri suite component...`, one source a line.
fn read_lines(text: &str) -> Vec<Entry> {
    text.lines().filter_map(|line| read_line(line.split('#').next()?.trim())).collect()
}

fn read_line(line: &str) -> Option<Entry> {
    let (kind, rest) = line.split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    let (options, rest) = match rest.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => ("", rest),
    };
    let mut words = rest.split_whitespace();
    Some(Entry {
        types: kind.to_owned(),
        uris: words.next()?.to_owned(),
        suites: words.next()?.to_owned(),
        components: words.collect::<Vec<_>>().join(" "),
        signed_by: options
            .split_whitespace()
            .find_map(|option| option.strip_prefix("signed-by="))
            .unwrap_or_default()
            .to_owned(),
        enabled: "yes".to_owned(),
    })
}

/// Reads the format deb822: stanzas of `Field: value`, continued by indented lines, separated by empty ones.
fn read_stanzas(text: &str) -> Vec<Entry> {
    let mut entries = vec![Entry::default()];
    let mut ignored = String::new();
    let mut field = String::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if line.trim().is_empty() {
            entries.push(Entry::default());
            continue;
        }
        let value = match line.split_once(':') {
            Some((name, value)) if !line.starts_with([' ', '\t']) => {
                field = name.to_ascii_lowercase();
                value
            }
            _ => line,
        };
        let Some(entry) = entries.last_mut() else { continue };
        let slot = match field.as_str() {
            "types" => &mut entry.types,
            "uris" => &mut entry.uris,
            "suites" => &mut entry.suites,
            "components" => &mut entry.components,
            "signed-by" => &mut entry.signed_by,
            "enabled" => &mut entry.enabled,
            _ => &mut ignored,
        };
        slot.push_str(if slot.is_empty() { "" } else { " " });
        slot.push_str(value.trim());
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_entries(entries: Vec<Entry>) -> Vec<Mirror> {
        entries.iter().flat_map(|entry| entry.mirrors("bookworm")).collect()
    }

    fn mirror(uri: &str, keyring: Option<&str>) -> Mirror {
        Mirror { uri: uri.to_owned(), keyring: keyring.map(PathBuf::from) }
    }

    #[test]
    fn one_line_sources() {
        let text = "# a comment\n\
            deb http://mirror.example/debian bookworm main contrib # trailing\n\
            deb-src http://mirror.example/sources bookworm main\n\
            deb [arch=amd64 signed-by=/keys/debian.gpg] https://signed.example/debian/ bookworm main\n\
            deb http://security.example/debian-security bookworm-security main\n\
            deb https://packages.example/apt other-bookworm main\n\
            deb https://docker.example bookworm stable\n";
        let expected = [
            mirror("http://mirror.example/debian", None),
            mirror("https://signed.example/debian", Some("/keys/debian.gpg")),
        ];
        assert_eq!(from_entries(read_lines(text)), expected);
    }

    #[test]
    fn stanza_sources() {
        let text = "Types: deb deb-src\n\
            # a snapshot was here\n\
            URIs: http://mirror.example/debian\n\
            Suites: bookworm bookworm-updates\n\
            Components: main\n\
            Signed-By: /keys/debian.gpg\n\n\
            Types: deb\nURIs: http://off.example/debian\nSuites: bookworm\nComponents: main\nEnabled: no\n\n\
            Types: deb\nURIs: http://inline.example/debian\nSuites: forky\nComponents: main\n\
            Signed-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n Comment: x\n\n\
            Types: deb\nURIs: http://security.example/\nSuites: bookworm-security\nComponents: main\n";
        let expected = [
            mirror("http://mirror.example/debian", Some("/keys/debian.gpg")),
            mirror("http://inline.example/debian", None),
        ];
        assert_eq!(from_entries(read_stanzas(text)), expected);
    }
}
