//! Games in a file: a header, then blocks of games, each with its length and a checksum, so that a file that was cut off
//! loses its last block at most and is carried on from there.
//!
//! A game holds what was rolled and played from the array on and what the player thought of each position: some nine
//! bytes a turn. All numbers are little-endian.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use super::game::{Happening, Moment, Played, captures, is_unrolled};
use crate::board::Color;
use crate::dice::{Face, Roll};
use crate::eval::bytes::{Reader, checksum};
use crate::position::{Position, SingleMove};
use crate::turns::{Game, Rules, Status, Turn};
use crate::variant::{Variant, find};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use thiserror::Error;

const MAGIC: &[u8; 8] = b"HAZRDGAM";
const VERSION: u32 = 1;
const NAME: usize = 24;
const HEADER: usize = 8 + 4 + NAME + 8 + 8 + 8;
/// No block is longer: what a file claims is checked before memory is taken. The shortest games take some forty times
/// as much memory as bytes.
const MOST_BLOCK: usize = 8 << 20;
/// A value of 1 in 16 bits.
const QUIET_ONE: f32 = 32_767.0;

/// What is wrong with a file of games.
#[derive(Error, Debug)]
pub enum DataError {
    /// It cannot be read or written.
    #[error("{0}")]
    File(#[from] io::Error),
    /// It is something else.
    #[error("not a file of games, or of another version")]
    Magic,
    /// Its header is damaged.
    #[error("the header is damaged: its checksum does not fit")]
    Header,
    /// Of a game that is not known.
    #[error("unknown variant '{0}'")]
    Variant(String),
    /// Made with another seed or by another network.
    #[error("made with another seed, network or game")]
    Other,
    /// A block does not fit its checksum, or holds no games.
    #[error("block {0} is damaged")]
    Block(u64),
}

/// What a file of games was made with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The game.
    pub variant: &'static str,
    /// The seed.
    pub seed: u64,
    /// The first bytes of the checksum of the network that played.
    pub network: [u8; 8],
}

impl Origin {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let mut name = self.variant.as_bytes().to_vec();
        name.resize(NAME, 0);
        bytes.extend(name);
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.network);
        bytes.extend(checksum(&bytes));
        bytes
    }

    fn read(file: &mut impl Read) -> Result<Origin, DataError> {
        let mut bytes = [0; HEADER];
        file.read_exact(&mut bytes).map_err(|_| DataError::Magic)?;
        let mut reader = Reader { rest: &bytes };
        if reader.take(8) != Some(MAGIC) || reader.u32() != Some(VERSION) {
            return Err(DataError::Magic);
        }
        let (stated, told) = bytes.split_at(HEADER - 8);
        if checksum(stated) != told {
            return Err(DataError::Header);
        }
        let name = reader.text(NAME).unwrap_or_default();
        let variant = find(&name).ok_or(DataError::Variant(name))?.name;
        let seed = reader.u64().unwrap_or(0);
        let network = reader.take(8).and_then(|bytes| bytes.try_into().ok()).unwrap_or_default();
        Ok(Origin { variant, seed, network })
    }
}

const TURN: u8 = 0x80;

/// Appends a game to a block.
fn write_game(block: &mut Vec<u8>, game: &Played) {
    let winner = match game.winner {
        None => 0,
        Some(Color::White) => 1,
        Some(Color::Black) => 2,
    };
    block.push(winner | u8::from(game.by_capture) << 2);
    block.extend((game.events.len() as u16).to_le_bytes());
    for event in &game.events {
        match event {
            Happening::Roll(roll) => {
                let dice = roll.dice();
                block.push(dice.len() as u8);
                block.extend(dice.iter().map(|die| die.number()));
            }
            Happening::Turn(turn) => {
                block.push(TURN | turn.moves().len() as u8);
                block.extend(turn.moves().iter().flat_map(|mv| mv.packed().to_le_bytes()));
            }
        }
    }
    block.extend((game.moments.len() as u16).to_le_bytes());
    for moment in &game.moments {
        // The lowest bit tells whether the player strayed.
        let quiet = (moment.quiet * QUIET_ONE) as i16 & !1 | i16::from(moment.strayed);
        block.extend(quiet.to_le_bytes());
    }
}

