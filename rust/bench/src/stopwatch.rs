//! Times several ways to do the same work, in rounds in which each has its turn. It knows nothing of the
//! work.

use std::time::{Duration, Instant};

use crate::contest::Contest;

/// The least duration of a turn, so that the clock's resolution does not matter.
const TURN: Duration = Duration::from_millis(2);
const LEAST_ROUNDS: usize = 9;

/// Holds the time that one crate needed for a piece of work, in nanoseconds.
pub(crate) struct Outcome {
    pub(crate) who: &'static str,
    pub(crate) bytes: usize,
    pub(crate) median: f64,
    pub(crate) least: f64,
    /// The median of this crate's time in a round divided by the first crate's in that round.
    pub(crate) ratio: f64,
}

/// Returns all outcomes, in the order of the jobs.
pub(crate) fn compare(contest: &Contest, budget: Duration) -> Vec<Outcome> {
    let times: Vec<u32> = contest.jobs.iter().map(|job| turns(&job.work)).collect();
    let mut rounds: Vec<Vec<f64>> = Vec::new();
    let end = Instant::now() + budget;
    while rounds.len() < LEAST_ROUNDS || Instant::now() < end {
        let mut round = vec![0.0; contest.jobs.len()];
        // The job that begins a round changes too.
        for turn in 0..contest.jobs.len() {
            let at = (turn + rounds.len()) % contest.jobs.len();
            round[at] = once(&contest.jobs[at].work, times[at]);
        }
        rounds.push(round);
    }
    contest
        .jobs
        .iter()
        .enumerate()
        .map(|(at, job)| {
            let of_round = |round: &Vec<f64>| round[at];
            let all: Vec<f64> = rounds.iter().map(of_round).collect();
            Outcome {
                who: job.who,
                bytes: job.bytes,
                least: all.iter().copied().fold(f64::INFINITY, f64::min),
                median: median(all),
                ratio: median(rounds.iter().map(|round| round[at] / round[0]).collect()),
            }
        })
        .collect()
}

fn turns(work: &dyn Fn()) -> u32 {
    work();
    let once = once(work, 1).min(once(work, 1));
    (TURN.as_nanos() as f64 / once).clamp(1.0, 1_000_000.0) as u32
}

/// Measures the nanoseconds of one piece of work.
fn once(work: &dyn Fn(), times: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..times {
        work();
    }
    (start.elapsed().as_nanos() as f64 / f64::from(times)).max(1.0)
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
