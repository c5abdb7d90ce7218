//! Reading files of numbers: what is there is taken from the front, little-endian, and nothing is past its end.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use sha2::{Digest, Sha256};

/// The first eight bytes of the SHA-256.
pub fn checksum(bytes: &[u8]) -> [u8; 8] {
    let digest = Sha256::digest(bytes);
    std::array::from_fn(|at| digest.get(at).copied().unwrap_or(0))
}

/// Takes bytes from the front; none once too few are left.
pub struct Reader<'a> {
    /// What has not been taken.
    pub rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// So many bytes.
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(head)
    }

    /// A text that zeros fill up to so many bytes.
    pub fn text(&mut self, count: usize) -> Option<String> {
        let bytes = self.take(count)?;
        let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        Some(String::from_utf8_lossy(text).into_owned())
    }

    /// A byte.
    pub fn u8(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    /// A number of two bytes.
    pub fn u16(&mut self) -> Option<u16> {
        self.take(2)?.try_into().ok().map(u16::from_le_bytes)
    }

    /// A number of four bytes.
    pub fn u32(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    /// A number of eight bytes.
    pub fn u64(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }
}
