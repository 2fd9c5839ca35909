//! A disk in memory for tests: it fails or lies at a chosen call, and a power cut loses any part of what was not synced.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::disk::Disk;
use crate::names::save_of_side_file;

type Names = BTreeMap<PathBuf, Rc<Vec<u8>>>;

/// Changes names in one step, as a call of the system does: the new content of each, `None` for a name that is gone.
type Change = Vec<(PathBuf, Option<Rc<Vec<u8>>>)>;

/// Says what a call does that is not done as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The call fails, and those after it succeed.
    Fails,
    /// The call and all after it fail: the process is dead.
    Kills,
    /// A read gives other bytes, or fails; other calls succeed.
    Lies,
}

#[derive(Default)]
pub(crate) struct TestDisk {
    pub(crate) files: RefCell<Names>,
    /// The names that a power cut leaves for sure.
    synced: RefCell<Names>,
    /// The changes of names since then, the oldest first.
    changes: RefCell<Vec<Change>>,
    /// The number of calls until the trouble.
    trouble: Cell<Option<(u32, Trouble)>>,
    /// The number of temporary files so far.
    begun: Cell<u32>,
    /// Whether another process makes the next link a moment earlier.
    is_raced: Cell<bool>,
}

impl TestDisk {
    /// Lets the call behind so many others have trouble.
    pub(crate) fn trouble_at(&self, calls: u32, trouble: Trouble) {
        self.trouble.set(Some((calls, trouble)));
    }

    /// Lets another process make the next link, of the same file, a moment earlier.
    pub(crate) fn race(&self) {
        self.is_raced.set(true);
    }

    /// Ends the trouble, and tells whether there was one.
    pub(crate) fn mend(&self) -> bool {
        self.trouble.take().is_none_or(|(calls, _)| calls == 0)
    }

    /// Tells whether the process is dead: what it answers, nobody hears.
    pub(crate) fn is_dead(&self) -> bool {
        matches!(self.trouble.get(), Some((0, Trouble::Kills)))
    }

    /// Counts a call; returns whether it lies.
    fn call(&self) -> io::Result<bool> {
        match self.trouble.get() {
            Some((0, Trouble::Lies)) => {
                self.trouble.set(None);
                Ok(true)
            }
            Some((0, trouble)) => {
                if trouble == Trouble::Fails {
                    self.trouble.set(None);
                }
                Err(io::Error::other("the disk is broken"))
            }
            Some((calls, trouble)) => {
                self.trouble.set(Some((calls - 1, trouble)));
                Ok(false)
            }
            None => Ok(false),
        }
    }

    fn change(&self, change: Change) {
        apply(&mut self.files.borrow_mut(), &change);
        self.changes.borrow_mut().push(change);
    }

    fn of(&self, path: &Path) -> io::Result<Rc<Vec<u8>>> {
        self.files.borrow().get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Puts a file on the disk, as if it had always been there.
    pub(crate) fn put(&self, path: &Path, bytes: Vec<u8>) {
        let bytes = Rc::new(bytes);
        self.synced.borrow_mut().insert(path.to_owned(), Rc::clone(&bytes));
        self.files.borrow_mut().insert(path.to_owned(), bytes);
    }

    pub(crate) fn get(&self, path: &Path) -> Option<Rc<Vec<u8>>> {
        self.files.borrow().get(path).cloned()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.files.borrow().keys().map(|path| path.display().to_string()).collect()
    }

    /// Writes everything to the disk, as systems do in their time.
    pub(crate) fn flush(&self) {
        self.changes.borrow_mut().clear();
        *self.synced.borrow_mut() = self.files.borrow().clone();
    }

    /// Returns the number of changes that a power cut may lose.
    pub(crate) fn unsynced(&self) -> usize {
        self.changes.borrow().len()
    }

    /// Cuts the power: of the changes that were not synced, only those stay whose bit is set.
    pub(crate) fn cut_power(&self, stays: u64) {
        let mut names = self.synced.borrow().clone();
        for (at, change) in self.changes.take().iter().enumerate() {
            if stays >> (at % 64) & 1 == 1 {
                apply(&mut names, change);
            }
        }
        *self.files.borrow_mut() = names.clone();
        *self.synced.borrow_mut() = names;
        self.trouble.set(None);
    }

    /// Returns a disk with the same files and the same changes that a power cut may lose.
    pub(crate) fn copy(&self) -> TestDisk {
        TestDisk {
            files: self.files.clone(),
            synced: self.synced.clone(),
            changes: self.changes.clone(),
            begun: self.begun.clone(),
            ..TestDisk::default()
        }
    }
}

fn apply(names: &mut Names, change: &Change) {
    for (path, file) in change {
        match file {
            Some(file) => names.insert(path.clone(), Rc::clone(file)),
            None => names.remove(path),
        };
    }
}

impl Disk for TestDisk {
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let lies = self.call()?;
        let file = self.of(path)?;
        let mut bytes = file[..file.len().min(most as usize)].to_vec();
        if lies {
            match self.begun.get() % 3 {
                0 => return Err(io::Error::other("the disk does not answer")),
                1 => bytes.fill(0),
                _ => {
                    let middle = bytes.len() / 2;
                    if let Some(byte) = bytes.get_mut(middle) {
                        *byte ^= 1;
                    }
                }
            }
        }
        Ok(bytes)
    }

    type Temporary = ();

    fn create_beside(&self, target: &Path, bytes: &[u8]) -> io::Result<((), PathBuf)> {
        self.call()?;
        let number = self.begun.replace(self.begun.get() + 1);
        let temporary = PathBuf::from(format!("{}.1-{number}.tmp", target.display()));
        self.change(vec![(temporary.clone(), Some(Rc::new(bytes.to_vec())))]);
        Ok(((), temporary))
    }

    fn read_back(&self, (): &mut (), path: &Path, most: u64) -> io::Result<Vec<u8>> {
        self.read(path, most)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call()?;
        let file = self.of(from)?;
        if self.is_raced.take() {
            self.change(vec![(to.to_owned(), Some(Rc::clone(&file)))]);
        }
        if self.get(to).is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.change(vec![(to.to_owned(), Some(file))]);
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call()?;
        let file = self.of(from)?;
        self.change(vec![(from.to_owned(), None), (to.to_owned(), Some(file))]);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call()?;
        self.of(path)?;
        self.change(vec![(path.to_owned(), None)]);
        Ok(())
    }

    fn side_files(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.call()?;
        let own = path.to_str().unwrap();
        let files = self.files.borrow();
        let mut found: Vec<_> = files
            .keys()
            .filter_map(|file| {
                let (save, is_backup) = save_of_side_file(file.to_str()?)?;
                (save == own).then(|| (!is_backup, std::cmp::Reverse(file.as_os_str().len()), file.clone()))
            })
            .collect();
        found.sort();
        Ok(found.into_iter().map(|(_, _, path)| path).collect())
    }

    fn sync_folder(&self, _: &Path) {
        if !self.is_dead() {
            self.flush();
        }
    }
}
