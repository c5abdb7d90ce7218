//! UGI: whole games as a host plays them that knows neither rules nor dice.

use crate::support::Engine;
use hazard::variant::VARIANTS;

/// An engine that speaks UGI.
fn engine(variant: &str, seed: &str) -> Engine {
    let mut engine = Engine::new();
    engine.send("ugi");
    engine.until("ugiok");
    engine.send(&format!("setoption name UCI_Variant value {variant}"));
    engine.send(&format!("setoption name DiceSeed value {seed}"));
    engine.send("uginewgame");
    engine
}

fn position(engine: &mut Engine, moves: &[String]) {
    let list = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
    engine.send(&format!("position startpos{list}"));
}

fn query(engine: &mut Engine, question: &str) -> String {
    engine.send(&format!("query {question}"));
    let said = engine.until("response ");
    assert_eq!(said.len(), 1, "{said:?}");
    said[0].trim_start_matches("response ").to_string()
}

/// Plays a game of two engines with one seed; they agree on everything, and it ends by the rules.
fn play(variant: &str, seed: &str, most: usize) -> (usize, String) {
    let mut players = [engine(variant, seed), engine(variant, seed)];
    let mut moves: Vec<String> = Vec::new();
    loop {
        let [one, two] = &mut players;
        for player in [&mut *one, &mut *two] {
            position(player, &moves);
        }
        for question in ["p1turn", "gameover", "result"] {
            assert_eq!(query(one, question), query(two, question), "{variant} {moves:?}");
        }
        if query(one, "gameover") == "true" || moves.len() >= most {
            return (moves.len(), query(one, "result"));
        }
        let mover = if query(one, "p1turn") == "true" { one } else { two };
        mover.send("go depth 1");
        let best = mover.until("bestmove ").pop().unwrap();
        let words: Vec<&str> = best.split(' ').collect();
        assert_eq!(words.len(), 2, "{best}");
        moves.push(words[1].to_string());
    }
}

#[test]
fn games_are_played_to_their_end() {
    for variant in VARIANTS.iter().filter(|variant| variant.has_king_capture() && variant.has_dice()) {
        let (moves, result) = play(variant.name, "one", 1_000);
        assert!(moves < 1_000 && ["p1win", "p2win", "draw"].contains(&result.as_str()), "{} {moves}", variant.name);
    }
    // The others take long: their beginnings will do.
    for variant in VARIANTS.iter().filter(|variant| !(variant.has_king_capture() && variant.has_dice())) {
        play(variant.name, "two", 60);
    }
}

#[test]
fn a_move_that_is_none_loses_and_a_position_that_is_none_is_drawn() {
    let mut engine = engine("dicechess", "x");
    for (moves, result) in [("e2e5", "p2win"), ("nonsense", "p2win"), ("0000", "p2win")] {
        engine.send(&format!("position startpos moves {moves}"));
        let said = engine.until("info error ");
        assert!(said.len() == 1, "{said:?}");
        assert_eq!((query(&mut engine, "gameover"), query(&mut engine, "result")), ("true".into(), result.into()));
        engine.send("go movetime 10");
        assert_eq!(engine.until("bestmove").pop().unwrap(), "bestmove 0000");
    }
    engine.send("position fen 8/8/8/8/8/8/8/8 w - - 0 1");
    engine.until("info error ");
    assert_eq!((query(&mut engine, "gameover"), query(&mut engine, "result")), ("true".into(), "draw".into()));
    engine.send("position startpos");
    assert_eq!((query(&mut engine, "gameover"), query(&mut engine, "result")), ("false".into(), "none".into()));
    engine.send("go p1time 200 p2time 200 p1inc 10 p2inc 10");
    assert_ne!(engine.until("bestmove").pop().unwrap(), "bestmove 0000");
}

#[test]
fn the_first_command_chooses_the_dialect() {
    let mut uci = Engine::new();
    uci.send("isready");
    assert_eq!(uci.line().unwrap(), "readyok");
    for command in ["ugi", "query result"] {
        uci.send(command);
        assert!(uci.line().unwrap().starts_with("info string error: "));
    }
    let mut ugi = engine("dicechess", "x");
    for command in ["uci", "xyzzy", "query winner", "go depth x", "setoption name Hash value 0"] {
        ugi.send(command);
        assert!(ugi.line().unwrap().starts_with("info error "), "{command}");
    }
}
