//! Makes the release archive, which holds the addon and nothing else, for `cargo xtask dist`.
//!
//! A commit and its libraries always give the same bytes. It publishes nothing;
//! `.github/workflows/release.yml` does.

pub(crate) mod archive;
mod extension;
pub(crate) mod game;
mod icons;
pub(crate) mod notices;
pub(crate) mod privacy;
pub(crate) mod suite;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use sha2::Sha256;
use walkdir::WalkDir;

use crate::arguments::Dist;
use crate::build::{self, Profile};
use crate::cross;
use crate::engine;
use crate::workspace::Workspace;
use archive::Entry;
use extension::Extension;

/// The path of the addon in a project and in the archive.
const PLACE: &str = "addons/variant_stream";

/// The files without which the archive is no addon.
const REQUIRED: [&str; 5] = [extension::FILE, "plugin.cfg", "README.md", "LICENSE", notices::FILE];

/// Builds the library of this machine, or takes those that are `--staged`; checks the addon and writes the
/// archive.
pub(crate) fn run(workspace: &Workspace, options: &Dist) -> Result<ExitCode> {
    if options.staged {
        build::stage_golden(workspace)?;
    } else {
        build::run(workspace, Profile::Release)?;
    }
    let extension = Extension::read(&workspace.addon())?;
    let entries = entries(&workspace.addon(), &extension)?;
    let mut findings = findings(workspace, &extension, &entries)?;
    if options.complete {
        findings.extend(missing(workspace, &extension).into_iter().map(|path| format!("{path} is missing")));
        findings.extend(floor_findings(&entries)?);
    }
    if let Some(tag) = &options.tag {
        findings.extend(tag_findings(workspace, tag)?);
    }
    findings.iter().for_each(|finding| println!("{finding}"));
    if !findings.is_empty() {
        println!("dist: {} findings, no archive", findings.len());
        return Ok(ExitCode::FAILURE);
    }
    let file = workspace.target().join("dist").join(format!("variant_stream-{}.zip", version()));
    fs::create_dir_all(file.with_file_name(""))?;
    archive::write(&entries, &file)?;
    report(workspace, &extension, &entries, &file)?;
    if options.r#try {
        let godot = engine::find(workspace, options.godot.as_deref())?;
        let mut tally = suite::run(workspace, &godot, false)?;
        tally += game::run(workspace, &godot, false)?;
        return tally.close();
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the sizes, the missing libraries and the archive's checksum.
fn report(workspace: &Workspace, extension: &Extension, entries: &[Entry], file: &Path) -> Result<()> {
    let mut bytes = 0;
    for Entry { name, source } in entries {
        let size = fs::metadata(source)?.len();
        bytes += size;
        if name.contains("/bin/") {
            let glibc = cross::needed_glibc(&fs::read(source)?);
            let glibc = glibc.map(|glibc| format!(", needs glibc {glibc}")).unwrap_or_default();
            println!("{size:>10} bytes  {name}{glibc}");
        }
    }
    missing(workspace, extension).iter().for_each(|path| println!("{:>16}  {PLACE}/{path}", "not built"));
    println!(
        "{:>10} files, {bytes} bytes unpacked, {} bytes packed",
        entries.len(),
        fs::metadata(file)?.len()
    );
    println!("sha256 {}", archive::sum::<Sha256>(file)?);
    println!("{}", file.display());
    Ok(())
}

/// Lists the files of the archive: the addon's files with the staged golden values, and the libraries in
/// `bin`. Files that an editor leaves in the folder are not listed.
fn entries(addon: &Path, extension: &Extension) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in WalkDir::new(addon).into_iter().filter_entry(|entry| entry.file_name() != "bin") {
        let entry = entry?;
        if entry.file_type().is_file() && belongs(&entry.file_name().to_string_lossy()) {
            let name = entry.path().strip_prefix(addon)?.to_string_lossy().replace('\\', "/");
            entries.push(Entry { name: format!("{PLACE}/{name}"), source: entry.into_path() });
        }
    }
    let libraries = extension.libraries().into_iter().map(|library| library.path);
    let built = libraries.map(|path| Entry { name: format!("{PLACE}/{path}"), source: addon.join(path) });
    entries.extend(built.filter(|entry| entry.source.is_file()));
    Ok(entries)
}

/// Tells whether a file belongs to the addon. Hidden files but `.gdignore` do not, nor do imports, which the
/// editor makes again. The `.uid` files do: without them each project would make up ids of its own, and show
/// new files to its version control.
fn belongs(name: &str) -> bool {
    name == ".gdignore" || !name.starts_with('.') && !name.ends_with(".import")
}

