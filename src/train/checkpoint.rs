//! The state of a run of training in a file.

use super::live::Trainer;
use super::model::PARAMETERS;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

const MAGIC: &[u8; 8] = b"HAZRDRUN";
/// Magic, settings' checksum, rounds, positions, steps.
const HEADER: usize = 8 + 32 + 3 * 8;

fn settings_sum(trainer: &Trainer) -> [u8; 32] {
    // A run may be made longer, but nothing else may change under way.
    let mut settings = trainer.settings().clone();
    settings.games = 0;
    Sha256::digest(serde_json::to_vec(&settings).unwrap_or_default()).into()
}

/// Writes the state beside the file and then puts it in its place.
pub fn save(trainer: &Trainer, path: &Path) -> io::Result<()> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(settings_sum(trainer));
    for number in [trainer.rounds, trainer.positions, trainer.model.steps] {
        bytes.extend(number.to_le_bytes());
    }
    let model = &trainer.model;
    for numbers in [&model.weights, &model.moments[0], &model.moments[1]] {
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    let sum = Sha256::digest(&bytes);
    bytes.extend(sum);
    write_whole(path, &bytes)
}

/// Writes a file so that it is there whole or not at all.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("part");
    fs::write(&beside, bytes)?;
    fs::rename(&beside, path)
}

/// Reads the state into a trainer of the same settings.
pub fn load(trainer: &mut Trainer, path: &Path) -> io::Result<()> {
    let fault = |what: &str| io::Error::new(ErrorKind::InvalidData, format!("{}: {what}", path.display()));
    let bytes = fs::read(path)?;
    let wanted = HEADER + 3 * PARAMETERS * 4 + 32;
    if bytes.get(..8) != Some(MAGIC) {
        return Err(fault("not the state of a run of training"));
    }
    if bytes.len() != wanted {
        return Err(fault(&format!("{} bytes, not {wanted}", bytes.len())));
    }
    let (state, sum) = bytes.split_at(wanted - 32);
    if Sha256::digest(state).as_slice() != sum {
        return Err(fault("damaged: its checksum does not fit"));
    }
    if state.get(8..40) != Some(settings_sum(trainer).as_slice()) {
        return Err(fault("of a run with other settings"));
    }
    let (header, numbers) = state.split_at(HEADER);
    let mut words = header[40..].chunks_exact(8).map(|word| word.try_into().map_or(0, u64::from_le_bytes));
    let mut word = || words.next().unwrap_or(0);
    (trainer.rounds, trainer.positions, trainer.model.steps) = (word(), word(), word());
    let mut numbers = numbers.chunks_exact(4).map(|bytes| bytes.try_into().map_or(0.0, f32::from_le_bytes));
    let model = &mut trainer.model;
    let [first, second] = &mut model.moments;
    let all = model.weights.iter_mut().chain(first).chain(second);
    all.zip(&mut numbers).for_each(|(slot, number)| *slot = number);
    Ok(())
}
