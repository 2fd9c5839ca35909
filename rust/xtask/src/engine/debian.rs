//! Installs engines and tools from Debian's packages under the target folder, without root.
//!
//! `dpkg-deb` unpacks them, and their own dynamic loader starts the binary, so that neither the system's packages nor its C
//! library are touched. It runs on any Debian-family system that trusts Debian's keys.

use std::env::{self, consts::ARCH};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail, ensure};

use super::release_template::Template;
use super::{EngineInstall, apt, cached_or_new, launcher_in, write_launcher};
use crate::cross::tools::must;
use crate::files::remove_tree;
use crate::workspace::Workspace;

/// Describes the packages to fetch, their suite and the binary to start.
pub(super) struct Wanted {
    suite: &'static str,
    /// The names of the packages, with spaces between them.
    packages: &'static str,
    binary: &'static str,
    /// Rust's name of the processor that the packages are for.
    processor: &'static str,
}

const fn wanted(suite: &'static str, packages: &'static str, binary: &'static str) -> Wanted {
    Wanted { suite, packages, binary, processor: ARCH }
}

const GODOT: &str = "usr/bin/godot";
/// The engine of Godot 4. The release template comes along: it shares all but 20 of 170 MB.
pub(super) const GODOT_4: Wanted = wanted("forky", "godot godot-template-release", GODOT);
/// The engine of Godot 4 for arm64, the processor of phones and small boards, which an emulator runs.
pub(super) const GODOT_4_ARM64: Wanted = Wanted { processor: "aarch64", ..wanted("forky", "godot", GODOT) };
/// The engine of Godot 3.6, in the build without a window.
pub(super) const GODOT_3: Wanted = wanted("trixie", "godot3-server", "usr/bin/godot3-server");
/// The release template of Godot 3.2, which players of its games run, and the libraries to draw without a
/// graphics card. It is of the last suite whose template writes a null object in its own way.
pub(super) const GODOT_3_RELEASE: Wanted =
    wanted("bookworm", "godot3-runner libgl1-mesa-dri libglx-mesa0", "usr/bin/godot3-runner");
/// The release template of Godot 4 alone, for an editor that is not from Debian's packages.
pub(super) const RELEASE_TEMPLATE: Wanted =
    wanted("forky", "godot-template-release", "usr/bin/godot-template-release");
/// The engine with the libraries to draw without a graphics card; see `software_graphics`.
pub(super) const WINDOW: Wanted = wanted(
    "forky",
    "godot libgl1 libgl1-mesa-dri libglx-mesa0 libegl1 libegl-mesa0 libxi6 fontconfig \
     fonts-dejavu-core",
    GODOT,
);
/// The LLVM tools of the toolchain's version.
pub(super) const LLVM: Wanted = wanted("forky", "llvm-22", "usr/lib/llvm-22/bin/llvm-cov");
/// The emulators of other processors and the C libraries that their programs need. The emulators are linked
/// statically, so no loader starts them.
pub(super) const EMULATORS: Wanted = wanted(
    "forky",
    "qemu-user libc6-arm64-cross libgcc-s1-arm64-cross libc6-i386-cross libgcc-s1-i386-cross \
     libc6-s390x-cross libgcc-s1-s390x-cross",
    "usr/bin/qemu-aarch64",
);

/// Holds Debian's name of an architecture and of its folders.
struct Architecture {
    name: &'static str,
    libraries: &'static str,
    loader: &'static str,
}

const AMD64: Architecture = Architecture {
    name: "amd64",
    libraries: "usr/lib/x86_64-linux-gnu",
    loader: "usr/lib64/ld-linux-x86-64.so.2",
};
const ARM64: Architecture = Architecture {
    name: "arm64",
    libraries: "usr/lib/aarch64-linux-gnu",
    loader: "usr/lib/ld-linux-aarch64.so.1",
};

impl Architecture {
    fn of(processor: &str) -> Result<&'static Self> {
        match processor {
            "x86_64" if cfg!(target_os = "linux") => Ok(&AMD64),
            "aarch64" if cfg!(target_os = "linux") => Ok(&ARM64),
            _ => bail!("this is no Linux machine that Debian builds Godot for"),
        }
    }
}

/// The folders of libraries: three packages have folders of their own, which an installed system finds in
/// other ways.
const LIBRARY_FOLDERS: [&str; 4] = ["", "pulseaudio", "blas", "lapack"];

/// Returns the folder `name` of the target folder, with a launcher that passes `check`. It is installed first if it is not there.
pub(super) fn cached<T>(
    workspace: &Workspace,
    name: &str,
    wanted: &Wanted,
    check: impl Fn(&Path) -> Result<T>,
) -> Result<EngineInstall<T>> {
    cached_or_new(&workspace.target(), name, check, |part| install(wanted, part))
}

/// Returns the folder `name` of the target folder, with the packages unpacked in `root`.
pub(super) fn cached_root(workspace: &Workspace, name: &str, wanted: &Wanted) -> Result<PathBuf> {
    let check = |folder: &Path| {
        ensure!(folder.join("root").is_dir(), "nothing is unpacked in {}", folder.display());
        Ok(())
    };
    Ok(cached_or_new(&workspace.target(), name, check, |part| unpack(wanted, part))?.folder)
}

/// Downloads the packages, unpacks them into `folder` and writes a launcher.
pub(super) fn install(wanted: &Wanted, folder: &Path) -> Result<()> {
    unpack(wanted, folder)?;
    let line = start_line(wanted.binary, Architecture::of(wanted.processor)?, "");
    write_launcher(&launcher_in(folder), &line)
}

