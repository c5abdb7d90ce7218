//! The answer to `d`: the board and the state as people read them.

use crate::board::Square;
use crate::notation::to_dfen;
use crate::turns::{Game, Status};

/// The lines of the picture.
pub fn picture(game: &Game) -> Vec<String> {
    let (rules, position) = (game.rules(), game.position());
    let mut lines = Vec::new();
    for rank in (0..8).rev() {
        let men: Vec<String> = (0..8)
            .map(|file| position.man(Square::on(file, rank)).map_or('.', |man| man.letter()).to_string())
            .collect();
        lines.push(format!("{}  {}", rank + 1, men.join(" ")));
    }
    lines.push("   a b c d e f g h".to_string());
    lines.push(format!("variant {} ({})", rules.variant.name, rules.variant.summary));
    lines.push(format!("dfen {}", to_dfen(rules, position)));
    lines.push(format!("key {:016x}", position.key()));
    lines.push(match game.status() {
        Status::Over(outcome) => format!("due nothing: {outcome}"),
        Status::Roll => match (position.side(), game.void_roll()) {
            (_, Some(roll)) => format!("due a roll again: {roll} does not count"),
            (Some(side), None) => format!("due a roll of {}", side.name()),
            (None, None) => "due a throw of both sides".to_string(),
        },
        Status::Pass(side) => format!("due a forced pass of {}", side.name()),
        Status::Decide(side) => format!("due a turn of {}", side.name()),
    });
    lines
}
