//! Formats the measurements as lines for people, as Markdown and as JSON. It measures nothing.

use crate::stopwatch::Outcome;

/// The head of the printed table.
pub(crate) const HEAD: &str =
    "workload                   what          ours us   GB/s     times as long as ours";

/// Holds the results of one workload in one direction.
pub(crate) struct Line {
    pub(crate) workload: &'static str,
    pub(crate) what: &'static str,
    /// The outcomes, ours first.
    pub(crate) outcomes: Vec<Outcome>,
}

impl Line {
    /// Returns our gigabytes a second, by the median and by the best round.
    pub(crate) fn gigabytes(&self) -> (f64, f64) {
        let ours = &self.outcomes[0];
        (ours.bytes as f64 / ours.median, ours.bytes as f64 / ours.least)
    }

    pub(crate) fn row(&self) -> String {
        let others = self.outcomes[1..].iter().map(|other| format!("  {} {:.2}", other.who, other.ratio));
        let ours = self.outcomes[0].median / 1000.0;
        let rate = self.gigabytes().0;
        let others: String = others.collect();
        format!("{:<26} {:<8} {ours:>12.2} {rate:>6.2}   {others}", self.workload, self.what)
    }

    /// Returns how many times as long somebody takes, if they can do the work.
    pub(crate) fn times(&self, who: &str) -> Option<f64> {
        self.outcomes.iter().find(|outcome| outcome.who == who).map(|outcome| outcome.ratio)
    }

    /// Returns how many times as long somebody takes in the best round of each, if they can do the work. In a median is also what
    /// other programs took of the processor.
    pub(crate) fn best_times(&self, who: &str) -> Option<f64> {
        let ours = self.outcomes[0].least;
        self.outcomes.iter().find(|outcome| outcome.who == who).map(|outcome| outcome.least / ours)
    }

    fn ratio(&self, who: &str) -> String {
        self.times(who).map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"))
    }
}

/// Formats a table whose columns say how many times as long the others take; `-` stands where a crate cannot
/// do the work.
pub(crate) fn markdown(lines: &[Line], ours: &str, others: &[&str]) -> String {
    let mut text = format!("| Workload | | bytes | {ours} GB/s |");
    others.iter().for_each(|who| text.push_str(&format!(" {who} |")));
    text.push_str("\n|---|---|--:|--:|");
    text.push_str(&"--:|".repeat(others.len()));
    text.push('\n');
    for line in lines {
        let (rate, bytes) = (line.gigabytes().0, line.outcomes[0].bytes);
        text.push_str(&format!("| {} | {} | {bytes} | {rate:.2} |", line.workload, line.what));
        others.iter().for_each(|who| text.push_str(&format!(" {} |", line.ratio(who))));
        text.push('\n');
    }
    text
}

/// Formats all numbers, times in nanoseconds.
pub(crate) fn json(lines: &[Line], goal: f64) -> String {
    let outcome = |outcome: &Outcome| {
        serde_json::json!({
            "who": outcome.who, "bytes": outcome.bytes, "median_ns": outcome.median,
            "least_ns": outcome.least, "times_ours": outcome.ratio,
        })
    };
    let rows = lines.iter().map(|line| {
        let outcomes: Vec<_> = line.outcomes.iter().map(outcome).collect();
        serde_json::json!({ "workload": line.workload, "what": line.what, "outcomes": outcomes })
    });
    let rows: Vec<_> = rows.collect();
    let whole = serde_json::json!({ "goal_validate_gb_s": goal, "rows": rows });
    format!("{whole:#}\n")
}
