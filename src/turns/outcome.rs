//! How and when a game is over, and what is due where it is not.

use super::Rules;
use crate::board::{Bitboard, Color, Role};
use crate::position::{Outcome, Position, Reason};
use crate::variant::{DeadMaterial, NoMoveRule};

/// What is due in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The game is over.
    Over(Outcome),
    /// A roll.
    Roll,
    /// A forced pass of this side.
    Pass(Color),
    /// A turn, or the rest of one, of this side.
    Decide(Color),
}

impl Rules {
    /// What is due. `repeated` tells whether the position has now been reached for the third time.
    pub fn status(&self, position: &Position, repeated: bool) -> Status {
        if let Some(outcome) = self.outcome(position, repeated) {
            return Status::Over(outcome);
        }
        match position.side() {
            Some(side) if !position.awaits_roll() => {
                if position.pool().is_optional() || self.has_move(position) {
                    Status::Decide(side)
                } else {
                    Status::Pass(side)
                }
            }
            _ => Status::Roll,
        }
    }

    /// The outcome of a position, none while the game goes on.
    pub fn outcome(&self, position: &Position, repeated: bool) -> Option<Outcome> {
        position
            .decided(self.variant)
            .or_else(|| self.no_move_at_all(position))
            .or_else(|| self.drawn(position, repeated))
            .or_else(|| self.unusable_roll(position))
    }

    /// Whether a game without dice is over otherwise than by having no move.
    #[inline]
    pub(super) fn is_over_without_dice(&self, position: &Position) -> bool {
        position.decided(self.variant).is_some() || self.drawn(position, false).is_some()
    }

    /// Mate, stalemate, and no live face: judged over all dice.
    fn no_move_at_all(&self, position: &Position) -> Option<Outcome> {
        let side = position.side()?;
        let judged = self.variant.has_check() || self.variant.no_move == NoMoveRule::Reroll;
        if !judged || self.has_any_move(position, side) {
            return None;
        }
        let mated = self.variant.has_check() && position.in_check(self.sliders, side);
        Some(if mated { Outcome::win(side.other(), Reason::Mate) } else { Outcome::draw(Reason::Stalemate) })
    }

    /// The draws that are tested between turns.
    #[inline]
    fn drawn(&self, position: &Position, repeated: bool) -> Option<Outcome> {
        let between_turns = position.awaits_roll() || !self.variant.has_dice() || self.variant.free_turns;
        if !between_turns {
            return None;
        }
        let draws = &self.variant.draws;
        let reason = if draws.quiet_limit.is_some_and(|limit| position.halfmove() >= limit) {
            Reason::QuietMoves
        } else if draws.repetition && repeated {
            Reason::Repetition
        } else if self.is_dead(position) {
            Reason::DeadPosition
        } else if draws.nobody_can_move && !Color::ALL.into_iter().any(|side| self.has_any_move(position, side)) {
            Reason::NobodyCanMove
        } else if u32::from(position.fullmove()) > self.variant.last_fullmove() {
            Reason::TurnLimit
        } else {
            return None;
        };
        Some(Outcome::draw(reason))
    }

    #[inline]
    fn is_dead(&self, position: &Position) -> bool {
        let others = position.occupied() ^ position.role(Role::King);
        match self.variant.draws.dead {
            DeadMaterial::None => false,
            DeadMaterial::Kings => others.is_empty(),
            DeadMaterial::Fide => {
                const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
                let bishops = position.role(Role::Bishop);
                let one_minor = others.count() == 1 && !(others & (bishops | position.role(Role::Knight))).is_empty();
                let one_colour = others == bishops && (!bishops.intersects(LIGHT) || !bishops.intersects(!LIGHT));
                one_minor || one_colour
            }
        }
    }

    /// A roll without a move that ends the game.
    fn unusable_roll(&self, position: &Position) -> Option<Outcome> {
        let side = position.side().filter(|_| !position.awaits_roll())?;
        let ends = matches!(self.variant.no_move, NoMoveRule::Draw | NoMoveRule::DrawOrDoubletLoss);
        if !ends || self.has_move(position) {
            return None;
        }
        let lost = self.variant.no_move == NoMoveRule::DrawOrDoubletLoss && position.pool().is_restricted();
        Some(if lost { Outcome::win(side.other(), Reason::NoMoveOnDoublet) } else { Outcome::draw(Reason::NoMove) })
    }
}
