//! Drives `load`, `save`, `save_auto`, `recover`, `list`, `move_to` and `remove` at random over a disk that fails, lies, rots and loses
//! power. After any sequence, each state that was acknowledged and not replaced by a newer acknowledged one that loads is on
//! the disk under some name, or the call said no.
//!
//! `VARIANT_LONG=1` runs 10 000 000 sequences, and `VARIANT_SEQUENCES` as many as it says.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::tests::test_disk::{TestDisk, Trouble};
use crate::{
    Compression, Draft, Head, Kind, OpenOptions, PlaceError, PlacePlan, Placing, Protection, Refusal,
    SaveFault, SaveId, SaveKeys, Search, Standing, choose, judge, move_to, open, recover, remove, ring,
    save_of_side_file, write,
};

const MOST_BYTES: u64 = 1 << 16;
/// The games that share a disk: versions of one game, and one with a key.
const GAMES: [Game; 3] = [
    Game { version: 1, is_keyed: false, backups: 1, refuses: 5 },
    Game { version: 2, is_keyed: false, backups: 2, refuses: 7 },
    Game { version: 2, is_keyed: true, backups: 0, refuses: 11 },
];

#[derive(Clone, Copy, PartialEq, Eq)]
struct Game {
    version: u32,
    is_keyed: bool,
    backups: u32,
    /// The schema refuses states whose number this divides, of other games of its version.
    refuses: u64,
}

struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// A state that a call answered OK for.
#[derive(Clone)]
struct State {
    bytes: Rc<Vec<u8>>,
    number: u64,
    game: Game,
}

/// The header of a file and the number of its state, or why it does not open.
type Outcome = Result<(Head, u64), Kind>;

/// Opens files, and remembers the outcome: most files are opened many times.
struct Opener {
    key: SaveKeys,
    known: HashMap<(Vec<u8>, bool), Outcome>,
}

impl Opener {
    fn open(&mut self, bytes: &[u8], is_keyed: bool) -> Outcome {
        let Opener { key, known } = self;
        if known.len() > 4000 {
            known.clear();
        }
        let of_new = || {
            let opening = OpenOptions { keys: is_keyed.then_some(key), ..OpenOptions::default() };
            let opened = open(bytes, &opening).map_err(|fault| fault.kind)?;
            let number = u64::from_le_bytes(opened.payload[4..12].try_into().unwrap());
            Ok((opened.head, number))
        };
        known.entry((bytes.to_vec(), is_keyed)).or_insert_with(of_new).clone()
    }

    /// Judges a file as a game does.
    fn judge(&mut self, game: Game, bytes: &[u8]) -> Result<(Standing, u64), (SaveFault, Refusal)> {
        let refused = |kind: Kind| (SaveFault::new(kind, 0, "model"), Refusal::from(kind));
        let (head, number) = self.open(bytes, game.is_keyed).map_err(refused)?;
        if head.version > game.version {
            return Err(refused(Kind::Newer));
        }
        if head.version == game.version && number.is_multiple_of(game.refuses) {
            return Err(refused(Kind::TooLarge));
        }
        let keeps_as = (head.version < game.version).then(|| format!("v{}", head.version));
        Ok((Standing { head: Some(head), keeps_as }, number))
    }
}

/// The answer of a save.
enum Answer {
    Done(State),
    /// The file was made, and the call or the process failed.
    Failed(State),
    Locked,
    No,
}

struct Model {
    random: Random,
    disk: Rc<TestDisk>,
    opener: Rc<RefCell<Opener>>,
    /// A save that failed at last: where the process died before it could answer, the file may be there.
    cut_off: Option<(PathBuf, State)>,
    /// A move that failed, from one slot to another: some of the files may have their new names.
    half_moved: Option<(PathBuf, PathBuf)>,
    /// The states of each slot that still count, the newest last.
    states: HashMap<PathBuf, Vec<State>>,
    saved: u64,
}

const SLOT: &str = "slot.save";
const OTHER: &str = "other.save";
const FOLDER: &str = "auto";

