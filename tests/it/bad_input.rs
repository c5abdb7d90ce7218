//! Malformed and impossible lines: one error each that names the fault, nothing changed, the process right afterwards.

use crate::support::Engine;
use hazard::variant::VARIANTS;
use proptest::prelude::*;

/// (variant, line, what the error must say).
const LINES: &[(&str, &str, &str)] = &[
    // Commands.
    ("dicechess", "xyzzy", "unknown command 'xyzzy'"),
    ("dicechess", "POSITION startpos", "unknown command 'POSITION'"),
    ("dicechess", "\0\0\0", "unknown command '\\0\\0\\0'"),
    ("dicechess", "uci now", "'uci' takes no argument, but 'now' follows"),
    ("dicechess", "isready?", "unknown command 'isready?'"),
    ("dicechess", "legal moves", "'legal' takes no argument"),
    ("dicechess", "quit now", "'quit' takes no argument"),
    ("dicechess", "debug maybe", "'debug' needs 'on' or 'off'"),
    ("dicechess", "ponderhit", "'ponderhit' without a search that ponders"),
    // Options.
    ("dicechess", "setoption", "'setoption' needs"),
    ("dicechess", "setoption Hash 16", "'setoption' needs"),
    ("dicechess", "setoption name", "'setoption' needs"),
    ("dicechess", "setoption name value 3", "'setoption' needs"),
    ("dicechess", "setoption name Hash", "option Hash needs a value"),
    ("dicechess", "setoption name Hash value 0", "option Hash takes a number from 1 to 65536, not '0'"),
    ("dicechess", "setoption name Hash value 65537", "not '65537'"),
    ("dicechess", "setoption name Hash value -1", "not '-1'"),
    ("dicechess", "setoption name Hash value 16.5", "not '16.5'"),
    ("dicechess", "setoption name Hash value lots", "not 'lots'"),
    ("dicechess", "setoption name Hash value 99999999999999999999999", "not '99999999999999999999999'"),
    ("dicechess", "setoption name Threads value 257", "option Threads takes a number from 1 to 256"),
    ("dicechess", "setoption name MultiPV value 0", "option MultiPV takes a number from 1 to 256"),
    ("dicechess", "setoption name Move Overhead value 5001", "option Move Overhead takes a number from 0 to 5000"),
    ("dicechess", "setoption name Ponder value perhaps", "option Ponder takes true or false"),
    ("dicechess", "setoption name Clear Hash value now", "option Clear Hash takes no value"),
    ("dicechess", "setoption name Turns value half", "option Turns takes one of full, single"),
    ("dicechess", "setoption name UCI_Variant value shogi", "option UCI_Variant takes one of dicechess"),
    ("dicechess", "setoption name UCI_Variant", "option UCI_Variant needs a value"),
    ("dicechess", "setoption name Style value wild", "unknown option 'Style'"),
    // Go.
    ("dicechess", "go fast", "unknown word 'fast' in 'go'"),
    ("dicechess", "go depth", "'depth' of 'go' needs a number from 1 to 255, not 'nothing'"),
    ("dicechess", "go depth 0", "not '0'"),
    ("dicechess", "go depth 256", "not '256'"),
    ("dicechess", "go depth -3", "not '-3'"),
    ("dicechess", "go depth three", "not 'three'"),
    ("dicechess", "go nodes 0", "'nodes' of 'go' needs a positive number"),
    ("dicechess", "go nodes 18446744073709551616", "'nodes' of 'go' needs a positive number"),
    ("dicechess", "go movetime -5", "'movetime' of 'go' needs a number of milliseconds, not '-5'"),
    ("dicechess", "go movetime 1e3", "not '1e3'"),
    ("dicechess", "go wtime soon", "'wtime' of 'go' needs a number of milliseconds, not 'soon'"),
    ("dicechess", "go winc -1", "'winc' of 'go' needs a number of milliseconds"),
    ("dicechess", "go movestogo 0", "'movestogo' of 'go' needs a number from 1 to 10000"),
    ("dicechess", "go mate 0", "'mate' of 'go' needs"),
    ("dicechess", "go depth 1 depth 2", "'depth' is given twice"),
    ("dicechess", "go perft 0", "'perft' of 'go' needs"),
    ("dicechess", "go perft 2 depth 1", "'go perft' takes no argument"),
    ("dicechess", "go searchmoves", "'searchmoves' needs turns"),
    ("dicechess", "go searchmoves e2e4", "'searchmoves': no turn is due"),
    // Position: its words.
    ("dicechess", "position", "'position' needs 'startpos' or 'fen <DFEN>'"),
    ("dicechess", "position moves e2e4", "'position' needs"),
    ("dicechess", "position start", "'position' needs"),
    ("dicechess", "position startpos e2e4", "'position startpos' takes no argument, but 'e2e4' follows"),
    ("dicechess", "position fen", "'position fen' needs a DFEN"),
    ("dicechess", "position fen moves 124", "'position fen' needs a DFEN"),
    // DFEN: fields.
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K3 w -", "a DFEN has 4 to 7 fields, not 3"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 - -", "a DFEN has 4 to 7 fields, not 8"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/4K3 w - - 0 1", "the placement has 7 ranks, not 8"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "the placement has 9 ranks, not 8"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/7/4K3 w - - 0 1", "rank 2 of the placement has 7 squares, not 8"),
    ("dicechess", "position fen 4k4/8/8/8/8/8/8/4K3 w - - 0 1", "rank 8 of the placement has 9 squares, not 8"),
    (
        "dicechess",
        "position fen 4k3/ppppppppppppppppppp/8/8/8/8/8/4K3 w - - 0 1",
        "rank 7 of the placement has 19 squares",
    ),
    ("dicechess", "position fen 4k3/8/8/8/9/8/8/4K3 w - - 0 1", "'9' in the placement"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4X3 w - - 0 1", "'X' in the placement"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4é3 w - - 0 1", "'é' in the placement"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1", "the side to move is 'w' or 'b', not 'x'"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K3 - - - 0 1", "the side to move is 'w' or 'b', not '-'"),
    ("dicehard", "position fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1", "the side to move is 'w', 'b' or '-', not 'x'"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "castling right 'K' is given twice"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "castling right 'H' is given twice"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K2R w X - 0 1", "'X' in the castling field is no castling right"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "castling right 'Q' without king and rook at home"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/3K3R w K - 0 1", "castling right 'K' without king and rook at home"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "'e9' is no list of en-passant squares"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K3 w - e6d 0 1", "'e6d' is no list of en-passant squares"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K3 w - e5 0 1", "en-passant target e5 is on neither"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en-passant target e6 has no pawn in front of it"),
    ("dicechess", "position fen 4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "en-passant target e6 is occupied"),
    ("dicechess", "position fen 4k3/8/8/4p3/8/8/8/4K3 w - e6e6 0 1", "en-passant target e6 is given twice"),
    ("dicechess", "position fen 4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", "en-passant target e3 belongs to the side"),
    (
        "dicechess",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 128 1",
        "the halfmove clock is a number from 0 to 127, not '128'",
    ),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 4294967296 1", "not '4294967296'"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K3 w - - -1 1", "not '-1'"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K3 w - - x 1", "not 'x'"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 65536", "the fullmove number is a number from 0 to 65535"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 +1", "not '+1'"),
    // DFEN: men.
    ("dicechess", "position fen 8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 0 kings, not one"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "White has 2 kings, not one"),
    ("dicechess", "position fen kk6/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings, not one; Black has 2 kings, not one"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "a pawn stands on a1"),
    ("dicechess", "position fen p3k3/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn stands on a8"),
    ("dicechess", "position fen 4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1", "White has 17 men, more than 16"),
    ("pawnhunt", "position fen 4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "Black has no pawns"),
    ("pawnhunt", "position fen 4k3/p7/8/8/8/8/P7/2K1K3 w - - 0 1", "White has 2 kings, not one"),
    ("chess", "position fen 4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "White is to move, but Black stands in check"),
    ("anydice", "position fen 4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "White is to move, but Black stands in check"),
    ("dicecheckmate", "position fen 8/8/8/8/8/4k3/4K3/8 w - - 0 1", "both kings stand in check"),
    // DFEN: pools.
    (
        "dicechess",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 PPPP",
        "a pool of dicechess has at most 3 tickets, not 4",
    ),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 XYZ", "'XYZ' is not a pool of dicechess"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", "the mark 'x' needs a pool of which part is spent"),
    (
        "dicechess",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 KKKx",
        "the mark 'x' needs a pool of which part is spent",
    ),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 KKx", "the mark 'x' needs a line that takes the king"),
    ("dicechess", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 **", "'**' is not a pool of dicechess"),
    (
        "dicehard",
        "position fen 4k3/8/8/8/8/8/P7/4K3 w - - 0 1 p",
        "the pool's letter 'p' is in the case of the other side",
    ),
    ("dicehard", "position fen 4k3/8/8/8/8/8/P7/4K3 - - - 0 1 P", "a pool needs a side to move"),
    ("dicehard", "position fen 4k3/8/8/8/8/8/P7/4K3 w - - 0 1 K", "'K' is not a pool of dicehard"),
    ("dicehard", "position fen 4k3/8/8/8/8/8/P7/4K3 w - - 0 1 Q", "no man can use the pool's die"),
    ("diceultimate", "position fen 4k3/8/8/8/8/8/P7/4K3 w - - 0 1 P>q", "'P>q' is not a pool of diceultimate"),
    (
        "diceultimate",
        "position fen 4k3/8/8/8/8/8/P7/4K3 w - - 0 1 Q>P",
        "the pool's letter 'P' is in the case of the other side",
    ),
    ("diceultimate", "position fen 4k3/8/8/8/8/8/P7/4K3 w - - 0 1 *", "'*' is not a pool of diceultimate"),
    (
        "pawnhunt",
        "position fen 4k3/p7/8/8/8/8/P7/4K3 w - - 0 1 ******",
        "a pool of pawnhunt has at most 5 tickets, not 6",
    ),
    (
        "gollon-count",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 *****",
        "a pool of gollon-count has at most 4 tickets",
    ),
    ("gollon-piececount", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 NB", "'NB' is not a pool of gollon-piececount"),
    ("gollon-piececount", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 NNNNNNN", "at most 6 tickets, not 7"),
    (
        "gollon-piececount",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 NN@f3",
        "no man that may move stands on the locked square f3",
    ),
    ("dicecheckmate", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 N", "'N' is not a pool of dicecheckmate"),
    ("dicecheckmate", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 [NN]", "'[NN]' is not a pool of dicecheckmate"),
    ("brainking", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 N", "no man can use the pool's die"),
    ("vegas", "position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1 ?", "White stands in check: no roll is made"),
    ("vegas", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 *", "the pool '*' needs a check to answer"),
    ("vegas", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 K", "'K' is not a pool of vegas"),
    ("chess", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 K", "'K' is not a pool of chess"),
    // Moves.
    ("dicechess", "position startpos moves 124 e2e5", "token 2 of 'moves', 'e2e5': illegal move"),
    ("dicechess", "position startpos moves 124 h2h3 b1c3 a1a5 345", "token 4 of 'moves', 'a1a5': illegal move"),
    ("dicechess", "position startpos moves 124 e2", "'e2' is neither a roll of dicechess nor a move"),
    ("dicechess", "position startpos moves 124 e2e4e", "'e2e4e' is neither a roll of dicechess nor a move"),
    ("dicechess", "position startpos moves 124 E2E4", "'E2E4' is neither a roll of dicechess nor a move"),
    ("dicechess", "position startpos moves e2e4", "a roll is due, not a move"),
    ("dicechess", "position startpos moves 0000", "a roll is due, not a move"),
    ("dicechess", "position startpos moves 124 124", "White must move before the next roll"),
    ("dicechess", "position startpos moves 124 0000", "White must move and may not pass"),
    ("dicechess", "position startpos moves 12", "a roll of this game has 3 dice, not 2"),
    ("dicechess", "position startpos moves 127", "'127' is neither a roll of dicechess nor a move"),
    ("dicechess", "position startpos moves 1244", "'1244' is neither a roll of dicechess nor a move"),
    ("dicechess", "position startpos moves PNX", "'PNX' is neither a roll of dicechess nor a move"),
    ("vegas", "position startpos moves PN", "'PN' is neither a roll of vegas nor a move"),
    ("chess", "position startpos moves 1", "'1' is neither a roll of chess nor a move"),
    ("anydice", "position startpos moves 1 b1c3", "token 2 of 'moves', 'b1c3': illegal move"),
    (
        "dicechess",
        "position fen 4k3/8/3N4/8/8/8/P7/4K3 w - - 0 1 moves 112 d6e8 111",
        "the game is over: 1-0 king captured",
    ),
    ("dicechess", "position startpos moves 124 h2h3,b1c3,h1h2,e7e5", "a roll is due, not a move"),
    // Dice.
    ("dicechess", "dice", "'dice' needs a roll"),
    ("dicechess", "dice 1 2 4", "'dice <roll>' takes no argument, but '2' follows"),
    ("dicechess", "dice 777", "'777' is neither a roll of dicechess nor a move"),
    ("dicechess", "dice e2e4", "'e2e4' is no roll"),
    ("dicechess", "dice 0000", "'0000' is no roll"),
    ("dicechess", "dice 1111", "'1111' is neither a roll of dicechess nor a move"),
    ("chess", "roll", "this game has no dice"),
];

fn the_one_error(engine: &mut Engine, said: &[String], wanted: &str) {
    match said {
        [line] if line.starts_with("info string error: ") && line.contains(wanted) => {}
        _ => engine.fail(&format!("one error with '{wanted}', not {said:?}")),
    }
}

#[test]
fn every_bad_line_is_named_in_ugi() {
    let mut engine = Engine::new();
    engine.send("ugi");
    engine.until("ugiok");
    // A position that makes no sense is no error of the session, but ends a game: tests of UGI have it.
    let lines = LINES.iter().filter(|(variant, line, _)| *variant == "dicechess" && !line.starts_with("position"));
    for &(_, line, wanted) in lines.filter(|(_, line, _)| !line.starts_with("go searchmoves ")) {
        let before = engine.ask("d");
        match &engine.ask(line)[..] {
            [said] if said.starts_with("info error ") && said.contains(wanted) => {}
            said => engine.fail(&format!("one error with '{wanted}', not {said:?}")),
        }
        assert_eq!(engine.ask("d"), before, "{line}");
    }
    assert_eq!(engine.ask("query winner"), ["info error 'query' needs 'p1turn', 'gameover' or 'result'"]);
    assert_eq!(engine.ask("uci"), ["info error this session speaks UGI"]);
    assert_eq!(engine.ask("xboard"), ["info error 'xboard' must be the first command"]);
}

#[test]
fn every_bad_line_is_named_and_changes_nothing() {
    assert!(LINES.len() >= 80);
    let mut engine = Engine::new();
    let mut variant = "";
    for &(wanted_variant, line, wanted) in LINES {
        if wanted_variant != variant {
            variant = wanted_variant;
            engine.send(&format!("setoption name UCI_Variant value {variant}"));
            engine.send("setoption name Strict value true");
        }
        let before = engine.ask("d");
        let said = engine.ask(line);
        the_one_error(&mut engine, &said, wanted);
        assert_eq!(engine.ask("d"), before, "{line}");
    }
    engine.send("setoption name UCI_Variant value dicechess");
    engine.send("position startpos moves 112");
    assert_eq!(engine.legal().pop().unwrap(), "legal turns 2540 ends 516 mover w");
}

#[test]
fn bytes_that_are_no_text_are_named() {
    let mut engine = Engine::new();
    let cases: [(Vec<u8>, &str); 4] = [
        (b"\xff\xfe\xfd\n".to_vec(), "not valid UTF-8"),
        (b"position fen \xc3\x28 w - - 0 1\n".to_vec(), "not valid UTF-8"),
        ([vec![b'x'; 10_000_000], b"\n".to_vec()].concat(), "longer than 1 MiB"),
        ([b"position startpos moves".to_vec(), b" 124".repeat(300_000), b"\n".to_vec()].concat(), "longer than 1 MiB"),
    ];
    for (bytes, wanted) in cases {
        engine.send_bytes(&bytes);
        let said = engine.ask("");
        the_one_error(&mut engine, &said, wanted);
    }
    engine.send_bytes(b"\n\r\n   \nisready\r\n");
    assert_eq!(engine.until("readyok"), ["readyok"]);
}

/// Words that lines are made of, so that many get past the first look.
fn word() -> impl Strategy<Value = String> {
    let known = [
        "position",
        "startpos",
        "fen",
        "moves",
        "go",
        "depth",
        "1",
        "nodes",
        "movetime",
        "5",
        "perft",
        "dice",
        "roll",
        "legal",
        "threat",
        "d",
        "eval",
        "stop",
        "ponderhit",
        "isready",
        "uci",
        "ucinewgame",
        "setoption",
        "name",
        "value",
        "UCI_Variant",
        "UCI_Chess960",
        "DiceSeed",
        "Turns",
        "single",
        "true",
        "124",
        "PNB",
        "35",
        "6",
        "0000",
        "e2e4",
        "e2e4,g1f3",
        "a7a8q",
        "w",
        "b",
        "-",
        "KQkq",
        "0",
        "*",
        "?",
        "NNx",
        "debug",
        "on",
        "searchmoves",
        "query",
        "p1turn",
        "gameover",
        "result",
        "p1time",
        "usermove",
        "@@@@",
        "new",
        "variant",
        "normal",
        "force",
        "playother",
        "undo",
        "remove",
        "setboard",
        "analyze",
        "exit",
        "hint",
        "lift",
        "hover",
        "put",
        "e2",
        "ping",
        "draw",
        "computer",
        "option",
        "Hash=1",
        "4k3/8/8/8/8/8/8/4K2R",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "8/8/8/8/8/8/8/8",
        "a3c3",
    ];
    let names: Vec<String> =
        known.iter().map(|word| word.to_string()).chain(VARIANTS.iter().map(|v| v.name.to_string())).collect();
    prop_oneof![8 => proptest::sample::select(names), 1 => "\\PC{0,12}", 1 => "[0-9]{1,12}"]
}

/// A line of such words, or of anything.
fn line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => proptest::collection::vec(word(), 1..9).prop_map(|words| words.join(" ").into_bytes()),
        1 => proptest::collection::vec(any::<u8>(), 0..60),
    ]
}

/// Lines in blocks through one process each, 10,000 in all: after `hello` the process still does as `goodbye` says.
fn random_lines(hello: &[&str], goodbye: &[&str], wanted: &str) {
    let config =
        ProptestConfig { cases: 50, max_shrink_iters: 20, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(lines in proptest::collection::vec(line(), 200))| {
        let mut engine = Engine::new();
        hello.iter().for_each(|line| engine.send(line));
        for mut bytes in lines {
            bytes.retain(|&byte| byte != b'\n');
            // Quitting is another test's subject, and deep counts and long searches take all day.
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let first = text.split_ascii_whitespace().next().unwrap_or_default();
            let is_long = first == "go" && text.split_ascii_whitespace().any(|word| word.parse::<u128>().is_ok_and(|n| n > 9));
            if !["quit", "st", "level", "sd"].contains(&first) && !text.contains("perft") && !is_long {
                bytes.push(b'\n');
                engine.send_bytes(&bytes);
            }
        }
        // Whatever is still waiting comes to its end.
        goodbye.iter().for_each(|line| engine.send(line));
        engine.until(wanted);
    });
}

#[test]
fn random_lines_upset_nothing() {
    let goodbye = [
        "stop",
        "setoption name UCI_Variant value dicechess",
        "setoption name DiceSeed value <empty>",
        "position startpos moves 112",
        "legal",
    ];
    random_lines(&["uci"], &goodbye, "legal turns 2540 ends 516 mover w");
}

#[test]
fn random_lines_upset_nothing_in_ugi() {
    let goodbye = [
        "stop",
        "setoption name UCI_Variant value dicechess",
        "setoption name DiceSeed value two",
        "uginewgame",
        "position startpos moves e2e5",
        "query result",
        "position startpos",
        "query gameover",
    ];
    random_lines(&["ugi"], &goodbye, "response false");
}

#[test]
fn random_lines_upset_nothing_in_cecp() {
    let goodbye = [
        "force",
        "new",
        "force",
        "option Strict=0",
        "option DiceSeed=5",
        "variant dicechess",
        "dice 112",
        "legal",
        "ping 99",
    ];
    random_lines(&["xboard", "st 0.001"], &goodbye, "# legal turns 2540 ends 516 mover w");
}

/// Who has seen enough closes the pipe, and nothing is wrong.
#[test]
fn a_reader_that_leaves_is_no_fault() {
    for words in [&["rolls", "-depth", "1"][..], &["man"], &["play", "--side", "none"], &["exec", "d", "legal", "d"]] {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_hazard"))
            .args(words)
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && said.is_empty(), "{words:?}: {said}");
    }
}
