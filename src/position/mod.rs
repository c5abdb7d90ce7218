//! A position: the board and everything else that the rules need to go on from here.

mod play;
mod pool;
mod setup;

pub use play::Observer;
pub use pool::{MAX_TICKETS, Pool, Ticket};
pub use setup::{Right, Rigour, Setup, SetupFault, Warning};

use crate::board::{Bitboard, Color, Piece, Role, Sliders, Square, zobrist};
use crate::board::{king_attacks, knight_attacks, pawn_attacks};
use crate::variant::{Goal, Variant};
use std::fmt;

/// The wing of a castling move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Wing {
    King,
    Queen,
}

impl Wing {
    /// The king's wing, then the queen's, as FEN writes them.
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];

    /// The files on which king and rook arrive.
    pub const fn files(self) -> (u8, u8) {
        match self {
            Wing::King => (6, 5),
            Wing::Queen => (2, 3),
        }
    }
}

/// What kind of displacement a single move is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum MoveKind {
    Normal,
    DoubleStep,
    EnPassant,
    /// `to` is the square of the own rook.
    Castle,
}

/// One displacement; castling is one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SingleMove {
    /// The square left.
    pub from: Square,
    /// The square entered; in castling that of the own rook.
    pub to: Square,
    /// What a pawn becomes.
    pub promotion: Option<Role>,
    /// What kind it is.
    pub kind: MoveKind,
}

impl SingleMove {
    /// An ordinary displacement.
    pub const fn new(from: Square, to: Square) -> SingleMove {
        SingleMove { from, to, promotion: None, kind: MoveKind::Normal }
    }

    /// The move in 16 bits: from, to, and what it does besides.
    pub const fn packed(self) -> u16 {
        let how = match (self.promotion, self.kind) {
            (Some(role), _) => 4 + role.index() as u16,
            (None, MoveKind::Normal) => 0,
            (None, MoveKind::DoubleStep) => 1,
            (None, MoveKind::EnPassant) => 2,
            (None, MoveKind::Castle) => 3,
        };
        self.from.index() as u16 | (self.to.index() as u16) << 6 | how << 12
    }

    /// The move of 16 bits, none where they are no packed move.
    pub fn unpacked(bits: u16) -> Option<SingleMove> {
        let square = |bits: u16| Square::from_index_masked(bits as u8);
        let (promotion, kind) = match bits >> 12 {
            0 => (None, MoveKind::Normal),
            1 => (None, MoveKind::DoubleStep),
            2 => (None, MoveKind::EnPassant),
            3 => (None, MoveKind::Castle),
            how => (Some(*Role::ALL.get(usize::from(how) - 4)?), MoveKind::Normal),
        };
        Some(SingleMove { from: square(bits), to: square(bits >> 6), promotion, kind })
    }

    /// The wing towards which it castles.
    pub const fn wing(self) -> Wing {
        if self.to.file() > self.from.file() { Wing::King } else { Wing::Queen }
    }

    /// How many tickets it spends under these rules: two for castling paid by king and rook, else one.
    pub const fn cost(self, variant: &Variant) -> usize {
        use crate::variant::{CastlingCost, CastlingRule};
        match (self.kind, variant.castling) {
            (MoveKind::Castle, CastlingRule::On { cost: CastlingCost::KingAndRook, .. }) => 2,
            _ => 1,
        }
    }
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Reason {
    KingCaptured,
    Mate,
    Stalemate,
    PawnsGone,
    NoMoveOnDoublet,
    NoMove,
    QuietMoves,
    Repetition,
    DeadPosition,
    NobodyCanMove,
    TurnLimit,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::KingCaptured => "king captured",
            Reason::Mate => "mate",
            Reason::Stalemate => "stalemate",
            Reason::PawnsGone => "pawns gone",
            Reason::NoMoveOnDoublet => "no move on a doublet",
            Reason::NoMove => "no move",
            Reason::QuietMoves => "quiet moves",
            Reason::Repetition => "repetition",
            Reason::DeadPosition => "dead position",
            Reason::NobodyCanMove => "nobody can move",
            Reason::TurnLimit => "turn limit",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The winner, none in a draw.
    pub winner: Option<Color>,
    /// Why.
    pub reason: Reason,
}

impl Outcome {
    /// A win of one side.
    pub const fn win(winner: Color, reason: Reason) -> Outcome {
        Outcome { winner: Some(winner), reason }
    }

