//! Writes result files, which appear under their names only when they are complete.
//!
//! A result never takes the place of an input, which `OutPath` sees to, or of another result. A link, a device, or a file that only its
//! owner may read stays one.

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use md5::{Digest, Md5};

use crate::arguments::ReadOptions;
use crate::failure::Failure;
use crate::source;

pub(crate) fn write(place: &OutPath, bytes: &[u8]) -> Result<(), Failure> {
    let mut part = UnfinishedFile::new(place)?;
    part.write_all(bytes).map_err(|error| Failure::file(&place.0, error))?;
    part.finish()
}

/// The path of a result. Only this can be written to, and whoever makes one names the files that the call reads.
#[derive(Debug)]
pub(crate) struct OutPath(PathBuf);

impl OutPath {
    /// Refuses the path of a file that is read, by whatever name.
    pub(crate) fn new<'p>(path: &Path, read: impl IntoIterator<Item = &'p Path>) -> Result<OutPath, Failure> {
        let place = real(path);
        match read.into_iter().any(|input| !source::is_stdin(input) && real(input) == place) {
            true => Err(Failure::of_path(
                path,
                "it is read by this call and would be replaced; name another file",
            )),
            false => Ok(OutPath(path.to_owned())),
        }
    }

    /// Allows the one file that a call is there to change.
    pub(crate) fn replacing(path: &Path) -> OutPath {
        OutPath(path.to_owned())
    }

    pub(crate) fn unless_there(self) -> Result<OutPath, Failure> {
        match self.0.is_file() {
            true => Err(Failure::of_path(&self.0, "a file is there already (--force replaces it)")),
            false => Ok(self),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

/// Returns the one path that a file has, behind all links, also where nothing is yet.
fn real(path: &Path) -> PathBuf {
    let path = led_to(path).unwrap_or_else(|_| path.to_owned());
    path.canonicalize().unwrap_or_else(|_| {
        let folder = existing(folder_of(&path)).canonicalize().unwrap_or_default();
        folder.join(path.file_name().unwrap_or_default())
    })
}

/// Lists the unfinished files. Nobody can begin another while the lock is held.
static LIVE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The exit code of a program that Ctrl-C stopped, as shells have it.
const STOPPED: i32 = 130;

fn live() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has unfinished files removed when the tool is stopped. Called when the first is begun.
fn clean_up_when_stopped() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // It fails where the signal is ignored, as under `nohup`, and stays ignored.
        let _ = ctrlc::try_set_handler(|| {
            let live = live();
            for part in live.iter() {
                let _ = fs::remove_file(part);
            }
            process::exit(STOPPED);
        });
    });
}

/// Writes a file beside its place, and moves it there when it is complete.
pub(crate) struct UnfinishedFile {
    target: PathBuf,
    /// The path of the unfinished file; `None` for a device or a pipe, which takes the bytes as they come.
    part: Option<PathBuf>,
    file: BufWriter<File>,
}

/// The most links that are followed to a file; more go in a circle.
const MOST_LINKS: usize = 40;

/// Numbers the unfinished files, so that those written at the same time have different names.
static PARTS: AtomicU64 = AtomicU64::new(0);

impl UnfinishedFile {
    pub(crate) fn new(place: &OutPath) -> Result<UnfinishedFile, Failure> {
        let target = place.path();
        let failed = |error| Failure::file(target, error);
        if fs::metadata(target).is_ok_and(|about| !about.is_file() && !about.is_dir()) {
            let file = BufWriter::new(File::options().write(true).open(target).map_err(failed)?);
            return Ok(UnfinishedFile { target: target.to_owned(), part: None, file });
        }
        // A link stays a link: what it leads to is replaced.
        let target = led_to(target).map_err(failed)?;
        let failed = |error| Failure::file(&target, error);
        let folder = folder_of(&target);
        fs::create_dir_all(folder).map_err(failed)?;
        if target.file_name().is_none() {
            return Err(Failure::of_path(&target, "not a file name"));
        }
        if fs::metadata(&target).is_ok_and(|old| old.permissions().readonly()) {
            return Err(Failure::of_path(&target, "it is read-only"));
        }
        let number = PARTS.fetch_add(1, Ordering::Relaxed);
        let part = folder.join(format!(".gdvar.{}.{number}.part", process::id()));
        clean_up_when_stopped();
        let mut parts = live();
        let file = File::options().write(true).create_new(true).open(&part).map_err(failed)?;
        parts.insert(part.clone());
        drop(parts);
        if let Ok(old) = fs::metadata(&target) {
            // A file system that refuses the permissions still gets the file.
            let _ = file.set_permissions(old.permissions());
        }
        Ok(UnfinishedFile { target, part: Some(part), file: BufWriter::new(file) })
    }

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

impl Write for UnfinishedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Removes an unfinished file. An error is ignored: the failure that left it unfinished is reported already.
impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            let mut parts = live();
            let _ = fs::remove_file(part);
            parts.remove(part);
        }
    }
}

