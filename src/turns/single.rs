//! The single moves that the tickets left can pay for.

use super::Rules;
use super::ground::{DOUBLE, Ground};
use super::legal::Safety;
use crate::board::{Bitboard, Color, Role, Square, pawn_attacks};
use crate::position::{MoveKind, Position, SingleMove, Ticket, Wing};
use crate::variant::{CastlingCost, CastlingRule, KingRule, PromotionRule};
use std::ops::ControlFlow;

/// Which single moves are asked for.
#[derive(Clone, Copy)]
struct Demand {
    color: Color,
    /// Roles that a ticket admits, as bits.
    roles: u8,
    /// Only captures and pawn moves.
    restricted: bool,
    /// Only the man on this square.
    lock: Option<Square>,
}

type Flow = ControlFlow<()>;

impl Rules {
    /// All single moves that the pool can pay for and the king rule allows, without look-ahead. Clears `moves` first.
    pub fn single_moves(&self, position: &Position, moves: &mut Vec<SingleMove>) {
        moves.clear();
        let _ = self.each_move(position, &mut |mv| {
            moves.push(mv);
            Flow::Continue(())
        });
    }

    /// The same, one by one.
    pub(super) fn each_single_move(&self, position: &Position, visit: &mut impl FnMut(SingleMove)) {
        let _ = self.each_move(position, &mut |mv| {
            visit(mv);
            Flow::Continue(())
        });
    }

    /// Whether the pool can pay for any single move.
    pub fn has_move(&self, position: &Position) -> bool {
        self.each_move(position, &mut |_| Flow::Break(())).is_break()
    }

    /// Whether a side has a legal move with a free choice of its men.
    pub fn has_any_move(&self, position: &Position, color: Color) -> bool {
        let demand = Demand { color, roles: Ticket::ANY.roles(), restricted: false, lock: None };
        self.each_demanded(position, demand, &mut |_| Flow::Break(())).is_break()
    }

    /// All moves of a side with a free choice of its men, castling included.
    pub(super) fn each_free_move(
        &self,
        position: &Position,
        color: Color,
        visit: &mut impl FnMut(SingleMove) -> Flow,
    ) -> Flow {
        let demand = Demand { color, roles: Ticket::ANY.roles(), restricted: false, lock: None };
        self.each_demanded(position, demand, visit)
    }

    /// Whether the pool can pay for taking the enemy king at once.
    pub fn takes_king(&self, position: &Position) -> bool {
        let Some(side) = position.side() else { return false };
        let Some(king) = position.king(side.other()) else { return false };
        self.each_move(position, &mut |mv| if mv.to == king { Flow::Break(()) } else { Flow::Continue(()) }).is_break()
    }

    fn each_move(&self, position: &Position, visit: &mut impl FnMut(SingleMove) -> Flow) -> Flow {
        let Some(color) = position.side() else { return Flow::Continue(()) };
        let pool = position.pool();
        let demand = Demand { color, roles: pool.roles(), restricted: pool.is_restricted(), lock: pool.lock };
        self.each_demanded(position, demand, visit)
    }

    fn each_demanded(&self, position: &Position, demand: Demand, visit: &mut impl FnMut(SingleMove) -> Flow) -> Flow {
        let (safety, prize) = match self.variant.king {
            KingRule::Capture | KingRule::Commoner => (None, None),
            KingRule::Check => (Safety::of(self, position, demand.color), None),
            // Taking the enemy's king ends the game, whatever becomes of the own.
            KingRule::CheckOrCapture => (Safety::of(self, position, demand.color), position.king(demand.color.other())),
        };
        let mut legal = |mv: SingleMove| {
            let safe = safety.as_ref().is_none_or(|safety| {
                mv.kind == MoveKind::Castle
                    || Some(mv.to) == prize
                    || self.keeps_safe(position, safety, demand.color, mv)
            });
            if safe { visit(mv) } else { Flow::Continue(()) }
        };
        self.pawns(position, demand, &mut legal)?;
        self.men(position, demand, &mut legal)?;
        self.castling(position, demand, &mut legal)
    }