    /// A draw.
    pub const fn draw(reason: Reason) -> Outcome {
        Outcome { winner: None, reason }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn score(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.score(), self.reason)
    }
}

/// The board and the state around it. Repetition history is not in it: that lives in the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    roles: [Bitboard; 6],
    colors: [Bitboard; 2],
    men: [Option<Piece>; 64],
    /// The key of everything but the clock.
    key: u64,
    /// Live en-passant targets: bits 0–7 rank 3, bits 8–15 rank 6.
    targets: u16,
    /// Home squares of rooks with which one may still castle: White's king's and queen's wing, Black's; 64 = none.
    homes: [u8; 4],
    pool: Pool,
    side: Option<Color>,
    halfmove: u8,
    fullmove: u16,
}

const NO_HOME: u8 = 64;
/// From this clock on, positions with different clocks have different keys: at most three moves a turn are made, so
/// no turn from below it can reach the limit of 100 before it ends.
const CLOCK_MATTERS: u8 = 94;

impl Position {
    /// The man on a square.
    #[inline]
    pub fn man(&self, square: Square) -> Option<Piece> {
        self.men[square.usize()]
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The squares of one side's men.
    #[inline]
    pub fn of(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The squares of the men of one role, of both sides.
    #[inline]
    pub fn role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    /// The squares of one side's men of one role.
    #[inline]
    pub fn men(&self, color: Color, role: Role) -> Bitboard {
        self.colors[color.index()] & self.roles[role.index()]
    }

    /// The square of a side's king, none where it was taken.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.men(color, Role::King).first()
    }

    /// The side to roll or to move; none between the rounds of a contest game.
    #[inline]
    pub fn side(&self) -> Option<Color> {
        self.side
    }

    /// What is left to move.
    #[inline]
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// The live en-passant targets.
    #[inline]
    pub fn targets(&self) -> Bitboard {
        Bitboard(u64::from(self.targets & 0xff) << 16 | u64::from(self.targets >> 8) << 40)
    }

    /// The home square of the rook with which a side may still castle on a wing.
    #[inline]
    pub fn castling_rook(&self, color: Color, wing: Wing) -> Option<Square> {
        Square::new(self.homes[color.index() * 2 + wing as usize])
    }

    /// Single moves in a row without capture or pawn move, at most 127.
    pub fn halfmove(&self) -> u8 {
        self.halfmove
    }

    /// The move number, from 1; it rises after Black's turn, in the contest games after each round.
    pub fn fullmove(&self) -> u16 {
        self.fullmove
    }

    /// The turn's absolute number (0-based), by which the fair dice are derived; contest games: the round's.
    pub fn ply(&self, variant: &Variant) -> u64 {
        let rounds = u64::from(self.fullmove.saturating_sub(1));
        if variant.has_mover() { rounds * 2 + u64::from(self.side == Some(Color::Black)) } else { rounds }
    }

    /// Whether a roll is due (unless the game is over).
    pub fn awaits_roll(&self) -> bool {
        self.pool.is_empty()
    }

    /// The key of the whole state: board, rights, live targets, side, pool; near the quiet limit the clock too.
    #[inline]
    pub fn key(&self) -> u64 {
        if self.halfmove < CLOCK_MATTERS { self.key } else { self.key ^ zobrist::clock(self.halfmove) }
    }

    /// The key by which afterstates are told apart: all of the state but the clock.
    #[inline]
    pub fn afterstate_key(&self) -> u64 {
        self.key
    }

    /// The key by which FIDE's repetition counts: placement, side, rights, and targets that an enemy pawn attacks.
    pub fn repetition_key(&self) -> u64 {
        let mut key = self.key ^ zobrist::word(self.pool.packed());
        for target in self.targets() {
            let pusher = if target.rank() == 2 { Color::White } else { Color::Black };
            if (pawn_attacks(pusher, target) & self.men(pusher.other(), Role::Pawn)).is_empty() {
                key ^= zobrist::target(target);
            }
        }
        key
    }

    /// The key recomputed from nothing, which must equal the one kept up by play.
    pub fn key_from_scratch(&self) -> u64 {
        let mut key = zobrist::word(self.pool.packed());
        for square in Bitboard::ALL {
            if let Some(piece) = self.man(square) {
                key ^= zobrist::man(piece, square);
            }
        }
        for target in self.targets() {
            key ^= zobrist::target(target);
        }
        for home in self.homes {
            if let Some(rook) = Square::new(home) {
                key ^= zobrist::home(rook);
            }
        }
        key ^= match self.side {
            Some(Color::White) => 0,
            Some(Color::Black) => zobrist::black_to_move(),
            None => zobrist::nobody_to_move(),
        };
        if self.halfmove < CLOCK_MATTERS { key } else { key ^ zobrist::clock(self.halfmove) }
    }

    /// The men of a colour that attack a square when these squares are occupied.
    #[inline]
    pub fn attackers(&self, sliders: &Sliders, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let leapers = (knight_attacks(square) & self.role(Role::Knight))
            | (king_attacks(square) & self.role(Role::King))
            | (pawn_attacks(by.other(), square) & self.role(Role::Pawn));
        let queens = self.role(Role::Queen);
        let straight = sliders.rook(square, occupied) & (self.role(Role::Rook) | queens);
        let diagonal = sliders.bishop(square, occupied) & (self.role(Role::Bishop) | queens);
        (leapers | straight | diagonal) & self.of(by)
    }

    /// Whether a side's king stands attacked.
    pub fn in_check(&self, sliders: &Sliders, color: Color) -> bool {
        self.king(color).is_some_and(|king| !self.attackers(sliders, king, color.other(), self.occupied()).is_empty())
    }

    /// The outcome that the board alone shows: a king taken, or a side without pawns where pawns are the goal.
    pub fn decided(&self, variant: &Variant) -> Option<Outcome> {
        let (role, reason) = match variant.goal {
            Goal::King | Goal::MateOrKing => (Role::King, Reason::KingCaptured),
            Goal::Pawns => (Role::Pawn, Reason::PawnsGone),
            Goal::Mate => return None,
        };
        Color::ALL
            .into_iter()
            .find(|&color| self.men(color, role).is_empty())
            .map(|loser| Outcome::win(loser.other(), reason))
    }

    /// The same position without some men: for looking at what they are worth, not for play.
    #[must_use]
    pub fn without(&self, gone: Bitboard) -> Position {
        let mut position = *self;
        for square in gone {
            if let Some(man) = position.man(square) {
                position.remove(man, square, &mut ());
                position.lose_right_of_rook(square);
                position.forget_target_of(square);
            }
        }
        position
    }

    /// The same position with colours changed and the board turned upside down: the mover's chances are the same.
    #[must_use]
    pub fn flipped(&self) -> Position {
        let mut flipped = *self;
        flipped.roles = self.roles.map(Bitboard::flip);
        flipped.colors = [self.colors[1].flip(), self.colors[0].flip()];
        for square in Bitboard::ALL {
            flipped.men[square.flip().usize()] =
                self.man(square).map(|piece| Piece::new(piece.color().other(), piece.role()));
        }
        flipped.targets = self.targets.rotate_left(8);
        let [wk, wq, bk, bq] = self.homes.map(|home| Square::new(home).map_or(NO_HOME, |rook| rook.flip().index()));
        flipped.homes = [bk, bq, wk, wq];
        flipped.pool.lock = self.pool.lock.map(Square::flip);
        flipped.side = self.side.map(Color::other);
        flipped.key = flipped.key_from_scratch() ^ (flipped.key() ^ flipped.key);
        flipped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_small() {
        assert!(std::mem::size_of::<Position>() <= 160, "{}", std::mem::size_of::<Position>());
        assert!(std::mem::size_of::<SingleMove>() <= 4);
    }
}
