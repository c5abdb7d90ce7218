//! `hazard play`: a game in the terminal, by hand against the engine, or by two hands.

use super::common::{choice, ended, game, position_of, unwritten};
use crate::board::{Color, Square};
use crate::dice::{Face, Seeded};
use crate::eval::Choice;
use crate::limits::Limits;
use crate::notation::{Style, apply, move_text, parse_san, san, shown, to_dfen, turn_text};
use crate::position::{Position, SingleMove};
use crate::search::{Request, Table, ranked};
use crate::turns::{Game, Rules, Status, Turn};
use clap::{Args, ValueEnum};
use rand::TryRng;
use rand::rngs::SysRng;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Who plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Seat {
    White,
    Black,
    /// Both sides are played by hand
    Both,
    /// Neither: the engine plays against itself
    None,
}

/// The game, and against whom.
#[derive(Args)]
pub struct PlayArguments {
    /// The game
    #[arg(long, default_value = "dicechess")]
    variant: String,
    /// Which side you play
    #[arg(long, value_enum, default_value = "white")]
    side: Seat,
    /// How long the engine thinks, in milliseconds
    #[arg(long, default_value_t = 500)]
    movetime: u64,
    /// The engine's level, 400 to 1300; at full strength where nothing is said
    #[arg(long, value_parser = clap::value_parser!(u32).range(400..=1300))]
    elo: Option<u32>,
    /// What the dice follow from; the system's randomness where nothing is said
    #[arg(long)]
    seed: Option<u64>,
    /// Where it begins (DFEN or FEN)
    #[arg(long)]
    fen: Option<String>,
    /// Show the men as letters instead of figures
    #[arg(long)]
    ascii: bool,
    /// A file with the network that plays
    #[arg(long)]
    net: Option<PathBuf>,
}

/// Plays a game.
pub fn run(arguments: &PlayArguments) -> ExitCode {
    ended(Parlour::new(arguments).and_then(|mut table| table.sit()))
}

/// What a person may type.
const HELP: &str = "\
  a number            makes that move
  e2e4 or Nf3         makes a move; e2e4,g1f3,f1c4 makes a whole turn
  pass                passes, where the rules allow it
  hint                says what the engine would play, and what it expects
  undo                takes back the last move, or your last turn
  board  moves  fen   shows the position again
  new  quit  help";

/// The terminal, the game, and all that is needed to go on.
struct Parlour<'a> {
    arguments: &'a PlayArguments,
    rules: Rules,
    start: Position,
    game: Game,
    /// Where a person had to choose, with the rolls that had fallen.
    past: Vec<Game>,
    choice: Choice,
    table: Table,
    dice: Seeded,
}

/// What became of a line that was typed.
enum Typed {
    /// Something was played.
    Played,
    /// Nothing, ask again.
    Again,
    /// Enough.
    Quit,
}