impl Model {
    fn new(seed: u64, opener: &Rc<RefCell<Opener>>) -> Model {
        Model {
            random: Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1)),
            disk: Rc::default(),
            opener: Rc::clone(opener),
            cut_off: None,
            half_moved: None,
            states: HashMap::new(),
            saved: 0,
        }
    }

    fn game(&mut self) -> Game {
        GAMES[[0, 0, 1, 1, 1, 2][self.random.below(6) as usize]]
    }

    /// Writes a file. The schema of today refuses a few of them.
    fn written(&mut self, game: Game, parent: Option<&Head>) -> State {
        self.saved += 1;
        while self.saved.is_multiple_of(game.refuses) && self.random.below(8) != 0 {
            self.saved += 1;
        }
        let number = self.saved;
        let payload = [&27_u32.to_le_bytes()[..], &number.to_le_bytes()].concat();
        let opener = self.opener.borrow();
        let protection = if game.is_keyed { Protection::Keyed(&opener.key) } else { Protection::None };
        let draft = Draft {
            version: game.version,
            id: Some(SaveId(number.into())),
            time_ms: self.random.below(1000) as i64,
            parent,
            protection,
            // Another test packs; here it would take most of the time.
            compression: Compression::None,
            ..Draft::new(&payload)
        };
        State { bytes: Rc::new(write(&draft).unwrap()), number, game }
    }

    fn plan(&mut self, game: Game) -> PlacePlan<'static> {
        PlacePlan {
            backups: game.backups,
            backup_interval_ms: [0, 300][self.random.below(2) as usize],
            most_file_bytes: MOST_BYTES,
            ..PlacePlan::default()
        }
    }

    /// Saves under a name; `others` are the files of its ring.
    fn save_to(&mut self, game: Game, path: &Path, others: Option<(&[PathBuf], Option<&Head>)>) -> Answer {
        let plan = self.plan(game);
        let plan = match others {
            Some((others, _)) => PlacePlan { backups: 0, others: Some(others), ..plan },
            None => plan,
        };
        let (disk, opener) = (Rc::clone(&self.disk), Rc::clone(&self.opener));
        let judged =
            |_: &Path, bytes: Vec<u8>| opener.borrow_mut().judge(game, &bytes).map(|(standing, _)| standing);
        let placing = match Placing::begin(&*disk, path, &plan, judged) {
            Ok(placing) => placing,
            Err(PlaceError::Locked(..)) => return Answer::Locked,
            Err(_) => return Answer::No,
        };
        let parent = others.map_or(placing.parent().cloned(), |(_, newest)| newest.cloned());
        let new = self.written(game, parent.as_ref());
        match placing.finish(&new.bytes) {
            Ok(_) if !self.disk.is_dead() => Answer::Done(new),
            _ => Answer::Failed(new),
        }
    }

    /// Notes the answer of a save, which may also have been cut off.
    fn note(&mut self, slot: &str, answer: Answer) {
        match answer {
            Answer::Done(new) => self.acknowledge(Path::new(slot), new),
            Answer::Failed(new) => self.cut_off = Some((PathBuf::from(slot), new)),
            Answer::Locked | Answer::No => {}
        }
    }

    /// Marks a state as acknowledged: those that it replaces count no more.
    fn acknowledge(&mut self, slot: &Path, new: State) {
        let states = self.states.entry(slot.to_owned()).or_default();
        states.retain(|old| !replaces(&new, old));
        states.push(new);
    }

    fn save(&mut self) {
        let game = self.game();
        let answer = self.save_to(game, Path::new(SLOT), None);
        self.note(SLOT, answer);
    }

    fn save_auto(&mut self) {
        let game = self.game();
        let found = ring(&*self.disk, Path::new(FOLDER), "auto", 3);
        for path in &found.files {
            match self.save_to(game, path, Some((&found.files, found.newest.as_ref()))) {
                Answer::Locked => {}
                answer => return self.note(FOLDER, answer),
            }
        }
    }

    /// Loads, and holds the answer to what is there.
    fn load(&mut self, has_trouble: bool) {
        let game = self.game();
        let current = self.disk.get(Path::new(SLOT));
        let search = Search { backups: game.backups, most_file_bytes: MOST_BYTES, passes_refused: false };
        let judge = |bytes: &[u8]| self.opener.borrow_mut().judge(game, bytes);
        let chosen = choose(&*self.disk, Path::new(SLOT), &search, |_, bytes| judge(&bytes));
        let judged = current.as_ref().map(|bytes| judge(bytes));
        match (chosen, judged) {
            (Ok(_), Some(Err((fault, refusal)))) if !has_trouble && refusal != Refusal::Damage => {
                panic!("a file that is refused is passed over: {fault}, {refusal:?}")
            }
            (Ok(chosen), Some(Ok((_, number)))) if !has_trouble => {
                assert!(chosen.passed.is_empty() && chosen.value.1 == number, "another state is loaded");
            }
            (Ok(chosen), _) if chosen.path != Path::new(SLOT) => {
                assert!(current.is_none() || !chosen.passed.is_empty(), "a backup is loaded in silence");
            }
            _ => {}
        }
    }

    fn recover(&mut self) {
        let names = self.disk.names();
        let _ = judge(&*self.disk, Path::new(SLOT), MOST_BYTES, |_, bytes| {
            recover(&bytes, &OpenOptions::default()).map_err(|fault| (fault.clone(), fault.kind.into()))
        });
        assert_eq!(self.disk.names(), names, "recover() changed something");
    }

    /// Lists as a game does: each state that would be loaded has a name in it.
    fn list(&mut self) {
        let names = self.disk.names();
        let listed = names.iter().any(|name| {
            name == SLOT || save_of_side_file(name).is_some_and(|(save, is_backup)| is_backup && save == SLOT)
        });
        let search = Search { backups: 2, most_file_bytes: MOST_BYTES, passes_refused: false };
        let judge = |bytes: &[u8]| self.opener.borrow_mut().judge(GAMES[1], bytes);
        let chosen = choose(&*self.disk, Path::new(SLOT), &search, |_, bytes| judge(&bytes));
        assert!(chosen.is_err() || listed, "what loads is not listed");
    }

    fn remove(&mut self) {
        let before = self.disk.files.borrow().clone();
        if remove(&*self.disk, Path::new(SLOT)).is_ok() || *self.disk.files.borrow() != before {
            self.states.remove(Path::new(SLOT));
        }
    }

    /// Moves the save of the slot to another name, or back.
    fn move_to(&mut self) {
        let mut names = [Path::new(SLOT), Path::new(OTHER)];
        if self.random.below(2) == 0 {
            names.reverse();
        }
        let [from, to] = names;
        // Nobody hears the answer of a process that is dead: a power cut may leave the save under both names.
        if move_to(&*self.disk, from, to).is_ok() && !self.disk.is_dead() {
            let moved = self.states.remove(from).unwrap_or_default();
            self.states.entry(to.to_owned()).or_default().extend(moved);
        } else {
            self.half_moved = Some((from.to_owned(), to.to_owned()));
        }
    }

    /// Counts what a failed move took from its slot where it stands now.
    fn settle_move(&mut self) {
        let Some((from, to)) = self.half_moved.take() else { return };
        let states = self.states.remove(&from).unwrap_or_default();
        let (stay, moved) = states.into_iter().partition(|state| is_kept_by(&self.disk, &from, state));
        self.states.insert(from, stay);
        self.states.entry(to).or_default().extend::<Vec<State>>(moved);
    }

    /// Lets a file rot: what it held counts only where another copy is left.
    fn rot(&mut self) {
        let names = self.disk.names();
        if names.is_empty() {
            return;
        }
        let path = PathBuf::from(&names[self.random.below(names.len() as u64) as usize]);
        let mut bytes = self.disk.get(&path).unwrap().to_vec();
        let at = self.random.below(bytes.len().max(1) as u64) as usize;
        match self.random.below(4) {
            0 => bytes.truncate(at),
            1 => bytes.fill(0),
            _ if bytes.is_empty() => {}
            _ => bytes[at] ^= 1 << self.random.below(8),
        }
        self.disk.put(&path, bytes);
        // A copy under another slot's name, as a move leaves it that failed half-way, goes when that slot is removed.
        for (slot, states) in &mut self.states {
            states.retain(|state| is_kept_by(&self.disk, slot, state));
        }
    }

    fn step(&mut self) {
        let trouble = match self.random.below(6) {
            0 => Some([Trouble::Fails, Trouble::Kills, Trouble::Lies][self.random.below(3) as usize]),
            _ => None,
        };
        if let Some(trouble) = trouble {
            self.disk.trouble_at(self.random.below(20) as u32, trouble);
        }
        match self.random.below(16) {
            0..=5 => self.save(),
            6..=8 => self.save_auto(),
            9 | 10 => self.load(trouble.is_some()),
            11 => self.recover(),
            12 if trouble.is_none() => self.list(),
            13 if self.random.below(4) == 0 => self.remove(),
            14 => self.rot(),
            15 => self.move_to(),
            _ => {}
        }
        self.disk.mend();
        if self.random.below(4) == 0 {
            let stays = self.random.below(1 << 31) | self.random.below(1 << 31) << 31;
            self.disk.cut_power(stays);
        } else {
            self.disk.flush();
        }
        self.settle_move();
        if let Some((slot, new)) = self.cut_off.take()
            && trouble == Some(Trouble::Kills)
            && has_its_name(&self.disk, &slot, &new)
        {
            self.acknowledge(&slot, new);
        }
        self.check();
    }

    fn check(&self) {
        for (slot, states) in &self.states {
            for state in states {
                assert!(
                    is_there(&self.disk, state),
                    "{}: state {} of version {} is lost; there are {:?}",
                    slot.display(),
                    state.number,
                    state.game.version,
                    self.disk.names()
                );
            }
        }
    }
}

