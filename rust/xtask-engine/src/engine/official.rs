//! Installs the official release, for systems without Debian's packages.
//!
//! It takes only archives whose SHA-512 is written here; on any other platform it fails instead of
//! downloading something unverified.

use std::env::consts::{ARCH, OS};
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha512};

use super::{Progress, launcher};
use crate::child::{self, Show};

const RELEASE: &str = "https://github.com/godotengine/godot-builds/releases/download/4.6.3-stable";

/// Describes one platform's archive of the release above.
struct Archive {
    name: &'static str,
    /// The path of the engine inside the archive.
    binary: &'static str,
    /// The checksum in the release's SHA512-SUMS.txt; each was compared with at least two independent public
    /// copies.
    sha512: &'static str,
}

const LINUX_X86_64: Archive = Archive {
    name: "Godot_v4.6.3-stable_linux.x86_64.zip",
    binary: "Godot_v4.6.3-stable_linux.x86_64",
    sha512: "a035258da32b77f966a5376f9fa29c30a6adde826a85ba918e1605bd1fc9823e\
             ba7d85f1dd5e748956bd2ba72827c0025ffa11bb82aec91128c407a2e723c99c",
};
const LINUX_ARM64: Archive = Archive {
    name: "Godot_v4.6.3-stable_linux.arm64.zip",
    binary: "Godot_v4.6.3-stable_linux.arm64",
    sha512: "447381de9ccc68aa02f37e279322289f7ddf88ce9b839ed88a97c73e01cdcda4\
             6e026897e5d88722e08491f71b3d74f72dfeb22ec7e3add6fd3e9bfbbdad6751",
};
const MACOS: Archive = Archive {
    name: "Godot_v4.6.3-stable_macos.universal.zip",
    binary: "Godot.app/Contents/MacOS/Godot",
    sha512: "0155bbc8dcf179edab4ef08e3dbbd4480d7434ab1990cb3fb25517d453b1b657\
             87c7fe6dfc8824b15ff25e1fdcec59e8584f765054106894fee00311868c3964",
};
const WINDOWS_X86_64: Archive = Archive {
    name: "Godot_v4.6.3-stable_win64.exe.zip",
    binary: launcher::WINDOWS_BINARY,
    sha512: "d44ea7ef5bab754cacd49d581b6062836b2eea12a82e1d183aebfad9cd8c7db2\
             bd82513337bd657d6d2d5c04d46239c0570b029faf1343e81e8a2fa7b85dd83b",
};

/// Downloads, verifies and unpacks the archive of this platform into `folder`.
pub(super) fn install(folder: &Path, progress: &Progress) -> Result<()> {
    let archive = archive_for(OS, ARCH)
        .with_context(|| format!("no archive with a known SHA-512 for {OS} on {ARCH}"))?;
    let zip = folder.join(archive.name);
    progress.say(&format!("downloading {}", archive.name));
    let url = format!("{RELEASE}/{}", archive.name);
    let mut curl = Command::new("curl");
    curl.args([
        "--fail",
        "--silent",
        "--show-error",
        "--location",
        "--retry",
        "3",
        "--connect-timeout",
        "20",
    ]);
    let outcome = child::run(curl.arg("--output").arg(&zip).arg(&url), Show::Later, None)?;
    ensure!(outcome.success(), "cannot download {url}: {}", outcome.lines.last().map_or("", |line| line));
    verify(&zip, archive.sha512)?;
    progress.say("unpacking");
    unpack(&zip, folder)?;
    fs::remove_file(&zip)?;
    launcher::make_executable(&folder.join(archive.binary))?;
    launcher::write(folder, &format!("exec \"$here/{}\" \"$@\"\n", archive.binary))
}

fn archive_for(os: &str, arch: &str) -> Option<&'static Archive> {
    match (os, arch) {
        ("linux", "x86_64") => Some(&LINUX_X86_64),
        ("linux", "aarch64") => Some(&LINUX_ARM64),
        ("macos", _) => Some(&MACOS),
        ("windows", "x86_64") => Some(&WINDOWS_X86_64),
        _ => None,
    }
}

fn verify(file: &Path, sha512: &str) -> Result<()> {
    let mut digest = Sha512::new();
    io::copy(&mut File::open(file)?, &mut digest)?;
    let found: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    if found != sha512 {
        bail!("{} has the SHA-512 {found}, expected {sha512}; it was not used", file.display());
    }
    Ok(())
}

/// Unpacks a zip file by a program that the platform has; a zip reader of our own is not needed.
fn unpack(zip: &Path, folder: &Path) -> Result<()> {
    let attempts = [
        ("unzip", vec!["-q".as_ref(), "-o".as_ref(), zip.as_os_str(), "-d".as_ref(), folder.as_os_str()]),
        ("tar", vec!["-x".as_ref(), "-f".as_ref(), zip.as_os_str(), "-C".as_ref(), folder.as_os_str()]),
        (
            "python3",
            vec!["-m".as_ref(), "zipfile".as_ref(), "-e".as_ref(), zip.as_os_str(), folder.as_os_str()],
        ),
    ];
    let worked = attempts.iter().any(|(program, arguments)| {
        child::run(Command::new(program).args(arguments), Show::Later, None).is_ok_and(|run| run.success())
    });
    ensure!(worked, "cannot unpack {}: unzip, tar (with zip support) or python3 is needed", zip.display());
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
        let verdicts = (verify(&file, abc), verify(&file, LINUX_X86_64.sha512));
        fs::remove_file(&file).unwrap();
        assert!(verdicts.0.is_ok() && verdicts.1.is_err());
    }

    #[test]
    fn sums_are_whole() {
        for archive in [LINUX_X86_64, LINUX_ARM64, MACOS, WINDOWS_X86_64] {
            assert_eq!(archive.sha512.len(), 128, "{}", archive.name);
            assert!(archive.sha512.bytes().all(|byte| byte.is_ascii_hexdigit()));
        }
    }
}
