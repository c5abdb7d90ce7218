//! What the network says of the ends of turns, told from the position before the last moves.

use super::accumulator::Accumulator;
use super::features::stage_of;
use super::network::{Head, Network};
use super::simd::{Change, Row, add, subtract};
use crate::board::{Bitboard, Color, Piece, Role, Square, king_attacks, knight_attacks, pawn_attacks};
use crate::position::{MoveKind, Position, SingleMove};
use crate::turns::{FanLeaf, FanSet, Rules};

/// Values ends of turns of one side by a network.
pub struct Judge<'n> {
    rules: Rules,
    network: &'n Network,
    side: Color,
}

/// A position inside a turn: its men, and the units of both views, the side's own first.
#[derive(Clone, Copy)]
struct Frame {
    /// The men of the side and of its enemy, by role.
    men: [[Bitboard; 6]; 2],
    occupied: Bitboard,
    kings: [Option<Square>; 2],
    units: [Row; 2],
}

/// By which roles the enemy king and the own one are attacked, and the squares on which a change may change that.
struct Attacks {
    roles: [u8; 2],
    zone: Bitboard,
}

/// A position inside a turn made ready for its moves.
pub struct Ground {
    frame: Frame,
    attacks: Attacks,
}

/// A move and what it does besides: who arrives, and what is taken.
struct Made {
    mv: SingleMove,
    piece: Piece,
    arrives: Piece,
    taken: Option<Piece>,
}

