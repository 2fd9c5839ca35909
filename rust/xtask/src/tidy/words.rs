//! Refuses paths of one machine and hosts of package registries in every file: code, documents and recorded
//! data.

use super::{File, Finding};

/// The first folders of absolute paths that exist on one machine only. `/root/` is not among them, because
/// every Godot scene path begins with it. The slashes are left out so that this file does not match itself.
const MACHINE_FOLDERS: [&str; 4] = ["home", "tmp", "work", "Users"];

/// The hosts of registries; only cargo's own lock file may name them.
const HOSTS: [&str; 5] = [
    concat!("crates", ".io"),
    concat!("npmjs", ".org"),
    concat!("pypi", ".org"),
    concat!("debian", ".org"),
    concat!("proxy.golang", ".org"),
];

pub(super) fn check(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        for folder in MACHINE_FOLDERS {
            if names_folder(line, folder) {
                findings.push(file.finding(at + 1, format!("a path of one machine: /{folder}")));
            }
        }
        for host in HOSTS.iter().filter(|host| line.contains(**host) && file.name() != "Cargo.lock") {
            findings.push(file.finding(at + 1, format!("the name of a package registry's host: {host}")));
        }
    }
    findings
}

/// Tells whether a line has the folder as the first of an absolute path: not below a project's folder, not
/// behind `user:/`.
fn names_folder(line: &str, folder: &str) -> bool {
    let path = format!("/{folder}/");
    line.match_indices(&path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || "_-./}~)>*".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(text: &str) -> usize {
        check(&File::sample("docs/A.md", text)).len()
    }

    #[test]
    fn finds_paths_of_one_machine() {
        for folder in MACHINE_FOLDERS {
            assert_eq!(findings(&format!("run `/{folder}/me/godot` now")), 1, "{folder}");
            assert_eq!(findings(&format!("see res://{folder}/me and target/{folder}/x")), 0, "{folder}");
        }
        assert_eq!(findings("the node /root/Main, the folder /etc/apt"), 0);
    }

    #[test]
    fn finds_hosts_of_registries() {
        assert_eq!(findings(&format!("from https://index.{}/x", HOSTS[0])), 1);
        let lock = File::sample("Cargo.lock", &format!("registry+https://{}", HOSTS[0]));
        assert_eq!(check(&lock), []);
    }
}
