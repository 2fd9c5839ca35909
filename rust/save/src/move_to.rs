//! Gives a save another name, with everything that stands beside it.

use std::io;
use std::path::{Path, PathBuf};

use crate::disk::Disk;
use crate::names::check_length;
use crate::remove::remove;

/// Gives a save, its backups and what was kept of it names after another save. All of them have both names before the first one
/// loses its old one.
///
/// # Errors
/// Fails if there is nothing of the old name, or something of the new one; and if a file gets no second name: then all is as it
/// was. If an old name could not be removed, the save has both.
pub fn move_to(disk: &impl Disk, from: &Path, to: &Path) -> io::Result<()> {
    let (source, target) = (disk.target(from), disk.target(to));
    check_length(&target)?;
    let mut pairs: Vec<(PathBuf, PathBuf)> = Vec::new();
    if disk.has(&source)? {
        pairs.push((source.clone(), target.clone()));
    }
    for file in disk.side_files(&source)? {
        let moved =
            name_of(&file).strip_prefix(name_of(&source)).map(|rest| name_of(&target).to_owned() + rest);
        let moved = moved.ok_or(io::ErrorKind::InvalidFilename)?;
        pairs.push((file, target.with_file_name(moved)));
    }
    if pairs.is_empty() {
        return Err(io::ErrorKind::NotFound.into());
    }
    if disk.has(&target)? || disk.side_files(&target).is_ok_and(|beside| !beside.is_empty()) {
        let words = "a save of the new name is there, or a backup of one: remove() it first";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, words));
    }
    for (done, (old, new)) in pairs.iter().enumerate() {
        if let Err(error) = disk.link(old, new) {
            pairs.iter().take(done).for_each(|(_, new)| drop(disk.remove(new)));
            return Err(error);
        }
    }
    disk.sync_folder(&target);
    remove(disk, from)
}

fn name_of(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::backup_path;
    use crate::tests::test_disk::{TestDisk, Trouble};

    /// Tests a move whose disk fails, or whose process dies, at every single call: all that there was is under one of the names.
    #[test]
    fn a_save_moves_with_everything_beside_it_or_stays() {
        let (slot, other) = (Path::new("slot1.save"), Path::new("folder/slot2.save"));
        let named = |path: &Path| {
            let beside = (0..3).map(|number| backup_path(path, number));
            beside.chain([PathBuf::from(format!("{}.v2", path.display()))]).collect::<Vec<_>>()
        };
        let base = TestDisk::default();
        named(slot).iter().zip(1..).for_each(|(path, byte)| base.put(path, vec![byte]));
        let is_whole = |disk: &TestDisk, path: &Path| {
            named(path).iter().zip(1..).all(|(path, byte)| disk.get(path).is_some_and(|file| *file == [byte]))
        };
        for trouble in [Trouble::Fails, Trouble::Kills] {
            for calls in 0.. {
                let disk = base.copy();
                disk.trouble_at(calls, trouble);
                let moved = move_to(&disk, slot, other);
                let was_trouble = disk.mend();
                assert!(is_whole(&disk, slot) || is_whole(&disk, other), "{calls}: {:?}", disk.names());
                if moved.is_ok() {
                    assert_eq!((disk.names().len(), is_whole(&disk, other)), (4, true), "{calls}");
                }
                if !was_trouble {
                    assert!(moved.is_ok() && calls > 10);
                    break;
                }
            }
        }
        // Nothing is replaced, and nothing is made of nothing.
        let refused = |from: &Path, to: &Path| move_to(&base, from, to).unwrap_err().kind();
        assert_eq!(refused(other, slot), io::ErrorKind::NotFound);
        base.put(&backup_path(other, 1), vec![2]);
        assert_eq!(refused(slot, other), io::ErrorKind::AlreadyExists);
        assert!(is_whole(&base, slot));
    }
}
