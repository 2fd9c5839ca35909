//! Tests that cross crates live in `tests/`; this library is empty.
