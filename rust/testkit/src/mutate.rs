//! Makes millions of broken inputs from good ones: fast, and the same ones for the same seed. It judges
//! nothing; the properties do. It knows only as much of the format as it needs to break inputs where they are
//! sensitive.

mod in_place;
mod random;

pub use random::Random;

pub use in_place::CHANGES as IN_PLACE_CHANGES;
use in_place::EDGES;

/// Lists the containers that a wrapping may use: the header, and how many values an entry has.
const WRAPPERS: [(u32, usize); 6] =
    [(28, 1), (27, 2), (0x1_001C, 1), (0x1_001B, 2), (0x5_001B, 2), (0x4_001B, 2)];

/// Lists the containers for a wrapping in Godot 3, where nothing is typed.
const WRAPPERS_OF_GODOT_3: [(u32, usize); 2] = [(19, 1), (18, 2)];

/// The size limit of an input: they stay small, so that many are tried.
const MAX_LENGTH: usize = 4096;

/// Lists every change that alters the length.
pub const RESHAPINGS: [fn(&mut Mutator, &mut Vec<u8>); 7] = [
    Mutator::truncate,
    Mutator::remove,
    Mutator::insert,
    Mutator::repeat,
    Mutator::splice,
    Mutator::wrap,
    Mutator::append,
];

/// Makes broken inputs from good ones.
#[derive(Clone, Debug)]
pub struct Mutator {
    random: Random,
    /// The blobs to break.
    ///
    /// INVARIANT: not empty.
    seeds: Vec<Vec<u8>>,
    wrappers: &'static [(u32, usize)],
}

impl Mutator {
    /// Breaks these blobs, or a nil when there are none.
    #[must_use]
    pub fn new(seed: u64, mut seeds: Vec<Vec<u8>>) -> Mutator {
        if seeds.is_empty() {
            seeds.push(vec![0; 4]);
        }
        Mutator { random: Random::new(seed), seeds, wrappers: &WRAPPERS }
    }

    /// Wraps seeds of Godot 3 into the containers of Godot 3.
    #[must_use]
    pub const fn of_godot_3(mut self) -> Mutator {
        self.wrappers = &WRAPPERS_OF_GODOT_3;
        self
    }

    /// Makes the next input, in a buffer that may be used again: a seed with 1 to 4 changes, or now and then
    /// mere noise.
    pub fn fill(&mut self, input: &mut Vec<u8>) {
        input.clear();
        if self.random.below(64) == 0 {
            self.noise(input);
            return;
        }
        let seed = self.random.below(self.seeds.len());
        input.extend_from_slice(&self.seeds[seed]);
        for _ in 0..self.random.pick(&[1, 1, 1, 2, 2, 3, 4]) {
            self.change(input);
        }
        input.truncate(MAX_LENGTH);
    }

    /// Makes one change.
    pub fn change(&mut self, input: &mut Vec<u8>) {
        if self.random.below(5) < 3 {
            in_place::change(&mut self.random, input);
        } else {
            let reshape = self.random.pick(&RESHAPINGS);
            reshape(self, input);
        }
    }

    /// Returns a number below `end`, for choices beside the input.
    pub fn below(&mut self, end: usize) -> usize {
        self.random.below(end)
    }

    /// Appends the header of a known type and then random bytes.
    fn noise(&mut self, input: &mut Vec<u8>) {
        input.extend([self.random.byte() % 40, 0, self.random.byte() & 15, 0]);
        let length = self.random.below(64);
        input.extend((0..length).map(|_| self.random.byte()));
    }

    fn truncate(&mut self, input: &mut Vec<u8>) {
        let length = self.random.below(input.len() + 1);
        input.truncate(length);
    }

    fn remove(&mut self, input: &mut Vec<u8>) {
        let from = self.random.below(input.len());
        let to = (from + self.length_of_a_piece()).min(input.len());
        input.drain(from..to);
    }

    fn insert(&mut self, input: &mut Vec<u8>) {
        let at = self.random.below(input.len() + 1) & !3;
        let word = self.random.pick(&EDGES).to_le_bytes();
        let count = self.random.pick(&[1, 2, 3, 4, 4, 4]);
        input.splice(at..at, word.into_iter().take(count));
    }

    /// Repeats a piece, so that entries come twice.
    fn repeat(&mut self, input: &mut Vec<u8>) {
        let from = self.random.below(input.len()) & !3;
        let to = (from + self.length_of_a_piece()).min(input.len());
        let piece = input[from..to].to_vec();
        input.splice(from..from, piece);
    }

    /// Joins the beginning of this blob and the end of another.
    fn splice(&mut self, input: &mut Vec<u8>) {
        let other = self.random.below(self.seeds.len());
        let keep = self.random.below(input.len() + 1) & !3;
        let from = self.random.below(self.seeds[other].len() + 1) & !3;
        input.truncate(keep);
        input.extend_from_slice(&self.seeds[other][from..]);
    }

    /// Wraps this blob and others as the entries of a container, so that keys collide with keys, and types
    /// with declarations.
    fn wrap(&mut self, input: &mut Vec<u8>) {
        let (header, values) = self.random.pick(self.wrappers);
        let entries = 1 + self.random.below(3);
        let mut head = header.to_le_bytes().to_vec();
        for _ in 0..(header >> 16 & 3) + (header >> 18 & 3) {
            head.extend([self.random.byte() % 40, 0, 0, 0]);
        }
        head.extend(u32::try_from(entries).unwrap_or(0).to_le_bytes());
        input.splice(0..0, head);
        for _ in 1..entries * values {
            let small =
                (0..4).map(|_| self.random.below(self.seeds.len())).find(|at| self.seeds[*at].len() < 64);
            input.extend_from_slice(small.map_or(&[0; 4], |at| &self.seeds[at]));
        }
    }

    fn append(&mut self, input: &mut Vec<u8>) {
        let count = 1 + self.random.below(8);
        input.extend((0..count).map(|_| self.random.byte() & self.random.byte()));
    }

    /// Returns a length of a few words, seldom more.
    fn length_of_a_piece(&mut self) -> usize {
        let words = 4 * (1 + self.random.below(8));
        words - if self.random.below(4) == 0 { self.random.below(4) } else { 0 }
    }
}
