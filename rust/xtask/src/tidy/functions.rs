//! Limits the number of long functions outside of tests.
//!
//! Clippy finds long functions, and exceptions that are not needed any more; its bound is in clippy.toml.
//! This rule counts the exceptions.

use super::{File, Finding, code};

const LINT: &str = "clippy::too_many_lines";

/// The number of exceptions. A commit that splits a long function lowers it.
const EXCEPTIONS: usize = 15;

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    within(files, EXCEPTIONS)
}

fn within(files: &[File], exceptions: usize) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut last = None;
    let mut count = 0;
    for file in files.iter().filter(|file| file.path.ends_with(".rs")) {
        let code = code::only(&file.text);
        for (at, _) in code.match_indices(LINT) {
            let line = code[..at].lines().count();
            if !code[..at].rsplit('[').next().unwrap_or_default().starts_with("expect(") {
                findings.push(file.finding(line, format!("expect({LINT}), with a reason, for one function")));
            }
            if !file.is_test() {
                count += 1;
                last = Some(file.finding(
                    line,
                    format!(
                        "{count} long functions of {exceptions}: split one, or lower the number in xtask"
                    ),
                ));
            }
        }
    }
    findings.extend(last.filter(|_| count != exceptions));
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "//! a\n#[expect(\n    clippy::too_many_lines,\n    reason = \"b\"\n)]\nfn c() {}\n";

    #[test]
    fn there_are_as_many_exceptions_as_are_allowed() {
        let files = ["rust/a/src/a.rs", "rust/a/src/b.rs", "rust/a/src/tests.rs", "tests/tests/a.rs"];
        let files = files.map(|path| File::sample(path, LONG));
        assert_eq!(within(&files, 2), []);
        for other in [1, 3] {
            let what = format!("2 long functions of {other}: split one, or lower the number in xtask");
            assert_eq!(within(&files, other), [files[1].finding(3, what)]);
        }
    }

    #[test]
    fn an_exception_is_for_one_function_and_ends_with_it() {
        let found = |text: &str| within(&[File::sample("tests/tests/a.rs", text)], 0).len();
        assert_eq!(found(LONG), 0);
        assert_eq!(found("#![allow(clippy::too_many_lines)]"), 1);
        assert_eq!(found("#[allow(clippy::too_many_lines, reason = \"b\")]\nfn c() {}"), 1);
        assert_eq!(found("// clippy::too_many_lines\nconst A: &str = \"clippy::too_many_lines\";"), 0);
    }
}
