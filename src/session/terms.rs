//! What `eval` and `threat` say.

use crate::board::{Color, Role};
use crate::eval::{Evaluator, material, with_danger};
use crate::position::{Pool, Position};
use crate::turns::{Game, Rules, Status, Threat};

/// How many moves of a series are looked through for its danger.
const SERIES: usize = 4;

/// The odds that the next roll takes a king.
pub fn threat(game: &Game) -> Vec<String> {
    let (rules, position) = (game.rules(), game.position());
    // A king that is gone threatens nobody and is threatened by nobody.
    let threat = if position.decided(rules.variant).is_some() { Threat::None } else { rules.threat(position) };
    match threat {
        Threat::None => vec!["threat none".to_string()],
        Threat::Mover(odds) => vec![format!("threat king {odds}")],
        Threat::Both(white, black) => vec![format!("threat king w {white}"), format!("threat king b {black}")],
    }
}

/// The static evaluation and what goes into it.
pub fn evaluation(game: &Game, evaluator: &dyn Evaluator) -> Vec<String> {
    let (rules, position) = (game.rules(), game.position());
    let view = position.side().unwrap_or(Color::White);
    let mut lines = vec![format!("eval view {}", view.letter())];
    if let Status::Over(outcome) = game.status() {
        lines.push(format!("eval result {outcome}"));
        return lines;
    }
    lines.push(format!("eval material {}", material(rules.variant, position, view)));
    lines.extend(threat(game).into_iter().map(|line| format!("eval {line}")));
    if let (Threat::Mover(_), Some(side)) = (rules.threat_within(position, 1), position.side()) {
        let mut other = *position;
        other.set_allowance(side.other(), Pool::EMPTY);
        if let Threat::Mover(odds) = rules.threat(&other) {
            lines.push(format!("eval counterthreat king {odds}"));
        }
    }
    lines.push(format!("eval by {}", if evaluator.network().is_some() { "network" } else { "hand" }));
    let value = evaluator.evaluate(rules, position, view);
    lines.push(format!("eval quiet expectation {:.4}", evaluator.quiet(rules, position, view).expectation()));
    lines.extend(terms(rules, position, view, evaluator));
    // Where the dice are known the danger of a roll is none of this turn's.
    let score =
        if position.awaits_roll() { with_danger(evaluator, rules, position, view, value, SERIES) } else { value };
    lines.push(format!("eval cp {} expectation {:.4}", score.centipawns(), score.expectation()));
    lines
}

/// What the men of each kind are worth: by how much the expectation falls without them.
fn terms(rules: &Rules, position: &Position, view: Color, evaluator: &dyn Evaluator) -> Vec<String> {
    let whole = evaluator.evaluate(rules, position, view).expectation();
    let mut lines = Vec::new();
    for color in [view, view.other()] {
        let mut words = String::new();
        for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let men = position.men(color, role);
            if !men.is_empty() {
                let without = evaluator.evaluate(rules, &position.without(men), view).expectation();
                words.push_str(&format!(" {} {:+.4}", role.letter_of(color), whole - without));
            }
        }
        if !words.is_empty() {
            lines.push(format!("eval men{words}"));
        }
    }
    lines
}
