//! Counts what tells whether the house grows or gets simpler, for `cargo xtask tidy --count`.
//!
//! `cargo xtask tidy` holds each count to its bound: a commit may lower a bound, none raises it without a reason.

use std::collections::{BTreeMap, BTreeSet};

use super::{File, Finding, code, cycles};

/// The crates that users get; tools and tests are no part of the counts.
const PRODUCT: [&str; 10] =
    ["cli", "core", "godot", "objects", "pack", "protocol", "save", "schema", "serde", "text"];

/// Words that say that something happened, and not what a type is.
const PARTICIPLES: &str = "Ahead Along Arrived Asked Begun Bounded Broken Brought Chosen Claimed Decoded Entangled Entered \
    Foretold Found Given Granted Heard Held Kept Known Lacking Lent Listed Loaded Looked Made Met Noted Nulled Numbered Opened \
    Peeked Placed Recovered Refused Reshaped Said Seen Shaped Shown Stated Taken Told Translated Unchosen Unfit Unplaced \
    Unread Unsaid Untold Untraceable Unwritten Viewed Walked Wanted Watched Wired";

/// A property of the sources with the number of times that it occurs.
pub(super) struct Count {
    what: &'static str,
    found: usize,
    /// The largest number that `cargo xtask tidy` accepts.
    bound: usize,
    examples: Vec<String>,
}

/// Prints all counts with their bounds, and examples.
pub(super) fn print(files: &[File]) {
    println!("{:<55} {:>8} {:>8}", "", "now", "bound");
    for count in all(files) {
        println!("{:<55} {:>8} {:>8}", count.what, count.found, count.bound);
        for example in count.examples.iter().take(12) {
            println!("    {example}");
        }
    }
}

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let over = all(files).into_iter().filter(|count| count.found > count.bound);
    over.map(|count| {
        let what = format!(
            "{} {}, at most {}: `cargo xtask tidy --count` lists them",
            count.found, count.what, count.bound
        );
        Finding { path: "rust/xtask/src/tidy/count.rs".to_owned(), line: 0, what }
    })
    .collect()
}

fn all(files: &[File]) -> Vec<Count> {
    let sources: Vec<(&File, String)> =
        files.iter().filter_map(|file| Some((file, product(file)?))).collect();
    let types = types(&sources);
    let words: BTreeSet<&str> = PARTICIPLES.split(' ').collect();
    let participles = types.iter().filter(|(name, _)| words.contains(name.as_str()));
    let shared = types.iter().filter(|(_, crates)| crates.len() >= 3);
    let listed = |(name, crates): (&String, &BTreeSet<&str>)| {
        format!("{name}: {}", crates.iter().copied().collect::<Vec<_>>().join(", "))
    };
    let signatures: Vec<(&File, Vec<String>)> =
        sources.iter().map(|(file, code)| (*file, parameters(code))).collect();
    vec![
        count("lines of product Rust, without tests", 101_600, lines(&sources), Vec::new()),
        of_list("types named by a bare participle or adverb", 55, participles.map(listed).collect()),
        of_list("type names that three crates or more have", 60, shared.map(listed).collect()),
        of_list("public records with kind, path, expected and got", 4, records(&sources)),
        of_list("circles of imports of more than 3 files", 11, cycles::circles(&sources)),
        matching("parameters that are tuples", 212, &signatures, |parameter| parameter.contains(": (")),
        matching("parameters of type bool", 197, &signatures, |parameter| parameter.ends_with(": bool")),
        count("uses of inline(always)", 384, occurrences(&sources, "inline(always)"), Vec::new()),
    ]
}

fn count(what: &'static str, bound: usize, found: usize, examples: Vec<String>) -> Count {
    Count { what, found, bound, examples }
}

fn of_list(what: &'static str, bound: usize, examples: Vec<String>) -> Count {
    count(what, bound, examples.len(), examples)
}

fn matching(
    what: &'static str,
    bound: usize,
    signatures: &[(&File, Vec<String>)],
    is_one: impl Fn(&str) -> bool,
) -> Count {
    let found = |parameters: &Vec<String>| parameters.iter().filter(|it| is_one(it)).count();
    count(what, bound, signatures.iter().map(|(_, parameters)| found(parameters)).sum(), Vec::new())
}

/// Returns the code of a file of the product without its unit tests, or `None` for any other file.
fn product(file: &File) -> Option<String> {
    let mut parts = file.path.split('/');
    let is_source = parts.next() == Some("rust")
        && parts.next().is_some_and(|name| PRODUCT.contains(&name))
        && parts.next() == Some("src")
        && file.path.ends_with(".rs")
        && !file.is_test()
        && !file.path.ends_with("_tests.rs");
    let code = is_source.then(|| code::only(&file.text))?;
    let end = code.find("#[cfg(test)]\nmod tests {").unwrap_or(code.len());
    Some(code[..end].to_owned())
}