impl<'a> Parlour<'a> {
    fn new(arguments: &'a PlayArguments) -> Result<Parlour<'a>, String> {
        let variant = game(&arguments.variant)?;
        let rules = Rules::new(variant);
        let start = position_of(&rules, arguments.fen.as_slice())?;
        let seed = match arguments.seed {
            Some(seed) => seed,
            None => SysRng.try_next_u64().map_err(|error| format!("the system gives no randomness: {error}"))?,
        };
        Ok(Parlour {
            arguments,
            rules,
            start,
            game: Game::new(rules, start),
            past: Vec::new(),
            choice: choice(arguments.net.as_ref(), variant)?,
            table: Table::new(16),
            dice: Seeded::new(seed),
        })
    }

    fn is_by_hand(&self, side: Color) -> bool {
        match self.arguments.side {
            Seat::White => side == Color::White,
            Seat::Black => side == Color::Black,
            Seat::Both => true,
            Seat::None => false,
        }
    }

    /// The whole evening.
    fn sit(&mut self) -> Result<(), String> {
        let variant = self.rules.variant;
        say(&format!("{}: {}. 'help' says what you can type.", variant.name, variant.summary))?;
        loop {
            match self.game.status() {
                Status::Roll => self.throw()?,
                Status::Pass(side) => {
                    say(&format!("{} has no move and passes.", side.name()))?;
                    self.game.pass().map_err(|error| error.to_string())?;
                }
                Status::Decide(side) if self.is_by_hand(side) => {
                    self.show(side)?;
                    loop {
                        match self.ask(side)? {
                            Typed::Played => break,
                            Typed::Again => {}
                            Typed::Quit => return Ok(()),
                        }
                    }
                }
                Status::Decide(side) => self.engine(side)?,
                Status::Over(outcome) => {
                    say(&self.board())?;
                    say(&format!("The game is over: {outcome}."))?;
                    if self.arguments.side == Seat::None || !self.after_the_end()? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Throws, and says what fell.
    fn throw(&mut self) -> Result<(), String> {
        let who = self.game.position().side().map_or("Both", Color::name);
        let roll = self.game.roll_from(&mut self.dice).map_err(|error| error.to_string())?;
        let letters = self.rules.variant.has_letter_rolls();
        let named = |die: &Face| {
            if letters { format!("{}{}", die.number(), die.role().letter()) } else { die.number().to_string() }
        };
        let dice = roll.dice().iter().map(named).collect::<Vec<_>>().join(", ");
        let again = if self.game.void_roll().is_some() { ", which does not count" } else { "" };
        say(&format!("\n{who} rolled {dice}{again}."))
    }

    fn moves(&self) -> Vec<SingleMove> {
        let mut moves = Vec::new();
        self.rules.single_moves(self.game.position(), &mut moves);
        moves.retain(|&mv| self.rules.step(self.game.position(), mv).is_some());
        moves.sort_by_cached_key(|&mv| move_text(mv, Style::Orthodox));
        moves
    }

    fn board(&self) -> String {
        let position = self.game.position();
        let flipped = self.arguments.side == Seat::Black;
        let files: Vec<u8> = if flipped { (0..8).rev().collect() } else { (0..8).collect() };
        let ranks: Vec<u8> = if flipped { (0..8).collect() } else { (0..8).rev().collect() };
        let mut lines = Vec::new();
        for rank in ranks {
            let men = files.iter().map(|&file| match position.man(Square::on(file, rank)) {
                Some(man) if self.arguments.ascii => man.letter(),
                Some(man) => figure(man.letter()),
                None => '·',
            });
            lines.push(format!("  {} {}", rank + 1, men.map(|man| format!(" {man}")).collect::<String>()));
        }
        let letters: String = files.iter().map(|file| format!(" {}", char::from(b'a' + file))).collect();
        lines.push(format!("    {letters}"));
        lines.join("\n")
    }

    fn show(&self, side: Color) -> Result<(), String> {
        say(&self.board())?;
        self.show_moves(side)
    }

    fn show_moves(&self, side: Color) -> Result<(), String> {
        let moves = self.moves();
        let texts: Vec<String> = (1..)
            .zip(&moves)
            .map(|(number, &mv)| format!("{number:>3} {:<7}", san(&self.rules, self.game.position(), mv)))
            .collect();
        let rows: Vec<String> = texts.chunks(6).map(|row| row.concat().trim_end().to_string()).collect();
        let left = self.game.position().pool().len();
        let count = if left == 1 { "one move".to_string() } else { format!("up to {left} moves") };
        say(&format!("{} to play, {count} left on these dice:\n{}", side.name(), rows.join("\n")))?;
        if self.game.position().pool().is_optional() { say("  or pass") } else { Ok(()) }
    }

    /// Asks once.
    fn ask(&mut self, side: Color) -> Result<Typed, String> {
        let Some(line) = read(&format!("{}> ", side.name()))? else { return Ok(Typed::Quit) };
        let word = line.trim();
        match word {
            "" => return Ok(Typed::Again),
            "quit" | "exit" | "q" => return Ok(Typed::Quit),
            "help" | "?" => say(HELP)?,
            "board" => say(&self.board())?,
            "moves" => self.show_moves(side)?,
            "fen" => say(&to_dfen(&self.rules, self.game.position()))?,
            "hint" => self.hint()?,
            "undo" => match self.past.pop() {
                Some(before) => {
                    self.game = before;
                    return Ok(Typed::Played);
                }
                None => say("There is nothing to take back.")?,
            },
            "new" => {
                self.renew();
                return Ok(Typed::Played);
            }
            _ => return self.play(word),
        }
        Ok(Typed::Again)
    }

    fn renew(&mut self) {
        self.game = Game::new(self.rules, self.start);
        self.past.clear();
    }

    /// Plays what was typed: a number, a move or a turn.
    fn play(&mut self, word: &str) -> Result<Typed, String> {
        let before = self.game.clone();
        let number = word.parse::<usize>().ok();
        let mv = match number {
            Some(number) => self.moves().get(number.wrapping_sub(1)).copied(),
            None => parse_san(&self.rules, self.game.position(), word),
        };
        let played = match (mv, word) {
            (Some(mv), _) => self.game.play(mv).map_err(|error| error.to_string()),
            (None, "pass" | "0000" | "--") => self.game.pass().map_err(|error| error.to_string()),
            (None, _) if number.is_some() => Err(format!("there is no move {word}")),
            (None, _) => apply(&mut self.game, word, Style::Orthodox).map_err(|error| error.to_string()),
        };
        match played {
            Ok(()) => {
                self.past.push(before);
                Ok(Typed::Played)
            }
            Err(error) => {
                say(&format!("{}: {error}. 'moves' lists what you can play.", shown(word)))?;
                Ok(Typed::Again)
            }
        }
    }

    /// The best few turns by the engine.
    fn think(&self, lines: usize) -> Vec<(Turn, f64)> {
        let limits = Limits { movetime: Some(Duration::from_millis(self.arguments.movetime)), ..Limits::default() };
        let request = Request {
            lines,
            elo: self.arguments.elo.filter(|_| lines == 1),
            threads: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            ..Request::new(&self.rules, self.game.position(), self.choice.get(), &self.table, &limits)
        };
        let turns = ranked(&request, &AtomicBool::new(false));
        turns.into_iter().map(|(turn, score)| (turn, score.expectation())).collect()
    }

    fn hint(&self) -> Result<(), String> {
        for (turn, value) in self.think(3) {
            say(&format!("  {:5.1} %  {}", value * 100.0, turn_text(turn.moves(), Style::Orthodox, " ")))?;
        }
        Ok(())
    }

    fn engine(&mut self, side: Color) -> Result<(), String> {
        let Some((turn, value)) = self.think(1).into_iter().next() else {
            return Err("the engine found no turn".to_string());
        };
        let mut texts = Vec::new();
        for &mv in turn.moves() {
            texts.push(san(&self.rules, self.game.position(), mv));
            self.game.play(mv).map_err(|error| error.to_string())?;
        }
        if turn.is_pass() {
            texts.push("a pass".to_string());
            self.game.pass().map_err(|error| error.to_string())?;
        }
        say(&format!("{} plays {} and expects {:.0} %.", side.name(), texts.join(" "), value * 100.0))
    }

    /// Whether it goes on after the end.
    fn after_the_end(&mut self) -> Result<bool, String> {
        loop {
            let Some(line) = read("undo, new or quit> ")? else { return Ok(false) };
            match line.trim() {
                "undo" => match self.past.pop() {
                    Some(before) => {
                        self.game = before;
                        return Ok(true);
                    }
                    None => say("There is nothing to take back.")?,
                },
                "new" => {
                    self.renew();
                    return Ok(true);
                }
                "quit" | "exit" | "q" => return Ok(false),
                _ => {}
            }
        }
    }
}

fn figure(letter: char) -> char {
    match letter {
        'K' => '♔',
        'Q' => '♕',
        'R' => '♖',
        'B' => '♗',
        'N' => '♘',
        'P' => '♙',
        'k' => '♚',
        'q' => '♛',
        'r' => '♜',
        'b' => '♝',
        'n' => '♞',
        'p' => '♟',
        other => other,
    }
}

fn say(text: &str) -> Result<(), String> {
    writeln!(io::stdout(), "{text}").map_err(unwritten)
}

/// A line that was typed; none at the end of the input.
fn read(prompt: &str) -> Result<Option<String>, String> {
    let mut out = io::stdout();
    write!(out, "{prompt}").and_then(|()| out.flush()).map_err(unwritten)?;
    let mut bytes = Vec::new();
    let read = io::stdin().lock().read_until(b'\n', &mut bytes).map_err(|error| format!("cannot read: {error}"))?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}
