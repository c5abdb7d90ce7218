//! Standard algebraic notation of single moves.
//!
//! A man is told apart from his fellows by file, rank or both wherever another of his role could go to the same square
//! by the dice that are left, whether or not the turn could be completed so. `+` and `#` are written only where check
//! exists.

use super::{MoveText, Style, move_text};
use crate::board::{Role, Square};
use crate::position::{MoveKind, Position, SingleMove};
use crate::turns::{Rules, Step};

/// Writes a single move in the position in which it is made.
pub fn san(rules: &Rules, position: &Position, mv: SingleMove) -> String {
    let mut moves = Vec::new();
    rules.single_moves(position, &mut moves);
    let mut text = bare_san(position, mv, &moves);
    if rules.variant.has_check() {
        text.push_str(check_mark(rules, position, mv));
    }
    text
}

/// The single move that a text names in a position: in SAN, with or without its marks, or in UCI notation.
pub fn parse_san(rules: &Rules, position: &Position, text: &str) -> Option<SingleMove> {
    let bare = text.trim_end_matches(['+', '#', '!', '?']).replace('0', "O");
    let mut moves = Vec::new();
    rules.single_moves(position, &mut moves);
    let found = moves.iter().copied().find(|&mv| bare_san(position, mv, &moves) == bare);
    let found = found.or_else(|| by_description(rules, position, &bare, &moves));
    found.or_else(|| {
        MoveText::parse(text)?;
        let is = |mv: SingleMove| [Style::Orthodox, Style::Chess960].map(|style| move_text(mv, style) == text);
        let by_style = |wanted: usize| moves.iter().copied().find(|&mv| is(mv).get(wanted) == Some(&true));
        by_style(0).or_else(|| by_style(1))
    })
}

/// The one move of those that can be made which a text does not contradict, that tells no more than it must: programs of
/// chess tell men apart by moves that are legal in chess.
fn by_description(rules: &Rules, position: &Position, bare: &str, moves: &[SingleMove]) -> Option<SingleMove> {
    let (body, promotion) = bare.split_once('=').unwrap_or((bare, ""));
    let (role, rest) = match body.chars().next()? {
        letter @ ('K' | 'Q' | 'R' | 'B' | 'N') => (Role::parse(letter)?, body.get(1..)?),
        _ => (Role::Pawn, body),
    };
    let (hints, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
    let to = Square::parse(to)?;
    let fits = |mv: &SingleMove| {
        let from = mv.from.to_string();
        let named = mv.promotion.map(|role| role.letter().to_ascii_uppercase().to_string()).unwrap_or_default();
        mv.to == to
            && mv.kind != MoveKind::Castle
            && position.man(mv.from).is_some_and(|man| man.role() == role)
            && hints.chars().all(|hint| hint == 'x' || from.contains(hint))
            && named == promotion
            && rules.step(position, *mv).is_some()
    };
    let mut fitting = moves.iter().copied().filter(fits);
    let only = fitting.next();
    if fitting.next().is_some() { None } else { only }
}

/// A move without its mark of check, among all that the dice can pay for.
fn bare_san(position: &Position, mv: SingleMove, moves: &[SingleMove]) -> String {
    if mv.kind == MoveKind::Castle {
        return if mv.to.file() > mv.from.file() { "O-O" } else { "O-O-O" }.to_string();
    }
    let role = |square| position.man(square).map(|man| man.role());
    let moving = role(mv.from).unwrap_or(Role::Pawn);
    let takes = position.man(mv.to).is_some() || mv.kind == MoveKind::EnPassant;
    let mut text = String::new();
    if moving == Role::Pawn {
        if mv.from.file() != mv.to.file() {
            text.push(file_letter(mv.from.file()));
        }
    } else {
        text.push(moving.letter().to_ascii_uppercase());
        let rivals = moves.iter().filter(|other| {
            other.to == mv.to
                && other.from != mv.from
                && other.kind != MoveKind::Castle
                && role(other.from) == Some(moving)
        });
        let (mut any, mut file, mut rank) = (false, false, false);
        for rival in rivals {
            any = true;
            file |= rival.from.file() == mv.from.file();
            rank |= rival.from.rank() == mv.from.rank();
        }
        if any && (!file || rank) {
            text.push(file_letter(mv.from.file()));
        }
        if file {
            text.push(char::from(b'1' + mv.from.rank()));
        }
    }
    if takes {
        text.push('x');
    }
    text.push_str(&mv.to.to_string());
    if let Some(role) = mv.promotion {
        text.push('=');
        text.push(role.letter().to_ascii_uppercase());
    }
    text
}

fn file_letter(file: u8) -> char {
    char::from(b'a' + file)
}

fn check_mark(rules: &Rules, position: &Position, mv: SingleMove) -> &'static str {
    let (Some(side), Some(step)) = (position.side(), rules.step(position, mv)) else { return "" };
    let after = step.position();
    let taken = after.king(side.other()).is_none();
    if taken || !after.in_check(rules.sliders, side.other()) {
        return "";
    }
    let ended = matches!(step, Step::Ended(_));
    let mates = ended && rules.outcome(after, false).is_some_and(|outcome| outcome.winner == Some(side));
    if mates { "#" } else { "+" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::from_dfen;
    use crate::position::Rigour;
    use crate::variant::find;

    /// Every move of a position in SAN, each of which must lead back to it.
    fn all(variant: &str, dfen: &str) -> Vec<String> {
        let rules = Rules::new(find(variant).unwrap());
        let position = from_dfen(&rules, dfen, false, Rigour::Strict).unwrap().position;
        let mut moves = Vec::new();
        rules.single_moves(&position, &mut moves);
        let mut texts = Vec::new();
        for mv in moves {
            let text = san(&rules, &position, mv);
            assert_eq!(parse_san(&rules, &position, &text), Some(mv), "{text}");
            assert_eq!(parse_san(&rules, &position, &move_text(mv, Style::Orthodox)), Some(mv), "{text}");
            assert!(!texts.contains(&text), "{text} twice");
            texts.push(text);
        }
        texts
    }

    #[test]
    fn men_are_told_apart() {
        let texts = all("chess", "8/8/6k1/8/1Q5Q/8/8/K6Q w - - 0 1");
        for wanted in ["Qbe1", "Q1e1", "Qh4e1+"] {
            let bare = wanted.trim_end_matches('+');
            assert!(texts.iter().any(|text| text.trim_end_matches('+') == bare), "{wanted} in {texts:?}");
        }
    }

    #[test]
    fn marks_promotions_and_castling() {
        let texts = all("chess", "8/P5k1/8/8/8/8/8/R3K2R w KQ - 0 1");
        for wanted in ["a8=Q", "a8=N", "O-O", "O-O-O", "Rxh7"] {
            let there = texts.iter().any(|text| text == wanted);
            assert_eq!(there, wanted != "Rxh7", "{wanted} in {texts:?}");
        }
        assert!(all("chess", "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1").contains(&"Re8#".to_string()));
        // No check in the game of three dice: no mark, and the king may be taken.
        let texts = all("dicechess", "4k3/8/8/8/8/8/8/K3R3 w - - 0 1 RRR");
        assert!(texts.contains(&"Rxe8".to_string()) && texts.iter().all(|text| !text.contains('+')), "{texts:?}");
    }
}
