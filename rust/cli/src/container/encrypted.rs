//! `GDEC`: what `FileAccess.open_encrypted` and `open_encrypted_with_pass` write: AES-256, and the MD5 of
//! what is within, by which a wrong key shows.
//!
//! ```text
//! Godot 4  "GDEC"            16 MD5  u64 length  16 start vector   data in CFB
//! Godot 3  "GDEC"  u32 mode  16 MD5  u64 length                    data block by block
//! ```
//! Nothing says which of the two it is, so both are tried where the lengths fit; the MD5 decides. Facts:
//! core/io/file_access_encrypted.cpp of 4.6.3 and of 3.6.

use std::hash::{BuildHasher, Hasher, RandomState};

use aes::Aes256;
use aes::cipher::generic_array::GenericArray;
use aes::cipher::{BlockDecrypt, BlockEncrypt, KeyInit, KeyIvInit};
use md5::{Digest, Md5};

use super::Keys;
use crate::failure::Failure;

/// Which engine's form a file is encrypted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Godot4,
    Godot3,
}

impl Form {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Form::Godot4 => "encrypted (Godot 4)",
            Form::Godot3 => "encrypted (Godot 3)",
        }
    }
}

/// Encrypts other bytes in a form, with a start vector of their own.
pub(super) fn seal(plain: &[u8], form: Form, keys: &Keys) -> Result<Vec<u8>, Failure> {
    let key = keys.bytes()?;
    let mut data = plain.to_vec();
    data.resize(plain.len().next_multiple_of(16), 0);
    let (md5, length) = (Md5::digest(plain), (plain.len() as u64).to_le_bytes());
    Ok(match form {
        Form::Godot4 => {
            let vector = start_vector();
            if let Ok(mut cipher) = cfb_mode::BufEncryptor::<Aes256>::new_from_slices(&key, &vector) {
                cipher.encrypt(&mut data);
            }
            [b"GDEC".as_slice(), &md5, &length, &vector, &data].concat()
        }
        Form::Godot3 => {
            let cipher = Aes256::new(GenericArray::from_slice(&key));
            for block in data.chunks_exact_mut(16) {
                cipher.encrypt_block(GenericArray::from_mut_slice(block));
            }
            [b"GDEC\x01\0\0\0".as_slice(), &md5, &length, &data].concat()
        }
    })
}

/// 16 bytes that no other file has: the random keys that the standard library gives each hash map.
fn start_vector() -> [u8; 16] {
    let random = || RandomState::new().build_hasher().finish().to_le_bytes();
    let mut vector = [0; 16];
    vector[..8].copy_from_slice(&random());
    vector[8..].copy_from_slice(&random());
    vector
}

/// The bytes within, and which engine's form it was.
pub(super) fn open(bytes: &[u8], keys: &Keys) -> Result<(Vec<u8>, Form), Failure> {
    let key = keys.bytes()?;
    let forms = [(parts(bytes, 4, 16), Form::Godot4), (parts(bytes, 8, 0), Form::Godot3)];
    let mut is_whole = false;
    for (parts, layer) in forms {
        let Some(parts) = parts else { continue };
        is_whole = true;
        let plain = if parts.vector.is_empty() { blocks(&parts, &key) } else { feedback(&parts, &key) };
        if Md5::digest(&plain).as_slice() == parts.md5 {
            return Ok((plain, layer));
        }
    }
    Err(Failure::data(match is_whole {
        true => "encrypted file (GDEC): not this password or key, or the file is damaged",
        false => "encrypted file (GDEC): it is not as long as it says",
    }))
}

impl Keys {
    fn bytes(&self) -> Result<[u8; 32], Failure> {
        match (&self.key, &self.password) {
            (Some(key), _) => Ok(*key),
            (None, Some(password)) => Ok(key_of(password)),
            (None, None) => {
                Err(Failure::misuse("encrypted file (GDEC): it needs --password, --password-file or --key"))
            }
        }
    }
}

/// A password's key is its MD5, as 32 digits.
fn key_of(password: &str) -> [u8; 32] {
    let digest = Md5::digest(password.as_bytes());
    let mut key = [0; 32];
    for (pair, byte) in key.chunks_exact_mut(2).zip(digest) {
        let digit = |value: u8| b"0123456789abcdef"[usize::from(value)];
        pair.copy_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
    }
    key
}

struct Parts<'b> {
    md5: &'b [u8],
    vector: &'b [u8],
    data: &'b [u8],
    /// Bytes of the data that are not there to fill a block.
    length: usize,
}

/// The parts of a file whose MD5 begins at this byte; `None` when it is not as long as they say.
fn parts(bytes: &[u8], md5_at: usize, vector: usize) -> Option<Parts<'_>> {
    let (md5, rest) = bytes.get(md5_at..)?.split_at_checked(16)?;
    let (length, rest) = rest.split_first_chunk()?;
    let (vector, data) = rest.split_at_checked(vector)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let data = data.get(..length.checked_next_multiple_of(16)?)?;
    Some(Parts { md5, vector, data, length })
}

/// Godot 4: each block is mixed with the encrypted one before it.
fn feedback(parts: &Parts<'_>, key: &[u8; 32]) -> Vec<u8> {
    let mut plain = parts.data.to_vec();
    if let Ok(mut cipher) = cfb_mode::BufDecryptor::<Aes256>::new_from_slices(key, parts.vector) {
        cipher.decrypt(&mut plain);
    }
    plain.truncate(parts.length);
    plain
}

/// Godot 3: each block for itself.
fn blocks(parts: &Parts<'_>, key: &[u8; 32]) -> Vec<u8> {
    let cipher = Aes256::new(GenericArray::from_slice(key));
    let mut plain = parts.data.to_vec();
    for block in plain.chunks_exact_mut(16) {
        cipher.decrypt_block(GenericArray::from_mut_slice(block));
    }
    plain.truncate(parts.length);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(password: &str) -> Keys {
        Keys { password: Some(password.to_owned()), key: None }
    }

    fn godot_3(plain: &[u8], password: &str) -> Vec<u8> {
        let cipher = Aes256::new(GenericArray::from_slice(&key_of(password)));
        let mut data = plain.to_vec();
        data.resize(plain.len().next_multiple_of(16), 0);
        for block in data.chunks_exact_mut(16) {
            cipher.encrypt_block(GenericArray::from_mut_slice(block));
        }
        let length = (plain.len() as u64).to_le_bytes();
        [b"GDEC\x01\0\0\0".as_slice(), Md5::digest(plain).as_slice(), &length, &data].concat()
    }

    #[test]
    fn godot_3_form_comes_back() {
        let file = godot_3(b"twenty bytes of data", "secret");
        assert_eq!(open(&file, &keys("secret")).unwrap(), (b"twenty bytes of data".to_vec(), Form::Godot3));
        assert!(open(&file, &keys("wrong")).expect_err("wrong").to_string().contains("not this password"));
        assert!(open(&file, &Keys::default()).expect_err("none").to_string().contains("--password"));
        assert!(open(&file[..40], &keys("secret")).expect_err("cut").to_string().contains("not as long"));
    }
}
