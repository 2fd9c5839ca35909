//! Checks that what runs under the lock of a `VariantProtocol` calls no script: a script that asks the same object would wait
//! for ever. It knows the calls that can lead to one; what ends when a value makes room is for `locks_test.gd` to find.

use super::{File, Finding, code};

/// The files whose functions run while the lock is held.
const ROOM: &str = "rust/godot/src/protocol/";
/// Those in it that call the engine, and are called without the lock.
const OUTSIDE: [&str; 2] = ["handlers.rs", "wired.rs"];
/// Calls that can run a script: handlers, and a game's own `Logger`.
const CALLS: [&str; 6] =
    [".call(", "call_all(", "call_with(", "emit_signal(", "push_error(", "push_warning("];

pub(super) fn check(file: &File) -> Vec<Finding> {
    let Some(name) = file.path.strip_prefix(ROOM).filter(|name| !OUTSIDE.contains(name)) else {
        return Vec::new();
    };
    let code = code::only(&file.text);
    let lines = code.lines().enumerate().filter_map(|(at, line)| {
        let call = CALLS.iter().find(|call| line.contains(**call))?;
        let what =
            format!("{call}..) can run a script, and the lock is held in {name}: do it in {}", OUTSIDE[0]);
        Some(file.finding(at + 1, what))
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_runs_outside_of_the_lock_may_call() {
        let call = "fn f() { handler.call(&[]); }\n// push_error(\n";
        let found = |path: &str| check(&File::sample(path, call)).len();
        assert_eq!(found("rust/godot/src/protocol/sending.rs"), 1);
        assert_eq!(found("rust/godot/src/protocol/handlers.rs"), 0);
        assert_eq!(found("rust/godot/src/api/protocol.rs"), 0);
    }
}
