//! Checks that `unsafe` appears only in the folder `rust/godot/src/raw`.
//!
//! The compiler's own lint cannot draw that line across modules and crates. The rule does not judge the
//! unsafe code itself.

use super::{File, Finding, code};

const ROOM: &str = "rust/godot/src/raw";

/// The extension's entry: the trait is unsafe to implement, the line itself does nothing.
const ENTRY: (&str, &str) = ("rust/godot/src/lib.rs", "unsafe impl ExtensionLibrary");

pub(super) fn check(file: &File) -> Vec<Finding> {
    if !file.path.ends_with(".rs")
        || file.path.starts_with(&format!("{ROOM}/"))
        || file.path == format!("{ROOM}.rs")
    {
        return Vec::new();
    }
    let code = code::only(&file.text);
    let lines = code.lines().enumerate().filter(|(_, line)| {
        has_word(line, "unsafe") && !(file.path == ENTRY.0 && line.trim_start().starts_with(ENTRY.1))
    });
    lines.map(|(at, _)| file.finding(at + 1, format!("unsafe outside {ROOM}"))).collect()
}

/// Tells whether a line has a whole word: `unsafe_code`, for example, is the name of a lint.
pub(super) fn has_word(line: &str, word: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        check(&File::sample(path, text)).len()
    }

    #[test]
    fn only_the_raw_room_may() {
        let block = "fn f() { unsafe { g() } }";
        assert_eq!(count("rust/godot/src/raw/string.rs", block), 0);
        assert_eq!(count("rust/godot/src/api/codec.rs", block), 1);
        assert_eq!(count("rust/core/src/rawish.rs", "#[unsafe(no_mangle)]\nfn f() {}"), 1);
    }

    #[test]
    fn words_and_the_entry_are_fine() {
        assert_eq!(
            count("rust/core/src/lib.rs", "#![forbid(unsafe_code)]\n// unsafe\nconst A: &str = \"unsafe\";"),
            0
        );
        let entry = "#[gdextension]\nunsafe impl ExtensionLibrary for E {}";
        assert_eq!(count("rust/godot/src/lib.rs", entry), 0);
        assert_eq!(count("rust/core/src/lib.rs", entry), 1);
    }
}
