//! Installs engines and tools from Debian's packages under the target folder, without root.
//!
//! A private apt state resolves and downloads them from the system's own mirror, `dpkg-deb` unpacks them, and
//! their own dynamic loader starts the binary, so that neither the system's packages nor its C library are
//! touched. It runs on any Debian-family system that trusts Debian's keys.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use super::apt_sources::{Mirror, mirrors};
use super::release_template::Template;
use super::{Progress, launcher};
use crate::child::{self, Show};
use crate::files::remove_tree;

/// Describes the packages to fetch, their suite and the binary to start.
pub(super) struct Wanted {
    suite: &'static str,
    /// Rust's name of the processor that the packages are for; `None` for this machine's.
    processor: Option<&'static str>,
    packages: &'static [&'static str],
    binary: &'static str,
    megabytes: u32,
}

/// The engine of Godot 4. The release template comes along: it shares all but 20 MB.
pub(super) const GODOT_4: Wanted = Wanted {
    suite: "forky",
    processor: None,
    packages: &["godot", "godot-template-release"],
    binary: "usr/bin/godot",
    megabytes: 170,
};
/// The engine of Godot 4 for arm64, the processor of phones and small boards, which an emulator runs.
pub(super) const GODOT_4_ARM64: Wanted = Wanted {
    suite: "forky",
    processor: Some("aarch64"),
    packages: &["godot"],
    binary: "usr/bin/godot",
    megabytes: 155,
};
/// The engine of Godot 3.6, in the build without a window.
pub(super) const GODOT_3: Wanted = Wanted {
    suite: "trixie",
    processor: None,
    packages: &["godot3-server"],
    binary: "usr/bin/godot3-server",
    megabytes: 45,
};

/// The release template of Godot 3.2, which players of its games run, and the libraries to draw without a
/// graphics card. It is of the last suite whose template writes a null object in its own way.
pub(super) const GODOT_3_RELEASE: Wanted = Wanted {
    suite: "bookworm",
    processor: None,
    packages: &["godot3-runner", "libgl1-mesa-dri", "libglx-mesa0"],
    binary: "usr/bin/godot3-runner",
    megabytes: 75,
};

/// The release template of Godot 4 alone, for an editor that is not from Debian's packages.
pub(super) const RELEASE_TEMPLATE: Wanted = Wanted {
    suite: "forky",
    processor: None,
    packages: &["godot-template-release"],
    binary: "usr/bin/godot-template-release",
    megabytes: 110,
};

/// The engine with the libraries to draw without a graphics card; see `software_graphics`.
pub(super) const WINDOW: Wanted = Wanted {
    suite: "forky",
    processor: None,
    packages: &[
        "godot",
        "libgl1",
        "libgl1-mesa-dri",
        "libglx-mesa0",
        "libegl1",
        "libegl-mesa0",
        "libxi6",
        "fontconfig",
        "fonts-dejavu-core",
    ],
    binary: "usr/bin/godot",
    megabytes: 155,
};

/// The X server without a screen, and the compiler of keyboard layouts that it starts.
pub(super) const SCREEN: Wanted = Wanted {
    suite: "forky",
    processor: None,
    packages: &["xvfb", "x11-xkb-utils", "xkb-data"],
    binary: "usr/bin/Xvfb",
    megabytes: 65,
};

/// The LLVM tools of the toolchain's version; the variable `LLVM_TOOL` selects the tool to start.
pub(super) const LLVM: Wanted = Wanted {
    suite: "forky",
    processor: None,
    packages: &["llvm-22"],
    binary: "usr/lib/llvm-22/bin/$LLVM_TOOL",
    megabytes: 70,
};

/// The emulators of other processors and the C libraries that their programs need. The emulators are linked
/// statically, so no loader starts them.
pub(super) const EMULATORS: Wanted = Wanted {
    suite: "forky",
    processor: None,
    packages: &[
        "qemu-user",
        "libc6-arm64-cross",
        "libgcc-s1-arm64-cross",
        "libc6-i386-cross",
        "libgcc-s1-i386-cross",
        "libc6-s390x-cross",
        "libgcc-s1-s390x-cross",
    ],
    binary: "usr/bin/qemu-aarch64",
    megabytes: 80,
};

/// Holds the names of a Debian architecture and of its folders.
struct Architecture {
    /// Rust's name of the processor.
    processor: &'static str,
    debian: &'static str,
    libraries: &'static str,
    loader: &'static str,
}

const ARCHITECTURES: [Architecture; 2] = [
    Architecture {
        processor: "x86_64",
        debian: "amd64",
        libraries: "usr/lib/x86_64-linux-gnu",
        loader: "usr/lib64/ld-linux-x86-64.so.2",
    },
    Architecture {
        processor: "aarch64",
        debian: "arm64",
        libraries: "usr/lib/aarch64-linux-gnu",
        loader: "usr/lib/ld-linux-aarch64.so.1",
    },
];

