//! Checks that every file of a crate's integration tests is part of its one program, `tests/all.rs`: a file that it does not
//! name is never compiled, and its tests never fail.

use super::{File, Finding};

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let roots = files.iter().filter_map(|file| Some((file, file.path.strip_suffix("all.rs")?)));
    let mut findings = Vec::new();
    for (root, folder) in roots.filter(|(_, folder)| folder.ends_with("tests/")) {
        for file in files {
            let Some(inside) = file.path.strip_prefix(folder) else { continue };
            let name = inside.strip_suffix("/mod.rs").or(inside.strip_suffix(".rs")).unwrap_or("/");
            let is_named = root.text.lines().any(|line| line == format!("mod {name};"));
            if name != "all" && !name.contains('/') && !is_named {
                findings
                    .push(file.finding(0, format!("{} has no `mod {name};`: no test of it runs", root.path)));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_named_is_found() {
        let files = |root: &str| {
            let others = [
                "a/tests/one.rs",
                "a/tests/two/mod.rs",
                "a/tests/two/part.rs",
                "a/tests/x.json",
                "b/tests/c.rs",
            ];
            let mut files: Vec<File> = others.map(|path| File::sample(path, "")).into();
            files.push(File::sample("a/tests/all.rs", root));
            check(&files).len()
        };
        assert_eq!(files("mod one;\nmod two;\n"), 0);
        assert_eq!(files("mod one;\n// mod two;\n"), 1);
        assert_eq!(files(""), 2);
    }
}
