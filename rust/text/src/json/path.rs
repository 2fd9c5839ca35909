//! Writes a NodePath as one text, and reads its parts from it.

use variant_core::NodePath;

/// Returns the text of a path, as the engine prints it.
pub(super) fn path_text(path: &NodePath) -> String {
    let mut text = String::from(if path.absolute { "/" } else { "" });
    text.push_str(&path.names.join("/"));
    for subname in &path.subnames {
        text.push(':');
        text.push_str(subname);
    }
    text
}

/// Reads the parts of a path from its text. A path is written as text only where this gives its parts back.
pub(super) fn path_parts(text: &str) -> NodePath {
    let (names, subnames) = text.split_once(':').map_or((text, None), |(names, rest)| (names, Some(rest)));
    let (absolute, names) = names.strip_prefix('/').map_or((false, names), |names| (true, names));
    let split = |text: &str, mark| text.split(mark).map(str::to_owned).collect();
    NodePath {
        absolute,
        names: if names.is_empty() { Vec::new() } else { split(names, '/') },
        subnames: subnames.map_or_else(Vec::new, |rest| split(rest, ':')),
    }
}
