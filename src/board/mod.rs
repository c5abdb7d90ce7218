//! The bare chessboard: squares, men, bitboards, attacks and hash keys, with no rules in it.

pub mod attacks;
pub mod bitboard;
pub mod magic;
pub mod piece;
pub mod square;
pub mod zobrist;

pub use attacks::{between, king_attacks, knight_attacks, pawn_attacks};
pub use bitboard::Bitboard;
pub use magic::Sliders;
pub use piece::{Color, Piece, Role};
pub use square::Square;
