//! Chains: counts the steps that the engine's table of all StringNames will take for the names that come. It keeps no
//! text.
//!
//! That table has 65 536 places, never grows, and has no secret: names that are made for one place form a chain, which
//! is searched from its newest end for every further one. So the chains are built beforehand, with hashes alone, and
//! every step along them counts against `max_key_probes` for each name. The search stops at the first step too many, so
//! its own time is bounded by what it refuses. Names that the game holds already are not known here.

use std::hash::{BuildHasher, RandomState};

use super::scratch::let_go;
use crate::cursor::length;
use crate::fault::ErrorKind;
use crate::token::Text;
use crate::wire::hash;

/// Places of the engine's table (string_name.h of 4.6.3). The low bits of the hash say which.
const PLACES: usize = 1 << 16;
const PLACE: u32 = 0xFFFF;
/// Heads of chains that there are at least.
const FEWEST: usize = 64;
/// The price of a step along a chain: about 16 ns in the engine, for each name lies somewhere else in memory.
const FAR: u64 = 8;
/// Steps that every walk may take besides those of its names.
const FREE: u64 = 1024;
/// Bytes of names of one hash that cost as much to compare as a step.
const COMPARED: u64 = 16;

/// The hashes and the length of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    /// The engine's hash.
    pub(super) hash: u32,
    /// Our hash, with a secret: two names of one fingerprint are one name.
    fingerprint: u64,
    bytes: u64,
}

impl Name {
    pub(crate) const EMPTY: Name = Name { hash: 0, fingerprint: 0, bytes: 0 };

    pub(crate) const fn is_empty(&self) -> bool {
        self.bytes == 0
    }
}

/// Holds the counts up to some moment.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    names: u64,
    steps: u64,
    /// Steps that comparing each name once takes: what finding a long one again costs.
    free: u64,
    /// The most steps that finding a name again can take.
    farthest: u64,
}

/// The counts of some moment, and the size of the table then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Snapshot {
    heads: usize,
    links: usize,
    counts: Counts,
}

/// A name in its chain. Its fingerprint lies elsewhere: hardly any is looked at, and what is walked at random is to lie near.
#[derive(Clone, Copy, Debug)]
struct Link {
    hash: u32,
    /// Number of the next older link, from 1; 0 at the end.
    older: u32,
}

#[derive(Debug)]
pub(crate) struct Chains {
    /// Number of the newest link of each chain, from 1. There are never more than names, so that a walk of few names
    /// clears little; several places may share a chain until there are as many heads as places.
    heads: Vec<u32>,
    links: Vec<Link>,
    /// The fingerprints, in the order of the links.
    fingerprints: Vec<u64>,
    counts: Counts,
    /// A secret of this process: nobody outside can make two names that are taken for one.
    secret: [u64; 2],
}

impl Default for Chains {
    fn default() -> Chains {
        let state = RandomState::new();
        let secret = [state.hash_one(0), state.hash_one(1) | 1];
        let (heads, links, fingerprints) = (Vec::new(), Vec::new(), Vec::new());
        Chains { heads, links, fingerprints, counts: Counts::default(), secret }
    }
}

impl Chains {
    pub(crate) fn let_go(&mut self) {
        self.clear();
        let_go(&mut self.heads);
        let_go(&mut self.links);
        self.fingerprints = Vec::new();
    }

    pub(crate) fn clear(&mut self) {
        self.heads.clear();
        self.links.clear();
        self.fingerprints.clear();
        self.counts = Counts::default();
    }

    #[inline]
    pub(crate) const fn mark(&self) -> Snapshot {
        Snapshot { heads: self.heads.len(), links: self.links.len(), counts: self.counts }
    }

    /// Forgets the names since then.
    #[cold]
    pub(crate) fn go_back(&mut self, to: Snapshot) {
        while self.links.len() > to.links
            && let Some(link) = self.links.pop()
        {
            // It is the newest of its chain.
            let head = self.head(link.hash);
            if let Some(head) = self.heads.get_mut(head) {
                *head = link.older;
            }
        }
        self.fingerprints.truncate(to.links);
        if self.heads.len() != to.heads {
            self.spread(to.heads);
        }
        self.counts = to.counts;
    }

