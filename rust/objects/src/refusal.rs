//! Puts into words why bytes are no document that the table allows, and where.

use variant_core::token::{Container, Leaf};
use variant_core::{
    Error, ErrorKind, Path, Place, QuotedText, Refusal, Rejection, Rules, Sink, Skip, Step, Walker,
};
use variant_schema::{Checker, Program};

use crate::depth::Depth;
use crate::graph;
use crate::heads::{Head, Mistake};
use crate::judge::{CheckedDocument, Judge, Objects};
use crate::place::DocumentPart;
use crate::reference::{Reference, index, stand_in};
use crate::table::Table;

/// References on the way from the value to an object that a path names; a longer way is told by the object's number.
const MOST_STEPS: usize = 16;

/// The rejection of all of a document, which is no bytes yet or not at fault at one of them.
pub(crate) fn of_kind(kind: ErrorKind) -> Rejection {
    Rejection::of_kind(kind, Place::Byte(0))
}

/// Puts a mistake in place of the kind's own words.
pub(crate) fn saying(rejection: Rejection, said: Option<Mistake>) -> Rejection {
    match said {
        Some(Mistake { expected, got }) => Rejection { expected, got, ..rejection },
        None => rejection,
    }
}

pub(crate) struct RejectionWriter<'a> {
    pub(crate) table: &'a Table,
    pub(crate) heads: &'a [Head],
    /// The whole document, where all its heads are known.
    pub(crate) checked: Option<&'a CheckedDocument>,
    pub(crate) bytes: &'a [u8],
    pub(crate) rules: &'a Rules,
}

