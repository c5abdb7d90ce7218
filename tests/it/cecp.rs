//! CECP: games as xboard plays them, which knows neither rules nor dice, and each of its commands.

use crate::support::{Engine, rules};
use hazard::dice::FairDice;
use hazard::notation::{Style, apply, turn_text};
use hazard::position::Position;
use hazard::turns::{Game, Status};
use hazard::variant::VARIANTS;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use std::time::{Duration, Instant};

const PASS: &str = "@@@@";

fn name_of(variant: &str) -> &str {
    if variant == "chess" { "normal" } else { variant }
}

/// An engine in a new game, as xboard starts it.
fn engine(variant: &str, seed: &str) -> Engine {
    let mut engine = Engine::new();
    for line in ["xboard", "protover 2"] {
        engine.send(line);
    }
    engine.until("feature done=1");
    for line in ["accepted done", "memory 16", "cores 1", &format!("option DiceSeed={seed}"), "new", "random"] {
        engine.send(line);
    }
    engine.send(&format!("variant {}", name_of(variant)));
    for line in ["level 0 5 0", "sd 1", "post", "hard", "easy"] {
        engine.send(line);
    }
    engine.send("ping 1");
    engine.until("pong 1");
    engine
}

/// What a command says up to the answer of a following `ping`.
fn ask(engine: &mut Engine, command: &str) -> Vec<String> {
    engine.send(command);
    engine.send("ping 77");
    let mut lines = engine.until("pong 77");
    lines.pop();
    lines
}

/// The game as it should be, by the library.
struct Shadow {
    game: Game,
    dice: FairDice,
}

impl Shadow {
    fn new(variant: &str, seed: &str) -> Shadow {
        let rules = rules(variant);
        let mut shadow =
            Shadow { game: Game::new(rules, Position::start(rules.variant)), dice: FairDice::from_text(seed) };
        shadow.throw();
        shadow
    }

    fn throw(&mut self) {
        if self.game.rules().variant.has_dice() {
            self.game.roll_until_it_counts(&mut self.dice).unwrap();
        }
    }

    /// A move of the side whose turn it is in the GUI's eyes.
    fn play(&mut self, white: bool, mv: &str) {
        let own = self.game.position().side().map(|side| side.name() == "White") == Some(white);
        match mv {
            PASS if own => self.game.pass().unwrap_or_else(|error| panic!("{:?}: {error}", self.game)),
            PASS => {}
            _ => {
                assert!(own, "{mv} out of turn");
                let played = apply(&mut self.game, mv, Style::Orthodox);
                played.unwrap_or_else(|error| panic!("{:?}: {error}", self.game));
            }
        }
        self.throw();
    }

    fn result(&self) -> Option<String> {
        match self.game.status() {
            Status::Over(outcome) => Some(format!("{} {{{}}}", outcome.score(), outcome.reason)),
            _ => None,
        }
    }
}

/// Has two engines play each other as xboard does, every move checked, and gives the number of moves and the result.
fn match_game(variant: &str, seed: &str, most: usize) -> (usize, Option<String>) {
    let mut players = [engine(variant, seed), engine(variant, seed)];
    let mut shadow = Shadow::new(variant, seed);
    for player in &mut players {
        player.send("computer");
        player.send("name the other");
    }
    players[0].send("go");
    players[1].send("force");
    for ply in 0..most {
        let mover = &mut players[ply % 2];
        let mv = mover.until("move ").pop().unwrap()["move ".len()..].to_string();
        shadow.play(ply % 2 == 0, &mv);
        let other = &mut players[1 - ply % 2];
        other.send("time 30000");
        other.send("otim 30000");
        other.send(&format!("usermove {mv}"));
        if ply == 0 {
            other.send("go");
        }
        if let Some(result) = shadow.result() {
            for player in &mut players {
                assert_eq!(player.until(&result[..2]).pop().unwrap(), result, "{variant}");
                player.send(&format!("result {result}"));
            }
            return (ply + 1, Some(result));
        }
    }
    (most, None)
}

#[test]
fn two_engines_agree_on_everything() {
    for variant in VARIANTS.iter() {
        let fast = variant.has_king_capture() && variant.has_dice();
        let (moves, result) = match_game(variant.name, "two", if fast { 2_000 } else { 60 });
        assert!(result.is_some() || !fast, "{}: {moves} moves", variant.name);
    }
}

