//! Lists everything that a crate offers, a line each, from the compiler's own documentation.
//!
//! The list is kept in `docs/api`, so a change of the public interface shows in a review.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use public_api::Builder;

use crate::tally::Tally;
use crate::workspace::Workspace;

/// The options of rustdoc; see [`super::checking`] for the variable that allows the first.
const JSON: &str = "-- -Zunstable-options --output-format json";

/// Compares the list of a crate with its public interface, or writes the list where `BLESS` is set. `cargo` has the options by
/// which the crate is selected, with the features that docs.rs builds, and `folder` is its target folder. A link that leads
/// nowhere is an error.
pub(super) fn compare(
    workspace: &Workspace,
    name: &str,
    cargo: &mut Command,
    folder: &Path,
) -> Result<Tally> {
    crate::cross::tools::must(cargo.args(JSON.split(' ')).env("RUSTDOCFLAGS", "-D warnings"))?;
    let documented = folder.join("doc").join(format!("{}.json", name.replace('-', "_")));
    let api = Builder::from_rustdoc_json(documented).omit_blanket_impls(true).omit_auto_trait_impls(true);
    let api = api
        .build()
        .context("another Rust documents in another form: the version of `public-api` goes with it")?;
    let now: BTreeSet<String> = api.items().map(|item| item.to_string()).collect();
    let path = workspace.root().join("docs/api").join(format!("{name}.txt"));
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, now.iter().map(|line| format!("{line}\n")).collect::<String>())?;
    }
    let known = fs::read_to_string(&path).unwrap_or_default();
    let known: BTreeSet<String> = known.lines().map(str::to_owned).collect();
    known.difference(&now).for_each(|line| eprintln!("{name}: no longer offered: {line}"));
    now.difference(&known).for_each(|line| eprintln!("{name}: not in the list: {line}"));
    if known != now {
        eprintln!("{name}: BLESS=1 cargo xtask packages writes docs/api/{name}.txt anew");
    }
    Ok(Tally::one(known == now))
}
