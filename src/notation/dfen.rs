//! DFEN: FEN with a set of en-passant squares, a side that may be nobody, and the pool as a seventh field.

use super::pool::{self, PoolError};
use super::shown;
use crate::board::{Bitboard, Color, Piece, Role, Square};
use crate::position::{Pool, Position, Right, Rigour, Setup, SetupFault, Ticket, Warning, Wing};
use crate::turns::Rules;
use crate::variant::NoMoveRule;
use thiserror::Error;

/// What is wrong with a DFEN.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum DfenError {
    /// Too few or too many fields.
    #[error("a DFEN has 4 to 7 fields, not {0}")]
    Fields(usize),
    /// Not eight ranks.
    #[error("the placement has {0} ranks, not 8")]
    Ranks(usize),
    /// A rank that is too long or too short.
    #[error("rank {0} of the placement has {1} squares, not 8")]
    RankLength(u8, usize),
    /// Something that is neither a man nor a number of empty squares.
    #[error("'{0}' in the placement is neither a man nor a number of empty squares")]
    Man(String),
    /// Not a side.
    #[error("the side to move is {1}, not '{0}'")]
    Side(String, &'static str),
    /// Not a castling right.
    #[error("'{0}' in the castling field is no castling right")]
    Right(String),
    /// The same right twice.
    #[error("castling right '{0}' is given twice")]
    RightTwice(char),
    /// Not a list of squares.
    #[error("'{0}' is no list of en-passant squares")]
    Targets(String),
    /// A clock that is no number in range.
    #[error("the halfmove clock is a number from 0 to 127, not '{0}'")]
    Halfmove(String),
    /// A move number out of range.
    #[error("the fullmove number is a number from 0 to 65535, not '{0}'")]
    Fullmove(String),
    /// A pool that cannot be.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// Parts that do not make a position.
    #[error("{}", list(.0))]
    Setup(Vec<SetupFault>),
}

fn list(faults: &[SetupFault]) -> String {
    faults.iter().map(SetupFault::to_string).collect::<Vec<_>>().join("; ")
}

/// A position read from text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The position.
    pub position: Position,
    /// What was mended on the way.
    pub warnings: Vec<Warning>,
}

/// Reads a DFEN of 4 to 7 fields; missing ones are halfmove 0, fullmove 1 and no pool.
///
/// Under `chess960` rights may name any rook of the first rank, as in X-FEN and Shredder-FEN.
pub fn from_dfen(rules: &Rules, text: &str, chess960: bool, rigour: Rigour) -> Result<Parsed, DfenError> {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let (&[placement, side, castling, targets], rest) =
        fields.split_first_chunk::<4>().ok_or(DfenError::Fields(fields.len()))?;
    if rest.len() > 3 {
        return Err(DfenError::Fields(fields.len()));
    }
    let variant = rules.variant;
    let side = self::side(side, variant.has_mover())?;
    let setup = Setup {
        men: men(placement)?,
        side,
        rights: if variant.has_castling() { rights(castling)? } else { Vec::new() },
        targets: if variant.has_en_passant() { squares(targets)? } else { Vec::new() },
        halfmove: number(rest.first(), 0, 127).map_err(DfenError::Halfmove)? as u8,
        fullmove: number(rest.get(1), 1, u32::from(u16::MAX)).map_err(DfenError::Fullmove)? as u16,
        pool: match rest.get(2) {
            None | Some(&"-") => Pool::EMPTY,
            Some(text) => pool::from_text(variant, side, text)?,
        },
        chess960,
    };
    let (mut position, warnings) = setup.position(variant, rigour).map_err(DfenError::Setup)?;
    check_pool(rules, &mut position)?;
    Ok(Parsed { position, warnings })
}

/// What only move generation can tell about a pool.
fn check_pool(rules: &Rules, position: &mut Position) -> Result<(), PoolError> {
    let Some(side) = position.side().filter(|_| !position.awaits_roll()) else { return Ok(()) };
    if position.pool().spoilt && rules.survey(position).sequences == 0 {
        return Err(PoolError::MarkWithoutCapture);
    }
    let dead = || !rules.has_move(position);
    match rules.variant.no_move {
        NoMoveRule::Reroll | NoMoveRule::HandOver if dead() => return Err(PoolError::Dead),
        NoMoveRule::AnyMove if dead() => position.set_allowance(side, Pool::new(&[Ticket::ANY])),
        _ => {}
    }
    Ok(())
}