/// A user who moves at random, tries what is illegal, and passes when he is asked to.
fn hand_game(variant: &str, seed: &str, most: usize) {
    let mut engine = engine(variant, seed);
    let mut shadow = Shadow::new(variant, seed);
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for ply in 0..most {
        let white = ply % 2 == 0;
        if let Some(result) = shadow.result() {
            engine.until(&result);
            return;
        }
        if !white {
            let mv = engine.until("move ").pop().unwrap()["move ".len()..].to_string();
            shadow.play(white, &mv);
            continue;
        }
        // What the engine said of the dice is not looked at here.
        ask(&mut engine, "");
        let mut moves = Vec::new();
        let own = shadow.game.position().side().map(|side| side.name()) == Some("White");
        if own && matches!(shadow.game.status(), Status::Decide(_)) {
            shadow.game.rules().single_moves(shadow.game.position(), &mut moves);
            moves.retain(|&mv| shadow.game.rules().step(shadow.game.position(), mv).is_some());
        }
        let texts: Vec<String> = moves.iter().map(|&mv| turn_text(&[mv], Style::Orthodox, ",")).collect();
        // What is no move changes nothing.
        let mut wrong = vec!["e1e8", "a1a1", "e2e5"];
        if !texts.is_empty() && !shadow.game.position().pool().is_optional() {
            wrong.push(PASS);
        }
        for text in wrong.into_iter().filter(|text| !texts.iter().any(|known| known == text)) {
            let said = ask(&mut engine, &format!("usermove {text}"));
            assert!(said[0].starts_with("Illegal move (") && said[0].ends_with(&format!("): {text}")), "{said:?}");
            assert_eq!(said.len(), 2, "{said:?}");
        }
        let chosen = texts.choose(&mut random).map_or(PASS, String::as_str);
        if chosen != PASS {
            // What is marked is what can be done.
            let said = ask(&mut engine, &format!("lift {}", &chosen[..2]));
            let marked = said.last().unwrap().trim_start_matches("highlight ");
            let targets: std::collections::BTreeSet<&str> =
                texts.iter().filter(|text| text[..2] == chosen[..2]).map(|text| &text[2..4]).collect();
            let count = marked.chars().filter(|letter| "YRM".contains(*letter)).count();
            assert_eq!(count, targets.len(), "{marked} {targets:?}");
            engine.send(&format!("put {}", &chosen[2..4]));
        }
        engine.send(&format!("usermove {chosen}"));
        shadow.play(white, chosen);
    }
}

#[test]
fn users_play_every_game() {
    for variant in VARIANTS.iter() {
        hand_game(variant.name, "hand", 60);
    }
}

/// The board of an engine in CECP.
fn board(engine: &mut Engine) -> String {
    let said = ask(engine, "d");
    said.into_iter().find(|line| line.starts_with("# dfen ")).unwrap()
}

