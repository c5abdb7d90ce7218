//! `hazard verify`: replays games by the rules.

use crate::dice::FairDice;
use crate::notation::{Assumed, GameRecord, TurnRecord};
use crate::turns::{Game, PlayError, Rules, Status};
use crate::variant::find;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What is to be verified, and by what.
#[derive(Args)]
pub struct VerifyArguments {
    /// PGN files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game where the record does not name one
    #[arg(long, default_value = "dicechess")]
    variant: String,
    /// The text of DiceSeed by which both engines played, where the record tells no dice: every move must obey it
    #[arg(long)]
    dice_seed: Option<String>,
}

/// What has been looked at.
#[derive(Default)]
struct Count {
    games: usize,
    turns: usize,
}

/// Verifies the files; the first fault of each is named.
pub fn run(arguments: &VerifyArguments) -> ExitCode {
    let Some(variant) = find(&arguments.variant) else {
        eprintln!("error: the variant '{}' is not known", arguments.variant);
        return ExitCode::from(2);
    };
    let assumed = Assumed { variant, dice: arguments.dice_seed.as_deref().map(FairDice::from_text) };
    let mut code = ExitCode::SUCCESS;
    for file in &arguments.files {
        let mut count = Count::default();
        match verify(file, &assumed, &mut count) {
            Ok(()) => println!("{}: {} games, {} turns: verified", file.display(), count.games, count.turns),
            Err(fault) => {
                eprintln!("error: {}: {fault}", file.display());
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}

fn verify(file: &Path, assumed: &Assumed, count: &mut Count) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    for (number, record) in (1..).zip(GameRecord::read_all_as(&text, assumed.clone())) {
        let record = record.map_err(|error| format!("game {number}, {error}"))?;
        result_of(&record).map_err(|error| format!("game {number}, {error}"))?;
        count.games += 1;
        count.turns += record.turns.len();
    }
    if count.games == 0 { Err("no game in it".to_string()) } else { Ok(()) }
}

/// Holds the result of a record against what its turns lead to.
fn result_of(record: &GameRecord) -> Result<(), String> {
    let variant = find(record.variant).ok_or("its variant is not known")?;
    if let Some(tag) = record.tag("Result").filter(|&tag| tag != record.result) {
        return Err(format!("its result is {tag} in the tag, and {} behind the moves", record.result));
    }
    let mut game = Game::new(Rules::new(variant), record.start);
    for turn in &record.turns {
        play(&mut game, turn)?;
    }
    for roll in &record.last_rolls {
        game.roll(*roll).map_err(|error| error.to_string())?;
    }
    match game.status() {
        Status::Over(outcome) if outcome.score() == record.result => Ok(()),
        Status::Over(outcome) => Err(format!("its result is {outcome}, not {}", record.result)),
        // A flag or an agreement may end a game at any moment.
        _ => Ok(()),
    }
}

fn play(game: &mut Game, turn: &TurnRecord) -> Result<(), String> {
    let told = |error: PlayError| error.to_string();
    turn.rolls.iter().try_for_each(|roll| game.roll(*roll)).map_err(told)?;
    if turn.moves.is_empty() {
        return game.pass().map_err(told);
    }
    turn.moves.iter().try_for_each(|&mv| game.play(mv)).map_err(told)
}
