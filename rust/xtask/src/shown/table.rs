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
const GATE: &str = "old_saves_test.gd runs the gate for old saves, and that of the example game";
const CONFORMANCE: &str = "godot --headless --path . -s res://addons/variant_stream/ci/conformance.gd";

pub(super) const TABLE: [(&str, Fate); 60] = [
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
    (
        "godot --headless --path . -s res://addons/variant_stream/ci/saves.gd -- --with res://game/saves.gd --record",
        Waits(GATE),
    ),
    (
        "godot --headless --path . -s res://addons/variant_stream/ci/saves.gd -- --with res://game/saves.gd --junit \
         reports/saves.xml",
        Waits(GATE),
    ),
    (
        "godot --headless --path example_game -s res://addons/variant_stream/ci/saves.gd -- --with res://saves.gd",
        Waits(GATE),
    ),
    ("godot --path godot_project", RunsAs("godot --headless --path godot_project --quit-after 60")),
    ("godot --headless --path godot_project -s res://tests/run.gd -- --filter codec_test", Runs),
    (
        "cargo xtask release-run res://tests/run.gd -- --filter codec_test",
        Waits("the suite `release` does the same"),
    ),
    (
        "godot --headless --path godot_project -s res://tests/load/server.gd -- --seconds 30",
        Waits("takes half a minute; load_test.gd runs three seconds of it"),
    ),
    ("godot --headless --path godot_project -s res://tests/enet/wire_size.gd", Runs),
    (
        "godot --headless --path godot_project -s res://tests/enet/attacked_server.gd -- --receiver rpc",
        Waits("schema_enet_test.gd does the same"),
    ),
    (
        "godot --headless --path godot_project -s res://tests/enet/attacked_server.gd -- --receiver documented",
        Waits("schema_enet_test.gd does the same"),
    ),
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
    (
        "cargo run --package variant-serde --features tokio --example tcp_server",
        Waits("rust/serde/tests/servers.rs starts the same, with clients"),
    ),
    (
        "cargo run --package variant-serde --example udp_server",
        Waits("rust/serde/tests/servers.rs starts the same, with clients"),
    ),
    (
        "cargo run -p variant-protocol --example server -- arena.protocol.json 7779",
        Waits("rust/protocol/tests/server.rs starts the same, with clients"),
    ),
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
    (
        "cargo run -p variant-testkit --example seeds target/fuzz/seeds",
        Waits("`cargo xtask fuzz` begins with the same"),
    ),
    (
        "GODOT_DOUBLE=godot.linuxbsd.editor.double.x86_64 cargo xtask double",
        Waits("wants an engine that no package has"),
    ),
    ("cargo xtask foreign", Waits(IN_LONG)),
    (
        "GODOT_X86_32=godot.linuxbsd.editor.x86_32 cargo xtask foreign --target linux.x86_32",
        Waits("wants an engine that no package has"),
    ),
    (
        "GODOT_WINDOWS=godot.windows.editor.x86_64.exe cargo xtask foreign --target windows.x86_64",
        Waits("wants an engine that no package has"),
    ),
    (
        "GODOT_WEB=unpacked-template cargo xtask foreign --target web.nothreads.wasm32",
        Waits("wants an engine that no package has"),
    ),
    ("cargo xtask check", Waits(ITSELF)),
    ("cargo xtask test", Waits(ITSELF)),
    ("cargo test -p variant-tests", Waits("the suite `rust` has these tests")),
    (
        "VARIANT_SEED=7 cargo test -p variant-tests --test all properties -- --nocapture",
        Waits("the suite `rust` has these tests"),
    ),
    ("VARIANT_LONG=1 cargo test --release -p variant-tests", Waits(IN_LONG)),
    ("VARIANT_LONG=1 cargo test -p gdvar --test all bulk -- --nocapture", Waits(IN_LONG)),
    ("cargo xtask asan", Waits(IN_LONG)),
    ("cargo xtask bench", Waits(MEASURES)),
    ("cargo xtask bench --editor-only", Waits(MEASURES)),
    ("cargo xtask bench --filter packet", Waits(MEASURES)),
    ("cargo xtask bench --modes", Waits(MEASURES)),
    ("cargo xtask bench memory", Waits(MEASURES)),
    ("cargo xtask bench size", Waits(MEASURES)),
    ("cargo xtask bench rust", Waits(MEASURES)),
    ("cargo xtask bench stream", Waits(MEASURES)),
    ("cargo xtask bench web", Waits(MEASURES)),
    ("BLESS=1 cargo xtask bench", Waits(MEASURES)),
    ("cargo xtask coverage", Waits(MINUTES)),
    ("cargo xtask mutants", Waits(MINUTES)),
    ("cargo xtask fuzz --seconds 60", Waits(MINUTES)),
    ("cargo xtask fuzz --seconds 3600 --target oracle", Waits(MINUTES)),
    ("cargo xtask fuzz --seconds 3600 --target walk --small", Waits(MINUTES)),
    ("cargo xtask fuzz --seconds 600 --target walk --small --asan", Waits(MINUTES)),
    (
        "RUSTFLAGS=\"-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
         -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
         -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 --cfg=fuzzing\" \
         cargo build --release --target x86_64-unknown-linux-gnu",
        Waits("builds for minutes; `cargo xtask fuzz` builds with the same flags"),
    ),
    ("cargo install cargo-fuzz --locked --root target/tools", Waits("fetches and builds a tool")),
    (
        "PATH=\"$PWD/target/tools/bin:$PATH\" RUSTC_BOOTSTRAP=1 cargo fuzz run --fuzz-dir rust/fuzz decode \
         target/fuzz/seeds -- -max_total_time=60 -max_len=4096 -timeout=5 -rss_limit_mb=2048",
        Waits("takes minutes, with the tool above"),
    ),
];
