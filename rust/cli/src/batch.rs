//! Walks the folders of a call without keeping the files' names, and works on the files on all cores.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};
use walkdir::WalkDir;

use crate::arguments::{Format, ReadOptions};
use crate::batch_report::{Account, MOST_AHEAD, Piece, print};
use crate::failure::{Failure, Outcome};
use crate::source;

/// The path of a file, and its name below the input that it was found in.
pub(crate) type FoundFile = (PathBuf, PathBuf);

/// The next file of a walk, or a path that cannot be read and why.
type WalkStep = Result<FoundFile, (PathBuf, io::Error)>;

/// Walks every file of the inputs, folders in the order of their names. Links to folders are not followed,
/// unless a link is itself an input. An input in which no file is found cannot be used.
pub(crate) fn files(inputs: &[PathBuf]) -> impl Iterator<Item = WalkStep> + Send {
    source::named(inputs).into_iter().flat_map(|input| {
        let is_stdin = source::is_stdin(&input);
        let stdin = is_stdin.then(|| Ok((input.clone(), PathBuf::from("stdin.bin"))));
        let walk = WalkDir::new(&input).sort_by_file_name().into_iter().filter(move |_| !is_stdin);
        let mut walked = walk.filter_map(step).peekable();
        let is_missing = stdin.is_none() && walked.peek().is_none();
        let nothing = is_missing.then(|| Err((input, io::Error::other("there is no file in it"))));
        stdin.into_iter().chain(nothing).chain(walked)
    })
}

/// Returns the file that an entry of a walk is. A link that is an input is walked like the folder that it leads to.
fn step(entry: walkdir::Result<walkdir::DirEntry>) -> Option<WalkStep> {
    match entry {
        Ok(entry) if entry.file_type().is_dir() || entry.depth() == 0 && entry.path().is_dir() => None,
        // A pipe or device in a folder would keep the reader waiting.
        Ok(entry) if entry.depth() > 0 && !entry.path().is_file() => None,
        Ok(entry) => Some(Ok(found(&entry))),
        Err(error) => {
            let path = error.path().unwrap_or(Path::new("?")).to_owned();
            Some(Err((path, error.into_io_error().unwrap_or(io::ErrorKind::Other.into()))))
        }
    }
}

fn found(entry: &walkdir::DirEntry) -> FoundFile {
    let path = entry.path();
    let below: PathBuf = match entry.depth() {
        0 => path.file_name().map(PathBuf::from).unwrap_or_default(),
        depth => {
            let parts: Vec<_> = path.components().collect();
            parts[parts.len().saturating_sub(depth)..].iter().collect()
        }
    };
    (path.to_owned(), below)
}

/// Works on every file, on all cores, and reports on each in the order of the files. A failure of one file
/// stops nothing.
pub(crate) fn each(
    look: &ReadOptions,
    format: Format,
    work: impl Fn(&FoundFile, &mut Account) -> Result<(), Failure> + Sync,
) -> Result<Outcome, Failure> {
    each_claimed(look, format, |_| Ok(()), work)
}

/// Works as [`each`] does, and calls `claim` for each file in the order of the files before. A file that it
/// refuses is not worked on.
pub(crate) fn each_claimed(
    look: &ReadOptions,
    format: Format,
    claim: impl Fn(&FoundFile) -> Result<(), Failure> + Sync,
    work: impl Fn(&FoundFile, &mut Account) -> Result<(), Failure> + Sync,
) -> Result<Outcome, Failure> {
    source::asked_for(&look.inputs)?;
    let bar = progress(&look.inputs);
    let files = Mutex::new(files(&look.inputs));
    let (reports, told) = mpsc::sync_channel(MOST_AHEAD);
    // A file gets its place among the reports when it is taken: so the one whose turn it is is always worked on.
    let take = |reports: &SyncSender<Receiver<Piece>>| {
        let mut files = files.lock().unwrap_or_else(PoisonError::into_inner);
        let file = files.next()?;
        let claimed = file.as_ref().map_or(Ok(()), &claim);
        let path = file.as_ref().map_or_else(|(path, _)| path, |(path, _)| path);
        let (account, report) = Account::new(source::name(path), format);
        reports.send(report).ok()?;
        Some((file, claimed, account))
    };
    let worker = |reports: SyncSender<Receiver<Piece>>| {
        while let Some((file, claimed, mut account)) = take(&reports) {
            let outcome = match file {
                Ok(file) => claimed.and_then(|()| work(&file, &mut account)),
                Err((path, error)) => Err(unfound(look, &path, error)),
            };
            account.close(outcome);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            let reports = reports.clone();
            scope.spawn(|| worker(reports));
        }
        drop(reports);
        print(told, &bar)
    })
}

/// Returns the failure for a path that cannot be read. With --hex or --base64 it may be text that was given
/// in place of a file.
fn unfound(look: &ReadOptions, path: &Path, error: io::Error) -> Failure {
    let is_text = look.reading.hex || look.reading.base64;
    if is_text && error.kind() == io::ErrorKind::NotFound {
        let way = "is no file; --hex and --base64 read a file or the standard input";
        return Failure::misuse(format!("{} {way}", source::shown(path)));
    }
    Failure::file(path, error)
}

/// Makes a bar that shows on a terminal when an input is a folder.
fn progress(inputs: &[PathBuf]) -> ProgressBar {
    if !io::stderr().is_terminal() || !inputs.iter().any(|input| input.is_dir()) {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} files, {per_sec}, {eta} left");
    ProgressBar::new(files(inputs).count() as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
