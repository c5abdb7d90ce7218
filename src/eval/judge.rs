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
    own: [Bitboard; 6],
    enemy: [Bitboard; 6],
    occupied: Bitboard,
    units: [Row; 2],
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
        let mut last = None;
        for mv in moves.into_iter().flatten() {
            if let Some((mv, piece)) = last {
                self.apply(&mut frame, position, mv, piece);
            }
            let Some(piece) = self.mover(position, last.map(|(mv, _)| mv), mv) else { return self.slow(leaf) };
            last = Some((mv, piece));
        }
        match last {
            Some((mv, piece)) => self.value(&frame, position, mv, piece, &self.attacks(&frame, position)),
            None => self.slow(leaf),
        }
    }

    /// The logits of a set of afterstates for the side that has moved, each with its last move.
    #[inline]
    pub fn set(&self, set: &FanSet<Accumulator<'n>>, mut show: impl FnMut(SingleMove, i32)) {
        let (position, accumulator, made) = set.rest();
        let mut first = None;
        set.moves(|mv| first = first.or(Some(mv)));
        let between = made.map(|made| (made, self.mover(position, None, made)));
        let piece = first.and_then(|mv| self.mover(position, made, mv));
        let (Some(piece), None | Some((_, Some(_)))) = (piece, between) else {
            set.each(|leaf| {
                let (_, _, [one, two]) = leaf.rest();
                if let Some(mv) = two.or(one) {
                    show(mv, self.slow(leaf));
                }
                0
            });
            return;
        };
        let mut frame = self.frame(position, accumulator);
        if let Some((made, Some(man))) = between {
            self.apply(&mut frame, position, made, man);
        }
        let attacks = self.attacks(&frame, position);
        set.moves(|mv| show(mv, self.value(&frame, position, mv, piece, &attacks)));
    }

    /// By making the moves and looking at every man: of what is rare.
    fn slow(&self, leaf: &FanLeaf<Accumulator<'n>>) -> i32 {
        -self.network.logit_of(&self.rules, &leaf.position(), Head::Full)
    }

    /// Who makes a move, perhaps the man that `made` has moved there; none where more than he changes: king's moves,
    /// castling, en passant.
    #[inline]
    fn mover(&self, position: &Position, made: Option<SingleMove>, mv: SingleMove) -> Option<Piece> {
        if matches!(mv.kind, MoveKind::Castle | MoveKind::EnPassant) {
            return None;
        }
        let piece = match made.filter(|made| made.to == mv.from) {
            Some(SingleMove { promotion: Some(role), .. }) => Some(Piece::new(self.side, role)),
            Some(made) => position.man(made.from),
            None => position.man(mv.from),
        };
        piece.filter(|piece| piece.role() != Role::King)
    }

    #[inline]
    fn frame(&self, position: &Position, accumulator: &Accumulator<'n>) -> Frame {
        let enemy = self.side.other();
        Frame {
            own: Role::ALL.map(|role| position.men(self.side, role)),
            enemy: Role::ALL.map(|role| position.men(enemy, role)),
            occupied: position.occupied(),
            units: [accumulator.units(position, self.side), accumulator.units(position, enemy)],
        }
    }

    /// Makes a plain move, a capture or not.
    fn apply(&self, frame: &mut Frame, position: &Position, mv: SingleMove, piece: Piece) {
        let arrives = mv.promotion.map_or(piece, |role| Piece::new(self.side, role));
        let taken = position.man(mv.to).filter(|man| man.color() != self.side);
        let (leaves, comes) = (self.rows(position, piece, mv.from), self.rows(position, arrives, mv.to));
        for (units, (less, more)) in frame.units.iter_mut().zip(leaves.into_iter().zip(comes)) {
            subtract(units, less);
            add(units, more);
        }
        if let Some(taken) = taken {
            self.remove(frame, position, taken, mv.to);
        }
        frame.own[piece.role().index()] ^= mv.from.bit();
        frame.own[arrives.role().index()] |= mv.to.bit();
        frame.occupied = frame.occupied ^ mv.from.bit() | mv.to.bit();
    }

    fn remove(&self, frame: &mut Frame, position: &Position, taken: Piece, square: Square) {
        for (units, row) in frame.units.iter_mut().zip(self.rows(position, taken, square)) {
            subtract(units, row);
        }
        let men = &mut frame.enemy[taken.role().index()];
        *men = *men & !square.bit();
    }

    /// A man's rows in both views, the side's own first.
    #[inline]
    fn rows(&self, position: &Position, piece: Piece, square: Square) -> [&'n Row; 2] {
        [self.side, self.side.other()]
            .map(|view| self.network.man(Network::base_of(position.king(view), view), piece, square, view))
    }

    /// By which roles the enemy king and the own one are attacked, and the squares on which a change may change that.
    fn attacks(&self, frame: &Frame, position: &Position) -> Attacks {
        let kings = [position.king(self.side.other()), position.king(self.side)];
        let zone = kings.map(|king| {
            let sight = |king| {
                let sliders = self.rules.sliders;
                sliders.rook(king, frame.occupied)
                    | sliders.bishop(king, frame.occupied)
                    | knight_attacks(king)
                    | king_attacks(king)
            };
            king.map_or(Bitboard::EMPTY, sight)
        });
        Attacks { kings, zone, roles: self.roles(frame, kings) }
    }

    fn roles(&self, frame: &Frame, [theirs, ours]: [Option<Square>; 2]) -> [u8; 2] {
        let enemy = self.side.other();
        [
            theirs.map_or(0, |king| self.attackers(&frame.own, self.side, king, frame.occupied)),
            ours.map_or(0, |king| self.attackers(&frame.enemy, enemy, king, frame.occupied)),
        ]
    }

    /// The roles of a colour's men that attack a square.
    fn attackers(&self, men: &[Bitboard; 6], color: Color, square: Square, occupied: Bitboard) -> u8 {
        let sliders = self.rules.sliders;
        let (straight, diagonal) = (sliders.rook(square, occupied), sliders.bishop(square, occupied));
        let sights = [
            pawn_attacks(color.other(), square),
            knight_attacks(square),
            diagonal,
            straight,
            straight | diagonal,
            king_attacks(square),
        ];
        (0..6).filter(|&role| sights[role].intersects(men[role])).fold(0, |roles, role| roles | 1 << role)
    }

    /// The logit for the side after a last move.
    #[inline]
    fn value(&self, frame: &Frame, position: &Position, mv: SingleMove, piece: Piece, attacks: &Attacks) -> i32 {
        let arrives = mv.promotion.map_or(piece, |role| Piece::new(self.side, role));
        let taken = position.man(mv.to).filter(|man| man.color() != self.side);
        let changed = mv.from.bit() | mv.to.bit();
        let touched = changed.intersects(attacks.zone[0] | attacks.zone[1]);
        let less = self.rows(position, piece, mv.from);
        let more = self.rows(position, arrives, mv.to);
        let men = frame.occupied.count() - u32::from(taken.is_some());
        if taken.is_none() && !touched && attacks.roles == [0, 0] {
            return self.logit([&frame.units[0], &frame.units[1]], more, less, men);
        }
        let mut units = frame.units;
        if let Some(taken) = taken {
            for (units, row) in units.iter_mut().zip(self.rows(position, taken, mv.to)) {
                subtract(units, row);
            }
        }
        let roles = if touched { self.roles_after(frame, mv, piece, arrives, taken, attacks) } else { attacks.roles };
        let [own, enemy] = &mut units;
        add(own, self.network.attack(false, roles[0]));
        add(own, self.network.attack(true, roles[1]));
        add(enemy, self.network.attack(false, roles[1]));
        add(enemy, self.network.attack(true, roles[0]));
        self.logit([own, enemy], more, less, men)
    }

    fn roles_after(
        &self,
        frame: &Frame,
        mv: SingleMove,
        piece: Piece,
        arrives: Piece,
        taken: Option<Piece>,
        attacks: &Attacks,
    ) -> [u8; 2] {
        let (mut own, mut enemy) = (frame.own, frame.enemy);
        own[piece.role().index()] ^= mv.from.bit();
        own[arrives.role().index()] |= mv.to.bit();
        if let Some(taken) = taken {
            enemy[taken.role().index()] ^= mv.to.bit();
        }
        let occupied = frame.occupied ^ mv.from.bit() | mv.to.bit();
        let [theirs, ours] = attacks.kings;
        [
            theirs.map_or(0, |king| self.attackers(&own, self.side, king, occupied)),
            ours.map_or(0, |king| self.attackers(&enemy, self.side.other(), king, occupied)),
        ]
    }

    /// The side that has moved is not the one about to roll: the other view comes first, and the sign turns.
    #[inline]
    fn logit(&self, [own, enemy]: [&Row; 2], more: [&Row; 2], less: [&Row; 2], men: u32) -> i32 {
        let change = Change { more: [more[1], more[0]], less: [less[1], less[0]] };
        -self.network.logit([enemy, own], &change, stage_of(men), Head::Full)
    }
}

/// Who attacks the kings, the enemy's first.
struct Attacks {
    kings: [Option<Square>; 2],
    zone: [Bitboard; 2],
    roles: [u8; 2],
}
