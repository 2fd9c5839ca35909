//! Refuses doc comments with a sentence that begins with "The same", "What" or another word without a
//! subject. Such a sentence needs its neighbour to be understood. Godot's `##` counts as a doc comment; `//`
//! and `#` do not.

use super::{File, Finding};

/// The words that no sentence begins with: they stand for a thing that the sentence does not name.
const REFUSED: [&str; 7] = ["The same", "What", "Who", "One", "Of", "So many", "As ["];

/// The folders and files whose comments were written before this rule and are not rewritten yet. A commit
/// that rewrites one of them takes it out; nothing is added.
const EXEMPT: [&str; 18] = [
    "addons/variant_stream/editor/document.gd",
    "addons/variant_stream/editor/live_list.gd",
    "addons/variant_stream/editor/pasted.gd",
    "rust/cli/",
    "rust/core/src/value/",
    "rust/core/src/walk/",
    "rust/godot/src/api/",
    "rust/godot/src/checked.rs",
    "rust/godot/src/checks.rs",
    "rust/godot/src/codec.rs",
    "rust/godot/src/decode.rs",
    "rust/godot/src/key_hashes.rs",
    "rust/godot/src/problem.rs",
    "rust/godot/src/raw/in_place/",
    "rust/godot/src/raw/layout/",
    "rust/godot/src/schema.rs",
    "rust/godot/src/stream/",
    "rust/schema/",
];

pub(super) fn check(file: &File) -> Vec<Finding> {
    let marks: &[&str] = match file.path.rsplit_once('.') {
        Some((_, "rs")) => &["///", "//!"],
        Some((_, "gd")) => &["##"],
        _ => return Vec::new(),
    };
    if EXEMPT.iter().any(|start| file.path.starts_with(start)) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    let mut begins = true;
    for (at, line) in file.text.lines().enumerate() {
        let Some(text) = marks.iter().find_map(|mark| line.trim_start().strip_prefix(mark)) else {
            begins = true;
            continue;
        };
        let text = text.trim();
        findings.extend(sentences(text, begins).filter_map(refused).map(|word| {
            file.finding(at + 1, format!("a sentence begins with \"{word}\": name its subject"))
        }));
        begins = text.is_empty() || text.starts_with(['#', '|']) || text.ends_with(['.', '?', '!', ':']);
    }
    findings
}

/// Returns the rest of the line from the start of each sentence, and from the line's own start if a sentence
/// `begins` there.
fn sentences(text: &str, begins: bool) -> impl Iterator<Item = &str> {
    let first = begins.then(|| text.trim_start_matches(['-', '*', ' ']));
    let later = [". ", "? ", "! "].into_iter().flat_map(|end| text.split(end).skip(1));
    first.into_iter().chain(later)
}

fn refused(sentence: &str) -> Option<&'static str> {
    REFUSED.into_iter().find(|word| {
        let rest = sentence.strip_prefix(word);
        rest.is_some_and(|rest| word.ends_with('[') || !rest.starts_with(|c: char| c.is_alphanumeric()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&File::sample(path, text)).iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn finds_each_word_at_the_start_of_a_sentence() {
        for word in REFUSED {
            assert_eq!(lines("a.rs", &format!("//! {word} `b`] of it.")), [1], "{word}");
            assert_eq!(lines("a.rs", &format!("    /// Reads a value. {word} `b`].")), [1], "{word}");
            assert_eq!(lines("a.gd", &format!("## Reads a value.\n## {word} `b`].")), [2], "{word}");
            assert_eq!(lines("a.gd", &format!("##\n## - {word} `b`].")), [2], "{word}");
        }
    }

    #[test]
    fn passes_over_other_words_and_other_places() {
        assert!(lines("a.rs", "/// Once, as [`b`] does.\n/// Whatever it is, Often or Whole.").is_empty());
        assert!(lines("a.rs", "/// Reads the value\n/// One by one.").is_empty(), "the sentence goes on");
        assert!(lines("a.rs", "// What a comment of the code says.").is_empty());
        assert!(lines("a.md", "## What it is").is_empty());
    }

    #[test]
    fn a_folder_that_is_not_rewritten_yet_is_exempt() {
        for start in EXEMPT {
            let path = if start.ends_with('/') { format!("{start}a.rs") } else { start.to_owned() };
            assert!(lines(&path, "//! What it is.\n## What it is.").is_empty(), "{path}");
        }
        assert_eq!(lines("rust/testkit/a.rs", "//! What it is."), [1]);
    }
}
