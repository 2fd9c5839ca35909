//! Counts the instructions of the core's work under valgrind and judges the claims on them, for `cargo xtask
//! instructions`.
//!
//! The testkit's example of the same name defines the work. No clock is read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::child::{self, Show};
use crate::fuzz::told_by_rustc;
use crate::tally::ended;
use crate::workspace::Workspace;

/// The function whose calls are counted; each call is a case.
const COUNTED: &str = "instructions::counted_work";
/// The beginning of the first case that is not part of the recorded baseline; the cases before it are the
/// workloads.
const FIRST_OTHER: &str = "validate an accepted save";
/// The tolerated increase over the recorded count, in thousandths.
const TOLERATED: u64 = 30;

type Counts = BTreeMap<String, u64>;

/// Counts, judges and compares; with `BLESS=1` it records instead of comparing.
pub(crate) fn run(workspace: &Workspace) -> Result<ExitCode> {
    let program = build(workspace)?;
    let folder = workspace.target().join("instructions");
    let lines = count(&program, &folder)?;
    let cases: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("case ")).collect();
    let counts = read(&folder, &cases)?;
    let workloads = cases.iter().take_while(|case| !case.starts_with(FIRST_OTHER));
    let workloads: Vec<(&str, u64)> = workloads.map(|case| (*case, counts[*case])).collect();
    let mut failed = claims(&lines, &counts)?;
    failed += baseline(workspace, &workloads)?;
    println!("{} cases, {} workloads, {failed} failed", cases.len(), workloads.len());
    ended(failed == 0)
}

fn build(workspace: &Workspace) -> Result<PathBuf> {
    let mut cargo = workspace.cargo();
    cargo.args("build --profile counted --package variant-testkit --example instructions".split(' '));
    ensure!(child::run(&mut cargo, Show::Now, None)?.success(), "the example `instructions` does not build");
    Ok(workspace.target().join("counted/examples/instructions"))
}

/// Runs the example; callgrind writes a file for each call of [`COUNTED`].
fn count(program: &Path, folder: &Path) -> Result<Vec<String>> {
    crate::files::remove_tree(folder)?;
    fs::create_dir_all(folder)?;
    let mut valgrind = Command::new("valgrind");
    valgrind.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", folder.join("out").display()));
    valgrind.arg(format!("--toggle-collect={COUNTED}")).arg(format!("--dump-after={COUNTED}")).arg(program);
    // The C library chooses its copying code by the processor; this makes it choose the same code everywhere.
    valgrind.env("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2,-AVX512F,-AVX512VL,-ERMS,-FSRM");
    let outcome = child::run(&mut valgrind, Show::Later, Some(Duration::from_secs(600)))
        .context("valgrind is needed to count instructions: `.ci/install`, or `apt-get install valgrind`")?;
    if !outcome.success() {
        bail!("the count broke off:\n{}", outcome.text());
    }
    Ok(outcome.lines)
}

/// Reads the count of each case: file number n belongs to case number n.
fn read(folder: &Path, cases: &[&str]) -> Result<Counts> {
    let mut counts = Counts::new();
    for (at, case) in cases.iter().enumerate() {
        let path = folder.join(format!("out.{}", at + 1));
        let text = fs::read_to_string(&path).with_context(|| format!("no count of `{case}`"))?;
        let total = text.lines().find_map(|line| line.strip_prefix("summary: "));
        let total = total.and_then(|total| total.trim().parse().ok());
        let total = total.with_context(|| format!("no total in {}", path.display()))?;
        ensure!(counts.insert((*case).to_owned(), total).is_none(), "two cases are called `{case}`");
    }
    ensure!(!counts.is_empty(), "nothing was counted");
    Ok(counts)
}

/// Judges every claim and returns the number of false ones.
fn claims(lines: &[String], counts: &Counts) -> Result<u64> {
    let (mut made, mut failed) = (0, 0);
    for claim in lines.iter().filter_map(|line| line.strip_prefix("claim ")) {
        let (factor, names) = claim.split_once(' ').context("a claim has a factor")?;
        let (name, other) = names.split_once('\t').context("a claim has two names")?;
        let of = |name: &str| {
            Ok::<f64, anyhow::Error>(*counts.get(name).with_context(|| format!("no case `{name}`"))? as f64)
        };
        let (count, base) = (of(name)?, of(other)?);
        // `+MOST*MANY`: each of so many adds so many instructions at most.
        let (most, ratio) = match factor.strip_prefix('+').and_then(|more| more.split_once('*')) {
            Some((most, many)) => {
                (most, (count - base) / many.parse::<f64>().context("the divisor of a claim")?)
            }
            None => (factor, count / base.max(1.0)),
        };
        let most: f64 = most.parse().context("the factor of a claim")?;
        made += 1;
        failed += u64::from(ratio > most);
        let verdict = if ratio > most { "FAIL" } else { "PASS" };
        println!("{verdict} {ratio:6.3} <= {factor:<4}  {name}  /  {other}");
    }
    ensure!(made > 0, "no claim was made");
    Ok(failed)
}

