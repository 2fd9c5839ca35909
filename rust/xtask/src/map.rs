//! Prints all source files with their first sentences, for `cargo xtask map`.

use std::process::ExitCode;

use anyhow::{Result, ensure};

use crate::tidy;
use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace, folder: Option<&str>) -> Result<ExitCode> {
    let mut files = tidy::files(workspace)?;
    let wanted = folder.map_or(String::new(), |folder| format!("{}/", folder.trim_end_matches('/')));
    files.retain(|file| {
        file.path.starts_with(&wanted) && (file.path.ends_with(".rs") || file.path.ends_with(".gd"))
    });
    ensure!(!files.is_empty(), "no source file is in {wanted}");
    for file in files {
        println!("{}: {}", file.path, first_sentence(&file.text));
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the first sentence of a file's comment, up to its full stop or to the first empty line of the
/// comment.
fn first_sentence(source: &str) -> String {
    let is_comment = |line: &&str| line.starts_with("//!") || line.starts_with('#');
    let comment = source.lines().map(str::trim).skip_while(|line| !is_comment(line)).take_while(is_comment);
    let lines = comment.map(|line| line.trim_start_matches(['/', '!', '#']).trim());
    let words = lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    words.split_once(". ").map_or(words.clone(), |(first, _)| format!("{first}."))
}

#[cfg(test)]
mod tests {
    use super::first_sentence;

    #[test]
    fn the_first_sentence_is_shown() {
        let rust = "//! Reads one value. It knows\n//! nothing else.\n//!\n//! More.\nuse x;";
        assert_eq!(first_sentence(rust), "Reads one value.");
        let script = "@tool\nextends Node\n## Shows `a.b` and\n## more\n\n## b";
        assert_eq!(first_sentence(script), "Shows `a.b` and more");
    }
}
