//! Derives keys from passwords, and encrypts slices with them.
//!
//! A password costs Argon2id once in a session; the derived key is kept together with its salt. The cost of new files
//! is the choice of the game and never that of a file.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use zeroize::Zeroizing;

use crate::chunk::Chunk;
use crate::fault::{Kind, SaveFault};
use crate::head::Head;
use crate::slice::{SliceClaims, SlicePosition};

pub(crate) const SALT_BYTES: usize = 16;
pub(crate) const NONCE_BYTES: usize = 19;
const CHECK_BYTES: usize = 8;
/// The bytes that sealing adds to a slice.
#[cfg(feature = "encryption")]
pub(crate) const TAG_BYTES: usize = 16;
#[cfg(not(feature = "encryption"))]
pub(crate) const TAG_BYTES: usize = 0;

/// The largest cost of Argon2id that a file may set, whoever wrote it: a few times the default, which covers the second
/// choice of RFC 9106 (64 MiB, three passes). A game that asks for more itself also opens files that do.
const MOST_MEMORY_KIB: u32 = 64 << 10;
/// The largest product of memory in KiB and passes, which is what the time goes by.
const MOST_WORK: u64 = 192 << 10;
const MOST_LANES: u32 = 4;

/// Describes the cost of Argon2id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KdfCost {
    /// The memory in KiB.
    pub memory_kib: u32,
    /// The passes over that memory.
    pub passes: u32,
    /// The number of lanes.
    pub lanes: u32,
}

impl KdfCost {
    fn work(self) -> u64 {
        u64::from(self.memory_kib).saturating_mul(u64::from(self.passes))
    }

    /// Tells whether a file may cost as much in a game whose own saves cost `own`.
    fn is_allowed_beside(self, own: KdfCost) -> bool {
        self.memory_kib <= own.memory_kib.max(MOST_MEMORY_KIB)
            && self.work() <= own.work().max(MOST_WORK)
            && self.lanes <= own.lanes.max(MOST_LANES)
    }
}

impl Default for KdfCost {
    /// Returns the setting that OWASP names first: 19 MiB, two passes.
    fn default() -> KdfCost {
        KdfCost { memory_kib: 19 << 10, passes: 2, lanes: 1 }
    }
}

pub(crate) type Bytes32 = Zeroizing<[u8; 32]>;

enum Secret {
    Password(Zeroizing<String>),
    Key(Bytes32),
}

/// Describes how a key was derived from a password. All fields are zero for a key that was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Recipe {
    cost: Option<KdfCost>,
    salt: [u8; SALT_BYTES],
}

/// Holds a password or a key of 32 bytes. Use the same `SaveKeys` for all saves: the work for a password is then
/// done once.
pub struct SaveKeys {
    secret: Secret,
    cost: KdfCost,
    /// The key of new files. It has the game's own cost and a salt that was made here, or that of a file of this password.
    own: Mutex<Option<Made>>,
    /// The key of the last file that this password opened.
    opened: Mutex<Option<Made>>,
}

type Made = (Recipe, Bytes32);

