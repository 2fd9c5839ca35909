//! Puts results into docs/dev/BENCH.md and docs/pictures, for `BLESS=1 cargo xtask bench`: those of a whole run,
//! or of one without single tricks; and into docs/PERFORMANCE.md the rows that it has. It measures nothing.

use std::fs;

use anyhow::{Context, Result};

use super::report;
use crate::workspace::Workspace;

/// The lines before and after a table.
type Marks = (&'static str, &'static str);
const ROWS: Marks = ("<!-- cargo xtask bench: begin -->\n", "<!-- cargo xtask bench: end -->\n");
const TRICKS: Marks = ("<!-- bench without tricks: begin -->\n", "<!-- bench without tricks: end -->\n");

pub(super) fn update(workspace: &Workspace) -> Result<()> {
    let pictures = workspace.root().join("docs/pictures");
    fs::create_dir_all(&pictures)?;
    fs::copy(report(workspace, "release", "svg"), pictures.join("speed.svg"))?;
    fs::copy(report(workspace, "release-scaling", "svg"), pictures.join("scaling.svg"))?;
    let table = fs::read_to_string(report(workspace, "release", "md"))?;
    put(workspace, "docs/dev/BENCH.md", ROWS, |_| table.clone())?;
    put(workspace, "docs/PERFORMANCE.md", ROWS, |old| chosen(old, &table))
}

/// Puts the table of what single tricks buy into the page.
pub(super) fn update_tricks(workspace: &Workspace, table: &str) -> Result<()> {
    put(workspace, "docs/dev/BENCH.md", TRICKS, |_| table.to_owned())
}

fn put(workspace: &Workspace, page: &str, marks: Marks, table: impl Fn(&str) -> String) -> Result<()> {
    let path = workspace.root().join(page);
    let document = fs::read_to_string(&path)?;
    let whole =
        between(&document, marks, table).with_context(|| format!("{page} has no place for the table"))?;
    fs::write(&path, whole)?;
    println!("written into {page}");
    Ok(())
}

/// Returns the document with another table between the two lines.
fn between(document: &str, (begin, end): Marks, table: impl Fn(&str) -> String) -> Option<String> {
    let (before, rest) = document.split_once(begin)?;
    let (old, after) = rest.split_once(end)?;
    Some(format!("{before}{begin}\n{}\n\n{end}{after}", table(old).trim()))
}

/// Returns the first table of `new` with the rows alone that `old` has, by workload and direction.
fn chosen(old: &str, new: &str) -> String {
    let name = |line: &str| {
        let mut cells = line.split('|').map(str::trim);
        Some((cells.nth(1)?.to_owned(), cells.nth(1)?.to_owned()))
    };
    let kept: Vec<_> = old.lines().filter_map(name).collect();
    let rows = new.trim().lines().take_while(|line| line.starts_with('|'));
    rows.filter(|line| name(line).is_some_and(|name| kept.contains(&name)))
        .map(|line| format!("{line}\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_is_replaced() {
        for (begin, end) in [ROWS, TRICKS] {
            let document = format!("a\n{begin}\nold\n{end}b\n");
            let whole = format!("a\n{begin}\nnew\n\n{end}b\n");
            let table = |old: &str| old.replace("old", "new");
            assert_eq!(between(&document, (begin, end), table), Some(whole));
            assert_eq!(between("a\n", (begin, end), table), None);
        }
    }

    #[test]
    fn a_page_keeps_the_rows_that_it_has() {
        let old = "| Workload | bytes | | ratio |\n|---|--:|---|--:|\n| b | 1 | decode | 7.00 |\n";
        let new = "| Workload | bytes | | ratio |\n|---|--:|---|--:|\n| a | 1 | decode | 2.00 |\n| b | 1 | encode | 2.00 |\n\
                   | b | 1 | decode | 3.00 |\n\n| b | | decode | 4.00 |\n";
        assert_eq!(chosen(old, new), old.replace("7.00", "3.00"));
    }

    #[test]
    fn the_pages_have_places_for_the_tables() {
        for (page, marks) in [("PERFORMANCE.md", ROWS), ("dev/BENCH.md", ROWS), ("dev/BENCH.md", TRICKS)] {
            let page = fs::read_to_string(Workspace::find().unwrap().root().join("docs").join(page)).unwrap();
            assert!(between(&page, marks, |old| old.to_owned()).is_some());
        }
        let page = fs::read_to_string(Workspace::find().unwrap().root().join("docs/PERFORMANCE.md")).unwrap();
        assert_eq!(page.matches("\n| ").count(), 1 + 30 + 4, "the head, 30 rows, and the modes of trust");
    }
}