impl<'n> Judge<'n> {
    /// For the turns of a side.
    pub fn new(rules: Rules, network: &'n Network, side: Color) -> Judge<'n> {
        Judge { rules, network, side }
    }

    /// The logit of an afterstate for the side that has moved.
    pub fn leaf(&self, leaf: &FanLeaf<Accumulator<'n>>) -> i32 {
        let (position, accumulator, moves) = leaf.rest();
        let mut frame = self.frame(position, accumulator);
        let mut last: Option<Made> = None;
        for mv in moves.into_iter().flatten() {
            if let Some(made) = &last {
                self.apply(&mut frame, made);
            }
            last = self.made(position, last.map(|made| made.mv), mv);
            if last.is_none() {
                return self.slow(leaf);
            }
        }
        match last {
            Some(made) => self.value(&frame, &made, &self.attacks(&frame)),
            None => self.slow(leaf),
        }
    }

    /// The logits of a set of afterstates for the side that has moved, each with its last move.
    #[inline]
    pub fn set(&self, set: &FanSet<Accumulator<'n>>, mut show: impl FnMut(SingleMove, i32)) {
        let (position, accumulator, between) = set.rest();
        let mut frame = self.frame(position, accumulator);
        if let Some(mv) = between {
            match self.made(position, None, mv) {
                Some(made) => self.apply(&mut frame, &made),
                None => return self.each(set, show),
            }
        }
        let attacks = self.attacks(&frame);
        if set.is_special() {
            return self.each(set, show);
        }
        set.moves(|mv| {
            if let Some(made) = self.made(position, between, mv) {
                show(mv, self.value(&frame, &made, &attacks));
            }
        });
    }

    /// Makes a position inside a turn ready.
    pub fn ground(&self, position: &Position) -> Ground {
        let frame = self.frame(position, &Accumulator::new(self.network, position));
        Ground { attacks: self.attacks(&frame), frame }
    }

    /// The logit for the side that makes a move, if the turn ended with it; none where several men change.
    pub fn step(&self, position: &Position, ground: &Ground, mv: SingleMove) -> Option<i32> {
        Some(self.value(&ground.frame, &self.made(position, None, mv)?, &ground.attacks))
    }

    /// A set one by one.
    fn each(&self, set: &FanSet<Accumulator<'n>>, mut show: impl FnMut(SingleMove, i32)) {
        set.each(|leaf| {
            let (_, _, [one, two]) = leaf.rest();
            if let Some(mv) = two.or(one) {
                show(mv, self.slow(leaf));
            }
            0
        });
    }

    /// By making the moves and looking at every man: of what is rare.
    fn slow(&self, leaf: &FanLeaf<Accumulator<'n>>) -> i32 {
        -self.network.logit_of(&self.rules, &leaf.position(), Head::Full)
    }

    /// What a move does, made by a man that `before` may have moved; none where several men change, castling and en
    /// passant, and where a pawn vanishes or a king is taken.
    #[inline]
    fn made(&self, position: &Position, before: Option<SingleMove>, mv: SingleMove) -> Option<Made> {
        if matches!(mv.kind, MoveKind::Castle | MoveKind::EnPassant) {
            return None;
        }
        let piece = match before.filter(|before| before.to == mv.from) {
            Some(SingleMove { promotion: Some(role), .. }) => Piece::new(self.side, role),
            Some(before) => position.man(before.from)?,
            None => position.man(mv.from)?,
        };
        if piece.role() == Role::Pawn && mv.promotion.is_none() && matches!(mv.to.rank(), 0 | 7) {
            return None;
        }
        let arrives = mv.promotion.map_or(piece, |role| Piece::new(self.side, role));
        let taken = position.man(mv.to).filter(|man| man.color() != self.side);
        if taken.is_some_and(|taken| taken.role() == Role::King) {
            return None;
        }
        Some(Made { mv, piece, arrives, taken })
    }

    #[inline]
    fn frame(&self, position: &Position, accumulator: &Accumulator<'n>) -> Frame {
        let sides = [self.side, self.side.other()];
        Frame {
            men: sides.map(|side| Role::ALL.map(|role| position.men(side, role))),
            occupied: position.occupied(),
            kings: sides.map(|side| position.king(side)),
            units: sides.map(|side| *accumulator.units(side)),
        }
    }

    /// A man's rows in both views, the side's own first.
    #[inline]
    fn rows(&self, frame: &Frame, piece: Piece, square: Square) -> [&'n Row; 2] {
        let row = |view: Color, king| self.network.man(Network::base_of(king, view), piece, square, view);
        [row(self.side, frame.kings[0]), row(self.side.other(), frame.kings[1])]
    }

    /// Makes a move that only its man and what he takes change.
    #[inline]
    fn apply(&self, frame: &mut Frame, made: &Made) {
        let (less, more) = (self.rows(frame, made.piece, made.mv.from), self.rows(frame, made.arrives, made.mv.to));
        let taken = made.taken.map(|taken| self.rows(frame, taken, made.mv.to));
        move_men(&mut frame.men, made);
        frame.occupied = frame.occupied ^ made.mv.from.bit() | made.mv.to.bit();
        for (view, units) in frame.units.iter_mut().enumerate() {
            subtract(units, less[view]);
            add(units, more[view]);
            if let Some(taken) = taken {
                subtract(units, taken[view]);
            }
        }
        if made.piece.role() == Role::King {
            frame.kings[0] = Some(made.mv.to);
            frame.units[0] = self.around(&frame.men, made.mv.to);
        }
    }

    /// The units of the side's own view around its king.
    fn around(&self, men: &[[Bitboard; 6]; 2], king: Square) -> Row {
        let base = Network::base_of(Some(king), self.side);
        let mut units = *self.network.bias();
        for (side, men) in [self.side, self.side.other()].into_iter().zip(men) {
            for (role, squares) in Role::ALL.into_iter().zip(men) {
                let piece = Piece::new(side, role);
                squares.for_each(|square| add(&mut units, self.network.man(base, piece, square, self.side)));
            }
        }
        units
    }

    fn attacks(&self, frame: &Frame) -> Attacks {
        let mut attacks = Attacks { roles: [0; 2], zone: Bitboard::EMPTY };
        for (by, king) in [frame.kings[1], frame.kings[0]].into_iter().enumerate() {
            let Some(king) = king else { continue };
            let sliders = self.rules.sliders;
            let (straight, diagonal) = (sliders.rook(king, frame.occupied), sliders.bishop(king, frame.occupied));
            attacks.zone = attacks.zone | straight | diagonal | knight_attacks(king) | king_attacks(king);
            attacks.roles[by] = self.roles(&frame.men[by], by, king, straight, diagonal);
        }
        attacks
    }

    /// The roles of a side's men (0 the own, 1 the enemy's) that attack a square with these sights.
    #[inline]
    fn roles(&self, men: &[Bitboard; 6], by: usize, square: Square, straight: Bitboard, diagonal: Bitboard) -> u8 {
        let victim = if by == 0 { self.side.other() } else { self.side };
        let [pawns, knights, bishops, rooks, queens, kings] = *men;
        let bit = |sight: Bitboard, men: Bitboard, role: u8| u8::from(sight.intersects(men)) << role;
        bit(pawn_attacks(victim, square), pawns, 0)
            | bit(knight_attacks(square), knights, 1)
            | bit(diagonal, bishops, 2)
            | bit(straight, rooks, 3)
            | bit(straight | diagonal, queens, 4)
            | bit(king_attacks(square), kings, 5)
    }

    /// The logit for the side after a last move.
    #[inline]
    fn value(&self, frame: &Frame, made: &Made, attacks: &Attacks) -> i32 {
        let men = frame.occupied.count() - u32::from(made.taken.is_some());
        if made.piece.role() == Role::King {
            return self.after_king(frame, made, men);
        }
        let touched = (made.mv.from.bit() | made.mv.to.bit()).intersects(attacks.zone);
        let less = self.rows(frame, made.piece, made.mv.from);
        let more = self.rows(frame, made.arrives, made.mv.to);
        if made.taken.is_none() && !touched && attacks.roles == [0, 0] {
            return self.logit([&frame.units[0], &frame.units[1]], more, less, men);
        }
        let mut units = frame.units;
        if let Some(taken) = made.taken {
            for (units, row) in units.iter_mut().zip(self.rows(frame, taken, made.mv.to)) {
                subtract(units, row);
            }
        }
        let roles = if touched { self.roles_after(frame, made) } else { attacks.roles };
        self.add_attacks(&mut units, roles);
        self.logit([&units[0], &units[1]], more, less, men)
    }

    /// The same where the king has moved: his own view is built anew.
    fn after_king(&self, frame: &Frame, made: &Made, men: u32) -> i32 {
        let mut next = *frame;
        self.apply(&mut next, made);
        let roles = self.attacks(&next).roles;
        self.add_attacks(&mut next.units, roles);
        self.logit([&next.units[0], &next.units[1]], [&Row::ZERO; 2], [&Row::ZERO; 2], men)
    }

    #[inline]
    fn add_attacks(&self, units: &mut [Row; 2], [theirs, ours]: [u8; 2]) {
        let [own, enemy] = units;
        for (on_own, roles, view) in [(false, theirs, &mut *own), (true, theirs, &mut *enemy)] {
            if roles != 0 {
                add(view, self.network.attack(on_own, roles));
            }
        }
        for (on_own, roles, view) in [(true, ours, own), (false, ours, enemy)] {
            if roles != 0 {
                add(view, self.network.attack(on_own, roles));
            }
        }
    }

    fn roles_after(&self, frame: &Frame, made: &Made) -> [u8; 2] {
        let mut men = frame.men;
        move_men(&mut men, made);
        let occupied = frame.occupied ^ made.mv.from.bit() | made.mv.to.bit();
        let sliders = self.rules.sliders;
        let by = |by: usize, king: Option<Square>| {
            king.map_or(0, |king| {
                self.roles(&men[by], by, king, sliders.rook(king, occupied), sliders.bishop(king, occupied))
            })
        };
        [by(0, frame.kings[1]), by(1, frame.kings[0])]
    }

    /// The side that has moved is not the one about to roll: the other view comes first, and the sign turns.
    #[inline]
    fn logit(&self, [own, enemy]: [&Row; 2], more: [&Row; 2], less: [&Row; 2], men: u32) -> i32 {
        let change = Change { more: [more[1], more[0]], less: [less[1], less[0]] };
        -self.network.logit([enemy, own], &change, stage_of(men), Head::Full)
    }
}

#[inline]
fn move_men(men: &mut [[Bitboard; 6]; 2], made: &Made) {
    let [own, enemy] = men;
    own[made.piece.role().index()] ^= made.mv.from.bit();
    own[made.arrives.role().index()] |= made.mv.to.bit();
    if let Some(taken) = made.taken {
        enemy[taken.role().index()] ^= made.mv.to.bit();
    }
}
