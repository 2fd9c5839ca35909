//! Checks the manifests: which crate depends on which, that only the binding depends on Godot, and that each crate takes the
//! workspace's lints.

use super::{File, Finding};

/// The crates by their folders, each with those of our crates that it may depend on, without `variant-`. A new crate is entered
/// here first.
const CRATES: [(&str, &str); 15] = [
    ("rust/bench", "core serde"),
    // Its tests alone take serde: what it writes in Rust is compiled there.
    ("rust/cli", "core objects pack protocol save schema serde text"),
    ("rust/core", ""),
    ("rust/fuzz", "testkit"),
    ("rust/godot", "core objects pack protocol save schema text"),
    ("rust/objects", "core objects schema serde"),
    ("rust/pack", "core schema"),
    ("rust/protocol", "core pack schema serde"),
    ("rust/save", "core"),
    ("rust/schema", "core"),
    ("rust/serde", "core schema serde"),
    ("rust/testkit", "core objects pack protocol save schema serde text"),
    ("rust/text", "core"),
    ("rust/xtask", ""),
    ("tests", "core objects pack protocol save schema serde testkit text"),
];

/// The only crate that knows the engine.
const BINDING: &str = "rust/godot";

pub(super) fn check(file: &File) -> Vec<Finding> {
    let Some(folder) = file.path.strip_suffix("/Cargo.toml") else { return Vec::new() };
    let Some((_, allowed)) = CRATES.iter().find(|(name, _)| *name == folder) else {
        return vec![
            file.finding(0, "this crate has no place in the table of layers (rust/xtask/src/tidy/layers.rs)"),
        ];
    };
    let mut findings = Vec::new();
    for (line, dependency) in dependencies(&file.text) {
        let ours = dependency.strip_prefix("variant-");
        let ours =
            ours.or_else(|| Some(dependency).filter(|name| name.starts_with("xtask") || *name == "gdvar"));
        if ours.is_some_and(|name| !allowed.split(' ').any(|one| one == name)) {
            findings.push(file.finding(line, format!("{folder} may not depend on {dependency}")));
        }
        if (dependency == "godot" || dependency.starts_with("godot-")) && folder != BINDING {
            findings.push(file.finding(line, format!("only {BINDING} may depend on {dependency}")));
        }
    }
    // Crates that are built only when asked for are workspaces of their own.
    let is_member = file.text.contains("[package]") && !file.text.contains("[workspace]");
    if is_member && !file.text.contains("[lints]\nworkspace = true") {
        findings.push(file.finding(0, "does not take the workspace's lints"));
    }
    findings
}

/// Returns the names in every `[...dependencies]` table, `[dependencies.name]` included, with their lines.
fn dependencies(manifest: &str) -> Vec<(usize, &str)> {
    let mut names = Vec::new();
    let mut inside = false;
    for (at, line) in manifest.lines().enumerate() {
        let line = line.trim();
        if let Some(table) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            inside = table.ends_with("dependencies");
            names.extend(table.split_once("dependencies.").map(|(_, name)| (at + 1, name)));
        } else if inside && !line.is_empty() && !line.starts_with('#') {
            names.push((at + 1, line.split(['=', '.', ' ']).next().unwrap_or_default()));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_depend_leftwards_and_take_the_lints() {
        let lints = "[package]\nname = \"x\"\n[lints]\nworkspace = true\n";
        let on = |name: &str| format!("{lints}\n[dependencies]\n{name}.workspace = true\n");
        for (folder, text, count) in [
            ("rust/godot", on("variant-core"), 0),
            ("rust/core", on("variant-testkit"), 1),
            ("rust/core", on("approx"), 0),
            ("rust/testkit", on("godot"), 1),
            ("rust/core", "[dev-dependencies.variant-stream]\npath = \"../godot\"".to_owned(), 1),
            ("rust/unheard_of", lints.to_owned(), 1),
            ("rust/core", lints.to_owned(), 0),
            ("rust/core", "[package]\nname = \"x\"\n".to_owned(), 1),
            ("rust/core", "[package]\nname = \"x\"\n\n[workspace]\n".to_owned(), 0),
        ] {
            let file = File::sample(&format!("{folder}/Cargo.toml"), &text);
            assert_eq!(check(&file).len(), count, "{folder}: {text}");
        }
    }
}
