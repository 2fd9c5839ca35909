//! Compares variant-core with other Rust crates on the same values, with memcpy as the limit: `cargo xtask
//! bench rust`.
//!
//! ```text
//! variant-bench [--long] [--json FILE] [--markdown FILE]
//! ```
//! It prints a table, PASS or FAIL for the goal, and ends with 1 when the goal is missed, 2 when nothing
//! could be compared.

mod contest;
mod report;
mod stopwatch;
mod tree;
mod values;

use std::process::ExitCode;
use std::time::Duration;

use report::Line;

/// The speed at which the saves have to be checked, in gigabytes a second.
const GOAL: f64 = 2.0;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(trouble) => {
            eprintln!("{trouble}");
            ExitCode::from(2)
        }
    }
}

/// Runs the contests and tells whether the goal was reached.
fn run(words: &[String]) -> Result<bool, String> {
    let budget = Duration::from_millis(if words.iter().any(|word| word == "--long") { 5000 } else { 500 });
    let workloads = [
        ("packet", values::packet()),
        ("entities by number, 2000", values::flat(2000)),
        ("save of 200", values::save(200)),
        ("save of 20000", values::save(20_000)),
        ("PackedFloat32Array, 10^6", values::floats(1_000_000)),
    ];
    let mut lines = Vec::new();
    println!("{}", report::HEAD);
    for (name, value) in &workloads {
        for contest in contest::contests(name, value)? {
            let outcomes = stopwatch::compare(&contest, budget);
            let line = Line { workload: contest.workload, what: contest.what, outcomes };
            println!("{}", line.row());
            lines.push(line);
        }
    }
    println!();
    let reached = judge(&lines);
    write(words, "--json", &report::json(&lines, GOAL))?;
    write(words, "--markdown", &report::markdown(&lines))?;
    Ok(reached)
}

/// Judges the saves by the median, and prints the best round beside it.
fn judge(lines: &[Line]) -> bool {
    let mut reached = true;
    for line in lines.iter().filter(|line| line.what == "validate" && line.workload.starts_with("save")) {
        let (median, best) = line.gigabytes();
        let verdict = if median >= GOAL { "PASS" } else { "FAIL" };
        reached &= median >= GOAL;
        println!(
            "{verdict} {}: checked at {median:.2} GB/s, goal {GOAL:.1} (best round {best:.2})",
            line.workload
        );
    }
    reached
}

fn write(words: &[String], option: &str, text: &str) -> Result<(), String> {
    let Some(at) = words.iter().position(|word| word == option) else { return Ok(()) };
    let path = words.get(at + 1).ok_or_else(|| format!("{option} needs a file"))?;
    std::fs::write(path, text).map_err(|error| format!("cannot write {path}: {error}"))
}
