//! What `cargo xtask instructions` counts: pieces of work, each in one call of a function that callgrind knows by
//! name, and claims about them. It prints their names in order; counting and judging is done outside.
//!
//! ```text
//! case <name>                                      one call was counted
//! claim <factor> <name> <tab> <other name>         the first costs at most so many times the second
//! ```

mod families;
mod refusals;
mod schemas;
mod shapes;
mod workloads;

use std::hint::black_box;

use variant_core::{Progress, PushDecoder, Rules, Sink, Walker};

/// What fits a packet.
const PIECE: usize = 1400;

fn main() {
    workloads::count();
    refusals::count();
    schemas::count();
    families::count();
}

/// Only cases whose name holds the first argument, if there is one: for a look with `callgrind_annotate`.
fn is_wanted(name: &str) -> bool {
    std::env::args().nth(1).is_none_or(|part| name.contains(&part))
}

/// Runs the work once unseen, so that lazy tables are there, then once counted.
fn case(name: &str, mut work: impl FnMut()) {
    if !is_wanted(name) {
        return;
    }
    work();
    println!("case {name}");
    counted_work(&mut work);
}

/// The name that callgrind is told to look for.
#[inline(never)]
fn counted_work(work: &mut dyn FnMut()) {
    work();
    // The call above must not become a jump, or its end is not seen.
    black_box(());
}

fn claim(factor: &str, name: &str, other: &str) {
    println!("claim {factor} {name}\t{other}");
}

/// A whole input into a sink; gives whether it was accepted. The walker is used, as a codec's would be.
fn walk<S: Sink>(walker: &mut Walker<S::Frame>, bytes: &[u8], rules: &Rules, sink: &mut S) -> bool {
    black_box(walker.decode(black_box(bytes), rules, sink)).is_ok()
}

/// A whole input by a look first; gives whether it was accepted.
fn check(walker: &mut Walker<()>, bytes: &[u8], rules: &Rules) -> bool {
    black_box(walker.validate(black_box(bytes), rules)).is_ok()
}

/// The same in pieces of a packet.
fn push<S: Sink>(decoder: &mut PushDecoder<S>, bytes: &[u8]) {
    for piece in black_box(bytes).chunks(PIECE) {
        let progress = decoder.feed(piece).unwrap_or_else(|error| panic!("{error}"));
        if matches!(black_box(progress), Progress::Done { unused: 0, .. }) {
            return;
        }
    }
    panic!("the value never ended")
}
