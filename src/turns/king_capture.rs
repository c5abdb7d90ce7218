//! Which rolls of three dice can take the king, without making the second and third moves.
//!
//! After the first move a second one brings a man to bear on the king in one of two ways: he gets to a square from which
//! he attacks it himself, or he uncovers a slider behind him. Both are told by looking from the king outwards.

use super::Rules;
use super::ground::Ground;
use super::multiset::{THREE_DICE, one_of};
use crate::board::{Bitboard, Color, Role, Square, king_attacks, knight_attacks, pawn_attacks};
use crate::position::{MoveKind, Position, SingleMove, Wing};
use crate::variant::{CastlingCost, CastlingRule, PromotionRule};
use std::ops::ControlFlow;

impl Rules {
    /// Whether [`Rules::king_capturing_rolls`] knows these rules.
    pub(super) fn captures_by_sight(&self) -> bool {
        self.variant.promotion == PromotionRule::Fide
            && matches!(
                self.variant.castling,
                CastlingRule::Off | CastlingRule::On { cost: CastlingCost::KingAndRook, .. }
            )
    }

    /// The rolls, as bits in ascending order, with which a side can take the king.
    pub(super) fn king_capturing_rolls(&self, position: &Position, side: Color) -> u64 {
        let Some(king) = position.king(side.other()) else { return 0 };
        let mut winning = 0;
        self.add_attacks(position, side, 0, &mut winning);
        let _ = self.each_free_move(position, side, &mut |mv| {
            let Some(man) = position.man(mv.from).filter(|_| mv.to != king) else { return ControlFlow::Continue(()) };
            let castles = mv.kind == MoveKind::Castle;
            let spent = one_of(man.role()) + if castles { one_of(Role::Rook) } else { 0 };
            if THREE_DICE.containing[spent] & !winning != 0 {
                let mut next = *position;
                next.displace(self.variant, mv, &mut ());
                self.add_attacks(&next, side, spent, &mut winning);
                if !castles {
                    self.add_approaches(&next, side, king, spent, &mut winning);
                }
            }
            ControlFlow::Continue(())
        });
        winning
    }

    /// Whether a single move brings a man to bear on the enemy king.
    pub(super) fn can_bring_to_bear(&self, position: &Position, side: Color) -> bool {
        let Some(king) = position.king(side.other()) else { return false };
        let mut winning = 0;
        self.add_approaches(position, side, king, 0, &mut winning);
        if winning != 0 || !self.variant.has_castling() {
            return winning != 0;
        }
        // A castled rook may look at the king.
        let castles = Wing::ALL.into_iter().any(|wing| position.castling_rook(side, wing).is_some());
        castles
            && self
                .each_free_move(position, side, &mut |mv| {
                    let mut next = *position;
                    if mv.kind == MoveKind::Castle {
                        next.displace(self.variant, mv, &mut ());
                    }
                    let bears = mv.kind == MoveKind::Castle && self.attacking_roles(&next, side) != 0;
                    if bears { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })
                .is_break()
    }

    /// Adds the rolls in which the next die takes the king.
    fn add_attacks(&self, position: &Position, side: Color, spent: usize, winning: &mut u64) {
        let attacking = self.attacking_roles(position, side);
        for role in Role::ALL {
            if attacking >> role.index() & 1 != 0 {
                *winning |= THREE_DICE.containing[spent + one_of(role)];
            }
        }
    }

    /// Adds the rolls in which the second die makes way for the third to take the king.
    fn add_approaches(&self, position: &Position, side: Color, king: Square, spent: usize, winning: &mut u64) {
        let open = |roles: usize, winning: u64| THREE_DICE.containing[spent + roles] & !winning;
        let (own, occupied) = (position.of(side), position.occupied());
        let posts = self.posts(king, side, occupied);
        for role in Role::ALL {
            let rolls = open(2 * one_of(role), *winning);
            let post = posts[role.index()] & !own;
            if rolls != 0 && !post.is_empty() && self.reaches(position, side, role, post) {
                *winning |= rolls;
            }
        }
        // A pawn that promotes leaves its square, perhaps one on the new man's line.
        let promoters = position.men(side, Role::Pawn) & Bitboard::rank(side.relative_rank(6));
        for from in promoters {
            let targets = self.pawn_steps(position, side, from.bit());
            let posts = self.posts(king, side, occupied.without(from));
            for role in Role::PROMOTIONS {
                if (targets & !king.bit()).intersects(posts[role.index()]) {
                    *winning |= open(one_of(Role::Pawn) + one_of(role), *winning);
                }
            }
        }
        self.add_uncovered(position, side, king, spent, winning);
        for to in position.targets() & Bitboard::rank(side.relative_rank(5)) {
            for from in pawn_attacks(side.other(), to) & position.men(side, Role::Pawn) {
                let mv = SingleMove { kind: MoveKind::EnPassant, ..SingleMove::new(from, to) };
                let mut next = *position;
                next.displace(self.variant, mv, &mut ());
                self.add_attacks(&next, side, spent + one_of(Role::Pawn), winning);
            }
        }
    }

    /// Adds the rolls in which a man steps out of a slider's way.
    fn add_uncovered(&self, position: &Position, side: Color, king: Square, spent: usize, winning: &mut u64) {
        let (own, enemies) = (position.of(side), position.of(side.other()));
        let queens = position.role(Role::Queen);
        let straight = self.sliders.rook(king, enemies) & (position.role(Role::Rook) | queens);
        let diagonal = self.sliders.bishop(king, enemies) & (position.role(Role::Bishop) | queens);
        for slider in (straight | diagonal) & own {
            let line = self.sliders.between(king, slider);
            let men = line & own;
            let (Some(blocker), 1) = (men.first(), men.count()) else { continue };
            let (Some(man), Some(piece)) = (position.man(blocker), position.man(slider)) else { continue };
            let rolls = THREE_DICE.containing[spent + one_of(man.role()) + one_of(piece.role())] & !*winning;
            if rolls != 0 && !(self.targets_of(position, side, man.role(), blocker) & !line).is_empty() {
                *winning |= rolls;
            }
        }
    }

    /// The squares from which a man of each role attacks the king.
    fn posts(&self, king: Square, side: Color, occupied: Bitboard) -> [Bitboard; 6] {
        let (straight, diagonal) = (self.sliders.rook(king, occupied), self.sliders.bishop(king, occupied));
        let pawns = pawn_attacks(side.other(), king);
        [pawns, knight_attacks(king), diagonal, straight, straight | diagonal, king_attacks(king)]
    }

    /// Whether a man of a role can get to one of these squares, none of them his own side's.
    fn reaches(&self, position: &Position, side: Color, role: Role, squares: Bitboard) -> bool {
        let men = position.men(side, role);
        if role == Role::Pawn {
            return self.pawn_steps(position, side, men).intersects(squares);
        }
        { men }.any(|from| self.targets_of(position, side, role, from).intersects(squares))
    }

    /// Where a man can go, en passant and castling apart.
    fn targets_of(&self, position: &Position, side: Color, role: Role, from: Square) -> Bitboard {
        if role == Role::Pawn {
            return self.pawn_steps(position, side, from.bit());
        }
        self.sliders.man(role, from, position.occupied()) & !position.of(side)
    }

    fn pawn_steps(&self, position: &Position, side: Color, pawns: Bitboard) -> Bitboard {
        let ground = Ground { occupied: position.occupied(), takable: position.of(side.other()) };
        ground.steps(side, pawns).into_iter().fold(Bitboard::EMPTY, |all, step| all | step)
    }
}
