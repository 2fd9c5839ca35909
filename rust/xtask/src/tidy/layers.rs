//! Checks which crate depends on which, and that only the binding names Godot. It reads manifests and
//! imports.

use super::unsafety::has_word;
use super::{File, Finding, code};

/// The crates by their folders, each with those of our crates that it may depend on. A new crate is entered
/// here first.
const CRATES: [(&str, &[&str]); 16] = [
    ("rust/bench", &["variant-core", "variant-serde"]),
    (
        "rust/cli",
        &[
            "variant-core",
            "variant-objects",
            "variant-pack",
            "variant-protocol",
            "variant-save",
            "variant-schema",
            "variant-text",
        ],
    ),
    ("rust/core", &[]),
    ("rust/fuzz", &["variant-testkit"]),
    (
        "rust/godot",
        &[
            "variant-core",
            "variant-objects",
            "variant-pack",
            "variant-protocol",
            "variant-save",
            "variant-schema",
            "variant-text",
        ],
    ),
    ("rust/objects", &["variant-core", "variant-schema"]),
    ("rust/pack", &["variant-core", "variant-schema"]),
    ("rust/protocol", &["variant-core", "variant-pack", "variant-schema"]),
    ("rust/save", &["variant-core"]),
    ("rust/schema", &["variant-core"]),
    ("rust/serde", &["variant-core", "variant-schema", "variant-serde"]),
    (
        "rust/testkit",
        &[
            "variant-core",
            "variant-objects",
            "variant-pack",
            "variant-protocol",
            "variant-save",
            "variant-schema",
            "variant-serde",
            "variant-text",
        ],
    ),
    ("rust/text", &["variant-core"]),
    ("rust/xtask", &["xtask-engine"]),
    ("rust/xtask-engine", &[]),
    (
        "tests",
        &[
            "variant-core",
            "variant-objects",
            "variant-pack",
            "variant-schema",
            "variant-serde",
            "variant-testkit",
            "variant-text",
        ],
    ),
];

/// The only crate that knows the engine.
const BINDING: &str = "rust/godot";

pub(super) fn check(file: &File) -> Vec<Finding> {
    if file.name() == "Cargo.toml" && file.path != "Cargo.toml" {
        check_manifest(file)
    } else if file.path.ends_with(".rs") && !file.path.starts_with(&format!("{BINDING}/")) {
        check_imports(file)
    } else {
        Vec::new()
    }
}

fn check_manifest(file: &File) -> Vec<Finding> {
    let folder = file.path.trim_end_matches("/Cargo.toml");
    let Some((_, allowed)) = CRATES.iter().find(|(name, _)| *name == folder) else {
        return vec![
            file.finding(0, "this crate has no place in the table of layers (rust/xtask/src/tidy/layers.rs)"),
        ];
    };
    let mut findings = Vec::new();
    for (line, dependency) in dependencies(&file.text) {
        let is_ours =
            dependency.starts_with("variant-") || dependency.starts_with("xtask") || dependency == "gdvar";
        if is_ours && !allowed.contains(&dependency) {
            findings.push(file.finding(line, format!("{folder} may not depend on {dependency}")));
        }
        if (dependency == "godot" || dependency.starts_with("godot-")) && folder != BINDING {
            findings.push(file.finding(line, format!("only {BINDING} may depend on {dependency}")));
        }
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
            if let Some((_, name)) = table.split_once("dependencies.") {
                names.push((at + 1, name));
            }
        } else if inside && !line.starts_with('#') {
            let name = line.split(['=', '.', ' ']).next().unwrap_or_default();
            if !name.is_empty() {
                names.push((at + 1, name));
            }
        }
    }
    names
}

fn check_imports(file: &File) -> Vec<Finding> {
    let code = code::only(&file.text);
    let names_godot = |line: &str| {
        let path_start = line
            .match_indices("godot::")
            .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':'));
        path_start
            || (line.trim_start().starts_with("use ")
                && has_word(line, "godot")
                && line.contains("use godot"))
    };
    let lines = code.lines().enumerate().filter(|(_, line)| names_godot(line));
    lines.map(|(at, _)| file.finding(at + 1, format!("only {BINDING} may name the engine's crate"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> usize {
        check(&File::sample(path, text)).len()
    }

    #[test]
    fn crates_depend_leftwards() {
        let on = |name: &str| format!("[package]\nname = \"x\"\n\n[dependencies]\n{name}.workspace = true\n");
        assert_eq!(findings("rust/godot/Cargo.toml", &on("variant-core")), 0);
        assert_eq!(findings("rust/core/Cargo.toml", &on("variant-testkit")), 1);
        assert_eq!(findings("rust/core/Cargo.toml", &on("approx")), 0);
        assert_eq!(findings("rust/testkit/Cargo.toml", &on("godot")), 1);
        assert_eq!(
            findings("rust/core/Cargo.toml", "[dev-dependencies.variant-stream]\npath = \"../godot\""),
            1
        );
        assert_eq!(findings("rust/unheard_of/Cargo.toml", "[package]"), 1);
    }

    #[test]
    fn only_the_binding_names_godot() {
        assert_eq!(findings("rust/core/src/lib.rs", "use godot::prelude::*;"), 1);
        assert_eq!(findings("rust/core/src/lib.rs", "fn f(v: &godot::builtin::Variant) {}"), 1);
        assert_eq!(
            findings(
                "rust/core/src/lib.rs",
                "// like godot::builtin\nmod godot_like {}\nuse crate::not_godot::x;"
            ),
            0
        );
        assert_eq!(findings("rust/godot/src/lib.rs", "use godot::prelude::*;"), 0);
    }
}
