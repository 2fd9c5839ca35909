//! Checks the length, the name and the first lines of each file and page, and that tests are named where they are built.

use super::{File, Finding};

/// The refused lengths of sources, where the aim is 300 lines, and of the pages of `docs` that are not made.
const MAX_LINES: usize = 500;
const MAX_PAGE: usize = 300;

/// The names that say nothing about the content.
const EMPTY_NAMES: [&str; 8] = ["util", "utils", "helper", "helpers", "manager", "common", "misc", "part2"];

pub(super) fn check(file: &File) -> Vec<Finding> {
    let is_rust = file.path.ends_with(".rs");
    let is_script = file.path.ends_with(".gd");
    let mut findings = Vec::new();
    let words = file.path.split(['/', '_', '-', '.']);
    if let Some(word) = words.into_iter().find(|word| EMPTY_NAMES.contains(word)) {
        findings.push(file.finding(0, format!("`{word}` is no name: say what is inside")));
    }
    let lines = file.text.lines().count();
    let is_page = matches!(file.path.rsplit_once('/'), Some(("docs", name)) if name.ends_with(".md"));
    let most = if is_page { MAX_PAGE } else { MAX_LINES };
    if (is_rust || is_script || is_page) && lines > most && !file.is_test() {
        findings.push(file.finding(0, format!("{lines} lines, at most {most}: split it by idea")));
    }
    if is_rust && !file.text.starts_with("//!") {
        findings.push(file.finding(1, "the first line says what the file is for: `//! ...`"));
    }
    if is_script && !opens_with_comment(&file.text) {
        findings.push(file.finding(1, "the file opens with what it is for: `## ...`"));
    }
    findings
}

/// Tells whether a script opens with a comment. Godot wants annotations and `extends` first; a class comment
/// follows them.
fn opens_with_comment(script: &str) -> bool {
    let before = ["@tool", "@icon", "@static_unload", "extends ", "class_name "];
    let mut lines = script.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .find(|line| !before.iter().any(|start| line.starts_with(start)))
        .is_some_and(|line| line.starts_with('#'))
}

/// Checks that every file of a crate's integration tests is part of its one program, `tests/all.rs`: a file that it does not name
/// is never compiled, and its tests never fail.
pub(super) fn check_joined(files: &[File]) -> Vec<Finding> {
    let roots = files.iter().filter_map(|file| Some((file, file.path.strip_suffix("all.rs")?)));
    let mut findings = Vec::new();
    for (root, folder) in roots.filter(|(_, folder)| folder.ends_with("tests/")) {
        for file in files {
            let Some(inside) = file.path.strip_prefix(folder) else { continue };
            let name = inside.strip_suffix("/mod.rs").or(inside.strip_suffix(".rs")).unwrap_or("/");
            let is_named = root.text.lines().any(|line| line == format!("mod {name};"));
            if name != "all" && !name.contains('/') && !is_named {
                findings
                    .push(file.finding(0, format!("{} has no `mod {name};`: no test of it runs", root.path)));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> usize {
        check(&File::sample(path, text)).len()
    }

    #[test]
    fn length_counts_outside_of_tests() {
        let long = format!("//! a\n{}", "\n".repeat(MAX_LINES));
        assert_eq!(findings("rust/core/src/walk.rs", &long), 1);
        assert_eq!(findings("rust/core/src/walk/tests.rs", &long), 0);
        assert_eq!(findings("tests/tests/golden.rs", &long), 0);
        assert_eq!(findings("rust/core/src/walk.rs", "//! a\n"), 0);
        assert_eq!(findings("docs/SAVES.md", &"\n".repeat(MAX_PAGE + 1)), 1);
        assert_eq!(findings("docs/SAVES.md", &"\n".repeat(MAX_PAGE)), 0);
        assert_eq!(findings("docs/dev/BENCH.md", &long), 0);
    }

    #[test]
    fn names_say_what_is_inside() {
        assert_eq!(findings("rust/core/src/string_utils.rs", "//! a"), 1);
        assert_eq!(findings("godot_project/tests/common/a.gd", "## a"), 1);
        assert_eq!(findings("rust/core/src/utility_pole.rs", "//! a"), 0);
    }

    #[test]
    fn files_open_with_their_purpose() {
        assert_eq!(findings("rust/core/src/a.rs", "use x;\n//! late"), 1);
        assert_eq!(findings("addons/a.gd", "@tool\nextends Node\n## What it is.\nvar a"), 0);
        assert_eq!(findings("addons/a.gd", "# What it is.\nextends Node"), 0);
        assert_eq!(findings("addons/a.gd", "extends Node\nvar a"), 1);
        assert_eq!(findings("addons/a.gd", ""), 1);
    }

    #[test]
    fn a_file_that_is_not_named_is_found() {
        let files = |root: &str| {
            let others = [
                "a/tests/one.rs",
                "a/tests/two/mod.rs",
                "a/tests/two/part.rs",
                "a/tests/x.json",
                "b/tests/c.rs",
            ];
            let mut files: Vec<File> = others.map(|path| File::sample(path, "")).into();
            files.push(File::sample("a/tests/all.rs", root));
            check_joined(&files).len()
        };
        assert_eq!(files("mod one;\nmod two;\n"), 0);
        assert_eq!(files("mod one;\n// mod two;\n"), 1);
        assert_eq!(files(""), 2);
    }
}
