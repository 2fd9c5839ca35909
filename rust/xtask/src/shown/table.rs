//! Lists every command of an `sh` block and whether it is run. A test fails for a command that is not listed,
//! and for a listed one that no document shows.

/// Decides whether `cargo xtask test` runs a command.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fate {
    /// It runs word for word.
    Runs,
    /// It runs in this form: smaller, or with its files in another folder (`$ASIDE`).
    RunsAs(&'static str),
    /// It does not run, for this reason.
    Waits(&'static str),
}

use Fate::{Runs, RunsAs, Waits};

const ITSELF: &str = "it is this run";
const IN_LONG: &str = "takes minutes; `cargo xtask test --long` does the same";
const MEASURES: &str = "takes minutes and wants a quiet machine";
const MINUTES: &str = "takes minutes to hours; the nightly workflow runs it";
const WRITES: &str = "writes documents anew; the run compares them";
const ALONE: &str = "wants an engine that no package has";
const SERVERS: &str = "the tests `servers` of the crate start the same, with clients";
const ENET: &str = "schema_enet_test.gd does the same";
const RUST: &str = "the suite `rust` has these tests";
const GATE: &str = "old_saves_test.gd runs the gate for old saves, and that of the example game";
const CONFORMANCE: &str = "godot --headless --path . -s res://addons/variant_stream/ci/conformance.gd";

/// The commands; one that ends in `*` stands for all that go on from there.
pub(super) const TABLE: [(&str, Fate); 45] = [
    ("cargo xtask build", Runs),
    ("cargo xtask conformance", RunsAs("cargo xtask conformance --cases 200")),
    (
        CONFORMANCE,
        RunsAs("godot --headless --path . -s res://addons/variant_stream/ci/conformance.gd -- --cases 200"),
    ),
    (
        "godot --headless --path . -s res://addons/variant_stream/ci/conformance.gd -- --junit reports/variant.xml",
        RunsAs(
            "mkdir -p \"$ASIDE/reports\"; godot --headless --path . -s res://addons/variant_stream/ci/conformance.gd \
             -- --cases 200 --junit \"$ASIDE/reports/variant.xml\"; test -s \"$ASIDE/reports/variant.xml\"",
        ),
    ),
    ("godot --headless --path . -s res://addons/variant_stream/ci/saves.gd *", Waits(GATE)),
    ("godot --headless --path example_game -s res://addons/variant_stream/ci/saves.gd *", Waits(GATE)),
    ("godot --path godot_project", RunsAs("godot --headless --path godot_project --quit-after 60")),
    ("godot --headless --path godot_project -s res://tests/run.gd -- --filter codec_test", Runs),
    ("cargo xtask release-run *", Waits("the suite `release` does the same")),
    (
        "godot --headless --path godot_project -s res://tests/load/server.gd -- --seconds 30",
        Waits("takes half a minute; load_test.gd runs three seconds of it"),
    ),
    ("godot --headless --path godot_project -s res://tests/enet/wire_size.gd", Runs),
    ("godot --headless --path godot_project -s res://tests/enet/attacked_server.gd *", Waits(ENET)),
    (
        "godot --headless --path godot_project -s res://tests/run.gd -- --filter heap_test --long",
        Waits(IN_LONG),
    ),
    (
        "BLESS=1 godot --headless --path godot_project -s res://tests/run.gd -- --filter docs_test",
        Waits(WRITES),
    ),
    (
        "BLESS=1 cargo test -p gdvar --test all transcripts",
        // As the suite `rust` has built it: alone, the tool is built again with fewer features.
        RunsAs("cargo test --workspace --test all transcripts"),
    ),
    (
        "cargo install --path rust/cli",
        RunsAs(
            "cargo install --debug --offline --locked --path rust/cli --root \"$ASIDE\" --no-track; \
             \"$ASIDE/bin/gdvar\" --version",
        ),
    ),
    ("cargo run --package variant-serde *", Waits(SERVERS)),
    ("cargo run -p variant-protocol --example server *", Waits(SERVERS)),
    (
        "godot --headless --path godot_project -s res://tests/arena/rehearsal.gd -- --seconds 60",
        Waits("protocol_arena_test.gd runs it for a shorter time, and for so long with --long"),
    ),
    ("cargo xtask packages", Waits("the suite `packages` does the same")),
    ("BLESS=1 cargo xtask packages", Waits(WRITES)),
    ("cargo xtask dist", Runs),
    ("cargo xtask dist --try", Waits("the suites `dist` and `example game` do the same")),
    (
        "cargo xtask dist --staged --complete",
        Waits("wants the libraries of all platforms; release.yml runs it"),
    ),
    (
        "godot --headless --path example_game --export-release Linux build/game.x86_64",
        Waits("wants the addon in the folder and a template; the suite `example game` does it in a copy"),
    ),
    ("cargo run -p variant-testkit --example seeds *", Waits("`cargo xtask fuzz` begins with the same")),
    ("GODOT_DOUBLE=godot.linuxbsd.editor.double.x86_64 cargo xtask double", Waits(ALONE)),
    ("cargo xtask foreign", Waits(IN_LONG)),
    ("GODOT_X86_32=godot.linuxbsd.editor.x86_32 cargo xtask foreign *", Waits(ALONE)),
    ("GODOT_WINDOWS=godot.windows.editor.x86_64.exe cargo xtask foreign *", Waits(ALONE)),
    ("GODOT_WEB=unpacked-template cargo xtask foreign *", Waits(ALONE)),
    ("cargo xtask check", Waits(ITSELF)),
    ("cargo xtask test", Waits(ITSELF)),
    ("cargo test -p variant-tests", Waits(RUST)),
    ("VARIANT_SEED=7 cargo test *", Waits(RUST)),
    ("VARIANT_LONG=1 cargo test *", Waits(IN_LONG)),
    ("cargo xtask asan", Waits(IN_LONG)),
    ("cargo xtask bench", Waits(MEASURES)),
    ("cargo xtask bench *", Waits(MEASURES)),
    ("BLESS=1 cargo xtask bench", Waits(MEASURES)),
    ("cargo xtask coverage", Waits(MINUTES)),
    ("cargo xtask mutants", Waits(MINUTES)),
    ("cargo xtask fuzz *", Waits(MINUTES)),
    ("cargo install cargo-fuzz *", Waits("fetches and builds a tool")),
    (
        "PATH=\"$PWD/target/tools/bin:$PATH\" RUSTC_BOOTSTRAP=1 cargo fuzz run *",
        Waits("takes minutes, with the tool above"),
    ),
];
