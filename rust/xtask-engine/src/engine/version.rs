//! Reads the version that an engine prints: only the three numbers, since build names differ between
//! distributions.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version {
    major: u32,
    minor: u32,
    patch: u32,
}

impl Version {
    /// The version that the library is built for: older engines cannot load it.
    pub(crate) const MINIMUM: Self = Self { major: 4, minor: 3, patch: 0 };

    /// Tells whether the layouts in `rust/godot/src/raw` are known for this version, so that its probe has to
    /// find all of them. In other versions it may find fewer.
    pub(super) const fn is_known_throughout(self) -> bool {
        self.major == 4 && self.minor == 6
    }

    pub(super) const fn is_godot_3(self) -> bool {
        self.major == 3
    }

    /// Reads `4.6.3.stable.official.abc` or `4.3.stable`; `None` for lines that are no version.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let mut parts = line.trim().split('.');
        let major = parts.next()?.parse().ok()?;
        let minor = parts.next()?.parse().ok()?;
        let patch = parts.next().and_then(|part| part.parse().ok()).unwrap_or(0);
        Some(Self { major, minor, patch })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)?;
        if self.patch > 0 { write!(f, ".{}", self.patch) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn reads_what_engines_print() {
        let cases = [
            ("4.6.3.stable.debian4.6.3+ds-2", Some("4.6.3")),
            ("4.3.stable.official.77dcf97d8", Some("4.3")),
            ("4.10.1.rc2.custom_build", Some("4.10.1")),
            ("3.6.stable.debian", Some("3.6")),
            ("Godot Engine v4.6", None),
            ("", None),
        ];
        for (line, version) in cases {
            assert_eq!(Version::read(line).map(|read| read.to_string()).as_deref(), version, "{line}");
        }
    }

    #[test]
    fn orders_by_number_not_by_text() {
        let read = |line| Version::read(line).unwrap();
        assert!(read("4.10.stable") > read("4.9.2.stable"));
        assert!(read("4.2.2.stable") < Version::MINIMUM && read("4.3.stable") >= Version::MINIMUM);
    }
}