impl RejectionWriter<'_> {
    #[cold]
    pub(crate) fn of_head(&self, error: &Error, said: Option<Mistake>) -> Rejection {
        let refusal = saying(Rejection::from(error), said);
        let is_head = refusal.kind.is_of_objects() || refusal.kind == ErrorKind::DuplicateKey;
        let path = if is_head { self.path_of_head(&refusal.path) } else { self.path(&refusal.path) };
        Rejection { path, ..refusal }
    }

    #[cold]
    pub(crate) fn explain(&self, program: &Program, error: &Error, said: Option<Mistake>) -> Rejection {
        let plain = saying(Rejection::from(error), said);
        let refusal = self.in_words(program, plain, |this, sink| {
            let checked = this.checked?;
            let mut edges = Vec::new();
            let mut judge = Judge::new(sink, checked.numbered(this.table), &mut edges);
            Walker::new().decode(this.bytes, this.rules, &mut judge).err()
        });
        let path = match refusal.kind {
            ErrorKind::WrongClass => self.route(&refusal),
            _ => None,
        };
        let path = path.unwrap_or_else(|| self.path(&refusal.path));
        Rejection { path, ..refusal }
    }

    #[cold]
    pub(crate) fn explain_object(
        &self,
        program: &Program,
        error: &Error,
        said: Option<Mistake>,
        objects: Objects<'_>,
    ) -> Rejection {
        self.in_words(program, saying(Rejection::from(error), said), |this, sink| {
            let mut edges = Vec::new();
            let mut judge = Judge::new(sink, objects, &mut edges).of_checked();
            Walker::new().decode(this.bytes, this.rules, &mut judge).err()
        })
    }

    /// Objects that hold one another, more of them than can be freed.
    #[cold]
    pub(crate) fn too_deep(&self, objects: &Objects<'_>, depth: &Depth, most: u64) -> Rejection {
        let number = depth.too_deep.unwrap_or_default();
        let refusal = self.of_object(objects, number, ErrorKind::TooDeep { limit: most });
        let expected = format!("at most {most} objects and containers in one another (max_object_depth)");
        Rejection { expected, got: depth.levels.to_string(), ..refusal }
    }

    #[cold]
    pub(crate) fn of_object(&self, objects: &Objects<'_>, number: u32, kind: ErrorKind) -> Rejection {
        let refusal = of_kind(kind);
        let Some(of) = objects.place(number) else { return refusal };
        let row = [1, u64::from(of.class), 3, u64::from(of.row)];
        let path = Path(row.map(Step::Index).to_vec());
        Rejection { place: Place::Byte(self.offset(&path)), path: self.path(&path), ..refusal }
    }

    /// Has the validator say what it refuses, and names classes where it knows numbers only.
    fn in_words(
        &self,
        program: &Program,
        plain: Rejection,
        walk: impl FnOnce(&Self, variant_schema::Validator<'_>) -> Option<Error>,
    ) -> Rejection {
        if !plain.kind.is_of_schema() {
            return plain;
        }
        let found = Checker::new().passed_on(program, self.bytes, self.rules, |sink| walk(self, sink));
        let Some(violation) = found.into_iter().next() else { return plain };
        let mut refusal = self.of_key(violation);
        let (expected, names_class) = self.named(&refusal.expected);
        refusal.expected = expected;
        if let Some(tag) = self.tag_at(refusal.offset()) {
            let tag = QuotedText::whole(&tag).to_string();
            if names_class {
                (refusal.kind, refusal.got) = (ErrorKind::WrongClass, tag);
                // Null would have been right as well, and says nothing about which class.
                refusal.expected = refusal.expected.trim_end_matches(" or null").to_owned();
            } else {
                refusal.got = format!("an object {tag}");
            }
        }
        refusal
    }

    /// Names the key of an object that is none of those that its class has.
    fn of_key(&self, mut refusal: Rejection) -> Rejection {
        let class = match (refusal.kind, self.row(&refusal.path)) {
            (ErrorKind::NotInEnum, Some((class, ..))) => self.heads.get(index(class)),
            _ => None,
        };
        let key = usize::try_from(refusal.offset()).ok().and_then(|at| text_at(self.bytes.get(at..)?));
        if let (Some(head), Some(key)) = (class.filter(|head| head.version == 0), key) {
            let tag = self.table.class(head.class).map_or("", |class| &class.tag);
            refusal.expected =
                format!("a key of {}, or one that rename() or forget() names", QuotedText::whole(tag));
            refusal.got = QuotedText::whole(key).to_string();
        }
        refusal
    }

    /// The demand with classes in place of the RIDs that stand for them, and whether there were any.
    fn named(&self, expected: &str) -> (String, bool) {
        let mut named = expected.to_owned();
        for (number, class) in self.table.classes().iter().enumerate() {
            let stand_in = format!("RID {}", stand_in(u32::try_from(number).unwrap_or(u32::MAX)));
            if named.contains(&stand_in) {
                named = named.replace(&stand_in, &format!("an object {}", QuotedText::whole(&class.tag)));
            }
        }
        if named == "RID" || named == "RID or null" {
            named = named.replace("RID", "an object");
        }
        let names_class = named != expected;
        (named, names_class)
    }

    /// The tag of the object that a reference at this byte is to.
    fn tag_at(&self, at: u64) -> Option<String> {
        let at = usize::try_from(at).ok()?;
        let (kind, id) = (self.bytes.get(at..at.checked_add(4)?)?, self.bytes.get(at.checked_add(4)?..)?);
        let id = u64::from_le_bytes(id.get(..8)?.try_into().ok()?);
        if kind != [23, 0, 0, 0] {
            return None;
        }
        let class = match self.checked {
            Some(_) => self.heads.get(index(Reference::of_document(id)?.class))?.class,
            None => Reference::of_checked(id).class,
        };
        self.table.class(class).map(|class| class.tag.clone())
    }

    /// The way from the value to the place of a refusal in a row.
    fn route(&self, refusal: &Rejection) -> Option<Path> {
        let checked = self.checked?;
        let (class, row, rest) = self.row(&refusal.path)?;
        let objects = checked.numbered(self.table);
        let mut edges = Vec::new();
        let mut judge = Judge::new(Skip, objects, &mut edges);
        Walker::new().decode(self.bytes, self.rules, &mut judge).ok()?;
        let to = objects.number(Reference { class, row })?;
        let mut path = Vec::new();
        for edge in graph::route(&edges, checked.objects(), to, MOST_STEPS)? {
            let at_value = self.stopped(&|stands_at, _| stands_at >= edge.at)?;
            path.extend(self.within(at_value.path()));
        }
        path.extend(rest);
        Some(Path(path))
    }

    /// The steps of a place in a row or in the value, from there.
    fn within(&self, path: &Path) -> Vec<Step> {
        match self.row(path) {
            Some((.., rest)) => rest,
            None => path.0.get(1..).unwrap_or_default().to_vec(),
        }
    }

    /// The class and row that a path is in, and the steps in it.
    fn row(&self, path: &Path) -> Option<(u32, u32, Vec<Step>)> {
        let [Step::Index(1), Step::Index(class), Step::Index(3), Step::Index(row), rest @ ..] = &path.0[..]
        else {
            return None;
        };
        let head = self.heads.get(usize::try_from(*class).ok()?)?;
        let mut rest = rest.to_vec();
        if let Some(first) = rest.first_mut().filter(|_| head.version > 0)
            && let Step::Index(column) = *first
            && let Some(column) = usize::try_from(column).ok().and_then(|at| head.columns.get(at))
        {
            *first = Step::Key(column.name.clone());
        }
        Some((u32::try_from(*class).ok()?, u32::try_from(*row).ok()?, rest))
    }

    /// A place in the document as people say it: `hero[0].hp`, `classes[1]`, and places in the value as they are.
    fn path(&self, path: &Path) -> Path {
        if let Some((class, row, rest)) = self.row(path) {
            let head = self.heads.get(index(class));
            let tag = head.and_then(|head| self.table.class(head.class)).map_or("", |class| &class.tag);
            let mut steps = vec![Step::Key(tag.to_owned()), Step::Index(u64::from(row))];
            steps.extend(rest);
            return Path(steps);
        }
        let named = |name: &str, rest: &[Step]| {
            Path(std::iter::once(Step::Key(name.to_owned())).chain(rest.first().cloned()).collect())
        };
        match path.0.split_first() {
            Some((Step::Index(1), rest)) => named("classes", rest),
            Some((Step::Index(2), rest)) => Path(rest.to_vec()),
            Some((Step::Index(3), rest)) => named("containers", rest),
            _ => Path::default(),
        }
    }

    /// A place in the head of a class: the class, or the row that is of no right form.
    fn path_of_head(&self, path: &Path) -> Path {
        let is_row = path.0.len() == 4;
        if is_row { self.path(path) } else { self.path(&Path(path.0.iter().take(2).cloned().collect())) }
    }

    /// The byte at which a row begins.
    fn offset(&self, row: &Path) -> u64 {
        let Some((Step::Index(class), Step::Index(row))) = row.0.get(1).zip(row.0.get(3)) else { return 0 };
        let there = (*class, *row);
        let is_there = |_, part| matches!(part, DocumentPart::Row(class, row) if (u64::from(class), u64::from(row)) == there);
        self.stopped(&is_there).map_or(0, |error| error.offset())
    }

    /// Names the byte and the path of the first value that this accepts, as an error.
    fn stopped(&self, is_there: &dyn Fn(u64, DocumentPart) -> bool) -> Option<Error> {
        let mut sink = StopAt { place: crate::place::DocumentPlace::START, is_there };
        Walker::new().visit(self.bytes, self.rules, &mut sink).err()
    }
}

