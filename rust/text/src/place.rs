//! Writes a path that has to fit on a line, among many lines. Beyond a length it is cut in the middle, so
//! that a deep value costs no more text than the root. Errors have the path as `variant_core` writes it.

use std::fmt::{self, Display, Write};

use variant_core::{Path, Step};

/// The characters of a whole path: on a line for people, and in an answer for scripts.
const SHOWN_CHARS: usize = 80;
const TOLD_CHARS: usize = 256;

/// Prints a path in at most `most` characters. If it is cut, steps at the beginning and at the end are shown,
/// and between them how many are left out.
#[derive(Clone, Copy, Debug)]
pub struct ShownPath<'p> {
    path: &'p Path,
    most: usize,
}

impl<'p> ShownPath<'p> {
    /// Prints at most 80 characters, for people.
    #[must_use]
    pub const fn shown(path: &'p Path) -> ShownPath<'p> {
        ShownPath { path, most: SHOWN_CHARS }
    }

    /// Prints at most 256 characters, for scripts: few paths are as long, and no line of an answer becomes
    /// long by one.
    #[must_use]
    pub const fn told(path: &'p Path) -> ShownPath<'p> {
        ShownPath { path, most: TOLD_CHARS }
    }
}

impl Display for ShownPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ShownPath { path, most } = *self;
        let steps = &path.0;
        if steps.is_empty() {
            return path.fmt(f);
        }
        let (count, texts) = fitting(steps.iter().enumerate(), most);
        if count == steps.len() {
            return texts.iter().try_for_each(|step| f.write_str(step));
        }
        let (for_head, for_tail) = (most * 24 / 80, most * 38 / 80);
        let (head_count, head) = fitting(steps.iter().enumerate(), for_head);
        let rest = steps.iter().enumerate().skip(head_count);
        let (mut tail_count, mut tail) = fitting(rest.rev(), for_tail);
        if let (0, Some(last)) = (tail_count, steps.last()) {
            let cut: String = shown(steps.len() - 1, last).chars().take(for_tail - 3).collect();
            (tail_count, tail) = (1, vec![cut + "..."]);
        }
        head.iter().try_for_each(|step| f.write_str(step))?;
        match steps.len() - head_count - tail_count {
            0 => Ok(()),
            hidden => write!(f, "...({hidden} more)..."),
        }?;
        tail.iter().rev().try_for_each(|step| f.write_str(step))
    }
}

/// Returns the texts of as many steps as there is room for; it reads no more steps.
fn fitting<'s>(steps: impl Iterator<Item = (usize, &'s Step)>, room: usize) -> (usize, Vec<String>) {
    let mut left = room;
    let mut texts = Vec::new();
    for (at, step) in steps {
        let text = shown(at, step);
        let Some(rest) = left.checked_sub(text.chars().count()) else { break };
        left = rest;
        texts.push(text);
    }
    (texts.len(), texts)
}

fn shown(at: usize, step: &Step) -> String {
    let mut text = String::new();
    let alone = Path(vec![step.clone()]);
    // A String takes everything.
    let _ = write!(text, "{alone}");
    if at > 0 && !text.starts_with('[') {
        text.insert(0, '.');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(steps: &[Step]) -> String {
        let path = Path(steps.to_vec());
        let told = ShownPath::told(&path).to_string();
        assert!(told.chars().count() <= TOLD_CHARS, "{told}");
        let text = ShownPath::shown(&path).to_string();
        assert!(text.chars().count() <= SHOWN_CHARS, "{text}");
        text
    }

    fn key(text: &str) -> Step {
        Step::Key(text.to_owned())
    }

    #[test]
    fn what_fits_is_the_path_itself() {
        for steps in [vec![], vec![key("a"), Step::Index(3), key("b c"), key("d")], vec![Step::KeyOf(7); 11]]
        {
            assert_eq!(place(&steps), Path(steps).to_string());
        }
        let just = [key(&"k".repeat(64)), Step::Index(12_345_678_901_234)];
        assert_eq!(place(&just), Path(just.to_vec()).to_string());
    }

    #[test]
    fn what_does_not_is_cut_in_the_middle() {
        let deep: Vec<Step> = (0..1024).map(|_| key("name")).collect();
        assert_eq!(
            place(&deep),
            "name.name.name.name.name...(1012 more)....name.name.name.name.name.name.name"
        );
        let long = [vec![key(&"k".repeat(64)); 62], vec![Step::Index(59_999)]].concat();
        assert_eq!(place(&long), "...(62 more)...[59999]");
        let cut = place(&[Step::Index(1), key(&"\u{1}".repeat(64))]);
        assert_eq!(cut, "[1][\"\\u0001\\u0001\\u0001\\u0001\\u0001\\u0...");
        assert_eq!(
            place(&[Step::Index(u64::MAX), Step::Index(u64::MAX), key(&"k".repeat(64))]).len(),
            22 + 14 + 38
        );
    }
}
