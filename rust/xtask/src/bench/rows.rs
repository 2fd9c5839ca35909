//! Reads the rows of a run from its report, and puts those of several modes side by side, for `cargo xtask bench --modes`.
//!
//! The modes trust less and less of the engine's memory; one has key hashes as engines before 4.6 have them, where one type is
//! hashed otherwise.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::{SCRIPT, measure, report};
use crate::arguments::Bench;
use crate::engine;
use crate::release_run::Game;
use crate::workspace::Workspace;

/// The variable that says for which types the engine's hashes of keys are taken as others than 4.6.3's.
const KEY_HASHES: &str = "VARIANT_STREAM_KEY_HASHES";

/// The modes: the name of the column, the value of `VARIANT_STREAM_RAW`, and the value of [`KEY_HASHES`]. The
/// extension reads both when it loads, so each needs a process of its own.
const MODES: [(&str, &str, &str); 3] =
    [("on", "on", ""), ("hash of paths", "on", "engine:NodePath"), ("off", "off", "")];

/// The result of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row {
    /// The microseconds of our best round.
    pub(super) least: f64,
    pub(super) ratio: f64,
    pub(super) goal: f64,
}

/// The rows of one run by name and direction.
pub(super) type Rows = BTreeMap<String, Row>;

/// Runs the rows once in each mode. Returns the worst exit code; the goals are those of the mode, and `off` has none.
pub(super) fn in_modes(workspace: &Workspace, options: &Bench, game: &Game) -> Result<u8> {
    let mut worst = 0;
    let mut runs = Vec::new();
    for (mode, raw, hashes) in MODES {
        let mut command = game.script(SCRIPT);
        command.env(engine::RAW, raw).env(KEY_HASHES, hashes);
        let (code, rows) = run(workspace, options, command, &format!("mode-{}", mode.replace(' ', "-")))?;
        worst = worst.max(code);
        runs.push(rows);
    }
    let table = side_by_side(&runs)?;
    fs::write(report(workspace, "modes", "md"), &table)?;
    println!("\n{table}");
    Ok(worst)
}

/// Runs a command that measures, and reads its report.
pub(super) fn run(
    workspace: &Workspace,
    options: &Bench,
    command: Command,
    name: &str,
) -> Result<(u8, Rows)> {
    println!("\n=== {name}");
    let code = measure(workspace, options, command, name)?;
    let path = report(workspace, name, "json");
    let text = fs::read_to_string(&path).with_context(|| format!("no results in {}", path.display()))?;
    Ok((code, parsed(&text)?))
}

fn parsed(json: &str) -> Result<Rows> {
    let report: Value = serde_json::from_str(json)?;
    let lines = report["rows"].as_array().context("there are no rows")?;
    let row = |line: &Value| {
        let name = format!("{}, {}", line["name"].as_str()?, line["direction"].as_str()?);
        let number = |field: &str| line[field].as_f64();
        Some((
            name,
            Row { least: number("ours_least_usec")?, ratio: number("ratio")?, goal: number("goal")? },
        ))
    };
    Ok(lines.iter().filter_map(row).collect())
}

/// Makes a table of the ratios of each run.
fn side_by_side(runs: &[Rows]) -> Result<String> {
    let first = runs.first().filter(|rows| !rows.is_empty()).context("no row was measured")?;
    ensure!(runs.len() == MODES.len(), "a mode was not measured");
    let names = MODES.map(|(name, ..)| name);
    let mut text = format!("| Workload | {} |\n|---|{}\n", names.join(" | "), "--:|".repeat(MODES.len()));
    for name in first.keys() {
        let cell = |rows: &Rows| rows.get(name).map_or("-".to_owned(), |row| format!("{:.2}", row.ratio));
        let cells: Vec<String> = runs.iter().map(cell).collect();
        text.push_str(&format!("| {name} | {} |\n", cells.join(" | ")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_and_joined() {
        let json = r#"{"rows": [{"name": "packet", "direction": "decode", "ours_least_usec": 0.5, "ratio": 2.5,
            "goal": 1.8},
            {"name": "broken", "direction": "decode", "goal": 1.8}]}"#;
        let row = Row { least: 0.5, ratio: 2.5, goal: 1.8 };
        let rows = parsed(json).unwrap();
        assert_eq!(rows, [("packet, decode".to_owned(), row)].into());
        assert!(parsed("{}").is_err());
        let joined = side_by_side(&[rows.clone(), rows, Rows::new()]).unwrap();
        assert!(joined.ends_with("| packet, decode | 2.50 | 2.50 | - |\n"), "{joined}");
        assert!(side_by_side(&[]).is_err());
    }
}
