//! Checks what keeps the sources to the oldest Rust that the manifest promises, as far as the lint `incompatible_msrv` cannot:
//! that each crate takes the workspace's lints, and that no syntax is newer.
//!
//! Impls of traits have no version that a tool here knows; the workflow builds with the oldest Rust itself.

use super::{File, Finding, code};

/// Names syntax of Rust 1.95. These rules go when the manifest promises that.
const GUARDS: &str = "an `if let` guard needs Rust 1.95";
const CFG_SELECT: &str = "`cfg_select!` needs Rust 1.95";

pub(super) fn check(file: &File) -> Vec<Finding> {
    if file.name() == "Cargo.toml" {
        return check_manifest(file);
    }
    if !file.path.ends_with(".rs") {
        return Vec::new();
    }
    let code = code::only(&file.text);
    let lines = code.lines().enumerate();
    let newer = |line: &str| {
        let guard = has_let_guard(line).then_some(GUARDS);
        guard.or_else(|| line.contains("cfg_select!").then_some(CFG_SELECT))
    };
    lines.filter_map(|(at, line)| newer(line).map(|what| file.finding(at + 1, what))).collect()
}

/// Checks a member of the workspace. Crates that are built only when asked for are workspaces of their own.
fn check_manifest(file: &File) -> Vec<Finding> {
    let is_member = file.text.contains("[package]") && !file.text.contains("[workspace]");
    let takes_lints = file.text.contains("[lints]\nworkspace = true");
    let is_missing = is_member && !takes_lints;
    is_missing.then(|| file.finding(0, "does not take the workspace's lints")).into_iter().collect()
}

/// Tells whether an arm of a `match` begins on this line whose guard binds a pattern: `if`, then `let`, then the arrow, without
/// a block that opens in between. rustfmt breaks no guard between these, unless it is very long.
fn has_let_guard(line: &str) -> bool {
    let padded = format!(" {line}");
    let Some((_, guard)) = padded.split_once(" if ") else { return false };
    let Some((guard, _)) = guard.split_once("=>") else { return false };
    let braces = |which: char| guard.chars().filter(|c| *c == which).count();
    let binds = guard.trim_start().starts_with("let ") || guard.contains(" let ");
    binds && braces('{') == braces('}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        check(&File::sample(path, text)).len()
    }

    #[test]
    fn newer_syntax_is_found() {
        for arm in [
            "Some(x) if let Some(y) = f(x) => y,",
            "    if let Some(P { y }) = f(x) =>",
            "Some(x) if x > 1 && let Ok(y) = g(x) => {",
            "cfg_select! {",
        ] {
            assert_eq!(count("rust/core/src/a.rs", arm), 1, "{arm}");
        }
        for arm in [
            "if let Some(x) = match y { A => B, C => D } {",
            "A => if let Some(x) = y { x } else { z },",
            "Some(x) if x > 1 => x,",
            "// Some(x) if let Some(y) = f(x) => y",
            "if let Some(x) = y && let Some(z) = x {",
        ] {
            assert_eq!(count("rust/core/src/a.rs", arm), 0, "{arm}");
        }
    }

    #[test]
    fn every_member_takes_the_lints() {
        let package = "[package]\nname = \"x\"\n";
        assert_eq!(count("rust/x/Cargo.toml", package), 1);
        assert_eq!(count("rust/x/Cargo.toml", &format!("{package}\n[lints]\nworkspace = true\n")), 0);
        assert_eq!(count("rust/x/Cargo.toml", &format!("{package}\n[workspace]\n")), 0);
    }
}
