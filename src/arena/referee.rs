//! The referee: it alone throws the dice, holds every turn against the rules and the clocks, and says how a game ended,
//! apart from its score.

use super::adjudication::{Adjudication, Judge};
use super::clock::{Clock, Pace};
use super::player::{Answer, Ask, Fault, Moves, Player, Thought};
use crate::board::Color;
use crate::dice::{DiceStream, Roll};
use crate::notation::{Style, TurnRecord, apply, move_text, shown, turn_text};
use crate::position::{Outcome, Position, SingleMove};
use crate::turns::{Game, PlayError, Rules, Status};
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How a game came to its end, the score apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By the rules.
    Rules(Outcome),
    /// A side broke the rules.
    Illegal(Color, String),
    /// A side's time ran out.
    Time(Color),
    /// A side did not answer at all.
    Stalled(Color),
    /// A side's process ended, or could not be started.
    Disconnected(Color, String),
    /// The scores that both sides gave, or the length of the game.
    Adjudicated(Adjudication),
    /// The match was ended.
    Interrupted,
}

impl Ending {
    /// The winner; none in a draw, or where there is no result.
    pub fn winner(&self) -> Option<Color> {
        match self {
            Ending::Rules(outcome) => outcome.winner,
            Ending::Illegal(loser, _)
            | Ending::Time(loser)
            | Ending::Stalled(loser)
            | Ending::Disconnected(loser, _) => Some(loser.other()),
            Ending::Adjudicated(Adjudication::Win(winner)) => Some(*winner),
            Ending::Adjudicated(_) | Ending::Interrupted => None,
        }
    }

    /// `1-0`, `0-1`, `1/2-1/2`, or `*` where there is none.
    pub fn result(&self) -> &'static str {
        match (self, self.winner()) {
            (Ending::Interrupted, _) => "*",
            (_, Some(Color::White)) => "1-0",
            (_, Some(Color::Black)) => "0-1",
            (_, None) => "1/2-1/2",
        }
    }

    /// What the PGN tag `Termination` says.
    pub fn termination(&self) -> &'static str {
        match self {
            Ending::Rules(_) => "normal",
            Ending::Illegal(..) => "rules infraction",
            Ending::Time(_) => "time forfeit",
            Ending::Stalled(_) => "stalled connection",
            Ending::Disconnected(..) => "abandoned",
            Ending::Adjudicated(_) => "adjudication",
            Ending::Interrupted => "unterminated",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Rules(outcome) => write!(f, "{}", outcome.reason),
            Ending::Illegal(loser, what) => write!(f, "{} makes an illegal move: {what}", loser.name()),
            Ending::Time(loser) => write!(f, "{} loses on time", loser.name()),
            Ending::Stalled(loser) => write!(f, "{} does not answer", loser.name()),
            Ending::Disconnected(loser, what) => write!(f, "{} disconnects: {what}", loser.name()),
            Ending::Adjudicated(adjudication) => write!(f, "{adjudication}"),
            Ending::Interrupted => f.write_str("the match was interrupted"),
        }
    }
}

/// A turn as it was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Who.
    pub side: Color,
    /// Rolls and moves, the clock and the expectation.
    pub record: TurnRecord,
    /// How long it took.
    pub time: Duration,
    /// What the player thought.
    pub thought: Thought,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Match {
    /// The turns, passes included.
    pub turns: Vec<Played>,
    /// Throws after the last turn.
    pub last_rolls: Vec<Roll>,
    /// How it ended.
    pub ending: Ending,
}

/// What the games of a match have in common.
#[derive(Clone, Debug)]
pub struct Terms {
    /// How castling is written.
    pub style: Style,
    /// When the referee ends games by itself.
    pub adjudication: super::adjudication::Terms,
    /// How long an engine without a clock may take for a turn.
    pub patience: Duration,
}

/// A game under the referee's hands.
struct Table<'a> {
    game: Game,
    start: Option<&'a str>,
    tokens: Vec<String>,
    rolls: Vec<Roll>,
    turns: Vec<Played>,
    clocks: [Clock; 2],
    terms: &'a Terms,
    halt: &'a AtomicBool,
}

/// Plays a game to its end between White and Black. `start` is the position's DFEN where it is not the array.
pub fn play_game(
    rules: Rules,
    start: (Position, Option<&str>),
    players: [&mut dyn Player; 2],
    paces: [&Pace; 2],
    dice: &mut dyn DiceStream,
    terms: &Terms,
    halt: &AtomicBool,
) -> Match {
    let mut table = Table {
        game: Game::new(rules, start.0),
        start: start.1,
        tokens: Vec::new(),
        rolls: Vec::new(),
        turns: Vec::new(),
        clocks: paces.map(Clock::new),
        terms,
        halt,
    };
    let ending = table.play(players, dice);
    Match { turns: table.turns, last_rolls: table.rolls, ending }
}

