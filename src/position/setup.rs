//! Building a position from its parts, with every fault of the parts named at once.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use super::{NO_HOME, Pool, Position, Wing};
use crate::board::{Bitboard, Color, Piece, Role, Sliders, Square};
use crate::variant::{Goal, KingRule, Variant};
use thiserror::Error;

/// A castling right as written: by wing, or by the rook's file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Right {
    /// `K` or `Q`: the outermost rook on that wing.
    Wing(Wing),
    /// The rook on this file, 0 being the a-file.
    File(u8),
}

/// How to treat what can be mended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rigour {
    /// Mend it and warn.
    #[default]
    Lenient,
    /// It is a fault.
    Strict,
}

/// The parts of a position.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The man on each square, a1 first.
    pub men: [Option<Piece>; 64],
    /// The side to move, none between rounds.
    pub side: Option<Color>,
    /// The castling rights.
    pub rights: Vec<(Color, Right)>,
    /// The en-passant targets.
    pub targets: Vec<Square>,
    /// The clock of quiet moves.
    pub halfmove: u8,
    /// The move number.
    pub fullmove: u16,
    /// What is left to move.
    pub pool: Pool,
    /// Whether rights may name any king and rook on the first rank, not only those of the orthodox array.
    pub chess960: bool,
}

/// What is wrong with the parts of a position.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum SetupFault {
    /// Not exactly one king.
    #[error("{} has {count} kings, not one", color.name())]
    Kings {
        /// Whose.
        color: Color,
        /// How many.
        count: u32,
    },
    /// More men than fit the game.
    #[error("{} has {count} men, more than 16", color.name())]
    Men {
        /// Whose.
        color: Color,
        /// How many.
        count: u32,
    },
    /// A side without pawns where pawns are the goal.
    #[error("{} has no pawns", .0.name())]
    NoPawns(Color),
    /// A pawn where none can stand.
    #[error("a pawn stands on {0}")]
    PawnRank(Square),
    /// No side to move, but the game has one.
    #[error("the side to move is missing")]
    NoSide,
    /// A right whose king or rook is not at home.
    #[error("castling right '{}' without king and rook at home", right_letter(*.0, *.1))]
    Right(Color, Right),
    /// The same right twice.
    #[error("castling right '{}' is given twice", right_letter(*.0, *.1))]
    RightTwice(Color, Right),
    /// A square that can never be a target.
    #[error("en-passant target {0} is on neither the third nor the sixth rank")]
    TargetRank(Square),
    /// The same target twice.
    #[error("en-passant target {0} is given twice")]
    TargetTwice(Square),
    /// A man on the target.
    #[error("en-passant target {0} is occupied")]
    TargetOccupied(Square),
    /// No pawn that has passed.
    #[error("en-passant target {0} has no pawn in front of it")]
    TargetPawn(Square),
    /// A target that the side to roll could not use.
    #[error("en-passant target {0} belongs to the side that is to roll")]
    TargetSide(Square),
    /// The wrong side stands in check.
    #[error("{} is to move, but {} stands in check", .0.name(), .0.other().name())]
    OtherInCheck(Color),
    /// Both kings stand in check.
    #[error("both kings stand in check")]
    BothInCheck,
    /// A pool that needs a roll while a check must be answered.
    #[error("{} stands in check: no roll is made, the pool must be '*'", .0.name())]
    PoolInCheck(Color),
    /// A pool of any move without a check.
    #[error("the pool '*' needs a check to answer")]
    PoolWithoutCheck,
    /// The locked square does not hold the man.
    #[error("no man that may move stands on the locked square {0}")]
    Lock(Square),
}

/// Something mended.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum Warning {
    /// A right without king and rook at home, dropped.
    #[error("castling right '{}' without king and rook at home is dropped", right_letter(*.0, *.1))]
    RightDropped(Color, Right),
}