/// The String or StringName that begins here.
fn text_at(bytes: &[u8]) -> Option<&str> {
    let (words, rest) = bytes.split_first_chunk::<8>()?;
    let [ty, 0, 0, 0, length @ ..] = *words else { return None };
    let length = usize::try_from(u32::from_le_bytes(length)).ok()?;
    if ty == 4 || ty == 21 { std::str::from_utf8(rest.get(..length)?).ok() } else { None }
}

/// Ends a walk at a value, by its byte and its place in the document; the walker then names the byte and the path of it.
struct StopAt<'f> {
    place: crate::place::DocumentPlace,
    is_there: &'f dyn Fn(u64, DocumentPart) -> bool,
}

impl StopAt<'_> {
    fn look(&self, at: u64) -> Result<(), Refusal> {
        if (self.is_there)(at, self.place.part()) { Err(ErrorKind::Refused) } else { Ok(()) }
    }
}

impl Sink for StopAt<'_> {
    type Output = ();
    type Frame = ();

    fn leaf(&mut self, at: u64, _: Leaf<'_>) -> Result<(), Refusal> {
        let looked = self.look(at);
        self.place.advance();
        looked
    }

    fn open(&mut self, at: u64, _: Container<'_>, _: usize) -> Result<(), Refusal> {
        let looked = self.look(at);
        self.place.open();
        looked
    }

    fn close(&mut self, (): ()) -> Result<(), Refusal> {
        self.place.close();
        Ok(())
    }
}
