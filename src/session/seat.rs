//! The game as a GUI that knows no dice sees it: single moves by turns. The one whose turn it is in the GUI's eyes, but not
//! by the dice, passes.

use crate::board::{Color, Square};
use crate::info::Info;
use crate::limits::Limits;
use crate::notation::{Style, apply, move_text, to_dfen};
use crate::position::{MoveKind, SingleMove};
use crate::protocol::cecp::Level;
use crate::turns::{Game, Status};
use std::time::{Duration, Instant};

/// A pass, as CECP writes it.
pub const PASS: &str = "@@@@";

/// What the job under way is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// The engine's own move.
    Move,
    /// A hint to the user.
    Hint,
    /// Analysis, until something else is wanted.
    Analysis,
    /// An answer to one of the engine's own commands.
    Answer,
    /// Nothing any more: what it comes to is thrown away.
    Nothing,
}

/// A game before one of the GUI's moves.
#[derive(Clone)]
pub struct Past {
    game: Game,
    unthrown: Option<Game>,
    turn: Color,
}

/// What is known of the GUI and its game.
pub struct Seat {
    /// Which side the engine plays; none in force mode.
    pub engine: Option<Color>,
    /// Whose turn it is in the eyes of the GUI.
    pub turn: Color,
    /// The game before each of the GUI's moves.
    pub past: Vec<Past>,
    /// The game as it was before the dice that are being played were thrown.
    pub unthrown: Option<Game>,
    /// The result has been said, by either side.
    pub is_over: bool,
    /// The time control.
    pub level: Option<Level>,
    /// So much time for each turn.
    pub movetime: Option<Duration>,
    /// No deeper than this.
    pub depth: Option<u32>,
    /// The engine's clock, and the opponent's.
    pub clocks: [Option<Duration>; 2],
    /// Whether the GUI wants to see what the engine thinks.
    pub posts: bool,
    /// Analyse mode.
    pub analyses: bool,
    /// What the job under way is for.
    pub purpose: Purpose,
    /// The opponent is an engine too.
    pub machine: bool,
    /// How many games the engine has played against others.
    pub games: u32,
    /// What fell, and is not in the record yet.
    pub untold: Option<String>,
    /// The user has been told his first dice.
    pub greeted: bool,
    /// The man that the user has picked up.
    pub lifted: Option<Square>,
    /// What the search said last, and when it began.
    pub latest: Option<Info>,
    /// When the job under way began.
    pub since: Instant,
}

impl Default for Seat {
    fn default() -> Seat {
        Seat {
            engine: Some(Color::Black),
            turn: Color::White,
            past: Vec::new(),
            unthrown: None,
            is_over: false,
            level: None,
            movetime: None,
            depth: None,
            clocks: [None; 2],
            posts: false,
            analyses: false,
            purpose: Purpose::Answer,
            machine: false,
            games: 0,
            untold: None,
            greeted: false,
            lifted: None,
            latest: None,
            since: Instant::now(),
        }
    }
}

/// How long the engine thinks where it was given no limit at all.
const UNHURRIED: Duration = Duration::from_secs(1);

impl Seat {
    /// A game begins, with this side to move in the eyes of the GUI.
    pub fn begin(&mut self, turn: Color) {
        self.past.clear();
        self.unthrown = None;
        self.is_over = false;
        self.turn = turn;
        (self.untold, self.lifted, self.latest) = (None, None, None);
        self.greeted = false;
    }

    /// Remembers the game before a move of the GUI, which gives the turn to the other side.
    pub fn record(&mut self, before: &Game) {
        self.past.push(Past { game: before.clone(), unthrown: self.unthrown.clone(), turn: self.turn });
        self.turn = self.turn.other();
        self.lifted = None;
    }

    /// Takes moves of the GUI back: the game before them, none where there are not so many.
    pub fn take_back(&mut self, moves: usize) -> Option<Game> {
        let at = self.past.len().checked_sub(moves)?;
        let Past { game, unthrown, turn } = self.past.get(at)?.clone();
        self.past.truncate(at);
        (self.unthrown, self.turn, self.is_over) = (unthrown, turn, false);
        Some(game)
    }

    /// The limits of a search for a side.
    pub fn limits(&self, side: Color) -> Limits {
        let mut limits = Limits { depth: self.depth, movetime: self.movetime, ..Limits::default() };
        let Some(level) = self.level.filter(|_| self.movetime.is_none()) else {
            if limits.depth.is_none() && limits.movetime.is_none() {
                limits.movetime = Some(UNHURRIED);
            }
            return limits;
        };
        let [own, other] = self.clocks.map(|clock| clock.unwrap_or(level.base));
        limits.time = if side == Color::White { [Some(own), Some(other)] } else { [Some(other), Some(own)] };
        limits.increment = [level.increment; 2];
        if level.moves > 0 {
            let made = (self.past.len() / 2) as u32;
            limits.movestogo = Some(level.moves - made % level.moves);
        }
        limits
    }

