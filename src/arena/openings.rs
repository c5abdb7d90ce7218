//! Files of start positions: one a line, as DFEN, FEN or EPD.

use crate::notation::{from_dfen, shown, to_dfen};
use crate::position::{Position, Rigour};
use crate::turns::{Rules, Status};
use thiserror::Error;

/// A start position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The position.
    pub position: Position,
    /// Its DFEN.
    pub dfen: String,
}

/// What is wrong with a file of openings.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum OpeningError {
    /// A line that is no position.
    #[error("line {line}: '{text}': {reason}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What it says.
        text: String,
        /// Why it is none.
        reason: String,
    },
    /// No line with a position.
    #[error("no position in it")]
    Empty,
}

/// Reads the positions of a text. Blank lines and lines that begin with `#` are passed over; of an EPD the operations.
pub fn read_openings(text: &str, rules: &Rules, chess960: bool) -> Result<Vec<Opening>, OpeningError> {
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |reason: String| OpeningError::Line { line: number, text: shown(line), reason };
        let position = from_dfen(rules, &without_operations(line), chess960, Rigour::Lenient)
            .map_err(|error| wrong(error.to_string()))?
            .position;
        if let Status::Over(outcome) = rules.status(&position, false) {
            return Err(wrong(format!("the game is over: {outcome}")));
        }
        openings.push(Opening { position, dfen: to_dfen(rules, &position) });
    }
    if openings.is_empty() { Err(OpeningError::Empty) } else { Ok(openings) }
}

/// The fields of a position without the operations of an EPD (`bm e4; id "x";`), of which the clocks are kept.
fn without_operations(line: &str) -> String {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let is_number = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
    if !line.contains(';') || fields.get(4).is_none_or(is_number) {
        return line.trim_end_matches(';').to_string();
    }
    let (position, operations) = fields.split_at(4);
    let operand = |code: &str| {
        let at = operations.iter().position(|&word| word == code)?;
        operations.get(at + 1).map(|value| value.trim_end_matches(';'))
    };
    let [halfmove, fullmove] = ["hmvc", "fmvn"].map(operand);
    format!("{} {} {}", position.join(" "), halfmove.unwrap_or("0"), fullmove.unwrap_or("1"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::find;

    #[test]
    fn dfen_fen_and_epd_are_read() {
        let rules = Rules::new(find("anydice").unwrap());
        let text = "# openings\n\n\
            rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1001 -\n\
            rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 3; fmvn 7; id \"x y\";\n\
            rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\r\n";
        let openings = read_openings(text, &rules, false).unwrap();
        assert_eq!(openings.iter().map(|opening| opening.position.fullmove()).collect::<Vec<_>>(), [1001, 7, 1]);
        assert_eq!(openings[1].position.halfmove(), 3);
        let wrong = |text: &str| read_openings(text, &rules, false).unwrap_err().to_string();
        assert!(wrong("8/8 w - -").starts_with("line 1: '8/8 w - -': "));
        assert_eq!(wrong("# nothing\n"), "no position in it");
        assert!(wrong("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").contains("the game is over"));
    }
}
