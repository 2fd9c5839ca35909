//! Checks that docs/MAP.md lists every source file with its first sentence. `cargo xtask map` writes that
//! page.

use super::{File, Finding};
use crate::map;

pub(super) fn check(files: &[File]) -> Option<Finding> {
    let page = files.iter().find(|file| file.path == map::PAGE)?;
    let made = map::text(files);
    let mut lines = page.text.lines().zip(made.lines());
    let line = lines.position(|(is, should)| is != should);
    (page.text != made).then(|| {
        let line = line.unwrap_or_else(|| page.text.lines().count().min(made.lines().count()));
        page.finding(line + 1, "this is not what the files say: run `cargo xtask map`")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_is_behind_is_found() {
        let source = File::sample("rust/a/src/b.rs", "//! Reads.");
        let page = |text: &str| File::sample(map::PAGE, text);
        let good = map::text(std::slice::from_ref(&source));
        assert!(check(&[page(&good), File::sample(&source.path, &source.text)]).is_none());
        let found = check(&[page(&good), File::sample("rust/a/src/b.rs", "//! Writes.")]).unwrap();
        assert!(good.lines().nth(found.line - 1).unwrap().contains("Reads."), "{found}");
        let shorter = good.trim_end_matches('\n').rsplit_once('\n').unwrap().0;
        assert!(check(&[page(shorter), source]).is_some());
    }
}
