//! A square of the board and its name.

use super::bitboard::Bitboard;
use std::fmt;

/// A square, a1 = 0, b1 = 1, … h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square of an index, none above 63.
    pub const fn new(index: u8) -> Option<Square> {
        if index < 64 { Some(Square(index)) } else { None }
    }

    /// The square of the lowest six bits of an index.
    pub const fn from_index_masked(index: u8) -> Square {
        Square(index & 63)
    }

    /// The square on a file (0–7, a–h) and rank (0–7), none outside the board.
    pub const fn at(file: i8, rank: i8) -> Option<Square> {
        if file < 0 || file > 7 || rank < 0 || rank > 7 { None } else { Some(Square(rank as u8 * 8 + file as u8)) }
    }

    /// The square on a file and a rank, of each the lowest three bits.
    pub const fn on(file: u8, rank: u8) -> Square {
        Square((rank & 7) * 8 + (file & 7))
    }

    /// 0 for a1 to 63 for h8.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The index as an array index.
    pub const fn usize(self) -> usize {
        self.0 as usize
    }

    /// 0 for the a-file to 7 for the h-file.
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for the first rank to 7 for the eighth.
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The set of this square alone.
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << self.0)
    }

    /// The square seen from the other side of the board (e2 ↔ e7).
    pub const fn flip(self) -> Square {
        Square(self.0 ^ 56)
    }

    /// The square a number of files and ranks away, none outside the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        Square::at(self.file() as i8 + files, self.rank() as i8 + ranks)
    }

    /// Reads `a1` … `h8`.
    pub fn parse(text: &str) -> Option<Square> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(Square::on(file - b'a', rank - b'1')),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, (b'1' + self.rank()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for index in 0..64 {
            let square = Square::new(index).unwrap();
            assert_eq!(Square::parse(&square.to_string()), Some(square));
        }
        for bad in ["", "a", "a9", "i1", "A1", "a1 ", "é1"] {
            assert_eq!(Square::parse(bad), None, "{bad}");
        }
        assert_eq!(Square::new(64), None);
    }
}
