//! Refuses rules that contradict one another, so that a wrong table is an error and not a strange game.

use super::{
    Allowance, CastlingCost, CastlingRule, DeadMaterial, EnPassantRule, Goal, KingRule, NoMoveRule, PromotionRule,
    Schedule, Use, Variant,
};
use crate::dice::DiceKind;
use thiserror::Error;

/// Two rules that cannot both hold.
#[derive(Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contradiction {
    /// The name could not be chosen by a host.
    #[error("a variant's name is non-empty and holds no spaces")]
    Name,
    /// The allowance reads other dice than are thrown.
    #[error("the allowance cannot be read off these dice")]
    Dice,
    /// A contest needs one die of each player, and nothing else does.
    #[error("the schedule does not go with these dice")]
    Schedule,
    /// The goal needs another kind of king.
    #[error("the goal cannot be reached with this king")]
    Goal,
    /// Check is only defined between single moves.
    #[error("check is undefined inside a turn of several moves")]
    Check,
    /// Castling's cost can never be paid, or there may be no king to castle.
    #[error("castling cannot be paid for or has no king")]
    Castling,
    /// Nobody is bound to reply.
    #[error("en passant needs sides that alternate")]
    EnPassant,
    /// The promotion rule reads a face that is not there, or pawns are the goal and promote.
    #[error("the promotion rule does not go with the dice or the goal")]
    Promotion,
    /// Only several tickets can be used to the maximum.
    #[error("the maximum rule needs a ticket for each of several dice")]
    Use,
    /// The unusable roll is handled in a way that these dice do not allow.
    #[error("the rule for an unusable roll does not go with the dice")]
    NoMove,
    /// Repetition and dead material are FIDE's, for one side to move.
    #[error("the draws do not go with the schedule or the goal")]
    Draws,
    /// Free turns after a check need checks.
    #[error("free turns after a check need a king in check")]
    FreeTurns,
    /// Chess960 without castling is no Chess960.
    #[error("Chess960 needs castling")]
    Chess960,
}

/// Checks the rules of a variant and names all contradictions.
pub fn check(variant: &Variant) -> Result<(), Vec<Contradiction>> {
    let several = match variant.allowance {
        Allowance::EachDie => variant.dice.count() > 1,
        Allowance::LowerDie | Allowance::Difference | Allowance::RoleTimes => true,
        Allowance::Count(most) => most > 1,
        _ => false,
    };
    let one_role_die = variant.allowance == Allowance::EachDie && variant.dice == DiceKind::One;
    let contest = !variant.has_mover();
    let tests = [
        (variant.name.is_empty() || variant.name.contains(char::is_whitespace), Contradiction::Name),
        (!dice_fit(variant), Contradiction::Dice),
        (contest != (variant.dice == DiceKind::Contest), Contradiction::Schedule),
        (variant.king != king_of(variant.goal), Contradiction::Goal),
        (variant.has_check() && several, Contradiction::Check),
        (!castling_fits(variant), Contradiction::Castling),
        (contest && variant.en_passant != EnPassantRule::Off, Contradiction::EnPassant),
        (
            (variant.promotion == PromotionRule::ByFace && !one_role_die)
                || ((variant.promotion == PromotionRule::Evaporate) != (variant.goal == Goal::Pawns)),
            Contradiction::Promotion,
        ),
        (variant.usage == Use::Max && !(variant.allowance == Allowance::EachDie && several), Contradiction::Use),
        (!no_move_fits(variant, one_role_die), Contradiction::NoMove),
        (
            (contest && (variant.draws.repetition || variant.draws.dead != DeadMaterial::None))
                || (variant.draws.dead == DeadMaterial::Fide && variant.goal != Goal::Mate)
                || variant.draws.quiet_limit.is_some_and(|limit| !(7..=120).contains(&limit)),
            Contradiction::Draws,
        ),
        (variant.free_turns && variant.king != KingRule::Check, Contradiction::FreeTurns),
        (variant.chess960 && variant.castling == CastlingRule::Off, Contradiction::Chess960),
    ];
    let found: Vec<Contradiction> =
        tests.into_iter().filter(|(wrong, _)| *wrong).map(|(_, contradiction)| contradiction).collect();
    if found.is_empty() { Ok(()) } else { Err(found) }
}

