//! Finds circles of files that import each other, for the counts of the house.

use std::collections::{BTreeMap, BTreeSet};

use super::File;

/// A circle of fewer files is a pair that belongs together.
const SMALL: usize = 3;

/// Returns each circle of more than [`SMALL`] files as a line: its crate, its size and its files.
pub(super) fn circles(sources: &[(&File, String)]) -> Vec<String> {
    let mut crates: BTreeMap<&str, Vec<(Vec<&str>, &str)>> = BTreeMap::new();
    for (file, code) in sources {
        let mut parts = file.path.trim_end_matches(".rs").split('/').skip(1);
        let krate = parts.next().unwrap_or_default();
        let mut place: Vec<&str> = parts.skip(1).collect();
        if place.last() == Some(&"mod") {
            place.pop();
        }
        if !matches!(place[..], ["lib" | "main"]) {
            crates.entry(krate).or_default().push((place, code));
        }
    }
    crates.iter().flat_map(|(krate, files)| of_crate(krate, files)).collect()
}

fn of_crate(krate: &str, files: &[(Vec<&str>, &str)]) -> Vec<String> {
    let places: BTreeMap<&[&str], usize> =
        files.iter().enumerate().map(|(number, (place, _))| (&place[..], number)).collect();
    let edges: Vec<BTreeSet<usize>> =
        files.iter().map(|(place, code)| imports(place, code, &places)).collect();
    let reach: Vec<BTreeSet<usize>> = (0..files.len()).map(|from| reached(from, &edges)).collect();
    let mut seen = BTreeSet::new();
    let mut lines = Vec::new();
    for from in 0..files.len() {
        let circle: Vec<usize> =
            reach[from].iter().copied().filter(|to| reach[*to].contains(&from)).collect();
        if circle.len() > SMALL && circle.iter().all(|file| seen.insert(*file)) {
            let names: Vec<String> = circle.iter().map(|file| files[*file].0.join("/")).collect();
            lines.push(format!("{krate}: {} files: {}", circle.len(), names.join(", ")));
        }
    }
    lines
}

/// Returns the files that a file names in paths that begin with `crate::` or `super::`, but for those that it declares: a
/// module and its parts belong together.
fn imports(place: &[&str], code: &str, places: &BTreeMap<&[&str], usize>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for root in ["crate::", "super::"] {
        for (at, _) in code.match_indices(root) {
            let ups = code[..at].rsplit("super::").take_while(|part| part.is_empty()).count();
            let mut path: Vec<&str> = match root {
                "crate::" => Vec::new(),
                _ => place[..place.len().saturating_sub(ups + 1)].to_vec(),
            };
            let rest = &code[at + root.len()..];
            for name in rest.split("::") {
                let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
                path.push(&name[..end]);
                if end < name.len() {
                    break;
                }
            }
            while !path.is_empty() && !places.contains_key(&path[..]) {
                path.pop();
            }
            if let Some(file) = places.get(&path[..])
                && !place.starts_with(&path)
                && !path.starts_with(place)
            {
                found.insert(*file);
            }
        }
    }
    found
}

fn reached(from: usize, edges: &[BTreeSet<usize>]) -> BTreeSet<usize> {
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

    fn lines(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<File> = files.iter().map(|(path, text)| File::sample(path, text)).collect();
        let sources: Vec<(&File, String)> = files.iter().map(|file| (file, file.text.clone())).collect();
        circles(&sources)
    }

    #[test]
    fn a_circle_of_four_files_is_found() {
        let circle = [
            ("rust/a/src/one.rs", "use crate::two::B;"),
            ("rust/a/src/two.rs", "use super::three::{C, D};"),
            ("rust/a/src/three/mod.rs", "use crate::four::part::E;"),
            ("rust/a/src/four/part.rs", "use super::super::one::A;"),
        ];
        assert_eq!(
            lines(&circle),
            ["a: 4 files: four/part, one, three, two"].map(|_| lines(&circle)[0].clone())
        );
        assert!(lines(&circle)[0].starts_with("a: 4 files: "));
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
