//! `hazard duel`: reference players against each other, to hold rules, dice and players against published results.

use super::builtin::Builtin;
use crate::arena::{Duel, Tally, duel, score};
use crate::eval::Reference;
use crate::turns::Rules;
use crate::variant::{Variant, find};
use clap::Args;

/// What `hazard duel` takes.
#[derive(Args)]
pub struct DuelArguments {
    /// The game.
    #[arg(long, default_value = "dicechess", value_parser = variant)]
    variant: &'static Variant,
    /// The first player: random, greedy, cautious or aggressive.
    #[arg(long, default_value = "aggressive", value_parser = player)]
    first: Reference,
    /// The second player.
    #[arg(long, default_value = "greedy", value_parser = player)]
    second: Reference,
    /// How many games, colours alternating.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The seed of dice and players.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many threads play; the result does not depend on it.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
}

fn variant(name: &str) -> Result<&'static Variant, String> {
    find(name).ok_or_else(|| "no such variant".to_string())
}

fn player(name: &str) -> Result<Reference, String> {
    Reference::parse(name).ok_or_else(|| "not one of random, greedy, cautious, aggressive".to_string())
}

/// Plays the games and gives the lines to print.
pub fn run(arguments: &DuelArguments) -> Result<Vec<String>, String> {
    let &DuelArguments { variant, first, second, games, seed, threads } = arguments;
    let asked = Duel { rules: Rules::new(variant), games, seed, threads };
    let seat = |is_first, seed| Builtin::new(if is_first { first } else { second }, seed);
    let tally = duel(&asked, &seat).map_err(|error| error.to_string())?;
    Ok(lines(arguments, &tally))
}

fn lines(arguments: &DuelArguments, tally: &Tally) -> Vec<String> {
    let percent = |results| {
        let (mean, error) = score(results);
        format!("{:.1} % ± {:.1}", 100.0 * mean, 100.0 * 1.96 * error)
    };
    let [won, drawn, lost] = tally.results;
    let [white_won, white_drawn, white_lost] = tally.white;
    let reasons: Vec<String> = tally.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    let mean = tally.turns as f64 / f64::from(tally.games().max(1));
    vec![
        format!(
            "{}: {} against {}, {} games: +{won} ={drawn} -{lost}, {}",
            arguments.variant.name,
            arguments.first.name(),
            arguments.second.name(),
            tally.games(),
            percent(tally.results)
        ),
        format!("White: +{white_won} ={white_drawn} -{white_lost}, {}", percent(tally.white)),
        format!("turns: {mean:.1} a game, {} at most", tally.longest),
        format!("ended by: {}", reasons.join(", ")),
    ]
}
