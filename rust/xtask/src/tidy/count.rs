//! Counts what tells whether the house grows or gets simpler, for `cargo xtask tidy --count`.
//!
//! `cargo xtask tidy` holds each count to its bound: a commit may lower a bound, none raises it without a reason.

use std::collections::{BTreeMap, BTreeSet};

use super::{File, Finding, code, modules, pattern};

/// The crates that users get; tools and tests are no part of the counts.
const PRODUCT: [&str; 10] =
    ["cli", "core", "godot", "objects", "pack", "protocol", "save", "schema", "serde", "text"];

/// Words that say that something happened, and not what a type is.
const PARTICIPLES: &str = "Ahead Along Arrived Asked Begun Bounded Broken Brought Chosen Claimed Decoded Entangled Entered \
    Foretold Found Given Granted Heard Held Kept Known Lacking Lent Listed Loaded Looked Made Measured Met Noted Nulled Numbered Opened \
    Peeked Placed Recovered Refused Reshaped Said Seen Shaped Shown Stated Taken Told Translated Unchosen Unfit Unplaced \
    Unread Unsaid Untold Untraceable Unwritten Viewed Walked Wanted Watched Wired";

/// The functions that are longer than Clippy's bound.
const LONG_FUNCTIONS: usize = 1;

/// The most uses of `inline(always)`.
const MOST_INLINED: usize = 200;

/// A property of the sources with the number of times that it occurs.
pub(super) struct Count {
    what: &'static str,
    found: usize,
    /// The largest number that `cargo xtask tidy` accepts.
    bound: usize,
    /// Whether fewer are a finding, too.
    is_exact: bool,
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
    let is_off = |count: &Count| count.found > count.bound || (count.is_exact && count.found < count.bound);
    all(files)
        .into_iter()
        .filter(is_off)
        .map(|count| {
            let how = if count.is_exact { "but the number here is" } else { "at most" };
            let what = format!(
                "{} {}, {how} {}: see `cargo xtask tidy --count`",
                count.found, count.what, count.bound
            );
            Finding { path: "rust/xtask/src/tidy/count.rs".to_owned(), line: 0, what }
        })
        .collect()
}

fn all(files: &[File]) -> Vec<Count> {
    let tests = test_modules(files);
    let sources: Vec<(&File, &str)> = files
        .iter()
        .filter(|file| is_product(file) && !tests.contains(&file.path))
        .map(|file| (file, code::without_tests(file.code())))
        .collect();
    let types = types(&sources);
    let words: BTreeSet<&str> = PARTICIPLES.split(' ').collect();
    let participles = types.iter().filter(|(name, _)| words.contains(*name));
    let shared = types.iter().filter(|(_, crates)| crates.len() >= 3);
    let listed = |(name, crates): (&&str, &BTreeSet<&str>)| {
        format!("{name}: {}", crates.iter().copied().collect::<Vec<_>>().join(", "))
    };
    let lines = sources.iter().map(|(_, code)| code.lines().count()).sum();
    vec![
        count("lines of product Rust, without tests", 98_915, lines, Vec::new()),
        of_list("types named by a bare participle or adverb", 0, participles.map(listed).collect()),
        of_list("type names that three crates or more have", 0, shared.map(listed).collect()),
        of_list("public records with kind, path, expected and got", 1, records(&sources)),
        of_list("circles of imports of more than 3 files", 0, modules::circles(&sources)),
        count("parameters that are tuples", 0, in_signatures(&sources, r": \([^)]"), Vec::new()),
        count("parameters of type bool", 19, in_signatures(&sources, r": bool[,)\n]"), Vec::new()),
        count("uses of inline(always)", MOST_INLINED, occurrences(&sources, "inline(always)"), Vec::new()),
        long_functions(files),
    ]
}

/// Counts the exceptions that Clippy lets pass outside of tests; its bound for the length of a function is in clippy.toml. A
/// commit that splits one lowers the number: fewer are a finding, too.
fn long_functions(files: &[File]) -> Count {
    let sources: Vec<(&File, &str)> = files
        .iter()
        .filter(|file| file.path.ends_with(".rs") && !file.is_test())
        .map(|file| (file, code::without_tests(file.code())))
        .collect();
    let found = occurrences(&sources, "clippy::too_many_lines");
    Count {
        is_exact: true,
        ..count("functions that are longer than Clippy's bound", LONG_FUNCTIONS, found, Vec::new())
    }
}

fn count(what: &'static str, bound: usize, found: usize, examples: Vec<String>) -> Count {
    Count { what, found, bound, is_exact: false, examples }
}

fn of_list(what: &'static str, bound: usize, examples: Vec<String>) -> Count {
    count(what, bound, examples.len(), examples)
}

/// Tells whether a file is of the product, and no test.
fn is_product(file: &File) -> bool {
    let mut parts = file.path.split('/');
    parts.next() == Some("rust")
        && parts.next().is_some_and(|name| PRODUCT.contains(&name))
        && parts.next() == Some("src")
        && file.path.ends_with(".rs")
        && !file.is_test()
        && !file.path.ends_with("_tests.rs")
}

