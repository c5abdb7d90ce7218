//! What a man attacks: leapers from tables, rays by stepping, and the squares between two squares.

use super::bitboard::Bitboard;
use super::piece::Color;
use super::square::Square;

/// The four directions of a rook, as (files, ranks).
pub const ROOK_DIRECTIONS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
/// The four directions of a bishop.
pub const BISHOP_DIRECTIONS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT_LEAPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

const fn leaps<const N: usize>(offsets: [(i8, i8); N]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < N {
            if let Some(to) = Square::from_index_masked(from as u8).offset(offsets[i].0, offsets[i].1) {
                table[from].0 |= to.bit().0;
            }
            i += 1;
        }
        from += 1;
    }
    table
}

static KNIGHT: [Bitboard; 64] = leaps(KNIGHT_LEAPS);
static KING: [Bitboard; 64] = leaps(KING_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [leaps([(-1, 1), (1, 1)]), leaps([(-1, -1), (1, -1)])];

/// The squares a knight attacks.
pub fn knight_attacks(from: Square) -> Bitboard {
    KNIGHT[from.usize()]
}

/// The squares a king attacks.
pub fn king_attacks(from: Square) -> Bitboard {
    KING[from.usize()]
}

/// The squares a pawn of the colour attacks.
pub fn pawn_attacks(color: Color, from: Square) -> Bitboard {
    PAWN[color.index()][from.usize()]
}

/// The squares that a slider reaches from a square in the given directions, the first man met included.
///
/// The slow reference for the magic tables.
pub fn slide(from: Square, occupied: Bitboard, directions: &[(i8, i8)]) -> Bitboard {
    let mut reached = Bitboard::EMPTY;
    for &(files, ranks) in directions {
        let mut at = from;
        while let Some(next) = at.offset(files, ranks) {
            reached |= next.bit();
            if occupied.has(next) {
                break;
            }
            at = next;
        }
    }
    reached
}

/// The squares strictly between two squares of one rank, file or diagonal; nothing for any other pair.
pub fn between(a: Square, b: Square) -> Bitboard {
    let files = b.file() as i8 - a.file() as i8;
    let ranks = b.rank() as i8 - a.rank() as i8;
    if a == b || (files != 0 && ranks != 0 && files.abs() != ranks.abs()) {
        return Bitboard::EMPTY;
    }
    let mut squares = Bitboard::EMPTY;
    let mut at = a;
    while let Some(next) = at.offset(files.signum(), ranks.signum()) {
        if next == b {
            break;
        }
        squares |= next.bit();
        at = next;
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        Square::parse(name).unwrap()
    }

    #[test]
    fn leapers_stay_on_the_board() {
        assert_eq!(knight_attacks(square("a1")).count(), 2);
        assert_eq!(knight_attacks(square("d4")).count(), 8);
        assert_eq!(king_attacks(square("h8")).count(), 3);
        assert_eq!(pawn_attacks(Color::White, square("a2")), square("b3").bit());
        assert_eq!(pawn_attacks(Color::Black, square("h7")), square("g6").bit());
        assert!(pawn_attacks(Color::White, square("e8")).is_empty());
    }

    #[test]
    fn between_is_symmetric_and_open() {
        assert_eq!(between(square("a1"), square("d4")), square("b2").bit() | square("c3").bit());
        assert_eq!(between(square("h1"), square("e1")), between(square("e1"), square("h1")));
        assert!(between(square("a1"), square("b3")).is_empty());
        assert!(between(square("a1"), square("b1")).is_empty());
    }
}
