//! Refuses what is written where it may not be: one table of patterns, each with the files that it is for.
//!
//! Rules of Rust files see code alone, without comments and texts.

use std::sync::LazyLock;

use regex::Regex;

use super::{File, Finding, pattern};

/// A pattern that files may not contain.
struct Rule {
    /// The files that the rule is for, as a pattern of their paths.
    files: &'static str,
    /// Those of them that may contain it.
    except: &'static str,
    pattern: &'static str,
    /// The finding's words.
    what: &'static str,
    /// Texts of which a line has one before the pattern is tried on it.
    hints: &'static [&'static str],
    /// Whether comments and texts count, too.
    in_text: bool,
}

const fn rule(
    (files, except): (&'static str, &'static str),
    hints: &'static [&'static str],
    pattern: &'static str,
    what: &'static str,
) -> Rule {
    Rule { files, except, pattern, what, hints, in_text: false }
}

const RULES: [Rule; 9] = [
    // The compiler's own lint cannot draw this line across modules and crates. The entry of the extension is a trait that is
    // unsafe to implement, and does nothing.
    rule(
        (r"\.rs$", r"^rust/godot/src/(raw/|raw\.rs$|lib\.rs$)"),
        &["unsafe"],
        r"\bunsafe\b",
        "unsafe outside rust/godot/src/raw",
    ),
    rule(
        (r"^rust/godot/src/lib\.rs$", "^$"),
        &["unsafe"],
        r"\bunsafe\b( impl ExtensionLibrary)?",
        "unsafe outside rust/godot/src/raw",
    ),
    rule(
        (r"\.rs$", "^rust/godot/"),
        &["godot"],
        r"(?:^|[^\w:])godot::|^\s*use godot\b",
        "only rust/godot may name the engine's crate",
    ),
    // What runs under the lock of a `VariantProtocol` calls no script: a script that asks the same object would wait for ever.
    // These calls can run one, by handlers and by a game's own `Logger`; what ends when a value makes room is for
    // `locks_test.gd` to find.
    rule(
        ("^rust/godot/src/protocol/", r"/(handlers|wired)\.rs$"),
        &["call", "emit_signal(", "push_"],
        r"\.call\(|call_all\(|call_with\(|emit_signal\(|push_error\(|push_warning\(",
        "it can run a script, and the lock is held in this file: do it in handlers.rs",
    ),
    // The manifest promises Rust 1.94; these rules go when it promises 1.95. Impls of traits have no version that a tool here
    // knows: the workflow builds with the oldest Rust itself.
    rule((r"\.rs$", "^$"), &["cfg_select!"], r"\bcfg_select!", "`cfg_select!` needs Rust 1.95"),
    // An arm of a `match` whose guard binds a pattern: no block opens between `if`, `let` and the arrow.
    rule(
        (r"\.rs$", "^$"),
        &[" let ", "if let "],
        r"(?:^|\s)if (?:(?:[^{}\n]|\{[^{}\n]*\})*? )?let (?:[^{}=\n]|=[^>\n]|\{[^{}\n]*\})*=>",
        "an `if let` guard needs Rust 1.95",
    ),
    rule(
        (r"\.rs$", "^$"),
        &["clippy::too_many_lines"],
        r"\b(?:allow|warn|deny|forbid)\([^\]]*\bclippy::too_many_lines\b",
        "expect(clippy::too_many_lines), with a reason, for one function",
    ),
    // `/root/` is not among them, because every Godot scene path begins with it.
    Rule {
        in_text: true,
        ..rule(
            ("", "^$"),
            &["home/", "tmp/", "work/", "Users/"],
            r"(?:^|[^\w\-./}~)>*])/(?:home|tmp|work|Users)/",
            "a path of one machine: such a folder exists nowhere else",
        )
    },
    Rule {
        in_text: true,
        ..rule(
            ("", r"(^|/)Cargo\.lock$"),
            &["s.io", "npmjs", "pypi", "debian", "golang"],
            r"crates\.io|npmjs\.org|pypi\.org|debian\.org|proxy\.golang\.org",
            "the name of a package registry's host",
        )
    },
];

/// The pattern that a match may have without being a finding.
const ENTRY: &str = "unsafe impl ExtensionLibrary";

static PATTERNS: LazyLock<Vec<[Regex; 3]>> =
    LazyLock::new(|| RULES.iter().map(|rule| [rule.files, rule.except, rule.pattern].map(pattern)).collect());

