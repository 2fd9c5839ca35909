//! Lists the platforms: the tools that build their library and run their tests. It is data only.

/// Describes a platform.
#[derive(Debug)]
pub(crate) struct Row {
    /// The key in the addon's `.gdextension` file; Debian's name for a processor that Godot does not run on.
    pub(crate) key: &'static str,
    /// The compiler's name of the platform.
    pub(crate) target: &'static str,
    /// The tools that link its library.
    pub(crate) kit: Kit,
}

/// Holds the two names of a library.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    /// The file name that cargo gives it.
    pub(crate) built: String,
    /// The file name in the addon.
    pub(crate) staged: String,
}

/// Selects the tools that bring the linker and the system libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kit {
    /// zig links, for the oldest glibc or for the libraries of Windows and macOS.
    Zig,
    /// The maker's kit links, which cargo has to know: Google's NDK, or Xcode on macOS.
    Maker,
    /// Emscripten links, with a nightly Rust.
    Emscripten {
        /// Whether the engine's export template has threads.
        threads: bool,
    },
}

/// Selects the program that runs programs of another platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runner {
    /// QEMU runs them; the fields are its program for the processor and the folder of Debian's cross packages
    /// with the C library.
    Qemu(&'static str, &'static str),
    /// Wine runs them, where the system has it.
    Wine,
}

/// The platforms.
pub(crate) const ROWS: [Row; 16] = [
    // s390x stores the most significant byte first. Godot is built for no such processor, but the core has to
    // be right on it.
    row("s390x", "s390x-unknown-linux-gnu", Kit::Zig),
    row("linux.x86_64", "x86_64-unknown-linux-gnu", Kit::Zig),
    row("linux.arm64", "aarch64-unknown-linux-gnu", Kit::Zig),
    row("linux.x86_32", "i686-unknown-linux-gnu", Kit::Zig),
    row("linux.arm32", "armv7-unknown-linux-gnueabihf", Kit::Zig),
    row("windows.x86_64", "x86_64-pc-windows-gnu", Kit::Zig),
    row("windows.x86_32", "i686-pc-windows-gnu", Kit::Zig),
    row("windows.arm64", "aarch64-pc-windows-gnullvm", Kit::Zig),
    row("macos", "universal2-apple-darwin", Kit::Zig),
    row("android.x86_64", "x86_64-linux-android", Kit::Maker),
    row("android.x86_32", "i686-linux-android", Kit::Maker),
    row("android.arm64", "aarch64-linux-android", Kit::Maker),
    row("android.arm32", "armv7-linux-androideabi", Kit::Maker),
    row("ios.arm64", "aarch64-apple-ios", Kit::Maker),
    row("web.threads.wasm32", "wasm32-unknown-emscripten", Kit::Emscripten { threads: true }),
    row("web.nothreads.wasm32", "wasm32-unknown-emscripten", Kit::Emscripten { threads: false }),
];

const fn row(key: &'static str, target: &'static str, kit: Kit) -> Row {
    Row { key, target, kit }
}

impl Row {
    /// Returns the platform of a key.
    pub(crate) fn of(key: &str) -> Option<&'static Row> {
        ROWS.iter().find(|row| row.key == key)
    }

    /// Returns the names of its library; `None` where Godot does not run.
    pub(crate) fn library(&self) -> Option<Library> {
        let key = self.key;
        let (built, ending, universal) = match key.split('.').next() {
            Some("linux" | "android") => ("lib", "so", ""),
            Some("windows") => ("", "dll", ""),
            Some("macos") => ("lib", "dylib", ".universal"),
            Some("ios") => ("lib", "dylib", ""),
            Some("web") => ("", "wasm", ""),
            _ => return None,
        };
        let staged = if ending == "dll" { "" } else { "lib" };
        Some(Library {
            built: format!("{built}variant_stream.{ending}"),
            staged: format!("{staged}variant_stream.{key}{universal}.{ending}"),
        })
    }

    /// Returns the targets on the platform's own machines; two for a universal library.
    pub(crate) fn native(&self) -> Vec<String> {
        match self.key.split_once('.') {
            None if self.key == "macos" => {
                ["x86_64", "aarch64"].map(|it| format!("{it}-apple-darwin")).into()
            }
            Some(("windows", _)) => {
                let processor = self.target.split('-').next().unwrap_or_default();
                vec![format!("{processor}-pc-windows-msvc")]
            }
            _ => Vec::new(),
        }
    }

    /// Returns the emulator that runs its tests; `None` where there is no emulator.
    pub(crate) fn runner(&self) -> Option<Runner> {
        match self.key {
            "s390x" => Some(Runner::Qemu("qemu-s390x", "s390x-linux-gnu")),
            "linux.arm64" => Some(Runner::Qemu("qemu-aarch64", "aarch64-linux-gnu")),
            "linux.x86_32" => Some(Runner::Qemu("qemu-i386", "i686-linux-gnu")),
            "windows.x86_64" => Some(Runner::Wine),
            _ => None,
        }
    }

    /// Returns the targets whose standard library is needed when zig links.
    pub(crate) fn standard_libraries(&self) -> Vec<String> {
        if self.target.starts_with("universal2") { self.native() } else { vec![self.target.to_owned()] }
    }

    /// Returns the target as zig takes it: with the oldest glibc behind it.
    pub(crate) fn for_zig(&self) -> String {
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
        let rows = ROWS.iter().filter_map(|row| Some((row.key, row.library()?)));
        let made: Vec<String> =
            rows.map(|(key, library)| format!("{key} = \"bin/{}\"", library.staged)).collect();
        let is_library = |line: &&str| line.contains(" = \"bin/") && !line.contains("double");
        let mut listed: Vec<&str> = listed.lines().filter(is_library).collect();
        let mut made: Vec<&str> = made.iter().map(String::as_str).collect();
        listed.sort_unstable();
        made.sort_unstable();
        assert_eq!(listed, made);
    }

    #[test]
    fn only_glibc_has_a_floor() {
        let zig = |key: &str| Row::of(key).map(Row::for_zig).unwrap();
        assert_eq!(zig("linux.arm32"), "armv7-unknown-linux-gnueabihf.2.28");
        assert_eq!(zig("windows.x86_64"), "x86_64-pc-windows-gnu");
        assert_eq!(Row::of("windows.arm64").unwrap().native(), ["aarch64-pc-windows-msvc"]);
    }
}
