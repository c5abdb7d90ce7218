//! Checks and pins, worked out once a position, for the games in which a king may not be left in check.

use super::Rules;
use super::ground::Ground;
use crate::board::{Bitboard, Color, Role, Square, king_attacks, knight_attacks, pawn_attacks};
use crate::position::{MoveKind, Position, SingleMove};
use crate::variant::{KingRule, PromotionRule};

/// What the own king's safety demands of the other men's moves.
#[derive(Clone, Copy)]
pub(super) struct Safety {
    king: Square,
    /// Where a man other than the king must go: between king and checker, or onto him; anywhere without check.
    block: Bitboard,
    pinned: Bitboard,
    /// The lines from the king to those who pin, pinner included.
    lines: [Bitboard; 8],
}

impl Safety {
    /// Of a side; none where it has no king.
    #[inline]
    pub(super) fn of(rules: &Rules, position: &Position, side: Color) -> Option<Safety> {
        let king = position.king(side)?;
        let enemies = position.of(side.other());
        let queens = position.role(Role::Queen);
        let mut checkers = (knight_attacks(king) & position.role(Role::Knight))
            | (pawn_attacks(side, king) & position.role(Role::Pawn))
            | (king_attacks(king) & position.role(Role::King));
        checkers &= enemies;
        let straight = rules.sliders.rook(king, enemies) & (position.role(Role::Rook) | queens);
        let diagonal = rules.sliders.bishop(king, enemies) & (position.role(Role::Bishop) | queens);
        let mut safety = Safety { king, block: Bitboard::ALL, pinned: Bitboard::EMPTY, lines: [Bitboard::EMPTY; 8] };
        for (at, slider) in ((straight | diagonal) & enemies).enumerate() {
            let between = rules.sliders.between(king, slider);
            let men = between & position.of(side);
            match men.count() {
                0 => checkers |= slider.bit(),
                1 => {
                    safety.pinned |= men;
                    safety.lines[at % 8] = between | slider.bit();
                }
                _ => {}
            }
        }
        if let Some(checker) = checkers.first() {
            let alone = checkers.count() == 1;
            let line = rules.sliders.between(king, checker) | checker.bit();
            safety.block = if alone { line } else { Bitboard::EMPTY };
        }
        Some(safety)
    }

    /// The squares to which a man may go who is not the king.
    #[inline]
    fn allowed(&self, from: Square) -> Bitboard {
        if !self.pinned.has(from) {
            return self.block;
        }
        let line = self.lines.into_iter().find(|line| line.has(from)).unwrap_or(Bitboard::EMPTY);
        self.block & line
    }
}

impl Rules {
    /// Whether a move leaves the own king out of check. `safety` is that of the side before the move.
    #[inline]
    pub(super) fn keeps_safe(&self, position: &Position, safety: &Safety, color: Color, mv: SingleMove) -> bool {
        if mv.from != safety.king && mv.kind != MoveKind::EnPassant {
            return safety.allowed(mv.from).has(mv.to);
        }
        let king = if mv.from == safety.king { mv.to } else { safety.king };
        let victim = if mv.kind == MoveKind::EnPassant { Square::on(mv.to.file(), mv.from.rank()) } else { mv.to };
        let occupied = position.occupied().without(mv.from).without(victim) | mv.to.bit();
        position.attackers(self.sliders, king, color.other(), occupied).without(victim).is_empty()
    }

    /// How many legal moves a side has whose king may not be left in check and who may move any man; none where the
    /// rules are others and the moves must be counted one by one.
    pub(super) fn count_moves(&self, position: &Position) -> Option<u64> {
        let variant = self.variant;
        let suits = variant.king == KingRule::Check
            && variant.promotion == PromotionRule::Fide
            && position.pool().is_free_choice();
        let side = position.side().filter(|_| suits)?;
        let safety = Safety::of(self, position, side)?;
        let mut count = self.count_king(position, &safety, side);
        if !safety.block.is_empty() {
            count += self.count_men(position, &safety, side) + self.count_pawns(position, &safety, side);
        }
        Some(count)
    }

    #[inline]
    fn count_king(&self, position: &Position, safety: &Safety, side: Color) -> u64 {
        let mut count = 0;
        let steps = king_attacks(safety.king) & !position.of(side);
        if !steps.is_empty() {
            let enemies = position.of(side.other());
            let occupied = position.occupied().without(safety.king);
            let queens = position.role(Role::Queen);
            let straight = (position.role(Role::Rook) | queens) & enemies;
            let diagonal = (position.role(Role::Bishop) | queens) & enemies;
            for to in steps & !leaper_attacks(position, side.other()) {
                let attacked = (!straight.is_empty() && self.sliders.rook(to, occupied).intersects(straight))
                    || (!diagonal.is_empty() && self.sliders.bishop(to, occupied).intersects(diagonal));
                count += u64::from(!attacked);
            }
        }
        self.each_castling(position, side, &mut |_| count += 1);
        count
    }

    #[inline]
    fn count_men(&self, position: &Position, safety: &Safety, side: Color) -> u64 {
        let (own, occupied) = (position.of(side), position.occupied());
        let mut count = 0;
        // A pinned knight has no move.
        for from in position.men(side, Role::Knight) & !safety.pinned {
            count += (knight_attacks(from) & !own & safety.block).count();
        }
        let queens = position.role(Role::Queen);
        for from in (position.role(Role::Bishop) | queens) & own {
            count += (self.sliders.bishop(from, occupied) & !own & safety.allowed(from)).count();
        }
        for from in (position.role(Role::Rook) | queens) & own {
            count += (self.sliders.rook(from, occupied) & !own & safety.allowed(from)).count();
        }
        u64::from(count)
    }

    #[inline]
    fn count_pawns(&self, position: &Position, safety: &Safety, side: Color) -> u64 {
        let pawns = position.men(side, Role::Pawn);
        let ground = Ground { occupied: position.occupied(), takable: position.of(side.other()) };
        let last = Bitboard::rank(side.relative_rank(7));
        let moves = |pawns: Bitboard, allowed: Bitboard| {
            ground.steps(side, pawns).into_iter().fold(0, |count, to| {
                let to = to & allowed;
                count + to.count() + 3 * (to & last).count()
            })
        };
        let mut count = moves(pawns & !safety.pinned, safety.block);
        for from in pawns & safety.pinned {
            count += moves(from.bit(), safety.allowed(from));
        }
        for to in position.targets() & Bitboard::rank(side.relative_rank(5)) {
            for from in pawn_attacks(side.other(), to) & pawns {
                let mv = SingleMove { kind: MoveKind::EnPassant, ..SingleMove::new(from, to) };
                count += u32::from(self.keeps_safe(position, safety, side, mv));
            }
        }
        u64::from(count)
    }
}

/// The squares that a side's pawns, knights and kings attack.
#[inline]
fn leaper_attacks(position: &Position, side: Color) -> Bitboard {
    let everything = Ground { occupied: Bitboard::ALL, takable: Bitboard::ALL };
    let [_, _, left, right] = everything.steps(side, position.men(side, Role::Pawn));
    let knights = position.men(side, Role::Knight).fold(Bitboard::EMPTY, |all, from| all | knight_attacks(from));
    position.men(side, Role::King).fold(left | right | knights, |all, from| all | king_attacks(from))
}