fn right_letter(color: Color, right: Right) -> char {
    let letter = match right {
        Right::Wing(Wing::King) => 'K',
        Right::Wing(Wing::Queen) => 'Q',
        Right::File(file) => char::from(b'A' + (file & 7)),
    };
    if color == Color::White { letter } else { letter.to_ascii_lowercase() }
}

impl Position {
    /// An empty board with the side to move.
    fn empty(side: Option<Color>) -> Position {
        let mut position = Position {
            roles: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            men: [None; 64],
            key: 0,
            targets: 0,
            homes: [NO_HOME; 4],
            pool: Pool::EMPTY,
            side: Some(Color::White),
            halfmove: 0,
            fullmove: 1,
        };
        position.set_side(side);
        position
    }

    /// The orthodox array, White (or nobody) to roll.
    pub fn start(variant: &Variant) -> Position {
        const BACK: [Role; 8] =
            [Role::Rook, Role::Knight, Role::Bishop, Role::Queen, Role::King, Role::Bishop, Role::Knight, Role::Rook];
        let mut position = Position::empty(variant.has_mover().then_some(Color::White));
        for (file, role) in (0u8..).zip(BACK) {
            for color in Color::ALL {
                let (back, front) = (color.relative_rank(0), color.relative_rank(1));
                position.add(Piece::new(color, role), Square::on(file, back), &mut ());
                position.add(Piece::new(color, Role::Pawn), Square::on(file, front), &mut ());
            }
        }
        if variant.has_castling() {
            for color in Color::ALL {
                position.give_right(color, Wing::King, Square::on(7, color.relative_rank(0)));
                position.give_right(color, Wing::Queen, Square::on(0, color.relative_rank(0)));
            }
        }
        position.lay_out_free_turn(variant, Sliders::get(), false);
        position
    }
}

impl Setup {
    /// Builds the position, or names everything that is wrong with the parts.
    pub fn position(&self, variant: &Variant, rigour: Rigour) -> Result<(Position, Vec<Warning>), Vec<SetupFault>> {
        let mut faults = Vec::new();
        let mut warnings = Vec::new();
        let side = if variant.has_mover() || !self.pool.is_empty() { self.side } else { None };
        if side.is_none() && variant.has_mover() {
            faults.push(SetupFault::NoSide);
        }
        let mut position = Position::empty(side);
        for (square, man) in Bitboard::ALL.zip(self.men) {
            if let Some(piece) = man {
                position.add(piece, square, &mut ());
            }
        }
        position.halfmove = self.halfmove;
        position.fullmove = self.fullmove.max(1);
        check_men(&position, variant, &mut faults);
        if variant.has_castling() {
            self.set_rights(&mut position, rigour, &mut faults, &mut warnings);
        }
        if variant.has_en_passant() {
            self.set_targets(&mut position, variant, &mut faults);
        }
        // The tests below ask about kings and attacks, which needs a sound board.
        if faults.is_empty() {
            self.set_pool(&mut position, variant, &mut faults);
        }
        if faults.is_empty() { Ok((position, warnings)) } else { Err(faults) }
    }

    fn set_rights(
        &self,
        position: &mut Position,
        rigour: Rigour,
        faults: &mut Vec<SetupFault>,
        warnings: &mut Vec<Warning>,
    ) {
        for &(color, right) in &self.rights {
            match self.home_of(position, color, right) {
                Some((wing, rook)) if position.castling_rook(color, wing).is_none() => {
                    position.give_right(color, wing, rook);
                }
                Some(_) => faults.push(SetupFault::RightTwice(color, right)),
                None if rigour == Rigour::Strict => faults.push(SetupFault::Right(color, right)),
                None => warnings.push(Warning::RightDropped(color, right)),
            }
        }
    }

