//! CECP: the engine at the table of a GUI that knows neither the dice nor the rules.
//!
//! The engine throws the dice of both sides as soon as they are due, and says what fell. The GUI takes single moves by
//! turns; where the dice give one side several moves, the other passes between them.

use super::job::Task;
use super::seat::{PASS, Purpose, marks};
use super::{Order, Session};
use crate::board::{Color, Square};
use crate::info::Info;
use crate::limits::Limits;
use crate::notation::{from_dfen, shown, to_dfen, turn_text};
use crate::position::Position;
use crate::protocol::cecp::{features, option_value};
use crate::protocol::options::Name;
use crate::protocol::{CecpCommand, Command, Reply};
use crate::turns::{Game, Rules, Status};
use crate::variant::{VARIANTS, Variant};
use std::io::{self, Write};
use std::time::Instant;

/// What xboard calls chess without dice.
const NORMAL: &str = "normal";
const CHESS: &str = "chess";
/// The kinds of men by their letters, for xboard.
const MEN: &str = "PNBRQ................Kpnbrq................k";
/// An expectation below which an offered draw is taken.
const GLAD_OF_A_DRAW: f64 = 0.4;

/// The game that a GUI means by a name.
fn variant_of(name: &str) -> Option<&'static Variant> {
    let name = if name == NORMAL { CHESS } else { name };
    VARIANTS.iter().find(|variant| variant.name == name)
}

