//! Opens and makes `GDEC`: what `FileAccess.open_encrypted` and `open_encrypted_with_pass` write. It is AES-256, and the
//! MD5 of what is within, by which a wrong key shows.
//!
//! ```text
//! Godot 4  "GDEC"            16 MD5  u64 length  16 start vector   data in CFB
//! Godot 3  "GDEC"  u32 mode  16 MD5  u64 length                    data block by block
//! ```
//! Nothing says which of the two it is, so both are tried where the lengths fit; the MD5 decides. Facts:
//! core/io/file_access_encrypted.cpp of 4.6.3 and of 3.6.

use std::borrow::Cow;

use aes::Aes256;
use aes::cipher::generic_array::GenericArray;
use aes::cipher::{BlockDecrypt, BlockEncrypt, KeyInit, KeyIvInit};
use md5::{Digest, Md5};

use super::Refusal;
use crate::chunk::to_u64;
use crate::keys::{SaveKeys, random};

/// Names the engine in whose form a file is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cipher {
    Godot4,
    Godot3,
}

impl Cipher {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Cipher::Godot4 => "encrypted (Godot 4)",
            Cipher::Godot3 => "encrypted (Godot 3)",
        }
    }
}

/// Encrypts bytes as the engine does; Godot 4 draws a start vector for each file.
pub(super) fn seal(plain: &[u8], cipher: Cipher, keys: Option<&SaveKeys>) -> Result<Vec<u8>, Refusal> {
    let key = keys.ok_or(Refusal::NoKey)?.of_engine(key_of);
    let mut data = plain.to_vec();
    data.resize(plain.len().checked_next_multiple_of(16).unwrap_or(plain.len()), 0);
    let (md5, length) = (Md5::digest(plain), to_u64(plain.len()).to_le_bytes());
    Ok(match cipher {
        Cipher::Godot4 => {
            let vector: [u8; 16] = random().ok_or(Refusal::NoEncryption)?;
            cfb_mode::BufEncryptor::<Aes256>::new((&*key).into(), (&vector).into()).encrypt(&mut data);
            [b"GDEC".as_slice(), &md5, &length, &vector, &data].concat()
        }
        Cipher::Godot3 => {
            let cipher = Aes256::new((&*key).into());
            for block in data.chunks_exact_mut(16) {
                cipher.encrypt_block(GenericArray::from_mut_slice(block));
            }
            [b"GDEC\x01\0\0\0".as_slice(), &md5, &length, &data].concat()
        }
    })
}

/// Returns the decrypted bytes, and the engine whose form the file has.
pub(super) fn open(bytes: &[u8], keys: Option<&SaveKeys>) -> Result<(Vec<u8>, Cipher), Refusal> {
    let key = keys.ok_or(Refusal::NoKey)?.of_engine(key_of);
    let mut is_whole = false;
    for cipher in [Cipher::Godot4, Cipher::Godot3] {
        let Some(parts) = parts(bytes, cipher) else { continue };
        is_whole = true;
        let plain = parts.decrypted(&key);
        if Md5::digest(&plain).as_slice() == parts.md5 {
            return Ok((plain, cipher));
        }
    }
    Err(match is_whole {
        true => Refusal::WrongKey,
        false => Refusal::Damaged(Cow::Borrowed("encrypted file (GDEC): it is not as long as it says")),
    })
}

/// Returns a password's key: its MD5, as 32 digits.
fn key_of(password: &str) -> [u8; 32] {
    let digits = Md5::digest(password.as_bytes()).into_iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let mut key = [0; 32];
    for (to, digit) in key.iter_mut().zip(digits) {
        *to = digit.saturating_add(if digit < 10 { b'0' } else { b'a' - 10 });
    }
    key
}

struct GdecFile<'b> {
    md5: &'b [u8],
    /// The start vector, which only Godot 4 writes.
    vector: Option<&'b [u8; 16]>,
    data: &'b [u8],
    /// The number of bytes of the data that are not there to fill a block.
    length: usize,
}

impl GdecFile<'_> {
    /// Decrypts the data: Godot 4 mixes each block with the encrypted one before it, Godot 3 encrypts each block for itself.
    fn decrypted(&self, key: &[u8; 32]) -> Vec<u8> {
        let mut plain = self.data.to_vec();
        match self.vector {
            Some(vector) => {
                cfb_mode::BufDecryptor::<Aes256>::new(key.into(), vector.into()).decrypt(&mut plain);
            }
            None => {
                let cipher = Aes256::new(key.into());
                for block in plain.chunks_exact_mut(16) {
                    cipher.decrypt_block(GenericArray::from_mut_slice(block));
                }
            }
        }
        plain.truncate(self.length);
        plain
    }
}

/// Returns the parts of a file that an engine encrypted; `None` when it is not as long as they say.
fn parts(bytes: &[u8], cipher: Cipher) -> Option<GdecFile<'_>> {
    let head = if cipher == Cipher::Godot4 { 4 } else { 8 };
    let (md5, rest) = bytes.get(head..)?.split_at_checked(16)?;
    let (length, rest) = rest.split_first_chunk()?;
    let (vector, data) = match cipher {
        Cipher::Godot4 => rest.split_first_chunk().map(|(vector, data)| (Some(vector), data))?,
        Cipher::Godot3 => (None, rest),
    };
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let data = data.get(..length.checked_next_multiple_of(16)?)?;
    Some(GdecFile { md5, vector, data, length })
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let keys = SaveKeys::password("secret");
        assert_eq!(open(&file, Some(&keys)).unwrap(), (b"twenty bytes of data".to_vec(), Cipher::Godot3));
        assert_eq!(open(&file, Some(&SaveKeys::password("wrong"))), Err(Refusal::WrongKey));
        assert_eq!(open(&file, None), Err(Refusal::NoKey));
        assert!(open(&file[..40], Some(&keys)).expect_err("cut").to_string().contains("not as long"));
    }
}
