//! A whole match: games on several threads, engines kept from game to game, events as they happen.

use super::clock::Pace;
use super::openings::Opening;
use super::player::{Fault, Player};
use super::referee::{Ending, Match, Terms, play_game};
use super::schedule::{Schedule, Scheduled};
use super::secrets::Secrets;
use super::sprt::{Decision, Sprt};
use super::stats::Tally;
use crate::board::Color;
use crate::position::Position;
use crate::turns::{Game, Rules};
use crossbeam_channel::{Sender, bounded, unbounded};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// Makes a player; asked again after a crash.
pub type Make<'a> = Box<dyn Fn(&AtomicBool) -> Result<Box<dyn Player>, Fault> + Sync + 'a>;

/// Somebody who takes part.
pub struct Contender<'a> {
    /// The name.
    pub name: String,
    /// How long it may think.
    pub pace: Pace,
    /// Whether it is started anew for each game.
    pub restart: bool,
    /// Makes it.
    pub make: Make<'a>,
}

/// A match to be played.
pub struct Tournament<'a> {
    /// The game.
    pub rules: Rules,
    /// Who takes part.
    pub contenders: Vec<Contender<'a>>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// What the dice follow from.
    pub secrets: Secrets,
    /// The numbers of the games that have been played before.
    pub done: BTreeSet<u64>,
    /// Where games start; empty for the array.
    pub openings: Vec<Opening>,
    /// How many games at once.
    pub concurrency: usize,
    /// When to stop early; only with two contenders.
    pub sprt: Option<Sprt>,
    /// What all games have in common.
    pub terms: Terms,
    /// Whether the match goes on after an engine has crashed.
    pub recover: bool,
}

/// What happens in a match.
pub enum Event {
    /// A game begins.
    Started(Scheduled),
    /// A game has ended.
    Finished(Scheduled, Box<Match>),
}

/// An event on its way to who is told, and what the sender waits for, if it does: the end of it says that it was heard.
type Told = (Event, Option<Sender<()>>);

/// The results of a match so far.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    /// Each encounter's results, from the view of its first.
    pub tallies: BTreeMap<(usize, usize), Tally>,
    /// Games finished.
    pub finished: u64,
    /// White's games won, drawn and lost.
    pub white: [u32; 3],
    /// How often games ended how.
    pub endings: BTreeMap<String, u64>,
    /// Turns of all games, and of the longest.
    pub turns: (u64, usize),
    /// The half points of pairs of which one game is still out.
    open: BTreeMap<u64, usize>,
}

/// Why a match is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Closing {
    /// Every game was played.
    Complete,
    /// The test has decided.
    Decided(Decision),
    /// It was interrupted.
    Interrupted,
    /// An engine crashed, and nobody said that this is to be overcome.
    Crashed(String),
}

/// What the standings need to know of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// The winner, none in a draw.
    pub winner: Option<Color>,
    /// How it ended: the rules' reason, or the kind of termination.
    pub kind: String,
    /// How many turns it had.
    pub turns: usize,
}

impl End {
    /// Of a game just played.
    pub fn of(played: &Match) -> End {
        let kind = match &played.ending {
            Ending::Rules(outcome) => outcome.reason.to_string(),
            other => other.termination().to_string(),
        };
        End { winner: played.ending.winner(), kind, turns: played.turns.len() }
    }
}

impl Standings {
    /// Counts a game that has ended.
    pub fn add(&mut self, game: &Scheduled, end: &End, games_each: u64) -> Option<()> {
        let encounter = (game.white.min(game.black), game.white.max(game.black));
        let tally = self.tallies.entry(encounter).or_default();
        let white = match end.winner {
            Some(Color::White) => 2,
            Some(Color::Black) => 0,
            None => 1,
        };
        *self.white.get_mut(2 - white)? += 1;
        let first = if game.first_is_white(encounter) { white } else { 2 - white };
        tally.add_game(first);
        self.finished += 1;
        *self.endings.entry(end.kind.clone()).or_default() += 1;
        self.turns.0 += end.turns as u64;
        self.turns.1 = self.turns.1.max(end.turns);
        if games_each == 2 {
            match self.open.remove(&game.pair) {
                Some(other) => tally.add_pair(first + other),
                None => {
                    self.open.insert(game.pair, first);
                }
            }
        }
        Some(())
    }
}