/// Reads the next game of a block and plays it through; none where it makes no sense.
fn read_game(reader: &mut Reader, rules: &Rules) -> Option<Played> {
    let head = reader.u8()?;
    let winner = match head & 3 {
        0 => None,
        1 => Some(Color::White),
        2 => Some(Color::Black),
        _ => return None,
    };
    let mut events = Vec::new();
    for _ in 0..reader.u16()? {
        let head = reader.u8()?;
        let count = usize::from(head & !TURN);
        events.push(if head & TURN == 0 {
            let dice: Option<Vec<Face>> = reader.take(count)?.iter().map(|die| Face::new(*die)).collect();
            Happening::Roll(Roll::new(&dice?)?)
        } else {
            let moves = (0..count).map(|_| reader.u16().and_then(SingleMove::unpacked));
            Happening::Turn(Turn::new(&moves.collect::<Option<Vec<_>>>()?))
        });
    }
    let count = reader.u16()?;
    let quiets: Option<Vec<i16>> = (0..count).map(|_| reader.u16().map(|quiet| quiet as i16)).collect();
    let start = Position::start(rules.variant);
    let mut played = Played { start, events, moments: Vec::new(), winner, by_capture: head & 4 != 0 };
    played.moments = moments(rules, &played, &quiets?)?;
    Some(played)
}

/// The positions of a game between turns, by playing it through.
fn moments(rules: &Rules, played: &Played, quiets: &[i16]) -> Option<Vec<Moment>> {
    let mut game = Game::new(*rules, played.start);
    let mut quiets = quiets.iter();
    let mut moments = Vec::new();
    let mut before = None;
    let mut legal = Vec::new();
    for event in &played.events {
        let rolled = matches!(event, Happening::Roll(_));
        if rolled || is_unrolled(rules, before) {
            let position = *game.position();
            let told = *quiets.next()?;
            let (quiet, strayed) = (f32::from(told & !1) / QUIET_ONE, told & 1 != 0);
            moments.push(Moment { position, captures: captures(rules, &position), quiet, strayed });
        }
        before = Some(event);
        match event {
            Happening::Roll(roll) => {
                if game.status() != Status::Roll {
                    return None;
                }
                game.roll(*roll).ok()?;
            }
            Happening::Turn(turn) => {
                if game.position().awaits_roll() {
                    return None;
                }
                // Each move as such; whether all dice were used that could be is left out, which would take long.
                let mut at = *game.position();
                for &mv in turn.moves() {
                    rules.single_moves(&at, &mut legal);
                    if !legal.contains(&mv) {
                        return None;
                    }
                    at.play(rules.variant, mv, &mut ());
                }
                game.take(rules.after_turn(game.position(), turn));
            }
        }
    }
    // A game that was cut off as too long ends with a position that was not rolled from.
    Some(moments)
}

/// Writes games to a file, or adds to one.
pub struct Writer {
    file: File,
    games: u64,
}

impl Writer {
    /// Opens a file for games of an origin; what it holds whole is kept, a block that was cut off goes.
    pub fn open(path: &Path, origin: &Origin) -> Result<Writer, DataError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        if file.metadata()?.len() == 0 {
            file.write_all(&origin.to_bytes())?;
            return Ok(Writer { file, games: 0 });
        }
        if Origin::read(&mut file)? != *origin {
            return Err(DataError::Other);
        }
        let mut games = 0;
        let mut end = HEADER as u64;
        while let Ok(Some((count, payload))) = next_block(&mut file, 0) {
            games += u64::from(count);
            end += 16 + payload.len() as u64;
        }
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok(Writer { file, games })
    }

    /// Games in the file.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds a block of games.
    pub fn add(&mut self, games: &[Played]) -> Result<(), DataError> {
        let mut payload = Vec::new();
        games.iter().for_each(|game| write_game(&mut payload, game));
        let mut block = (games.len() as u32).to_le_bytes().to_vec();
        block.extend((payload.len() as u32).to_le_bytes());
        block.extend(checksum(&payload));
        block.extend(payload);
        self.file.write_all(&block)?;
        self.file.flush()?;
        self.games += games.len() as u64;
        Ok(())
    }
}

/// The next block: how many games, and their bytes; none at the end.
fn next_block(file: &mut impl Read, number: u64) -> Result<Option<(u32, Vec<u8>)>, DataError> {
    let mut head = [0; 16];
    let mut read = 0;
    while read < head.len() {
        match file.read(head.get_mut(read..).unwrap_or_default())? {
            0 if read == 0 => return Ok(None),
            0 => return Err(DataError::Block(number)),
            more => read += more,
        }
    }
    let mut reader = Reader { rest: &head };
    let (count, length) = (reader.u32().unwrap_or(0), reader.u32().unwrap_or(0) as usize);
    if length > MOST_BLOCK {
        return Err(DataError::Block(number));
    }
    let mut payload = Vec::new();
    file.take(length as u64).read_to_end(&mut payload)?;
    if payload.len() != length || checksum(&payload) != reader.rest {
        return Err(DataError::Block(number));
    }
    Ok(Some((count, payload)))
}

/// Reads the games of a file, one after another.
pub struct Games<R = BufReader<File>> {
    file: R,
    rules: Rules,
    origin: Origin,
    block: u64,
    waiting: std::vec::IntoIter<Played>,
}

impl Games {
    /// Opens a file of games.
    pub fn open(path: &Path) -> Result<Games, DataError> {
        Games::read(BufReader::new(File::open(path)?))
    }
}