    /// Tells whether names that came before may come again uncounted: each costs less than it is allowed.
    pub(crate) const fn are_near(&self, limit: u64) -> bool {
        self.counts.farthest <= limit
    }

    pub(crate) fn name(&self, text: &Text<'_>) -> Name {
        let bytes = text.as_bytes();
        let hash = if text.is_ascii() { hash::ascii(bytes) } else { hash::text(text.as_str()) };
        Name { hash, fingerprint: fingerprint(self.secret, bytes), bytes: length(bytes) }
    }

    /// Hashes a text that goes on with a separator and another text, of so many characters. The fingerprint differs from
    /// that of the same text joined of other parts.
    pub(crate) fn joined(&self, name: Name, separator: u8, other: Name, characters: usize) -> Name {
        let begun = hash::more_ascii(name.hash, &[separator]);
        let hash = hash::joined(begun, other.hash, characters);
        let fingerprint = fold(name.fingerprint ^ other.fingerprint, self.secret);
        Name { hash, fingerprint, bytes: name.bytes.saturating_add(other.bytes).saturating_add(1) }
    }

    /// Goes along the name's chain as far as the engine does: to the name, or to the end, where it is new.
    pub(crate) fn find(&mut self, name: Name, limit: u64) -> Result<(), ErrorKind> {
        self.counts.names = self.counts.names.saturating_add(1);
        let compared = name.bytes.checked_div(COMPARED).unwrap_or(0);
        self.counts.free = self.counts.free.saturating_add(compared);
        let allowed =
            limit.saturating_mul(self.counts.names).saturating_add(self.counts.free).saturating_add(FREE);
        if self.links.len() >= self.heads.len() && self.heads.len() < PLACES {
            self.grow();
        }
        let head = self.head(name.hash);
        let before = self.counts.steps;
        let mut next = self.heads.get(head).copied().unwrap_or(0);
        while let Some(link) = self.link(next) {
            let step = match link.hash {
                hash if hash == name.hash => FAR.saturating_add(compared),
                hash if hash & PLACE == name.hash & PLACE => FAR,
                _ => 1,
            };
            self.counts.steps = self.counts.steps.saturating_add(step);
            if self.counts.steps > allowed {
                return Err(ErrorKind::TooManyProbes { limit });
            }
            if link.hash == name.hash && self.fingerprint(next) == Some(name.fingerprint) {
                return Ok(());
            }
            next = link.older;
        }
        let here = self.counts.steps.saturating_sub(before).saturating_add(FAR).saturating_add(compared);
        self.counts.farthest = self.counts.farthest.max(here);
        self.links.push(Link { hash: name.hash, older: 0 });
        self.fingerprints.push(name.fingerprint);
        self.attach(self.links.len());
        Ok(())
    }

    /// Returns the link of this number.
    #[inline]
    fn link(&self, number: u32) -> Option<Link> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        self.links.get(at).copied()
    }

    #[inline]
    fn fingerprint(&self, number: u32) -> Option<u64> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        self.fingerprints.get(at).copied()
    }

    /// Makes the link of this number the newest of its chain.
    fn attach(&mut self, number: usize) {
        let at = number.saturating_sub(1);
        let head = self.links.get(at).map_or(0, |link| self.head(link.hash));
        if let (Some(link), Some(head), Ok(number)) =
            (self.links.get_mut(at), self.heads.get_mut(head), u32::try_from(number))
        {
            link.older = std::mem::replace(head, number);
        }
    }

    /// Doubles the heads, and chains all links anew, the oldest first.
    fn grow(&mut self) {
        self.spread(self.heads.len().saturating_mul(2).clamp(FEWEST, PLACES));
    }

    /// Chains all links anew, by so many heads.
    fn spread(&mut self, heads: usize) {
        self.heads.clear();
        self.heads.resize(heads, 0);
        for number in 1..=self.links.len() {
            self.attach(number);
        }
    }

    /// Returns the chain that a hash belongs to. Its place in the engine's table is mixed, since the low bits of the
    /// engine's hash of similar texts are similar.
    #[inline]
    fn head(&self, hash: u32) -> usize {
        let mixed = (hash & PLACE).wrapping_mul(0x9E37_79B1) >> 16;
        usize::try_from(mixed).unwrap_or(0) & self.heads.len().wrapping_sub(1)
    }
}

