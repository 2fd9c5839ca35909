//! Walks the folders of a call without keeping the files' names, and works on the files on all cores.

use std::io::{self, IsTerminal};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};
use walkdir::WalkDir;

use crate::arguments::{Format, ReadOptions};
use crate::batch_report::{Account, BatchReport};
use crate::failure::{Failure, Outcome};
use crate::source;

/// The path of a file, and its name below the input that it was found in.
pub(crate) type FoundFile = (PathBuf, PathBuf);

/// The next file of a walk, or a path that cannot be read and why.
type WalkStep = Result<FoundFile, (PathBuf, io::Error)>;

/// Walks every file of the inputs, folders in the order of their names. Links to folders are not followed,
/// unless a link is itself an input.
pub(crate) fn files(inputs: &[PathBuf]) -> impl Iterator<Item = WalkStep> + Send {
    source::named(inputs).into_iter().flat_map(|input| {
        let walk = WalkDir::new(&input).sort_by_file_name().into_iter();
        let is_stdin = source::is_stdin(&input);
        let stdin = is_stdin.then(|| Ok((input.clone(), PathBuf::from("stdin.bin"))));
        let walked = walk.filter_map(|entry| match entry {
            Ok(entry) if is_folder(&entry) => None,
            // A pipe or device in a folder would keep the reader waiting.
            Ok(entry) if entry.depth() > 0 && !entry.path().is_file() => None,
            Ok(entry) => Some(Ok(found(&entry))),
            Err(error) => {
                let path = error.path().unwrap_or(Path::new("?")).to_owned();
                Some(Err((path, error.into_io_error().unwrap_or(io::ErrorKind::Other.into()))))
            }
        });
        stdin.into_iter().chain(none_is_bad(input, walked).filter(move |_| !is_stdin))
    })
}

/// Whether an entry is a folder. A link that is an input is walked like the folder that it leads to.
fn is_folder(entry: &walkdir::DirEntry) -> bool {
    entry.file_type().is_dir() || entry.depth() == 0 && entry.path().is_dir()
}

/// Adds an error to the walk of an input in which no file was found: it could not be used.
fn none_is_bad(
    input: PathBuf,
    mut walked: impl Iterator<Item = WalkStep> + Send,
) -> impl Iterator<Item = WalkStep> + Send {
    let mut is_found = false;
    iter::from_fn(move || {
        let next = walked.next();
        let is_missing = next.is_none() && !is_found;
        is_found = true;
        let nothing = || Err((input.clone(), io::Error::other("there is no file in it")));
        if is_missing { Some(nothing()) } else { next }
    })
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
    work: impl Fn(&FoundFile, &mut Account<'_>) -> Result<(), Failure> + Sync,
) -> Result<Outcome, Failure> {
    each_of(look, format, &|_| Ok(()), cores(), work)
}

/// Works as [`each`] does, and calls `claim` for each file in the order of the files before. A file that it
/// refuses is not worked on.
pub(crate) fn each_claimed(
    look: &ReadOptions,
    format: Format,
    claim: impl Fn(&FoundFile) -> Result<(), Failure> + Sync,
    work: impl Fn(&FoundFile, &mut Account<'_>) -> Result<(), Failure> + Sync,
) -> Result<Outcome, Failure> {
    each_of(look, format, &claim, cores(), work)
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Works on one file after another, where parallel work would change the result, as that of `bench`.
pub(crate) fn one_by_one(
    look: &ReadOptions,
    format: Format,
    work: impl Fn(&FoundFile, &mut Account<'_>) -> Result<(), Failure> + Sync,
) -> Result<Outcome, Failure> {
    each_of(look, format, &|_| Ok(()), 1, work)
}

fn each_of(
    look: &ReadOptions,
    format: Format,
    claim: &(dyn Fn(&FoundFile) -> Result<(), Failure> + Sync),
    workers: usize,
    work: impl Fn(&FoundFile, &mut Account<'_>) -> Result<(), Failure> + Sync,
) -> Result<Outcome, Failure> {
    source::asked_for(&look.inputs)?;
    let desk = BatchReport::new(progress(&look.inputs));
    let files = files(&look.inputs).map(|file| {
        let claimed = file.as_ref().map_or(Ok(()), claim);
        (file, claimed)
    });
    let files = Mutex::new((0_u64..).zip(files));
    // Files are taken in order: so the file whose turn it is is always worked on, and no worker waits for
    // ever.
    let take = || files.lock().unwrap_or_else(PoisonError::into_inner).next();
    let worker = || {
        while let Some((number, (file, claimed))) = take() {
            if !desk.admit(number) {
                break;
            }
            let path = file.as_ref().map_or_else(|(path, _)| path, |(path, _)| path);
            let mut account = Account::new(&desk, number, source::name(path), format);
            let outcome = match file {
                Ok(file) => claimed.and_then(|()| work(&file, &mut account)),
                Err((path, error)) => Err(unfound(look, &path, error)),
            };
            account.close(outcome);
        }
    };
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(worker);
        }
    });
    desk.close()
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
