//! A review in words: a table for the terminal, and a record with remarks.

use super::review::{Class, Player, Review, TurnReview};
use crate::notation::GameRecord;
use std::fmt;

/// A share of a game with its sign, in hundredths.
pub fn points(share: f64) -> String {
    let points = share * 100.0;
    if points.abs() < 0.05 { "0.0".to_string() } else { format!("{points:+.1}") }
}

/// What a player's game comes to, in one line.
fn player(name: &str, player: &Player) -> String {
    let [fine, doubtful, mistakes, blunders] = player.classes;
    let adjusted = player.adjusted.map_or(String::new(), |adjusted| format!(", without luck {adjusted:.3}"));
    format!(
        "{name}: luck {}, errors {}{adjusted}; of {} turns {fine} fine, {doubtful} doubtful, {mistakes} mistakes, \
         {blunders} blunders",
        points(player.luck),
        points(-player.error),
        player.choices,
    )
}

/// The width of a column of turns.
const TURN: usize = 24;

fn row(turn: &TurnReview) -> String {
    let rolls = turn.rolls.join(" ");
    let before = turn.before.map_or(String::new(), |before| format!("{:.1}", before * 100.0));
    let luck = turn.luck.map_or(String::new(), points);
    let error = if turn.forced || turn.error < 0.0005 { String::new() } else { points(-turn.error) };
    let better = match (turn.class, turn.alternatives.first()) {
        (Class::Fine, _) | (_, None) => String::new(),
        (class, Some(best)) => format!("{}: {} {:.1}", class.word(), best.turn, best.expectation * 100.0),
    };
    let number = format!("{}{}", turn.number, turn.side);
    let line = format!(
        "{number:>5} {rolls:<5} {before:>6} {luck:>6}  {:<TURN$} {:>6} {error:>6}  {better}",
        turn.turn,
        format!("{:.1}", turn.played * 100.0),
    );
    line.trim_end().to_string()
}

impl fmt::Display for Review {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [white, black] = &self.names;
        writeln!(f, "{}: {white} against {black}, {}", self.variant, self.result)?;
        writeln!(f)?;
        writeln!(
            f,
            "{:>5} {:<5} {:>6} {:>6}  {:<TURN$} {:>6} {:>6}",
            "turn", "roll", "before", "luck", "played", "worth", "error"
        )?;
        self.turns.iter().try_for_each(|turn| writeln!(f, "{}", row(turn)))?;
        writeln!(f)?;
        for ((seat, name), game) in ["White", "Black"].into_iter().zip(&self.names).zip(&self.players) {
            writeln!(f, "{}", player(&format!("{seat} ({name})"), game))?;
        }
        if let Some(rest) = self.rest {
            let [white, black] = self.players;
            writeln!(
                f,
                "White's result {} = beginning {:.1}, luck {}, errors {}, rest {}",
                self.result,
                self.start * 100.0,
                points(white.luck - black.luck),
                points(black.error - white.error),
                points(rest)
            )?;
        }
        Ok(())
    }
}

/// Adds what a review has found to the record of the game.
pub fn annotate(record: &mut GameRecord, review: &Review) {
    for (turn, looked) in record.turns.iter_mut().zip(&review.turns) {
        turn.expectation = Some(looked.played);
        turn.luck = looked.luck;
        turn.error = (!looked.forced).then_some(looked.error);
        turn.glyph = looked.class.glyph().filter(|_| !looked.forced);
    }
    record.tags.retain(|(name, _)| name != "Annotator");
    record.tags.push(("Annotator".to_string(), format!("Hazard {}", env!("CARGO_PKG_VERSION"))));
}
