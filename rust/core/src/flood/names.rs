//! Names: finds what of a walk becomes a StringName in the engine. `string_names.rs` counts what that costs there.

use super::last_path::LastPath;
use super::string_names::{Chains, Name, Snapshot};
use crate::cursor::Cursor;
use crate::fault::{ErrorKind, Fault};
use crate::token::{Container, ContainerType, Leaf, PathRecord, Record, Text, TextForm};
use crate::wire::{Rules, VariantType};

/// The names, or the sub-names, of a NodePath, which the engine joins to one name when it hashes or prints the path.
#[derive(Clone, Copy, Debug, Default)]
struct JoinedName {
    /// The join of the segments so far.
    name: Option<Name>,
    separator: u8,
    /// Segments so far, and those to come.
    done: u32,
    left: u32,
    /// Sub-names after these names.
    subnames: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Names {
    chains: Chains,
    last_path: LastPath,
    /// The NodePath that is open: nothing else comes before it is complete.
    path: JoinedName,
    /// Short names that came in this walk, each at a place that its bytes tell. Empty until there are some.
    recent: Vec<Record>,
}

/// A power of two.
const RECENT: usize = 128;

impl Names {
    pub(crate) fn let_go(&mut self) {
        self.clear();
        self.chains.let_go();
    }

    pub(crate) fn clear(&mut self) {
        self.chains.clear();
        self.last_path.forget();
        self.recent.clear();
    }

    /// Tells whether the short name that the bytes begin with came in this walk, so that it may come again without a look at
    /// it. It is taken for one that came, from now on: it has to be counted. Fewer steps are allowed than if each were counted.
    #[inline]
    pub(crate) fn came(&mut self, bytes: &[u8], rules: &Rules) -> bool {
        let Some(record) = Record::read(bytes) else { return false };
        if self.recent.is_empty() {
            self.recent.resize(RECENT, Record::default());
        }
        let at = usize::try_from(record.hash()).unwrap_or(0) & RECENT.wrapping_sub(1);
        let Some(recent) = self.recent.get_mut(at) else { return false };
        std::mem::replace(recent, record) == record && self.chains.are_near(rules.limits.max_key_probes)
    }

    /// Returns the counts of now, for [`Names::go_back`]. No path is open.
    #[inline]
    pub(crate) const fn mark(&self) -> Snapshot {
        self.chains.mark()
    }

    /// Forgets the names since then.
    #[cold]
    pub(crate) fn go_back(&mut self, to: Snapshot) {
        self.chains.go_back(to);
        self.last_path.forget();
    }

