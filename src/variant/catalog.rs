//! The games on offer, each stated by its differences from a base.

use super::{
    Allowance, CastlingCost, CastlingRule, DeadMaterial, Draws, EnPassantRule, Filters, Goal, KingRule, NoMoveRule,
    PromotionRule, Schedule, Use, Variant,
};
use crate::dice::DiceKind;

const NO_DRAWS: Draws =
    Draws { quiet_limit: None, repetition: false, dead: DeadMaterial::None, nobody_can_move: false };
const GUARD_DRAWS: Draws = Draws { nobody_can_move: true, ..NO_DRAWS };
const FIDE_DRAWS: Draws =
    Draws { quiet_limit: Some(100), repetition: true, dead: DeadMaterial::Fide, nobody_can_move: false };

const SAFE_KING_CASTLING: CastlingRule = CastlingRule::On { cost: CastlingCost::King, safe: true };
const FREE_KING_CASTLING: CastlingRule = CastlingRule::On { cost: CastlingCost::King, safe: false };

const DICECHESS: Variant = Variant {
    name: "dicechess",
    summary: "three dice, three moves, take the king",
    dice: DiceKind::Three,
    schedule: Schedule::Alternate,
    allowance: Allowance::EachDie,
    usage: Use::Max,
    king: KingRule::Capture,
    castling: CastlingRule::On { cost: CastlingCost::KingAndRook, safe: false },
    en_passant: EnPassantRule::ReplyTurn,
    promotion: PromotionRule::Fide,
    no_move: NoMoveRule::Pass,
    goal: Goal::King,
    draws: Draws { quiet_limit: Some(100), ..GUARD_DRAWS },
    free_turns: false,
    chess960: true,
    // What a further candidate would add is below 0.0001 of a game in the mean.
    filters: Filters { candidates: [16, 6, 4], ..Filters::WIDE },
    network: "dicechess",
};

const BURMESE: Variant = Variant { name: "burmese", summary: "an alias of dicechess", ..DICECHESS };

/// Taking the king with one move a turn; the base of the smaller king-capture games.
const SINGLE_CAPTURE: Variant =
    Variant { usage: Use::Must, draws: GUARD_DRAWS, chess960: false, filters: Filters::WIDE, ..DICECHESS };

const DICEHARD: Variant = Variant {
    name: "dicehard",
    summary: "both throw, the higher die moves",
    dice: DiceKind::Contest,
    schedule: Schedule::ContestOne,
    allowance: Allowance::JokerDie,
    castling: CastlingRule::Off,
    en_passant: EnPassantRule::Off,
    no_move: NoMoveRule::HandOver,
    network: "dicehard",
    ..SINGLE_CAPTURE
};

const DICEULTIMATE: Variant = Variant {
    name: "diceultimate",
    summary: "both throw, the higher die moves first, then the lower",
    schedule: Schedule::ContestBoth,
    no_move: NoMoveRule::Pass,
    network: "diceultimate",
    ..DICEHARD
};

const PAWNHUNT: Variant = Variant {
    name: "pawnhunt",
    summary: "two dice, as many moves as the lower shows, take every pawn",
    dice: DiceKind::Two,
    allowance: Allowance::LowerDie,
    king: KingRule::Commoner,
    castling: CastlingRule::Off,
    en_passant: EnPassantRule::Off,
    promotion: PromotionRule::Evaporate,
    no_move: NoMoveRule::DrawOrDoubletLoss,
    goal: Goal::Pawns,
    draws: NO_DRAWS,
    network: "pawnhunt",
    ..SINGLE_CAPTURE
};

const DICECHECKMATE: Variant = Variant {
    name: "dicecheckmate",
    summary: "two dice, one legal move of either man, mate the king",
    dice: DiceKind::Two,
    allowance: Allowance::EitherDie,
    king: KingRule::CheckOrCapture,
    castling: CastlingRule::On { cost: CastlingCost::KingOrRook, safe: true },
    goal: Goal::MateOrKing,
    draws: Draws { dead: DeadMaterial::Kings, ..FIDE_DRAWS },
    network: "dicecheckmate",
    ..SINGLE_CAPTURE
};

const BRAINKING: Variant = Variant {
    name: "brainking",
    summary: "one die over the men that can move, take the king",
    dice: DiceKind::One,
    castling: FREE_KING_CASTLING,
    promotion: PromotionRule::ByFace,
    no_move: NoMoveRule::Reroll,
    draws: Draws { dead: DeadMaterial::None, ..FIDE_DRAWS },
    network: "brainking",
    ..SINGLE_CAPTURE
};

/// FIDE chess but for the dice.
const FIDE: Variant = Variant {
    king: KingRule::Check,
    castling: SAFE_KING_CASTLING,
    goal: Goal::Mate,
    draws: FIDE_DRAWS,
    ..SINGLE_CAPTURE
};

const VEGAS: Variant = Variant {
    name: "vegas",
    summary: "two special dice, no roll while check is given or answered",
    dice: DiceKind::TwoOrdered,
    allowance: Allowance::SpecialDice,
    free_turns: true,
    network: "vegas",
    ..FIDE
};

const ANYDICE: Variant = Variant {
    name: "anydice",
    summary: "one die, any move when the face cannot move, mate the king",
    dice: DiceKind::One,
    no_move: NoMoveRule::AnyMove,
    network: "anydice",
    ..FIDE
};

const GOLLON_COUNT: Variant = Variant {
    name: "gollon-count",
    summary: "one die, up to four moves, take the king",
    dice: DiceKind::One,
    allowance: Allowance::Count(4),
    castling: FREE_KING_CASTLING,
    no_move: NoMoveRule::Draw,
    draws: NO_DRAWS,
    network: "gollon-count",
    ..SINGLE_CAPTURE
};

const GOLLON_PIECECOUNT: Variant = Variant {
    name: "gollon-piececount",
    summary: "a die for the man and a die for his moves, take the king",
    dice: DiceKind::TwoOrdered,
    allowance: Allowance::RoleTimes,
    castling: FREE_KING_CASTLING,
    network: "gollon-piececount",
    ..SINGLE_CAPTURE
};

const DICEY: Variant = Variant {
    name: "dicey",
    summary: "two dice, as many moves as they differ by, take the king",
    dice: DiceKind::Two,
    allowance: Allowance::Difference,
    castling: FREE_KING_CASTLING,
    network: "gollon-count",
    ..SINGLE_CAPTURE
};

const CHESS: Variant = Variant {
    name: "chess",
    summary: "the orthodox game, without dice",
    dice: DiceKind::None,
    allowance: Allowance::Everything,
    no_move: NoMoveRule::Never,
    chess960: true,
    network: "chess",
    ..FIDE
};

/// Every game, the default first.
pub static VARIANTS: [Variant; 13] = [
    DICECHESS,
    BURMESE,
    DICEHARD,
    DICEULTIMATE,
    PAWNHUNT,
    DICECHECKMATE,
    BRAINKING,
    VEGAS,
    ANYDICE,
    GOLLON_COUNT,
    GOLLON_PIECECOUNT,
    DICEY,
    CHESS,
];

/// The game played unless another is chosen: `dicechess`.
pub static DEFAULT: &Variant = &VARIANTS[0];

/// The game of a name, in any case of letters.
pub fn find(name: &str) -> Option<&'static Variant> {
    VARIANTS.iter().find(|variant| variant.name.eq_ignore_ascii_case(name))
}
