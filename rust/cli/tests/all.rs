//! Joins the tests of the program `gdvar` into one: each test program would link all crates anew.

mod bounds;
mod bulk;
mod csharp;
mod edits;
mod engine_files;
mod hostile_text;
mod odd_uses;
mod overwrites;
mod prompt;
mod rust_modules;
mod scans;
mod skips;
mod transcripts;
mod typescript;