    /// Counts the name that comes into being with a leaf: its own, or what ENGINE strictness converts a String to.
    #[inline]
    pub(crate) fn leaf(
        &mut self,
        leaf: &Leaf<'_>,
        declared: Option<VariantType>,
        rules: &Rules,
        at: u64,
    ) -> Result<(), Fault> {
        let limit = rules.limits.max_key_probes;
        let entered = match leaf {
            Leaf::Text(VariantType::StringName, name) | Leaf::Signal(name, _) => self.enter(name, limit),
            Leaf::Text(_, text) if !rules.is_safe() => match declared {
                Some(VariantType::StringName) => self.enter(text, limit),
                Some(VariantType::NodePath) => self.enter_path(text.as_str(), limit),
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        entered.map_err(|kind| Fault::new(kind, at))
    }

    /// Counts the StringName that is a key, under SAFE. Returns its hash, which is the key's too, unless nothing is
    /// counted.
    #[inline]
    pub(crate) fn key(&mut self, text: Text<'_>, rules: &Rules, at: u64) -> Result<Option<u32>, Fault> {
        let limit = rules.limits.max_key_probes;
        if text.is_empty() || limit == u64::MAX {
            return Ok(None);
        }
        let name = self.chains.name(&text);
        self.chains.find(name, limit).map_err(|kind| Fault::new(kind, at))?;
        Ok(Some(name.hash))
    }

    /// Counts the names in the head of a container.
    pub(crate) fn open(&mut self, container: &Container<'_>, rules: &Rules, at: u64) -> Result<(), Fault> {
        let (first, second) = match *container {
            Container::Array { element, .. } => (class(element), None),
            Container::Dictionary { key, value, .. } => (class(key), class(value)),
            Container::Object { class, .. } => (Some(class), None),
            Container::NodePath { names, subnames, .. } => {
                self.path = JoinedName { separator: b'/', left: names, subnames, ..JoinedName::default() };
                return Ok(());
            }
            Container::PackedStrings { .. } => return Ok(()),
        };
        let mut names = first.into_iter().chain(second);
        let entered = names.try_for_each(|name| self.enter(&name, rules.limits.max_key_probes));
        entered.map_err(|kind| Fault::new(kind, at))
    }

    /// Counts the name that comes into being with a bare text.
    pub(crate) fn text(
        &mut self,
        form: TextForm,
        text: &Text<'_>,
        rules: &Rules,
        at: u64,
    ) -> Result<(), Fault> {
        let limit = rules.limits.max_key_probes;
        let entered = match form {
            TextForm::Plain => self.enter(text, limit),
            TextForm::PathName => self.segment(text, limit),
            TextForm::Terminated => return Ok(()),
        };
        entered.map_err(|kind| Fault::new(kind, at))
    }

    /// Counts the names of a NodePath whose bytes are all there, if all are plain. After `None`, [`Names::go_back`] has to
    /// follow.
    pub(crate) fn path(&mut self, record: PathRecord<'_>, cursor: Cursor<'_>, rules: &Rules) -> Option<()> {
        self.last_path.count(&mut self.chains, record, cursor, rules)
    }

    /// Counts a name that comes into being, or is found. The empty one is no name.
    #[inline(never)]
    fn enter(&mut self, text: &Text<'_>, limit: u64) -> Result<(), ErrorKind> {
        if text.is_empty() || limit == u64::MAX {
            return Ok(());
        }
        self.chains.find(self.chains.name(text), limit)
    }

    /// Counts the names that the engine's NodePath makes of a String: names between slashes, then sub-names after colons.
    #[cold]
    fn enter_path(&mut self, text: &str, limit: u64) -> Result<(), ErrorKind> {
        let (names, subnames) = text.split_once(':').unwrap_or((text, ""));
        let mut all = names.split('/').chain(subnames.split(':'));
        all.try_for_each(|name| self.enter(&Text::new(name), limit))
    }

    /// Counts the next name or sub-name of the NodePath that is open.
    fn segment(&mut self, text: &Text<'_>, limit: u64) -> Result<(), ErrorKind> {
        if limit == u64::MAX {
            return Ok(());
        }
        let alone = self.chains.name(text);
        if !text.is_empty() {
            self.chains.find(alone, limit)?;
        }
        if self.path.left == 0 {
            self.path = JoinedName { separator: b':', left: self.path.subnames, ..JoinedName::default() };
        }
        let name = match self.path.name {
            None => alone,
            Some(before) => self.chains.joined(before, self.path.separator, alone, text.characters()),
        };
        let JoinedName { done, left, .. } = self.path;
        let (done, left) = (done.saturating_add(1), left.saturating_sub(1));
        self.path = JoinedName { name: Some(name), done, left, ..self.path };
        // One segment is its own join, and was entered.
        if left == 0 && done > 1 { self.chains.find(name, limit) } else { Ok(()) }
    }
}

/// Returns the class that a typed container names. A script's path is no name.
const fn class(declared: ContainerType<'_>) -> Option<Text<'_>> {
    match declared {
        ContainerType::Class(name) => Some(name),
        ContainerType::None | ContainerType::Builtin(_) | ContainerType::Script(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn holds(names: &Names, texts: &[&str]) {
        assert!(texts.iter().all(|text| names.chains.holds(text)), "{texts:?}");
        assert_eq!(names.chains.len(), texts.len());
    }

    fn path(names: &mut Names, first: &[&str], second: &[&str]) {
        let count = |texts: &[&str]| u32::try_from(texts.len()).unwrap();
        let open = Container::NodePath { absolute: false, names: count(first), subnames: count(second) };
        names.open(&open, &Rules::default(), 0).unwrap();
        for text in first.iter().chain(second) {
            names.text(TextForm::PathName, &Text::new(text), &Rules::default(), 0).unwrap();
        }
    }

    #[test]
    fn a_path_is_its_segments_and_both_joins() {
        let mut names = Names::default();
        path(&mut names, &["a", "b"], &["c", "d", "e"]);
        path(&mut names, &["a"], &["c"]);
        path(&mut names, &[], &["d", "", "d"]);
        path(&mut names, &["a", "b"], &["c", "d", "e"]);
        holds(&names, &["a", "b", "c", "d", "e", "a/b", "c:d:e", "d::d"]);
    }

    /// Counts a path whose bytes are all there.
    fn at_once(names: &mut Names, first: &[&str], second: &[&str], rules: &Rules) -> Option<()> {
        let count = |texts: &[&str]| u32::try_from(texts.len()).unwrap();
        let heads = [22, count(first) | 1 << 31, count(second), 0];
        let mut bytes: Vec<u8> = heads.iter().flat_map(|word| word.to_le_bytes()).collect();
        for text in first.iter().chain(second) {
            bytes.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
            bytes.extend(text.as_bytes());
            bytes.resize(bytes.len().next_multiple_of(4), 0);
        }
        names.path(crate::token::peek_path(&bytes).unwrap(), Cursor::new(&bytes), rules)
    }

    /// Names that the last path had in the same places are not looked for again, or are, where that may cost many steps: the
    /// names are the same ones, and in the second case the steps too.
    #[test]
    #[expect(clippy::too_many_lines, reason = "a list of cases")]
    fn paths_at_once_are_counted_as_name_by_name() {
        let paths: [(&[&str], &[&str]); 24] = [
            (&["a", "b"], &["c", "d", "e"]),
            (&["a", "b"], &["c", "d", "e"]),
            (&["a", "x"], &["c", "d", "e"]),
            (&["y", "x"], &["c", "d", "e"]),
            (&["y", "x"], &["z", "d", "e"]),
            (&["y", "x"], &["z", "d", "w"]),
            (&["y", "x"], &["z", "d"]),
            (&["y", "x"], &["z", "d", "w"]),
            (&["y", "x"], &["z", "\u{43a}\u{43b}\u{44e}\u{447}", "w"]),
            (&["q", "x"], &["z", "\u{43a}\u{43b}\u{44e}\u{447}", "w"]),
            (&["q", "x"], &["y", "\u{43a}\u{43b}\u{44e}\u{447}", "w"]),
            (&["q", "x"], &["y", "w"]),
            (&["q", "x", "y"], &["w"]),
            (&["q", "x", "y", "w"], &[]),
            (&["q", "x", "y", "r"], &[]),
            (&[], &["q", "x", "y", "r"]),
            (&[], &["q", "x", "y", "s"]),
            (&["q"], &["q"]),
            (&["q"], &["r"]),
            (&["", ""], &["", "r"]),
            (&["", ""], &["", "s"]),
            (&["a much longer name than the others", ""], &["", "s"]),
            (&[], &[]),
            (&["a", "b"], &["c", "d", "e"]),
        ];
        // A name that is found again takes 8 steps.
        for (limit, is_dear) in [(7, true), (8, true), (1024, false)] {
            let limits = crate::Limits { max_key_probes: limit, ..crate::Limits::engine() };
            let rules = Rules::safe(limits);
            let (mut names, mut twin) = (Names::default(), Names::default());
            for (first, second) in paths {
                at_once(&mut names, first, second, &rules).unwrap();
                path(&mut twin, first, second);
                assert_eq!(names.chains.len(), twin.chains.len(), "{first:?} {second:?}");
                let joined = [first.join("/"), second.join(":")];
                assert!(joined.iter().all(|text| text.is_empty() || names.chains.holds(text)), "{joined:?}");
                assert!(!is_dear || names.chains.spent() == twin.chains.spent(), "{first:?} {second:?}");
            }
            let [(names, steps), (all_names, all_steps)] = [names.chains.spent(), twin.chains.spent()];
            assert_eq!(
                (names < all_names, steps < all_steps),
                (!is_dear, !is_dear),
                "{names} names, {steps} steps"
            );
        }
    }

    /// After one that was not taken nothing of it counts as seen.
    #[test]
    fn a_path_that_is_taken_back_is_counted_anew() {
        let rules = Rules::default();
        let mut names = Names::default();
        for _ in 0..2 {
            let mark = names.mark();
            at_once(&mut names, &["a", "b"], &["c"], &rules).unwrap();
            holds(&names, &["a", "b", "c", "a/b"]);
            names.go_back(mark);
            holds(&names, &[]);
            at_once(&mut names, &["a", "b"], &["c"], &rules).unwrap();
            names.clear();
            holds(&names, &[]);
        }
        // Too long to be kept; without a limit nothing is counted, but read all the same.
        let long = "a".repeat(300);
        at_once(&mut names, &["a", "b"], &["c"], &rules).unwrap();
        at_once(&mut names, &[&long, "b"], &["c"], &rules).unwrap();
        at_once(&mut names, &[&long, "b"], &["d"], &rules).unwrap();
        holds(&names, &["a", "b", "c", "a/b", &long, &format!("{long}/b"), "d"]);
        let unlimited = Rules { limits: crate::Limits { max_key_probes: u64::MAX, ..rules.limits }, ..rules };
        assert!(at_once(&mut names, &["e", "f"], &["g"], &unlimited).is_some());
        assert!(at_once(&mut names, &["e", "\0"], &["g"], &unlimited).is_none());
        assert_eq!(names.chains.len(), 7);
    }

    #[test]
    fn a_string_that_becomes_a_path_is_cut_as_the_engine_does() {
        let mut names = Names::default();
        names.enter_path("/a/b//c:d:e/f", 256).unwrap();
        holds(&names, &["a", "b", "c", "d", "e/f"]);
    }

    #[test]
    fn the_empty_name_is_none_and_without_a_limit_nothing_is_counted() {
        let mut names = Names::default();
        names.enter(&Text::new(""), 256).unwrap();
        names.enter(&Text::new("a"), u64::MAX).unwrap();
        names.clear();
        holds(&names, &[]);
    }

    #[test]
    fn names_that_were_let_go_are_forgotten() {
        let mut names = Names::default();
        path(&mut names, &["a", "b"], &["c"]);
        names.let_go();
        holds(&names, &[]);
    }

    #[test]
    fn a_class_is_a_name_and_a_script_is_none() {
        let mut names = Names::default();
        let [array, key, value] = ["A", "K", "V"].map(|name| ContainerType::Class(Text::new(name)));
        let (script, none) = (ContainerType::Script(Text::new("res://s.gd")), ContainerType::None);
        for container in [
            Container::Array { element: array, count: 0 },
            Container::Array { element: script, count: 0 },
            Container::Dictionary { key, value, count: 0 },
            Container::Dictionary { key: script, value: none, count: 0 },
        ] {
            names.open(&container, &Rules::default(), 0).unwrap();
        }
        holds(&names, &["A", "K", "V"]);
    }

    /// A leaf is a name by itself, or by what ENGINE makes of it in a typed container.
    #[test]
    fn strings_are_names_where_they_become_such() {
        let (text, name) = (VariantType::String, VariantType::StringName);
        for (rules, declared, held) in [
            (Rules::engine(), None, &["n"][..]),
            (Rules::engine(), Some(text), &["n"]),
            (Rules::engine(), Some(name), &["n", "a/b:c"]),
            (Rules::engine(), Some(VariantType::NodePath), &["n", "a", "b", "c"]),
            (Rules::default(), None, &["n"]),
            // SAFE makes no name of it: where one is declared a String is refused.
            (Rules::default(), Some(name), &["n"]),
        ] {
            let rules = Rules { limits: crate::Limits::save_file(), ..rules };
            let mut names = Names::default();
            for (ty, of) in [(name, "n"), (text, "a/b:c")] {
                names.leaf(&Leaf::Text(ty, Text::new(of)), declared, &rules, 0).unwrap();
            }
            holds(&names, held);
        }
    }

    /// A path of one segment is its own join: it is looked for once, as a name is. A name that is found again costs 8 steps.
    #[test]
    fn a_path_of_one_name_costs_what_the_name_costs() {
        let rules = Rules::safe(crate::Limits { max_key_probes: 0, ..crate::Limits::engine() });
        let refused = |parts: &[(u32, u32)], form| {
            let mut names = Names::default();
            (1..).find(|_| {
                parts.iter().any(|(heads, tails)| {
                    let open = Container::NodePath { absolute: false, names: *heads, subnames: *tails };
                    names.open(&open, &rules, 0).unwrap();
                    let mut segments = 0..heads + tails;
                    segments.any(|_| names.text(form, &Text::new("a"), &rules, 0).is_err())
                })
            })
        };
        // 1024 steps are free: those of 128 names that are found again.
        assert_eq!(refused(&[(1, 0)], TextForm::Plain), Some(130));
        assert_eq!(refused(&[(1, 0)], TextForm::PathName), Some(130));
        assert_eq!(refused(&[(0, 1)], TextForm::PathName), Some(130));
        // Twice the name and the join of both: the second path has the first join to find.
        assert_eq!(refused(&[(1, 1)], TextForm::PathName), Some(65));
    }
}