impl<R: Read> Games<R> {
    /// The games of a file's bytes.
    pub fn read(mut file: R) -> Result<Games<R>, DataError> {
        let origin = Origin::read(&mut file)?;
        let variant: &Variant = find(origin.variant).ok_or(DataError::Magic)?;
        let rules = Rules::new(find(variant.name).ok_or(DataError::Magic)?);
        Ok(Games { file, rules, origin, block: 0, waiting: Vec::new().into_iter() })
    }

    /// What it was made with.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    fn block(&mut self) -> Result<Option<Vec<Played>>, DataError> {
        self.block += 1;
        let Some((count, payload)) = next_block(&mut self.file, self.block)? else { return Ok(None) };
        let mut reader = Reader { rest: &payload };
        let games: Option<Vec<Played>> = (0..count).map(|_| read_game(&mut reader, &self.rules)).collect();
        games.filter(|_| reader.rest.is_empty()).map(Some).ok_or(DataError::Block(self.block))
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<Played, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.waiting.next() {
                return Some(Ok(game));
            }
            match self.block() {
                Ok(Some(games)) => self.waiting = games.into_iter(),
                Ok(None) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Network, Weights};
    use crate::train::{Play, Player};
    use crate::variant::VARIANTS;

    fn games(count: u64) -> Vec<Played> {
        games_of("dicechess", count)
    }

    fn games_of(variant: &str, count: u64) -> Vec<Played> {
        let rules = Rules::new(find(variant).unwrap());
        let network = Network::new(&Weights::zero(variant));
        let mut player = Player::new(rules, &network, Play { random_turns: 2, noise: 0.1, candidates: 2 });
        (0..count).map(|seed| player.game(&Position::start(rules.variant), seed)).collect()
    }

    fn scratch(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("hazard-data-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder.join("games.bin")
    }

    fn origin() -> Origin {
        Origin { variant: "dicechess", seed: 5, network: [7; 8] }
    }

    #[test]
    fn games_are_read_back() {
        let path = scratch("back");
        let wanted = games(6);
        let mut writer = Writer::open(&path, &origin()).unwrap();
        writer.add(&wanted[..4]).unwrap();
        drop(writer);
        let mut writer = Writer::open(&path, &origin()).unwrap();
        assert_eq!(writer.games(), 4);
        writer.add(&wanted[4..]).unwrap();
        let read: Vec<Played> = Games::open(&path).unwrap().map(Result::unwrap).collect();
        assert_eq!(read.len(), 6);
        for (read, wanted) in read.iter().zip(&wanted) {
            assert_eq!(
                (read.winner, read.by_capture, &read.events),
                (wanted.winner, wanted.by_capture, &wanted.events)
            );
            let positions = |game: &Played| game.moments.iter().map(|moment| moment.position).collect::<Vec<_>>();
            assert_eq!(positions(read), positions(wanted));
            assert!(
                read.moments
                    .iter()
                    .zip(&wanted.moments)
                    .all(|(a, b)| a.captures == b.captures && a.strayed == b.strayed)
            );
        }
        std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }

    #[test]
    fn games_of_every_kind_are_read_back() {
        for variant in VARIANTS.iter().filter(|variant| variant.has_dice()) {
            let origin = Origin { variant: variant.name, ..origin() };
            let wanted = games_of(variant.name, 4);
            let path = scratch(variant.name);
            Writer::open(&path, &origin).unwrap().add(&wanted).unwrap();
            let read: Vec<Played> = Games::open(&path).unwrap().map(Result::unwrap).collect();
            let events = |games: &[Played]| games.iter().map(|game| game.events.clone()).collect::<Vec<_>>();
            assert_eq!(events(&read), events(&wanted), "{}", variant.name);
            std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
        }
    }

    #[test]
    fn damage_is_named_and_a_torn_block_goes() {
        let path = scratch("torn");
        let mut writer = Writer::open(&path, &origin()).unwrap();
        let wanted = games(3);
        writer.add(&wanted[..2]).unwrap();
        writer.add(&wanted[2..]).unwrap();
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 3]).unwrap();
        assert!(Games::open(&path).unwrap().any(|game| matches!(game, Err(DataError::Block(2)))));
        assert_eq!(Writer::open(&path, &origin()).unwrap().games(), 2);
        assert!(matches!(Writer::open(&path, &Origin { seed: 6, ..origin() }), Err(DataError::Other)));
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x11;
            std::fs::write(&path, &bytes).unwrap();
            // Every byte is covered by a checksum, but for the numbers that say how much follows.
            let read: Result<Vec<Played>, DataError> = Games::open(&path).and_then(|games| games.collect());
            assert!(read.is_err(), "{at}");
        }
        std::fs::write(&path, b"HAZRDGAM").unwrap();
        assert!(matches!(Games::open(&path), Err(DataError::Magic)));
        std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }
}
