//! Many files: folders walked without keeping their names, files worked on by all cores, answers told in
//! order.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde_json::{Value as Json, json};
use variant_schema::Violation;
use walkdir::WalkDir;

use crate::arguments::Report;
use crate::failure::{Failure, Verdict};
use crate::{paint, source};

/// Files that are worked on at once and whose answers are kept until they are told.
const AT_ONCE: usize = 128;

/// A file, and its name below the input that it was found in.
pub(crate) type Found = (PathBuf, PathBuf);

/// What became of a file.
#[derive(Default)]
pub(crate) struct Answer {
    /// For people.
    pub(crate) text: String,
    /// For scripts: members of an object, besides the file's name.
    pub(crate) members: Vec<Json>,
    pub(crate) warnings: Vec<String>,
    pub(crate) failure: Option<Failure>,
    /// Something bad was found, and `text` tells it.
    pub(crate) is_bad: bool,
}

impl Answer {
    pub(crate) fn failed(failure: Failure) -> Answer {
        Answer { failure: Some(failure), ..Answer::default() }
    }
}

/// Every file of the inputs, folders in the order of their names.
pub(crate) fn files(inputs: &[PathBuf]) -> impl Iterator<Item = Result<Found, Failure>> {
    source::named(inputs).into_iter().flat_map(|input| {
        let walk = WalkDir::new(&input).sort_by_file_name().into_iter();
        let stdin = source::is_stdin(&input).then(|| Ok((input.clone(), PathBuf::from("stdin.bin"))));
        let walked = walk.filter(move |_| !source::is_stdin(&input)).filter_map(|entry| match entry {
            Ok(entry) if entry.file_type().is_dir() => None,
            // A pipe or device in a folder would keep the reader waiting.
            Ok(entry) if entry.depth() > 0 && !entry.path().is_file() => None,
            Ok(entry) => Some(Ok(found(&entry))),
            Err(error) => {
                let path = error.path().unwrap_or(Path::new("?")).to_owned();
                Some(Err(Failure::file(&path, error.into_io_error().unwrap_or(io::ErrorKind::Other.into()))))
            }
        });
        stdin.into_iter().chain(walked)
    })
}

/// Refuses a folder for results that lies in a folder of inputs: they would become inputs.
pub(crate) fn is_apart(inputs: &[PathBuf], out: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(out).map_err(|error| Failure::file(out, error))?;
    let out = out.canonicalize().map_err(|error| Failure::file(out, error))?;
    let holds_out =
        |input: &&PathBuf| input.is_dir() && input.canonicalize().is_ok_and(|input| out.starts_with(input));
    match inputs.iter().find(holds_out) {
        Some(input) => Err(Failure::misuse(format!("{}: the results would lie in it", input.display()))),
        None => Ok(()),
    }
}

fn found(entry: &walkdir::DirEntry) -> Found {
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

/// Works on every file and tells each answer. A failure of one file stops nothing.
pub(crate) fn each(report: &Report, work: impl Fn(&Found) -> Answer + Sync) -> Result<Verdict, Failure> {
    let bar = progress(&report.look.inputs);
    let mut files = files(&report.look.inputs);
    let mut teller = Teller {
        output: io::BufWriter::new(anstream::stdout()),
        is_json: report.json,
        is_good: true,
        misused: None,
    };
    loop {
        let some: Vec<_> = files.by_ref().take(AT_ONCE).collect();
        if some.is_empty() {
            break;
        }
        let answers: Vec<(String, Answer)> = some
            .par_iter()
            .map(|file| match file {
                Ok(file) => (source::name(&file.0), work(file)),
                Err(failure) => (String::new(), Answer::failed(Failure::misuse(failure.to_string()))),
            })
            .collect();
        bar.inc(some.len() as u64);
        bar.suspend(|| answers.iter().try_for_each(|(name, answer)| teller.tell(name, answer)))?;
    }
    bar.finish_and_clear();
    teller.output.flush()?;
    match teller.misused {
        Some(failure) => Err(failure),
        None => Ok(Verdict::of(teller.is_good)),
    }
}

/// A bar where somebody watches and there is more than one file.
fn progress(inputs: &[PathBuf]) -> ProgressBar {
    if !io::stderr().is_terminal() || !inputs.iter().any(|input| input.is_dir()) {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} files, {per_sec}, {eta} left");
    ProgressBar::new(files(inputs).count() as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

struct Teller<W: Write> {
    output: W,
    is_json: bool,
    is_good: bool,
    /// A file could not be used: the exit code says so when all others are done.
    misused: Option<Failure>,
}

impl<W: Write> Teller<W> {
    fn tell(&mut self, name: &str, answer: &Answer) -> Result<(), Failure> {
        if self.is_json {
            self.tell_json(name, answer)?;
        } else {
            self.output.write_all(answer.text.as_bytes())?;
            for warning in &answer.warnings {
                paint::warning(name, warning);
            }
            if let Some(failure) = &answer.failure {
                // In order with what is told on the other output.
                self.output.flush()?;
                paint::failure(Some(name).filter(|name| !name.is_empty()), failure);
            }
        }
        self.is_good &= answer.failure.is_none() && !answer.is_bad;
        if let Some(failure) = &answer.failure
            && !matches!(failure, Failure::Data(_))
        {
            self.misused.get_or_insert_with(|| Failure::misuse("not every file could be used"));
        }
        Ok(())
    }

    fn tell_json(&mut self, name: &str, answer: &Answer) -> Result<(), Failure> {
        for members in &answer.members {
            let mut line = json!({ "file": name });
            if let (Some(line), Some(members)) = (line.as_object_mut(), members.as_object()) {
                line.extend(members.clone());
            }
            writeln!(self.output, "{line}")?;
        }
        if let Some(failure) = &answer.failure {
            writeln!(self.output, "{}", refused(name, failure))?;
        }
        Ok(())
    }
}

/// A file that failed, for scripts. A schema may have more than one thing to say.
fn refused(name: &str, failure: &Failure) -> Json {
    match failure {
        Failure::Data(data) if !data.violations.is_empty() => {
            let violations: Vec<Json> = data.violations.iter().map(violation).collect();
            json!({ "file": name, "ok": false, "violations": violations })
        }
        _ => json!({ "file": name, "ok": false, "error": as_json(failure) }),
    }
}

/// A failure for scripts.
pub(crate) fn as_json(failure: &Failure) -> Json {
    let error = match failure {
        Failure::Data(data) => data.error.as_ref(),
        _ => None,
    };
    match error {
        Some(error) => json!({
            "kind": error.kind().name(),
            "path": error.path().to_string(),
            "byte_offset": error.offset(),
            "message": failure.to_string(),
        }),
        None => json!({ "message": failure.to_string() }),
    }
}

fn violation(found: &Violation) -> Json {
    json!({
        "kind": found.kind.name(),
        "path": found.path.to_string(),
        "byte_offset": found.offset,
        "expected": found.expected,
        "got": found.got,
        "message": found.to_string(),
    })
}
