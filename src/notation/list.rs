//! Bare lists of turns, as `position` takes them: `startpos moves 124 e2e4,…` or the tokens alone.

use super::record::{Assumed, GameRecord, RecordError};
use super::shown;
use super::turn::Token;
use crate::position::Position;
use crate::variant::Variant;

impl GameRecord {
    /// Reads a line that holds the turns of one game: roll tokens, single moves, comma-joined turns, `0000`.
    pub fn from_list(line: &str, variant: &'static Variant) -> Result<GameRecord, RecordError> {
        let words: Vec<&str> = line.split_whitespace().filter(|word| *word != "position").collect();
        let at = words.iter().position(|word| *word == "moves");
        let (start, tokens) = match (words.first(), at) {
            (Some(&("startpos" | "fen")), Some(at)) => (words.get(..at), words.get(at + 1..)),
            (Some(&("startpos" | "fen")), None) => (words.get(..), None),
            _ => (None, words.get(..)),
        };
        let mut text = format!("[Variant \"{}\"]\n", variant.name);
        if let Some([kind, dfen @ ..]) = start.filter(|start| start.first() != Some(&"startpos")) {
            if dfen.is_empty() {
                return Err(RecordError::Start(format!("'{}' needs a DFEN", shown(kind))));
            }
            // The tag cannot hold a quotation mark, and no DFEN has one.
            text.push_str(&format!("[FEN \"{}\"]\n", dfen.join(" ").replace('"', "")));
        }
        text.push('\n');
        for (turn, word) in tokens.unwrap_or_default().iter().enumerate() {
            match Token::parse(word, variant) {
                Ok(Token::Roll(roll)) => text.push_str(&format!("{{[%dice {roll}]}} ")),
                Ok(Token::Pass) => text.push_str("-- "),
                Ok(Token::Moves(_)) => text.push_str(&format!("{word} ")),
                Err(_) => return Err(RecordError::Move { turn: turn + 1, token: shown(word) }),
            }
        }
        let assumed = Assumed { variant, ..Assumed::default() };
        let only = GameRecord::read_all_as(&text, assumed).next();
        only.unwrap_or_else(|| {
            let start = Position::start(variant);
            let (tags, turns, last_rolls) = (Vec::new(), Vec::new(), Vec::new());
            Ok(GameRecord { tags, variant: variant.name, start, turns, last_rolls, result: "*".to_string() })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{Style, tokens};
    use crate::variant::find;

    #[test]
    fn lists_are_read_with_and_without_their_start() {
        let variant = find("dicechess").unwrap();
        let list = "124 h2h3,b1c3,h1h2 PPP a7a6,b7b6,c7c6 333 0000";
        for line in [list.to_string(), format!("startpos moves {list}"), format!("position startpos moves {list}")] {
            let record = GameRecord::from_list(&line, variant).unwrap();
            assert_eq!(record.turns.len(), 3);
            assert_eq!(tokens(&record, Style::Orthodox).join(" "), list.replace("PPP", "111"));
        }
        let dfen = "fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1 - moves 444 a1a2,a2a3,a3a4";
        assert_eq!(GameRecord::from_list(dfen, variant).unwrap().turns.len(), 1);
        for (line, wanted) in [
            ("124 h2h9", "'h2h9' is no move here"),
            ("124 e1e8", "'e1e8'"),
            ("fen moves 124", "needs a DFEN"),
            ("e2e4", "turn 1"),
        ] {
            let error = GameRecord::from_list(line, variant).expect_err(line).to_string();
            assert!(error.contains(wanted), "{line}: {error}");
        }
    }
}
