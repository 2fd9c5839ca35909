//! Measures what access to the engine's memory buys, for `cargo xtask bench --modes`.
//!
//! The rows run once for each mode in the release template, and the ratios stand side by side. The modes
//! trust less and less of the engine's memory; one has key hashes as engines before 4.6 have them, where one
//! type is hashed otherwise.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, ensure};

use super::{SCRIPT, measure, report};
use crate::arguments::Arguments;
use crate::engine;
use crate::release_run::Game;
use crate::workspace::Workspace;

/// The variable that says for which types the engine's hashes of keys are taken as others than 4.6.3's.
const KEY_HASHES: &str = "VARIANT_STREAM_KEY_HASHES";

/// The modes: the name of the column, the value of `VARIANT_STREAM_RAW`, and the value of [`KEY_HASHES`]. The
/// extension reads both when it loads, so each needs a process of its own.
const MODES: [(&str, &str, &str); 3] =
    [("on", "on", ""), ("hash of paths", "on", "engine:NodePath"), ("off", "off", "")];

/// Returns the worst exit code. The goals are those of the mode; `off` has none.
pub(super) fn run(workspace: &Workspace, arguments: &Arguments, game: &Game) -> Result<u8> {
    let mut worst = 0;
    let mut tables = Vec::new();
    for (mode, raw, hashes) in MODES {
        println!("\n=== {mode}");
        let mut command = game.script(SCRIPT);
        command.env(engine::RAW, raw).env(KEY_HASHES, hashes);
        let name = format!("mode-{}", mode.replace(' ', "-"));
        worst = worst.max(measure(workspace, arguments, command, &name)?);
        let path = report(workspace, &name, "md");
        let text = fs::read_to_string(&path).with_context(|| format!("no results in {}", path.display()))?;
        tables.push(ratios(&text));
    }
    let table = side_by_side(&tables)?;
    fs::write(report(workspace, "modes", "md"), &table)?;
    println!("\n{table}");
    Ok(worst)
}

/// Pairs the name and direction of a row with its ratio, as the table has them.
type Ratios = Vec<(String, String)>;

/// Reads the table of one run: `| Workload | bytes | direction | ratio | ...`.
fn ratios(table: &str) -> Ratios {
    let mut found = Vec::new();
    for line in table.lines().take_while(|line| !line.is_empty()).skip(2) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let [_, name, _, direction, ratio, ..] = cells[..] {
            found.push((format!("{name} | {direction}"), ratio.to_owned()));
        }
    }
    found
}

fn side_by_side(tables: &[Ratios]) -> Result<String> {
    let names = MODES.map(|(name, ..)| name);
    let mut text =
        format!("| Workload | | {} |\n|---|---|{}\n", names.join(" | "), "--:|".repeat(MODES.len()));
    let others: Vec<BTreeMap<_, _>> = tables.iter().map(|table| table.iter().cloned().collect()).collect();
    let rows = tables.first().map(Vec::as_slice).unwrap_or_default();
    ensure!(!rows.is_empty(), "no row was measured");
    for (name, _) in rows {
        let cell =
            |table: &BTreeMap<String, String>| table.get(name).cloned().unwrap_or_else(|| "-".to_owned());
        let cells: Vec<String> = others.iter().map(cell).collect();
        text.push_str(&format!("| {name} | {} |\n", cells.join(" | ")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_and_joined() {
        let table = |ratio: &str| {
            format!(
                "| Workload | bytes | | ratio | goal |\n|---|--:|---|--:|--:|\n| a, b | 8 | encode | {ratio} | 1 |\n\n\
                 | Values | | x |\n|---|---|---|\n| 10 | encode | 5 |\n"
            )
        };
        let tables = ["3.0", "2.0", "1.0"].map(|ratio| ratios(&table(ratio)));
        assert_eq!(tables[0], [("a, b | encode".to_owned(), "3.0".to_owned())]);
        let joined = side_by_side(&tables).unwrap();
        assert!(joined.ends_with("| a, b | encode | 3.0 | 2.0 | 1.0 |\n"), "{joined}");
        assert!(side_by_side(&[Vec::new()]).is_err());
    }
}
