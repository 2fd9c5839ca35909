//! Prints the reports of files that are worked on in parallel in the order of the files.
//!
//! Each report comes in pieces through a channel of its own, which holds a few: a worker waits with more until those before its
//! file are printed. From then on the report is written through, so that it may have any length.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};

use indicatif::ProgressBar;
use serde_json::{Value as Json, json};

use crate::arguments::Format;
use crate::failure::{Failure, Outcome};
use crate::paint;

/// The least bytes of a piece that does not end its report.
const MOST_KEPT: usize = 1 << 17;
/// The pieces that a channel holds: one that is full, and the end.
const MOST_PIECES: usize = 2;
/// The number of files that may be ahead of the one whose turn it is.
pub(crate) const MOST_AHEAD: usize = 128;

/// Holds text for the standard output and the standard error in the order in which it came.
pub(crate) struct Piece {
    texts: Vec<(To, Vec<u8>)>,
    end: PieceEnd,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum To {
    Output,
    Error,
}

/// Tells whether a piece ends its report.
enum PieceEnd {
    More,
    /// Somebody may wait for the piece at the end of a pipe. The worker hears when it is written.
    Flush(Sender<()>),
    End(FileVerdict),
}

#[derive(Clone, Copy, Default)]
struct FileVerdict {
    is_bad: bool,
    /// Something could not be read, where that is no verdict.
    is_trouble: bool,
    is_unused: bool,
}

/// Prints all reports, and returns the verdict on all files. If the output is closed or full, the workers find nobody who
/// takes their reports.
pub(crate) fn print(reports: Receiver<Receiver<Piece>>, bar: &ProgressBar) -> Result<Outcome, Failure> {
    let mut output = io::BufWriter::new(anstream::stdout());
    let is_on_terminal = io::stdout().is_terminal();
    let (mut all, mut files, mut unused) = (FileVerdict::default(), 0, 0);
    let mut print = |piece: Piece| {
        let is_beside_bar = is_on_terminal || piece.texts.iter().any(|(to, _)| *to == To::Error);
        let mut write = || write(&mut output, &piece.texts);
        // Taking the bar away and bringing it back costs more than most files.
        if is_beside_bar {
            bar.suspend(write)?
        } else {
            write()?
        }
        match piece.end {
            PieceEnd::More => {}
            PieceEnd::Flush(written) => {
                output.flush()?;
                let _ = written.send(());
            }
            PieceEnd::End(verdict) => {
                all.is_bad |= verdict.is_bad;
                all.is_trouble |= verdict.is_trouble;
                unused += u64::from(verdict.is_unused);
                files += 1;
                bar.inc(1);
            }
        }
        io::Result::Ok(())
    };
    let printed = reports.into_iter().flatten().try_for_each(&mut print);
    bar.finish_and_clear();
    printed?;
    output.flush()?;
    match (unused, files) {
        (0, _) if all.is_trouble && !all.is_bad => Ok(Outcome::Unused),
        (0, _) => Ok(Outcome::of(!all.is_bad)),
        (1, 1) => Ok(Outcome::Unused),
        _ => Err(Failure::misuse("not every file could be used")),
    }
}

fn write(output: &mut impl Write, texts: &[(To, Vec<u8>)]) -> io::Result<()> {
    texts.iter().try_for_each(|(to, text)| match to {
        To::Output => output.write_all(text),
        To::Error => {
            // This keeps the order of the two outputs.
            output.flush()?;
            paint::told(text);
            Ok(())
        }
    })
}

pub(crate) struct Account {
    report: SyncSender<Piece>,
    name: String,
    format: Format,
    texts: Vec<(To, Vec<u8>)>,
    bytes: usize,
    verdict: FileVerdict,
}

impl Account {
    /// Begins a report; its pieces come out of the other end.
    pub(crate) fn new(name: String, format: Format) -> (Account, Receiver<Piece>) {
        let (report, pieces) = mpsc::sync_channel(MOST_PIECES);
        let verdict = FileVerdict::default();
        (Account { report, name, format, texts: Vec::new(), bytes: 0, verdict }, pieces)
    }

    /// Marks the file as bad. The reason has been reported already.
    pub(crate) const fn is_bad(&mut self) {
        self.verdict.is_bad = true;
    }

