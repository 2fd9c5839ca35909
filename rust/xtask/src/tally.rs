//! Counts tests, by the closing lines that the runners print. It starts nothing.

use std::fmt;
use std::ops::AddAssign;
use std::process::ExitCode;

use anyhow::Result;

use crate::child::Outcome;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Tally {
    pub(crate) fn new(passed: u64, failed: u64) -> Self {
        Self { passed, failed }
    }

    /// Returns one passed or one failed check.
    pub(crate) fn one(passed: bool) -> Self {
        Self::new(u64::from(passed), u64::from(!passed))
    }

    /// Prints whether a check is met, and why it is not.
    pub(crate) fn expect(what: &str, met: bool, why: impl FnOnce() -> String) -> Self {
        println!("{} {what}", if met { "ok  " } else { "FAIL" });
        if !met {
            println!("{}", why());
        }
        Self::one(met)
    }

    /// Prints the counts as the last line of a command and returns its exit code.
    pub(crate) fn close(self) -> Result<ExitCode> {
        println!("{self}");
        ended(self.failed == 0)
    }

    /// Reads the output of `cargo test`: one `test result:` line for each test binary.
    pub(crate) fn of_cargo_test(lines: &[String]) -> Self {
        let mut tally = Self::default();
        for result in lines.iter().filter_map(|line| line.strip_prefix("test result:")) {
            tally += Self::new(before(result, "passed").unwrap_or(0), before(result, "failed").unwrap_or(0));
        }
        tally
    }

    /// Reads the output of nextest: one `Summary` line for all. nextest repeats the output of failed tests,
    /// so no other line is read.
    pub(crate) fn of_nextest(lines: &[String]) -> Self {
        let Some(summary) = lines.iter().rev().find(|line| line.trim_start().starts_with("Summary [")) else {
            return Self::default();
        };
        let passed = before(summary, "passed").unwrap_or(0);
        let run = before(summary, "tests run").or(before(summary, "test run")).unwrap_or(passed);
        Self::new(passed, run.saturating_sub(passed))
    }

    /// Reads the closing line of the suites, `== 40 tests, 1 failed`, or of the conformance run, `== 21114
    /// checks, 0 differences`. Returns `None` without such a line: the run did not come to its end.
    pub(crate) fn of_engine(lines: &[String]) -> Option<Self> {
        let closing = lines.iter().rev().find_map(|line| line.trim().strip_prefix("== "))?;
        let (whole, bad) = closing.split_once(", ")?;
        let whole: u64 = whole.split_whitespace().next()?.parse().ok()?;
        let bad: u64 = bad.split_whitespace().next()?.parse().ok()?;
        Some(Self::new(whole.saturating_sub(bad), bad))
    }

    /// Reads the line that `cargo xtask test` closes with, `40 passed, 1 failed`; nothing else stands in it.
    pub(crate) fn of_closing(line: &str) -> Option<Self> {
        let (passed, failed) = line.strip_suffix(" failed")?.split_once(" passed, ")?;
        Some(Self::new(passed.parse().ok()?, failed.parse().ok()?))
    }

    /// Returns the counts of a suite as they are judged: one that ran nothing, or ended badly without naming
    /// a failure, counts as one failure.
    pub(crate) fn judged(self, ended_well: bool) -> Self {
        let nothing = self.passed + self.failed == 0;
        if (nothing || !ended_well) && self.failed == 0 { Self { failed: 1, ..self } } else { self }
    }

    /// Returns the first line that reports a broken library or script, whatever the exit code. A leak at exit
    /// is an error too, because it would grow with every packet, and so is a warning of the extension.
    pub(crate) fn red_line(outcome: &Outcome) -> Option<&str> {
        let mut lines = outcome.lines.iter().map(String::as_str);
        lines.find(|line| is_broken(line) || line.contains(WARNING))
    }

    /// Returns that line of a run of the engine's suites. A warning between the first test and the closing line
    /// is judged by the run itself, which fails a test that has not announced it.
    pub(crate) fn red_line_of_suites(outcome: &Outcome) -> Option<&str> {
        let is_verdict = |line: &String| line.starts_with("ok   ") || line.starts_with("FAIL ");
        let first = outcome.lines.iter().position(is_verdict).unwrap_or(usize::MAX);
        let last = outcome.lines.iter().rposition(|line| line.starts_with("== ")).unwrap_or(0);
        let mut lines = outcome.lines.iter().map(String::as_str).enumerate();
        let announced: Vec<&str> =
            outcome.lines.iter().filter_map(|line| line.strip_prefix("announced SCRIPT ERROR: ")).collect();
        let is_red = |at: usize, line: &str| {
            let is_in_tests = first <= at && at <= last;
            if line.starts_with("SCRIPT ERROR") && announced.iter().any(|text| line.contains(text)) {
                return false;
            }
            (is_broken(line) && !line.starts_with("announced ")) || (line.contains(WARNING) && !is_in_tests)
        };
        lines.find(|(at, line)| is_red(*at, line)).map(|(_, line)| line)
    }
}

/// Returns the exit code of a command that compared something.
pub(crate) fn ended(is_good: bool) -> Result<ExitCode> {
    Ok(ExitCode::from(u8::from(!is_good)))
}

/// Says why a suite is not run where this machine lacks what it needs; the long form fails then.
pub(crate) fn unless_excused<T>(needed: Result<T>, long: bool) -> Result<Option<T>> {
    match needed {
        Err(error) if !long => {
            println!("not run: {error:#}");
            Ok(None)
        }
        needed => needed.map(Some),
    }
}

