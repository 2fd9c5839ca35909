//! Defines the command line: the commands and their options. No option is acted on here.

use std::io;
use std::path::PathBuf;

use clap::{Args, Parser, ValueEnum};

const CLOSING: &str = "\
An engine is looked for in --godot, GDRUST_GODOT_BIN, GODOT4_BIN, GODOT_BIN, on PATH, in target/engine.
Exit codes: 0 good, 1 differences or failures, 2 nothing could be proven, 3 a run was aborted.";

#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask", after_help = CLOSING)]
pub(crate) enum Task {
    /// Builds, gets an engine, compares every byte with it; ends `0 differences`
    Conformance(Compare),
    /// Runs Rust tests, engine suites, conformance; ends `N passed, N failed`
    Test(Test),
    /// Builds the library, into addons/variant_stream/bin
    Build {
        #[arg(long)]
        debug: bool,
    },
    /// Prints the path of a usable Godot, installs one when there is none
    Engine {
        #[arg(long, value_parser = absolute)]
        godot: Option<PathBuf>,
        /// A Godot 3 instead, also named by GODOT3_BIN
        #[arg(long)]
        godot3: bool,
        /// The engine of players instead, also named by GODOT_RELEASE_TEMPLATE
        #[arg(long)]
        release_template: bool,
    },
    /// Runs a script of the packed project under the release template; the script ends the run
    ReleaseRun {
        script: String,
        #[arg(long, value_parser = absolute)]
        godot: Option<PathBuf>,
        /// Words for the script
        #[arg(last = true)]
        words: Vec<String>,
    },
    /// Runs a script of a game for the web in Chromium, or what CHROMIUM names
    PageRun {
        folder: PathBuf,
        script: String,
        /// Words for the script
        #[arg(last = true)]
        words: Vec<String>,
    },
    /// Times every row of godot_project/bench against the engine, in the editor's build and in the release template;
    /// reports/bench-*.{json,svg,md}; BLESS=1 puts them into docs
    Bench(Bench),
    /// Takes the pictures in docs/pictures: editor and demo under Xvfb with software OpenGL, both themes
    Screenshots(Engine),
    /// Runs fmt, clippy, docs, tidy, deny, instructions, test; stops at the first failure
    Check {
        #[arg(long)]
        long: bool,
        #[arg(long, value_parser = absolute)]
        godot: Option<PathBuf>,
    },
    /// Checks the rules no linter knows: layers, unsafe, file length, names, machine paths
    Tidy {
        /// Prints what tells whether the sources get simpler instead, with bounds
        #[arg(long)]
        count: bool,
    },
    /// Prints every source file with its first sentence
    Map {
        /// A folder such as rust/core: only its files
        folder: Option<String>,
    },
    /// Counts the core's work under valgrind, against tests/instructions.txt; BLESS=1 records
    Instructions,
    /// Fuzzes the core, guided by coverage; ends `0 findings`
    Fuzz(Fuzz),
    /// Runs engine suites and conformance with the library under AddressSanitizer; Linux
    Asan(Engine),
    /// Counts the lines of the core that tests and corpora run, file by file; PASS or FAIL
    Coverage,
    /// Changes the core in small ways and counts what the tests notice; PASS or FAIL
    Mutants(Mutants),
    /// Makes the release archive of the addon, in target/dist, after checking what goes into it
    Dist(Dist),
    /// Builds the library for other platforms, and runs the core's tests on other processors, big-endian too
    Cross(Cross),
    /// Builds the library for engines with precision=double and tests it in one, named by --godot or GODOT_DOUBLE, with all and
    /// nothing of its memory trusted
    Double(Compare),
    /// Tests in an engine of another processor, with all and nothing of its memory trusted: of arm64, from Debian's packages
    /// under QEMU
    Foreign(Foreign),
    /// Checks the workflows of .github with actionlint
    Actionlint,
    /// Packs the crates that are published and compares what they offer with docs/api; BLESS=1 writes that
    Packages,
    /// Builds every feature of those crates without our lock file, with the newest and the lowest dependencies; it needs a
    /// registry
    Fresh,
    /// Checks the dependencies under deny.toml: licences, sources, advisories; the latter only with a network
    Deny {
        /// Fails without a network
        #[arg(long)]
        long: bool,
    },
    /// Is THIRDPARTY.md what is linked? BLESS=1 writes it
    Notices,
    /// Records tests/golden/godot4_6.json and hashes.txt anew from an engine
    Golden {
        #[arg(long, value_parser = absolute)]
        godot: Option<PathBuf>,
        /// Records godot3_2_release.json instead, from the release template of Debian's packages
        #[arg(long)]
        godot3: bool,
    },
}

#[derive(Args, Debug)]
pub(crate) struct Engine {
    #[arg(long, value_parser = absolute)]
    pub(crate) godot: Option<PathBuf>,
}

