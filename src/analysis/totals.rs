//! What several games come to: by seat and by player, luck and errors a game, and scores without luck.

use super::review::Review;
use std::collections::BTreeMap;
use std::fmt;

/// Numbers of which the mean is wanted.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    count: u64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, number: f64) {
        *self = Mean { count: self.count + 1, sum: self.sum + number, squares: self.squares + number * number };
    }

    fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    /// Half of the 95 % interval.
    fn error(&self) -> f64 {
        let count = self.count.max(1) as f64;
        1.96 * ((self.squares / count - self.mean().powi(2)).max(0.0) / count).sqrt()
    }
}

/// One seat's or one player's games.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    luck: Mean,
    error: Mean,
    score: Mean,
    adjusted: Mean,
    choices: u64,
    classes: [u64; 4],
}

/// Many games.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    games: u64,
    seats: [Line; 2],
    players: BTreeMap<String, Line>,
    rest: Mean,
}

impl Totals {
    /// Adds a game.
    pub fn add(&mut self, review: &Review) {
        self.games += 1;
        if let Some(rest) = review.rest {
            self.rest.add(rest);
        }
        let white = review.white();
        let scores = [white, white.map(|white| 1.0 - white)];
        for (((seat, name), player), score) in self.seats.iter_mut().zip(&review.names).zip(&review.players).zip(scores)
        {
            for line in [seat, self.players.entry(name.clone()).or_default()] {
                line.luck.add(player.luck);
                line.error.add(player.error);
                line.choices += u64::from(player.choices);
                line.classes.iter_mut().zip(player.classes).for_each(|(sum, count)| *sum += u64::from(count));
                if let (Some(score), Some(adjusted)) = (score, player.adjusted) {
                    line.score.add(score);
                    line.adjusted.add(adjusted);
                }
            }
        }
    }
}

fn line(f: &mut fmt::Formatter<'_>, name: &str, line: &Line) -> fmt::Result {
    let percent = |mean: &Mean| format!("{:.2} ± {:.2}", mean.mean() * 100.0, mean.error() * 100.0);
    let choices = line.choices.max(1) as f64;
    let shares = line.classes.map(|count| format!("{:.1}", count as f64 / choices * 100.0)).join(", ");
    write!(f, "{name}: luck {} a game, errors {}", percent(&line.luck), percent(&line.error))?;
    if line.score.count > 0 {
        write!(f, ", score {} %, without luck {} %", percent(&line.score), percent(&line.adjusted))?;
    }
    writeln!(f, "; fine, doubtful, mistakes, blunders {shares} %")
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} games; luck and errors in hundredths of a game, with 95 % intervals", self.games)?;
        for (seat, name) in self.seats.iter().zip(["White", "Black"]) {
            line(f, name, seat)?;
        }
        for (name, player) in &self.players {
            line(f, name, player)?;
        }
        write!(f, "Rest of White's result {:.2} ± {:.2}", self.rest.mean() * 100.0, self.rest.error() * 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Player;

    #[test]
    fn games_are_summed_by_seat_and_by_player() {
        let player = |luck, error| Player { luck, error, choices: 4, classes: [3, 0, 1, 0], adjusted: Some(0.5) };
        let mut review = Review {
            schema: 1,
            variant: "dicechess",
            names: ["A".to_string(), "B".to_string()],
            result: "1-0".to_string(),
            start: 0.5,
            players: [player(0.2, 0.1), player(-0.1, 0.3)],
            rest: Some(0.0),
            turns: Vec::new(),
        };
        let mut totals = Totals::default();
        totals.add(&review);
        review.names.swap(0, 1);
        totals.add(&review);
        let text = totals.to_string();
        for wanted in [
            "2 games;",
            "White: luck 20.00 ± 0.00 a game, errors 10.00 ± 0.00, score 100.00 ± 0.00 %",
            "A: luck 5.00 ± 20.79 a game, errors 20.00 ± 13.86, score 50.00 ± 69.30 %",
            "75.0, 0.0, 25.0, 0.0 %",
        ] {
            assert!(text.contains(wanted), "{wanted}: {text}");
        }
    }
}
