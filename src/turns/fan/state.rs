//! A position inside a turn with all that the walk asks of it.

use super::{MEN, Rules, one_of};
use crate::board::{Bitboard, Color, Role, Square, pawn_attacks};
use crate::position::{MoveKind, Observer, Pool, Position, SingleMove};

/// A position inside a turn, and what each man of the mover can reach from it.
#[derive(Clone, Copy)]
pub struct State<O> {
    pub position: Position,
    pub observer: O,
    pub side: Color,
    pub men: usize,
    pub square: [Square; MEN],
    pub role: [Role; MEN],
    /// The squares of which a change may change a man's targets.
    pub sight: [Bitboard; MEN],
    /// Where a man can go.
    pub targets: [Bitboard; MEN],
    /// The single moves made so far, and the dice that they spent.
    pub line: [SingleMove; 2],
    pub made: usize,
    pub spent: usize,
    pub left: usize,
}

impl<O: Observer + Copy> State<O> {
    /// The state before the first die.
    pub fn new(rules: &Rules, mut position: Position, side: Color, observer: O) -> State<O> {
        position.set_allowance(side, Pool::EMPTY);
        let nowhere = Square::on(0, 0);
        let mut state = State {
            position,
            observer,
            side,
            men: 0,
            square: [nowhere; MEN],
            role: [Role::Pawn; MEN],
            sight: [Bitboard::EMPTY; MEN],
            targets: [Bitboard::EMPTY; MEN],
            line: [SingleMove::new(nowhere, nowhere); 2],
            made: 0,
            spent: 0,
            left: 3,
        };
        for square in position.of(side) {
            let Some(man) = position.man(square).filter(|_| state.men < MEN) else { continue };
            (state.square[state.men], state.role[state.men]) = (square, man.role());
            state.aim(rules, state.men);
            state.men += 1;
        }
        state
    }

    /// What each man could reach at most on an empty board; of a pawn its file.
    pub fn reach(&self, rules: &Rules) -> [Bitboard; MEN] {
        std::array::from_fn(|man| match self.role[man] {
            Role::Pawn => Bitboard::file(self.square[man].file()),
            role => {
                let empty = Sight { occupied: Bitboard::EMPTY, own: Bitboard::EMPTY, passed: Bitboard::EMPTY };
                empty.aim(rules, self.side, role, self.square[man]).1
            }
        })
    }

    /// Works out what a man sees and where he can go.
    fn aim(&mut self, rules: &Rules, man: usize) {
        let sight = Sight {
            occupied: self.position.occupied(),
            own: self.position.of(self.side),
            passed: self.position.targets() & Bitboard::rank(self.side.relative_rank(5)),
        };
        (self.sight[man], self.targets[man]) = sight.aim(rules, self.side, self.role[man], self.square[man]);
    }

    /// The single moves of a man to a target: four where a pawn promotes.
    #[inline]
    pub fn moves(&self, man: usize, to: Square) -> impl Iterator<Item = SingleMove> + use<O> {
        moves(self.side, self.role[man], self.square[man], to, self.position.man(to).is_some())
    }

    /// The state after a man's move, which is no castling.
    pub fn after(&self, rules: &Rules, man: usize, mv: SingleMove) -> State<O> {
        let mut next = *self;
        next.position.displace(rules.variant, mv, &mut next.observer);
        next.square[man] = mv.to;
        next.spent += one_of(self.role[man]);
        next.left -= 1;
        next.role[man] = mv.promotion.unwrap_or(self.role[man]);
        next.line[next.made] = mv;
        next.made += 1;
        next.look_again(rules, self);
        next
    }

    /// The state after castling.
    pub fn castled(&self, rules: &Rules, mv: SingleMove) -> State<O> {
        let mut next = *self;
        next.position.displace(rules.variant, mv, &mut next.observer);
        let (king_file, rook_file) = mv.wing().files();
        for man in 0..next.men {
            if self.square[man] == mv.from {
                next.square[man] = Square::on(king_file, mv.from.rank());
            } else if self.square[man] == mv.to {
                next.square[man] = Square::on(rook_file, mv.from.rank());
            }
        }
        next.spent += one_of(Role::King) + one_of(Role::Rook);
        next.left -= 2;
        next.line[next.made] = mv;
        next.made += 1;
        next.look_again(rules, self);
        next
    }

    /// Works out anew what may have changed since the position before.
    #[inline]
    fn look_again(&mut self, rules: &Rules, before: &State<O>) {
        let occupied = self.position.occupied() ^ before.position.occupied();
        let own = self.position.of(self.side) ^ before.position.of(self.side);
        let changed = occupied | own | (self.position.targets() ^ before.position.targets());
        for man in 0..self.men {
            if self.sight[man].intersects(changed) || self.square[man] != before.square[man] {
                self.aim(rules, man);
            }
        }
    }
}

/// The single moves of a man from a square to a target: four where a pawn promotes.
#[inline]
pub fn moves(side: Color, role: Role, from: Square, to: Square, takes: bool) -> impl Iterator<Item = SingleMove> {
    let mut mv = SingleMove::new(from, to);
    let mut promotes = false;
    if role == Role::Pawn {
        promotes = to.rank() == side.relative_rank(7);
        if from.file() != to.file() && !takes {
            mv.kind = MoveKind::EnPassant;
        } else if from.rank().abs_diff(to.rank()) == 2 {
            mv.kind = MoveKind::DoubleStep;
        }
    }
    let count = if promotes { Role::PROMOTIONS.len() } else { 1 };
    Role::PROMOTIONS.into_iter().take(count).map(move |role| SingleMove { promotion: promotes.then_some(role), ..mv })
}

/// What a man's targets depend on besides himself.
#[derive(Clone, Copy)]
pub struct Sight {
    /// All occupied squares.
    pub occupied: Bitboard,
    /// Those of the mover.
    pub own: Bitboard,
    /// The en-passant targets that the mover may use.
    pub passed: Bitboard,
}

impl Sight {
    /// The squares of which a change may change a man's targets, and the targets.
    #[inline]
    pub fn aim(&self, rules: &Rules, side: Color, role: Role, from: Square) -> (Bitboard, Bitboard) {
        if role == Role::Pawn {
            return self.aim_pawn(side, from);
        }
        let sight = rules.sliders.man(role, from, self.occupied);
        (sight, sight & !self.own)
    }

    fn aim_pawn(&self, side: Color, from: Square) -> (Bitboard, Bitboard) {
        let ahead = |squares: Bitboard| match side {
            Color::White => Bitboard(squares.0 << 8),
            Color::Black => Bitboard(squares.0 >> 8),
        };
        let attacks = pawn_attacks(side, from);
        let third = Bitboard::rank(side.relative_rank(2));
        let one = ahead(from.bit());
        let step = one & !self.occupied;
        let double = ahead(step & third) & !self.occupied;
        let enemies = self.occupied & !self.own;
        (attacks | one | ahead(one & third), step | double | (attacks & (enemies | self.passed)))
    }
}
