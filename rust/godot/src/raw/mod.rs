//! Contains all `unsafe` code. Only safe functions and types leave it.
//!
//! Every block says `// SAFETY:`, with one of these sentences where it fits:
//!
//! - `Engine contract:` the engine promises this about the pointers of a callback while it runs.
//! - `Registered so:` we told the engine ourselves what to pass here.
//! - `Alive:` the object cannot be freed while one of its methods runs; the caller holds it.

pub(crate) mod any_thread;
pub(crate) mod array_slots;
pub(crate) mod builtin_method;
mod class_methods;
pub(crate) mod dictionary_slots;
pub(crate) mod in_place;
pub(crate) mod instance;
mod kernels;
pub(crate) mod layout;
pub(crate) mod method;
pub(crate) mod numbers;
pub(crate) mod objects;
pub(crate) mod optional;
pub(crate) mod pretend;
pub(crate) mod register;
pub(crate) mod try_lock;
pub(crate) mod variant;

pub(crate) use kernels::valid::short as read_short_utf8;