fn lock(made: &Mutex<Option<Made>>) -> MutexGuard<'_, Option<Made>> {
    // A thread that panicked while it held the lock left a complete pair or none.
    made.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SaveKeys {
    /// Uses a password.
    #[must_use]
    pub fn password(password: &str) -> SaveKeys {
        SaveKeys::password_at(password, KdfCost::default())
    }

    /// Uses a password, and makes new files at this cost. A file says what it costs, so files of another cost
    /// open as well.
    #[must_use]
    pub fn password_at(password: &str, cost: KdfCost) -> SaveKeys {
        SaveKeys::of(Secret::Password(Zeroizing::new(password.to_owned())), cost)
    }

    /// Returns the same password or key, with new files at this cost.
    #[must_use]
    pub fn at(&self, cost: KdfCost) -> SaveKeys {
        SaveKeys::of(
            match &self.secret {
                Secret::Password(password) => Secret::Password(password.clone()),
                Secret::Key(key) => Secret::Key(key.clone()),
            },
            cost,
        )
    }

    /// Uses a key.
    #[must_use]
    pub fn key(key: [u8; 32]) -> SaveKeys {
        SaveKeys::of(Secret::Key(Zeroizing::new(key)), KdfCost::default())
    }

    fn of(secret: Secret, cost: KdfCost) -> SaveKeys {
        SaveKeys { secret, cost, own: Mutex::new(None), opened: Mutex::new(None) }
    }

    pub(crate) const fn is_password(&self) -> bool {
        matches!(self.secret, Secret::Password(_))
    }

    /// Returns the key as given, or what `of_password` makes of the password: engines derive keys in a way of their own.
    #[cfg(feature = "encryption")]
    pub(crate) fn of_engine(&self, of_password: impl FnOnce(&str) -> [u8; 32]) -> Bytes32 {
        match &self.secret {
            Secret::Password(password) => Zeroizing::new(of_password(password)),
            Secret::Key(key) => key.clone(),
        }
    }

    /// Returns the keys of a new file, at the game's own cost. All files of a session have one salt, so that the password costs
    /// nothing again.
    pub(crate) fn fresh(&self) -> Option<Subkeys> {
        let password = match &self.secret {
            Secret::Key(key) => {
                return Some(Subkeys { recipe: Recipe::default(), nonce: random()?, master: key.clone() });
            }
            Secret::Password(password) => password,
        };
        let mut own = lock(&self.own);
        let (recipe, master) = match &*own {
            Some(made) => made.clone(),
            None => {
                let recipe = Recipe { cost: Some(self.cost), salt: random()? };
                let master = of_password(password, &recipe.salt, self.cost)?;
                own.insert((recipe, master)).clone()
            }
        };
        Some(Subkeys { recipe, nonce: random()?, master })
    }

    /// Returns the keys of a file, from its chunk KEYS. Nothing of the file is kept before its check has passed.
    pub(crate) fn of_file(&self, chunk: &Chunk<'_>, head: &Head) -> Result<Subkeys, SaveFault> {
        let mut fields = chunk.fields();
        let at = fields.at();
        let cost = KdfCost { memory_kib: fields.u32()?, passes: fields.u32()?, lanes: fields.u32()? };
        let salt = fields.array()?;
        let nonce = fields.array()?;
        let check: [u8; CHECK_BYTES] = fields.array()?;
        fields.end()?;
        if head.is_of_password != self.is_password() {
            let needed = if head.is_of_password { "a password" } else { "a key" };
            return Err(SaveFault::new(Kind::WrongKey, at, format!("this save needs {needed}")));
        }
        if head.is_of_password && !cost.is_allowed_beside(self.cost) {
            let KdfCost { memory_kib, passes, lanes } = cost;
            let words = format!(
                "its password costs {memory_kib} KiB, {passes} passes and {lanes} lanes, which is more than this game allows"
            );
            return Err(SaveFault::new(Kind::TooLarge, at, words));
        }
        let recipe = Recipe { cost: head.is_of_password.then_some(cost), salt };
        let master = self.master(recipe);
        let master = master
            .ok_or_else(|| SaveFault::new(Kind::Newer, at, "this library was built without encryption"))?;
        let subkeys = Subkeys { recipe, nonce, master };
        if blake3::Hash::from(padded(subkeys.check())) == blake3::Hash::from(padded(check)) {
            self.keep(recipe, &subkeys.master);
            Ok(subkeys)
        } else {
            let given = if self.is_password() { "the password is" } else { "the key is" };
            Err(SaveFault::new(Kind::WrongKey, at, format!("{given} another one than that of this save")))
        }
    }

    /// Returns the key of a file, from a cache or derived.
    fn master(&self, recipe: Recipe) -> Option<Bytes32> {
        let (password, cost) = match (&self.secret, recipe.cost) {
            (Secret::Key(key), _) => return Some(key.clone()),
            (Secret::Password(password), cost) => (password, cost?),
        };
        let known = |made: &Mutex<Option<Made>>| {
            lock(made).as_ref().filter(|(of, _)| *of == recipe).map(|(_, key)| key.clone())
        };
        known(&self.own).or_else(|| known(&self.opened)).or_else(|| of_password(password, &recipe.salt, cost))
    }

    /// Keeps the key of a file that it opened. If it has the own cost of the game, new files use it, too, unless they have one.
    fn keep(&self, recipe: Recipe, master: &Bytes32) {
        let Some(cost) = recipe.cost else { return };
        if cost == self.cost {
            let mut own = lock(&self.own);
            let (of, _) = own.get_or_insert_with(|| (recipe, master.clone()));
            if *of == recipe {
                return;
            }
        }
        *lock(&self.opened) = Some((recipe, master.clone()));
    }
}

impl fmt::Debug for SaveKeys {
    /// Shows no secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_password() { "Keys(password)" } else { "Keys(key)" })
    }
}

/// Pads a check to the size of a hash, because hashes are compared in constant time.
fn padded(check: [u8; CHECK_BYTES]) -> [u8; 32] {
    let mut whole = [0; 32];
    whole.iter_mut().zip(check).for_each(|(to, from)| *to = from);
    whole
}