/// Returns the files that only tests compile: those of modules such as `#[cfg(test)] mod disk;`.
fn test_modules(files: &[File]) -> BTreeSet<String> {
    let module = pattern(r"#\[cfg\(test\)\]\s+(?:pub(?:\(\w+\))? )?mod (\w+);");
    let of = |file: &File| {
        let own = file.path.trim_end_matches(".rs");
        let folder =
            ["/lib", "/mod"].iter().find_map(|name| own.strip_suffix(name)).unwrap_or(own).to_owned();
        let names = module.captures_iter(file.code()).map(move |found| format!("{folder}/{}.rs", &found[1]));
        names.collect::<Vec<_>>()
    };
    files.iter().filter(|file| file.path.ends_with(".rs")).flat_map(of).collect()
}

fn occurrences(sources: &[(&File, &str)], what: &str) -> usize {
    sources.iter().map(|(_, code)| code.matches(what).count()).sum()
}

/// The methods of serde's traits that are called with a bool.
const OF_SERDE: [&str; 2] = ["visit_bool", "serialize_bool"];

/// Counts texts between the names of functions and their bodies.
fn in_signatures(sources: &[(&File, &str)], what: &str) -> usize {
    // Types of arrays have `;` in brackets. A type such as `fn(bool)` has no name.
    let (signature, what) = (pattern(r"^[a-z_]\w*(?:[^;{\[]|\[[^\]]*\])*"), pattern(what));
    let found = |at: usize, code: &str| {
        let signature = signature.find(&code[at..]).map_or("", |found| found.as_str());
        let is_ours = !OF_SERDE.iter().any(|name| signature.starts_with(name));
        if is_ours { what.find_iter(signature).count() } else { 0 }
    };
    let of =
        |code: &str| code.match_indices("fn ").map(|(at, name)| found(at + name.len(), code)).sum::<usize>();
    sources.iter().map(|(_, code)| of(code)).sum()
}

/// Returns the names of all types with the crates that define one of that name.
fn types<'a>(sources: &[(&'a File, &'a str)]) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let type_name = pattern(r"(?m)^\s*(?:pub(?:\([^)]*\))? )?(?:unsafe )?(?:struct|enum|trait) (\w+)");
    let mut types: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (file, code) in sources {
        let krate = file.path.split('/').nth(1).unwrap_or_default();
        for found in type_name.captures_iter(code).filter_map(|found| found.get(1)) {
            types.entry(found.as_str()).or_default().insert(krate);
        }
    }
    types
}

fn records(sources: &[(&File, &str)]) -> Vec<String> {
    let mut found = Vec::new();
    for (file, code) in sources {
        for body in code.split("pub struct ").skip(1) {
            let body = &body[..body.find("\n}").unwrap_or(0)];
            if ["kind", "path", "expected", "got"].iter().all(|field| body.contains(&format!("pub {field}:")))
            {
                let name = body.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
                found.push(format!("{name}: {}", file.path));
            }
        }
    }
    found
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
        let files =
            [("lib", "#[cfg(test)]\nmod disk;\nmod a;\n"), ("disk", "fn a() {}\n"), ("a", "fn a() {}\n")];
        let files = files.map(|(name, text)| File::sample(&format!("rust/save/src/{name}.rs"), text));
        assert_eq!(all(&files)[0].found, 4, "only tests compile the disk");
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
    fn parameters_are_counted_by_their_types() {
        let code = "fn a<F: Fn(bool) -> u8>(x: bool, (y, z): (u8, u8), f: F, g: [u8; 4], h: bool) -> bool {}\nlet b: fn(bool);";
        assert_eq!((found(code, "bool"), found(code, "tuples")), (2, 1));
        let of_traits =
            "fn close(&mut self, (): ()) {}\nfn visit_bool<E>(self, value: bool) -> Result<bool, E> {}";
        assert_eq!((found(of_traits, "bool"), found(of_traits, "tuples")), (0, 0));
    }

    #[test]
    fn a_count_off_its_bound_is_a_finding() {
        let long = "#[expect(clippy::too_many_lines, reason = \"b\")]\n";
        let findings = |inlined: usize, longs: usize| {
            let text = "#[inline(always)]\n".repeat(inlined);
            let in_tests = format!("{}#[cfg(test)]\nmod tests {{\n{long}}}\n", long.repeat(longs));
            let files = [
                File::sample("rust/core/src/a.rs", &text),
                File::sample("rust/xtask/src/b.rs", &in_tests),
                File::sample("rust/core/src/tests.rs", long),
            ];
            check(&files).into_iter().map(|finding| finding.what).collect::<Vec<_>>()
        };
        assert_eq!(findings(MOST_INLINED, LONG_FUNCTIONS), [""; 0]);
        let too_many = format!("{} uses", MOST_INLINED + 4);
        let [too_few, too_long] =
            [LONG_FUNCTIONS - 1, LONG_FUNCTIONS + 1].map(|it| format!("{it} functions"));
        for (inlined, longs, start) in [
            (MOST_INLINED + 4, LONG_FUNCTIONS, &too_many),
            (MOST_INLINED, LONG_FUNCTIONS - 1, &too_few),
            (0, LONG_FUNCTIONS + 1, &too_long),
        ] {
            let found = findings(inlined, longs);
            assert!(found.len() == 1 && found[0].starts_with(start.as_str()), "{found:?}");
        }
    }
}
