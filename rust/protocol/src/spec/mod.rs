//! Declares the messages of a game by their schemas: what a table is made of, and what is written down for both sides.

mod diff;
mod json;
mod markdown;

use std::sync::Arc;

use variant_core::{Mistake, Mistakes};
use variant_schema::Schema;

pub use diff::{Category, Change, diff};
pub use json::rate;

use crate::bucket::Rate;
use crate::form::Form;
use crate::state_form::History;
use crate::table::{Message, Mode, Sender, Table};

/// The datagram that every network carries.
pub const DATAGRAM: usize = 1200;

/// Declares the messages of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// The messages, in the order of their ids.
    pub messages: Vec<Declared>,
    /// Ids of messages that were removed. They are never given again.
    pub reserved: Vec<u16>,
    /// The most bytes of an unreliable packet.
    pub most_datagram_bytes: usize,
}

impl Default for Spec {
    fn default() -> Spec {
        Spec { messages: Vec::new(), reserved: Vec::new(), most_datagram_bytes: DATAGRAM }
    }
}

/// Declares one message.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    /// The name, for people and programs.
    pub name: String,
    /// The id. `None`: the next free one.
    pub id: Option<u16>,
    /// The side that may send it.
    pub sender: Sender,
    /// How often one peer may send it.
    pub rate: Option<Rate>,
    /// How it is carried.
    pub mode: Mode,
    /// Whether clients may send it to each other.
    pub relay: bool,
    /// Whether it is a state, and what is kept of it.
    pub state: Option<History>,
    /// Whether a side that sends it hears it as well. The protocol itself does nothing about it.
    pub local: bool,
    /// The schema of its values.
    pub schema: Schema,
}

impl Declared {
    /// Declares a message that the server sends: what clients may send is to be said.
    #[must_use]
    pub fn new(name: &str, schema: Schema) -> Declared {
        Declared {
            name: name.to_owned(),
            id: None,
            sender: Sender::Server,
            rate: None,
            mode: Mode::Reliable,
            relay: false,
            state: None,
            local: false,
            schema,
        }
    }

    /// Declares a state, which the server sends.
    #[must_use]
    pub fn state(name: &str, schema: Schema) -> Declared {
        let state = Some(History { entries: 32, most_packet_bytes: DATAGRAM, parts: None });
        Declared { mode: Mode::Unreliable, state, ..Declared::new(name, schema) }
    }

    fn message(
        &self,
        mut form: impl FnMut(&Schema) -> Result<Arc<Form>, Mistakes>,
    ) -> Result<Message, Mistakes> {
        let name: Box<str> = self.name.as_str().into();
        let form = form(&self.schema).map_err(|mistakes| mistakes.within(&name))?;
        let Declared { id, sender, rate, mode, relay, state, .. } = *self;
        Ok(Message { name, form, sender, rate, mode, id, relay, state })
    }
}

impl Spec {
    /// Makes the table. `form` makes the form of a message from its schema.
    ///
    /// # Errors
    /// Those of [`Table::new`], and schemas that have no form.
    pub fn table(
        &self,
        mut form: impl FnMut(&Schema) -> Result<Arc<Form>, Mistakes>,
    ) -> Result<Table, Mistakes> {
        let mut mistakes = None;
        let made = self.messages.iter().filter_map(|declared| {
            declared.message(&mut form).map_err(|it| Mistakes::add(&mut mistakes, it)).ok()
        });
        let made = made.collect();
        Mistakes::unless(mistakes, Table::new(made, &self.reserved, self.most_datagram_bytes))
    }

    /// Adds a message that a table can be made of, so that a mistake is told where it is made.
    ///
    /// # Errors
    /// Those of [`Spec::table`]; then it is not added.
    pub fn add(
        &mut self,
        declared: Declared,
        form: impl FnMut(&Schema) -> Result<Arc<Form>, Mistakes>,
    ) -> Result<(), Mistakes> {
        let mut message = declared.message(form)?;
        let mut ids = self.ids();
        for (id, other) in ids.iter().zip(&self.messages) {
            let words = match () {
                () if other.name == declared.name => "this name stands twice".to_owned(),
                () if declared.id == Some(*id) => {
                    format!("its id {id} is the id of {:?} already", other.name)
                }
                () => continue,
            };
            return Err(Mistake::new(message.name, words).into());
        }
        ids.extend(&self.reserved);
        message.id = declared.id.or(Some(ids.into_iter().max().unwrap_or(0).saturating_add(1)));
        Table::new(vec![message], &self.reserved, self.most_datagram_bytes)?;
        self.messages.push(declared);
        Ok(())
    }

    /// Lists the ids that the messages get, as [`Table::new`] gives them.
    fn ids(&self) -> Vec<u16> {
        let mut largest = self.reserved.iter().copied().max().unwrap_or(0);
        let id = |message: &Declared| {
            let id = message.id.unwrap_or_else(|| largest.saturating_add(1));
            largest = largest.max(id);
            id
        };
        self.messages.iter().map(id).collect()
    }

    /// Gives every message an id of its own, as [`Table::new`] does: the ids are then part of what is written.
    #[must_use]
    pub fn with_ids(&self) -> Spec {
        let mut spec = self.clone();
        for (message, id) in spec.messages.iter_mut().zip(self.ids()) {
            message.id = Some(id);
        }
        spec
    }
}
