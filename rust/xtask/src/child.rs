//! Runs one program to its end: it prints the output as it comes, keeps the lines, and stops at a deadline.
//!
//! It does not judge what the program prints.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// Selects where the output of a child goes while it runs. The lines are kept either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Show {
    /// The output is printed to our own standard output and error.
    Now,
    /// The output is not printed; the caller prints the lines if they matter.
    Later,
}

/// Holds the result of a finished program.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The exit code; `None` when a signal or our deadline ended the child.
    pub(crate) code: Option<i32>,
    /// Both streams, line by line, in the order in which they arrived.
    pub(crate) lines: Vec<String>,
    /// The time from start to end.
    pub(crate) seconds: f64,
    /// Whether the deadline ended the child.
    pub(crate) timed_out: bool,
}

impl Outcome {
    /// Makes the outcome of a program that printed `text`.
    #[cfg(test)]
    pub(crate) fn sample(code: Option<i32>, text: &str) -> Self {
        Self { code, lines: text.lines().map(str::to_owned).collect(), seconds: 0.0, timed_out: false }
    }

    /// Returns the exit code as that of a command; 3 for a program that was cut off.
    pub(crate) fn exit_code(&self) -> u8 {
        self.code.and_then(|code| u8::try_from(code).ok()).unwrap_or(3)
    }

    /// Returns whether the program ended by itself with exit code 0.
    pub(crate) fn success(&self) -> bool {
        self.code == Some(0)
    }

    /// Joins all lines of output.
    pub(crate) fn text(&self) -> String {
        self.lines.join("\n")
    }
}

/// Runs `command` to its end, or to `limit`.
pub(crate) fn run(command: &mut Command, show: Show, limit: Option<Duration>) -> Result<Outcome> {
    command.stderr(Stdio::piped());
    run_as_it_is(command, show, limit)
}

/// Runs `command` with its errors written to a file, as a game's errors go to its log.
pub(crate) fn run_logging(command: &mut Command, log: &Path, limit: Option<Duration>) -> Result<Outcome> {
    command.stderr(File::create(log).with_context(|| format!("cannot write {}", log.display()))?);
    run_as_it_is(command, Show::Now, limit)
}

fn run_as_it_is(command: &mut Command, show: Show, limit: Option<Duration>) -> Result<Outcome> {
    let start = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    let lines = listen(&mut child, show);
    let timed_out = wait(&mut child, limit.map(|limit| start + limit))?;
    let code = child.wait()?.code();
    // A killed child can leave a grandchild that holds the pipes open; then only the lines that have arrived
    // are taken.
    let lines = if timed_out { lines.try_iter().collect() } else { lines.iter().collect() };
    Ok(Outcome { code, lines, seconds: start.elapsed().as_secs_f64(), timed_out })
}

fn listen(child: &mut Child, show: Show) -> Receiver<String> {
    let (sender, receiver) = channel();
    let errors = sender.clone();
    if let Some(stdout) = child.stdout.take() {
        forward(stdout, sender, move |line| {
            if show == Show::Now {
                println!("{line}");
            }
        });
    }
    if let Some(stderr) = child.stderr.take() {
        forward(stderr, errors, move |line| {
            if show == Show::Now {
                eprintln!("{line}");
            }
        });
    }
    receiver
}

fn forward(stream: impl Read + Send + 'static, lines: Sender<String>, print: impl Fn(&str) + Send + 'static) {
    thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        let mut bytes = Vec::new();
        while matches!(stream.read_until(b'\n', &mut bytes), Ok(count) if count > 0) {
            let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned();
            print(&line);
            if lines.send(line).is_err() {
                return;
            }
            bytes.clear();
        }
    });
}

/// Waits for the child's end. Returns true when the deadline came first; the child is killed then.
fn wait(child: &mut Child, deadline: Option<Instant>) -> Result<bool> {
    while let Some(deadline) = deadline
        && child.try_wait()?.is_none()
    {
        if Instant::now() >= deadline {
            child.kill()?;
            return Ok(true);
        }
        thread::sleep(Duration::from_millis(10));
    }
    Ok(false)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Outcome {
        run(Command::new("sh").args(["-c", script]), Show::Later, Some(limit)).unwrap()
    }

    #[test]
    fn keeps_both_streams_and_the_code() {
        let mut outcome = shell("echo out; echo err >&2; exit 3", Duration::from_secs(20));
        outcome.lines.sort();
        assert_eq!(outcome.lines, ["err", "out"]);
        assert_eq!((outcome.code, outcome.timed_out), (Some(3), false));
    }

    #[test]
    fn errors_go_to_a_log() {
        let log = std::env::temp_dir().join(format!("variant-stream-child-{}.log", std::process::id()));
        let mut command = Command::new("sh");
        let outcome = run_logging(command.args(["-c", "echo out; echo err >&2"]), &log, None).unwrap();
        assert_eq!(outcome.lines, ["out"]);
        assert_eq!(std::fs::read_to_string(&log).unwrap(), "err\n");
        std::fs::remove_file(&log).unwrap();
    }

    #[test]
    fn ends_what_does_not_end() {
        let outcome = shell("echo begun; exec sleep 60", Duration::from_millis(300));
        assert!(outcome.timed_out && outcome.code.is_none() && outcome.seconds < 30.0);
    }
}
