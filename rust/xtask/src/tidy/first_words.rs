//! Refuses doc comments with a sentence that begins with "The same", "What" or another word without a
//! subject. Such a sentence needs its neighbour to be understood. Godot's `##` counts as a doc comment; `//`
//! and `#` do not.

use super::{File, Finding};

/// The words that no sentence begins with: they stand for a thing that the sentence does not name.
const REFUSED: [&str; 7] = ["The same", "What", "Who", "One", "Of", "So many", "As ["];

pub(super) fn check(file: &File) -> Vec<Finding> {
    let marks: &[&str] = match file.path.rsplit_once('.') {
        Some((_, "rs")) => &["///", "//!"],
        Some((_, "gd")) => &["##"],
        _ => return Vec::new(),
    };
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
}