    /// Whose dice are spoken of, to the user.
    pub fn whose(&self, side: Option<Color>) -> String {
        match (side, self.engine) {
            (None, _) => "The".to_string(),
            (Some(side), Some(engine)) if side == engine => "My".to_string(),
            (Some(_), Some(_)) if !self.machine => "Your".to_string(),
            (Some(side), _) => format!("{}'s", side.name()),
        }
    }
}

/// What is left of the dice, as a DFEN has it.
pub fn pool(game: &Game) -> String {
    to_dfen(game.rules(), game.position()).rsplit(' ').next().unwrap_or_default().to_uppercase()
}

/// The game after a single move of the side to move; or why there is none.
///
/// A GUI writes a letter behind each pawn that arrives on the last rank, also where it promotes to nothing.
pub fn after_single(game: &Game, text: &str, style: Style) -> Result<Game, String> {
    if text.contains(',') {
        return Err("one single move at a time".to_string());
    }
    let mut next = game.clone();
    let Err(error) = apply(&mut next, text, style) else { return Ok(next) };
    let bare = text.get(..4).filter(|_| text.len() == 5);
    if bare.is_some_and(|bare| apply(&mut next, bare, style).is_ok()) {
        return Ok(next);
    }
    match game.status() {
        Status::Over(outcome) => Err(format!("the game is over: {}", outcome.reason)),
        Status::Pass(_) => Err(format!("the dice {} allow no move: pass with {PASS}", pool(game))),
        Status::Decide(_) if game.rules().variant.has_dice() => Err(format!("not with the dice {}", pool(game))),
        _ => Err(error.to_string()),
    }
}

/// The single moves that can be made with a man.
fn moves_from(game: &Game, from: Square) -> Vec<SingleMove> {
    let mut moves = Vec::new();
    if let Status::Decide(_) = game.status() {
        game.rules().single_moves(game.position(), &mut moves);
    }
    moves.retain(|&mv| mv.from == from && game.rules().step(game.position(), mv).is_some());
    moves
}

/// Where a man can go, in the colours of xboard: quiet moves yellow, captures red, promotions magenta; a pawn that would
/// be taken in passing on the square under the mouse green. With it, the letters of the kinds that a pawn may become.
pub fn marks(game: &Game, from: Square, under: Option<Square>) -> (String, String) {
    let mut colors = ['\0'; 64];
    let mut choice = String::new();
    for mv in moves_from(game, from) {
        // Castling is shown as the king goes.
        let to = move_text(mv, Style::Orthodox).get(2..4).and_then(Square::parse).unwrap_or(mv.to);
        let takes = game.position().man(mv.to).is_some() && mv.kind != MoveKind::Castle;
        let color = match mv.promotion {
            Some(role) => {
                if !choice.contains(role.letter().to_ascii_uppercase()) {
                    choice.push(role.letter().to_ascii_uppercase());
                }
                'M'
            }
            None if takes || mv.kind == MoveKind::EnPassant => 'R',
            None => 'Y',
        };
        if let Some(slot) = colors.get_mut(to.usize()) {
            *slot = color;
        }
        if mv.kind == MoveKind::EnPassant && under == Some(to) {
            let victim = Square::on(to.file(), from.rank());
            if let Some(slot) = colors.get_mut(victim.usize()) {
                *slot = 'g';
            }
        }
    }
    let order = |letter: char| "QRBNK".find(letter).unwrap_or(9);
    let mut choice: Vec<char> = choice.chars().collect();
    choice.sort_by_key(|&letter| order(letter));
    (fen_of(&colors), choice.into_iter().collect())
}

fn fen_of(colors: &[char; 64]) -> String {
    let mut ranks = Vec::new();
    for rank in (0..8).rev() {
        let mut text = String::new();
        let mut gap = 0;
        for file in 0..8 {
            match colors.get(Square::on(file, rank).usize()).filter(|&&color| color != '\0') {
                Some(&color) => {
                    if gap > 0 {
                        text.push_str(&gap.to_string());
                    }
                    gap = 0;
                    text.push(color);
                }
                None => gap += 1,
            }
        }
        if gap > 0 {
            text.push_str(&gap.to_string());
        }
        ranks.push(text);
    }
    ranks.join("/")
}
