//! Files appear under their name only when they are complete.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use crate::failure::Failure;

/// Writes a file beside its place, has it stored, and then puts it there. Folders are made.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |error| Failure::file(path, error);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    let name =
        path.file_name().ok_or_else(|| Failure::misuse(format!("{}: not a file name", path.display())))?;
    let part = folder.join(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
    let written = File::create(&part).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&part, path)).map_err(|error| {
        // What is half written is of no use; that it cannot be removed would not be the first thing wrong.
        let _ = fs::remove_file(&part);
        failed(error)
    })
}
