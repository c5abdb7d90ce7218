//! Laws that hold in every variant on random positions.

use crate::support::{reachable, scattered, shuffled, sparse, turn_texts_in};
use hazard::board::{Bitboard, Color, Piece, Square};
use hazard::dice::DiceKind;
use hazard::eval::{Evaluator, Material};
use hazard::limits::Limits;
use hazard::notation::{DfenError, Style, from_dfen, to_dfen, turn_text};
use hazard::position::{Observer, Position, Rigour};
use hazard::search::{Request, Table, think};
use hazard::turns::{Effort, Fan, Game, Odds, Rules, Status, Step, Threat, oracle};
use hazard::variant::{DEFAULT, NoMoveRule, VARIANTS, Variant, find};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

fn variants() -> impl Strategy<Value = &'static Variant> {
    proptest::sample::select(VARIANTS.iter().collect::<Vec<_>>())
}

/// A game that a failing test shows as its variant and DFEN.
#[derive(Clone)]
struct Sample(Game);

impl std::fmt::Debug for Sample {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.0.rules().variant.name, to_dfen(self.0.rules(), self.0.position()))
    }
}

impl std::ops::Deref for Sample {
    type Target = Game;
    fn deref(&self) -> &Game {
        &self.0
    }
}

/// Positions from play, from the opening to the late middlegame, and positions with few men.
fn games() -> impl Strategy<Value = Sample> {
    (variants(), any::<u64>(), 0..60u32, 0..3u8).prop_map(|(variant, seed, moves, kind)| {
        let rules = Rules::new(variant);
        let played = || reachable(rules, seed, moves);
        Sample(match kind {
            0 => scattered(rules, seed, 4 + (seed % 5) as u8).unwrap_or_else(played),
            1 if variant.chess960 => shuffled(rules, seed, moves / 6),
            _ => played(),
        })
    })
}

/// How castling is written where Chess960 is on offer: then no two moves share a text.
fn style(rules: &Rules) -> Style {
    if rules.variant.chess960 { Style::Chess960 } else { Style::Orthodox }
}

fn turn_texts(rules: &Rules, position: &Position) -> Vec<String> {
    turn_texts_in(rules, position, style(rules))
}

fn read(rules: &Rules, dfen: &str) -> Result<Position, DfenError> {
    from_dfen(rules, dfen, rules.variant.chess960, Rigour::Strict).map(|parsed| parsed.position)
}

/// The decision nodes that a game stands at or before: the present one, or one for each outcome of the next throw.
fn decisions(game: &Game) -> Vec<Position> {
    match game.status() {
        Status::Over(_) => Vec::new(),
        Status::Roll => {
            game.rules().outcomes(game.position()).outcomes.into_iter().map(|outcome| outcome.position).collect()
        }
        Status::Decide(_) | Status::Pass(_) => vec![*game.position()],
    }
}

fn config(cases: u32) -> ProptestConfig {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/proptest-regressions.txt");
    let persistence = proptest::test_runner::FileFailurePersistence::Direct(path);
    ProptestConfig { cases, failure_persistence: Some(Box::new(persistence)), ..ProptestConfig::default() }
}

/// How many cases the dear laws run: more by `PROPTEST_CASES`.
fn dear() -> ProptestConfig {
    config(std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(64))
}

fn generator_equals_oracle(rules: &Rules, position: &Position) {
    let dfen = to_dfen(rules, position);
    let lines = oracle::turns(rules, position);
    let mut wanted: Vec<String> = lines.iter().map(|line| turn_text(&line.moves, style(rules), ",")).collect();
    wanted.sort();
    let mut ends = BTreeSet::new();
    for line in &lines {
        let mut after = line.position;
        after.end_turn(rules.variant, rules.sliders);
        ends.insert(after.afterstate_key());
    }
    assert_eq!(turn_texts(rules, position), wanted, "{} {dfen}", rules.variant.name);
    let (afterstates, survey) = rules.afterstates(position, Effort::FULL);
    assert!(!survey.truncated);
    if lines.is_empty() {
        assert_eq!((survey.sequences, survey.ends, afterstates.len()), (0, 1, 1), "{dfen}");
        return;
    }
    assert_eq!(survey.sequences, lines.len() as u64, "{dfen}");
    assert_eq!((survey.ends, afterstates.len()), (ends.len() as u64, ends.len()), "{dfen}");
    for afterstate in afterstates {
        assert!(ends.contains(&afterstate.position.afterstate_key()), "{dfen}");
        let text = turn_text(afterstate.turn.moves(), style(rules), ",");
        assert!(wanted.contains(&text), "{dfen}: {text}");
    }
}