#[test]
fn every_bad_line_is_named_and_changes_nothing() {
    let mut engine = engine("dicechess", "5");
    let before = board(&mut engine);
    for (line, wanted) in [
        ("xyzzy", "Error (unknown command): xyzzy"),
        ("usermove", "Error (needs a move): usermove"),
        ("usermove zz", "Illegal move (not with the dice PNB): zz"),
        ("usermove 0000", "Illegal move ("),
        ("usermove 123", "Illegal move ("),
        ("usermove e2e4,g1f3", "Illegal move ("),
        ("e7e5", "Illegal move (not with the dice PNB): e7e5"),
        ("level", "Error (needs MOVES MINUTES[:SECONDS] INCREMENT): level"),
        ("level x 5 0", "Error (needs MOVES MINUTES[:SECONDS] INCREMENT): level x 5 0"),
        ("st -x", "Error (needs a number of seconds): st -x"),
        ("sd 0", "Error (needs a number from 1 to 255): sd 0"),
        ("sd 256", "Error (needs a number from 1 to 255): sd 256"),
        ("time soon", "Error (needs a number of centiseconds): time soon"),
        ("otim", "Error (needs a number of centiseconds): otim"),
        ("ping", "Error (needs a number): ping"),
        ("variant shogi", "Error (unknown variant): variant shogi"),
        ("variant", "Error (needs the name of a variant): variant"),
        ("setboard", "Error (needs a FEN): setboard"),
        ("setboard 8/8/8/8/8/8/8/8 w - - 0 1", "tellusererror Illegal position: White has 0 kings"),
        ("undo", "Error (nothing to take back): undo"),
        ("remove", "Error (nothing to take back): remove"),
        ("option", "Error (needs NAME or NAME=VALUE): option"),
        ("option Style=3", "Error (unknown option 'Style')"),
        ("option Hash=0", "Error (option Hash takes a number from 1 to 65536, not '0')"),
        ("option UCI_Elo=399", "Error (option UCI_Elo takes a number from 400 to 1300, not '399')"),
        ("option Strict=2", "Error (option Strict takes true or false, not '2')"),
        ("option Clear Hash=1", "Error (option Clear Hash takes no value)"),
        ("option EvalFile=/nonexistent", "Error ('/nonexistent': "),
        ("memory lots", "Error (option Hash takes"),
        ("cores 0", "Error (option Threads takes"),
        ("lift e9", "Error (needs a square): lift e9"),
        ("hover", "Error (needs a square): hover"),
        ("hover x", "Error (needs a square): hover x"),
        ("put", "Error (needs a square): put"),
        ("dice", "Error ('dice' needs a roll): dice"),
        ("dice 12", "Error ("),
        ("dice x", "Error ("),
        ("edit", "Error (not supported: positions are set by setboard): edit"),
        ("white", "Error (not supported: use go and playother): white"),
        ("black", "Error (not supported: use go and playother): black"),
        ("pause", "Error (not supported: feature pause=0): pause"),
        ("resume", "Error (not supported: feature pause=0): resume"),
        ("nps 100", "Error (not supported: feature nps=0): nps 100"),
        ("egtpath syzygy /x", "Error (not supported: "),
        ("exclude e2e4", "Error (not supported: feature exclude=0): exclude e2e4"),
        ("include all", "Error (not supported: feature exclude=0): include all"),
        ("setscore 1 2", "Error (not supported: feature setscore=0): setscore 1 2"),
        ("ics -", "Error (not supported: feature ics=0): ics -"),
        ("partner", "Error (not supported: "),
        ("uci", "Error (unknown command): uci"),
    ] {
        let said = ask(&mut engine, line);
        assert!(said.first().is_some_and(|first| first.starts_with(wanted)), "{line}: {said:?}");
        let popup = usize::from(wanted.starts_with("Illegal move"));
        assert_eq!(said.len(), 1 + popup, "{line}: {said:?}");
        assert_eq!(board(&mut engine), before, "{line}");
    }
}

/// Each option that is offered: its default, its lowest and its highest value in silence, beyond them one error.
#[test]
fn every_option_takes_its_values() {
    let mut engine = Engine::new();
    engine.send("xboard");
    engine.send("protover 2");
    let mut count = 0;
    for line in engine.until("feature done=1") {
        let Some((name, kind)) = line.strip_prefix("feature option=\"").and_then(|text| text.split_once(" -")) else {
            continue;
        };
        let words: Vec<&str> = kind.trim_end_matches('"').split(' ').collect();
        let (values, bad): (Vec<&str>, Vec<&str>) = match words[0] {
            "check" => (vec!["1", "0", words[1]], vec!["2", "yes", ""]),
            "spin" => (vec![words[2], words[3], words[1]], vec!["-1", "99999999", "x", ""]),
            "button" => (vec![], vec!["1"]),
            "file" => (vec![""], vec!["/nonexistent"]),
            "string" => (vec!["a b=c", ""], vec![]),
            other => panic!("{other}"),
        };
        for value in values {
            assert_eq!(ask(&mut engine, &format!("option {name}={value}")), Vec::<String>::new(), "{name}={value}");
        }
        for value in bad {
            let said = ask(&mut engine, &format!("option {name}={value}"));
            assert!(said.len() == 1 && said[0].starts_with("Error ("), "{name}={value}: {said:?}");
        }
        count += 1;
    }
    assert!(count >= 8);
    for line in
        ["option Clear Hash", "memory 1", "memory 64", "cores 1", "cores 2", "option Hash=16", "option Threads=1"]
    {
        assert_eq!(ask(&mut engine, line), Vec::<String>::new(), "{line}");
    }
}

/// What a GUI says to keep the engine informed needs no answer.
#[test]
fn some_commands_are_taken_in_silence() {
    let mut engine = engine("dicechess", "5");
    for line in [
        "accepted setboard",
        "rejected highlight",
        "random",
        "hard",
        "easy",
        "rating 2000 1900",
        "name A. Player",
        "post",
        "nopost",
        "computer",
        "result * {}",
        ".",
        "draw",
        "?",
        "exit",
        "put e4",
        "time 100",
        "otim -3",
        "st 2",
        "",
    ] {
        let said = ask(&mut engine, line);
        let said: Vec<&String> = said.iter().filter(|line| !line.starts_with("1 0 0 0 ")).collect();
        assert!(said.is_empty(), "{line}: {said:?}");
    }
}

