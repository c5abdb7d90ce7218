//! `hazard verify`: replays games by the rules and recomputes their dice and results.

use super::pgn::form_of;
use crate::arena::Entry;
use crate::arena::journal::{PENDING, Proof, proof};
use crate::arena::records::Form;
use crate::board::Color;
use crate::dice::{FairDice, Roll};
use crate::notation::{Assumed, GameRecord, TurnRecord};
use crate::turns::{Game, PlayError, Rules, Status};
use crate::variant::find;
use clap::Args;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What is to be verified, and by what.
#[derive(Args)]
pub struct VerifyArguments {
    /// Files of games; those that end with .jsonl or .json are JSON Lines, others PGN.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game where a record does not name one
    #[arg(long, default_value = "dicechess")]
    variant: String,
    /// The text of DiceSeed by which both engines played, where the record tells no dice: every move must obey it
    #[arg(long)]
    dice_seed: Option<String>,
}

/// What has been looked at.
#[derive(Default)]
struct Seen {
    games: usize,
    turns: usize,
    /// Rolls that were recomputed, and games whose secret is not told yet.
    rolls: usize,
    pending: usize,
    /// The numbers of games by match, and the commitments of pairs.
    numbers: BTreeMap<(String, String), usize>,
    commitments: BTreeMap<(String, String), String>,
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
        let mut seen = Seen::default();
        match verify(file, &assumed, &mut seen) {
            Ok(()) => {
                let Seen { games, turns, rolls, pending, .. } = seen;
                let waiting =
                    if pending > 0 { format!(", the dice of {pending} games pending") } else { String::new() };
                println!(
                    "{}: {games} games, {turns} turns, {rolls} rolls recomputed: verified{waiting}",
                    file.display()
                );
            }
            Err(fault) => {
                eprintln!("error: {}: {fault}", file.display());
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}

fn verify(file: &Path, assumed: &Assumed, seen: &mut Seen) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    match form_of(file) {
        Form::Pgn => {
            for (number, record) in (1..).zip(GameRecord::read_all_as(&text, assumed.clone())) {
                let at = |error: String| format!("game {number}, {error}");
                let record = record.map_err(|error| at(error.to_string()))?;
                seen.game(&record, number).map_err(at)?;
            }
        }
        Form::Json => {
            let whole = text.rfind('\n').map_or(0, |at| at + 1);
            if whole < text.len() {
                return Err(format!("it breaks off inside line {}", text.lines().count()));
            }
            for (number, line) in (1..).zip(text.lines()) {
                let at = |error: String| format!("line {number}, {error}");
                let record = Entry::parse(line).and_then(|entry| entry.record()).map_err(at)?;
                seen.game(&record, number).map_err(at)?;
            }
        }
    }
    if seen.games == 0 { Err("no game in it".to_string()) } else { Ok(()) }
}

impl Seen {
    /// Verifies a game.
    fn game(&mut self, record: &GameRecord, place: usize) -> Result<(), String> {
        let proof = proof(record)?;
        let mut dice = None;
        if let Some(proof) = &proof {
            if proof.seed == PENDING {
                self.pending += 1;
            } else {
                dice = Some(opened(proof)?);
            }
        }
        self.replay(record, dice.as_ref())?;
        self.games += 1;
        self.turns += record.turns.len();
        let Some(id) = record.tag("MatchId").map(str::to_string) else { return Ok(()) };
        let number = record.tag("GameNumber").unwrap_or_default().to_string();
        if let Some(other) = self.numbers.insert((id.clone(), number.clone()), place) {
            return Err(format!("game {number} of its match is also game {other} of the file"));
        }
        if let (Some(Proof { commit, .. }), Some(pair)) = (proof, record.tag("Pair")) {
            let known = self.commitments.entry((id, pair.to_string())).or_insert_with(|| commit.clone());
            if *known != commit {
                return Err(format!("pair {pair} was committed to by {known}, not {commit}"));
            }
        }
        Ok(())
    }

