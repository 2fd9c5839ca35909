//! Parses the command line. No option is acted on here.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lexopt::{Arg, Parser, ValueExt};

use crate::build::Profile;

pub(crate) const USAGE: &str = "\
cargo xtask <command> [options]

  conformance   build, get an engine, compare every byte with it; ends `0 differences`
                [--cases N] [--seed S] [--junit FILE] [--golden DIR] [--godot PATH]
  test          Rust tests, engine suites, conformance; ends `N passed, N failed`
                [--long] [--only SUITE], by the name it is printed under; [--staged]: with the library in bin; [--godot PATH]
  build         the library, into addons/variant_stream/bin [--debug]
  engine        prints the path of a usable Godot, installs one when there is none [--godot PATH]
                [--godot3]: a Godot 3 instead, also named by GODOT3_BIN
                [--release-template]: what players run instead, also named by GODOT_RELEASE_TEMPLATE
  release-run   a script of the packed project under the release template; the script ends the run
                SCRIPT [--godot TEMPLATE] [-- words for the script]
  page-run      the same in Chromium, or what CHROMIUM names, of a folder with a game for the web
                FOLDER SCRIPT [-- words for the script]
  bench         times every row of godot_project/bench against the engine, in the editor's build and in the
                release template; reports/bench-*.{json,svg,md}; BLESS=1 puts them into docs
                [--editor-only] [--filter TEXT or A|B] [--long] [--godot PATH]
                [--modes]: in the release template with all and nothing of its memory trusted
                [--without NAMES]: with fast paths switched off, separated by commas, or each of `all` in turn
                `bench memory`: peaks beside the engine's; `bench size`: KiB by crate; `bench rust`: the core against other Rust crates;
                `bench schema`: the rows of schemas; `bench stream`: what docs/STREAMING.md says of size,
                slices and packets; `bench web`: all rows in Chromium [--staged], engine as for foreign
  screenshots   the pictures in docs/pictures: editor and demo under Xvfb with software OpenGL, both themes
                [--godot PATH]
  check         fmt, clippy, docs, tidy, instructions, test; stops at the first failure [--long] [--godot PATH]
  tidy          the rules no linter knows: layers, unsafe, file length, names, machine paths
                [--count]: instead prints what tells whether the sources get simpler, with bounds
  map           prints every source file with its first sentence [FOLDER], such as rust/core: only of that
  instructions  counts the core's work under valgrind, against tests/instructions.txt; BLESS=1 records
  fuzz          coverage-guided fuzzing of the core; ends `0 findings` [--seconds N] [--target NAME]
                [--small]: inputs to 256 bytes, more of them a second; [--asan]: under AddressSanitizer
  asan          engine suites and conformance with the library under AddressSanitizer; Linux [--godot PATH]
  coverage      lines of the core that tests and corpora run, file by file; PASS or FAIL
  mutants       changes the core in small ways and counts what the tests notice; PASS or FAIL
                [--shard K/N], from 0; [--file GLOB], such as walk/*.rs
  dist          the release archive of the addon, into target/dist, after checking what goes into it
                [--staged]: with the libraries that lie in bin; [--complete]: of all platforms; [--tag vX.Y.Z]
                [--try]: also starts it in new projects, with and without the library [--godot PATH]
  cross         the library for other platforms, and the core's tests on other processors, big-endian too
                [--libraries] [--tests] [--target KEY], a key of variant_stream.gdextension or s390x
  double        the library for engines built with precision=double; suites and conformance in one, with all
                and nothing of its memory trusted: --godot PATH, or GODOT_DOUBLE [--cases N]
  foreign       suites and conformance in an engine of another processor, with all and nothing of its memory
                trusted: of arm64, from Debian's packages under QEMU [--cases N]
                [--target KEY] --godot PATH: in one that is named, for Windows too, which Wine runs, and for the web,
                which Chromium does; also by GODOT_ARM64, GODOT_X86_32, GODOT_WINDOWS or GODOT_WEB
                [--staged]: with the library that lies in bin
  actionlint    the workflows of .github under actionlint
  packages      packs the crates that are published and compares what they offer with docs/api; BLESS=1 writes that
  fresh         builds every feature of those crates without our lock file, with the newest and the lowest dependencies;
                it needs a registry
  deny          the dependencies under deny.toml: licences, sources, advisories; the latter only with a network,
                which [--long] asks for
  notices       is THIRDPARTY.md what is linked? BLESS=1 writes it
  golden        records tests/golden/godot4_6.json and hashes.txt anew from an engine [--godot PATH]
                [--godot3]: instead godot3_2_release.json, from the release template of Debian's packages

An engine is looked for in --godot, GDRUST_GODOT_BIN, GODOT4_BIN, GODOT_BIN, on PATH, in target/engine.
Exit codes: 0 good, 1 differences or failures, 2 nothing could be proven, 3 a run was aborted.";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Task {
    #[default]
    Help,
    Conformance,
    Test,
    Build,
    Engine,
    Check,
    Tidy,
    Fuzz,
    Asan,
    Coverage,
    Actionlint,
    Deny,
    Cross,
    Dist,
    Double,
    Foreign,
    Notices,
    Golden,
    Map,
    Packages,
    Fresh,
    Mutants,
    Bench,
    Screenshots,
    ReleaseRun,
    PageRun,
    Instructions,
}

/// The commands by name, with the options that each takes. Any other option is an error.
const TASKS: [(&str, Task, &[&str]); 27] = [
    ("help", Task::Help, &[]),
    ("conformance", Task::Conformance, &["cases", "seed", "junit", "golden", "godot"]),
    ("test", Task::Test, &["long", "only", "staged", "godot"]),
    ("build", Task::Build, &["debug"]),
    ("engine", Task::Engine, &["godot", "godot3", "release-template"]),
    ("check", Task::Check, &["long", "godot"]),
    ("tidy", Task::Tidy, &["count"]),
    ("fuzz", Task::Fuzz, &["seconds", "target", "small", "asan"]),
    ("asan", Task::Asan, &["godot"]),
    ("coverage", Task::Coverage, &[]),
    ("mutants", Task::Mutants, &["shard", "file"]),
    ("packages", Task::Packages, &[]),
    ("fresh", Task::Fresh, &[]),
    ("actionlint", Task::Actionlint, &[]),
    ("deny", Task::Deny, &["long"]),
    ("cross", Task::Cross, &["libraries", "tests", "target"]),
    ("dist", Task::Dist, &["staged", "complete", "tag", "try", "godot"]),
    ("double", Task::Double, &["cases", "godot"]),
    ("foreign", Task::Foreign, &["cases", "godot", "target", "staged"]),
    ("notices", Task::Notices, &[]),
    ("golden", Task::Golden, &["godot", "godot3"]),
    ("map", Task::Map, &[]),
    ("bench", Task::Bench, &["editor-only", "filter", "long", "modes", "without", "staged", "godot"]),
    ("screenshots", Task::Screenshots, &["godot"]),
    ("page-run", Task::PageRun, &[]),
    ("release-run", Task::ReleaseRun, &["godot"]),
    ("instructions", Task::Instructions, &[]),
];

#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub(crate) task: Task,
    pub(crate) godot: Option<PathBuf>,
    pub(crate) godot3: bool,
    pub(crate) release_template: bool,
    pub(crate) cases: Option<u64>,
    pub(crate) seed: Option<u64>,
    pub(crate) junit: Option<PathBuf>,
    pub(crate) golden: Option<PathBuf>,
    pub(crate) seconds: Option<u64>,
    pub(crate) target: Option<String>,
    pub(crate) small: bool,
    pub(crate) asan: bool,
    pub(crate) shard: Option<String>,
    pub(crate) file: Option<String>,
    pub(crate) long: bool,
    pub(crate) debug: bool,
    pub(crate) count: bool,
    pub(crate) editor_only: bool,
    pub(crate) libraries: bool,
    pub(crate) tests: bool,
    pub(crate) staged: bool,
    pub(crate) complete: bool,
    pub(crate) tries: bool,
    pub(crate) tag: Option<String>,
    pub(crate) modes: bool,
    pub(crate) without: Option<String>,
    pub(crate) filter: Option<String>,
    pub(crate) only: Option<String>,
    /// The arguments that are no options: a script and its own arguments.
    pub(crate) words: Vec<String>,
}

impl Arguments {
    pub(crate) fn parse() -> Result<Self> {
        Self::read(Parser::from_env())
    }

    pub(crate) fn new(task: Task) -> Self {
        Self { task, ..Self::default() }
    }

    pub(crate) fn profile(&self) -> Profile {
        if self.debug { Profile::Dev } else { Profile::Release }
    }

    /// Parses a command line that is given without the name of the program.
    #[cfg(test)]
    pub(crate) fn of(line: &str) -> Result<Self> {
        Self::read(Parser::from_args(line.split_whitespace()))
    }

    fn read(mut parser: Parser) -> Result<Self> {
        let word = match parser.next()? {
            None | Some(Arg::Long("help") | Arg::Short('h')) => return Ok(Self::new(Task::Help)),
            Some(Arg::Value(word)) => word.string()?,
            Some(option) => bail!("the command comes before its options\n\n{USAGE}\n\ngot {option:?}"),
        };
        let named = TASKS.iter().find(|(name, ..)| *name == word);
        let Some((_, task, options)) = named.copied() else { bail!("no command `{word}`\n\n{USAGE}") };
        let mut arguments = Self::new(task);
        while let Some(argument) = parser.next()? {
            let option = match argument {
                Arg::Long("help") | Arg::Short('h') => return Ok(Self::new(Task::Help)),
                Arg::Value(word)
                    if matches!(task, Task::ReleaseRun | Task::PageRun | Task::Bench | Task::Map) =>
                {
                    arguments.words.push(word.string()?);
                    continue;
                }
                Arg::Long(option) if options.contains(&option) => option.to_owned(),
                other => bail!("`{word}` does not take {other:?}\n\n{USAGE}"),
            };
            arguments.set(&option, &mut parser)?;
        }
        Ok(arguments)
    }

    fn set(&mut self, option: &str, parser: &mut Parser) -> Result<()> {
        match option {
            "godot3" => self.godot3 = true,
            "release-template" => self.release_template = true,
            "long" => self.long = true,
            "editor-only" => self.editor_only = true,
            "modes" => self.modes = true,
            "without" => self.without = Some(parser.value()?.string()?),
            "filter" => self.filter = Some(parser.value()?.string()?),
            "only" => self.only = Some(parser.value()?.string()?),
            "debug" => self.debug = true,
            "count" => self.count = true,
            "staged" => self.staged = true,
            "try" => self.tries = true,
            "libraries" => self.libraries = true,
            "tests" => self.tests = true,
            "complete" => self.complete = true,
            "tag" => self.tag = Some(parser.value()?.string()?),
            "cases" => self.cases = Some(parser.value()?.parse().context("--cases")?),
            "seed" => self.seed = Some(parser.value()?.parse().context("--seed")?),
            "junit" => self.junit = Some(absolute(parser)?),
            "golden" => self.golden = Some(absolute(parser)?),
            "seconds" => self.seconds = Some(parser.value()?.parse().context("--seconds")?),
            "target" => self.target = Some(parser.value()?.string()?),
            "small" => self.small = true,
            "asan" => self.asan = true,
            "shard" => self.shard = Some(parser.value()?.string()?),
            "file" => self.file = Some(parser.value()?.string()?),
            "godot" => self.godot = Some(absolute(parser)?),
            _ => bail!("--{option} is listed but not read"),
        }
        Ok(())
    }
}

/// Reads a path and makes it absolute, because Godot runs with the project as its working directory.
fn absolute(parser: &mut Parser) -> Result<PathBuf> {
    let value = parser.value()?;
    Ok(std::path::absolute(Path::new(&value))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_call_asks_for_help() {
        assert_eq!(Arguments::of("").unwrap().task, Task::Help);
        assert_eq!(Arguments::of("test --help").unwrap().task, Task::Help);
    }

    #[test]
    fn options_belong_to_their_commands() {
        let arguments = Arguments::of("conformance --cases 500 --seed=7").unwrap();
        assert_eq!((arguments.cases, arguments.seed), (Some(500), Some(7)));
        assert!(Arguments::of("build --debug").unwrap().debug);
        assert!(Arguments::of("build --cases 3").is_err());
        assert!(Arguments::of("conformance --cases many").is_err());
        assert!(Arguments::of("destroy").is_err());
        let words = Arguments::of("release-run res://a.gd -- --filter x").unwrap().words;
        assert_eq!(words, ["res://a.gd", "--filter", "x"]);
    }

    #[test]
    fn every_listed_option_is_read() {
        for option in TASKS.iter().flat_map(|(_, _, options)| *options) {
            let mut parser = Parser::from_args(["1"]);
            assert!(Arguments::new(Task::Help).set(option, &mut parser).is_ok(), "{option}");
        }
    }
}
