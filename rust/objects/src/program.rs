//! Makes the program that a document of certain heads is held to, and keeps those that were needed lately.

use std::sync::Arc;

use variant_core::Mistakes;
use variant_schema::{Program, Schema};

use crate::heads::Head;
use crate::judge::CheckedDocument;
use crate::reference::index;
use crate::table::{Class, ClassKind, Column, Property, Table, settled};

/// Programs that are kept: packets of one game hold few combinations of classes.
const KEPT: usize = 32;

/// Programs by the heads that they are for.
#[derive(Debug, Default)]
pub(crate) struct Programs {
    kept: Vec<KeptProgram>,
}

#[derive(Debug)]
struct KeptProgram {
    table: u64,
    heads: Vec<(u32, bool, Arc<[Column]>)>,
    has_typed: bool,
    value: Option<Schema>,
    program: Arc<Program>,
}

impl KeptProgram {
    fn is_for(&self, table: &Table, checked: &CheckedDocument, value: Option<&Schema>) -> bool {
        let heads = &checked.heads;
        self.has_typed == checked.has_typed_containers()
            && self.table == table.number
            && self.heads.len() == heads.len()
            && self.value.as_ref().map(Schema::address) == value.map(Schema::address)
            && self.heads.iter().zip(heads).all(|((class, migrates, columns), head)| {
                (*class, *migrates) == (head.class, head.migrates) && *columns == head.columns
            })
    }
}

impl Programs {
    /// The program of documents with these heads, whose value this schema accepts.
    pub(crate) fn of(
        &mut self,
        table: &Table,
        checked: &CheckedDocument,
        value: Option<&Schema>,
    ) -> Result<Arc<Program>, Mistakes> {
        if let Some(at) = self.kept.iter().position(|kept| kept.is_for(table, checked, value)) {
            let last = self.kept.len().saturating_sub(1);
            self.kept.swap(at, last);
            if let Some(kept) = self.kept.last() {
                return Ok(Arc::clone(&kept.program));
            }
        }
        let program = Arc::new(compiled(table, checked, value)?);
        if self.kept.len() >= KEPT {
            self.kept.clear();
        }
        let signature =
            checked.heads.iter().map(|head| (head.class, head.migrates, head.columns.clone())).collect();
        let (value, number) = (value.cloned(), table.number);
        self.kept.push(KeptProgram {
            table: number,
            heads: signature,
            has_typed: checked.has_typed_containers(),
            value,
            program: Arc::clone(&program),
        });
        Ok(program)
    }
}

fn compiled(table: &Table, checked: &CheckedDocument, value: Option<&Schema>) -> Result<Program, Mistakes> {
    let any = Schema::any;
    let classes = checked
        .heads
        .iter()
        .map(|head| Schema::tuple([any(), any(), any(), Schema::array(row(table, head))]));
    let value = value.map_or_else(any, settled);
    let fourth = checked.has_typed_containers().then(any);
    table.defined(&Schema::tuple([any(), Schema::tuple(classes), value].into_iter().chain(fourth))).compile()
}

/// A row as it is in the document. Rows that steps are still to be made of may hold anything.
fn row(table: &Table, head: &Head) -> Schema {
    let Some(class) = table.class(head.class) else { return Schema::any() };
    let property = |column: &Column| class.properties().get(index(column.property?));
    row_of(class, head.columns.iter().map(|column| property(column).filter(|_| !head.migrates)))
}

/// A row of a class, with these properties; what is dropped may have been anything.
pub(crate) fn row_of<'p>(class: &Class, properties: impl Iterator<Item = Option<&'p Property>>) -> Schema {
    let cell = |property: Option<&Property>| property.map_or_else(Schema::any, |it| settled(&it.schema));
    match &class.kind {
        ClassKind::Key(schema) => settled(schema),
        ClassKind::Forgotten => Schema::any(),
        ClassKind::Properties { .. } => Schema::tuple(properties.map(cell)),
    }
}

/// The properties of an object by name, any of which may be missing.
pub(crate) fn loose(table: &Table, class: u32) -> Result<Program, Mistakes> {
    let properties = table.class(class).map_or(&[][..], |class| class.properties());
    let keys = properties.iter().map(|it| (&it.name, settled(&it.schema).optional()));
    let keys: Vec<_> = keys.map(|(name, schema)| (format!("{name}?"), schema)).collect();
    table.defined(&Schema::dict(keys)).compile()
}
