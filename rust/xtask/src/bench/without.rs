//! Measures what single fast paths buy, for `cargo xtask bench --without NAME`: the rows run with all of them, once more without each,
//! and once more with all of them, in the release template.
//!
//! A row needs a trick when its best round takes at least a tenth longer without it, and clearly more than the best rounds of the
//! two runs with all tricks differ. Most tricks do not concern a row, so many runs show how far it moves by chance: it has to be
//! slower than in three quarters of them. It judges nothing: a trick that no row needs is for somebody to delete.

use std::fs;

use anyhow::{Result, bail, ensure};

use super::rows::{self, Row, Rows};
use super::{SCRIPT, documents, report};
use crate::arguments::Bench;
use crate::release_run::Game;
use crate::workspace::Workspace;

/// The variable that the library reads in a build with the feature `ablate`.
const WITHOUT: &str = "VARIANT_STREAM_WITHOUT";
/// The feature of the library.
pub(super) const FEATURE: &str = "ablate";
/// The file that lists the tricks, each as `Name "name",`.
const LIST: &str = "rust/core/src/tricks.rs";
/// How many times as long a row takes that needs a trick, at least.
const NEEDED: f64 = 1.1;
/// How many times as far a row has to move as two runs with all tricks differ.
const BEYOND_NOISE: f64 = 1.05;
/// The number of runs from which on a quarter of them tells how far rows move by chance.
const MANY: usize = 8;
/// The number of rows that are named for each trick.
const NAMED: usize = 4;

/// Runs the rows without each of the tricks that are named, separated by commas, and prints a table.
pub(super) fn run(workspace: &Workspace, options: &Bench, game: &Game, names: &str) -> Result<u8> {
    let list = fs::read_to_string(workspace.root().join(LIST))?;
    let all = tricks(&list);
    let wanted = chosen(&all, names)?;
    let before = measured(workspace, options, game, "")?;
    let mut without = Vec::new();
    for name in &wanted {
        without.push((*name, measured(workspace, options, game, name)?));
    }
    let after = measured(workspace, options, game, "")?;
    let table = format!("{}\n\n{}", command(names, options), table(&before, &after, &without));
    fs::write(report(workspace, "without", "md"), &table)?;
    println!("\n{table}");
    if std::env::var_os("BLESS").is_some() {
        documents::update_tricks(workspace, &table)?;
    }
    Ok(0)
}

/// Reads the names of all tricks from the file that lists them.
fn tricks(list: &str) -> Vec<&str> {
    let entry = |line: &'_ str| line.ends_with("\",") && !line.starts_with('/');
    list.lines().map(str::trim).filter(|line| entry(line)).filter_map(|line| line.split('"').nth(1)).collect()
}

/// Names the command that has printed the table, as a reader would repeat it.
fn command(names: &str, options: &Bench) -> String {
    let filter = options.filter.as_ref().map(|filter| format!(" --filter \"{filter}\"")).unwrap_or_default();
    let long = if options.long { " --long" } else { "" };
    format!("`cargo xtask bench --without {names}{filter}{long}` printed this:")
}

fn chosen<'a>(all: &[&'a str], names: &str) -> Result<Vec<&'a str>> {
    ensure!(!all.is_empty(), "{LIST} lists no trick");
    if names == "all" {
        return Ok(all.to_vec());
    }
    let find = |name: &str| match all.iter().find(|known| **known == name) {
        Some(known) => Ok(*known),
        None => bail!("there is no trick `{name}`: there are {}, and `all`", all.join(", ")),
    };
    names.split(',').map(find).collect()
}

fn measured(workspace: &Workspace, options: &Bench, game: &Game, without: &str) -> Result<Rows> {
    let mut command = game.script(SCRIPT);
    command.env(WITHOUT, without);
    let name = if without.is_empty() { "nothing" } else { without };
    Ok(rows::run(workspace, options, command, &format!("without-{name}"))?.1)
}

