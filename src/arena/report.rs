//! Results as people read them, in the form that users of fastchess know.

use super::sprt::{Decision, Sprt};
use super::stats::Tally;
use super::tournament::{Closing, Standings};

const RULE: &str = "--------------------------------------------------";

/// The lines of a match of two, or the table of one of several.
pub fn results(names: &[String], standings: &Standings, conditions: &str, sprt: Option<&Sprt>) -> Vec<String> {
    let mut lines = vec![RULE.to_string()];
    match (names, standings.tallies.get(&(0, 1))) {
        ([one, other], Some(tally)) => {
            lines.push(format!("Results of {one} vs {other} ({conditions}):"));
            lines.extend(duel(tally));
            lines.extend(sprt.map(|sprt| sprt.told(sprt.ratio(tally))));
        }
        _ => {
            lines.push(format!("Results ({conditions}):"));
            lines.extend(table(names, standings));
        }
    }
    lines.push(RULE.to_string());
    lines
}

fn duel(tally: &Tally) -> Vec<String> {
    let [won, drawn, lost] = tally.games;
    let (elo, normalized) = (tally.elo(), tally.normalized_elo());
    let games = tally.count();
    let percent = 100.0 * tally.points() / f64::from(games.max(1));
    let half = 100.0 * super::numbers::INVERSE_95 * tally.sample().error();
    let mut lines = vec![
        format!(
            "Elo: {:.2} +/- {:.2}, nElo: {:.2} +/- {:.2}",
            elo.value, elo.error, normalized.value, normalized.error
        ),
        format!(
            "LOS: {:.2} %, DrawRatio: {:.2} %, Score: {percent:.2} +/- {half:.2} %",
            100.0 * tally.likelihood_of_superiority(),
            100.0 * f64::from(drawn) / f64::from(games.max(1))
        ),
        format!(
            "Games: {games}, Wins: {won}, Losses: {lost}, Draws: {drawn}, Points: {:.1} ({percent:.2} %)",
            tally.points()
        ),
    ];
    if tally.pairs.iter().any(|&count| count > 0) {
        let pairs: Vec<String> = tally.pairs.iter().map(u32::to_string).collect();
        let saved = tally.saved_by_pairing();
        let saved = saved.map(|saved| format!(", PairGain: {saved:.2}")).unwrap_or_default();
        lines.push(format!("Ptnml(0-2): [{}]{saved}", pairs.join(", ")));
    }
    lines
}

/// All results of one engine put together.
fn total(standings: &Standings, index: usize) -> Tally {
    let mut sum = Tally::default();
    for (&(one, other), tally) in &standings.tallies {
        let (mut games, mut pairs) = (tally.games, tally.pairs);
        if other == index {
            games.reverse();
            pairs.reverse();
        } else if one != index {
            continue;
        }
        sum.games.iter_mut().zip(games).for_each(|(sum, count)| *sum += count);
        sum.pairs.iter_mut().zip(pairs).for_each(|(sum, count)| *sum += count);
    }
    sum
}

fn table(names: &[String], standings: &Standings) -> Vec<String> {
    let mut rows: Vec<(&String, Tally)> =
        names.iter().enumerate().map(|(index, name)| (name, total(standings, index))).collect();
    let share = |tally: &Tally| tally.points() / f64::from(tally.count().max(1));
    rows.sort_by(|(_, one), (_, other)| share(other).total_cmp(&share(one)));
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(4);
    let mut lines = vec![format!(
        "Rank {:<width$} {:>9} {:>8} {:>7} {:>8} {:>7}",
        "Name", "Elo", "+/-", "Games", "Points", "Score"
    )];
    for (rank, (name, tally)) in (1..).zip(&rows) {
        let elo = tally.elo();
        lines.push(format!(
            "{rank:>4} {name:<width$} {:>9.2} {:>8.2} {:>7} {:>8.1} {:>6.2}%",
            elo.value,
            elo.error,
            tally.count(),
            tally.points(),
            100.0 * share(tally)
        ));
    }
    lines
}

/// What is said at the very end.
pub fn closing(standings: &Standings, closing: &Closing) -> Vec<String> {
    let endings: Vec<String> = standings.endings.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    let [won, drawn, lost] = standings.white;
    let white = 100.0 * (f64::from(won) + f64::from(drawn) / 2.0) / standings.finished.max(1) as f64;
    let mean = standings.turns.0 as f64 / standings.finished.max(1) as f64;
    let mut lines = vec![
        format!("White: +{won} ={drawn} -{lost}, {white:.1} %"),
        format!("Turns: {mean:.1} a game, {} at most", standings.turns.1),
        format!("Ended by: {}", endings.join(", ")),
    ];
    lines.push(match closing {
        Closing::Complete => "Finished match".to_string(),
        Closing::Decided(Decision::H0) => "SPRT: H0 was accepted\nFinished match".to_string(),
        Closing::Decided(Decision::H1) => "SPRT: H1 was accepted\nFinished match".to_string(),
        Closing::Interrupted => "Interrupted match".to_string(),
        Closing::Crashed(what) => format!("Stopped match: {what} (-recover plays on)"),
    });
    lines
}
