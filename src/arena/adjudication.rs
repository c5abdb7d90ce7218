//! When the referee ends a game by itself: by the scores that the players give, or by its length.

use crate::board::Color;
use std::fmt;

/// The terms of a match; what is none never ends a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Terms {
    /// A draw when both see it so.
    pub draw: Option<DrawTerms>,
    /// A loss of a side that sees it so.
    pub resign: Option<ResignTerms>,
    /// A draw after so many turns of both sides, passes included.
    pub turns: Option<usize>,
}

/// Scores near zero for long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawTerms {
    /// Not before this move number.
    pub number: u16,
    /// So many turns in a row of each side.
    pub count: u32,
    /// Centipawns within which both are.
    pub score: i32,
}

/// Hopeless scores for long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignTerms {
    /// So many turns in a row of the losing side.
    pub count: u32,
    /// Centipawns below zero.
    pub score: i32,
    /// Whether the other side must agree.
    pub twosided: bool,
}

/// How the referee ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Adjudication {
    /// The scores of both sides say that it is a draw.
    Draw,
    /// The scores say that a side has won.
    Win(Color),
    /// It lasted too long.
    Length,
}

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Adjudication::Draw => f.write_str("draw by adjudication"),
            Adjudication::Win(winner) => write!(f, "{} wins by adjudication", winner.name()),
            Adjudication::Length => f.write_str("draw by the limit of turns"),
        }
    }
}

/// Hears the scores of one game.
pub struct Judge<'a> {
    terms: &'a Terms,
    /// Turns in a row in which a side was within the draw's score, below the loss's, above the win's.
    level: [u32; 2],
    lost: [u32; 2],
    won: [u32; 2],
}

impl<'a> Judge<'a> {
    /// For a new game.
    pub fn new(terms: &'a Terms) -> Judge<'a> {
        Judge { terms, level: [0; 2], lost: [0; 2], won: [0; 2] }
    }

    /// A side gave a score for its turn; none breaks every row.
    pub fn hear(&mut self, side: Color, cp: Option<i32>) {
        let row = |count: &mut [u32; 2], holds: bool| {
            if let Some(count) = count.get_mut(side.index()) {
                *count = if holds { *count + 1 } else { 0 };
            }
        };
        let draw = self.terms.draw.zip(cp).is_some_and(|(terms, cp)| cp.abs() <= terms.score);
        row(&mut self.level, draw);
        row(&mut self.lost, self.terms.resign.zip(cp).is_some_and(|(terms, cp)| cp <= -terms.score));
        row(&mut self.won, self.terms.resign.zip(cp).is_some_and(|(terms, cp)| cp >= terms.score));
    }

    /// Whether the game ends here.
    pub fn verdict(&self, number: u16, turns: usize) -> Option<Adjudication> {
        if let Some(resign) = self.terms.resign {
            for loser in Color::ALL {
                let count = |row: &[u32; 2], side: Color| row.get(side.index()).copied().unwrap_or(0);
                let agreed = !resign.twosided || count(&self.won, loser.other()) >= resign.count;
                if count(&self.lost, loser) >= resign.count && agreed {
                    return Some(Adjudication::Win(loser.other()));
                }
            }
        }
        let level = self
            .terms
            .draw
            .is_some_and(|draw| number >= draw.number && self.level.iter().all(|&count| count >= draw.count));
        if level {
            return Some(Adjudication::Draw);
        }
        self.terms.turns.is_some_and(|most| turns >= most).then_some(Adjudication::Length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_scores_end_games() {
        let draw = DrawTerms { number: 10, count: 2, score: 5 };
        let resign = ResignTerms { count: 2, score: 600, twosided: true };
        let terms = Terms { draw: Some(draw), resign: Some(resign), turns: Some(100) };
        let mut judge = Judge::new(&terms);
        for (side, cp) in [(Color::White, 5), (Color::Black, -5), (Color::White, 0), (Color::Black, 3)] {
            assert_eq!(judge.verdict(12, 10), None);
            judge.hear(side, Some(cp));
        }
        assert_eq!(judge.verdict(9, 10), None);
        assert_eq!(judge.verdict(12, 10), Some(Adjudication::Draw));
        judge.hear(Color::White, None);
        assert_eq!(judge.verdict(12, 10), None);
        for (side, cp) in [(Color::White, -700), (Color::White, -600), (Color::Black, 650)] {
            judge.hear(side, Some(cp));
            assert_eq!(judge.verdict(12, 10), None);
        }
        judge.hear(Color::Black, Some(600));
        assert_eq!(judge.verdict(12, 10), Some(Adjudication::Win(Color::Black)));
        assert_eq!(Judge::new(&terms).verdict(50, 100), Some(Adjudication::Length));
    }
}