fn fingerprint(secret: [u64; 2], text: &[u8]) -> u64 {
    let (words, _) = text.as_chunks::<8>();
    let of_words =
        words.iter().fold(secret[0], |so_far, word| fold(so_far ^ u64::from_le_bytes(*word), secret));
    // Some of the bytes may come twice: with the length no two texts have the same words.
    let last = match (text.last_chunk::<8>(), text.first_chunk::<4>(), text.last_chunk::<4>()) {
        (Some(last), ..) => u64::from_le_bytes(*last),
        (None, Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
        }
        _ => text.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    fold(fold(of_words ^ last, secret) ^ length(text), secret)
}

/// Joins both halves of a product with a secret factor: no bit of the result depends on one bit of the input alone.
#[inline]
fn fold(number: u64, secret: [u64; 2]) -> u64 {
    let product = u128::from(number).wrapping_mul(u128::from(secret[1]));
    let half = |number: u128| u64::try_from(number & u128::from(u64::MAX)).unwrap_or(0);
    half(product) ^ half(product >> 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Chains {
        pub(crate) fn holds(&self, text: &str) -> bool {
            self.links.iter().any(|link| link.hash == hash::text(text))
        }

        pub(crate) fn len(&self) -> usize {
            self.links.len()
        }

        /// Names that were looked for, and the steps of that.
        pub(crate) const fn spent(&self) -> (u64, u64) {
            (self.counts.names, self.counts.steps)
        }
    }

    const WIDE: u64 = u64::MAX - 1;

    fn steps_of(chains: &mut Chains, text: &str) -> u64 {
        let before = chains.counts.steps;
        chains.find(chains.name(&Text::new(text)), WIDE).unwrap();
        chains.counts.steps - before
    }

    /// The n-th text of two letter pairs, all of one length and one hash.
    fn of_one_hash(n: usize) -> String {
        (0..12).map(|bit| ["aB", "b!"][n >> bit & 1]).collect()
    }

    #[test]
    fn a_chain_is_searched_from_its_newest_end() {
        let mut chains = Chains::default();
        let step = FAR + 24 / COMPARED;
        for n in 0..200 {
            assert_eq!(steps_of(&mut chains, &of_one_hash(n)), step * n as u64, "{n} names are compared");
        }
        assert_eq!(steps_of(&mut chains, &of_one_hash(199)), step, "the newest");
        assert_eq!(steps_of(&mut chains, &of_one_hash(0)), step * 200, "the oldest");
        assert_eq!(chains.links.len(), 200);
    }

    #[test]
    fn names_of_one_place_cost_the_same_whatever_their_hashes() {
        let place = hash::text("x0") & PLACE;
        let texts = (0..).map(|n| format!("x{n}")).filter(|text| hash::text(text) & PLACE == place);
        let mut chains = Chains::default();
        // Others, so that places no longer share chains.
        for n in 0..PLACES {
            chains.find(chains.name(&Text::new(&format!("other {n}"))), WIDE).unwrap();
        }
        assert_eq!(chains.heads.len(), PLACES);
        let mut costs = texts.take(20).map(|text| steps_of(&mut chains, &text));
        let first = costs.next().unwrap();
        for (n, cost) in (1..).zip(costs) {
            assert_eq!(cost, first + FAR * n, "name {n}");
        }
    }

    #[test]
    fn a_name_that_comes_again_is_one_name() {
        let mut chains = Chains::default();
        for _ in 0..100 {
            chains.find(chains.name(&Text::new("hp")), 256).unwrap();
        }
        assert_eq!((chains.links.len(), chains.counts.names), (1, 100));
        assert_eq!(chains.counts.steps, 99 * FAR);
        chains.clear();
        assert_eq!(
            (chains.links.len(), chains.heads.len(), chains.counts.names, chains.counts.steps),
            (0, 0, 0, 0)
        );
    }

    /// With a known factor a name could be made for another's fingerprint; a bit that differs is never lost, though.
    #[test]
    fn fingerprints_tell_texts_apart() {
        let secret = Chains::default().secret;
        let texts = (0..4096).map(of_one_hash).chain((0..40).map(|n| "a".repeat(n)));
        let texts = texts.chain((100..1000).map(|n| n.to_string()));
        let found: std::collections::BTreeSet<u64> =
            texts.map(|text| fingerprint(secret, text.as_bytes())).collect();
        assert_eq!(found.len(), 4096 + 40 + 900);
    }

    #[test]
    fn ordinary_names_cost_little() {
        let mut chains = Chains::default();
        let steps: u64 = (0..1000).map(|n| steps_of(&mut chains, &format!("name {n}"))).sum();
        assert!((100..2000).contains(&steps), "{steps} steps");
    }

    /// The n-th name of a chain costs n - 1 steps, and the last step that is allowed may be taken.
    #[test]
    fn the_budget_is_spent_to_the_last_step() {
        let mut exact = 0;
        for limit in 85..95 {
            let mut chains = Chains::default();
            let allowed = |names: u64| names * limit + FREE;
            let spent = |names: u64| FAR * names * names.saturating_sub(1) / 2;
            let expected = (1..).find(|names| spent(*names) > allowed(*names)).unwrap();
            exact += usize::from((1..expected).any(|names| spent(names) == allowed(names)));
            // Short ones, so that comparing them costs nothing.
            let name = |n: usize| of_one_hash(n).split_off(12);
            let refused =
                (1..).find(|n| chains.find(chains.name(&Text::new(&name(n << 6))), limit).is_err()).unwrap();
            assert_eq!(refused as u64, expected, "limit {limit}");
        }
        assert!(exact > 0, "no limit was met exactly");
    }

    /// Texts of every length: each byte counts, wherever it stands.
    #[test]
    fn every_byte_of_a_name_counts() {
        let secret = Chains::default().secret;
        for length in 0..40 {
            let text = vec![b'a'; length];
            let mut found = std::collections::BTreeSet::from([fingerprint(secret, &text)]);
            for at in 0..length {
                for other in [b'b', b'c'] {
                    let mut text = text.clone();
                    text[at] = other;
                    found.insert(fingerprint(secret, &text));
                }
            }
            assert_eq!(found.len(), 1 + 2 * length, "{length} bytes");
        }
    }

    /// As if the names between had not come, whatever they did to the table.
    #[test]
    fn names_are_forgotten_without_a_trace() {
        let text = |n: usize| format!("name {n}");
        for (before, between) in [(0, 1), (3, 5), (60, 10), (63, 1), (64, 100), (100, 400)] {
            let (mut chains, mut twin) = (Chains { secret: [1, 3], ..Chains::default() }, Chains::default());
            twin.secret = chains.secret;
            for n in 0..before {
                assert_eq!(steps_of(&mut chains, &text(n)), steps_of(&mut twin, &text(n)));
            }
            let mark = chains.mark();
            for n in before / 2..before + between {
                chains.find(chains.name(&Text::new(&text(n))), WIDE).unwrap();
            }
            chains.go_back(mark);
            assert_eq!(format!("{chains:?}"), format!("{twin:?}"), "{before} before, {between} between");
        }
    }

    #[test]
    fn a_giants_memory_is_given_back() {
        let mut chains = Chains::default();
        for n in 0..PLACES {
            chains.find(chains.name(&Text::new(&n.to_string())), WIDE).unwrap();
        }
        assert!(chains.links.capacity() >= PLACES && chains.heads.capacity() >= PLACES);
        chains.let_go();
        let bytes = chains.links.capacity() * size_of::<Link>()
            + chains.fingerprints.capacity() * size_of::<u64>()
            + chains.heads.capacity() * size_of::<u32>();
        assert!(bytes <= 32 * 1024 && chains.counts.names == 0, "{bytes}");
    }
}
