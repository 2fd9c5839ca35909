//! Runs the workloads that `cargo xtask instructions` counts under callgrind. Each runs inside one call of
//! `counted_work`, a function that callgrind finds by name. This program prints their names in order, and
//! claims about them; the command outside counts and judges.
//!
//! ```text
//! case <name>                                      one call was counted
//! claim <factor> <name> <tab> <other name>         the first costs at most `factor` times the second
//! ```

mod families;
mod objects;
mod packed;
mod protocol;
mod refusals;
mod schemas;
mod shapes;
mod structs;
mod workloads;

use std::hint::black_box;

use variant_core::{Progress, PushDecoder, Rules, Sink, Walker};

/// The size of a piece in bytes: as much as fits a network packet.
const PIECE: usize = 1400;

fn main() {
    workloads::count();
    packed::count();
    structs::count();
    refusals::count();
    schemas::count();
    families::count();
    packed::claims();
    structs::claims();
    protocol::count();
    objects::count();
}

/// Tells whether the name holds the program's first argument, if there is one: to study one case with
/// `callgrind_annotate`.
fn is_wanted(name: &str) -> bool {
    std::env::args().nth(1).is_none_or(|part| name.contains(&part))
}

/// Tells whether a family of inputs is tried: three for each law, and with `VARIANT_LONG` all of them.
fn is_tried(name: &str, three: [&str; 3]) -> bool {
    three.contains(&name) || std::env::var_os("VARIANT_LONG").is_some()
}

/// Runs the work once uncounted, so that lazily made tables exist, and then once counted.
fn case(name: &str, mut work: impl FnMut()) {
    if !is_wanted(name) {
        return;
    }
    work();
    println!("case {name}");
    counted_work(&mut work);
}

/// Runs the work under the name that callgrind is told to look for.
#[inline(never)]
fn counted_work(work: &mut dyn FnMut()) {
    work();
    // The call above must not become a tail jump, or callgrind does not see its end.
    black_box(());
}

fn claim(factor: &str, name: &str, other: &str) {
    println!("claim {factor} {name}\t{other}");
}

/// Reads a whole input into a sink and tells whether it was accepted. It reuses a walker, as a codec does.
fn walk<S: Sink>(walker: &mut Walker<S::Frame>, bytes: &[u8], rules: &Rules, sink: &mut S) -> bool {
    black_box(walker.decode(black_box(bytes), rules, sink)).is_ok()
}

/// Validates a whole input, which tries the fast path first, and tells whether it was accepted.
fn check(walker: &mut Walker<()>, bytes: &[u8], rules: &Rules) -> bool {
    black_box(walker.validate(black_box(bytes), rules)).is_ok()
}

/// Reads an input into a sink in pieces of a packet's size.
fn push<S: Sink>(decoder: &mut PushDecoder<S>, bytes: &[u8]) {
    for piece in black_box(bytes).chunks(PIECE) {
        let progress = decoder.feed(piece).unwrap_or_else(|error| panic!("{error}"));
        if matches!(black_box(progress), Progress::Done { unused: 0, .. }) {
            return;
        }
    }
    panic!("the value never ended")
}