fn is_there(disk: &TestDisk, state: &State) -> bool {
    disk.files.borrow().values().any(|file| *file == state.bytes)
}

/// Whether a state is replaced by a newer one that loads, in the game that wrote it.
fn replaces(new: &State, old: &State) -> bool {
    let is_taken = old.game.version < new.game.version || !old.number.is_multiple_of(new.game.refuses);
    // What is keyed and not encrypted loads without a key, too.
    let is_opened = old.game.is_keyed || !new.game.is_keyed;
    old.game.version <= new.game.version && is_opened && is_taken
}

/// Whether a state stands under a name of its slot, be it of a backup or of what is put aside.
fn is_kept_by(disk: &TestDisk, slot: &Path, state: &State) -> bool {
    let is_of_slot = |path: &Path| {
        let save = path.to_str().and_then(save_of_side_file).map_or(path, |(save, _)| Path::new(save));
        save == slot || save.parent() == Some(slot)
    };
    disk.files.borrow().iter().any(|(path, file)| is_of_slot(path) && *file == state.bytes)
}

/// Whether a state stands where a load of its slot would find it.
fn has_its_name(disk: &TestDisk, slot: &Path, state: &State) -> bool {
    let is_name = |path: &Path| {
        path == slot || path.parent() == Some(slot) && path.extension().is_some_and(|it| it == "save")
    };
    disk.files.borrow().iter().any(|(path, file)| is_name(path) && *file == state.bytes)
}

/// Sequences behind the first 100 000 that were red once.
const FOUND: [u64; 2] = [306_396, 396_146];

#[test]
fn nothing_acknowledged_is_lost() {
    let sequences = match std::env::var("VARIANT_SEQUENCES").ok().and_then(|count| count.parse().ok()) {
        Some(count) => count,
        None if std::env::var_os("VARIANT_LONG").is_some() => 10_000_000,
        None => 100_000_u64,
    };
    let opener = Rc::new(RefCell::new(Opener { key: SaveKeys::key([7; 32]), known: HashMap::new() }));
    let mut counts = [0_usize; 2];
    for seed in (0..sequences).chain(FOUND) {
        let mut model = Model::new(seed, &opener);
        for step in 0..16 {
            let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| model.step()));
            assert!(run.is_ok(), "sequence {seed}, step {step}");
        }
        counts[0] += model.states.values().map(Vec::len).sum::<usize>();
        counts[1] += model.disk.names().len();
    }
    assert!(counts[0] > sequences as usize && counts[1] > counts[0], "the sequences do little: {counts:?}");
}