pub(super) fn check(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (rule, [files, except, pattern]) in RULES.iter().zip(PATTERNS.iter()) {
        if !files.is_match(&file.path) || except.is_match(&file.path) {
            continue;
        }
        let text = if rule.in_text { &file.text } else { file.code() };
        let mut start = 0;
        for (at, line) in text.split_inclusive('\n').enumerate() {
            let end = start + line.trim_end().len();
            if rule.hints.iter().any(|hint| line.contains(hint)) {
                // An attribute may have opened lines before.
                let from = match text[..start].rfind('[') {
                    Some(open) if !line.contains('[') && !text[open..start].contains(']') => open,
                    _ => start,
                };
                let found = pattern.find_iter(&text[from..end]).filter(|found| found.as_str() != ENTRY);
                findings.extend(found.map(|_| file.finding(at + 1, rule.what)));
            }
            start += line.len();
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "#[expect(\n    clippy::too_many_lines,\n    reason = \"b\"\n)]\nfn c() {}\n";

    fn found(path: &str, text: &str) -> usize {
        check(&File::sample(path, text)).len()
    }

    #[test]
    fn each_pattern_is_refused_where_it_may_not_be() {
        let block = "fn f() { unsafe { g() } }";
        let entry = "#[gdextension]\nunsafe impl ExtensionLibrary for E {}";
        let call = "fn f() { handler.call(&[]); }\n// push_error(\n";
        for (path, text, count) in [
            ("rust/godot/src/raw/string.rs", block, 0),
            ("rust/godot/src/api/codec.rs", block, 1),
            ("rust/godot/src/lib.rs", block, 1),
            ("rust/core/src/rawish.rs", "#[unsafe(no_mangle)]\nfn f() {}", 1),
            ("rust/core/src/lib.rs", "#![forbid(unsafe_code)]\n// unsafe\nconst A: &str = \"unsafe\";", 0),
            ("rust/godot/src/lib.rs", entry, 0),
            ("rust/core/src/lib.rs", entry, 1),
            ("rust/core/src/lib.rs", "use godot::prelude::*;", 1),
            ("rust/core/src/lib.rs", "fn f(v: &godot::builtin::Variant) {}", 1),
            (
                "rust/core/src/lib.rs",
                "// like godot::builtin\nmod godot_like {}\nuse crate::not_godot::x;",
                0,
            ),
            ("rust/godot/src/lib.rs", "use godot::prelude::*;", 0),
            ("rust/godot/src/protocol/sending.rs", call, 1),
            ("rust/godot/src/protocol/handlers.rs", call, 0),
            ("rust/godot/src/api/protocol.rs", call, 0),
            ("rust/core/src/a.rs", "Some(x) if let Some(y) = f(x) => y,", 1),
            ("rust/core/src/a.rs", "    if let Some(P { y }) = f(x) =>", 1),
            ("rust/core/src/a.rs", "Some(x) if x > 1 && let Ok(y) = g(x) => {", 1),
            ("rust/core/src/a.rs", "cfg_select! {", 1),
            ("rust/core/src/a.rs", "if let Some(x) = match y { A => B, C => D } {", 0),
            ("rust/core/src/a.rs", "A => if let Some(x) = y { x } else { z },", 0),
            ("rust/core/src/a.rs", "Some(x) if x > 1 => x,", 0),
            ("rust/core/src/a.rs", "// Some(x) if let Some(y) = f(x) => y", 0),
            ("rust/core/src/a.rs", "if let Some(x) = y && let Some(z) = x {", 0),
        ] {
            assert_eq!(found(path, text), count, "{path}: {text}");
        }
    }

    #[test]
    fn exceptions_folders_and_hosts_are_refused() {
        for (path, text, count) in [
            ("tests/tests/a.rs", LONG, 0),
            ("tests/tests/a.rs", "#![allow(clippy::too_many_lines)]", 1),
            ("tests/tests/a.rs", "#[allow(clippy::too_many_lines, reason = \"b\")]\nfn c() {}", 1),
            ("tests/tests/a.rs", "// clippy::too_many_lines\nconst A: &str = \"clippy::too_many_lines\";", 0),
            ("docs/A.md", "the node /root/Main, the folder /etc/apt", 0),
            ("docs/A.md", concat!("from https://index.", "pypi", ".org/x"), 1),
            ("Cargo.lock", concat!("registry+https://", "pypi", ".org"), 0),
        ] {
            assert_eq!(found(path, text), count, "{path}: {text}");
        }
        for folder in ["home", "tmp", "work", "Users"] {
            let text = format!("run `/{folder}/me/godot` now");
            assert_eq!(found("docs/A.md", &text), 1, "{folder}");
            assert_eq!(found("a.gd", &format!("see res://{folder}/me and target/{folder}/x")), 0, "{folder}");
        }
    }
}