impl Table<'_> {
    fn play(&mut self, players: [&mut dyn Player; 2], dice: &mut dyn DiceStream) -> Ending {
        let [white, black] = players;
        let mut judge = Judge::new(&self.terms.adjudication);
        loop {
            match self.game.status() {
                Status::Over(outcome) => return Ending::Rules(outcome),
                Status::Roll => match self.game.roll_from(dice) {
                    Ok(roll) => {
                        self.tokens.push(roll.to_string());
                        self.rolls.push(roll);
                    }
                    // Dice of the referee never end, and a roll is due: the game cannot go on.
                    Err(_) => return Ending::Interrupted,
                },
                Status::Pass(side) => {
                    if self.game.pass().is_err() {
                        return Ending::Interrupted;
                    }
                    self.tokens.push("0000".to_string());
                    self.note(side, Vec::new(), Duration::ZERO, Thought::default());
                }
                Status::Decide(side) => {
                    let player: &mut dyn Player = if side == Color::White { white } else { black };
                    match self.decide(side, player) {
                        Ok(thought) => judge.hear(side, thought.centipawns()),
                        Err(ending) => return ending,
                    }
                }
            }
            if let Some(adjudication) = judge.verdict(self.game.position().fullmove(), self.turns.len()) {
                // What the rules have decided stands.
                return match self.game.status() {
                    Status::Over(outcome) => Ending::Rules(outcome),
                    _ => Ending::Adjudicated(adjudication),
                };
            }
        }
    }

    fn note(&mut self, side: Color, moves: Vec<SingleMove>, time: Duration, thought: Thought) {
        let clock = self.clocks.get(side.index()).and_then(Clock::left);
        let rolls = std::mem::take(&mut self.rolls);
        let record = TurnRecord { rolls, moves, clock, expectation: thought.expectation, ..TurnRecord::default() };
        self.turns.push(Played { side, record, time, thought });
    }

    /// Asks for a turn until it is whole, plays it and takes its time off the clock.
    fn decide(&mut self, side: Color, player: &mut dyn Player) -> Result<Thought, Ending> {
        let start = Instant::now();
        let limit = self.clocks.get(side.index()).and_then(Clock::deadline);
        let deadline = start + limit.unwrap_or(self.terms.patience);
        let mut played: Vec<SingleMove> = Vec::new();
        let mut first_thought = None;
        let mut taken = Duration::ZERO;
        loop {
            let ask = Ask {
                game: &self.game,
                start: self.start,
                tokens: &self.tokens,
                limits: &Clock::limits(&self.clocks, side),
                style: self.terms.style,
                deadline,
                halt: self.halt,
            };
            let Answer { moves, thought, time } = player.turn(&ask).map_err(|fault| match fault {
                Fault::Overdue if limit.is_some() => Ending::Time(side),
                Fault::Overdue => Ending::Stalled(side),
                Fault::Illegal(what) => Ending::Illegal(side, what),
                Fault::Halted => Ending::Interrupted,
                Fault::Start(what) | Fault::Disconnected(what) => Ending::Disconnected(side, what),
            })?;
            taken += time;
            first_thought.get_or_insert(thought);
            let made = self.game.made();
            self.take(&moves, &mut played).map_err(|what| Ending::Illegal(side, what))?;
            let whole = self.game.made() == 0 || !matches!(self.game.status(), Status::Decide(_));
            if whole {
                break;
            }
            if self.game.made() == made {
                return Err(Ending::Illegal(side, "it names no move".to_string()));
            }
        }
        let fell = self.clocks.get_mut(side.index()).is_some_and(|clock| clock.spend(taken).is_err());
        let thought = first_thought.unwrap_or_default();
        self.note(side, played, taken, thought.clone());
        if fell { Err(Ending::Time(side)) } else { Ok(thought) }
    }

    /// Plays an answer, perhaps only a part of a turn. What comes after the turn's end is not heard.
    fn take(&mut self, moves: &Moves, played: &mut Vec<SingleMove>) -> Result<(), String> {
        match moves {
            Moves::Turn(turn) => {
                let text = turn_text(turn.moves(), self.terms.style, ",");
                let wrong = |error: PlayError| format!("'{text}': {error}");
                if turn.is_pass() {
                    self.game.pass().map_err(wrong)?;
                }
                for &mv in turn.moves() {
                    self.game.play(mv).map_err(wrong)?;
                    played.push(mv);
                }
                self.tokens.push(text);
            }
            Moves::Text(words) => {
                if words.is_empty() {
                    return Err("it names no move".to_string());
                }
                for word in words.iter().flat_map(|word| word.split(',')) {
                    self.take_word(word, played)?;
                    if self.game.made() == 0 {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    fn take_word(&mut self, word: &str, played: &mut Vec<SingleMove>) -> Result<(), String> {
        let before = self.game.clone();
        let is_roll = word.starts_with(|letter: char| letter.is_ascii_digit() && letter != '0');
        if is_roll || word.bytes().all(|byte| byte.is_ascii_uppercase()) {
            return Err(format!("'{}': no move, and the dice are not the engine's", shown(word)));
        }
        apply(&mut self.game, word, self.terms.style).map_err(|error| error.to_string())?;
        self.tokens.push(word.to_string());
        if word != "0000" {
            let mut moves = Vec::new();
            before.rules().single_moves(before.position(), &mut moves);
            let named = |mv: &SingleMove| move_text(*mv, self.terms.style) == word;
            played.extend(moves.into_iter().find(named));
        }
        Ok(())
    }
}