    /// Reports a finding: for people as text, for scripts as members of an object beside the file's name.
    pub(crate) fn tell(&mut self, text: &str, members: impl FnOnce() -> Json) -> io::Result<()> {
        if !self.format.is_json() {
            return self.say(text);
        }
        self.begin(members())?;
        self.write_all(b"}\n")
    }

    /// Writes what scripts do not get.
    pub(crate) fn say(&mut self, text: &str) -> io::Result<()> {
        if self.format.is_json() { Ok(()) } else { self.write_all(text.as_bytes()) }
    }

    /// Writes the beginning of an object with the file's name. The caller writes more members and the end.
    pub(crate) fn begin(&mut self, members: Json) -> io::Result<()> {
        let mut line = json!({ "file": self.name });
        if let (Some(line), Json::Object(members)) = (line.as_object_mut(), members) {
            line.extend(members);
        }
        let line = paint::shown(&line.to_string());
        self.write_all(line.strip_suffix('}').unwrap_or(&line).as_bytes())
    }

    /// Warns of something that stopped nothing. Scripts find it among the members of the object.
    pub(crate) fn warn(&mut self, message: &str) -> io::Result<()> {
        if self.format.is_json() {
            return Ok(());
        }
        let mut text = Vec::new();
        paint::warning(&mut text, &self.name, message);
        self.keep(To::Error, &text)
    }

    /// Reports what could not be read, for a command whose verdict is about something else.
    pub(crate) fn trouble(&mut self, failure: &Failure) -> io::Result<()> {
        let was_bad = self.verdict.is_bad;
        self.fail(failure)?;
        self.verdict.is_bad = was_bad;
        self.verdict.is_trouble = true;
        Ok(())
    }

    pub(crate) fn fail(&mut self, failure: &Failure) -> io::Result<()> {
        self.verdict.is_bad = true;
        self.verdict.is_unused |= !matches!(failure, Failure::Data(_));
        if self.format.is_json() {
            let line = failure.for_scripts(&self.name);
            return writeln!(self, "{}", paint::shown(&line.to_string()));
        }
        let mut text = Vec::new();
        paint::failure(&mut text, Some(&self.name), failure);
        self.keep(To::Error, &text)
    }

    pub(crate) fn close(mut self, outcome: Result<(), Failure>) {
        if let Err(failure) = outcome
            && !failure.is_of_output()
        {
            // If this fails, the output is gone, which whoever prints knows already.
            let _ = self.fail(&failure);
        }
        let _ = self.pass(PieceEnd::End(self.verdict));
    }

    /// Waits until what was reported so far is printed: somebody may wait for it at the end of a pipe, and if nobody does any
    /// more, no other value is read.
    pub(crate) fn send(&mut self) -> io::Result<()> {
        let (written, is_written) = mpsc::channel();
        self.pass(PieceEnd::Flush(written))?;
        is_written.recv().map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn keep(&mut self, to: To, text: &[u8]) -> io::Result<()> {
        match self.texts.last_mut() {
            Some((last, part)) if *last == to => part.extend_from_slice(text),
            _ => self.texts.push((to, text.to_vec())),
        }
        self.bytes += text.len();
        if self.bytes < MOST_KEPT { Ok(()) } else { self.pass(PieceEnd::More) }
    }

    fn pass(&mut self, end: PieceEnd) -> io::Result<()> {
        self.bytes = 0;
        let texts = std::mem::take(&mut self.texts);
        self.report.send(Piece { texts, end }).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

/// Takes text for the standard output.
impl Write for Account {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.keep(To::Output, text).map(|()| text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A worker does not wait for its turn with the end of a report that has been kept whole.
    #[test]
    fn a_report_of_some_size_is_kept_until_its_turn() {
        for size in [0, MOST_KEPT - 1, MOST_KEPT, 2 * MOST_KEPT - 1] {
            let (mut account, pieces) = Account::new(String::new(), Format::Text);
            let (done, is_done) = mpsc::channel();
            std::thread::spawn(move || {
                vec![b'x'; size].chunks(1000).try_for_each(|text| account.write_all(text)).unwrap();
                account.close(Ok(()));
                done.send(()).unwrap();
            });
            let waited = is_done.recv_timeout(std::time::Duration::from_secs(10));
            assert!(waited.is_ok(), "{size} bytes wait");
            let kept: usize =
                pieces.into_iter().flat_map(|piece| piece.texts).map(|(_, text)| text.len()).sum();
            assert_eq!(kept, size);
        }
    }
}