/// Returns the scripts without the file that holds their id.
fn without_id(entries: &[Entry]) -> impl Iterator<Item = &Entry> {
    let has_id = |entry: &&Entry| entries.iter().any(|other| other.name == format!("{}.uid", entry.name));
    entries.iter().filter(|entry| entry.name.ends_with(".gd")).filter(move |entry| !has_id(entry))
}

/// Returns everything that stands against a release, a line each.
fn findings(workspace: &Workspace, extension: &Extension, entries: &[Entry]) -> Result<Vec<String>> {
    // The library's manifest names the engine version that it is built for.
    let manifest = fs::read_to_string(workspace.root().join("rust/godot/Cargo.toml"))?;
    let mut findings =
        extension.findings(&workspace.addon(), &workspace.root().join("rust/godot/doc"), &manifest)?;
    for required in REQUIRED {
        if !entries.iter().any(|entry| entry.name == format!("{PLACE}/{required}")) {
            findings.push(format!("{PLACE}/{required} is missing"));
        }
    }
    if let Some(plugin) = entries.iter().find(|entry| entry.name == format!("{PLACE}/plugin.cfg")) {
        let text = fs::read_to_string(&plugin.source)?;
        let script = text.lines().find_map(|line| line.strip_prefix("script=")).unwrap_or_default();
        let name = format!("{PLACE}/{}", script.trim_matches('"'));
        if !entries.iter().any(|entry| entry.name == name) {
            findings.push(format!("plugin.cfg names {name}, which is not there"));
        }
    }
    for Entry { name, source } in entries.iter().filter(|entry| entry.name.contains("/bin/")) {
        let found = privacy::finding(workspace, source)?;
        findings.extend(found.map(|text| format!("{name} tells where it was built: {text}")));
    }
    findings.extend(without_id(entries).map(|entry| format!("{} has no .uid beside it", entry.name)));
    if !notices::run(workspace)? {
        findings.push(format!("{PLACE}/{} is out of date", notices::FILE));
    }
    Ok(findings)
}

/// Finds libraries that need a newer glibc than a release may. A library built on this very machine may need
/// one.
fn floor_findings(entries: &[Entry]) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for Entry { name, source } in entries.iter().filter(|entry| entry.name.contains("/bin/")) {
        let needed = cross::needed_glibc(&fs::read(source)?).filter(|needed| *needed > cross::FLOOR);
        findings.extend(
            needed.map(|needed| format!("{name} needs glibc {needed}, the floor is {}", cross::FLOOR)),
        );
    }
    Ok(findings)
}

/// Returns the libraries of a release that are not in `bin`.
fn missing(workspace: &Workspace, extension: &Extension) -> Vec<String> {
    let released = extension.libraries().into_iter().filter(extension::Library::is_released);
    let paths = released.map(|library| library.path);
    paths.filter(|path| !workspace.addon().join(path).is_file()).collect()
}

/// Checks that a release is tagged with its version and has its part of the changelog.
fn tag_findings(workspace: &Workspace, tag: &str) -> Result<Vec<String>> {
    let version = version();
    let changelog = fs::read_to_string(workspace.root().join("CHANGELOG.md"))?;
    let mut findings = Vec::new();
    if tag != format!("v{version}") {
        findings.push(format!("the tag is {tag}, the version {version}"));
    }
    if !has_dated_part(&changelog, version) {
        findings.push(format!("CHANGELOG.md has no part `## {version} (DATE)`"));
    }
    Ok(findings)
}

/// Tells whether a changelog has a part of the version with a date: one that says "unreleased" will not do.
fn has_dated_part(changelog: &str, version: &str) -> bool {
    changelog.lines().any(|line| line.starts_with(&format!("## {version} (20")))
}

/// Returns the version of this very program, which is that of the workspace.
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Entry, belongs, has_dated_part, without_id};

    #[test]
    fn what_editors_leave_behind_is_left_out() {
        assert!(
            belongs("plugin.gd") && belongs("LICENSE") && belongs(".gdignore") && belongs("plugin.gd.uid")
        );
        assert!(!belongs("variant_job.svg.import") && !belongs(".gitkeep"));
    }

    #[test]
    fn a_release_wants_a_date_in_the_changelog() {
        assert!(has_dated_part("# Changelog\n\n## 0.1.0 (2026-12-01)\n", "0.1.0"));
        assert!(
            !has_dated_part("## 0.1.0 (unreleased)\n", "0.1.0")
                && !has_dated_part("## 0.1.0 (2026-12-01)\n", "0.2.0")
        );
    }

    #[test]
    fn a_script_without_its_id_is_found() {
        let entry = |name: &str| Entry { name: name.to_owned(), source: PathBuf::new() };
        let entries = ["a.gd", "a.gd.uid", "b.gd", "c.cs"].map(entry);
        assert_eq!(without_id(&entries).map(|entry| entry.name.as_str()).collect::<Vec<_>>(), ["b.gd"]);
    }
}
