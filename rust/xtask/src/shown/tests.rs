//! Tests the commands that documents and workflows show: each is listed, and those of xtask parse.

mod blocks;
mod workflows;