/// Writes the launcher of an engine of another processor, by an emulator of this one's.
pub(super) fn write_emulated(wanted: &Wanted, folder: &Path, emulator: &Path) -> Result<()> {
    let runner = format!("\"{}\" -L \"$here/root\" ", emulator.display());
    // An emulator does not show in the command line of the program that it runs, so the launcher names itself
    // here.
    let line = start_line(wanted.binary, Architecture::of(wanted.processor)?, &runner);
    write_launcher(&launcher_in(folder), &format!("export VARIANT_STREAM_LAUNCHER=\"$here/godot\"\n{line}"))
}

/// Writes into `folder` a launcher of a program of the packages in it, which lies in their folder `from`.
pub(super) fn write_program(folder: &Path, from: &str, name: &str) -> Result<()> {
    write_launcher(&folder.join(name), &start_line(&format!("{from}/{name}"), Architecture::of(ARCH)?, ""))
}

/// Downloads the packages and unpacks them into `root` below `folder`.
pub(super) fn unpack(wanted: &Wanted, folder: &Path) -> Result<()> {
    let architecture = Architecture::of(wanted.processor)?;
    let (apt, root) = (folder.join("apt"), folder.join("root"));
    for package in apt::download(&apt, architecture.name, wanted.suite, wanted.packages)? {
        must(Command::new("dpkg-deb").arg("-x").arg(&package).arg(&root))?;
    }
    merge_usr(&root, architecture)?;
    ensure!(root.join(wanted.binary).is_file(), "the packages have no {}", wanted.binary);
    remove_tree(&apt)
}

/// Moves libraries below `usr` and makes the link of the loader relative. Packages of suites before trixie
/// put libraries beside `usr`, and link the loader to its absolute path on a system.
fn merge_usr(root: &Path, architecture: &Architecture) -> Result<()> {
    for name in ["lib", "lib64"] {
        if root.join(name).is_dir() {
            let from = root.join(name).join(".");
            must(Command::new("cp").arg("--archive").arg(from).arg(root.join("usr").join(name)))?;
        }
    }
    let loader = root.join(architecture.loader);
    if let Ok(target) = fs::read_link(&loader)
        && let Ok(target) = target.strip_prefix("/")
    {
        fs::remove_file(&loader)?;
        #[cfg(unix)]
        std::os::unix::fs::symlink(Path::new("..").join(target), &loader)?;
    }
    Ok(())
}

/// Returns the release template that was unpacked into `folder`.
pub(super) fn template_in(folder: &Path) -> Result<Template> {
    let Architecture { libraries, loader, .. } = Architecture::of(RELEASE_TEMPLATE.processor)?;
    let root = folder.join("root");
    let libraries = LIBRARY_FOLDERS.map(|name| root.join(libraries).join(name));
    let binary = root.join(RELEASE_TEMPLATE.binary);
    ensure!(binary.is_file(), "no release template in {}", folder.display());
    let leading = ["--library-path".into(), env::join_paths(libraries)?, binary.into_os_string()];
    Ok(Template::started_by(root.join(loader), leading.into()))
}

/// Points an engine from `root` to the Mesa that was unpacked there with it.
pub(super) fn software_graphics(command: &mut Command, root: &Path) {
    let libraries = Architecture::of(ARCH).map_or("", |architecture| architecture.libraries);
    command.env("LIBGL_DRIVERS_PATH", root.join(libraries).join("dri"));
    command.env("GBM_BACKENDS_PATH", root.join(libraries).join("gbm"));
    command.env("__EGL_VENDOR_LIBRARY_DIRS", root.join("usr/share/glvnd/egl_vendor.d"));
    command.env("FONTCONFIG_SYSROOT", root);
}

/// Returns the line that starts the engine. `runner` is the emulator that starts the loader, with a space
/// behind it; empty on this machine's processor.
fn start_line(binary: &str, architecture: &Architecture, runner: &str) -> String {
    let Architecture { libraries, loader, .. } = architecture;
    let folders = LIBRARY_FOLDERS.map(|name| format!("$lib/{name}")).join(":");
    format!(
        "lib=$here/root/{libraries}\n\
         exec {runner}\"$here/root/{loader}\" --library-path \"{folders}\" \\\n\
         \t\"$here/root/{binary}\" \"$@\"\n"
    )
}

/// Finds QEMU's user-mode emulator of a processor and the folder of the C library that its programs need: the system's where
/// both are installed, else those of Debian's packages.
pub(crate) fn emulator(workspace: &Workspace, program: &str, libraries: &str) -> Result<(PathBuf, PathBuf)> {
    let in_root = |root: &Path| (root.join("usr/bin").join(program), root.join("usr").join(libraries));
    let (emulator, folder) = in_root(Path::new("/"));
    if emulator.is_file() && folder.join("lib").is_dir() {
        return Ok((emulator, folder));
    }
    let (emulator, folder) = in_root(&cached_root(workspace, "emulators", &EMULATORS)?.join("root"));
    ensure!(emulator.is_file() && folder.is_dir(), "Debian's packages have no {}", emulator.display());
    Ok((emulator, folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_launcher_finds_its_engine_by_its_own_place() {
        let line = start_line("usr/bin/godot", &AMD64, "");
        let start =
            "lib=$here/root/usr/lib/x86_64-linux-gnu\nexec \"$here/root/usr/lib64/ld-linux-x86-64.so.2\"";
        assert!(line.starts_with(start) && line.ends_with("\"$here/root/usr/bin/godot\" \"$@\"\n"), "{line}");
        assert!(start_line("b", &AMD64, "emulator ").contains("\nexec emulator \"$here/root/usr/lib64/ld-"));
    }
}