    /// The wing and the rook of a right whose king and rook stand at home.
    fn home_of(&self, position: &Position, color: Color, right: Right) -> Option<(Wing, Square)> {
        let back = color.relative_rank(0);
        let king = position.king(color).filter(|king| king.rank() == back)?;
        let mut rooks = position.men(color, Role::Rook) & Bitboard::rank(back);
        if !self.chess960 && king.file() != 4 {
            return None;
        }
        let rook = match right {
            Right::Wing(Wing::King) => rooks.filter(|rook| rook.file() > king.file()).last()?,
            Right::Wing(Wing::Queen) => rooks.find(|rook| rook.file() < king.file())?,
            Right::File(file) => rooks.find(|rook| rook.file() == file)?,
        };
        let wing = if rook.file() > king.file() { Wing::King } else { Wing::Queen };
        let orthodox = rook.file() == if wing == Wing::King { 7 } else { 0 };
        (self.chess960 || orthodox).then_some((wing, rook))
    }

    fn set_targets(&self, position: &mut Position, variant: &Variant, faults: &mut Vec<SetupFault>) {
        let turn_begins = self.pool.is_empty() || !variant.has_dice();
        for &target in &self.targets {
            let (pusher, front) = match target.rank() {
                2 => (Color::White, 3),
                5 => (Color::Black, 4),
                _ => {
                    faults.push(SetupFault::TargetRank(target));
                    continue;
                }
            };
            let pawn = Some(Piece::new(pusher, Role::Pawn));
            if position.targets().has(target) {
                faults.push(SetupFault::TargetTwice(target));
            } else if position.man(target).is_some() {
                faults.push(SetupFault::TargetOccupied(target));
            } else if position.man(Square::on(target.file(), front)) != pawn {
                faults.push(SetupFault::TargetPawn(target));
            } else if turn_begins && position.side() == Some(pusher) {
                faults.push(SetupFault::TargetSide(target));
            } else {
                position.add_target(target);
            }
        }
    }

    fn set_pool(&self, position: &mut Position, variant: &Variant, faults: &mut Vec<SetupFault>) {
        let sliders = Sliders::get();
        if let (Some(side), true) = (position.side(), variant.has_check()) {
            let (own, other) = (position.in_check(sliders, side), position.in_check(sliders, side.other()));
            match variant.king {
                KingRule::CheckOrCapture if own && other => faults.push(SetupFault::BothInCheck),
                KingRule::Check if other => faults.push(SetupFault::OtherInCheck(side)),
                _ => {}
            }
            if variant.free_turns && !self.pool.is_empty() {
                let free = self.pool.tickets().iter().all(|ticket| ticket.is_free() && !ticket.is_optional());
                if own && !free {
                    faults.push(SetupFault::PoolInCheck(side));
                } else if free && !own {
                    faults.push(SetupFault::PoolWithoutCheck);
                }
            }
        }
        if let (Some(lock), Some(side)) = (self.pool.lock, position.side()) {
            let movable = position.man(lock).is_some_and(|man| man.color() == side && self.pool.admits(man.role()));
            if !movable {
                faults.push(SetupFault::Lock(lock));
            }
        }
        position.set_pool(self.pool);
        position.lay_out_free_turn(variant, sliders, false);
    }
}

fn check_men(position: &Position, variant: &Variant, faults: &mut Vec<SetupFault>) {
    for color in Color::ALL {
        let kings = position.men(color, Role::King).count();
        if kings > 1 || (kings == 0 && variant.king != KingRule::Commoner) {
            faults.push(SetupFault::Kings { color, count: kings });
        }
        let men = position.of(color).count();
        if men > 16 {
            faults.push(SetupFault::Men { color, count: men });
        }
        if variant.goal == Goal::Pawns && position.men(color, Role::Pawn).is_empty() {
            faults.push(SetupFault::NoPawns(color));
        }
    }
    for square in position.role(Role::Pawn) & (Bitboard::rank(0) | Bitboard::rank(7)) {
        faults.push(SetupFault::PawnRank(square));
    }
}
