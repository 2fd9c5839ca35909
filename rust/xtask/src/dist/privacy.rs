//! Looks for folders of the build machine in a library's bytes.
//!
//! They would reveal the builder to strangers, and make the bytes depend on the folder. It changes nothing.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::workspace::Workspace;

/// The beginnings of folders of people and of build machines, in pieces because no file of ours may contain
/// one.
const FOLDERS: [&[u8]; 7] = [
    concat!("/", "home/").as_bytes(),
    concat!("/", "Users/").as_bytes(),
    concat!("/", "root/.").as_bytes(),
    concat!("/", "tmp/").as_bytes(),
    concat!("/", "work/").as_bytes(),
    concat!(":\\", "Users\\").as_bytes(),
    concat!(":\\", "a\\").as_bytes(),
];

/// Returns the text around the first folder of a machine in `library`, or `None`.
pub(crate) fn finding(workspace: &Workspace, library: &Path) -> Result<Option<String>> {
    let bytes = fs::read(library).with_context(|| format!("cannot read {}", library.display()))?;
    let own = [workspace.root(), workspace.target()].map(|folder| folder.to_string_lossy().into_owned());
    let own = own.iter().map(String::as_bytes).filter(|folder| folder.len() > 1);
    let folders: Vec<&[u8]> = FOLDERS.into_iter().chain(own).collect();
    Ok(found(&bytes, &folders))
}

/// Returns the first folder and the printable text that follows it.
fn found(bytes: &[u8], folders: &[&[u8]]) -> Option<String> {
    let begins = |byte: &u8| folders.iter().any(|folder| folder.first() == Some(byte));
    let places = bytes.iter().enumerate().filter(|(_, byte)| begins(byte)).map(|(at, _)| &bytes[at..]);
    let mut named = places.filter(|rest| folders.iter().any(|folder| rest.starts_with(folder)));
    let text = named.next()?.iter().take(80).take_while(|byte| byte.is_ascii_graphic());
    Some(text.map(|byte| char::from(*byte)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_machines_are_found() {
        let library = format!("\u{1}\u{2}{}me/src/lib.rs\u{0}more", concat!("/", "home/"));
        assert_eq!(found(library.as_bytes(), &FOLDERS).as_deref(), Some(concat!("/", "home/me/src/lib.rs")));
        let clean = b"home/.cargo/registry cargo/registry/src variant_stream/rust/core/src/lib.rs";
        assert_eq!(found(clean, &FOLDERS), None);
    }
}
