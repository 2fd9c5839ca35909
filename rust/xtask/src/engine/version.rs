//! Reads the version that an engine prints: only the three numbers, since build names differ between
//! distributions.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(u32, u32, u32);

impl Version {
    /// The version that the library is built for: older engines cannot load it.
    pub(crate) const MINIMUM: Self = Self(4, 3, 0);

    /// Tells whether the layouts in `rust/godot/src/raw` are known for this version, so that its probe has to
    /// find all of them. In other versions it may find fewer.
    pub(super) const fn is_known_throughout(self) -> bool {
        matches!(self, Self(4, 6, _))
    }

    pub(super) const fn is_godot_3(self) -> bool {
        self.0 == 3
    }

    /// Reads `4.6.3.stable.official.abc` or `4.3.stable`; `None` for lines that are no version.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let mut numbers = line.trim().split('.').map(|part| part.parse().ok());
        Some(Self(numbers.next()??, numbers.next()??, numbers.next()?.unwrap_or(0)))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn reads_what_engines_print() {
        let cases = [
            ("4.6.3.stable.debian4.6.3+ds-2", Some(Version(4, 6, 3))),
            ("4.3.stable.official.77dcf97d8", Some(Version(4, 3, 0))),
            ("4.10.1.rc2.custom_build", Some(Version(4, 10, 1))),
            ("Godot Engine v4.6", None),
            ("", None),
        ];
        for (line, version) in cases {
            assert_eq!(Version::read(line), version, "{line}");
        }
    }
}