    /// Replays the turns with nothing implied, and holds the result against what they lead to.
    fn replay(&mut self, record: &GameRecord, dice: Option<&FairDice>) -> Result<(), String> {
        let variant = find(record.variant).ok_or("its variant is not known")?;
        let mut game = Game::new(Rules::new(variant), record.start);
        for (number, turn) in (1..).zip(&record.turns) {
            let at = |error: String| format!("turn {number}: {error}");
            self.throw(&mut game, &turn.rolls, dice).map_err(at)?;
            play(&mut game, turn).map_err(at)?;
        }
        self.throw(&mut game, &record.last_rolls, dice).map_err(|error| format!("after the last turn: {error}"))?;
        result_of(record, &game)
    }

    fn throw(&mut self, game: &mut Game, rolls: &[Roll], dice: Option<&FairDice>) -> Result<(), String> {
        for &roll in rolls {
            if let Status::Pass(side) = game.status() {
                return Err(format!("the pass of {} before the roll {roll} is missing", side.name()));
            }
            if let Some(dice) = dice {
                let ply = game.position().ply(game.rules().variant);
                let derived = dice.derive(ply, roll.dice().len(), game.rerolls());
                if let Some(derived) = derived.filter(|&derived| derived != roll) {
                    return Err(format!("the roll is {derived} by the revealed seed, not {roll}"));
                }
                self.rolls += 1;
            }
            game.roll(roll).map_err(|error| format!("roll {roll}: {error}"))?;
        }
        Ok(())
    }
}

/// The dice of a revealed seed, which must be the one that was committed to.
fn opened(proof: &Proof) -> Result<FairDice, String> {
    let [white, black] = &proof.clients;
    let dice = FairDice::from_hex(&proof.seed, white, black).map_err(|error| error.to_string())?;
    dice.verify(&proof.commit, []).map_err(|error| error.to_string())?;
    Ok(dice)
}

fn play(game: &mut Game, turn: &TurnRecord) -> Result<(), String> {
    let told = |error: PlayError| error.to_string();
    if turn.moves.is_empty() {
        return game.pass().map_err(told);
    }
    for (at, &mv) in turn.moves.iter().enumerate() {
        if let Status::Pass(side) = game.status() {
            return Err(format!("the pass of {} is missing", side.name()));
        }
        if at > 0 && game.made() == 0 {
            return Err("it goes on after its end".to_string());
        }
        game.play(mv).map_err(told)?;
    }
    Ok(())
}

/// Holds the result of a record against where its turns lead to.
fn result_of(record: &GameRecord, game: &Game) -> Result<(), String> {
    let result = record.result.as_str();
    if let Some(tag) = record.tag("Result").filter(|&tag| tag != result) {
        return Err(format!("its result is {tag} in the tag, and {result} behind the moves"));
    }
    let (termination, told) = (record.tag("Termination").unwrap_or_default(), record.tag("Outcome"));
    let loser = told.and_then(|told| {
        let forfeits = ["time forfeit", "rules infraction", "stalled connection", "abandoned"].contains(&termination);
        Color::ALL.into_iter().find(|side| forfeits && told.starts_with(side.name()))
    });
    if let Some(loser) = loser {
        let wanted = if loser == Color::White { "0-1" } else { "1-0" };
        return if result == wanted {
            Ok(())
        } else {
            Err(format!("{} has lost, but its result is {result}", loser.name()))
        };
    }
    match game.status() {
        Status::Over(outcome) if outcome.score() != result => Err(format!("its result is {outcome}, not {result}")),
        Status::Over(outcome) => match told.filter(|&told| told != outcome.reason.to_string()) {
            Some(told) => Err(format!("it ended by {}, not by {told}", outcome.reason)),
            None => Ok(()),
        },
        _ if termination == "normal" => Err(format!("its result is {result}, but the game is not over")),
        // What people or referees agree on may end a game at any moment.
        _ => Ok(()),
    }
}
