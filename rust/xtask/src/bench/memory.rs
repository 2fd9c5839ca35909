//! Measures the memory of both sides in the release template, for `cargo xtask bench memory`.
//!
//! It compares the peak of encoding and the memory that decoded values hold with the engine's. Each figure
//! comes from a process of its own. It runs on Linux only, because no other system reports the peak of a
//! process.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::report;
use crate::child::{self, Show};
use crate::files::remove_tree;
use crate::release_run::Game;
use crate::workspace::Workspace;

const SCRIPT: &str = "res://bench/memory.gd";
/// The largest peak of encoding, in hundredths of the result.
const PEAK: u64 = 110;
/// The most that objects hold, in hundredths of what is charged for them, and the other way round.
const OBJECTS: u64 = 125;
/// The tolerance in bytes: a process holds whole pages, and memory that the allocator keeps ready.
const GRAIN: u64 = 256 * 1024;

/// The bound from which the C library's allocator takes memory from the system directly, for both sides. The
/// allocator raises the bound by itself as it goes, and then keeps freed memory, which would be counted as
/// used. A bound that is set stays.
const ALLOCATOR: (&str, &str) = ("MALLOC_MMAP_THRESHOLD_", "131072");

/// The figures that one process printed.
#[derive(Clone, Copy, Debug)]
struct Taken {
    bytes: u64,
    peak: u64,
    held: u64,
}

/// Returns 0 when every row is within its bounds, 1 when a row is not.
pub(super) fn run(workspace: &Workspace, game: &Game) -> Result<u8> {
    if !cfg!(target_os = "linux") {
        println!("not run: only Linux tells a process the most memory it has held");
        return Ok(0);
    }
    let folder = workspace.target().join("bench-memory");
    remove_tree(&folder)?;
    fs::create_dir_all(&folder)?;
    let names = write_values(game, &folder)?;
    let mut table = String::from(
        "| Workload | bytes | encode: peak of ours | of the engine | decode: ours holds | the engine |\n\
         |---|--:|--:|--:|--:|--:|\n",
    );
    let mut failed = 0;
    for (row, name) in names.iter().enumerate() {
        let of = |side: &str, what: &str| measure(game, &folder, row, (side, what));
        let (ours, theirs) = (of("ours", "encode")?, of("engine", "encode")?);
        let (our_value, their_value) = (of("ours", "decode")?, of("engine", "decode")?);
        let (bytes, peak, of_engine, held, there) =
            (ours.bytes, ours.peak, theirs.peak, our_value.held, their_value.held);
        let text = format!("{name}: encoding {bytes} bytes takes {peak}, the engine {of_engine}");
        failed += judged(peak <= bytes * PEAK / 100 + GRAIN, &text);
        let text = format!("{name}: decoded it holds {held}, from the engine {there}");
        failed += judged(held <= there + GRAIN, &text);
        table.push_str(&format!("| {name} | {bytes} | {peak} | {of_engine} | {held} | {there} |\n"));
    }
    let Taken { bytes, held, .. } = measure(game, &folder, 0, ("ours", "objects"))?;
    let (of_charge, of_held) = (held * 100 / bytes.max(1), bytes * 100 / held.max(1));
    let text =
        format!("objects of ten variables hold {held}, {of_charge} % of the {bytes} charged ({of_held} %)");
    let is_within = |one: u64, other: u64| one <= other * OBJECTS / 100 + GRAIN;
    failed += judged(is_within(held, bytes) && is_within(bytes, held), &text);
    table.push_str(&format!("\nObjects of ten variables: {bytes} charged, {held} held\n"));
    fs::write(report(workspace, "memory", "md"), &table)?;
    println!("{} rows, {failed} failed", names.len().saturating_add(1));
    Ok(u8::from(failed > 0))
}

/// Prints a verdict; returns 1 for a bad one.
fn judged(is_good: bool, text: &str) -> u64 {
    println!("{} {text}", if is_good { "PASS" } else { "FAIL" });
    u64::from(!is_good)
}

/// Writes the bytes of all rows into the folder and returns the names of the rows.
fn write_values(game: &Game, folder: &Path) -> Result<Vec<String>> {
    let mut command = game.script(SCRIPT);
    let outcome =
        child::run(command.arg("--folder").arg(folder), Show::Later, Some(Duration::from_secs(120)))?;
    let names = outcome.lines.iter().filter_map(|line| line.strip_prefix("row "));
    let names: Vec<String> = names.map(str::to_owned).collect();
    ensure!(outcome.success() && !names.is_empty(), "no values were written:\n{}", outcome.text());
    Ok(names)
}

fn measure(game: &Game, folder: &Path, row: usize, (side, what): (&str, &str)) -> Result<Taken> {
    let mut command = game.script(SCRIPT);
    command.env(ALLOCATOR.0, ALLOCATOR.1);
    command.arg("--folder").arg(folder).args(["--row", &row.to_string(), "--side", side, "--what", what]);
    let outcome = child::run(&mut command, Show::Later, Some(Duration::from_secs(120)))?;
    let line = outcome.lines.iter().find_map(|line| line.strip_prefix("memory "));
    line.and_then(taken).with_context(|| format!("no figures:\n{}", outcome.text()))
}

/// Reads the line of figures. A process that holds less than before prints a negative number, which counts as
/// 0.
fn taken(line: &str) -> Option<Taken> {
    let numbers: Vec<i64> = line.split(' ').map_while(|word| word.parse().ok()).collect();
    let [bytes, peak, held] = numbers[..] else { return None };
    let whole = |number: i64| u64::try_from(number).unwrap_or(0);
    Some(Taken { bytes: whole(bytes), peak: whole(peak), held: whole(held) })
}
