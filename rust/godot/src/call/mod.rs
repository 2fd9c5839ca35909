//! Decides what happens with a call: its settings, the readers that go over its bytes, the schema that judges them, and the problem
//! that says why it was refused. No class of the extension is known here.

pub(crate) mod attempts;
pub(crate) mod check_levels;
pub(crate) mod checks;
pub(crate) mod codec;
pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod explain;
pub(crate) mod form;
pub(crate) mod judge;
pub(crate) mod live;
pub(crate) mod packed;
pub(crate) mod problem;
pub(crate) mod readings;
pub(crate) mod schema;
pub(crate) mod settings;
pub(crate) mod sniff;
pub(crate) mod update;
