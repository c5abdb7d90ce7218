//! The last die's moves by pawns who have not moved before, all at once.

use super::ground::{DOUBLE, Ground, SHIFTS, TAKES, behind, shift};
use super::last::Before;
use super::set::{Audience, FanSet, Movers};
use super::{Last, Walk};
use crate::board::{Bitboard, Color, Piece, Role, zobrist};
use crate::position::{MoveKind, Observer, Position, SingleMove};

/// What steps depend on in a position.
pub(super) fn ground_of(position: &Position, side: Color) -> Ground {
    let passed = position.targets() & Bitboard::rank(side.relative_rank(5));
    Ground { occupied: position.occupied(), takable: position.of(side.other()) | passed }
}

/// The squares below one.
fn below(home: Bitboard) -> Bitboard {
    Bitboard(home.0.wrapping_sub(1))
}

impl<F> Walk<'_, F> {
    /// Shows the last moves of pawns who have not moved before; says whether any can move.
    #[inline]
    pub(super) fn last_pawns<O: Observer + Copy>(&mut self, end: &Before<O>, last: &Last) -> bool
    where
        F: Audience<O>,
    {
        let &Before { state, tail, .. } = end;
        let side = state.side;
        let first = last.first.map_or(Bitboard::EMPTY, |first| state.square[first.man].bit());
        let moved = first | last.mv.from.bit();
        let pawns = state.position.men(side, Role::Pawn) & !moved;
        let ground = Ground { occupied: tail.sight.occupied, takable: tail.enemies | tail.sight.passed };
        let mut steps = ground.steps(side, pawns);
        let movable = steps.into_iter().any(|squares| !squares.is_empty());
        let (roll, _) = end.dice[Role::Pawn.index()];
        if !movable || roll & self.wanted == 0 {
            return movable;
        }
        for step in TAKES..4 {
            for to in steps[step] & end.king {
                let from = behind(to, SHIFTS[side.index()][step]);
                self.win(state, end.made, SingleMove::new(from, to), Role::Pawn, roll, tail);
            }
            steps[step] &= !end.king;
        }
        self.forget_other_orders(end, last, pawns, &mut steps);
        if roll & self.wanted != 0 && steps.into_iter().any(|squares| !squares.is_empty()) {
            self.full |= roll;
            self.pawn_steps(end, &steps);
        }
        true
    }

    /// Takes the steps away that an earlier order gives: see [`Last::fresh`].
    #[inline]
    fn forget_other_orders<O: Observer + Copy>(
        &self,
        end: &Before<O>,
        last: &Last,
        pawns: Bitboard,
        steps: &mut [Bitboard; 4],
    ) {
        let side = end.state.side;
        let first = last.first.filter(|first| first.man != last.man);
        let home = if let (None, Some(first)) = (first, last.first) { first.mv.from } else { last.mv.from };
        let low = pawns & below(home.bit());
        if !low.is_empty() {
            let before = ground_of(&end.state.position, side).steps(side, low);
            for (step, before) in steps.iter_mut().zip(before) {
                *step &= !(before & !last.path);
            }
        }
        let Some(first) = first else { return };
        let low = pawns & below(first.mv.from.bit());
        if !low.is_empty() {
            for (step, before) in steps.iter_mut().zip(self.ground.steps(side, low)) {
                *step &= !(before & !(first.path | last.path));
            }
        }
    }

    #[inline]
    fn pawn_steps<O: Observer + Copy>(&mut self, end: &Before<O>, steps: &[Bitboard; 4])
    where
        F: Audience<O>,
    {
        let &Before { state, made, tail, lists, dice, twins, .. } = end;
        let side = state.side;
        let (roll, salt) = dice[Role::Pawn.index()];
        let row = zobrist::row(Piece::new(side, Role::Pawn));
        let doubtful = twins.of_pawns();
        let last_rank = Bitboard::rank(side.relative_rank(7));
        for (step, &all) in steps.iter().enumerate() {
            if all.is_empty() {
                continue;
            }
            let by = SHIFTS[side.index()][step];
            let takes = step >= TAKES;
            // What touches an en-passant target goes the longer way to its key.
            let mut touching = tail.own_passing | shift(tail.own_passing, by);
            if takes {
                touching |= tail.sight.passed;
            }
            let plain = all & !touching & !last_rank;
            let in_doubt = if takes { doubtful.taking } else { doubtful.straight };
            let twins = if in_doubt { all } else { all & doubtful.squares };
            let (kind, arrive) =
                if step == DOUBLE { (MoveKind::DoubleStep, self.double) } else { (MoveKind::Normal, row) };
            let set = FanSet {
                roll,
                targets: plain,
                movers: Movers::Behind(by),
                promotion: None,
                kind,
                base: tail.key,
                leave: row,
                arrive,
                taken: &lists.taken,
                made,
                rules: self.rules,
                state,
            };
            self.set(set, twins, salt);
            for to in all & touching & !last_rank {
                self.long_way(end, Role::Pawn, behind(to, by), to.bit(), twins);
            }
            if all.intersects(last_rank) {
                self.promotions(end, all & last_rank, by, !takes);
            }
        }
    }

    fn promotions<O: Observer + Copy>(&mut self, end: &Before<O>, targets: Bitboard, by: u32, straight: bool)
    where
        F: Audience<O>,
    {
        let &Before { state, made, tail, lists, dice, .. } = end;
        let (roll, salt) = dice[Role::Pawn.index()];
        for role in Role::PROMOTIONS {
            let twins = if end.twins.of_promotion(role, straight) { targets } else { Bitboard::EMPTY };
            let set = FanSet {
                roll,
                targets,
                movers: Movers::Behind(by),
                promotion: Some(role),
                kind: MoveKind::Normal,
                base: tail.key,
                leave: zobrist::row(Piece::new(state.side, Role::Pawn)),
                arrive: zobrist::row(Piece::new(state.side, role)),
                taken: &lists.taken,
                made,
                rules: self.rules,
                state,
            };
            self.set(set, twins, salt);
        }
    }
}