impl Tournament<'_> {
    /// Starts each contender once, so that what cannot work is told before the first game; gives what they call themselves.
    pub fn probe(&self, halt: &AtomicBool) -> Result<Vec<Option<String>>, (String, Fault)> {
        let titles = self.contenders.iter().map(|contender| match (contender.make)(halt) {
            Ok(player) => Ok(player.title().map(str::to_string)),
            Err(_) if self.recover => Ok(None),
            Err(fault) => Err((contender.name.clone(), fault)),
        });
        titles.collect()
    }

    /// Plays the match. `hear` is told what happens, on this thread, and may end the match by an error.
    ///
    /// The standings are those of the games [`Tournament::done`].
    pub fn run<E>(
        &self,
        mut standings: Standings,
        halt: &AtomicBool,
        hear: &mut dyn FnMut(&Event, &Standings) -> Result<(), E>,
    ) -> Result<(Standings, Closing), E> {
        let (events, happened) = unbounded();
        let next = AtomicU64::new(0);
        let mut closing = None;
        let mut error = None;
        thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let (events, next) = (events.clone(), &next);
                scope.spawn(move || self.work(next, halt, &events));
            }
            drop(events);
            for (event, heard) in happened {
                if let Event::Finished(game, played) = &event {
                    if closing.is_some() || error.is_some() || played.ending == Ending::Interrupted {
                        continue;
                    }
                    standings.add(game, &End::of(played), self.schedule.games_each());
                    closing = self.closing(&standings, &played.ending);
                }
                if error.is_none() {
                    error = hear(&event, &standings).err();
                }
                if closing.is_some() || error.is_some() {
                    halt.store(true, Ordering::Relaxed);
                }
                // Whoever waits for it goes on now.
                drop(heard);
            }
        });
        match error {
            Some(error) => Err(error),
            None if standings.finished == self.schedule.len() && closing.is_none() => {
                Ok((standings, Closing::Complete))
            }
            None => Ok((standings, closing.unwrap_or(Closing::Interrupted))),
        }
    }

    /// Whether the match ends with a game.
    fn closing(&self, standings: &Standings, ending: &Ending) -> Option<Closing> {
        let crashed = matches!(ending, Ending::Disconnected(..) | Ending::Stalled(_));
        if crashed && !self.recover {
            return Some(Closing::Crashed(ending.to_string()));
        }
        let tally = standings.tallies.get(&(0, 1))?;
        self.sprt.filter(|_| self.contenders.len() == 2)?.decision(tally).map(Closing::Decided)
    }

    fn work(&self, next: &AtomicU64, halt: &AtomicBool, events: &Sender<Told>) {
        let mut players: BTreeMap<usize, Box<dyn Player>> = BTreeMap::new();
        while !halt.load(Ordering::Relaxed) {
            let Some(game) = self.schedule.game(next.fetch_add(1, Ordering::Relaxed)) else { return };
            if !self.schedule.has(&game) || self.done.contains(&game.number) {
                continue;
            }
            // The dice must be committed to before they are thrown.
            let (heard, wait) = bounded::<()>(0);
            if events.send((Event::Started(game), Some(heard))).is_err() {
                return;
            }
            let _ = wait.recv();
            let played = self.play(&game, &mut players, halt);
            for side in [game.white, game.black] {
                let restart = self.contenders.get(side).is_some_and(|contender| contender.restart);
                if players.get_mut(&side).is_some_and(|player| restart || !player.is_alive()) {
                    players.remove(&side);
                }
            }
            if events.send((Event::Finished(game, Box::new(played)), None)).is_err() {
                return;
            }
        }
    }

    fn play(&self, game: &Scheduled, players: &mut BTreeMap<usize, Box<dyn Player>>, halt: &AtomicBool) -> Match {
        let opening = game.opening.and_then(|opening| self.openings.get(opening));
        let position = opening.map_or_else(|| Position::start(self.rules.variant), |opening| opening.position);
        let start = Game::new(self.rules, position);
        let mut seats = Vec::new();
        for (side, index) in [(Color::White, game.white), (Color::Black, game.black)] {
            match self.seat(index, players, &start, self.schedule.player_seed(game, side.index() as u64), halt) {
                Ok(player) => seats.push(player),
                Err(fault) => {
                    // A player that was seated before goes back to its place.
                    if let (Color::Black, Some(white)) = (side, seats.pop()) {
                        players.insert(game.white, white);
                    }
                    let ending = match fault {
                        Fault::Halted => Ending::Interrupted,
                        Fault::Overdue => Ending::Stalled(side),
                        other => Ending::Disconnected(side, other.to_string()),
                    };
                    return Match { turns: Vec::new(), last_rolls: Vec::new(), ending };
                }
            }
        }
        let mut seats = seats.into_iter();
        let (Some(mut white), Some(mut black)) = (seats.next(), seats.next()) else {
            return Match { turns: Vec::new(), last_rolls: Vec::new(), ending: Ending::Interrupted };
        };
        let default = Pace::default();
        let paces = [game.white, game.black].map(|index| self.contenders.get(index).map_or(&default, |one| &one.pace));
        let played = play_game(
            self.rules,
            (position, opening.map(|opening| opening.dfen.as_str())),
            [&mut *white, &mut *black],
            paces,
            &mut self.secrets.dice(game.pair),
            &self.terms,
            halt,
        );
        players.insert(game.white, white);
        players.insert(game.black, black);
        played
    }

    /// A player, kept from an earlier game or made now, ready for a new one.
    fn seat(
        &self,
        index: usize,
        players: &mut BTreeMap<usize, Box<dyn Player>>,
        start: &Game,
        seed: u64,
        halt: &AtomicBool,
    ) -> Result<Box<dyn Player>, Fault> {
        let contender = self.contenders.get(index).ok_or(Fault::Halted)?;
        if let Some(mut player) = players.remove(&index)
            && player.new_game(start, seed, halt).is_ok()
        {
            return Ok(player);
        }
        let mut player = (contender.make)(halt)?;
        player.new_game(start, seed, halt)?;
        Ok(player)
    }
}
