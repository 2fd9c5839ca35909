//! Downloads Debian's packages by an apt of its own, which shares only the mirrors, the keys and the proxy of the system's.
//!
//! The address of a mirror comes from the system's sources alone; this repository contains none.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use super::say;
use crate::child::{self, Show};

/// The files of Debian's archive keys. Where there is none, apt's own trusted keys count; without keys nothing is fetched.
const KEYRINGS: [&str; 2] =
    ["/usr/share/keyrings/debian-archive-keyring.gpg", "/usr/share/keyrings/debian-archive-keyring.pgp"];
/// The suites of the main archive that are not named after the release.
const SUITES: [&str; 6] = ["stable", "oldstable", "testing", "unstable", "sid", "forky"];
/// The form in which apt lists its sources.
const FORMAT: &str = "$(RELEASE) $(COMPONENT) $(REPO_URI)";
const FIXED: [&str; 9] = [
    "-oDir::Etc::SourceParts=/dev/null",
    "-oDir::Etc::Preferences=/dev/null",
    "-oDir::Etc::PreferencesParts=/dev/null",
    "-oAPT::Default-Release=",
    "-oAPT::Install-Recommends=false",
    // apt's sandbox user could not write into our folder.
    "-oAPT::Sandbox::User=root",
    "-oAcquire::Languages=none",
    "-oAcquire::Retries=3",
    "-qq",
];

/// Downloads `packages` of a suite and all that they need into `folder`, and returns their files.
pub(super) fn download(
    folder: &Path,
    architecture: &str,
    suite: &str,
    packages: &str,
) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(folder.join("state/lists/partial"))?;
    fs::create_dir_all(folder.join("cache/archives/partial"))?;
    fs::write(folder.join("status"), "")?;
    let keyring = KEYRINGS.into_iter().find(|path| Path::new(path).is_file());
    let keys = keyring.map(|path| format!(" signed-by={path}")).unwrap_or_default();
    let mut refusals = Vec::new();
    for mirror in system_mirrors()? {
        let source = format!("deb [arch={architecture}{keys}] {mirror} {suite} main\n");
        fs::write(folder.join("sources.list"), source)?;
        say(&format!("downloading {} of {suite} from {mirror}", packages));
        let install = format!("install --yes --download-only {packages}");
        let fetched = apt_get(folder, architecture, "update")
            .and_then(|()| apt_get(folder, architecture, &install))
            .and_then(|()| archives(&folder.join("cache/archives")));
        match fetched {
            Ok(archives) => return Ok(archives),
            Err(error) => refusals.push(format!("{mirror}: {error:#}")),
        }
    }
    ensure!(!refusals.is_empty(), "the system's apt sources name no mirror of Debian's archive");
    bail!("{}", refusals.join("\n"))
}

fn apt_get(folder: &Path, architecture: &str, words: &str) -> Result<()> {
    let mut apt_get = Command::new("apt-get");
    for (name, value) in [
        ("Dir::State", "state"),
        ("Dir::State::status", "status"),
        ("Dir::Cache", "cache"),
        ("Dir::Etc::SourceList", "sources.list"),
    ] {
        apt_get.arg(format!("-o{name}={}", folder.join(value).display()));
    }
    apt_get.args(FIXED).arg(format!("-oAPT::Architecture={architecture}")).args(words.split(' '));
    let outcome =
        child::run(apt_get.env("DEBIAN_FRONTEND", "noninteractive").env("LC_ALL", "C"), Show::Later, None)?;
    let complaints = outcome.lines.iter().filter(|line| line.starts_with(['E', 'W'])).take(4);
    let complaints: Vec<&str> = complaints.map(String::as_str).collect();
    ensure!(outcome.success(), "apt-get {words}: {}", complaints.join("; "));
    Ok(())
}

fn archives(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    let mut archives: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "deb")).collect();
    archives.sort();
    ensure!(!archives.is_empty(), "apt-get downloaded no packages");
    Ok(archives)
}

/// Returns the mirrors that this system takes its own release from.
fn system_mirrors() -> Result<Vec<String>> {
    let mut apt_get = Command::new("apt-get");
    apt_get.args(["indextargets", "--format", FORMAT, "Created-By: Packages"]);
    let listed = child::run(&mut apt_get, Show::Later, None).context("there is no apt")?;
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let codename = release.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    Ok(mirrors(&listed.lines, codename.unwrap_or_default().trim_matches('"')))
}

/// Returns the mirrors of the main archive. Other repositories, `-security` and `-backports` have other suites.
fn mirrors(listed: &[String], codename: &str) -> Vec<String> {
    let mut mirrors: Vec<String> = Vec::new();
    for line in listed {
        if let [suite, "main", uri] = line.split(' ').collect::<Vec<_>>()[..]
            && (suite == codename || SUITES.contains(&suite))
            && !mirrors.iter().any(|known| known == uri)
        {
            mirrors.push(uri.to_owned());
        }
    }
    mirrors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_mirrors_of_the_main_archive_are_taken() {
        let listed = [
            "bookworm main http://mirror.example/debian/",
            "bookworm contrib http://mirror.example/debian/",
            "bookworm-updates main http://mirror.example/updates/",
            "bookworm-security main http://security.example/debian-security/",
            "other-bookworm main https://packages.example/apt/",
            "bookworm stable https://docker.example/",
            "forky main https://forky.example/debian/",
            "bookworm main http://mirror.example/debian/",
        ]
        .map(str::to_owned);
        assert_eq!(
            mirrors(&listed, "bookworm"),
            ["http://mirror.example/debian/", "https://forky.example/debian/"]
        );
    }
}
