//! Names the files that stand beside a save: backups, damaged and refused files, older versions. It touches no disk.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use crate::replace::beside;

/// The number of bytes that a file beside a save may add to its name: `.v4294967295-9` is the longest.
const LONGEST_SUFFIX: usize = 14;
/// The number of bytes of a name that most file systems take.
const LONGEST_NAME: usize = 255;
/// The number of files that are kept under one name and a number: `NAME.refused`, `NAME.refused-2` and so on.
const MOST_KEPT: u32 = 9;

/// Returns the name of a backup: `NAME.bak` for 1, `NAME.bak2` for 2.
#[must_use]
pub fn backup_path(path: &Path, number: u32) -> PathBuf {
    match number {
        0 => path.to_path_buf(),
        1 => beside(path, ".bak"),
        _ => beside(path, &format!(".bak{number}")),
    }
}

/// Returns the names under which a file can be kept, in their order: `NAME.v1`, `NAME.v1-2` and so on.
pub(crate) fn kept_paths(path: &Path, suffix: &str) -> impl Iterator<Item = PathBuf> {
    (1..=MOST_KEPT).map(move |number| match number {
        1 => beside(path, &format!(".{suffix}")),
        _ => beside(path, &format!(".{suffix}-{number}")),
    })
}

/// Returns the name of the save that a file stands beside: `NAME` for `NAME.bak2`, and whether the file is a backup, which
/// is loaded in the place of the save.
#[must_use]
pub fn save_of_side_file(name: &str) -> Option<(&str, bool)> {
    let (stem, ending) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())?;
    if let Some(number) = ending.strip_prefix("bak") {
        return (number.is_empty() || is_number(number)).then_some((stem, true));
    }
    let kept = match ending.rsplit_once('-') {
        Some((kept, number)) if is_number(number) => kept,
        _ => ending,
    };
    let is_version = kept.strip_prefix('v').is_some_and(is_number);
    (is_version || kept == "damaged" || kept == "refused").then_some((stem, false))
}

pub(crate) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Refuses a name beside which no backup could stand: a first save would be the last.
pub(crate) fn check_length(path: &Path) -> io::Result<()> {
    let length = path.file_name().map_or(0, OsStr::len);
    if length.saturating_add(LONGEST_SUFFIX) <= LONGEST_NAME {
        return Ok(());
    }
    let most = LONGEST_NAME.saturating_sub(LONGEST_SUFFIX);
    let words = format!(
        "the name of a save has at most {most} bytes, this one has {length}: its backups have longer names"
    );
    Err(io::Error::new(io::ErrorKind::InvalidFilename, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_beside_a_save_are_told_from_saves() {
        for (name, told) in [
            ("a.save.bak", Some(("a.save", true))),
            ("a.save.bak12", Some(("a.save", true))),
            ("a.save.v3", Some(("a.save", false))),
            ("a.save.v3-2", Some(("a.save", false))),
            ("a.save.damaged", Some(("a.save", false))),
            ("a.save.refused-9", Some(("a.save", false))),
            ("a.save", None),
            ("a.bakery", None),
            ("a.v", None),
            ("a.vx-2", None),
            ("a.b-2", None),
            (".bak", None),
        ] {
            assert_eq!(save_of_side_file(name), told, "{name}");
        }
    }

    #[test]
    fn names_leave_room_for_what_stands_beside() {
        assert!(check_length(Path::new(&format!("folder/{}", "n".repeat(241)))).is_ok());
        for length in 242..300 {
            assert!(check_length(Path::new(&"n".repeat(length))).is_err(), "{length}");
        }
        let name = PathBuf::from("n".repeat(241));
        let kept = kept_paths(&name, "v4294967295").chain([backup_path(&name, 99)]);
        assert_eq!(kept.map(|path| path.as_os_str().len()).max(), Some(255));
    }
}