#[test]
fn moves_are_taken_back() {
    let mut engine = engine("dicechess", "5");
    let start = board(&mut engine);
    // The user's first move and the engine's pass.
    assert!(ask(&mut engine, "usermove e2e4").contains(&format!("move {PASS}")));
    let after = board(&mut engine);
    assert_ne!(start, after);
    assert_eq!(ask(&mut engine, "remove"), ["1 0 0 0 Your dice: PNB"]);
    assert_eq!(board(&mut engine), start);
    ask(&mut engine, "usermove e2e4");
    ask(&mut engine, "force");
    ask(&mut engine, "undo");
    assert_eq!(board(&mut engine), after);
    ask(&mut engine, "undo");
    assert_eq!(board(&mut engine), start);
    // In force mode both sides are moved by the GUI.
    for mv in ["e2e4", PASS, "g1f3", PASS, "f1c4", "g8h6"] {
        let said = ask(&mut engine, &format!("usermove {mv}"));
        assert!(said.iter().all(|line| !line.starts_with("move ") && !line.starts_with("Illegal")), "{said:?}");
    }
    ask(&mut engine, "playother");
    // Black's knight was his whole turn; the engine is Black, and the user White's master.
    assert!(board(&mut engine).contains(" w KQkq "));
}

#[test]
fn positions_are_set_up() {
    let mut engine = engine("dicechess", "5");
    ask(&mut engine, "force");
    let said = ask(&mut engine, "setboard 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1");
    assert!(said[0].starts_with("1 0 0 0 Black's dice "), "{said:?}");
    assert!(board(&mut engine).starts_with("# dfen 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1 "));
    // The user's own dice count instead of those thrown, until he has moved.
    assert_eq!(ask(&mut engine, "dice 666"), ["1 0 0 0 Black's dice: KKK"]);
    assert!(ask(&mut engine, "hint")[0].starts_with("Hint: e8"));
    assert_eq!(ask(&mut engine, "bk"), [" There is no book: the dice choose the opening.", ""]);
    assert!(ask(&mut engine, "legal").last().unwrap().starts_with("# legal turns "));
    for command in ["threat", "eval"] {
        assert!(ask(&mut engine, command).iter().all(|line| line.starts_with("# ")), "{command}");
    }
    ask(&mut engine, "usermove e8e7");
    assert_eq!(ask(&mut engine, "dice 111"), ["Error (no roll is due): dice 111"]);
    // A king that can be taken is, and the game ends.
    ask(&mut engine, "setboard 4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1");
    ask(&mut engine, "dice 555");
    let said = ask(&mut engine, "go");
    assert_eq!(said[said.len() - 2..], ["move e7e8", "1-0 {king captured}"]);
    assert_eq!(ask(&mut engine, "usermove e1e2")[0], "Illegal move (the game is over): e1e2");
}

/// In the middle of a game the same position with the other side to move is a pass.
#[test]
fn a_bare_setboard_passes() {
    let mut engine = engine("dicechess", "5");
    for (roll, moves) in [("124", ["e2e4", "g1f3", "f3g1"]), ("124", ["", "", ""])] {
        ask(&mut engine, &format!("dice {roll}"));
        for mv in moves.iter().filter(|mv| !mv.is_empty()) {
            engine.send(&format!("usermove {mv}"));
        }
    }
    let before = board(&mut engine);
    let fen = before.trim_start_matches("# dfen ");
    let side = fen.split(' ').nth(1).unwrap().to_string();
    // Whose turn it is in the GUI's eyes is White's after each move of the engine.
    let placement = fen.split(' ').next().unwrap();
    let said = ask(&mut engine, &format!("setboard {placement} b - - 0 1"));
    if side == "b" {
        assert!(said.iter().any(|line| line.starts_with("move ")), "{said:?}");
    } else {
        assert!(said[0].starts_with("Illegal move (White must move"), "{said:?}");
    }
    // It was no new position: the castling rights are as they were.
    assert!(board(&mut engine).contains(" KQkq "));
}

/// A promotion asks which man it shall be; a man that can be taken in passing is shown.
#[test]
fn squares_are_marked() {
    let mut engine = engine("normal", "");
    ask(&mut engine, "force");
    ask(&mut engine, "setboard 1n2k3/P7/8/8/4Pp2/8/8/4K2R w K - 0 1");
    assert_eq!(ask(&mut engine, "lift a7"), ["choice QRBN", "highlight MM6/8/8/8/8/8/8/8"]);
    assert_eq!(ask(&mut engine, "lift e1"), ["highlight 8/8/8/8/8/8/3YYY2/3Y1YY1"]);
    assert_eq!(ask(&mut engine, "lift f4"), ["highlight 8/8/8/8/8/8/8/8"]);
    ask(&mut engine, "setboard 4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1");
    assert_eq!(ask(&mut engine, "hover e3"), Vec::<String>::new());
    assert_eq!(ask(&mut engine, "lift f4"), ["highlight 8/8/8/8/8/4RY2/8/8"]);
    assert_eq!(ask(&mut engine, "hover e3"), ["highlight 8/8/8/8/4g3/4RY2/8/8"]);
    assert_eq!(ask(&mut engine, "usermove f4e3"), Vec::<String>::new());
    assert!(board(&mut engine).contains("4k3/8/8/8/8/4p3/8/4K3 w"));
}

