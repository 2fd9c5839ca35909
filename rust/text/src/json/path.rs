//! Reads the parts of a NodePath from its text, which is as the engine prints it.

use variant_core::NodePath;

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
