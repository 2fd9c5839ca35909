//! Writes and unpacks release archives whose bytes depend only on the files.
//!
//! Entries are sorted, have one fixed time, and are compressed by a crate that is linked in. It does not
//! choose the files.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::Digest;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

/// Describes one file of an archive.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    /// The path in the archive, with `/`.
    pub(super) name: String,
    /// The file that holds the bytes.
    pub(super) source: PathBuf,
}

/// Writes `entries` to `to`.
pub(super) fn write(entries: &[Entry], to: &Path) -> Result<()> {
    let mut sorted = entries.to_vec();
    sorted.sort();
    let file = File::create(to).with_context(|| format!("cannot write {}", to.display()))?;
    let mut zip = ZipWriter::new(file);
    // The default time is 1980-01-01, the first that the format can hold.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(9))
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    for Entry { name, source } in &sorted {
        let bytes = fs::read(source).with_context(|| format!("cannot read {}", source.display()))?;
        zip.start_file(name.as_str(), options)?;
        zip.write_all(&bytes)?;
    }
    zip.finish()?.sync_all()?;
    Ok(())
}

/// Unpacks an archive into a folder.
pub(crate) fn unpack(archive: &Path, to: &Path) -> Result<()> {
    let file = File::open(archive).with_context(|| format!("cannot read {}", archive.display()))?;
    ZipArchive::new(file)?.extract(to).with_context(|| format!("cannot unpack {}", archive.display()))
}

/// Returns the sum of a file, in hexadecimal.
pub(crate) fn sum<D: Digest>(file: &Path) -> Result<String> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(D::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use sha2::Sha256;

    use super::*;
    use std::time::{Duration, SystemTime};

    #[test]
    fn the_same_files_give_the_same_bytes() {
        let folder = std::env::temp_dir().join(format!("variant-archive-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let entry = |name: &str, text: &str| {
            let source = folder.join(name.replace('/', "_"));
            fs::write(&source, text).unwrap();
            Entry { name: name.to_owned(), source }
        };
        let mut entries = vec![entry("addons/b.gd", &"b".repeat(9999)), entry("addons/a.gd", "a")];
        let (one, two) = (folder.join("one.zip"), folder.join("two.zip"));
        write(&entries, &one).unwrap();
        entries.reverse();
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        File::options().write(true).open(&entries[0].source).unwrap().set_modified(long_ago).unwrap();
        write(&entries, &two).unwrap();
        assert_eq!(sum::<Sha256>(&one).unwrap(), sum::<Sha256>(&two).unwrap());
        fs::write(&entries[0].source, "c").unwrap();
        write(&entries, &two).unwrap();
        assert_ne!(sum::<Sha256>(&one).unwrap(), sum::<Sha256>(&two).unwrap());
        unpack(&two, &folder.join("out")).unwrap();
        assert_eq!(fs::read_to_string(folder.join("out/addons/a.gd")).unwrap(), "c");
        fs::remove_dir_all(&folder).unwrap();
    }
}
