//! The rules read plainly: the recursion of rules.md section 1 over a board of squares, without bitboards, shared
//! lines or pruning. Slow and obvious; tests and benches hold the generator against it.

use super::{Rules, Turn};
use crate::board::{Color, Piece, Role, Square, attacks};
use crate::position::{MoveKind, Position, SingleMove, Ticket, Wing};
use crate::variant::{CastlingCost, CastlingRule, KingRule, PromotionRule, Use};

/// A complete line: what was moved, and the position before the turn is ended.
#[derive(Clone, Debug)]
pub struct Line {
    /// The single moves.
    pub moves: Vec<SingleMove>,
    /// The position after them.
    pub position: Position,
    spent: usize,
    decides: bool,
}

impl Line {
    /// The line as a turn.
    pub fn turn(&self) -> Turn {
        Turn::new(&self.moves)
    }
}

/// Every legal turn of a decision node, as the plain recursion finds them. A forced pass gives no line.
pub fn turns(rules: &Rules, position: &Position) -> Vec<Line> {
    let Some(side) = position.side() else { return Vec::new() };
    let mut lines = Vec::new();
    let start = Line { moves: Vec::new(), position: *position, spent: 0, decides: false };
    extend(rules, side, start, &mut lines);
    lines.retain(|line| line.spent > 0 || position.pool().is_optional());
    if rules.variant.usage == Use::Max {
        let most = lines.iter().filter(|line| !line.decides).map(|line| line.spent).max();
        lines.retain(|line| line.decides || (Some(line.spent) == most && !position.pool().spoilt));
    }
    lines
}

fn extend(rules: &Rules, side: Color, line: Line, lines: &mut Vec<Line>) {
    if line.decides {
        lines.push(line);
        return;
    }
    let moves: Vec<SingleMove> = payable(rules, &line.position, side);
    if moves.is_empty() || line.position.pool().is_optional() {
        lines.push(line.clone());
    }
    for mv in moves {
        let mut next = line.clone();
        next.position.play(rules.variant, mv, &mut ());
        next.moves.push(mv);
        next.spent += mv.cost(rules.variant);
        next.decides = next.position.decided(rules.variant).is_some();
        extend(rules, side, next, lines);
    }
}

/// The single moves that some ticket pays for and the king rule allows.
fn payable(rules: &Rules, position: &Position, side: Color) -> Vec<SingleMove> {
    let variant = rules.variant;
    let mut moves = Vec::new();
    for index in 0..64 {
        let from = Square::from_index_masked(index);
        let Some(man) = position.man(from).filter(|man| man.color() == side) else { continue };
        if position.pool().lock.is_some_and(|lock| lock != from) {
            continue;
        }
        let mut candidates = if man.role() == Role::Pawn { pawn(rules, position, from, side) } else { Vec::new() };
        if man.role() != Role::Pawn {
            candidates.extend(reach(position, from, man).into_iter().map(|to| SingleMove::new(from, to)));
        }
        candidates.retain(|mv| pays(rules, position, man.role(), *mv));
        moves.extend(candidates);
        if man.role() == Role::King {
            moves.extend(castling(rules, position, from, side));
        }
    }
    if matches!(variant.king, KingRule::Check | KingRule::CheckOrCapture) {
        moves.retain(|&mv| leaves_king_safe(rules, position, side, mv));
    }
    moves
}

fn pays(rules: &Rules, position: &Position, role: Role, mv: SingleMove) -> bool {
    let takes_king = position.man(mv.to).is_some_and(|man| man.role() == Role::King);
    let last_rank = role == Role::Pawn && matches!(mv.to.rank(), 0 | 7);
    position.pool().tickets().iter().any(|&ticket| {
        let by_role = ticket.admits(role);
        let by_face = rules.variant.promotion == PromotionRule::ByFace
            && last_rank
            && match mv.promotion {
                Some(promotion) => ticket.admits(promotion),
                None => takes_king && ticket.role().is_some_and(|face| face != Role::King),
            };
        let counts = !ticket.is_restricted() || role == Role::Pawn || position.man(mv.to).is_some();
        (by_role || by_face) && counts
    })
}

