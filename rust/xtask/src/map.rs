//! Prints all source files with their first sentences, for `cargo xtask map`.

use std::process::ExitCode;

use anyhow::{Result, ensure};

use crate::tidy::{self, File};
use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace, folder: Option<&str>) -> Result<ExitCode> {
    let mut files = tidy::files(workspace)?;
    if let Some(wanted) = folder {
        let wanted = format!("{}/", wanted.trim_end_matches('/'));
        files.retain(|file| file.path.starts_with(&wanted));
        ensure!(files.iter().any(is_source), "no source file is in {wanted}");
    }
    print!("{}", text(&files));
    Ok(ExitCode::SUCCESS)
}

/// Returns the list of these files, which are sorted by path.
fn text(files: &[File]) -> String {
    let mut sources: Vec<(&str, &File)> =
        files.iter().filter(|file| is_source(file)).map(|file| (folder(&file.path), file)).collect();
    // The files of a folder come before those of the folders in it.
    sources.sort_by_key(|(folder, file)| {
        (*folder, file.path[folder.len()..].matches('/').count() > 1, &file.path)
    });
    let mut page = String::new();
    let mut last = "";
    for (folder, file) in sources {
        if folder != last {
            let gap = if page.is_empty() { "" } else { "\n" };
            page.push_str(&format!("{gap}{folder}\n"));
            last = folder;
        }
        let name = &file.path[folder.len() + 1..];
        page.push_str(&format!("    {name}: {}\n", first_sentence(&file.text)));
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
        assert_eq!(page, "rust/a/src\n    b.rs: First.\n    d.rs: Second.\n    b/c.rs: Third.\n");
    }
}
