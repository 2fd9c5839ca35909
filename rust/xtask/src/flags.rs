//! Makes compiler flags that keep the folders of the build machine out of messages and of the library.

use std::env;
use std::path::PathBuf;

use crate::workspace::Workspace;

/// Adds a short name for every folder of this machine to the caller's flags. The last prefix that fits wins,
/// so they go from the outside in.
pub(crate) fn without_folders(workspace: &Workspace) -> String {
    let given = env::var("CARGO_ENCODED_RUSTFLAGS")
        .unwrap_or_else(|_| env::var("RUSTFLAGS").unwrap_or_default().replace(' ', "\u{1f}"));
    let home = env::home_dir();
    let cargo_home =
        env::var_os("CARGO_HOME").map(PathBuf::from).or(home.as_ref().map(|home| home.join(".cargo")));
    let folders = [
        (home, "home"),
        (cargo_home, "cargo"),
        (Some(workspace.root()), "variant_stream"),
        (Some(workspace.target()), "target"),
    ];
    let mut flags: Vec<String> =
        given.split('\u{1f}').filter(|flag| !flag.is_empty()).map(str::to_owned).collect();
    for (folder, name) in folders {
        // A root folder as a prefix would rewrite every path.
        if let Some(folder) = folder.filter(|folder| folder.parent().is_some()) {
            flags.push(format!("--remap-path-prefix={}={name}", folder.display()));
        }
    }
    flags.join("\u{1f}")
}