/// Where a man other than a pawn can go, friends excluded.
fn reach(position: &Position, from: Square, man: Piece) -> Vec<Square> {
    let far = matches!(man.role(), Role::Bishop | Role::Rook | Role::Queen);
    let directions: Vec<(i8, i8)> = match man.role() {
        Role::Knight => vec![(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
        Role::Bishop => attacks::BISHOP_DIRECTIONS.to_vec(),
        Role::Rook => attacks::ROOK_DIRECTIONS.to_vec(),
        _ => [attacks::ROOK_DIRECTIONS, attacks::BISHOP_DIRECTIONS].concat(),
    };
    let mut squares = Vec::new();
    for (files, ranks) in directions {
        let mut at = from;
        while let Some(next) = at.offset(files, ranks) {
            match position.man(next) {
                Some(other) if other.color() == man.color() => break,
                Some(_) => {
                    squares.push(next);
                    break;
                }
                None => squares.push(next),
            }
            if !far {
                break;
            }
            at = next;
        }
    }
    squares
}

fn pawn(rules: &Rules, position: &Position, from: Square, side: Color) -> Vec<SingleMove> {
    let forward = side.forward();
    let mut moves = Vec::new();
    let free = |square: &Square| position.man(*square).is_none();
    if let Some(one) = from.offset(0, forward).filter(free) {
        moves.push(SingleMove::new(from, one));
        let two = from.offset(0, 2 * forward).filter(free);
        if let (Some(to), true) = (two, from.rank() == side.relative_rank(1)) {
            moves.push(SingleMove { kind: MoveKind::DoubleStep, ..SingleMove::new(from, to) });
        }
    }
    for files in [-1, 1] {
        let Some(to) = from.offset(files, forward) else { continue };
        let passed = position.targets().has(to) && from.rank() == side.relative_rank(4);
        match position.man(to) {
            Some(man) if man.color() != side => moves.push(SingleMove::new(from, to)),
            None if passed => moves.push(SingleMove { kind: MoveKind::EnPassant, ..SingleMove::new(from, to) }),
            _ => {}
        }
    }
    let mut arrived = Vec::new();
    for mv in moves {
        let takes_king = position.man(mv.to).is_some_and(|man| man.role() == Role::King);
        let stays = takes_king || rules.variant.promotion == PromotionRule::Evaporate;
        if mv.to.rank() != side.relative_rank(7) || stays {
            arrived.push(mv);
        } else {
            let any = position.pool().admits(Role::Pawn) || rules.variant.promotion == PromotionRule::ByFace;
            arrived.extend(
                Role::PROMOTIONS.iter().filter(|_| any).map(|&role| SingleMove { promotion: Some(role), ..mv }),
            );
        }
    }
    arrived
}

fn castling(rules: &Rules, position: &Position, king: Square, side: Color) -> Vec<SingleMove> {
    let CastlingRule::On { cost, safe } = rules.variant.castling else { return Vec::new() };
    let tickets = position.pool().tickets();
    let count = |role: Role| tickets.iter().filter(|ticket| ticket.admits(role)).count();
    let payable = match cost {
        CastlingCost::KingAndRook => count(Role::King) > 0 && count(Role::Rook) > 0 && tickets.len() > 1,
        CastlingCost::King => count(Role::King) > 0,
        CastlingCost::KingOrRook => count(Role::King) + count(Role::Rook) > 0,
    };
    let restricted = tickets.iter().any(|ticket: &Ticket| ticket.is_restricted());
    let mut moves = Vec::new();
    for wing in Wing::ALL {
        let Some(rook) = position.castling_rook(side, wing).filter(|_| payable && !restricted) else { continue };
        let (king_file, rook_file) = wing.files();
        let files = |a: u8, b: u8| a.min(b)..=a.max(b);
        let on = |file: u8| Square::on(file, king.rank());
        let empty = files(king.file(), king_file)
            .chain(files(rook.file(), rook_file))
            .all(|file| on(file) == king || on(file) == rook || position.man(on(file)).is_none());
        // The king walks: is any square of his way attacked? On the rook's square he stands in its stead.
        let safe_walk = files(king.file(), king_file).all(|file| {
            let mut walker = *position;
            if on(file) != king {
                walker.displace(rules.variant, SingleMove::new(king, on(file)), &mut ());
            }
            !is_attacked(&walker, on(file), side)
        });
        if empty && (!safe || safe_walk) {
            moves.push(SingleMove { kind: MoveKind::Castle, ..SingleMove::new(king, rook) });
        }
    }
    moves
}

fn leaves_king_safe(rules: &Rules, position: &Position, side: Color, mv: SingleMove) -> bool {
    let takes_king = position.man(mv.to).is_some_and(|man| man.role() == Role::King && man.color() != side);
    if takes_king && rules.variant.king == KingRule::CheckOrCapture {
        return true;
    }
    let mut next = *position;
    next.displace(rules.variant, mv, &mut ());
    next.king(side).is_none_or(|king| !is_attacked(&next, king, side))
}

/// Whether an enemy of `side` attacks the square.
fn is_attacked(position: &Position, square: Square, side: Color) -> bool {
    (0..64).map(Square::from_index_masked).any(|from| match position.man(from) {
        Some(man) if man.color() == side => false,
        Some(man) if man.role() == Role::Pawn => {
            [-1, 1].into_iter().any(|files| from.offset(files, man.color().forward()) == Some(square))
        }
        Some(man) => reach(position, from, man).contains(&square),
        None => false,
    })
}

/// Whether a series is short enough for the plain recursion: as many lines, roughly, as the first move has choices to
/// the power of the tickets.
pub fn is_affordable(rules: &Rules, position: &Position) -> bool {
    let (Some(side), true) = (position.side(), rules.variant.is_series()) else { return true };
    let choices = payable(rules, position, side).len();
    choices.checked_pow(position.pool().len() as u32).is_some_and(|lines| lines <= 20_000)
}
