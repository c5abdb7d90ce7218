//! Slider attacks by magic multiplication (Kannan 2007, "fancy" layout), the magics embedded as constants.

use super::attacks::{BISHOP_DIRECTIONS, ROOK_DIRECTIONS, between, king_attacks, knight_attacks, slide};
use super::bitboard::Bitboard;
use super::piece::Role;
use super::square::Square;
use once_cell::sync::OnceCell;

/// The attack tables of rooks and bishops, some 860 KiB, built once.
///
/// Take the reference once and keep it: [`Sliders::get`] is not meant for each look-up.
pub struct Sliders {
    rooks: [Magic; 64],
    bishops: [Magic; 64],
    attacks: Vec<Bitboard>,
    /// The squares strictly between two squares of one line, 64 a square.
    between: Vec<Bitboard>,
}

#[derive(Clone, Copy)]
struct Magic {
    mask: u64,
    magic: u64,
    shift: u32,
    offset: u32,
}

impl Magic {
    const NONE: Magic = Magic { mask: 0, magic: 0, shift: 0, offset: 0 };

    #[inline(always)]
    fn index(&self, occupied: Bitboard) -> usize {
        self.offset as usize + ((occupied.0 & self.mask).wrapping_mul(self.magic) >> self.shift) as usize
    }
}

static SLIDERS: OnceCell<Sliders> = OnceCell::new();

impl Sliders {
    /// The tables of this process, built on the first call.
    pub fn get() -> &'static Sliders {
        SLIDERS.get_or_init(Sliders::build)
    }

    fn build() -> Sliders {
        let mut sliders =
            Sliders { rooks: [Magic::NONE; 64], bishops: [Magic::NONE; 64], attacks: Vec::new(), between: Vec::new() };
        for index in 0..64 {
            let square = Square::from_index_masked(index);
            let at = square.usize();
            sliders.rooks[at] = sliders.add(square, ROOK_MAGICS[at], &ROOK_DIRECTIONS);
            sliders.bishops[at] = sliders.add(square, BISHOP_MAGICS[at], &BISHOP_DIRECTIONS);
        }
        let squares = || (0..64).map(Square::from_index_masked);
        sliders.between = squares().flat_map(|a| squares().map(move |b| between(a, b))).collect();
        sliders
    }

    fn add(&mut self, square: Square, magic: u64, directions: &[(i8, i8)]) -> Magic {
        let mask = relevant(square, directions);
        let offset = self.attacks.len();
        let entry = Magic { mask: mask.0, magic, shift: 64 - mask.count(), offset: offset as u32 };
        self.attacks.resize(offset + (1 << mask.count()), Bitboard::EMPTY);
        for occupied in subsets(mask) {
            self.attacks[entry.index(occupied)] = slide(square, occupied, directions);
        }
        entry
    }

    /// The squares a rook attacks, the first man met in each direction included.
    #[inline(always)]
    pub fn rook(&self, from: Square, occupied: Bitboard) -> Bitboard {
        self.attacks[self.rooks[from.usize()].index(occupied)]
    }

    /// The squares a bishop attacks.
    #[inline(always)]
    pub fn bishop(&self, from: Square, occupied: Bitboard) -> Bitboard {
        self.attacks[self.bishops[from.usize()].index(occupied)]
    }

    /// The squares strictly between two squares of one rank, file or diagonal; nothing for any other pair.
    #[inline(always)]
    pub fn between(&self, a: Square, b: Square) -> Bitboard {
        self.between[a.usize() << 6 | b.usize()]
    }

    /// The squares a queen attacks.
    #[inline(always)]
    pub fn queen(&self, from: Square, occupied: Bitboard) -> Bitboard {
        self.rook(from, occupied) | self.bishop(from, occupied)
    }

    /// The squares that a man attacks from a square, whatever his colour; of a pawn nothing, for his colour matters.
    #[inline(always)]
    pub fn man(&self, role: Role, from: Square, occupied: Bitboard) -> Bitboard {
        match role {
            Role::Pawn => Bitboard::EMPTY,
            Role::Knight => knight_attacks(from),
            Role::Bishop => self.bishop(from, occupied),
            Role::Rook => self.rook(from, occupied),
            Role::Queen => self.queen(from, occupied),
            Role::King => king_attacks(from),
        }
    }
}

/// The squares whose occupation changes the attacks of a slider: its rays without their last squares.
fn relevant(square: Square, directions: &[(i8, i8)]) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    for &(files, ranks) in directions {
        let ray = slide(square, Bitboard::EMPTY, &[(files, ranks)]);
        squares |= ray.filter(|at| at.offset(files, ranks).is_some()).collect();
    }
    squares
}

/// Every subset of a set, the empty one first (the carry-rippler of Marcel van Kervinck).
fn subsets(set: Bitboard) -> impl Iterator<Item = Bitboard> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let current = next?;
        let following = current.wrapping_sub(set.0) & set.0;
        next = (following != 0).then_some(following);
        Some(Bitboard(current))
    })
}