proptest! {
    #![proptest_config(config(10_000))]

    #[test]
    #[ignore = "long: 10,000 positions"]
    fn the_generator_equals_the_oracle_at_length(game in games()) {
        for position in decisions(&game) {
            if oracle::is_affordable(game.rules(), &position) {
                generator_equals_oracle(game.rules(), &position);
            }
        }
    }
}

/// A board kept up by what the position tells.
#[derive(Clone, Copy)]
struct Mirror([Option<Piece>; 64]);

impl Mirror {
    fn of(position: &Position) -> Mirror {
        Mirror(std::array::from_fn(|at| position.man(Square::from_index_masked(at as u8))))
    }
}

impl Observer for Mirror {
    fn put(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0[square.usize()].replace(piece), None);
    }
    fn take(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0[square.usize()].take(), Some(piece));
    }
}

proptest! {
    #![proptest_config(dear())]

    #[test]
    fn the_generator_equals_the_oracle(game in games()) {
        for position in decisions(&game) {
            if oracle::is_affordable(game.rules(), &position) {
                generator_equals_oracle(game.rules(), &position);
            }
        }
    }

    /// For every turn and every prefix of it, the legal turns from the prefix's DFEN are the turn's own continuations.
    #[test]
    fn a_prefix_leaves_its_own_continuations(game in games(), pick in any::<prop::sample::Index>()) {
        let rules = game.rules();
        let all = decisions(&game);
        prop_assume!(!all.is_empty());
        let position = all[pick.index(all.len())];
        prop_assume!(oracle::is_affordable(rules, &position));
        let mut open = vec![(position, String::new(), turn_texts(rules, &position))];
        let mut budget = 300;
        while let Some((at, prefix, texts)) = open.pop() {
            for (mv, step) in rules.steps(&at) {
                let text = turn_text(&[mv], style(rules), ",");
                let Step::Within(next) = step else { continue };
                budget -= 1;
                if budget < 0 {
                    return Ok(());
                }
                let begin = format!("{text},");
                let wanted: Vec<String> =
                    texts.iter().filter_map(|turn| turn.strip_prefix(&begin).map(str::to_string)).collect();
                let dfen = to_dfen(rules, &next);
                let read = read(rules, &dfen).unwrap_or_else(|error| panic!("{dfen}: {error}"));
                prop_assert_eq!(read, next, "{}", &dfen);
                prop_assert_eq!(turn_texts(rules, &read), wanted.clone(), "{} after {}{}", &dfen, &prefix, &text);
                open.push((next, format!("{prefix}{begin}"), wanted));
            }
        }
    }
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn dfen_round_trips(game in games()) {
        let rules = game.rules();
        let over = matches!(game.status(), Status::Over(_));
        for position in decisions(&game).into_iter().chain([*game.position()]) {
            let text = to_dfen(rules, &position);
            match read(rules, &text) {
                Ok(parsed) => {
                    prop_assert_eq!(to_dfen(rules, &parsed), text.clone());
                    prop_assert_eq!(parsed, position, "{}", text);
                }
                // A position that a capture has ended cannot be set up again.
                Err(error) => prop_assert!(over && position.decided(rules.variant).is_some(), "{}: {}", text, error),
            }
        }
    }

    #[test]
    fn keys_and_observers_keep_up(game in games()) {
        let rules = game.rules();
        for position in decisions(&game).into_iter().take(6) {
            prop_assert_eq!(position.key(), position.key_from_scratch());
            for (mv, step) in rules.steps(&position) {
                let mut next = position;
                let mut mirror = Mirror::of(&position);
                next.play(rules.variant, mv, &mut mirror);
                prop_assert_eq!(next.key(), next.key_from_scratch());
                prop_assert!(Bitboard::ALL.zip(mirror.0).all(|(square, man)| next.man(square) == man));
                let reached = step.position();
                prop_assert_eq!(reached.key(), reached.key_from_scratch(), "{}", to_dfen(rules, reached));
            }
        }
    }

    #[test]
    fn colours_are_alike(game in games()) {
        let rules = game.rules();
        for position in decisions(&game).into_iter().take(4).chain([*game.position()]) {
            let flipped = position.flipped();
            prop_assert_eq!(flipped.flipped(), position);
            prop_assert_eq!(flipped.key(), flipped.key_from_scratch());
            if position.decided(rules.variant).is_some() {
                continue;
            }
            if !position.awaits_roll() && oracle::is_affordable(rules, &position) {
                prop_assert_eq!(rules.survey(&flipped), rules.survey(&position));
            }
            let turned = match rules.threat_within(&flipped, 2) {
                Threat::Both(white, black) => Threat::Both(black, white),
                other => other,
            };
            prop_assert_eq!(turned, rules.threat_within(&position, 2));
            for color in Color::ALL {
                let score = Material.evaluate(rules, &position, color);
                prop_assert_eq!(Material.evaluate(rules, &flipped, color.other()), score);
                prop_assert_eq!(Material.evaluate(rules, &position, color.other()), -score);
            }
        }
    }

    #[test]
    fn chances_sum_to_the_whole(game in games()) {
        let rules = game.rules();
        let mut position = *game.position();
        if position.decided(rules.variant).is_some() || !rules.variant.has_dice() {
            return Ok(());
        }
        while !position.awaits_roll() {
            let side = position.side();
            position.end_turn(rules.variant, rules.sliders);
            prop_assume!(!rules.variant.free_turns || position.side() != side);
            if rules.variant.free_turns && !position.awaits_roll() {
                return Ok(());
            }
        }
        let chance = rules.outcomes(&position);
        prop_assert_eq!(chance.outcomes.iter().map(|outcome| outcome.weight).sum::<u32>(), chance.total);
        let whole = rules.variant.dice.total();
        let most = match (rules.variant.dice, rules.variant.no_move) {
            (DiceKind::Contest, NoMoveRule::HandOver) => { prop_assert!(chance.total <= 30); 12 }
            (DiceKind::Contest, _) => { prop_assert_eq!(chance.total, 30); 30 }
            _ if rules.variant.name == "dicey" => { prop_assert_eq!(chance.total, 30); 5 }
            (_, NoMoveRule::Reroll) => { prop_assert!(chance.total <= 6); 6 }
            (_, NoMoveRule::AnyMove) => { prop_assert_eq!(chance.total, 6); 6 }
            _ => {
                prop_assert_eq!(chance.total, whole);
                match rules.variant.name {
                    "dicechess" | "burmese" => 56,
                    "pawnhunt" => 6,
                    "dicecheckmate" => 16,
                    "vegas" => 20,
                    "gollon-count" => 4,
                    _ => 36,
                }
            }
        };
        prop_assert!(chance.outcomes.len() <= most, "{}", chance.outcomes.len());
        for outcome in &chance.outcomes {
            prop_assert!(!outcome.position.awaits_roll());
        }
    }
}

