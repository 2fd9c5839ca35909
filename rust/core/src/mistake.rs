//! Defines the mistake: what contradicts itself in a declaration, such as a schema, a list of classes or a protocol, and where.
//!
//! Whoever reads a declaration goes on behind a mistake and returns all that it finds. Values and bytes are rejected
//! elsewhere.

use std::fmt::{self, Display};

/// The path of a whole declaration.
const ROOT: &str = "(root)";
/// The most mistakes that are kept of one declaration, and about the most bytes of their texts: it may come from a file.
const MOST: usize = 100;
const MOST_BYTES: usize = 1 << 16;

/// Says what contradicts itself in a declaration, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The part of the declaration: `items[].count`, `hero.hp`; `(root)` is the whole.
    pub path: String,
    /// The sentence that says what is wrong there.
    pub message: String,
}

/// Lists the mistakes of one declaration in the order in which they were found: at least one, at most 100.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistakes {
    first: Mistake,
    others: Vec<Mistake>,
}

impl Mistake {
    /// Makes the mistake of a part.
    #[must_use]
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Mistake {
        Mistake { path: path.into(), message: message.into() }
    }

    /// Makes a mistake of the whole declaration.
    #[must_use]
    pub fn of_whole(message: impl Into<String>) -> Mistake {
        Mistake::new(ROOT, message)
    }

    /// Returns the mistake as one of the declaration that has this one under a name: `hp` in `hero` is `hero.hp`.
    #[must_use]
    pub fn within(&self, name: &str) -> Mistake {
        let begins_a_name = !self.path.starts_with(['[', '(', '{', '<']);
        let path = match (name, self.path.as_str()) {
            (ROOT, path) => path.to_owned(),
            (_, ROOT) => name.to_owned(),
            (_, path) if begins_a_name => format!("{name}.{path}"),
            (_, path) => format!("{name}{path}"),
        };
        Mistake { path, message: self.message.clone() }
    }

    /// Returns the message, behind the path unless that is the whole declaration.
    #[must_use]
    pub fn reason(&self) -> String {
        if self.path == ROOT { self.message.clone() } else { self.to_string() }
    }
}

impl Mistakes {
    /// Returns the mistake that was found first.
    #[must_use]
    pub const fn first(&self) -> &Mistake {
        &self.first
    }

    /// Lists all mistakes.
    pub fn iter(&self) -> impl Iterator<Item = &Mistake> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// Returns the mistakes as those of the declaration that has this one under a name.
    #[must_use]
    pub fn within(&self, name: &str) -> Mistakes {
        let others = self.others.iter().map(|it| it.within(name)).collect();
        Mistakes { first: self.first.within(name), others }
    }

    /// Returns each mistake on a line of its own, without the path of the whole declaration.
    #[must_use]
    pub fn lines(&self) -> String {
        let lines: Vec<String> = self.iter().map(Mistake::reason).collect();
        lines.join("\n")
    }

    /// Adds mistakes to those that were found before. Known ones are not added again, and no more than are kept.
    pub fn add(found: &mut Option<Mistakes>, more: impl Into<Mistakes>) {
        match found {
            Some(found) => found.join(more.into()),
            None => *found = Some(more.into()),
        }
    }

    /// Returns what was made of a declaration, unless mistakes were found in it before.
    ///
    /// # Errors
    /// All mistakes.
    pub fn unless<T>(found: Option<Mistakes>, made: Result<T, Mistakes>) -> Result<T, Mistakes> {
        let Some(mut found) = found else { return made };
        if let Err(more) = made {
            found.join(more);
        }
        Err(found)
    }

    fn join(&mut self, more: Mistakes) {
        for mistake in std::iter::once(more.first).chain(more.others) {
            if self.is_full() {
                break;
            }
            if !self.iter().any(|it| *it == mistake) {
                self.others.push(mistake);
            }
        }
    }

    /// Tells whether no more mistakes are kept, so that it is no use to look for any.
    #[must_use]
    pub fn is_full(&self) -> bool {
        let bytes = |it: &Mistake| it.path.len().saturating_add(it.message.len());
        self.others.len() >= MOST - 1 || self.iter().map(bytes).fold(0, usize::saturating_add) > MOST_BYTES
    }
}

impl From<Mistake> for Mistakes {
    fn from(first: Mistake) -> Mistakes {
        Mistakes { first, others: Vec::new() }
    }
}

impl Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// `hp: range: the least, 9, is over 1 (and 2 more)`.
impl Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.first, f)?;
        match self.others.len() {
            0 => Ok(()),
            more => write!(f, " (and {more} more)"),
        }
    }
}

impl std::error::Error for Mistake {}

impl std::error::Error for Mistakes {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_of_a_part_stands_below_its_name() {
        let path = |path: &str, name: &str| Mistake::new(path, "wrong").within(name).path;
        assert_eq!(path("hp", "hero"), "hero.hp");
        assert_eq!(path("[0]", "hero"), "hero[0]");
        assert_eq!(path("(root)", "hero"), "hero");
        assert_eq!(path("hp", "(root)"), "hp");
        let whole = Mistakes::from(Mistake::of_whole("wrong"));
        assert_eq!((whole.to_string(), whole.lines()), ("(root): wrong".to_owned(), "wrong".to_owned()));
        assert_eq!(whole.within("hero").to_string(), "hero: wrong");
    }

    #[test]
    fn so_many_are_kept_each_once() {
        let mut found = None;
        for at in 0..1000 {
            Mistakes::add(&mut found, Mistake::new(format!("[{}]", at / 2), "wrong"));
        }
        let found = Mistakes::unless(found, Ok(())).expect_err("mistakes");
        let paths: Vec<_> = found.iter().map(|it| it.path.clone()).collect();
        assert_eq!(paths, (0..100).map(|at| format!("[{at}]")).collect::<Vec<_>>());
        assert_eq!(found.to_string(), "[0]: wrong (and 99 more)");
        assert!(found.lines().starts_with("[0]: wrong\n[1]: wrong\n"));
    }

    #[test]
    fn long_texts_are_few() {
        let mut found = None;
        for at in 0..100 {
            Mistakes::add(&mut found, Mistake::new(format!("{at}{}", "a".repeat(30_000)), "wrong"));
        }
        assert_eq!(found.map(|it| it.iter().count()), Some(3));
        assert_eq!(Mistakes::unless(None, Ok(7)), Ok(7));
    }
}