fn men(placement: &str) -> Result<[Option<Piece>; 64], DfenError> {
    let ranks: Vec<&str> = placement.split('/').collect();
    if ranks.len() != 8 {
        return Err(DfenError::Ranks(ranks.len()));
    }
    let mut men = [None; 64];
    for (rank, text) in (0u8..8).rev().zip(ranks) {
        let mut file = 0usize;
        for letter in text.chars() {
            match (letter.to_digit(10), Piece::parse(letter)) {
                (Some(empty @ 1..=8), _) => file += empty as usize,
                (None, Some(piece)) => {
                    if let Some(slot) = men.get_mut(usize::from(rank) * 8 + file).filter(|_| file < 8) {
                        *slot = Some(piece);
                    }
                    file += 1;
                }
                _ => return Err(DfenError::Man(shown(&letter.to_string()))),
            }
        }
        if file != 8 {
            return Err(DfenError::RankLength(rank + 1, file));
        }
    }
    Ok(men)
}

fn side(text: &str, has_mover: bool) -> Result<Option<Color>, DfenError> {
    match text {
        "w" => Ok(Some(Color::White)),
        "b" => Ok(Some(Color::Black)),
        "-" if !has_mover => Ok(None),
        _ if has_mover => Err(DfenError::Side(shown(text), "'w' or 'b'")),
        _ => Err(DfenError::Side(shown(text), "'w', 'b' or '-'")),
    }
}

fn rights(text: &str) -> Result<Vec<(Color, Right)>, DfenError> {
    let mut rights: Vec<(Color, Right)> = Vec::new();
    if text == "-" {
        return Ok(rights);
    }
    for letter in text.chars() {
        let right = match letter.to_ascii_uppercase() {
            'K' => Right::Wing(Wing::King),
            'Q' => Right::Wing(Wing::Queen),
            file @ 'A'..='H' => Right::File(file as u8 - b'A'),
            _ => return Err(DfenError::Right(shown(&letter.to_string()))),
        };
        let right = (if letter.is_ascii_uppercase() { Color::White } else { Color::Black }, right);
        if rights.contains(&right) {
            return Err(DfenError::RightTwice(letter));
        }
        rights.push(right);
    }
    Ok(rights)
}

fn squares(text: &str) -> Result<Vec<Square>, DfenError> {
    if text == "-" {
        return Ok(Vec::new());
    }
    let malformed = || DfenError::Targets(shown(text));
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return Err(malformed());
    }
    text.as_bytes()
        .chunks(2)
        .map(|square| std::str::from_utf8(square).ok().and_then(Square::parse).ok_or_else(malformed))
        .collect()
}

fn number(text: Option<&&str>, missing: u32, most: u32) -> Result<u32, String> {
    let Some(text) = text else { return Ok(missing) };
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&number| digits && number <= most).ok_or_else(|| shown(text))
}

/// Writes a position as a DFEN of 7 fields.
pub fn to_dfen(rules: &Rules, position: &Position) -> String {
    let mut placement = String::new();
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            match position.man(Square::on(file, rank)) {
                Some(piece) => {
                    if empty > 0 {
                        placement.push_str(&empty.to_string());
                    }
                    empty = 0;
                    placement.push(piece.letter());
                }
                None => empty += 1,
            }
        }
        if empty > 0 {
            placement.push_str(&empty.to_string());
        }
        if rank > 0 {
            placement.push('/');
        }
    }
    let targets: String = position.targets().map(|target| target.to_string()).collect();
    format!(
        "{placement} {} {} {} {} {} {}",
        position.side().map_or('-', Color::letter),
        or_dash(castling_text(position)),
        or_dash(targets),
        position.halfmove(),
        position.fullmove(),
        pool::to_text(rules.variant, position)
    )
}

fn or_dash(text: String) -> String {
    if text.is_empty() { "-".to_string() } else { text }
}

/// `KQkq`, or the rook's file where a rook further out stands on the same wing (X-FEN).
fn castling_text(position: &Position) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        for wing in Wing::ALL {
            let Some(rook) = position.castling_rook(color, wing) else { continue };
            let mut rooks = position.men(color, Role::Rook) & Bitboard::rank(rook.rank());
            let further = rooks.any(|other| match wing {
                Wing::King => other.file() > rook.file(),
                Wing::Queen => other.file() < rook.file(),
            });
            let letter = match wing {
                _ if further => char::from(b'A' + rook.file()),
                Wing::King => 'K',
                Wing::Queen => 'Q',
            };
            text.push(if color == Color::White { letter } else { letter.to_ascii_lowercase() });
        }
    }
    text
}