/// The fan shows exactly the distinct afterstates of each roll, each once, with a turn that leads there.
fn fan_equals_layers(fan: &mut Fan, rules: &Rules, position: &Position) {
    let dfen = to_dfen(rules, position);
    let mut seen: Vec<BTreeMap<u64, bool>> = vec![BTreeMap::new(); 56];
    fan.walk(position, (), Fan::ALL, &mut |leaf| {
        assert_eq!(leaf.position().afterstate_key(), leaf.key, "{dfen}");
        for (roll, seen) in seen.iter_mut().enumerate().filter(|(roll, _)| leaf.rolls >> roll & 1 != 0) {
            let text = turn_text(leaf.turn().moves(), style(rules), ",");
            assert_eq!(seen.insert(leaf.key, leaf.wins), None, "{dfen}: {text} twice for roll {roll}");
        }
        0
    });
    let outcomes = rules.outcomes(position).outcomes;
    assert_eq!(outcomes.len(), 56);
    for (outcome, seen) in outcomes.iter().zip(&seen) {
        let (afterstates, _) = rules.afterstates(&outcome.position, Effort::FULL);
        let wanted: BTreeMap<u64, bool> = afterstates
            .iter()
            .map(|after| (after.position.afterstate_key(), after.position.decided(rules.variant).is_some()))
            .collect();
        let missing: Vec<String> = afterstates
            .iter()
            .filter(|after| !seen.contains_key(&after.position.afterstate_key()))
            .map(|after| turn_text(after.turn.moves(), style(rules), ","))
            .collect();
        assert!(missing.is_empty(), "{dfen} roll {}: without {missing:?}", outcome.roll);
        assert_eq!(*seen, wanted, "{dfen} roll {}", outcome.roll);
    }
    // One roll alone has the same.
    for roll in [position.key() % 56, position.key() / 56 % 56].map(|roll| roll as usize) {
        let mut alone = BTreeMap::new();
        fan.walk(position, (), 1 << roll, &mut |leaf| {
            assert_eq!(leaf.rolls, 1 << roll, "{dfen}");
            assert_eq!(alone.insert(leaf.key, leaf.wins), None, "{dfen}");
            0
        });
        assert_eq!(alone, seen[roll], "{dfen} roll {roll}");
    }
    // Where wins are enough, a roll is won if and only if some line of it wins.
    let (mut won, mut others) = (0u64, 0u64);
    fan.walk(position, (), Fan::ALL, &mut |leaf| {
        won |= if leaf.wins { leaf.rolls } else { 0 };
        others |= leaf.rolls;
        if leaf.wins { leaf.rolls } else { 0 }
    });
    for (roll, seen) in seen.iter().enumerate() {
        assert_eq!(won >> roll & 1 != 0, seen.values().any(|&wins| wins), "{dfen} roll {roll}");
        assert_eq!(others >> roll & 1 != 0, !seen.is_empty(), "{dfen} roll {roll}");
    }
    // So do the odds that are told without generating turns.
    let weights = outcomes.iter().enumerate().filter(|(roll, _)| won >> roll & 1 != 0).map(|(_, rolled)| rolled.weight);
    let odds = Odds { favourable: weights.sum(), total: 216 };
    assert_eq!(rules.threat(position), Threat::Mover(odds), "{dfen}");
    // The turns shown are legal and lead where they say, and observers have followed them there.
    fan.walk(position, Mirror::of(position), Fan::ALL, &mut |leaf| {
        let roll = leaf.rolls.trailing_zeros() as usize;
        if leaf.key.is_multiple_of(64) {
            assert!(leaf.observer().0 == Mirror::of(&leaf.position()).0, "{dfen}");
        }
        if leaf.key.is_multiple_of(512) {
            let mut game = Game::new(*rules, outcomes[roll].position);
            if leaf.turn().is_pass() {
                game.pass().unwrap();
            }
            leaf.turn().moves().iter().for_each(|&mv| game.play(mv).unwrap());
            assert_eq!(game.position().afterstate_key(), leaf.key, "{dfen}");
        }
        0
    });
}