/// Makes the table: of each trick how many rows need it, and which most.
fn table(before: &Rows, after: &Rows, without: &[(&str, Rows)]) -> String {
    let mut text =
        "| Without | rows that need it | which most, times as long | below their goal |\n|---|--:|---|--:|\n"
            .to_owned();
    for (name, rows) in without {
        let base = |row: &str| base(row, before, after, without);
        let mut slower: Vec<(f64, &str)> =
            rows.iter().filter_map(|(name, row)| Some((slower(row, base(name)?)?, name.as_str()))).collect();
        slower.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let most: Vec<String> =
            slower.iter().take(NAMED).map(|(times, row)| format!("{row} {times:.2}")).collect();
        let fallen = rows.iter().filter(|(name, row)| {
            let reached = |run: &Rows| run.get(*name).is_some_and(|row| row.ratio >= row.goal);
            row.ratio < row.goal && reached(before) && reached(after)
        });
        let most = most.join("; ");
        text.push_str(&format!("| `{name}` | {} | {most} | {} |\n", slower.len(), fallen.count()));
    }
    text
}

/// Tells how many times as long a row takes as the base, if that is long enough for the row to need the trick.
fn slower(row: &Row, (base, noise): (f64, f64)) -> Option<f64> {
    let times = row.least / base;
    (times >= NEEDED.max(noise * BEYOND_NOISE)).then_some(times)
}

/// Returns what the best round of a row takes with all tricks, at most, and how many times as long one run of them takes
/// as the other.
fn base(name: &str, before: &Rows, after: &Rows, without: &[(&str, Rows)]) -> Option<(f64, f64)> {
    let (one, other) = (before.get(name)?.least, after.get(name)?.least);
    let most = one.max(other);
    let mut all: Vec<f64> =
        without.iter().filter_map(|(_, rows)| rows.get(name)).map(|row| row.least).collect();
    all.sort_by(f64::total_cmp);
    let by_chance = if all.len() < MANY { 0.0 } else { *all.get(all.len() * 3 / 4)? };
    Some((most.max(by_chance), most / one.min(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_tricks_is_read() {
        let text = fs::read_to_string(Workspace::find().unwrap().root().join(LIST)).unwrap();
        let all = tricks(&text);
        assert!(all.len() > 10 && all.contains(&"fast-path"), "{all:?}");
        assert_eq!(chosen(&all, "all").unwrap(), all);
        assert_eq!(chosen(&all, "lone,fast-path").unwrap(), ["lone", "fast-path"]);
        assert!(chosen(&all, "lone,magic").is_err() && chosen(&[], "all").is_err());
    }

    #[test]
    fn rows_that_are_slower_than_noise_need_a_trick() {
        let rows = |packet: f64, save: f64, text: f64| -> Rows {
            [("packet, decode", packet), ("save, decode", save), ("text, encode", text)]
                .map(|(name, ratio)| (name.to_owned(), Row { least: 6.0 / ratio, ratio, goal: 1.5 }))
                .into()
        };
        let without = [("fast-path", rows(1.0, 2.0, 1.6)), ("lone", rows(2.0, 1.9, 3.0))];
        let table = table(&rows(2.0, 2.1, 2.0), &rows(2.0, 2.0, 3.0), &without);
        assert!(table.contains("| `fast-path` | 1 | packet, decode 2.00 | 1 |"), "{table}");
        assert!(table.contains("| `lone` | 0 |  | 0 |"), "{table}");
    }

    #[test]
    fn rows_that_move_by_chance_need_no_trick() {
        let rows = |least: f64| -> Rows {
            [("text, encode".to_owned(), Row { least, ratio: 2.0, goal: 1.5 })].into()
        };
        let times = [1.0, 1.3, 1.0, 1.2, 1.0, 1.25, 1.0, 1.3, 2.0];
        let without: Vec<(&str, Rows)> = times.iter().map(|times| ("trick", rows(*times))).collect();
        let table = table(&rows(1.0), &rows(1.0), &without);
        assert_eq!(table.matches("| `trick` | 0 |").count(), 8, "{table}");
        assert!(table.contains("| `trick` | 1 | text, encode 1.54 | 0 |"), "{table}");
    }
}
