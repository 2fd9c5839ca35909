//! Compares variant-core with other Rust crates on the same values, with memcpy as the limit: `cargo xtask
//! bench rust`.
//!
//! ```text
//! variant-bench [--structs] [--long] [--json FILE] [--markdown FILE]
//! ```
//! `--structs` times structs alone. It prints a table, PASS or FAIL for the goal, and ends with 1 when the
//! goal is missed, 2 when nothing could be compared.

mod contest;
mod report;
mod stopwatch;
mod structs;
mod tree;
mod values;

use std::process::ExitCode;
use std::time::Duration;

use contest::Contest;
use report::Line;

/// The speed at which the saves have to be checked, in gigabytes a second.
const GOAL: f64 = 2.0;
/// How many times as long as ours MessagePack with the names of fields may take at least, by direction.
const STRUCT_GOALS: [(&str, f64); 2] = [("encode", 1.0), ("decode", 1.2)];

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
    // By name of a part of it, as `cargo xtask bench rust` does not.
    let is_asked_for = |part: &str| !words.iter().any(|word| word == "--structs") || part == "structs";
    println!("{}", report::HEAD);
    for (name, value) in workloads.iter().filter(|_| is_asked_for("trees")) {
        lines.extend(timed(&contest::contests(name, value)?, budget));
    }
    println!("\nstructs that derive serde");
    let [(_, packet), _, (_, few), (_, many), _] = &workloads;
    let mut structs = timed(&structs::packet("packet", packet)?, budget);
    structs.extend(timed(&structs::save("save of 200", few)?, budget));
    structs.extend(timed(&structs::save("save of 20000", many)?, budget));
    println!();
    let reached = [judge(&lines), judge_structs(&structs)] == [true; 2];
    let tables = report::markdown(&lines, contest::OURS, &contest::OTHERS)
        + "\n"
        + &report::markdown(&structs, structs::OURS, &structs::OTHERS);
    lines.extend(structs);
    write(words, "--json", &report::json(&lines, GOAL))?;
    write(words, "--markdown", &tables)?;
    Ok(reached)
}

/// Times contests and prints a row for each.
fn timed(contests: &[Contest], budget: Duration) -> Vec<Line> {
    let line = |contest: &Contest| {
        let outcomes = stopwatch::compare(contest, budget);
        let line = Line { workload: contest.workload, what: contest.what, outcomes };
        println!("{}", line.row());
        line
    };
    contests.iter().map(line).collect()
}

/// Judges structs against MessagePack that has the names of fields, as ours has them: by the best round of each, with the
/// median beside it.
fn judge_structs(lines: &[Line]) -> bool {
    let mut reached = true;
    for line in lines {
        let goal = STRUCT_GOALS.iter().find(|(what, _)| *what == line.what).map_or(1.0, |(_, goal)| *goal);
        let times = line.best_times(structs::OTHERS[0]).unwrap_or(0.0);
        let median = line.times(structs::OTHERS[0]).unwrap_or(0.0);
        let verdict = if times >= goal { "PASS" } else { "FAIL" };
        reached &= times >= goal;
        let Line { workload, what, .. } = line;
        println!(
            "{verdict} {workload}, {what}: rmp-serde takes {times:.2} times as long, goal {goal:.1} (median {median:.2})"
        );
    }
    reached
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
