//! Finds the saves of a folder, and reads the front of each for a list. Names alone decide what is a save and what stands
//! beside one.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use variant_core::{Dialect, VariantType};
use variant_save::container::is_container;
use variant_save::{Disk, FileError, RealDisk, Refusal, SaveFront, Thumbnail, peek, save_of_side_file};
use variant_text::sniff::ENOUGH;

use super::errors;
use super::judge::refusal_of;
use crate::call::problem::Problem;
use crate::call::sniff::Beginning;

/// Reads the front of the file that a load would take: the save, or where that is lost the newest backup with a front.
/// Returns the path of that file, too.
pub(crate) fn front(path: &Path, thumbnail: Thumbnail) -> Result<(SaveFront, PathBuf), Problem> {
    let target = RealDisk.target(path);
    let problem = match front_of_file(&target, thumbnail) {
        Ok(peeked) => return Ok((peeked, target)),
        Err((problem, true)) => problem,
        Err((problem, false)) => return Err(problem),
    };
    let beside = RealDisk.side_files(&target).unwrap_or_default();
    let is_backup = |file: &&PathBuf| {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        save_of_side_file(name).is_some_and(|(_, is_backup)| is_backup)
    };
    let newest_first = beside.iter().filter(is_backup).rev();
    let read = |backup: &PathBuf| Some((front_of_file(backup, thumbnail).ok()?, backup.clone()));
    newest_first.into_iter().find_map(read).ok_or(problem)
}

/// Reads the front of a file, or returns what is wrong with it and whether a backup is the better choice.
fn front_of_file(path: &Path, thumbnail: Thumbnail) -> Result<SaveFront, (Problem, bool)> {
    let file = match RealDisk.open(path) {
        Ok(file) => file,
        Err(error) => {
            return Err((Problem::of_disk(&error), error.kind() != std::io::ErrorKind::Unsupported));
        }
    };
    let peeked = peek(&mut BufReader::with_capacity(4096, file), thumbnail);
    peeked.map_err(|fault| {
        let problem = errors::of_file_fault(fault, || beginning_of(path));
        let is_lost = refusal_of(&problem) == Refusal::Damage;
        (problem, is_lost)
    })
}

/// Reads the first bytes of a file, by which its kind is told.
fn beginning_of(path: &Path) -> Beginning {
    let size = fs::metadata(path).map_or(0, |about| about.len());
    // What cannot be read any more looks like nothing.
    let first = RealDisk.read(path, ENOUGH as u64).unwrap_or_default();
    Beginning::of_part(&first, size, Dialect::Godot4)
}

/// The saves in a folder by name: files with our signature, and those that the engine wrote as well. A name whose file is gone or
/// damaged counts by its backup.
pub(crate) fn names(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let entries = fs::read_dir(folder).map_err(|error| Problem::of_disk(&error))?;
    let mut names = BTreeSet::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let (save, counts) = match save_of_side_file(name) {
            None => (name, true),
            Some((save, is_backup)) => (save, is_backup),
        };
        if counts && !save.ends_with(".tmp") && (begins_as_save(&path) || is_unversioned(&path)) {
            names.insert(folder.join(save));
        }
    }
    Ok(names.into_iter().collect())
}

pub(crate) fn exists(path: &Path) -> bool {
    RealDisk.target(path).is_file() || front(path, Thumbnail::Skip).is_ok()
}

/// The name of the save in a folder that was written last.
pub(crate) fn newest(folder: &Path) -> Option<String> {
    let heads = names(folder).ok()?.into_iter();
    let heads = heads.filter_map(|path| Some((front(&path, Thumbnail::Skip).ok()?.0.head, path)));
    let newest = heads.max_by_key(|(head, _)| (head.time_ms, head.generation));
    newest.and_then(|(_, path)| Some(path.file_name()?.to_string_lossy().into_owned()))
}

/// Whether a file is one that `unversioned` loads, by its front: a container of the engine's, or values of which each has its length
/// before it, up to the end of the file.
pub(crate) fn is_unversioned(path: &Path) -> bool {
    let Ok(mut file) = RealDisk.open(path) else { return false };
    let size = file.metadata().map_or(0, |about| about.len());
    let (mut at, mut head) = (0_u64, [0; 8]);
    while at < size && file.seek(SeekFrom::Start(at)).is_ok() && file.read_exact(&mut head).is_ok() {
        if at == 0 && is_container(&head) {
            return true;
        }
        let [a, b, c, d, ty, zero, _, zero_too] = head;
        let length = u32::from_le_bytes([a, b, c, d]);
        if length < 4 || usize::from(ty) >= VariantType::ALL.len() || [zero, zero_too] != [0; 2] {
            return false;
        }
        at += u64::from(length) + 4;
    }
    size > 0 && at == size
}

fn begins_as_save(path: &Path) -> bool {
    let mut head = [0; 8];
    let read = RealDisk.open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head == variant_save::SIGNATURE
}