    fn men(&self, position: &Position, demand: Demand, visit: &mut impl FnMut(SingleMove) -> Flow) -> Flow {
        let occupied = position.occupied();
        let allowed = if demand.restricted { position.of(demand.color.other()) } else { !position.of(demand.color) };
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
            if demand.roles >> role.index() & 1 == 0 {
                continue;
            }
            let men = position.men(demand.color, role) & demand.lock.map_or(Bitboard::ALL, Square::bit);
            for from in men {
                for to in self.sliders.man(role, from, occupied) & allowed {
                    visit(SingleMove::new(from, to))?;
                }
            }
        }
        Flow::Continue(())
    }

    fn pawns(&self, position: &Position, demand: Demand, visit: &mut impl FnMut(SingleMove) -> Flow) -> Flow {
        let color = demand.color;
        let by_pawn = demand.roles >> Role::Pawn.index() & 1 != 0;
        let by_face = self.variant.promotion == PromotionRule::ByFace && demand.roles & PROMOTION_ROLES != 0;
        if !by_pawn && !by_face {
            return Flow::Continue(());
        }
        let promotions = if by_pawn { PROMOTION_ROLES } else { demand.roles & PROMOTION_ROLES };
        let last = color.relative_rank(7);
        let usable = Bitboard::rank(color.relative_rank(5));
        let mut pawns = position.men(color, Role::Pawn) & demand.lock.map_or(Bitboard::ALL, Square::bit);
        if !by_pawn {
            pawns &= Bitboard::rank(color.relative_rank(6));
        }
        for from in pawns {
            if let Some(to) = from.offset(0, color.forward()).filter(|&to| position.man(to).is_none()) {
                self.pawn_arrives(position, from, to, last, promotions, visit)?;
                let second = from.offset(0, 2 * color.forward()).filter(|&to| position.man(to).is_none());
                if let (Some(to), true) = (second, from.rank() == color.relative_rank(1)) {
                    visit(SingleMove { kind: MoveKind::DoubleStep, ..SingleMove::new(from, to) })?;
                }
            }
            for to in pawn_attacks(color, from) & position.of(color.other()) {
                self.pawn_arrives(position, from, to, last, promotions, visit)?;
            }
            // A target of the own side may lie in reach of an own pawn: only the enemy's count.
            for to in pawn_attacks(color, from) & position.targets() & usable {
                visit(SingleMove { kind: MoveKind::EnPassant, ..SingleMove::new(from, to) })?;
            }
        }
        Flow::Continue(())
    }

    fn pawn_arrives(
        &self,
        position: &Position,
        from: Square,
        to: Square,
        last: u8,
        promotions: u8,
        visit: &mut impl FnMut(SingleMove) -> Flow,
    ) -> Flow {
        let takes_king =
            self.variant.has_king_capture() && position.man(to).is_some_and(|man| man.role() == Role::King);
        if to.rank() != last || takes_king || self.variant.promotion == PromotionRule::Evaporate {
            return visit(SingleMove::new(from, to));
        }
        for role in Role::PROMOTIONS {
            if promotions >> role.index() & 1 != 0 {
                visit(SingleMove { promotion: Some(role), ..SingleMove::new(from, to) })?;
            }
        }
        Flow::Continue(())
    }

    fn castling(&self, position: &Position, demand: Demand, visit: &mut impl FnMut(SingleMove) -> Flow) -> Flow {
        let CastlingRule::On { cost, safe } = self.variant.castling else { return Flow::Continue(()) };
        let (king_pays, rook_pays) =
            (demand.roles >> Role::King.index() & 1 != 0, demand.roles >> Role::Rook.index() & 1 != 0);
        let payable = match cost {
            CastlingCost::KingAndRook => king_pays && rook_pays,
            CastlingCost::King => king_pays,
            CastlingCost::KingOrRook => king_pays || rook_pays,
        };
        let Some(king) = position.king(demand.color).filter(|_| payable && !demand.restricted) else {
            return Flow::Continue(());
        };
        if demand.lock.is_some_and(|lock| lock != king) {
            return Flow::Continue(());
        }
        for wing in Wing::ALL {
            let Some(mv) = self.free_castling(position, demand.color, wing) else { continue };
            let (king_file, rook_file) = wing.files();
            let (king_to, rook_to) = (Square::on(king_file, king.rank()), Square::on(rook_file, king.rank()));
            let walk = self.sliders.between(king, king_to) | king_to.bit();
            let others = position.occupied().without(king).without(mv.to);
            let attacked =
                |square, occupied| !position.attackers(self.sliders, square, demand.color.other(), occupied).is_empty();
            let unsafe_walk = safe
                && ((walk | king.bit()).any(|square| attacked(square, others | mv.to.bit()))
                    || attacked(king_to, others | king_to.bit() | rook_to.bit()));
            if !unsafe_walk {
                visit(mv)?;
            }
        }
        Flow::Continue(())
    }

    /// Whether the man on a move's first square can get to its second as the move says, dice and check apart; no castling.
    pub fn can_reach(&self, position: &Position, mv: SingleMove) -> bool {
        let Some(man) = position.man(mv.from) else { return false };
        let color = man.color();
        if position.of(color).has(mv.to) || mv.kind == MoveKind::Castle {
            return false;
        }
        if man.role() == Role::Pawn {
            return self.can_pawn_reach(position, color, mv);
        }
        let reached = self.sliders.man(man.role(), mv.from, position.occupied());
        reached.has(mv.to) && mv.kind == MoveKind::Normal && mv.promotion.is_none()
    }

    fn can_pawn_reach(&self, position: &Position, color: Color, mv: SingleMove) -> bool {
        let ground = Ground { occupied: position.occupied(), takable: position.of(color.other()) };
        let steps = ground.steps(color, mv.from.bit());
        let takes_king = position.king(color.other()) == Some(mv.to);
        let promotes = mv.to.rank() == color.relative_rank(7) && !takes_king;
        let reached = match mv.kind {
            MoveKind::DoubleStep => steps[DOUBLE],
            MoveKind::Normal => steps[0] | steps[2] | steps[3],
            MoveKind::EnPassant => {
                pawn_attacks(color, mv.from) & position.targets() & Bitboard::rank(color.relative_rank(5))
            }
            MoveKind::Castle => return false,
        };
        reached.has(mv.to) && promotes == mv.promotion.is_some()
    }

    /// All castling moves of a side that may move any man.
    pub(super) fn each_castling(&self, position: &Position, color: Color, visit: &mut impl FnMut(SingleMove)) {
        let demand = Demand { color, roles: Ticket::ANY.roles(), restricted: false, lock: None };
        let _ = self.castling(position, demand, &mut |mv| {
            visit(mv);
            Flow::Continue(())
        });
    }

    /// The castling move on a wing, where the right is there and nothing stands between; attacks do not matter here.
    #[inline]
    pub(super) fn free_castling(&self, position: &Position, color: Color, wing: Wing) -> Option<SingleMove> {
        let rook = position.castling_rook(color, wing)?;
        let king = position.king(color)?;
        let (king_file, rook_file) = wing.files();
        let (king_to, rook_to) = (Square::on(king_file, king.rank()), Square::on(rook_file, king.rank()));
        let between = |a, b| self.sliders.between(a, b);
        let path = between(king, king_to) | king_to.bit() | between(rook, rook_to) | rook_to.bit();
        let free = !path.intersects(position.occupied().without(king).without(rook));
        free.then(|| SingleMove { kind: MoveKind::Castle, ..SingleMove::new(king, rook) })
    }
}

/// Knight, bishop, rook and queen, as bits in the order of [`Role`].
const PROMOTION_ROLES: u8 = 0b01_1110;