/// Downloads the packages, unpacks them into `folder` and writes a launcher.
pub(super) fn install(wanted: &Wanted, folder: &Path, progress: &Progress) -> Result<()> {
    unpack(wanted, folder, progress)?;
    launcher::write(folder, &start_line(wanted.binary, wanted.architecture()?, ""))
}

/// Writes the launcher of an engine of another processor, by an emulator of this one's.
pub(super) fn write_emulated(wanted: &Wanted, folder: &Path, emulator: &Path) -> Result<()> {
    let runner = format!("\"{}\" -L \"$here/root\" ", emulator.display());
    // An emulator does not show in the command line of the program that it runs, so the launcher names itself
    // here.
    let line = start_line(wanted.binary, wanted.architecture()?, &runner);
    launcher::write(folder, &format!("export VARIANT_STREAM_LAUNCHER=\"$here/godot\"\n{line}"))
}

/// Writes into `folder` a launcher of a program of the packages in it.
pub(super) fn write_program(folder: &Path, name: &str) -> Result<()> {
    let line = start_line(&format!("usr/bin/{name}"), Architecture::of(env::consts::ARCH)?, "");
    launcher::write_as(&folder.join(name), &line)
}

/// Returns the command that starts a program of these packages, unpacked into `root`.
pub(super) fn program(root: &Path, program: &Path) -> Result<Command> {
    let architecture = Architecture::of(env::consts::ARCH)?;
    let mut command = Command::new(root.join(architecture.loader));
    command.arg("--library-path").arg(root.join(architecture.libraries)).arg(program);
    Ok(command)
}

/// Downloads the packages and unpacks them into `root` below `folder`.
pub(super) fn unpack(wanted: &Wanted, folder: &Path, progress: &Progress) -> Result<()> {
    let apt = PrivateApt::new(&folder.join("apt"), wanted.architecture()?.debian)?;
    apt.download(wanted, progress)?;
    let packages = apt.packages()?;
    progress.say(&format!("unpacking {} packages", packages.len()));
    let root = folder.join("root");
    for package in packages {
        let unpacked =
            child::run(Command::new("dpkg-deb").arg("-x").arg(&package).arg(&root), Show::Later, None)?;
        ensure!(unpacked.success(), "dpkg-deb: {}", unpacked.text());
    }
    merge_usr(&root, wanted.architecture()?)?;
    // Any of the tools that share a folder may be started; the check for `llvm-cov` stands for all of them.
    let binary = wanted.binary.replace("$LLVM_TOOL", "llvm-cov");
    ensure!(root.join(&binary).is_file(), "the packages have no {binary}");
    remove_tree(&apt.folder)
}

/// Moves libraries below `usr` and makes the link of the loader relative. Packages of suites before trixie
/// put libraries beside `usr`, and link the loader to its absolute path on a system.
fn merge_usr(root: &Path, architecture: &Architecture) -> Result<()> {
    for name in ["lib", "lib64"] {
        if root.join(name).is_dir() {
            let mut copy = Command::new("cp");
            copy.arg("--archive").arg(root.join(name).join(".")).arg(root.join("usr").join(name));
            let copied = child::run(&mut copy, Show::Later, None)?;
            ensure!(copied.success(), "cp: {}", copied.text());
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
    let Architecture { libraries, loader, .. } = RELEASE_TEMPLATE.architecture()?;
    let root = folder.join("root");
    let libraries = LIBRARY_FOLDERS.map(|name| root.join(libraries).join(name));
    let binary = root.join(RELEASE_TEMPLATE.binary);
    ensure!(binary.is_file(), "no release template in {}", folder.display());
    let leading = ["--library-path".into(), env::join_paths(libraries)?, binary.into_os_string()];
    Ok(Template::started_by(root.join(loader), leading.into()))
}

/// Points an engine from `root` to the Mesa that was unpacked there with it.
pub(super) fn software_graphics(command: &mut Command, root: &Path) {
    let libraries = Architecture::of(env::consts::ARCH).map_or("", |architecture| architecture.libraries);
    command.env("LIBGL_DRIVERS_PATH", root.join(libraries).join("dri"));
    command.env("GBM_BACKENDS_PATH", root.join(libraries).join("gbm"));
    command.env("__EGL_VENDOR_LIBRARY_DIRS", root.join("usr/share/glvnd/egl_vendor.d"));
    command.env("FONTCONFIG_SYSROOT", root);
}

impl Wanted {
    fn architecture(&self) -> Result<&'static Architecture> {
        Architecture::of(self.processor.unwrap_or(env::consts::ARCH))
    }
}

impl Architecture {
    fn of(processor: &str) -> Result<&'static Self> {
        let found = ARCHITECTURES.iter().find(|it| cfg!(target_os = "linux") && it.processor == processor);
        found.context("this is no Linux machine that Debian builds Godot for")
    }
}

/// The folders of libraries: three packages have folders of their own, which an installed system finds in
/// other ways.
const LIBRARY_FOLDERS: [&str; 4] = ["", "pulseaudio", "blas", "lapack"];

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

