//! Checks the order of the modules inside the core and of the rooms of the extension, where imports point left, and finds circles
//! of files that import each other.
//!
//! It looks at paths that begin with `crate::` or `super::`, in code only.

use std::collections::{BTreeMap, BTreeSet};

use super::{File, Finding, code};

/// The modules from left to right; those in one group may import each other. A new module is entered here
/// first.
const ORDER: [&[&str]; 11] = [
    &["wire", "tricks"],
    &["cursor"],
    &["fault", "path", "error", "error_location", "mistake", "quote", "rejection"],
    &["token"],
    &["sink"],
    &["flood"],
    &["plain"],
    &["walk"],
    &["value", "encode", "push"],
    &["transcode", "sorted"],
    &["framing"],
];

/// The rooms of the extension in the same way.
const ROOMS: [&[&str]; 4] = [
    &["raw", "engine", "ablation"],
    &["call", "objects", "protocol", "saves", "stream"],
    &["help", "proof"],
    &["api"],
];

const CORE: &str = "rust/core/src/";
const EXTENSION: &str = "rust/godot/src/";
/// A circle of no more files belongs together.
const SMALL: usize = 3;

pub(super) fn check(file: &File) -> Vec<Finding> {
    let orders: [(&str, &[&[&str]]); 2] = [(CORE, &ORDER), (EXTENSION, &ROOMS)];
    let found = orders.iter().find_map(|(root, order)| Some((file.path.strip_prefix(root)?, *order)));
    let Some((inside, order)) = found.filter(|(inside, _)| inside.ends_with(".rs")) else {
        return Vec::new();
    };
    let place = code::place(inside);
    let Some(module) = place.first().filter(|_| !file.is_test()) else { return Vec::new() };
    let rank_of = |module: &str| order.iter().position(|group| group.contains(&module));
    let Some(rank) = rank_of(module) else {
        return vec![
            file.finding(0, "this module has no place in the order (rust/xtask/src/tidy/modules.rs)"),
        ];
    };
    let code = code::without_tests(file.code());
    let mut findings = Vec::new();
    for (at, path) in code::imports(code, &place) {
        let name = path[0];
        let what = match rank_of(name) {
            Some(found) if found > rank => {
                format!("`{module}` may not import `{name}`, which stands to its right")
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

/// Returns each circle of more than [`SMALL`] files as a line: its crate, its size and its files.
pub(super) fn circles(sources: &[(&File, &str)]) -> Vec<String> {
    let mut crates: BTreeMap<&str, BTreeMap<Vec<&str>, &str>> = BTreeMap::new();
    for (file, code) in sources {
        let mut parts = file.path.splitn(4, '/').skip(1);
        let (Some(krate), Some(_), Some(inside)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let place = code::place(inside);
        if !place.is_empty() {
            crates.entry(krate).or_default().insert(place, code);
        }
    }
    crates.iter().flat_map(|(krate, files)| of_crate(krate, files)).collect()
}

fn of_crate(krate: &str, files: &BTreeMap<Vec<&str>, &str>) -> Vec<String> {
    let edges: BTreeMap<&[&str], BTreeSet<&[&str]>> =
        files.iter().map(|(place, code)| (&place[..], imported(place, code, files))).collect();
    let reach: BTreeMap<&[&str], BTreeSet<&[&str]>> =
        edges.keys().map(|from| (*from, reached(from, &edges))).collect();
    let mut seen = BTreeSet::new();
    let mut lines = Vec::new();
    for (from, reached) in &reach {
        let circle: Vec<&[&str]> = reached.iter().copied().filter(|to| reach[to].contains(from)).collect();
        if circle.len() > SMALL && circle.iter().all(|file| seen.insert(*file)) {
            let names: Vec<String> = circle.iter().map(|file| file.join("/")).collect();
            lines.push(format!("{krate}: {} files: {}", circle.len(), names.join(", ")));
        }
    }
    lines
}

/// Returns the files that a file imports, but for those that it declares: a module and its parts belong together.
fn imported<'f>(
    place: &'f [&'f str],
    code: &'f str,
    files: &'f BTreeMap<Vec<&'f str>, &'f str>,
) -> BTreeSet<&'f [&'f str]> {
    let mut found = BTreeSet::new();
    for (_, path) in code::imports(code, place) {
        let longest = (1..=path.len()).rev().find_map(|end| files.get_key_value(&path[..end]));
        let file = longest.map(|(file, _)| &file[..]);
        found.extend(file.filter(|file| !place.starts_with(file) && !file.starts_with(place)));
    }
    found
}

fn reached<'f>(
    from: &'f [&'f str],
    edges: &BTreeMap<&'f [&'f str], BTreeSet<&'f [&'f str]>>,
) -> BTreeSet<&'f [&'f str]> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        open.extend(edges[file].iter().copied().filter(|to| reached.insert(*to)));
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_point_left() {
        for (path, text, count) in [
            ("token/read.rs", "use crate::cursor::Cursor;", 0),
            ("token/read.rs", "use crate::walk::Walker;", 1),
            ("cursor.rs", "use crate::{fault::Fault, wire::Type};", 1),
            ("walk.rs", "use crate::{sink::{Sink, Skip}, token, error};", 0),
            ("wire/types.rs", "fn f() -> crate::value::Value { todo() }", 1),
            // The root is no way around.
            ("cursor.rs", "use crate::{Value, wire::Type};", 1),
            ("cursor.rs", "crate::for_each_type!(x);", 0),
            // `super` reaches the root only from its depth.
            ("cursor.rs", "use super::walk::Walker;", 1),
            ("token/read.rs", "use super::walk::Walker;", 0),
            ("token/read.rs", "use super::super::walk::Walker;", 1),
            ("token/mod.rs", "use super::walk::Walker;", 1),
            // Tests and texts are free.
            ("cursor.rs", "// crate::walk\n#[cfg(test)]\nmod tests { use crate::walk; }", 0),
            ("cursor/tests.rs", "use crate::walk;", 0),
            ("cursor.rs", "#[cfg(test)]\nmod tests;\nuse crate::walk::Walker;", 1),
            ("novelty.rs", "", 1),
            ("lib.rs", "pub use value::Value;", 0),
        ] {
            assert_eq!(check(&File::sample(&format!("{CORE}{path}"), text)).len(), count, "{path}: {text}");
        }
    }

    #[test]
    fn rooms_import_no_room_to_their_right() {
        for (path, text, count) in [
            ("engine/read/mod.rs", "use crate::raw::variant::identity;", 0),
            ("engine/into.rs", "use crate::call::codec::Problem;", 1),
            ("stream/job.rs", "use crate::api::VariantJob;", 1),
            ("api/job.rs", "use crate::{call::codec, stream};", 0),
            ("novelty.rs", "", 1),
        ] {
            let file = File::sample(&format!("{EXTENSION}{path}"), text);
            assert_eq!(check(&file).len(), count, "{path}: {text}");
        }
    }

    fn lines(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<File> = files.iter().map(|(path, text)| File::sample(path, text)).collect();
        circles(&files.iter().map(|file| (file, file.code())).collect::<Vec<_>>())
    }

    #[test]
    fn a_circle_of_four_files_is_found() {
        let circle = [
            ("rust/a/src/one.rs", "use crate::two::B;"),
            ("rust/a/src/two.rs", "use super::three::{C, D};"),
            ("rust/a/src/three/mod.rs", "use crate::four::part::E;"),
            ("rust/a/src/four/part.rs", "use super::super::one::A;"),
        ];
        assert_eq!(lines(&circle), ["a: 4 files: four/part, one, three, two"]);
        assert_eq!(lines(&circle[..3]), [""; 0]);
    }

    #[test]
    fn a_module_and_its_parts_are_no_circle() {
        let parts = ["b", "c", "d", "e"].map(|name| format!("rust/a/src/x/{name}.rs"));
        let mut files: Vec<(&str, &str)> =
            parts.iter().map(|path| (path.as_str(), "use super::X;")).collect();
        files.push(("rust/a/src/x/mod.rs", "use self::b::B;"));
        assert_eq!(lines(&files), [""; 0]);
    }
}
