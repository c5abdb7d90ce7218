//! The rules of every game as data: one rule machine, and a table of values that it reads.

mod catalog;
mod check;
mod filters;

pub use catalog::{DEFAULT, VARIANTS, find};
pub use check::{Contradiction, check};
pub use filters::Filters;

use crate::dice::DiceKind;

/// Who moves when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// White and Black in turn; the mover rolls at the start of his turn.
    Alternate,
    /// Both throw; the higher die moves, once, and the round is over.
    ContestOne,
    /// Both throw; the higher die moves first, then the lower.
    ContestBoth,
}

/// What a roll lets the mover do: the tickets that it gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allowance {
    /// A ticket of each die's role.
    EachDie,
    /// The own die's role; a six is a joker, any own man.
    JokerDie,
    /// As many free tickets as the lower die shows; equal dice: one, for a capture or a pawn move.
    LowerDie,
    /// As many free tickets as two dice differ by; equal dice are thrown again.
    Difference,
    /// One ticket that either die's role may pay; equal dice: any man.
    EitherDie,
    /// One ticket for either role of two special dice (P N B R K P and P N B R Q optional).
    SpecialDice,
    /// As many free tickets as the die shows, at most this many.
    Count(u8),
    /// The first die's role, as many times as the second shows, by one and the same man.
    RoleTimes,
    /// One free ticket a turn, without dice.
    Everything,
}

/// How much of the allowance must be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Move while you can, without look-ahead.
    Must,
    /// Quiet turns must spend as many tickets as possible; a king may be taken at any length.
    Max,
}

/// What the king is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KingRule {
    /// May be left in danger and taken, which ends the game.
    Capture,
    /// A man like any other.
    Commoner,
    /// May never stand in check after a move of his own side.
    Check,
    /// As [`KingRule::Check`], and may be taken if a bad roll left the check unanswered.
    CheckOrCapture,
}

/// Which tickets castling takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastlingCost {
    /// A king's and a rook's ticket together.
    KingAndRook,
    /// One ticket that admits the king.
    King,
    /// One ticket that admits the king or the rook.
    KingOrRook,
}

/// Whether and how one may castle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastlingRule {
    /// Never.
    Off,
    /// As chess castles.
    On {
        /// What it costs.
        cost: CastlingCost,
        /// Whether FIDE's conditions on attacked squares hold.
        safe: bool,
    },
}

/// Whether a pawn may be taken in passing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnPassantRule {
    /// Never.
    Off,
    /// At any moment of the whole turn that replies to the double step.
    ReplyTurn,
}

/// What becomes of a pawn on the last rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PromotionRule {
    /// A queen, rook, bishop or knight of the mover's choice.
    Fide,
    /// It is removed.
    Evaporate,
    /// A pawn's face: any of the four; a face of one of the four: that one.
    ByFace,
}

/// What happens when a roll allows no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoMoveRule {
    /// The turn is passed.
    Pass,
    /// The opponent moves by his own die; if he cannot either, both throw again.
    HandOver,
    /// Such faces are not rolled: throw again.
    Reroll,
    /// Any legal move may be made.
    AnyMove,
    /// The game is drawn.
    Draw,
    /// The game is drawn, but lost on equal dice.
    DrawOrDoubletLoss,
    /// It cannot happen: there are no dice, and mate and stalemate are tested first.
    Never,
}

/// What wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Taking the king.
    King,
    /// The end of the enemy's pawns.
    Pawns,
    /// Checkmate.
    Mate,
    /// Checkmate, or taking a king left in check.
    MateOrKing,
}

/// Which material is a dead position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeadMaterial {
    /// None.
    None,
    /// The two kings alone.
    Kings,
    /// Kings and at most one minor piece, or kings and bishops that all stand on one colour.
    Fide,
}

/// The draws that come by themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draws {
    /// So many single moves in a row without capture or pawn move.
    pub quiet_limit: Option<u8>,
    /// The same position for the third time.
    pub repetition: bool,
    /// Material with which nobody can win.
    pub dead: DeadMaterial,
    /// Neither side has a legal move under any roll (guard draw G1).
    pub nobody_can_move: bool,
}

/// The rules of one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variant {
    /// The name by which hosts choose it; no spaces.
    pub name: &'static str,
    /// One line that says what game it is.
    pub summary: &'static str,
    /// The dice thrown at a time.
    pub dice: DiceKind,
    /// Who moves when.
    pub schedule: Schedule,
    /// What a roll lets the mover do.
    pub allowance: Allowance,
    /// How much of it must be used.
    pub usage: Use,
    /// What the king is.
    pub king: KingRule,
    /// Castling.
    pub castling: CastlingRule,
    /// En passant.
    pub en_passant: EnPassantRule,
    /// Promotion.
    pub promotion: PromotionRule,
    /// What an unusable roll does.
    pub no_move: NoMoveRule,
    /// What wins.
    pub goal: Goal,
    /// The draws that come by themselves.
    pub draws: Draws,
    /// After a check nobody rolls: the checked side gives any legal answer, then the other any move or a pass.
    pub free_turns: bool,
    /// Whether Chess960 starts and castling are offered.
    pub chess960: bool,
    /// How widely the game is searched.
    pub filters: Filters,
    /// The game whose network values this one: itself, or one so near that what was learned there holds here.
    pub network: &'static str,
}

/// The turns (contest games: rounds) after which guard draw G2 ends a game.
pub const TURN_LIMIT: u32 = 5000;

impl Variant {
    /// Whether one side is to move between turns; not so in the contest games, where the throw decides.
    pub const fn has_mover(&self) -> bool {
        matches!(self.schedule, Schedule::Alternate)
    }

    /// Whether a throw gives both sides a turn, one after the other.
    pub const fn has_second_half(&self) -> bool {
        matches!(self.schedule, Schedule::ContestBoth)
    }

    /// Whether dice are thrown at all.
    pub const fn has_dice(&self) -> bool {
        !matches!(self.dice, DiceKind::None)
    }

    /// Whether a turn is a series of moves without look-ahead, which multiplies into very many turns.
    pub const fn is_series(&self) -> bool {
        matches!(
            self.allowance,
            Allowance::LowerDie | Allowance::Difference | Allowance::Count(_) | Allowance::RoleTimes
        )
    }

    /// Whether check, mate and stalemate exist.
    pub const fn has_check(&self) -> bool {
        matches!(self.king, KingRule::Check | KingRule::CheckOrCapture)
    }

    /// Whether taking the enemy king wins.
    pub const fn has_king_capture(&self) -> bool {
        matches!(self.goal, Goal::King | Goal::MateOrKing)
    }

    /// Whether castling exists.
    pub const fn has_castling(&self) -> bool {
        matches!(self.castling, CastlingRule::On { .. })
    }

    /// Whether en passant exists.
    pub const fn has_en_passant(&self) -> bool {
        matches!(self.en_passant, EnPassantRule::ReplyTurn)
    }

    /// Whether roll tokens may be written in letters (`PNR`), each die naming a role in every throw.
    pub const fn has_letter_rolls(&self) -> bool {
        matches!(self.allowance, Allowance::EachDie | Allowance::EitherDie)
    }

    /// The fullmove number above which guard draw G2 ends the game.
    pub const fn last_fullmove(&self) -> u32 {
        if self.has_mover() { TURN_LIMIT / 2 } else { TURN_LIMIT }
    }
}