/// How a warning of the extension begins.
const WARNING: &str = "WARNING: VariantStream";

/// Tells whether a line reports a library or script that is broken, or a leak.
fn is_broken(line: &str) -> bool {
    const BROKEN: [&str; 6] = [
        "Error loading extension",
        "Can't open dynamic library",
        "GDExtension dynamic library not found",
        "SCRIPT ERROR",
        "leaked at exit",
        "ERROR: AddressSanitizer",
    ];
    BROKEN.iter().any(|words| line.contains(words))
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// Returns the number that stands before `word`.
fn before(line: &str, word: &str) -> Option<u64> {
    let (head, _) = line.split_once(word)?;
    head.split_whitespace().next_back()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn adds_the_binaries_of_cargo_test() {
        let text = "running 3 tests\n\
            test a ... FAILED\n\
            test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; finished in 0.00s\n\
            test result: ok. 40 passed; 0 failed; 2 ignored; 0 measured; finished in 1.20s\n";
        assert_eq!(Tally::of_cargo_test(&lines(text)), Tally::new(42, 1));
    }

    #[test]
    fn reads_the_summary_of_nextest() {
        let cases = [
            ("     Summary [   0.006s] 3 tests run: 3 passed, 0 skipped", Tally::new(3, 0)),
            (
                "     Summary [   1.2s] 12 tests run: 9 passed (1 slow), 2 failed, 1 timed out, 4 skipped",
                Tally::new(9, 3),
            ),
            ("     Summary [   0.1s] 1 test run: 1 passed, 0 skipped", Tally::new(1, 0)),
        ];
        for (line, tally) in cases {
            assert_eq!(Tally::of_nextest(&lines(line)), tally, "{line}");
        }
        let repeated =
            "    test result: FAILED. 0 passed; 1 failed;\n  Summary [ 1s] 2 tests run: 1 passed, 1 failed\n";
        assert_eq!(Tally::of_nextest(&lines(repeated)), Tally::new(1, 1));
    }

    #[test]
    fn reads_the_closing_line_of_the_engine_suites() {
        assert_eq!(Tally::of_engine(&lines("ok a\n== 40 tests, 1 failed\n")), Some(Tally::new(39, 1)));
        assert_eq!(Tally::of_engine(&lines("== 40557 checks, 0 differences")), Some(Tally::new(40557, 0)));
        assert_eq!(Tally::of_engine(&lines("ok a\nok b")), None);
    }

    #[test]
    fn reads_the_line_that_a_run_closes_with() {
        assert_eq!(Tally::of_closing(&Tally::new(40, 1).to_string()), Some(Tally::new(40, 1)));
        for line in ["", "0 passed, x failed", "rust 4 passed, 0 failed", "4 passed, 0 failed, 1 skipped"] {
            assert_eq!(Tally::of_closing(line), None, "{line}");
        }
    }

    #[test]
    fn nothing_is_never_green() {
        assert_eq!(Tally::default().judged(true), Tally::new(0, 1));
        assert_eq!(Tally::new(5, 0).judged(false), Tally::new(5, 1));
        assert_eq!(Tally::new(5, 2).judged(false), Tally::new(5, 2));
        assert_eq!(Tally::new(5, 0).judged(true), Tally::new(5, 0));
    }

    #[test]
    fn red_lines_are_red_whatever_the_exit_code() {
        let outcome = |text| Outcome::sample(Some(0), text);
        assert!(Tally::red_line(&outcome("fine\nWARNING: ObjectDB instances leaked at exit")).is_some());
        assert!(Tally::red_line(&outcome("==1==ERROR: AddressSanitizer: heap-use-after-free")).is_some());
        assert!(Tally::red_line(&outcome("WARNING: VariantStream reads slowly\nfine")).is_some());
        assert_eq!(Tally::red_line(&outcome("round trip   20 000 values    0 differences")), None);
    }

    #[test]
    fn a_warning_between_tests_is_left_to_the_suites() {
        let red = |text: &str| Tally::red_line_of_suites(&Outcome::sample(Some(0), text)).is_some();
        let warning = "WARNING: VariantStream: told";
        assert!(!red(&format!(
            "ok   a.gd/test (1 ms)\n{warning}\nok   b.gd/test (1 ms)\n== 2 tests, 0 failed"
        )));
        assert!(red(&format!("{warning}\nok   a.gd/test (1 ms)\n== 1 tests, 0 failed")));
        assert!(red(&format!("ok   a.gd/test (1 ms)\n== 1 tests, 0 failed\n{warning}")));
        assert!(red(&format!("{warning}\nno test ran")));
        assert!(red("ok   a.gd/test (1 ms)\nSCRIPT ERROR: x\n== 1 tests, 0 failed"));
        let told = "announced SCRIPT ERROR: bad cast";
        assert!(!red(&format!(
            "{told}\nSCRIPT ERROR: a bad cast\nok   a.gd/test (1 ms)\n== 1 tests, 0 failed"
        )));
        assert!(red(&format!("{told}\nSCRIPT ERROR: x\nok   a.gd/test (1 ms)\n== 1 tests, 0 failed")));
        assert!(red(
            "ok   a.gd/test (1 ms)\n== 1 tests, 0 failed\nWARNING: ObjectDB instances leaked at exit"
        ));
    }
}
