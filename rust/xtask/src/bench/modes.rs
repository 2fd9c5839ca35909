//! `cargo xtask bench --modes`: what each trick buys. The same rows several times in the release template: with less of
//! the engine's memory trusted each time, and as engines before 4.6 have it, which hash keys of one type otherwise; and the
//! ratios side by side.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, ensure};

use super::{SCRIPT, measure, report};
use crate::arguments::Arguments;
use crate::engine;
use crate::release_run::Game;
use crate::workspace::Workspace;

/// Says for which types the engine's hashes of keys are taken as others than 4.6.3's.
const KEY_HASHES: &str = "VARIANT_STREAM_KEY_HASHES";

/// What each column is called, `VARIANT_STREAM_RAW` for it, and that variable. Both are read when the extension loads: each
/// column needs a process of its own.
const MODES: [(&str, &str, &str); 5] = [
    ("on", "on", ""),
    ("hash of paths", "on", "engine:NodePath"),
    ("walkless", "walkless", ""),
    ("values", "values", ""),
    ("off", "off", ""),
];

/// The worst exit code of them. Goals are those of the mode; `values` and `off` have none.
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

/// What a row is called, with its place in the table, and its ratio as it stands there.
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
