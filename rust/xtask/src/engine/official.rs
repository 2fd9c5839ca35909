//! Installs the official release, for systems without Debian's packages.
//!
//! It takes only archives whose SHA-512 is written here; on any other platform it fails instead of
//! downloading something unverified.

use std::env::consts::{ARCH, OS};
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use sha2::Sha512;

use super::{WINDOWS_BINARY, launcher_in, make_executable, say, write_launcher};
use crate::cross::tools::must;
use crate::dist::archive;

const RELEASE: &str = "https://github.com/godotengine/godot-builds/releases/download/4.6.3-stable";

/// The archives of the release above by system and processor: the name, the path of the engine in it, and the checksum in the
/// release's SHA512-SUMS.txt; each was compared with at least two independent public copies.
const ARCHIVES: [([&str; 2], &str, &str, &str); 4] = [
    (
        ["linux", "x86_64"],
        "Godot_v4.6.3-stable_linux.x86_64.zip",
        "Godot_v4.6.3-stable_linux.x86_64",
        "a035258da32b77f966a5376f9fa29c30a6adde826a85ba918e1605bd1fc9823e\
         ba7d85f1dd5e748956bd2ba72827c0025ffa11bb82aec91128c407a2e723c99c",
    ),
    (
        ["linux", "aarch64"],
        "Godot_v4.6.3-stable_linux.arm64.zip",
        "Godot_v4.6.3-stable_linux.arm64",
        "447381de9ccc68aa02f37e279322289f7ddf88ce9b839ed88a97c73e01cdcda4\
         6e026897e5d88722e08491f71b3d74f72dfeb22ec7e3add6fd3e9bfbbdad6751",
    ),
    (
        ["macos", ""],
        "Godot_v4.6.3-stable_macos.universal.zip",
        "Godot.app/Contents/MacOS/Godot",
        "0155bbc8dcf179edab4ef08e3dbbd4480d7434ab1990cb3fb25517d453b1b657\
         87c7fe6dfc8824b15ff25e1fdcec59e8584f765054106894fee00311868c3964",
    ),
    (
        ["windows", "x86_64"],
        "Godot_v4.6.3-stable_win64.exe.zip",
        WINDOWS_BINARY,
        "d44ea7ef5bab754cacd49d581b6062836b2eea12a82e1d183aebfad9cd8c7db2\
         bd82513337bd657d6d2d5c04d46239c0570b029faf1343e81e8a2fa7b85dd83b",
    ),
];

/// Downloads, verifies and unpacks the archive of this platform into `folder`.
pub(super) fn install(folder: &Path) -> Result<()> {
    let archive = ARCHIVES.iter().find(|([os, arch], ..)| *os == OS && (*arch == ARCH || arch.is_empty()));
    let (_, name, binary, sha512) =
        archive.with_context(|| format!("no archive with a known SHA-512 for {OS} on {ARCH}"))?;
    let zip = folder.join(name);
    say(&format!("downloading {name}"));
    let mut curl = Command::new("curl");
    curl.args("--fail --silent --show-error --location --retry 3 --connect-timeout 20 --output".split(' '));
    must(curl.arg(&zip).arg(format!("{RELEASE}/{name}")))?;
    verify(&zip, sha512)?;
    archive::unpack(&zip, folder)?;
    fs::remove_file(&zip)?;
    make_executable(&folder.join(binary))?;
    if !cfg!(windows) {
        write_launcher(&launcher_in(folder), &format!("exec \"$here/{binary}\" \"$@\"\n"))?;
    }
    Ok(())
}

fn verify(file: &Path, sha512: &str) -> Result<()> {
    let found = archive::sum::<Sha512>(file)?;
    ensure!(
        found == sha512,
        "{} has the SHA-512 {found}, expected {sha512}; it was not used",
        file.display()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_another_sum_is_refused() {
        let file = std::env::temp_dir().join(format!("xtask-sum-{}", std::process::id()));
        fs::write(&file, "abc").unwrap();
        let abc = "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
                   2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f";
        let verdicts = (verify(&file, abc), verify(&file, ARCHIVES[0].3));
        fs::remove_file(&file).unwrap();
        assert!(verdicts.0.is_ok() && verdicts.1.is_err());
    }

    #[test]
    fn sums_are_whole() {
        for (_, name, _, sum) in ARCHIVES {
            assert!(sum.len() == 128 && sum.bytes().all(|byte| byte.is_ascii_hexdigit()), "{name}");
        }
    }
}