/// An engine that thinks for as long as it may.
fn thinking() -> Engine {
    let mut engine = engine("dicechess", "5");
    ask(&mut engine, "sd 255");
    ask(&mut engine, "st 1000");
    engine.send("go");
    engine.until("2 ");
    engine
}

#[test]
fn a_search_is_cut_short() {
    let mut engine = thinking();
    engine.send("time 100");
    engine.send("nopost");
    engine.send("?");
    assert!(engine.until("move ").pop().unwrap().len() > 8);
    // A ping waits for the move.
    let mut engine = thinking();
    engine.send("?");
    engine.send("ping 5");
    let said = engine.until("pong 5");
    assert!(said.iter().any(|line| line.starts_with("move ")), "{said:?}");
    // What makes the move useless ends the search without one.
    for line in ["force", "new", "setboard 4k3/8/8/8/8/8/8/4K3 b - - 0 1", "result 1-0 {resigns}", "analyze"] {
        let mut engine = thinking();
        let said = ask(&mut engine, line);
        assert!(said.iter().all(|line| !line.starts_with("move ")), "{line}: {said:?}");
    }
}

#[test]
fn a_search_ends_with_the_session() {
    let start = Instant::now();
    let mut engine = thinking();
    engine.send("quit");
    assert_eq!(engine.wait(), 0);
    let mut engine = thinking();
    engine.close();
    assert_eq!(engine.wait(), 0);
    let mut engine = thinking();
    engine.send("analyze");
    engine.send("ping 1");
    engine.until("pong 1");
    engine.close();
    assert_eq!(engine.wait(), 0);
    assert!(start.elapsed() < Duration::from_secs(500));
}

#[test]
fn positions_are_analysed() {
    let mut engine = engine("dicechess", "5");
    ask(&mut engine, "sd 4");
    engine.send("analyze");
    engine.until("2 ");
    // While it analyses the engine answers at once, and goes on.
    assert!(ask(&mut engine, ".").iter().any(|line| line.starts_with("stat01: ")));
    engine.send("usermove e2e4");
    engine.send(&format!("usermove {PASS}"));
    engine.until("1 0 0 0 White's dice: NB");
    engine.until("2 ");
    ask(&mut engine, "undo");
    engine.until("1 ");
    let said = ask(&mut engine, "exit");
    assert!(said.iter().all(|line| !line.starts_with("move ")), "{said:?}");
    engine.send("go");
    engine.until("move ");
}

/// A draw is taken where the engine stands worse.
#[test]
fn offers_are_answered() {
    let mut engine = engine("chess", "");
    ask(&mut engine, "force");
    ask(&mut engine, "setboard 4k3/8/8/8/8/8/QQQ5/4K3 b - - 0 1");
    engine.send("go");
    engine.until("move ");
    assert_eq!(ask(&mut engine, "draw"), ["offer draw"]);
    ask(&mut engine, "force");
    ask(&mut engine, "setboard 4k3/8/8/8/8/8/QQQ5/4K3 w - - 0 1");
    engine.send("go");
    engine.until("move ");
    assert_eq!(ask(&mut engine, "draw"), Vec::<String>::new());
}

/// In a match each game has dice of its own, for both engines the same.
#[test]
fn games_of_a_match_differ() {
    let mut engine = engine("dicechess", "a");
    let mut dice = Vec::new();
    for _ in 0..3 {
        engine.send("new");
        engine.send("variant dicechess");
        ask(&mut engine, "computer");
        dice.push(board(&mut engine).rsplit(' ').next().unwrap().to_string());
        ask(&mut engine, "result * {}");
    }
    let pool = |text: &str| {
        let mut game = Shadow::new("dicechess", text).game;
        game.pass_if_forced();
        hazard::notation::to_dfen(game.rules(), game.position()).rsplit(' ').next().unwrap().to_string()
    };
    for (text, dice) in ["a", "a 2", "a 3"].iter().zip(&dice) {
        assert_eq!(&pool(text), dice);
    }
}
