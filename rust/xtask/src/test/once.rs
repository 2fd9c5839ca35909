//! Sees that a suite which says that it runs once does run: other runs leave it out.

use std::collections::BTreeSet;

use crate::tally::Tally;

/// Holds the names of the engine's suites that were left out somewhere, and of those that ran where all have to.
#[derive(Debug, Default)]
pub(super) struct Met {
    left_out: BTreeSet<String>,
    ran: BTreeSet<String>,
}

impl Met {
    /// Reads what run.gd prints.
    pub(super) fn read(&mut self, lines: &[String], is_engine: bool) {
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
    pub(super) fn verdict(&self) -> (Tally, Vec<&str>) {
        let missing: Vec<&str> = self.left_out.difference(&self.ran).map(String::as_str).collect();
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        let tally = Tally::new(count(self.left_out.len() - missing.len()), count(missing.len()));
        (tally.judged(true), missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(engine: &str, off: &str) -> Met {
        let mut met = Met::default();
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
