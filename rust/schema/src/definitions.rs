//! Definitions: schemas by name, in the order in which they were made. A schema with one more shares the others with the
//! one before, so that many made one by one cost no more than they are.

use std::sync::Arc;

use crate::schema::Schema;
use crate::size::SchemaSize;

/// The definitions of one schema.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// Runs of them, each shorter than the one before it.
    runs: Vec<Arc<Run>>,
    size: SchemaSize,
}

#[derive(Debug)]
struct Run {
    entries: Vec<(Arc<str>, Schema)>,
    /// Numbers of the entries, by name; of equal names, in order.
    by_name: Vec<usize>,
}

impl Definitions {
    /// The schema of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Schema> {
        self.runs.iter().find_map(|run| run.get(name))
    }

    /// Names and schemas, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Schema)> {
        self.runs.iter().flat_map(|run| &run.entries).map(|(name, schema)| (&**name, schema))
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Returns the size of all definitions together.
    pub(crate) const fn size(&self) -> SchemaSize {
        self.size
    }

    /// Runs that are as short as what is to be added become one with it: each entry is in as few new runs as there are
    /// doublings.
    pub(crate) fn push(&mut self, name: &str, schema: Schema) {
        self.size = self.size.beside(schema.0.size);
        let mut added = vec![(Arc::from(name), schema)];
        while let Some(last) = self.runs.pop_if(|last| last.entries.len() <= added.len()) {
            added = last.entries.iter().cloned().chain(added).collect();
        }
        self.runs.push(Arc::new(Run::new(added)));
    }
}

impl FromIterator<(String, Schema)> for Definitions {
    fn from_iter<I: IntoIterator<Item = (String, Schema)>>(entries: I) -> Definitions {
        let entries: Vec<_> = entries.into_iter().map(|(name, it)| (Arc::from(name), it)).collect();
        if entries.is_empty() {
            return Definitions::default();
        }
        let size = entries.iter().fold(SchemaSize::default(), |size, (_, schema)| size.beside(schema.0.size));
        Definitions { runs: vec![Arc::new(Run::new(entries))], size }
    }
}

impl PartialEq for Definitions {
    fn eq(&self, other: &Definitions) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Run {
    fn new(entries: Vec<(Arc<str>, Schema)>) -> Run {
        let mut by_name: Vec<usize> = (0..entries.len()).collect();
        by_name.sort_by_key(|at| entries.get(*at).map(|(name, _)| &**name));
        Run { entries, by_name }
    }

    fn get(&self, name: &str) -> Option<&Schema> {
        let named = |at: &usize| self.entries.get(*at).map_or("", |(name, _)| &**name);
        let first = self.by_name.partition_point(|at| named(at) < name);
        let at = self.by_name.get(first).filter(|at| named(at) == name)?;
        self.entries.get(*at).map(|(_, schema)| schema)
    }
}

#[cfg(test)]
mod tests {
    use super::Definitions;
    use crate::schema::Schema;

    #[test]
    fn one_by_one_they_are_what_they_are_at_once() {
        let all = |count: i64| (0..count).map(|at| (format!("d{}", at * 7 % 40), Schema::int().min(at)));
        let mut pushed = Definitions::default();
        for count in 0..40 {
            let at_once: Definitions = all(count).collect();
            assert_eq!(pushed, at_once);
            assert_eq!((pushed.size(), pushed.is_empty()), (at_once.size(), count == 0));
            for (name, schema) in all(40) {
                let known = all(count).any(|(known, _)| known == name).then_some(&schema);
                assert_eq!((pushed.get(&name), at_once.get(&name)), (known, known), "{name} of {count}");
            }
            assert!(pushed.runs.windows(2).all(|two| two[0].entries.len() > two[1].entries.len()));
            let (before, last) = (pushed.clone(), all(count + 1).next_back().expect("one more"));
            pushed.push(&last.0, last.1);
            assert_eq!(before, at_once, "who has the ones before keeps them");
        }
    }
}
