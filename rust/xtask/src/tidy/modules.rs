//! Checks the order of the modules inside the core: imports point left.
//!
//! It looks at paths that begin with `crate::` or `super::`, in code only.

use super::{File, Finding, code};

/// The modules from left to right; those in one group may import each other. A new module is entered here
/// first.
const ORDER: [&[&str]; 11] = [
    &["wire", "tricks"],
    &["cursor"],
    &["fault", "path", "error", "error_location", "quote"],
    &["token"],
    &["sink"],
    &["flood"],
    &["plain"],
    &["walk"],
    &["value", "encode", "push"],
    &["transcode", "sorted"],
    &["framing"],
];

const CORE: &str = "rust/core/src/";

pub(super) fn check(file: &File) -> Vec<Finding> {
    let Some(inside) = file.path.strip_prefix(CORE).and_then(|path| path.strip_suffix(".rs")) else {
        return Vec::new();
    };
    if inside == "lib" || file.is_test() {
        return Vec::new();
    }
    let mut place: Vec<&str> = inside.split('/').collect();
    if place.last() == Some(&"mod") {
        place.pop();
    }
    let Some(rank) = place.first().and_then(|module| rank_of(module)) else {
        return vec![
            file.finding(0, "this module has no place in the order (rust/xtask/src/tidy/modules.rs)"),
        ];
    };
    let code = code::only(&file.text);
    let code = without_tests(&code);
    let mut findings = Vec::new();
    for (at, name) in imports(code, place.len()) {
        let what = match rank_of(name) {
            Some(found) if found > rank => {
                format!("`{}` may not import `{name}`, which stands to its right", place[0])
            }
            // The root's re-exports would make everything reachable and hide the direction of the import.
            None if name.starts_with(char::is_uppercase) => {
                format!("import `{name}` from its module, not from the crate's root")
            }
            _ => continue,
        };
        findings.push(file.finding(code[..at].matches('\n').count() + 1, what));
    }
    findings
}

/// Removes the unit tests, which stand last and may import anything.
fn without_tests(code: &str) -> &str {
    let written_here = |(at, marker): &(usize, &str)| {
        let item = code[at + marker.len()..].trim_start();
        let end = item.find(['{', ';']);
        item.starts_with("mod ") && end.is_some_and(|end| item[end..].starts_with('{'))
    };
    code.match_indices("#[cfg(test)]").find(written_here).map_or(code, |(at, _)| &code[..at])
}

fn rank_of(module: &str) -> Option<usize> {
    ORDER.iter().position(|group| group.contains(&module))
}

/// Returns the first segment below the crate's root of every path in `code`, for a module `depth` levels
/// deep.
fn imports(code: &str, depth: usize) -> Vec<(usize, &str)> {
    let roots = ["crate::".to_owned(), "super::".repeat(depth)];
    let mut found = Vec::new();
    for root in &roots {
        for (at, _) in code.match_indices(root.as_str()) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || "_:$".contains(c)) {
                continue;
            }
            let rest = &code[at + root.len()..];
            match rest.strip_prefix('{') {
                Some(group) => found.extend(group_names(group).into_iter().map(|name| (at, name))),
                None => found.push((at, first_name(rest))),
            }
        }
    }
    found
}

/// Returns the first names of the members of `a::{b, c}, d}`.
fn group_names(group: &str) -> Vec<&str> {
    let mut names = vec![first_name(group)];
    let mut depth = 1;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => names.push(first_name(&group[at + 1..])),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names
}

fn first_name(path: &str) -> &str {
    let path = path.trim_start();
    path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> usize {
        check(&File::sample(path, text)).len()
    }

    #[test]
    fn imports_point_left() {
        assert_eq!(findings("rust/core/src/token/read.rs", "use crate::cursor::Cursor;"), 0);
        assert_eq!(findings("rust/core/src/token/read.rs", "use crate::walk::Walker;"), 1);
        assert_eq!(findings("rust/core/src/cursor.rs", "use crate::{fault::Fault, wire::Type};"), 1);
        assert_eq!(findings("rust/core/src/walk.rs", "use crate::{sink::{Sink, Skip}, token, error};"), 0);
        assert_eq!(findings("rust/core/src/wire/types.rs", "fn f() -> crate::value::Value { todo() }"), 1);
    }

    #[test]
    fn the_root_is_no_way_around() {
        assert_eq!(findings("rust/core/src/cursor.rs", "use crate::{Value, wire::Type};"), 1);
        assert_eq!(findings("rust/core/src/cursor.rs", "crate::for_each_type!(x);"), 0);
    }

    #[test]
    fn super_reaches_the_root_only_from_its_depth() {
        assert_eq!(findings("rust/core/src/cursor.rs", "use super::walk::Walker;"), 1);
        assert_eq!(findings("rust/core/src/token/read.rs", "use super::walk::Walker;"), 0);
        assert_eq!(findings("rust/core/src/token/read.rs", "use super::super::walk::Walker;"), 1);
        assert_eq!(findings("rust/core/src/token/mod.rs", "use super::walk::Walker;"), 1);
    }

    #[test]
    fn tests_and_text_are_free() {
        assert_eq!(
            findings(
                "rust/core/src/cursor.rs",
                "// crate::walk\n#[cfg(test)]\nmod tests { use crate::walk; }"
            ),
            0
        );
        assert_eq!(findings("rust/core/src/cursor/tests.rs", "use crate::walk;"), 0);
        assert_eq!(
            findings("rust/core/src/cursor.rs", "#[cfg(test)]\nmod tests;\nuse crate::walk::Walker;"),
            1
        );
    }

    #[test]
    fn every_module_has_its_place() {
        assert_eq!(findings("rust/core/src/novelty.rs", ""), 1);
        assert_eq!(findings("rust/core/src/lib.rs", "pub use value::Value;"), 0);
    }
}