/// Runs an apt that shares only its proxy settings with the system's.
struct PrivateApt {
    folder: PathBuf,
    arch: &'static str,
}

impl PrivateApt {
    fn new(folder: &Path, arch: &'static str) -> Result<Self> {
        fs::create_dir_all(folder.join("state/lists/partial"))?;
        fs::create_dir_all(folder.join("cache/archives/partial"))?;
        fs::write(folder.join("status"), "")?;
        Ok(Self { folder: folder.to_owned(), arch })
    }

    /// Fetches the packages and all that they need from the first mirror that has them.
    fn download(&self, wanted: &Wanted, progress: &Progress) -> Result<()> {
        let candidates = mirrors(Path::new("/etc/apt"), &codename());
        let mut refusals = Vec::new();
        for mirror in candidates {
            match self.download_from(&mirror, wanted, progress) {
                Ok(()) => return Ok(()),
                Err(error) => refusals.push(format!("{}: {error:#}", mirror.uri)),
            }
        }
        if refusals.is_empty() {
            bail!("the system's apt sources name no mirror of Debian's archive");
        }
        bail!("{}", refusals.join("\n"))
    }

    fn download_from(&self, mirror: &Mirror, wanted: &Wanted, progress: &Progress) -> Result<()> {
        let Wanted { suite, packages, megabytes, .. } = wanted;
        let keys = mirror.keys().context("no keyring to verify it with")?;
        let line =
            format!("deb [arch={} signed-by={}] {} {suite} main\n", self.arch, keys.display(), mirror.uri);
        fs::write(self.folder.join("sources.list"), line)?;
        progress.say(&format!("reading the package lists of {suite} from {}", mirror.uri));
        self.apt_get(&["update"])?;
        progress.say(&format!("downloading {} and what it needs, some {megabytes} MB", packages.join(", ")));
        self.apt_get(&[&["install", "--yes", "--download-only"], *packages].concat())
    }

    fn apt_get(&self, arguments: &[&str]) -> Result<()> {
        let mut apt_get = Command::new("apt-get");
        apt_get
            .args(self.options())
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .env("LC_ALL", "C");
        let outcome = child::run(&mut apt_get, Show::Later, None)?;
        let complaints = outcome.lines.iter().filter(|line| line.starts_with(['E', 'W'])).take(4);
        let complaints: Vec<&str> = complaints.map(|line| line.as_str()).collect();
        ensure!(outcome.success(), "apt-get {}: {}", arguments[0], complaints.join("; "));
        Ok(())
    }

    fn options(&self) -> Vec<OsString> {
        let path = |name: &str, value: &str| {
            let mut option = OsString::from(format!("-o{name}="));
            option.push(self.folder.join(value));
            option
        };
        let mut options = vec![
            path("Dir::State", "state"),
            path("Dir::State::status", "status"),
            path("Dir::Cache", "cache"),
            path("Dir::Etc::SourceList", "sources.list"),
        ];
        let fixed = [
            "Dir::Etc::SourceParts=/dev/null",
            "Dir::Etc::Preferences=/dev/null",
            "Dir::Etc::PreferencesParts=/dev/null",
            "APT::Default-Release=",
            "APT::Install-Recommends=false",
            "APT::Install-Suggests=false",
            // apt's sandbox user could not write into our folder.
            "APT::Sandbox::User=root",
            "Acquire::Languages=none",
            "Acquire::Retries=3",
        ];
        options.extend(fixed.map(|option| OsString::from(format!("-o{option}"))));
        options.push(format!("-oAPT::Architecture={}", self.arch).into());
        options.push("-qq".into());
        options
    }

    fn packages(&self) -> Result<Vec<PathBuf>> {
        let entries = fs::read_dir(self.folder.join("cache/archives"))?.flatten().map(|entry| entry.path());
        let mut packages: Vec<PathBuf> =
            entries.filter(|path| path.extension().is_some_and(|extension| extension == "deb")).collect();
        packages.sort();
        ensure!(!packages.is_empty(), "apt-get downloaded no packages");
        Ok(packages)
    }
}

/// Returns the release that this system runs, as its sources name it.
fn codename() -> String {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let line = release.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    line.unwrap_or_default().trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_launcher_finds_its_engine_by_its_own_place() {
        let some = Architecture {
            processor: "some",
            debian: "some",
            libraries: "usr/lib/some-linux-gnu",
            loader: "usr/lib64/ld.so",
        };
        let line = start_line("usr/bin/godot", &some, "");
        assert!(
            line.starts_with("lib=$here/root/usr/lib/some-linux-gnu\nexec \"$here/root/usr/lib64/ld.so\"")
        );
        assert!(line.ends_with("\"$here/root/usr/bin/godot\" \"$@\"\n"));
        assert!(
            start_line("b", &some, "emulator ").contains("\nexec emulator \"$here/root/usr/lib64/ld.so\"")
        );
    }
}