#[rustfmt::skip]
const ROOK_MAGICS: [u64; 64] = [
    0x0080_0010_8020_4000, 0x2840_0244_2000_1000, 0x0180_2000_1001_8009, 0x2280_1002_6480_0800,
    0x0a80_0800_0c00_0380, 0x0100_0801_0004_0002, 0x0200_0800_8200_0144, 0x0200_0400_4209_2083,
    0x2814_8000_8020_4000, 0x0502_0020_8a00_4102, 0x0902_8080_2000_1000, 0x02b1_0008_2010_0101,
    0x0020_8004_0280_0800, 0x0008_8022_0004_0080, 0x0204_0001_1024_4208, 0x4002_0020_8247_0204,
    0x141c_8180_0022_4000, 0x1090_0040_0040_2008, 0x0090_0020_0800_2400, 0x0000_8480_0800_1000,
    0x0011_0100_1008_0004, 0x0006_0101_0008_0400, 0x000c_0101_0002_0004, 0x0020_0200_10a4_0841,
    0x4088_4006_8000_8030, 0x0500_2000_4000_5004, 0x0200_2000_8010_0080, 0x8000_1000_8008_0086,
    0x0048_0800_8080_0400, 0x6002_0002_0008_1005, 0x4800_0804_00f0_0201, 0x0004_1102_0000_8054,
    0x00b0_2040_0880_0080, 0x1800_8040_0100_2105, 0x0000_1000_8080_2000, 0x4048_0080_8a80_1000,
    0x0084_0408_0100_1101, 0x2000_0200_8080_0400, 0x1000_1118_4400_1022, 0x0002_0041_0200_0084,
    0x2038_4004_8020_8000, 0x0120_2000_5008_4000, 0x1000_2200_4082_0013, 0x5262_1001_0009_0020,
    0x0341_0208_0005_0010, 0x0280_0200_0400_8080, 0x1060_1002_0804_0001, 0x0000_0081_1042_0024,
    0x222f_4000_b080_0480, 0x5800_4010_0020_0040, 0x8802_8610_0020_0880, 0x9001_0210_0020_0900,
    0x0248_0200_0400_4040, 0x1013_0004_0008_2300, 0x2040_2130_0802_0400, 0x0c40_0904_2090_4200,
    0x0408_8000_1020_4101, 0x0021_0016_8840_0021, 0x0401_1840_e002_1301, 0x0010_5000_2101_0499,
    0x8002_0120_1008_8402, 0x0509_0004_0002_0801, 0x0200_1005_0482_5804, 0x0800_0506_2080_4406,
];
#[rustfmt::skip]
const BISHOP_MAGICS: [u64; 64] = [
    0x0804_3000_9801_0048, 0x2004_1002_0208_2230, 0xa084_0404_2040_8000, 0x2c24_0406_8080_8002,
    0x4004_10a8_1400_8000, 0x0000_9010_0810_8014, 0x0005_0110_1144_00c8, 0x0000_1044_1404_4000,
    0x0000_1131_2208_0040, 0x0c11_c208_9d03_0202, 0x4404_0800_8902_1010, 0x1881_020a_0a02_0010,
    0x0040_0e0a_1000_0000, 0xa880_1101_2012_4000, 0x0122_4105_3802_4030, 0x4200_0100_8084_2100,
    0x0020_1404_0424_0800, 0x0020_0011_0102_0088, 0x2012_0440_4082_0580, 0x0004_0088_2400_1000,
    0x00c7_0088_9040_1408, 0x000a_00c5_0109_0101, 0xc000_8260_5210_1000, 0x0408_8842_0e00_8244,
    0x0004_1001_2002_1041, 0x0042_8800_1021_0800, 0x0340_3000_0800_7828, 0x0042_0800_a401_04a0,
    0x0009_0100_0010_4010, 0x0810_0500_c024_0900, 0x0104_0888_3108_0140, 0x4000_4e00_1082_0100,
    0x0410_10e4_4030_0440, 0x0004_1002_8004_0410, 0x0002_0802_0204_0020, 0x08c0_0200_8008_0080,
    0x2004_0404_0004_9100, 0x0548_0200_2094_1000, 0x0208_0204_800c_00e4, 0x020c_0122_0508_4440,
    0x0016_4904_2000_c000, 0x0a07_0410_0a04_8c08, 0x8200_2202_0200_4040, 0x0400_0022_1400_2804,
    0x018c_2082_0c00_1a18, 0x2021_3001_0044_0a00, 0x8090_0408_0089_0040, 0x1004_0112_0200_8020,
    0x6002_10d0_0410_0060, 0x0162_020a_0242_8000, 0x0000_0080_4808_0001, 0xc000_1080_4202_0820,
    0x0085_0810_0202_0600, 0x8800_2430_0418_4000, 0x8808_0819_881a_0400, 0x00c8_0240_8401_0100,
    0x0023_0030_9004_1001, 0x0000_0441_0401_2000, 0x1002_1400_4628_0400, 0x1900_0884_1108_4808,
    0x0040_5000_0420_8201, 0x0a80_0a88_2048_4c80, 0x0008_08a0_1106_2200, 0x0010_2081_0042_0442,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_agrees_with_stepping() {
        let sliders = Sliders::get();
        let mut checked = 0;
        for index in 0..64 {
            let square = Square::from_index_masked(index);
            for occupied in subsets(relevant(square, &ROOK_DIRECTIONS)) {
                assert_eq!(sliders.rook(square, occupied), slide(square, occupied, &ROOK_DIRECTIONS));
                checked += 1;
            }
            for occupied in subsets(relevant(square, &BISHOP_DIRECTIONS)) {
                assert_eq!(sliders.bishop(square, occupied), slide(square, occupied, &BISHOP_DIRECTIONS));
                checked += 1;
            }
        }
        assert_eq!(checked, 102_400 + 5_248);
        assert_eq!(checked, sliders.attacks.len());
    }

    #[test]
    fn men_outside_the_mask_change_nothing() {
        let sliders = Sliders::get();
        for index in 0..64 {
            let square = Square::from_index_masked(index);
            let outside = !relevant(square, &ROOK_DIRECTIONS);
            assert_eq!(sliders.rook(square, outside), slide(square, outside, &ROOK_DIRECTIONS));
        }
    }
}
