//! Puts the results of a whole run into docs/PERFORMANCE.md and docs/pictures, for `BLESS=1 cargo xtask
//! bench`. It measures nothing.

use std::fs;

use anyhow::{Context, Result};

use super::report;
use crate::workspace::Workspace;

/// The line before the table; [`END`] is the line after it.
const BEGIN: &str = "<!-- cargo xtask bench: begin -->\n";
const END: &str = "<!-- cargo xtask bench: end -->\n";

pub(super) fn update(workspace: &Workspace) -> Result<()> {
    let pictures = workspace.root().join("docs/pictures");
    fs::create_dir_all(&pictures)?;
    fs::copy(report(workspace, "release", "svg"), pictures.join("speed.svg"))?;
    fs::copy(report(workspace, "release-scaling", "svg"), pictures.join("scaling.svg"))?;
    let path = workspace.root().join("docs/PERFORMANCE.md");
    let document = fs::read_to_string(&path)?;
    let table = fs::read_to_string(report(workspace, "release", "md"))?;
    let whole = between(&document, &table).context("docs/PERFORMANCE.md has no place for the table")?;
    fs::write(&path, whole)?;
    println!("written into docs/PERFORMANCE.md and docs/pictures");
    Ok(())
}

/// Returns the document with `table` between the two lines.
fn between(document: &str, table: &str) -> Option<String> {
    let (before, rest) = document.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{}\n\n{END}{after}", table.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_is_replaced() {
        let document = format!("a\n{BEGIN}\nold\n{END}b\n");
        assert_eq!(between(&document, "new\n"), Some(format!("a\n{BEGIN}\nnew\n\n{END}b\n")));
        assert_eq!(between("a\n", "new"), None);
    }
}