fn dice_fit(variant: &Variant) -> bool {
    match variant.allowance {
        Allowance::EachDie => matches!(variant.dice, DiceKind::One | DiceKind::Two | DiceKind::Three),
        Allowance::JokerDie => variant.dice == DiceKind::Contest,
        Allowance::LowerDie | Allowance::Difference | Allowance::EitherDie => variant.dice == DiceKind::Two,
        Allowance::SpecialDice | Allowance::RoleTimes => variant.dice == DiceKind::TwoOrdered,
        Allowance::Count(most) => variant.dice == DiceKind::One && (1..=6).contains(&most),
        Allowance::Everything => variant.dice == DiceKind::None,
    }
}

fn king_of(goal: Goal) -> KingRule {
    match goal {
        Goal::King => KingRule::Capture,
        Goal::Pawns => KingRule::Commoner,
        Goal::Mate => KingRule::Check,
        Goal::MateOrKing => KingRule::CheckOrCapture,
    }
}

fn castling_fits(variant: &Variant) -> bool {
    match variant.castling {
        CastlingRule::Off => true,
        CastlingRule::On { cost, .. } => {
            let two_tickets = variant.allowance == Allowance::EachDie && variant.dice.count() > 1;
            variant.king != KingRule::Commoner && (cost == CastlingCost::KingAndRook) == two_tickets
        }
    }
}

fn no_move_fits(variant: &Variant, one_role_die: bool) -> bool {
    match variant.no_move {
        NoMoveRule::Pass => variant.has_dice() && variant.schedule != Schedule::ContestOne,
        NoMoveRule::HandOver => variant.schedule == Schedule::ContestOne,
        NoMoveRule::Reroll => one_role_die,
        NoMoveRule::AnyMove => one_role_die && variant.has_check(),
        NoMoveRule::Draw => matches!(variant.allowance, Allowance::Count(_)),
        NoMoveRule::DrawOrDoubletLoss => variant.allowance == Allowance::LowerDie,
        NoMoveRule::Never => !variant.has_dice() && variant.has_check(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{DEFAULT, VARIANTS, find};
    use super::*;

    #[test]
    fn the_catalogue_is_free_of_contradictions() {
        for variant in &VARIANTS {
            assert_eq!(check(variant), Ok(()), "{}", variant.name);
            assert_eq!(find(&variant.name.to_uppercase()).unwrap().name, variant.name);
        }
        assert_eq!(find("nonsense"), None);
    }

    #[test]
    fn each_contradiction_is_found() {
        let base = *DEFAULT;
        let named = |name: &str| *find(name).unwrap();
        let cases = [
            (Variant { name: "dice chess", ..base }, Contradiction::Name),
            (Variant { dice: DiceKind::Contest, ..base }, Contradiction::Dice),
            (Variant { schedule: Schedule::ContestBoth, ..named("brainking") }, Contradiction::Schedule),
            (Variant { goal: Goal::Mate, ..base }, Contradiction::Goal),
            (Variant { king: KingRule::Check, goal: Goal::Mate, ..named("gollon-count") }, Contradiction::Check),
            (Variant { castling: SAFE, ..base }, Contradiction::Castling),
            (Variant { castling: SAFE, ..named("pawnhunt") }, Contradiction::Castling),
            (Variant { en_passant: EnPassantRule::ReplyTurn, ..named("dicehard") }, Contradiction::EnPassant),
            (Variant { promotion: PromotionRule::ByFace, ..base }, Contradiction::Promotion),
            (Variant { promotion: PromotionRule::Fide, ..named("pawnhunt") }, Contradiction::Promotion),
            (Variant { usage: Use::Max, ..named("anydice") }, Contradiction::Use),
            (Variant { no_move: NoMoveRule::HandOver, ..base }, Contradiction::NoMove),
            (Variant { no_move: NoMoveRule::Pass, ..named("dicehard") }, Contradiction::NoMove),
            (Variant { no_move: NoMoveRule::Pass, ..named("chess") }, Contradiction::NoMove),
            (Variant { draws: Draws { dead: DeadMaterial::Fide, ..base.draws }, ..base }, Contradiction::Draws),
            (Variant { draws: Draws { quiet_limit: Some(3), ..base.draws }, ..base }, Contradiction::Draws),
            (Variant { free_turns: true, ..base }, Contradiction::FreeTurns),
            (Variant { castling: CastlingRule::Off, ..base }, Contradiction::Chess960),
        ];
        for (variant, wanted) in cases {
            let found = check(&variant).expect_err("a contradiction");
            assert!(found.contains(&wanted), "{wanted:?} not in {found:?}");
        }
    }

    use super::super::Draws;
    const SAFE: CastlingRule = CastlingRule::On { cost: CastlingCost::King, safe: true };
}