/// The options of the conformance run.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Compare {
    #[arg(long)]
    pub(crate) cases: Option<u64>,
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    #[arg(long, value_parser = absolute)]
    pub(crate) junit: Option<PathBuf>,
    #[arg(long, value_parser = absolute)]
    pub(crate) golden: Option<PathBuf>,
    #[arg(long, value_parser = absolute)]
    pub(crate) godot: Option<PathBuf>,
}

#[derive(Args, Debug, Default)]
pub(crate) struct Test {
    #[arg(long)]
    pub(crate) long: bool,
    /// The suite to run, by the name it is printed under
    #[arg(long)]
    pub(crate) only: Option<String>,
    /// Takes the library that lies in bin
    #[arg(long)]
    pub(crate) staged: bool,
    #[arg(long, value_parser = absolute)]
    pub(crate) godot: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Bench {
    /// Another bench than that of all rows
    pub(crate) form: Option<Form>,
    #[arg(long)]
    pub(crate) editor_only: bool,
    /// TEXT or A|B: only these rows
    #[arg(long)]
    pub(crate) filter: Option<String>,
    #[arg(long)]
    pub(crate) long: bool,
    /// Runs in the release template with all and nothing of its memory trusted
    #[arg(long)]
    pub(crate) modes: bool,
    /// Fast paths to switch off, separated by commas, or `all` for each in turn
    #[arg(long)]
    pub(crate) without: Option<String>,
    /// Takes the library for the web that lies in bin
    #[arg(long)]
    pub(crate) staged: bool,
    #[arg(long, value_parser = absolute)]
    pub(crate) godot: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Peaks of memory beside the engine's
    Memory,
    /// KiB of the library by crate
    Size,
    /// The core against other Rust crates
    Rust,
    /// The rows of schemas
    Schema,
    /// The figures of docs/STREAMING.md: size, slices and packets
    Stream,
    /// All rows in Chromium, engine as for `foreign`
    Web,
}

#[derive(Args, Debug)]
pub(crate) struct Fuzz {
    /// The seconds for each target
    #[arg(long, default_value_t = 60)]
    pub(crate) seconds: u64,
    #[arg(long)]
    pub(crate) target: Option<String>,
    /// Inputs to 256 bytes, more of them a second
    #[arg(long)]
    pub(crate) small: bool,
    /// Under AddressSanitizer
    #[arg(long)]
    pub(crate) asan: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Mutants {
    /// K/N, from 0
    #[arg(long)]
    pub(crate) shard: Option<String>,
    /// A pattern of files, such as walk/*.rs
    #[arg(long)]
    pub(crate) file: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct Dist {
    /// Takes the libraries that lie in bin
    #[arg(long)]
    pub(crate) staged: bool,
    /// With those of all platforms
    #[arg(long)]
    pub(crate) complete: bool,
    /// vX.Y.Z, which has to be this version
    #[arg(long)]
    pub(crate) tag: Option<String>,
    /// Also starts it in new projects, with and without the library
    #[arg(long)]
    pub(crate) r#try: bool,
    #[arg(long, value_parser = absolute)]
    pub(crate) godot: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Cross {
    #[arg(long)]
    pub(crate) libraries: bool,
    #[arg(long)]
    pub(crate) tests: bool,
    /// A key of variant_stream.gdextension or s390x
    #[arg(long)]
    pub(crate) target: Option<String>,
}

#[derive(Args, Debug, Default)]
pub(crate) struct Foreign {
    /// The key of an engine that --godot, GODOT_ARM64, GODOT_X86_32, GODOT_WINDOWS (Wine runs it) or GODOT_WEB (Chromium) names
    #[arg(long)]
    pub(crate) target: Option<String>,
    /// Takes the library that lies in bin
    #[arg(long)]
    pub(crate) staged: bool,
    #[command(flatten)]
    pub(crate) compare: Compare,
}

/// Makes a path absolute, because Godot runs with the project as its working directory.
fn absolute(path: &str) -> io::Result<PathBuf> {
    std::path::absolute(path)
}

#[cfg(test)]
impl Task {
    /// Parses a command line that is given without the name of the program.
    pub(crate) fn of(line: &str) -> Result<Self, clap::Error> {
        Self::try_parse_from(["xtask"].into_iter().chain(line.split_whitespace()))
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn options_belong_to_their_commands() {
        Task::command().debug_assert();
        let Task::Conformance(compare) = Task::of("conformance --cases 500 --seed=7").unwrap() else {
            panic!()
        };
        assert_eq!((compare.cases, compare.seed), (Some(500), Some(7)));
        for bad in ["", "build --cases 3", "conformance --cases many", "destroy"] {
            assert!(Task::of(bad).is_err(), "{bad}");
        }
        let Task::ReleaseRun { words, .. } = Task::of("release-run res://a.gd -- --filter x").unwrap() else {
            panic!()
        };
        assert_eq!(words, ["--filter", "x"]);
    }
}
