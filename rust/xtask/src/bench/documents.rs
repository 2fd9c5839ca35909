//! Puts results into docs/PERFORMANCE.md and docs/pictures, for `BLESS=1 cargo xtask bench`: those of a whole run,
//! or of one without single tricks. It measures nothing.

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
    put(workspace, ROWS, &fs::read_to_string(report(workspace, "release", "md"))?)
}

/// Puts the table of what single tricks buy into the page.
pub(super) fn update_tricks(workspace: &Workspace, table: &str) -> Result<()> {
    put(workspace, TRICKS, table)
}

fn put(workspace: &Workspace, marks: Marks, table: &str) -> Result<()> {
    let path = workspace.root().join("docs/PERFORMANCE.md");
    let document = fs::read_to_string(&path)?;
    let whole = between(&document, marks, table).context("docs/PERFORMANCE.md has no place for the table")?;
    fs::write(&path, whole)?;
    println!("written into docs/PERFORMANCE.md");
    Ok(())
}

/// Returns the document with `table` between the two lines.
fn between(document: &str, (begin, end): Marks, table: &str) -> Option<String> {
    let (before, rest) = document.split_once(begin)?;
    let (_, after) = rest.split_once(end)?;
    Some(format!("{before}{begin}\n{}\n\n{end}{after}", table.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_is_replaced() {
        for (begin, end) in [ROWS, TRICKS] {
            let document = format!("a\n{begin}\nold\n{end}b\n");
            let whole = format!("a\n{begin}\nnew\n\n{end}b\n");
            assert_eq!(between(&document, (begin, end), "new\n"), Some(whole));
            assert_eq!(between("a\n", (begin, end), "new"), None);
        }
    }

    #[test]
    fn the_page_has_a_place_for_both_tables() {
        let page = fs::read_to_string(Workspace::find().unwrap().root().join("docs/PERFORMANCE.md")).unwrap();
        assert!([ROWS, TRICKS].iter().all(|marks| between(&page, *marks, "").is_some()));
    }
}