impl<W: Write> Session<W> {
    pub(super) fn write(&mut self, line: impl std::fmt::Display) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }

    /// What the other dialects say otherwise.
    pub(super) fn say_in_cecp(&mut self, reply: &Reply) -> io::Result<()> {
        match reply {
            Reply::Error(error) => self.write(format_args!("Error ({error})")),
            Reply::Note(line) | Reply::Extra(line) => self.write(format_args!("# {line}")),
            other => self.write(format_args!("# {other}")),
        }
    }

    fn refuse(&mut self, reason: &str, command: &str) -> io::Result<()> {
        self.write(format_args!("Error ({reason}): {command}"))
    }

    /// A line of thinking: depth, centipawns, centiseconds, nodes, turn.
    pub(super) fn tell_in_cecp(&mut self, info: &Info) -> io::Result<()> {
        let is_shown = self.seat.posts && matches!(self.seat.purpose, Purpose::Move | Purpose::Analysis);
        if is_shown {
            let score = if info.wins { 100_001 } else { info.score.centipawns() };
            let turn = info.turn.as_ref().map(|turn| turn_text(turn.moves(), self.style(), " "));
            let (depth, time, nodes) = (info.depth, info.time.as_millis() / 10, info.nodes);
            let expectation = info.score.expectation();
            self.write(format_args!(
                "{depth} {score} {time} {nodes}\t{} ({expectation:.3})",
                turn.unwrap_or_default().replace("0000", PASS)
            ))?;
        }
        self.seat.latest = Some(info.clone());
        Ok(())
    }

    /// Takes in a line: what can be answered at any moment is, the rest waits for the job under way.
    pub(super) fn hear_cecp(&mut self, line: &str) -> io::Result<()> {
        let command = match CecpCommand::parse(line) {
            Ok(Some(command)) => command,
            Ok(None) => return Ok(()),
            Err(fault) => return self.write(fault),
        };
        let in_turn = self.queue.is_empty();
        match command {
            CecpCommand::Quit => {
                self.drop_job();
                self.queue.clear();
                self.end();
                Ok(())
            }
            CecpCommand::MoveNow => {
                if self.seat.purpose != Purpose::Analysis {
                    self.stop_job();
                }
                Ok(())
            }
            CecpCommand::Ping(number) if in_turn && self.seat.purpose == Purpose::Analysis => {
                self.write(format_args!("pong {number}"))
            }
            command if self.job.is_none() || (in_turn && is_immediate(&command)) => self.obey_cecp(command),
            command => {
                let ends = match self.seat.purpose {
                    Purpose::Move | Purpose::Hint => ends_thinking(&command),
                    Purpose::Analysis => true,
                    Purpose::Answer | Purpose::Nothing => false,
                };
                if ends {
                    self.drop_job();
                }
                self.wait(Order::Cecp(command), line)
            }
        }
    }

    /// What the job under way comes to is not wanted any more.
    fn drop_job(&mut self) {
        if self.job.is_some() {
            self.seat.purpose = Purpose::Nothing;
            self.stop_job();
        }
    }

    /// Carries out a command.
    pub(super) fn obey_cecp(&mut self, command: CecpCommand) -> io::Result<()> {
        match command {
            CecpCommand::Noted | CecpCommand::Put(_) | CecpCommand::Quit | CecpCommand::MoveNow => {}
            CecpCommand::Features => return self.introduce_to_gui(),
            CecpCommand::New => return self.new_cecp_game(),
            CecpCommand::Variant(name) => return self.choose_variant(&name),
            CecpCommand::Force => self.seat.engine = None,
            CecpCommand::Go => return self.take_side(self.seat.turn),
            CecpCommand::PlayOther => return self.take_side(self.seat.turn.other()),
            CecpCommand::Level(level) => {
                self.seat.level = Some(level);
                self.seat.movetime = None;
                self.seat.clocks = [None; 2];
            }
            CecpCommand::MoveTime(time) => self.seat.movetime = Some(time),
            CecpCommand::Depth(depth) => self.seat.depth = Some(depth),
            CecpCommand::Time(left) => self.seat.clocks = [Some(left), self.seat.clocks[1]],
            CecpCommand::OpponentTime(left) => self.seat.clocks = [self.seat.clocks[0], Some(left)],
            CecpCommand::Move(text) => return self.user_move(&text),
            CecpCommand::Ping(number) => return self.write(format_args!("pong {number}")),
            CecpCommand::Draw => return self.answer_offer(),
            CecpCommand::Result => self.seat.is_over = true,
            CecpCommand::SetBoard(fen) => return self.set_board(&fen),
            CecpCommand::Hint => return self.give_hint(),
            CecpCommand::Book => return self.write(" There is no book: the dice choose the opening.\n"),
            CecpCommand::Undo => return self.take_back(1, "undo"),
            CecpCommand::Remove => return self.take_back(2, "remove"),
            CecpCommand::Post(on) => self.seat.posts = on,
            CecpCommand::Analyze => {
                self.seat.engine = None;
                self.seat.analyses = true;
            }
            CecpCommand::Exit => self.seat.analyses = false,
            CecpCommand::Progress => return self.tell_progress(),
            CecpCommand::Computer => return self.meet_a_machine(),
            CecpCommand::Option { name, value } => return self.set_gui_option(&name, value),
            CecpCommand::Lift(square) => return self.mark(&square, None),
            CecpCommand::Hover(square) => return self.hover(&square),
            CecpCommand::Extra(Command::Dice(roll)) => return self.take_the_users_dice(&roll),
            CecpCommand::Extra(command) => {
                self.seat.purpose = Purpose::Answer;
                return self.obey(command);
            }
        }
        Ok(())
    }

    fn introduce_to_gui(&mut self) -> io::Result<()> {
        let names = VARIANTS.iter().map(|variant| variant.name).filter(|&name| name != CHESS);
        let names: Vec<&str> = names.chain([NORMAL]).collect();
        let name = format!("Hazard {}", env!("CARGO_PKG_VERSION"));
        features(&name, &names, &self.options).into_iter().try_for_each(|line| self.write(line))
    }

    /// By the protocol a new game is one of chess until the GUI names another.
    fn new_cecp_game(&mut self) -> io::Result<()> {
        self.seat.engine = Some(Color::Black);
        (self.seat.analyses, self.seat.machine) = (false, false);
        self.seat.depth = None;
        self.seed = self.fair_dice();
        let Some(chess) = variant_of(NORMAL) else { return Ok(()) };
        self.begin(chess)
    }

    fn choose_variant(&mut self, name: &str) -> io::Result<()> {
        let Some(variant) = variant_of(name) else {
            return self.refuse("unknown variant", &format!("variant {}", shown(name)));
        };
        if name != NORMAL {
            let start = to_dfen(&Rules::new(variant), &Position::start(variant));
            // Between the rounds of a contest nobody is to move; to the GUI it is White.
            let mut fields: Vec<&str> = start.split(' ').take(6).collect();
            if let Some(side) = fields.get_mut(1).filter(|side| **side == "-") {
                *side = "w";
            }
            let fen = fields.join(" ");
            self.write(format_args!("setup ({MEN}) 8x8+0_lion {fen}"))?;
        }
        self.begin(variant)
    }

    fn begin(&mut self, variant: &'static Variant) -> io::Result<()> {
        let _ = self.options.set("UCI_Variant", Some(variant.name));
        self.memory.clear();
        self.rules = Rules::new(variant);
        self.new_game();
        self.seat.begin(Color::White);
        self.proceed()
    }

    fn take_side(&mut self, side: Color) -> io::Result<()> {
        self.seat.engine = Some(side);
        self.seat.analyses = false;
        self.proceed()
    }

    /// From now on the dice follow from a text, so that two engines throw the same.
    fn meet_a_machine(&mut self) -> io::Result<()> {
        self.seat.machine = true;
        self.seat.games += 1;
        self.seed = self.fair_dice();
        if let (true, Some(before)) = (self.seat.past.is_empty(), self.seat.unthrown.take()) {
            self.game = before;
        }
        self.proceed()
    }

    /// The text from which the dice of a match follow: that of `DiceSeed`, from the second game on with its number.
    pub(super) fn match_dice(&self) -> String {
        let text = self.options.text(Name::DiceSeed);
        match self.seat.games {
            0 | 1 => text.to_string(),
            game => format!("{text} {game}"),
        }
    }

    fn set_gui_option(&mut self, name: &str, value: Option<String>) -> io::Result<()> {
        self.set_option(name, option_value(name, value).as_deref())?;
        self.seed = self.fair_dice();
        Ok(())
    }

    /// Sets up a position. In the middle of a game the same one with the other side to move is how some GUIs pass.
    fn set_board(&mut self, fen: &str) -> io::Result<()> {
        let mut fields = fen.split_whitespace();
        let (men, side) = (fields.next(), fields.next());
        let turn = if side == Some("b") { Color::Black } else { Color::White };
        let now = to_dfen(&self.rules, self.game.position());
        let is_pass = self.seat.engine.is_some() && !self.seat.is_over && !self.seat.past.is_empty();
        if is_pass && now.split(' ').next() == men && turn != self.seat.turn {
            return self.user_move(PASS);
        }
        match from_dfen(&self.rules, fen, false, self.rigour()) {
            Ok(parsed) => {
                self.game = Game::new(self.rules, parsed.position);
                self.seat.begin(turn);
                for warning in parsed.warnings {
                    self.write(format_args!("# warning: {warning}"))?;
                }
                self.proceed()
            }
            Err(error) => self.write(format_args!("tellusererror Illegal position: {error}")),
        }
    }

    fn take_back(&mut self, moves: usize, command: &str) -> io::Result<()> {
        match self.seat.take_back(moves) {
            Some(game) => {
                self.game = game;
                self.proceed()
            }
            None => self.refuse("nothing to take back", command),
        }
    }

    /// The user has thrown dice of wood: they count instead of those that were thrown for him.
    fn take_the_users_dice(&mut self, roll: &str) -> io::Result<()> {
        let Some(before) = self.seat.unthrown.clone().filter(|_| self.game.made() == 0 && !self.seat.is_over) else {
            return self.refuse("no roll is due", &format!("dice {}", shown(roll)));
        };
        let thrown = std::mem::replace(&mut self.game, before);
        self.take_dice(roll)?;
        if self.game.status() == Status::Roll && self.game.void_roll().is_none() {
            self.game = thrown;
            return Ok(());
        }
        self.proceed()
    }

    fn answer_offer(&mut self) -> io::Result<()> {
        let glad = |info: &Info| info.score.expectation() < GLAD_OF_A_DRAW;
        let is_glad = self.seat.engine.is_some() && self.seat.latest.as_ref().is_some_and(glad);
        if is_glad && !self.seat.is_over { self.write("offer draw") } else { Ok(()) }
    }

    /// A move that the engine would make in the user's place.
    fn give_hint(&mut self) -> io::Result<()> {
        match self.game.status() {
            Status::Over(_) => Ok(()),
            Status::Decide(side) if side == self.seat.turn => {
                self.seat.purpose = Purpose::Hint;
                let limits = Limits { depth: Some(1), ..Limits::default() };
                self.start(Task::Search { limits, only: Vec::new() })
            }
            _ => self.write(format_args!("Hint: {PASS}")),
        }
    }

    /// Goes on analysing where that is wanted and there is something to analyse.
    pub(super) fn analyse(&mut self) -> io::Result<()> {
        if !self.seat.analyses || !matches!(self.game.status(), Status::Decide(_)) {
            return Ok(());
        }
        (self.seat.purpose, self.seat.since) = (Purpose::Analysis, Instant::now());
        let limits = Limits { infinite: true, ..Limits::default() };
        self.start(Task::Search { limits, only: Vec::new() })
    }

    fn tell_progress(&mut self) -> io::Result<()> {
        if !self.seat.analyses {
            return Ok(());
        }
        let time = self.seat.since.elapsed().as_millis() / 10;
        let (depth, nodes) = self.seat.latest.as_ref().map_or((0, 0), |info| (info.depth, info.nodes));
        self.write(format_args!("stat01: {time} {nodes} {depth} 0 0"))
    }

    /// Marks where the man on a square can go.
    fn mark(&mut self, square: &str, under: Option<Square>) -> io::Result<()> {
        let Some(from) = Square::parse(square) else {
            return self.refuse("needs a square", &format!("lift {}", shown(square)));
        };
        self.greet()?;
        self.seat.lifted = Some(from);
        let (colors, choice) = if self.game.position().side() == Some(self.seat.turn) {
            marks(&self.game, from, under)
        } else {
            ("8/8/8/8/8/8/8/8".to_string(), String::new())
        };
        if !choice.is_empty() && under.is_none() {
            self.write(format_args!("choice {choice}"))?;
        }
        self.write(format_args!("highlight {colors}"))
    }

    /// The mouse is over a square where the man picked up could capture.
    fn hover(&mut self, square: &str) -> io::Result<()> {
        match (Square::parse(square), self.seat.lifted) {
            (Some(under), Some(lifted)) => self.mark(&lifted.to_string(), Some(under)),
            (Some(_), None) => Ok(()),
            (None, _) => self.refuse("needs a square", &format!("hover {}", shown(square))),
        }
    }
}

/// Whether a command changes nothing that a job under way rests on.
fn is_immediate(command: &CecpCommand) -> bool {
    matches!(
        command,
        CecpCommand::Noted
            | CecpCommand::Features
            | CecpCommand::Time(_)
            | CecpCommand::OpponentTime(_)
            | CecpCommand::Post(_)
            | CecpCommand::Progress
            | CecpCommand::Draw
            | CecpCommand::Put(_)
    )
}

/// Whether a command makes the move thought about useless.
fn ends_thinking(command: &CecpCommand) -> bool {
    matches!(
        command,
        CecpCommand::New
            | CecpCommand::Variant(_)
            | CecpCommand::Force
            | CecpCommand::PlayOther
            | CecpCommand::Result
            | CecpCommand::SetBoard(_)
            | CecpCommand::Undo
            | CecpCommand::Remove
            | CecpCommand::Analyze
            | CecpCommand::Exit
            | CecpCommand::Computer
    )
}