/// Prints the workloads beside the recorded counts; returns how many cost more than is tolerated.
fn baseline(workspace: &Workspace, workloads: &[(&str, u64)]) -> Result<u64> {
    let path = workspace.root().join("tests/instructions.txt");
    let compiler = format!("rustc {} {}", told_by_rustc("release: ")?, told_by_rustc("host: ")?);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, recorded(&compiler, workloads))?;
        println!("recorded in {}", path.display());
        return Ok(0);
    }
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let known: Counts = text.lines().filter_map(row).collect();
    let same_compiler = text.lines().any(|line| line == format!("# {compiler}"));
    let mut failed = 0;
    for (name, count) in workloads {
        let before = known.get(*name).copied();
        let verdict = verdict(*count, before, same_compiler);
        failed += u64::from(verdict == "FAIL");
        let change = before.map_or(0.0, |before| (*count as f64 / before.max(1) as f64 - 1.0) * 100.0);
        println!("{verdict} {count:>12} {change:>+7.1} %  {name}");
    }
    let forgotten = known.keys().filter(|name| !workloads.iter().any(|(known, _)| known == name));
    for name in forgotten {
        failed += 1;
        println!("FAIL no longer counted: {name}");
    }
    if !same_compiler {
        println!("recorded with another compiler than {compiler}: shown, not judged");
    }
    Ok(failed)
}

fn verdict(count: u64, before: Option<u64>, same_compiler: bool) -> &'static str {
    match before {
        None => "FAIL",
        Some(_) if !same_compiler => "    ",
        Some(before) if count.saturating_mul(1000) > before.saturating_mul(1000 + TOLERATED) => "FAIL",
        Some(_) => "PASS",
    }
}

fn recorded(compiler: &str, workloads: &[(&str, u64)]) -> String {
    let mut text = String::from(
        "# Instructions of each workload, recorded by `BLESS=1 cargo xtask instructions`. More than 3 % above is red.\n\
         # Counts depend on the compiler; with another one than this they are shown and not judged:\n",
    );
    text.push_str(&format!("# {compiler}\n"));
    for (name, count) in workloads {
        text.push_str(&format!("{count:>12}  {name}\n"));
    }
    text
}

fn row(line: &str) -> Option<(String, u64)> {
    let (count, name) = line.trim_start().split_once("  ")?;
    Some((name.to_owned(), count.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_percent_more_is_red() {
        assert_eq!(verdict(1030, Some(1000), true), "PASS");
        assert_eq!(verdict(1031, Some(1000), true), "FAIL");
        assert_eq!(verdict(10, Some(1000), true), "PASS");
        assert_eq!(verdict(9999, Some(1000), false), "    ");
        assert_eq!(verdict(10, None, true), "FAIL", "a workload without a record");
    }

    #[test]
    fn what_is_recorded_is_read() {
        let text = recorded("rustc 1", &[("decode ints", 12), ("encode a  b", 7)]);
        let known: Counts = text.lines().filter_map(row).collect();
        assert_eq!(known, Counts::from([("decode ints".to_owned(), 12), ("encode a  b".to_owned(), 7)]));
    }

    #[test]
    fn claims_are_judged() {
        let counts = Counts::from([("a".to_owned(), 230), ("b".to_owned(), 100)]);
        let judge = |line: &str| claims(&[line.to_owned()], &counts);
        assert_eq!(judge("claim 2.3 a\tb").unwrap(), 0);
        assert_eq!(judge("claim 2.2 a\tb").unwrap(), 1);
        let more = |each: f64| judge(&format!("claim +{each}*4 a\tb")).unwrap();
        let each = (counts["a"] - counts["b"]) as f64 / 4.0;
        assert_eq!([more(each), more(each - 0.1)], [0, 1]);
        assert!(judge("claim 2.2 a\tc").is_err() && judge("case a").is_err());
    }
}
