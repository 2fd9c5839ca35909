//! Lists the platforms: the tools that build their library and run their tests. It is data only.

/// Describes a platform.
#[derive(Debug)]
pub struct Row {
    /// The key in the addon's `.gdextension` file; Debian's name for a processor that Godot does not run on.
    pub key: &'static str,
    /// The compiler's name of the platform.
    pub target: &'static str,
    /// The targets on the platform's own machines; two for a universal library.
    pub native: &'static [&'static str],
    /// The tools that link its library.
    pub kit: Kit,
    /// The names of its library; `None` where Godot does not run.
    pub library: Option<Library>,
    /// The emulator that runs its tests; `None` where there is no emulator.
    pub runner: Option<Runner>,
}

/// Holds the two names of a library.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// The file name that cargo gives it.
    pub built: &'static str,
    /// The file name in the addon.
    pub staged: &'static str,
}

/// Selects the tools that bring the linker and the system libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kit {
    /// zig links, for the oldest glibc or for the libraries of Windows and macOS.
    Zig,
    /// Google's NDK links; the field is the name of its compiler.
    Ndk(&'static str),
    /// Xcode links, on macOS only.
    Xcode,
    /// Emscripten links, with a nightly Rust.
    Emscripten {
        /// Whether the engine's export template has threads.
        threads: bool,
    },
}

/// Selects the program that runs programs of another platform.
#[derive(Clone, Copy, Debug)]
pub enum Runner {
    /// QEMU runs them; the fields are its program for the processor and the folder of Debian's cross packages
    /// with the C library.
    Qemu(&'static str, &'static str),
    /// Wine runs them, where the system has it.
    Wine,
}

const fn row(
    key: &'static str,
    target: &'static str,
    kit: Kit,
    built: &'static str,
    staged: &'static str,
) -> Row {
    Row { key, target, native: &[], kit, library: Some(Library { built, staged }), runner: None }
}

const fn linux(key: &'static str, target: &'static str, staged: &'static str) -> Row {
    row(key, target, Kit::Zig, "libvariant_stream.so", staged)
}

const fn windows(
    key: &'static str,
    target: &'static str,
    native: &'static [&'static str],
    staged: &'static str,
) -> Row {
    Row { native, ..row(key, target, Kit::Zig, "variant_stream.dll", staged) }
}

const fn android(key: &'static str, target: &'static str, clang: &'static str, staged: &'static str) -> Row {
    row(key, target, Kit::Ndk(clang), "libvariant_stream.so", staged)
}

const fn web(key: &'static str, threads: bool, staged: &'static str) -> Row {
    row(key, "wasm32-unknown-emscripten", Kit::Emscripten { threads }, "variant_stream.wasm", staged)
}

const fn tried_by(runner: Runner, row: Row) -> Row {
    Row { runner: Some(runner), ..row }
}

const ARM64: Runner = Runner::Qemu("qemu-aarch64", "aarch64-linux-gnu");
const X86_32: Runner = Runner::Qemu("qemu-i386", "i686-linux-gnu");
const S390X: Runner = Runner::Qemu("qemu-s390x", "s390x-linux-gnu");

/// The platforms.
pub const ROWS: [Row; 16] = [
    // s390x stores the most significant byte first. Godot is built for no such processor, but the core has to
    // be right on it.
    Row {
        key: "s390x",
        target: "s390x-unknown-linux-gnu",
        native: &[],
        kit: Kit::Zig,
        library: None,
        runner: Some(S390X),
    },
    linux("linux.x86_64", "x86_64-unknown-linux-gnu", "libvariant_stream.linux.x86_64.so"),
    tried_by(ARM64, linux("linux.arm64", "aarch64-unknown-linux-gnu", "libvariant_stream.linux.arm64.so")),
    tried_by(X86_32, linux("linux.x86_32", "i686-unknown-linux-gnu", "libvariant_stream.linux.x86_32.so")),
    linux("linux.arm32", "armv7-unknown-linux-gnueabihf", "libvariant_stream.linux.arm32.so"),
    tried_by(
        Runner::Wine,
        windows(
            "windows.x86_64",
            "x86_64-pc-windows-gnu",
            &["x86_64-pc-windows-msvc"],
            "variant_stream.windows.x86_64.dll",
        ),
    ),
    windows(
        "windows.x86_32",
        "i686-pc-windows-gnu",
        &["i686-pc-windows-msvc"],
        "variant_stream.windows.x86_32.dll",
    ),
    windows(
        "windows.arm64",
        "aarch64-pc-windows-gnullvm",
        &["aarch64-pc-windows-msvc"],
        "variant_stream.windows.arm64.dll",
    ),
    Row {
        native: &["x86_64-apple-darwin", "aarch64-apple-darwin"],
        ..row(
            "macos",
            "universal2-apple-darwin",
            Kit::Zig,
            "libvariant_stream.dylib",
            "libvariant_stream.macos.universal.dylib",
        )
    },
    android(
        "android.x86_64",
        "x86_64-linux-android",
        "x86_64-linux-android24-clang",
        "libvariant_stream.android.x86_64.so",
    ),
    android(
        "android.x86_32",
        "i686-linux-android",
        "i686-linux-android24-clang",
        "libvariant_stream.android.x86_32.so",
    ),
    android(
        "android.arm64",
        "aarch64-linux-android",
        "aarch64-linux-android24-clang",
        "libvariant_stream.android.arm64.so",
    ),
    android(
        "android.arm32",
        "armv7-linux-androideabi",
        "armv7a-linux-androideabi24-clang",
        "libvariant_stream.android.arm32.so",
    ),
    row(
        "ios.arm64",
        "aarch64-apple-ios",
        Kit::Xcode,
        "libvariant_stream.dylib",
        "libvariant_stream.ios.arm64.dylib",
    ),
    web("web.threads.wasm32", true, "libvariant_stream.web.threads.wasm32.wasm"),
    web("web.nothreads.wasm32", false, "libvariant_stream.web.nothreads.wasm32.wasm"),
];

impl Row {
    /// Returns the targets whose standard library is needed when zig links.
    pub fn standard_libraries(&self) -> Vec<&'static str> {
        if self.target.starts_with("universal2") { self.native.to_vec() } else { vec![self.target] }
    }

    /// Returns the target as zig takes it: with the oldest glibc behind it.
    pub fn for_zig(&self) -> String {
        let is_glibc = self.target.contains("-linux-gnu");
        if is_glibc { format!("{}.{}", self.target, super::glibc::FLOOR) } else { self.target.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Workspace;

    #[test]
    fn the_addon_lists_every_library_and_every_platform_is_built() {
        let addon = Workspace::find().unwrap().addon();
        let listed = std::fs::read_to_string(addon.join("variant_stream.gdextension")).unwrap();
        for row in &ROWS {
            if let Some(library) = row.library {
                let line = format!("{} = \"bin/{}\"", row.key, library.staged);
                assert!(listed.lines().any(|listed| listed == line), "{line}");
            }
        }
        let libraries = listed.lines().filter(|line| line.contains(" = \"bin/") && !line.contains("double"));
        assert_eq!(libraries.count(), ROWS.iter().filter(|row| row.library.is_some()).count());
    }

    #[test]
    fn only_glibc_has_a_floor() {
        let zig = |key: &str| ROWS.iter().find(|row| row.key == key).map(Row::for_zig).unwrap();
        assert_eq!(zig("linux.arm32"), "armv7-unknown-linux-gnueabihf.2.28");
        assert_eq!(zig("windows.x86_64"), "x86_64-pc-windows-gnu");
    }
}