proptest! {
    #![proptest_config(dear())]

    #[test]
    fn the_fan_equals_the_layers(seed in any::<u64>(), moves in 0..80u32, kind in 0..4u8) {
        let rules = Rules::new(DEFAULT);
        let game = match kind {
            0 => sparse(rules, seed).unwrap_or_else(|| reachable(rules, seed, moves)),
            1 => shuffled(rules, seed, moves / 4),
            _ => reachable(rules, seed, moves),
        };
        let mut position = *game.position();
        prop_assume!(position.decided(rules.variant).is_none());
        if !position.awaits_roll() {
            position.end_turn(rules.variant, rules.sliders);
        }
        let mut fan = Fan::new(rules).unwrap();
        fan_equals_layers(&mut fan, &rules, &position);
        fan_equals_layers(&mut fan, &rules, &position.flipped());
    }
}

proptest! {
    #![proptest_config(dear())]

    /// Whatever the game, the turn played is legal, and wins where some turn wins.
    #[test]
    fn play_is_legal_and_misses_no_win(game in games(), pick in any::<prop::sample::Index>()) {
        let rules = game.rules();
        let all = decisions(&game);
        prop_assume!(!all.is_empty());
        let position = all[pick.index(all.len())];
        let mut played = Game::new(*rules, position);
        let Status::Decide(side) = played.status() else { return Ok(()) };
        prop_assume!(oracle::is_affordable(rules, &position));
        let mut can_win = false;
        rules.each_afterstate(&position, Effort::FULL, |leaf| {
            can_win |= rules.outcome(leaf.position, false).is_some_and(|over| over.winner == Some(side));
        });
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let table = Table::new(1);
        let request = Request::new(rules, &position, &Material, &table, &limits);
        for stopped in [false, true] {
            let report = think(&request, &AtomicBool::new(stopped), &mut |_| {});
            let turn = report.turn.unwrap();
            if turn.is_pass() {
                prop_assert!(position.pool().is_optional());
                continue;
            }
            let mut game = played.clone();
            for &mv in turn.moves() {
                prop_assert!(game.play(mv).is_ok(), "{} {}", to_dfen(rules, &position), turn_text(turn.moves(), style(rules), ","));
            }
            prop_assert_eq!(game.made(), 0, "{}", to_dfen(rules, &position));
            if !stopped {
                let won = matches!(game.status(), Status::Over(over) if over.winner == Some(side));
                prop_assert_eq!(won, can_win, "{}", to_dfen(rules, &position));
                prop_assert_eq!(report.info.unwrap().wins, can_win);
            }
        }
        prop_assert!(played.pass().is_err() || position.pool().is_optional());
    }
}

