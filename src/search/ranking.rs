//! The best few turns of a search, as a list.

use super::root::{Request, think};
use crate::eval::Score;
use crate::turns::Turn;
use std::sync::atomic::AtomicBool;

/// The best turns of a decision with their values for the side to move, the one to play first, by the deepest iteration:
/// as many as the request has lines, fewer where the search knows no more. Empty before a roll.
pub fn ranked(request: &Request, stop: &AtomicBool) -> Vec<(Turn, Score)> {
    let mut found: Vec<(u32, u32, Turn, Score)> = Vec::new();
    let report = think(request, stop, &mut |info| {
        let rank = info.rank.unwrap_or(1);
        // An iteration that was cut off may say the best anew.
        found.retain(|(depth, known, ..)| *depth == info.depth && *known != rank);
        found.extend(info.turn.map(|turn| (info.depth, rank, turn, info.score)));
    });
    found.sort_by_key(|(_, rank, ..)| *rank);
    let mut turns: Vec<(Turn, Score)> = found.into_iter().map(|(_, _, turn, score)| (turn, score)).collect();
    if let Some(best) = report.turn {
        match turns.iter().position(|(turn, _)| *turn == best) {
            Some(at) => turns[..=at].rotate_right(1),
            None => turns.insert(0, (best, Score::DRAW)),
        }
    }
    turns.truncate(request.lines.max(1));
    turns
}

#[cfg(test)]
mod tests {
    use super::super::Table;
    use super::*;
    use crate::eval::Choice;
    use crate::limits::Limits;
    use crate::notation::Style;
    use crate::notation::apply;
    use crate::position::Position;
    use crate::turns::{Game, Rules};
    use crate::variant::find;

    #[test]
    fn turns_come_best_first() {
        let rules = Rules::new(find("dicechess").unwrap());
        let mut game = Game::new(rules, Position::start(rules.variant));
        apply(&mut game, "124", Style::Orthodox).unwrap();
        let (choice, table, stop) = (Choice::Own("dicechess"), Table::new(1), AtomicBool::new(false));
        for depth in 1..=2 {
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let request = Request { lines: 5, ..Request::new(&rules, game.position(), choice.get(), &table, &limits) };
            let turns = ranked(&request, &stop);
            assert_eq!(turns.len(), 5);
            assert!(turns.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{turns:?}");
        }
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let waiting = Position::start(rules.variant);
        assert!(ranked(&Request::new(&rules, &waiting, choice.get(), &table, &limits), &stop).is_empty());
    }
}
