//! Runs suites a few at a time and collects their results. It prints the output of each when that one has ended.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::Result;

use super::table::{ENGINE, Suite};
use crate::child::Outcome;
use crate::tally::Tally;

/// The suites that run at a time. Many of them wait, for processes, sockets and frames, so that two cores have work for three.
pub(super) const COUNT: usize = 3;

/// Collects the results of the suites.
#[derive(Debug, Default)]
pub(super) struct Report {
    lines: Vec<String>,
    total: Tally,
    once: Once,
}

/// Holds the names of the engine's suites that were left out somewhere because they run once, and of those that ran where all
/// have to.
#[derive(Debug, Default)]
struct Once {
    left_out: BTreeSet<String>,
    ran: BTreeSet<String>,
}

impl Once {
    /// Reads what run.gd prints.
    fn read(&mut self, lines: &[String], is_engine: bool) {
        for line in lines {
            if let Some((name, _)) = line.strip_prefix("skip ").and_then(|rest| rest.split_once(": once: ")) {
                self.left_out.insert(name.to_owned());
            }
            let verdict = line.strip_prefix("ok   ").or(line.strip_prefix("FAIL "));
            if let Some((name, _)) = verdict.filter(|_| is_engine).and_then(|rest| rest.split_once('/')) {
                self.ran.insert(name.to_owned());
            }
        }
    }

    /// Returns the counts, and the suites that ran nowhere. That none was left out is a failure, too: then this sees nothing.
    fn verdict(&self) -> (Tally, Vec<&str>) {
        let missing: Vec<&str> = self.left_out.difference(&self.ran).map(String::as_str).collect();
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        let tally = Tally::new(count(self.left_out.len() - missing.len()), count(missing.len()));
        (tally.judged(true), missing)
    }
}

impl Report {
    pub(super) fn add(&mut self, name: &str, tally: Tally, seconds: f64) {
        self.total += tally;
        let Tally { passed, failed } = tally;
        self.lines.push(format!("{name:<12} {passed:>8} passed {failed:>6} failed {seconds:>8.1} s"));
    }

    /// Fails for each suite of the engine that other runs left out as one that runs once, and that did not run.
    pub(super) fn check_once(&mut self) {
        let (tally, missing) = self.once.verdict();
        for name in missing {
            println!("FAIL {name} is said to run once, and ran nowhere");
        }
        self.add("once", tally, 0.0);
    }

    /// Prints the results and returns their sum.
    pub(super) fn close(self) -> Tally {
        println!();
        for line in &self.lines {
            println!("{line}");
        }
        self.total
    }

    fn take(&mut self, suite: &Suite, result: Result<Outcome>, seconds: f64) {
        println!("\n=== {}", suite.name);
        let tally = match result {
            Ok(outcome) => {
                let (tally, lines) = closing(&outcome);
                lines.iter().for_each(|line| println!("{line}"));
                if tally.is_none() {
                    println!("{}: ended with {:?} and without its counts", suite.name, outcome.code);
                }
                self.once.read(lines, ENGINE.contains(&suite.name));
                // Where this machine lacks what a suite needs, such as Node, it says so and runs nothing.
                let is_excused = lines.iter().any(|line| line.starts_with("not run: "));
                match tally {
                    Some(tally) if tally == Tally::default() && is_excused && outcome.success() => tally,
                    tally => tally.unwrap_or_default().judged(outcome.success()),
                }
            }
            Err(error) => {
                println!("{}: {error:#}", suite.name);
                Tally::new(0, 1)
            }
        };
        self.add(suite.name, tally, seconds);
    }
}

/// Returns the counts that a suite's process closes with, and the lines before them.
fn closing(outcome: &Outcome) -> (Option<Tally>, &[String]) {
    // Its errors come by another pipe: a line of them may be the last.
    let at = outcome.lines.iter().rposition(|line| Tally::of_closing(line).is_some());
    let tally = at.and_then(|at| Tally::of_closing(&outcome.lines[at]));
    (tally, &outcome.lines[..at.unwrap_or(outcome.lines.len())])
}

