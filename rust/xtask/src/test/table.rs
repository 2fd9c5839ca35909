//! Lists the suites of `cargo xtask test`, in the order in which they begin: those that take longest first.

use anyhow::Result;

use super::{Stage, suites};
use crate::tally::Tally;
use crate::{actionlint, asan, cross, dist, foreign, packages, release_run, screenshots, self_check, shown};

/// A suite, which is a process of its own.
#[derive(Debug)]
pub(super) struct Suite {
    pub(super) name: &'static str,
    pub(super) needs_engine: bool,
    /// Whether only `--long` runs it.
    pub(super) is_long: bool,
    /// A folder that it writes to; those that name the same one run one after the other.
    pub(super) folder: &'static str,
    pub(super) run: fn(&Stage<'_>) -> Result<Tally>,
}

impl Suite {
    const fn of(name: &'static str, needs_engine: bool, run: fn(&Stage<'_>) -> Result<Tally>) -> Suite {
        Suite { name, needs_engine, is_long: false, folder: "", run }
    }

    const fn long(self) -> Suite {
        Suite { is_long: true, ..self }
    }

    const fn in_folder(self, folder: &'static str) -> Suite {
        Suite { folder, ..self }
    }

    /// Tells whether this is the suite that is meant; one that is shared out is named without its share, too.
    pub(super) fn is_named(&self, name: &str) -> bool {
        let whole = self.name.rsplit_once(' ').filter(|(_, share)| share.contains('/'));
        self.name == name || whole.is_some_and(|(whole, _)| whole == name)
    }
}

/// The suites that together are the engine's own, each once.
pub(super) const ENGINE: [&str; 2] = ["engine 1/2", "engine 2/2"];

pub(super) const TABLE: [Suite; 19] = [
    Suite::of("rust", false, |stage| suites::rust_tests(stage.workspace, stage.long)),
    Suite::of(ENGINE[0], true, |stage| suites::engine_share(stage, "1/2")),
    Suite::of(ENGINE[1], true, |stage| suites::engine_share(stage, "2/2")),
    Suite::of("off", true, suites::plainly),
    Suite::of("release", true, |stage| release_run::test(stage.workspace, &stage.godot, stage.long)),
    Suite::of("dist", true, |stage| dist::suite::run(stage.workspace, &stage.godot, stage.long))
        .in_folder("dist"),
    Suite::of("packages", false, |stage| packages::test(stage.workspace)),
    Suite::of("documents", true, |stage| shown::test(stage.workspace, &stage.godot)).in_folder("dist"),
    Suite::of("example game", true, |stage| dist::game::run(stage.workspace, &stage.godot, stage.long))
        .in_folder("dist"),
    Suite::of("conformance", true, suites::compare),
    Suite::of("with engine", true, suites::rust_with_engine),
    Suite::of("self-check", true, |stage| self_check::run(stage.workspace, &stage.godot)),
    Suite::of("actionlint", false, |stage| actionlint::test(stage.workspace, stage.long)),
    Suite::of("godot 3", false, suites::godot_3).long(),
    Suite::of("fresh", false, |stage| packages::fresh(stage.workspace)).long(),
    Suite::of("cross", false, |stage| Ok(cross::test(stage.workspace))).long(),
    Suite::of("window", true, |stage| screenshots::test(stage.workspace)).long(),
    Suite::of("asan", true, |stage| asan::test(stage.workspace, &stage.godot)).long(),
    Suite::of("foreign", true, |stage| foreign::test(stage.workspace)).long(),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_is_named_with_and_without_its_share() {
        let named = |name: &str| TABLE.iter().filter(|suite| suite.is_named(name)).count();
        assert_eq!(
            [named("engine"), named("engine 2/2"), named("rust"), named("self"), named("")],
            [2, 1, 1, 0, 0]
        );
        assert!(TABLE.iter().all(|suite| named(suite.name) == 1), "two suites have one name");
    }
}