/// Writes the new name to the disk, too. An error is ignored: some systems cannot sync folders.
fn sync_folder(target: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder_of(target)).and_then(|folder| folder.sync_all());
    }
}

fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the path that a link leads to, also when nothing is there yet, and any other path as it is. Links in a circle lead
/// nowhere, as the system says too.
fn led_to(path: &Path) -> io::Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&place) else { return Ok(place) };
        place = place.parent().unwrap_or(Path::new("")).join(next);
    }
    fs::metadata(path).map(|_| place)
}

pub(crate) fn make_folder(out: &Path) -> Result<(), Failure> {
    if out.exists() && !out.is_dir() {
        return Err(Failure::of_path(out, "--out takes a folder, this is a file"));
    }
    fs::create_dir_all(out).map_err(|error| Failure::file(out, error))
}

/// The folder for results, with the names that are taken in it.
pub(crate) struct Results<'o> {
    out: &'o Path,
    inputs: Vec<PathBuf>,
    /// The MD5 of each claimed name, which takes 16 bytes however long the name is.
    taken: Mutex<HashSet<[u8; 16]>>,
}

impl<'o> Results<'o> {
    /// Refuses a folder that lies in a folder of inputs: results would become inputs.
    pub(crate) fn new(look: &ReadOptions, out: &'o Path) -> Result<Results<'o>, Failure> {
        let inputs = look.inputs.iter().chain(&look.reading.password_file);
        // This is checked before the folder is made, so that a refusal leaves nothing behind.
        let place = existing(out).canonicalize().map_err(|error| Failure::file(out, error))?;
        let inputs: Vec<(&PathBuf, PathBuf)> =
            inputs.filter_map(|input| Some((input, input.canonicalize().ok()?))).collect();
        if let Some((input, _)) = inputs.iter().find(|(_, real)| real.is_dir() && place.starts_with(real)) {
            return Err(Failure::of_path(input, "--out is in this input: name another"));
        }
        make_folder(out)?;
        let inputs = inputs.into_iter().map(|(_, real)| real).collect();
        Ok(Results { out, inputs, taken: Mutex::default() })
    }

    pub(crate) fn claim(&self, below: &Path) -> Result<(), Failure> {
        let name = Md5::digest(below.as_os_str().as_encoded_bytes()).into();
        match self.taken.lock().unwrap_or_else(PoisonError::into_inner).insert(name) {
            true => Ok(()),
            false => {
                Err(Failure::of_path(&self.out.join(below), "the result of another input has this name"))
            }
        }
    }

    /// Returns the path of a result, unless an input is there.
    pub(crate) fn place(&self, below: &Path) -> Result<OutPath, Failure> {
        let target = self.out.join(below);
        let place = existing(&target).canonicalize().map_err(|error| Failure::file(&target, error))?;
        match self.inputs.iter().any(|input| place.starts_with(input)) {
            true => Err(Failure::of_path(&target, "--out is this input: name another")),
            false => Ok(OutPath(target)),
        }
    }
}

/// Returns the path, or the nearest folder above it that exists.
fn existing(path: &Path) -> &Path {
    let mut ancestors = path.ancestors().filter(|path| !path.as_os_str().is_empty());
    ancestors.find(|path| path.exists()).unwrap_or(Path::new("."))
}
