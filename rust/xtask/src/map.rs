//! Writes docs/MAP.md, the list of all source files with their first sentences, for `cargo xtask map`.
//!
//! `cargo xtask tidy` compares that page with the files.

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::tidy::{self, File};
use crate::workspace::Workspace;

/// The path of the page, relative to the root.
pub(crate) const PAGE: &str = "docs/MAP.md";

const HEAD: &str = "\
# Map of the sources

Every source file with the sentence that it opens with. `cargo xtask map` writes this page and `cargo xtask tidy`
compares it with the files, so change the first line of a file and not this page. How the parts work together is
told in [ARCHITECTURE.md](../ARCHITECTURE.md).
";

/// The width at which lines are wrapped, as everywhere in the repository.
const WIDTH: usize = 110;

pub(crate) fn run(workspace: &Workspace) -> Result<ExitCode> {
    let page = workspace.root().join(PAGE);
    fs::write(&page, text(&tidy::files(workspace)?))
        .with_context(|| format!("cannot write {}", page.display()))?;
    println!("{}", page.display());
    Ok(ExitCode::SUCCESS)
}

/// Returns the page for these files, which are sorted by path.
pub(crate) fn text(files: &[File]) -> String {
    let mut sources: Vec<(&str, &File)> =
        files.iter().filter(|file| is_source(file)).map(|file| (folder(&file.path), file)).collect();
    // The files of a folder come before those of the folders in it.
    sources.sort_by_key(|(folder, file)| {
        (*folder, file.path[folder.len()..].matches('/').count() > 1, &file.path)
    });
    let mut page = HEAD.to_owned();
    let mut last = "";
    for (folder, file) in sources {
        if folder != last {
            page.push_str(&format!("\n## `{folder}`\n\n"));
            last = folder;
        }
        let name = &file.path[folder.len() + 1..];
        page.push_str(&wrapped(&format!("- `{name}`: {}", first_sentence(&file.text))));
    }
    page
}

fn is_source(file: &File) -> bool {
    file.path.ends_with(".rs") || file.path.ends_with(".gd")
}

/// Returns the heading of a file: its crate's `src`, `tests` or the like, or the folder of a part in
/// GDScript.
fn folder(path: &str) -> &str {
    let levels = match path.split('/').next() {
        Some("rust" | "addons") => 3,
        Some("example_game") => 1,
        _ => 2,
    };
    let ends = path.match_indices('/').map(|(at, _)| at);
    let end = ends.take(levels).last().unwrap_or(0);
    &path[..end]
}

/// Returns the first sentence of a file's comment, up to its full stop or to the first empty line of the
/// comment.
fn first_sentence(source: &str) -> String {
    let comment =
        source.lines().map(str::trim).skip_while(|line| !line.starts_with("//!") && !line.starts_with('#'));
    let lines = comment
        .take_while(|line| line.starts_with("//!") || line.starts_with('#'))
        .map(|line| line.trim_start_matches(['/', '!', '#']).trim())
        .take_while(|line| !line.is_empty());
    let words = lines.collect::<Vec<_>>().join(" ");
    let end = words.find(". ").map_or(words.len(), |at| at + 1);
    words[..end].to_owned()
}

/// Wraps one list item.
fn wrapped(item: &str) -> String {
    let mut lines = String::new();
    let mut width = 0;
    for word in item.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            lines.push_str("\n  ");
            width = 2;
        } else if width > 0 {
            lines.push(' ');
            width += 1;
        }
        lines.push_str(word);
        width += length;
    }
    lines.push('\n');
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_is_shown() {
        let rust = "//! Reads one value. It knows\n//! nothing else.\n//!\n//! More.\nuse x;";
        assert_eq!(first_sentence(rust), "Reads one value.");
        assert_eq!(
            first_sentence("@tool\nextends Node\n## Shows `a.b` and\n## more\n\n## b"),
            "Shows `a.b` and more"
        );
    }

    #[test]
    fn files_stand_under_their_part() {
        assert_eq!(folder("rust/core/src/walk/mod.rs"), "rust/core/src");
        assert_eq!(folder("addons/variant_stream/ci/part.gd"), "addons/variant_stream/ci");
        assert_eq!(folder("addons/variant_stream/plugin.gd"), "addons/variant_stream");
        assert_eq!(folder("godot_project/tests/enet/server.gd"), "godot_project/tests");
        assert_eq!(folder("example_game/main.gd"), "example_game");
    }

    #[test]
    fn every_source_is_listed_once() {
        let files = [
            File::sample("rust/a/src/b/c.rs", "//! Third."),
            File::sample("rust/a/src/b.rs", "//! First."),
            File::sample("rust/a/src/d.rs", "//! Second."),
            File::sample("rust/a/README.md", "# no source"),
        ];
        let page = text(&files);
        let list = page.split("## `rust/a/src`\n\n").nth(1).unwrap();
        assert_eq!(list, "- `b.rs`: First.\n- `d.rs`: Second.\n- `b/c.rs`: Third.\n");
    }

    #[test]
    fn long_items_are_wrapped() {
        let item = wrapped(&format!("- {}", "word ".repeat(40).trim()));
        assert!(item.lines().count() > 1 && item.lines().all(|line| line.len() <= WIDTH));
        assert!(item.lines().skip(1).all(|line| line.starts_with("  w")));
    }
}
