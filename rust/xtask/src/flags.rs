//! Makes the compiler flags of what is released: they keep it small, and the folders of the build machine out of it.

use std::env;
use std::path::PathBuf;

use crate::workspace::Workspace;

/// Inlines less where no attribute asks for it. LLVM's own threshold makes the library a tenth larger, and no row of
/// `cargo xtask bench` faster by more than noise.
const SMALL: &str = "-Cllvm-args=-inline-threshold=75";

/// Adds to the caller's flags what makes the library small, and a short name for every folder of this machine. The last
/// prefix that fits wins, so they go from the outside in.
pub(crate) fn of_release(workspace: &Workspace) -> String {
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
    flags.push(SMALL.to_owned());
    flags.join("\u{1f}")
}