/// Holds the keys of one file: one for its hash, one for its slices, and eight bytes that show whether they
/// are right.
pub(crate) struct Subkeys {
    recipe: Recipe,
    nonce: [u8; NONCE_BYTES],
    master: Bytes32,
}

impl Subkeys {
    pub(crate) fn payload(&self) -> Vec<u8> {
        let Recipe { cost, salt } = &self.recipe;
        let cost = cost.unwrap_or(KdfCost { memory_kib: 0, passes: 0, lanes: 0 });
        let words = [cost.memory_kib, cost.passes, cost.lanes].map(u32::to_le_bytes).concat();
        [&words[..], salt, &self.nonce, &self.check()].concat()
    }

    fn check(&self) -> [u8; CHECK_BYTES] {
        let derived = self.derive("variant_stream save 1 check");
        derived.first_chunk().copied().unwrap_or_default()
    }

    pub(crate) fn derive(&self, context: &str) -> Bytes32 {
        Zeroizing::new(blake3::derive_key(context, self.master.as_slice()))
    }
}

pub(crate) fn random<const N: usize>() -> Option<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).ok().map(|()| bytes)
}

#[cfg(not(feature = "encryption"))]
fn of_password(_: &str, _: &[u8; SALT_BYTES], _: KdfCost) -> Option<Bytes32> {
    None
}

#[cfg(feature = "encryption")]
fn of_password(password: &str, salt: &[u8; SALT_BYTES], cost: KdfCost) -> Option<Bytes32> {
    use argon2::{Algorithm, Argon2, Params, Version};
    let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, Some(32)).ok()?;
    let mut key = Zeroizing::new([0; 32]);
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    argon2.hash_password_into(password.as_bytes(), salt, key.as_mut_slice()).ok().map(|()| key)
}

/// Encrypts or decrypts the slices of one file: XChaCha20-Poly1305 in the STREAM construction, so that no
/// slice can be moved, repeated or left out.
#[cfg(feature = "encryption")]
pub(crate) struct Sealer {
    cipher: chacha20poly1305::XChaCha20Poly1305,
    nonce: [u8; NONCE_BYTES],
    /// The hash of the header, which binds the slices to it.
    header: [u8; 32],
}

#[cfg(feature = "encryption")]
impl Sealer {
    pub(crate) fn new(keys: &Subkeys, head: &[u8], keys_chunk: &[u8]) -> Sealer {
        use chacha20poly1305::KeyInit;
        let key = keys.derive("variant_stream save 1 slices");
        let mut hasher = blake3::Hasher::new();
        hasher.update(head).update(keys_chunk);
        Sealer {
            cipher: chacha20poly1305::XChaCha20Poly1305::new(&(*key).into()),
            nonce: keys.nonce,
            header: *hasher.finalize().as_bytes(),
        }
    }

    pub(crate) fn seal(&self, claims: &SliceClaims, body: &[u8]) -> Option<Vec<u8>> {
        use chacha20poly1305::aead::{Aead, Payload};
        let payload = Payload { msg: body, aad: &self.associated(claims) };
        self.cipher.encrypt(&self.nonce_of(claims).into(), payload).ok()
    }

    /// Decrypts the body of a slice; returns `None` where anything that is said of it is another.
    pub(crate) fn open(&self, claims: &SliceClaims, sealed: &[u8]) -> Option<Vec<u8>> {
        use chacha20poly1305::aead::{Aead, Payload};
        let payload = Payload { msg: sealed, aad: &self.associated(claims) };
        self.cipher.decrypt(&self.nonce_of(claims).into(), payload).ok()
    }

    fn associated(&self, claims: &SliceClaims) -> Vec<u8> {
        [&self.header[..], &claims.name, &claims.words.bytes()].concat()
    }

    fn nonce_of(&self, claims: &SliceClaims) -> [u8; 24] {
        let mut nonce = [0; 24];
        let last = u8::from(claims.position == SlicePosition::Last);
        let parts = self.nonce.into_iter().chain(claims.words.index.to_le_bytes()).chain([last]);
        nonce.iter_mut().zip(parts).for_each(|(to, from)| *to = from);
        nonce
    }
}

/// Replaces the sealer in a build without encryption: it seals and opens nothing.
#[cfg(not(feature = "encryption"))]
pub(crate) struct Sealer;

#[cfg(not(feature = "encryption"))]
impl Sealer {
    pub(crate) fn new(_: &Subkeys, _: &[u8], _: &[u8]) -> Sealer {
        Sealer
    }

    pub(crate) fn seal(&self, _: &SliceClaims, _: &[u8]) -> Option<Vec<u8>> {
        None
    }

    pub(crate) fn open(&self, _: &SliceClaims, _: &[u8]) -> Option<Vec<u8>> {
        None
    }
}
