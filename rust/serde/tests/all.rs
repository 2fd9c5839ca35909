//! Joins the tests of the crate from outside into one program: each program would link all crates anew.

mod allocation;
mod attributes;
mod engine;
mod errors;
mod glam;
mod mapping;
mod schemas;
mod servers;
