//! Results: files that appear under their name only when they are complete, and never in the place of an input or of
//! another result. What a name stands for stays what it is: a link, a device, a file that only its owner may read.

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use md5::{Digest, Md5};

use crate::failure::Failure;
use crate::source;

/// Writes a file in one go.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut part = Part::new(path)?;
    part.write_all(bytes).map_err(|error| Failure::file(path, error))?;
    part.finish()
}

/// The parts there are. Who holds the lock keeps others from beginning one.
static LIVE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The exit code of who was stopped by Ctrl-C, as shells have it.
const STOPPED: i32 = 130;

fn live() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From the first part on: who stops the tool finds no parts, and what had the names before.
fn clean_up_when_stopped() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Who was told not to listen, as by `nohup`, does not.
        let _ = ctrlc::try_set_handler(|| {
            let live = live();
            for part in live.iter() {
                let _ = fs::remove_file(part);
            }
            process::exit(STOPPED);
        });
    });
}

/// A file that is being written, beside its place.
pub(crate) struct Part {
    target: PathBuf,
    /// Where it is until it is whole; `None`: a device or a pipe takes the bytes as they come.
    part: Option<PathBuf>,
    file: BufWriter<File>,
}

/// Links on the way to a file; more go in a circle.
const MOST_LINKS: usize = 40;

/// Tells parts apart that are written at the same time.
static PARTS: AtomicU64 = AtomicU64::new(0);

impl Part {
    /// Begins a file; folders are made.
    pub(crate) fn new(target: &Path) -> Result<Part, Failure> {
        let failed = |error| Failure::file(target, error);
        if fs::metadata(target).is_ok_and(|about| !about.is_file() && !about.is_dir()) {
            let file = BufWriter::new(File::options().write(true).open(target).map_err(failed)?);
            return Ok(Part { target: target.to_owned(), part: None, file });
        }
        // A link stays a link: what it leads to is replaced.
        let target = led_to(target);
        let failed = |error| Failure::file(&target, error);
        let folder = folder_of(&target);
        fs::create_dir_all(folder).map_err(failed)?;
        if target.file_name().is_none() {
            return Err(Failure::misuse(format!("{}: not a file name", source::shown(&target))));
        }
        let number = PARTS.fetch_add(1, Ordering::Relaxed);
        let part = folder.join(format!(".gdvar.{}.{number}.part", process::id()));
        clean_up_when_stopped();
        let mut parts = live();
        let file = File::options().write(true).create_new(true).open(&part).map_err(failed)?;
        parts.insert(part.clone());
        drop(parts);
        if let Ok(old) = fs::metadata(&target) {
            // Where that cannot be had, the file is worth having all the same.
            let _ = file.set_permissions(old.permissions());
        }
        Ok(Part { target, part: Some(part), file: BufWriter::new(file) })
    }

    /// Has it stored and puts it in its place.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let put = self.file.flush().and_then(|()| {
            let Some(part) = &self.part else { return Ok(()) };
            self.file.get_ref().sync_all()?;
            fs::rename(part, &self.target)?;
            live().remove(part);
            sync_folder(&self.target);
            Ok(())
        });
        if put.is_ok() {
            self.part = None;
        }
        put.map_err(|error| Failure::file(&self.target, error))
    }
}

impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// What is half written is of no use; that it cannot be removed would not be the first thing wrong.
impl Drop for Part {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            let mut parts = live();
            let _ = fs::remove_file(part);
            parts.remove(part);
        }
    }
}

/// The new name is on the disk too. Where folders cannot be synced, the system does it in its time.
fn sync_folder(target: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder_of(target)).and_then(|folder| folder.sync_all());
    }
}

fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Where a link leads, also when nothing is there yet; any other path as it is.
fn led_to(path: &Path) -> PathBuf {
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&place) else { return place };
        place = place.parent().unwrap_or(Path::new("")).join(next);
    }
    path.to_owned()
}

/// The folder for results.
pub(crate) struct Results<'o> {
    out: &'o Path,
    inputs: Vec<PathBuf>,
    /// MD5 of the names that were given away: few bytes, however many files there are.
    taken: Mutex<HashSet<[u8; 16]>>,
}

impl<'o> Results<'o> {
    /// Refuses a folder that lies in a folder of inputs: results would become inputs.
    pub(crate) fn new(inputs: &[PathBuf], out: &'o Path) -> Result<Results<'o>, Failure> {
        // Looked at before it is made: a refusal leaves nothing behind.
        let place = existing(out).canonicalize().map_err(|error| Failure::file(out, error))?;
        let inputs: Vec<(&PathBuf, PathBuf)> =
            inputs.iter().filter_map(|input| Some((input, input.canonicalize().ok()?))).collect();
        if let Some((input, _)) = inputs.iter().find(|(_, real)| real.is_dir() && place.starts_with(real)) {
            return Err(Failure::misuse(format!("{}: the results would lie in it", source::shown(input))));
        }
        if out.exists() && !out.is_dir() {
            return Err(Failure::misuse(format!(
                "{}: --out takes a folder, this is a file",
                source::shown(out)
            )));
        }
        fs::create_dir_all(out).map_err(|error| Failure::file(out, error))?;
        let inputs = inputs.into_iter().map(|(_, real)| real).collect();
        Ok(Results { out, inputs, taken: Mutex::default() })
    }

    /// Keeps a name below the folder for one input.
    pub(crate) fn claim(&self, below: &Path) -> Result<(), Failure> {
        let name = Md5::digest(below.as_os_str().as_encoded_bytes()).into();
        match self.taken.lock().unwrap_or_else(PoisonError::into_inner).insert(name) {
            true => Ok(()),
            false => Err(Failure::misuse(format!(
                "{}: the result of another input has this name",
                source::shown(&self.out.join(below))
            ))),
        }
    }

    /// The place of a result, unless an input is there.
    pub(crate) fn place(&self, below: &Path) -> Result<PathBuf, Failure> {
        let target = self.out.join(below);
        let place = existing(&target).canonicalize().map_err(|error| Failure::file(&target, error))?;
        match self.inputs.iter().any(|input| place.starts_with(input)) {
            true => Err(Failure::misuse(format!("{}: an input has this place", source::shown(&target)))),
            false => Ok(target),
        }
    }
}

/// The path, or the folder above it that there is.
fn existing(path: &Path) -> &Path {
    let mut ancestors = path.ancestors().filter(|path| !path.as_os_str().is_empty());
    ancestors.find(|path| path.exists()).unwrap_or(Path::new("."))
}