fn lines(sources: &[(&File, String)]) -> usize {
    sources.iter().map(|(_, code)| code.lines().count()).sum()
}

fn occurrences(sources: &[(&File, String)], what: &str) -> usize {
    sources.iter().map(|(_, code)| code.matches(what).count()).sum()
}

/// Returns the names of all types with the crates that define one of that name.
fn types<'a>(sources: &[(&'a File, String)]) -> BTreeMap<String, BTreeSet<&'a str>> {
    let mut types: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (file, code) in sources {
        let krate = file.path.split('/').nth(1).unwrap_or_default();
        for line in code.lines().map(str::trim_start) {
            let item = line.strip_prefix("pub").map_or(line, |rest| match rest.strip_prefix('(') {
                Some(rest) => rest.split_once(')').map_or(rest, |(_, rest)| rest),
                None => rest,
            });
            let mut words = item.split_whitespace();
            if !words.next().is_some_and(|word| matches!(word, "struct" | "enum" | "trait")) {
                continue;
            }
            let name = words.next().unwrap_or_default();
            let end = name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len());
            types.entry(name[..end].to_owned()).or_default().insert(krate);
        }
    }
    types
}

fn records(sources: &[(&File, String)]) -> Vec<String> {
    let mut found = Vec::new();
    for (file, code) in sources {
        for body in code.split("pub struct ").skip(1) {
            let body = &body[..body.find("\n}").unwrap_or(0)];
            if ["pub kind:", "pub path:", "pub expected:", "pub got:"]
                .iter()
                .all(|field| body.contains(field))
            {
                let name = body.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
                found.push(format!("{name}: {}", file.path));
            }
        }
    }
    found
}

/// Returns the parameters of all functions, each with its type.
fn parameters(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let named = &code[at + 3..];
        // A type such as `fn(bool)` has no name.
        if !named.starts_with(|c: char| c.is_ascii_lowercase() || c == '_') {
            continue;
        }
        let Some(open) = opening(named) else { continue };
        let (mut depth, mut parameter) = (0_usize, String::new());
        for c in named[open..].chars() {
            match c {
                '(' | '[' | '<' | '{' => depth += 1,
                ')' | ']' | '>' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 || (depth == 1 && c == ',') {
                found.push(parameter.trim().to_owned());
                parameter.clear();
            } else if depth > 1 || c != '(' {
                parameter.push(if c == '\n' { ' ' } else { c });
            }
            if depth == 0 {
                break;
            }
        }
    }
    found.retain(|parameter| !parameter.is_empty());
    found
}

/// Returns where the parameters open, behind the name and its generics.
fn opening(named: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut last = ' ';
    for (at, c) in named.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if last != '-' => depth = depth.saturating_sub(1),
            '(' if depth == 0 => return Some(at),
            ';' | '{' if depth == 0 => return None,
            _ => {}
        }
        last = c;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, what: &str) -> usize {
        let files = [File::sample("rust/core/src/a.rs", text)];
        all(&files).iter().find(|count| count.what.contains(what)).unwrap().found
    }

    #[test]
    fn only_the_product_is_counted() {
        let files =
            ["rust/core/src/a.rs", "rust/core/src/tests.rs", "rust/xtask/src/a.rs", "tests/tests/a.rs"];
        let files = files.map(|path| File::sample(path, "//! a\n\nfn a() {}\n"));
        assert_eq!(all(&files)[0].found, 3);
        assert_eq!(found("fn a() {}\n\n#[cfg(test)]\nmod tests {\n}\n", "lines"), 2);
    }

    #[test]
    fn names_of_types_are_found() {
        assert_eq!(
            found("pub(crate) struct Held<'a> {\n}\nenum Given {}\nstruct Heldback;\n", "participle"),
            2
        );
        let files =
            ["core", "text", "cli"].map(|name| File::sample(&format!("rust/{name}/src/a.rs"), "struct A;\n"));
        assert_eq!(all(&files)[2].found, 1);
    }

    #[test]
    fn parameters_are_read_with_their_types() {
        let code = "fn a<F: Fn(bool) -> u8>(x: bool, (y, z): (u8, u8), f: F) -> bool {}\nlet b: fn(bool);";
        assert_eq!(parameters(code), ["x: bool", "(y, z): (u8, u8)", "f: F"]);
        assert_eq!((found(code, "bool"), found(code, "tuples")), (1, 1));
    }

    #[test]
    fn a_count_over_its_bound_is_a_finding() {
        let text = "#[inline(always)]\n".repeat(385);
        let findings = check(&[File::sample("rust/core/src/a.rs", &text)]);
        assert!(findings.len() == 1 && findings[0].what.starts_with("385 uses"), "{findings:?}");
        assert_eq!(check(&[File::sample("rust/core/src/a.rs", &text[18..])]), []);
    }
}