/// The law of prefixes where the mark `x` is: on crowded corners, every spoilt prefix of every roll.
#[test]
fn spoilt_prefixes_leave_their_own_continuations() {
    let rules = Rules::new(DEFAULT);
    let mut spoilt = 0;
    for position in (0..1500).filter_map(|seed| scattered(rules, seed, 5)).flat_map(|game| decisions(&game)) {
        let steps = rules.steps(&position);
        if !steps.iter().any(|(_, step)| step.position().pool().spoilt) {
            continue;
        }
        let mut turns: Vec<String> =
            oracle::turns(&rules, &position).iter().map(|line| turn_text(&line.moves, style(&rules), ",")).collect();
        turns.sort();
        for (mv, step) in steps.iter().filter(|(_, step)| step.position().pool().spoilt) {
            let begin = format!("{},", turn_text(&[*mv], style(&rules), ","));
            let wanted: Vec<&str> = turns.iter().filter_map(|turn| turn.strip_prefix(&begin)).collect();
            let dfen = to_dfen(&rules, step.position());
            assert!(dfen.ends_with('x') && !wanted.is_empty(), "{dfen}");
            assert_eq!(turn_texts(&rules, &read(&rules, &dfen).unwrap()), wanted, "{dfen}");
            spoilt += 1;
        }
    }
    assert!(spoilt > 100, "{spoilt}");
}

/// The search for the last pawn finds a win if and only if some turn wins.
#[test]
fn the_last_pawn_is_found() {
    let rules = Rules::new(find("pawnhunt").unwrap());
    let (mut won, mut not) = (0, 0);
    for seed in 0..400 {
        let Some(game) = sparse(rules, seed) else { continue };
        for position in decisions(&game) {
            let side = position.side().unwrap();
            let mut wanted = false;
            rules.each_afterstate(&position, Effort::FULL, |leaf| {
                wanted |= leaf.position.decided(rules.variant).is_some_and(|over| over.winner == Some(side));
            });
            let turn = rules.turn_that_takes_the_last_pawn(&position, Effort::FULL);
            assert_eq!(turn.is_some(), wanted, "{}", to_dfen(&rules, &position));
            if let Some(turn) = turn {
                let mut game = Game::new(rules, position);
                turn.moves().iter().for_each(|&mv| game.play(mv).unwrap());
                assert!(matches!(game.status(), Status::Over(over) if over.winner == Some(side)));
                won += 1;
            } else {
                not += 1;
            }
        }
    }
    assert!(won > 100 && not > 100, "{won} {not}");
}

/// The plain recursion for the odds of a capture: some line of some order takes the king.
#[test]
fn threats_equal_the_plain_count() {
    for seed in 0..30u64 {
        for variant in VARIANTS.iter().filter(|variant| variant.has_king_capture() && variant.has_mover()) {
            let rules = Rules::new(variant);
            let game = match sparse(rules, seed) {
                Some(game) if seed % 3 > 0 || variant.is_series() => game,
                _ => reachable(rules, seed, 12 + seed as u32),
            };
            let position = *game.position();
            if !position.awaits_roll() || matches!(game.status(), Status::Over(_)) {
                continue;
            }
            let (mut favourable, mut total) = (0, 0);
            let mut affordable = true;
            for outcome in rules.outcomes(&position).outcomes {
                affordable &= oracle::is_affordable(&rules, &outcome.position);
                total += outcome.weight;
                let takes = affordable
                    && oracle::turns(&rules, &outcome.position)
                        .iter()
                        .any(|line| line.position.decided(variant).is_some());
                favourable += if takes { outcome.weight } else { 0 };
            }
            if affordable {
                let wanted = Threat::Mover(hazard::turns::Odds { favourable, total });
                assert_eq!(rules.threat(&position), wanted, "{} {}", variant.name, to_dfen(&rules, &position));
            }
        }
    }
}
