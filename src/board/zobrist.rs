//! Hash keys of everything a position consists of (Zobrist 1970), made at compile time by SplitMix64.

use super::piece::Piece;
use super::square::Square;

const fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn series<const N: usize>(stream: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        keys[i] = mix(mix(stream).wrapping_add(i as u64));
        i += 1;
    }
    keys
}

static MEN: [[u64; 64]; 12] = men();
const fn men() -> [[u64; 64]; 12] {
    let keys: [u64; 12 * 64] = series(1);
    let mut rows = [[0; 64]; 12];
    let mut at = 0;
    while at < keys.len() {
        rows[at / 64][at % 64] = keys[at];
        at += 1;
    }
    rows
}

static HOMES: [u64; 64] = series(2);
static TARGETS: [u64; 64] = series(3);
static SIDES: [u64; 2] = series(4);
static CLOCKS: [u64; 128] = series(5);

/// The key of a man on a square.
#[inline]
pub fn man(piece: Piece, square: Square) -> u64 {
    MEN[piece.index()][square.usize()]
}

/// The keys of a man on all squares.
#[inline]
pub fn row(piece: Piece) -> &'static [u64; 64] {
    &MEN[piece.index()]
}

/// The key of the right to castle with the rook at home on a square.
pub fn home(rook: Square) -> u64 {
    HOMES[rook.usize()]
}

/// The key of an en-passant target.
pub fn target(square: Square) -> u64 {
    TARGETS[square.usize()]
}

/// The key of Black being the side to move.
pub fn black_to_move() -> u64 {
    SIDES[0]
}

/// The key of nobody being the side to move (between the rounds of a contest game).
pub fn nobody_to_move() -> u64 {
    SIDES[1]
}

/// The key of a clock that stands close to its limit.
pub fn clock(halfmoves: u8) -> u64 {
    CLOCKS[(halfmoves & 127) as usize]
}

/// The key of a packed word of small fields; 0 for the word 0, so that an empty state costs nothing.
pub fn word(packed: u64) -> u64 {
    if packed == 0 { 0 } else { mix(packed) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_differ() {
        let all: Vec<u64> =
            MEN.iter().flatten().chain(&HOMES).chain(&TARGETS).chain(&SIDES).chain(&CLOCKS).copied().collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
        assert!(all.iter().all(|&key| key != 0));
        assert_eq!(word(0), 0);
        assert_ne!(word(1), word(2));
    }
}