/// Runs the suites in their order, so many at a time. Those that write to one folder run one after the other.
pub(super) fn run(
    suites: &[&Suite],
    count: usize,
    report: &mut Report,
    start: &(dyn Fn(&Suite) -> Result<Outcome> + Sync),
) {
    let mut waiting: VecDeque<Vec<&Suite>> = VecDeque::new();
    for suite in suites {
        let same = |row: &&mut Vec<&Suite>| !suite.folder.is_empty() && row[0].folder == suite.folder;
        match waiting.iter_mut().find(same) {
            Some(row) => row.push(suite),
            None => waiting.push_back(vec![suite]),
        }
    }
    let (waiting, report) = (Mutex::new(waiting), Mutex::new(report));
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let work = || {
        for suite in std::iter::from_fn(next).flatten() {
            let begun = Instant::now();
            let result = start(suite);
            let seconds = begun.elapsed().as_secs_f64();
            report.lock().unwrap_or_else(PoisonError::into_inner).take(suite, result, seconds);
        }
    };
    thread::scope(|scope| {
        for _ in 0..count {
            scope.spawn(work);
        }
    });
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::super::table::TABLE;
    use super::*;

    fn taken(results: impl Fn(&Suite) -> Result<Outcome> + Sync) -> Tally {
        let suites: Vec<&Suite> = TABLE.iter().collect();
        let mut report = Report::default();
        run(&suites, 3, &mut report, &results);
        report.total
    }

    #[test]
    fn every_suite_runs_once_and_counts() {
        let started = AtomicUsize::new(0);
        let total = taken(|_| {
            started.fetch_add(1, Ordering::Relaxed);
            Ok(Outcome::sample(Some(0), "ok\n3 passed, 0 failed"))
        });
        assert_eq!(started.into_inner(), TABLE.len());
        assert_eq!(total, Tally::new(3 * TABLE.len() as u64, 0));
    }

    #[test]
    fn a_crash_or_nothing_is_a_failure() {
        let of = |code, text: &'static str| {
            taken(move |suite| match suite.name == ENGINE[1] {
                true => Ok(Outcome::sample(code, text)),
                false => Ok(Outcome::sample(Some(0), "1 passed, 0 failed")),
            })
            .failed
        };
        assert_eq!(of(Some(0), "1 passed, 0 failed"), 0);
        assert_eq!(of(Some(0), "0 passed, 0 failed"), 1);
        assert_eq!(of(Some(0), "not run: no Node\n0 passed, 0 failed"), 0);
        assert_eq!(of(Some(1), "not run: no Node\n0 passed, 0 failed"), 1);
        assert_eq!(of(Some(0), "not run: no Node"), 1);
        assert_eq!(of(None, "ok   a_test.gd/test_a"), 1);
        assert_eq!(of(Some(0), "ok   a_test.gd/test_a"), 1);
        assert_eq!(of(Some(134), "9 passed, 0 failed"), 1);
        assert_eq!(of(Some(1), "9 passed, 4 failed"), 4);
        assert_eq!(taken(|_| anyhow::bail!("cannot start")), Tally::new(0, TABLE.len() as u64));
    }

    #[test]
    fn one_folder_has_one_writer() {
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        taken(|suite| {
            if suite.folder == "dist" {
                most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                thread::yield_now();
                inside.fetch_sub(1, Ordering::SeqCst);
            }
            Ok(Outcome::sample(Some(0), "1 passed, 0 failed"))
        });
        assert_eq!(most.into_inner(), 1);
    }

    fn met(engine: &str, off: &str) -> Once {
        let mut met = Once::default();
        for (text, is_engine) in [(engine, true), (off, false)] {
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            met.read(&lines, is_engine);
        }
        met
    }

    #[test]
    fn what_is_left_out_has_to_run() {
        let off = "ok   c_test.gd/test_x (1 ms)\nskip a_test.gd: once: is about sockets\nskip b_test.gd: once: is about files";
        let both = met("ok   a_test.gd/test_x (1 ms)\nFAIL b_test.gd/test_y (2 ms)", off);
        assert_eq!(both.verdict(), (Tally::new(2, 0), vec![]));
        let one = met("ok   a_test.gd/test_x (1 ms)\nskip b_test.gd: once: is about files", off);
        assert_eq!(one.verdict(), (Tally::new(1, 1), vec!["b_test.gd"]));
        // That it ran in the run that leaves it out proves nothing, and neither does a run without such suites.
        assert_eq!(met("", &format!("{off}\nok   a_test.gd/test_x (1 ms)")).verdict().0, Tally::new(0, 2));
        assert_eq!(met("ok   a_test.gd/test_x (1 ms)", "").verdict().0, Tally::new(0, 1));
    }
}
