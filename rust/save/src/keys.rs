//! Derives keys from passwords, and encrypts slices with them.
//!
//! A password costs Argon2id once in a session; the derived key is kept together with its salt.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use zeroize::Zeroizing;

use crate::chunk::Chunk;
use crate::fault::{Fault, Kind};
use crate::head::Head;

pub(crate) const SALT_BYTES: usize = 16;
pub(crate) const NONCE_BYTES: usize = 19;
const CHECK_BYTES: usize = 8;
/// The bytes that sealing adds to a slice.
#[cfg(feature = "encryption")]
pub(crate) const TAG_BYTES: usize = 16;
#[cfg(not(feature = "encryption"))]
pub(crate) const TAG_BYTES: usize = 0;

/// The largest cost of Argon2id that a file may set, whoever wrote it.
const MOST_MEMORY_KIB: u32 = 256 << 10;
const MOST_PASSES: u32 = 10;
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

/// Holds a password or a key of 32 bytes. Use the same `Keys` for all saves: the work for a password is then
/// done once.
pub struct Keys {
    secret: Secret,
    cost: KdfCost,
    /// The last key that was derived from the password.
    made: Mutex<Option<(Recipe, Bytes32)>>,
}

impl Keys {
    /// Uses a password.
    #[must_use]
    pub fn password(password: &str) -> Keys {
        Keys::password_at(password, KdfCost::default())
    }

    /// Uses a password, and makes new files at this cost. A file says what it costs, so files of another cost
    /// open as well.
    #[must_use]
    pub fn password_at(password: &str, cost: KdfCost) -> Keys {
        Keys::of(Secret::Password(Zeroizing::new(password.to_owned())), cost)
    }

    /// Uses a key.
    #[must_use]
    pub fn key(key: [u8; 32]) -> Keys {
        Keys::of(Secret::Key(Zeroizing::new(key)), KdfCost::default())
    }

    fn of(secret: Secret, cost: KdfCost) -> Keys {
        Keys { secret, cost, made: Mutex::new(None) }
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

    /// Returns the keys of a new file. It uses the salt of the last file, so that the password costs nothing
    /// again.
    pub(crate) fn fresh(&self) -> Option<Subkeys> {
        let last =
            self.made.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|(recipe, _)| *recipe);
        let recipe = match (&self.secret, last) {
            (Secret::Key(_), _) => Recipe::default(),
            (Secret::Password(_), Some(recipe)) => recipe,
            (Secret::Password(_), None) => Recipe { cost: Some(self.cost), salt: random()? },
        };
        self.subkeys(recipe, random()?)
    }

    /// Returns the keys of a file, from its chunk KEYS.
    pub(crate) fn of_file(&self, chunk: &Chunk<'_>, head: &Head) -> Result<Subkeys, Fault> {
        let mut fields = chunk.fields();
        let at = fields.at();
        let cost = KdfCost { memory_kib: fields.u32()?, passes: fields.u32()?, lanes: fields.u32()? };
        let salt = fields.array()?;
        let nonce = fields.array()?;
        let check: [u8; CHECK_BYTES] = fields.array()?;
        fields.end()?;
        if cost.memory_kib > MOST_MEMORY_KIB || cost.passes > MOST_PASSES || cost.lanes > MOST_LANES {
            return Err(Fault::damaged(at, "no writer asks a password to cost that much"));
        }
        if head.is_of_password != self.is_password() {
            let needed = if head.is_of_password { "a password" } else { "a key" };
            return Err(Fault::new(Kind::WrongKey, at, format!("this save needs {needed}")));
        }
        let recipe = Recipe { cost: head.is_of_password.then_some(cost), salt };
        let subkeys = self.subkeys(recipe, nonce);
        let subkeys = subkeys
            .ok_or_else(|| Fault::new(Kind::Newer, at, "this library was built without encryption"))?;
        if blake3::Hash::from(padded(subkeys.check())) == blake3::Hash::from(padded(check)) {
            Ok(subkeys)
        } else {
            let given = if self.is_password() { "the password is" } else { "the key is" };
            Err(Fault::new(Kind::WrongKey, at, format!("{given} another one than that of this save")))
        }
    }

    fn subkeys(&self, recipe: Recipe, nonce: [u8; NONCE_BYTES]) -> Option<Subkeys> {
        let master = match (&self.secret, recipe.cost) {
            (Secret::Key(key), _) => key.clone(),
            (Secret::Password(password), Some(cost)) => {
                // A thread that panicked while it held the lock left a complete pair or none.
                let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
                match &*made {
                    Some((known, key)) if *known == recipe => key.clone(),
                    _ => {
                        let key = of_password(password, &recipe.salt, cost)?;
                        *made = Some((recipe, key.clone()));
                        key
                    }
                }
            }
            (Secret::Password(_), None) => return None,
        };
        Some(Subkeys { recipe, nonce, master })
    }
}

impl fmt::Debug for Keys {
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
    /// Returns the payload of the chunk KEYS.
    pub(crate) fn payload(&self) -> Vec<u8> {
        let Recipe { cost, salt } = &self.recipe;
        let cost = cost.unwrap_or(KdfCost { memory_kib: 0, passes: 0, lanes: 0 });
        let words = [cost.memory_kib, cost.passes, cost.lanes].map(u32::to_le_bytes).concat();
        [&words[..], salt, &self.nonce, &self.check()].concat()
    }

    /// Returns the key of the file's hash.
    pub(crate) fn of_hash(&self) -> Bytes32 {
        self.derive("variant_stream save 1 hash")
    }

    fn check(&self) -> [u8; CHECK_BYTES] {
        let derived = self.derive("variant_stream save 1 check");
        let mut check = [0; CHECK_BYTES];
        check.iter_mut().zip(derived.iter()).for_each(|(to, from)| *to = *from);
        check
    }

    fn derive(&self, context: &str) -> Bytes32 {
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

    pub(crate) fn seal(&self, index: u32, is_last: bool, body: &[u8]) -> Option<Vec<u8>> {
        use chacha20poly1305::aead::{Aead, Payload};
        let payload = Payload { msg: body, aad: &self.header };
        self.cipher.encrypt(&self.nonce_of(index, is_last).into(), payload).ok()
    }

    pub(crate) fn open(&self, index: u32, is_last: bool, sealed: &[u8]) -> Option<Vec<u8>> {
        use chacha20poly1305::aead::{Aead, Payload};
        let payload = Payload { msg: sealed, aad: &self.header };
        self.cipher.decrypt(&self.nonce_of(index, is_last).into(), payload).ok()
    }

    fn nonce_of(&self, index: u32, is_last: bool) -> [u8; 24] {
        let mut nonce = [0; 24];
        let parts = self.nonce.into_iter().chain(index.to_le_bytes()).chain([u8::from(is_last)]);
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

    pub(crate) fn seal(&self, _: u32, _: bool, _: &[u8]) -> Option<Vec<u8>> {
        None
    }

    pub(crate) fn open(&self, _: u32, _: bool, _: &[u8]) -> Option<Vec<u8>> {
        None
    }
}
