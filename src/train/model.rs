//! The network while it learns: floating-point numbers, their gradient, and Adam (Kingma and Ba 2015).

use super::sample::{Active, Sample};
use crate::eval::features::{ATTACKS, INPUTS, MEN, STAGES, STEPS};
use crate::eval::network::{HEADS, LOGIT_ONE, OUTPUT_ONE, THREAT_ONE, Weights};
use crate::eval::threats::{THREATS, unit};
use crate::eval::{HIDDEN, UNIT_ONE};
use rand::{Rng, RngExt};
use std::thread;

const BIAS: usize = INPUTS * HIDDEN;
const OUTPUTS: usize = BIAS + HIDDEN;
const OUTPUT_BIAS: usize = OUTPUTS + STAGES * HEADS * 2 * HIDDEN;
const THREAT: usize = OUTPUT_BIAS + STAGES * HEADS;
/// All numbers of a model.
pub const PARAMETERS: usize = THREAT + STAGES * THREATS;
/// The head to which threats are added.
const QUIET: usize = 1;

/// The largest weight of a man that the file can hold, of a set of attackers, and of an output.
const MOST_MAN: f32 = 127.0 / 255.0;
const MOST_ATTACK: f32 = 2.0;
const MOST_OUTPUT: f32 = 127.0 / OUTPUT_ONE as f32;
const MOST_THREAT: f32 = 1.9;
/// The gradient of a batch is summed in so many parts, whatever the number of threads, for the sake of one result.
const PARTS: usize = 4;

/// The numbers and their moments.
#[derive(Clone)]
pub struct Model {
    /// Rows of inputs, bias, outputs by stage, head and view, output bias, threats by stage.
    pub weights: Vec<f32>,
    /// Adam's first and second moments.
    pub moments: [Vec<f32>; 2],
    /// Steps taken.
    pub steps: u64,
}

impl Model {
    /// Small random numbers, those of units that are not used zero: they stay so, since nothing comes out of them.
    pub fn new(chance: &mut impl Rng, units: usize) -> Model {
        let mut weights = vec![0.0; PARAMETERS];
        weights[..BIAS].iter_mut().for_each(|weight| *weight = chance.random_range(-0.04..0.04));
        weights[BIAS..OUTPUTS].fill(0.25);
        weights[OUTPUTS..OUTPUT_BIAS].iter_mut().for_each(|weight| *weight = chance.random_range(-0.1..0.1));
        for row in weights[..OUTPUT_BIAS].chunks_mut(HIDDEN) {
            row[units.min(HIDDEN)..].fill(0.0);
        }
        Model { weights, moments: [vec![0.0; PARAMETERS], vec![0.0; PARAMETERS]], steps: 0 }
    }

    /// One step of Adam on a batch, on several threads; the mean loss (cross-entropy, both heads) before it.
    pub fn learn(&mut self, batch: &[Sample], rate: f32, threads: usize, room: &mut Gradients) -> f32 {
        let each = batch.len().div_ceil(PARTS).max(1);
        let weights = &self.weights;
        let mut work: Vec<(&[Sample], &mut Gradient)> = batch.chunks(each).zip(&mut room.parts).collect();
        let share = work.len().div_ceil(threads.max(1)).max(1);
        thread::scope(|scope| {
            for group in work.chunks_mut(share) {
                let mut labour = move || group.iter_mut().for_each(|(samples, part)| part.of(weights, samples));
                if threads > 1 {
                    scope.spawn(labour);
                } else {
                    labour();
                }
            }
        });
        let count = work.len();
        let loss: f64 = room.parts.iter().take(count).map(|part| part.loss).sum();
        let (first, rest) = room.parts.split_at_mut(1);
        for part in &rest[..count.saturating_sub(1)] {
            first[0].values.iter_mut().zip(&part.values).for_each(|(sum, value)| *sum += value);
        }
        self.step(&first[0].values, 1.0 / batch.len() as f32, rate);
        (loss / batch.len() as f64) as f32
    }

    fn step(&mut self, gradient: &[f32], scale: f32, rate: f32) {
        const DECAY: [f32; 2] = [0.9, 0.999];
        self.steps += 1;
        let age = self.steps.min(100_000) as i32;
        let correction = (1.0 - DECAY[1].powi(age)).sqrt() / (1.0 - DECAY[0].powi(age));
        let rate = rate * correction;
        let [first, second] = &mut self.moments;
        for (((weight, gradient), first), second) in self.weights.iter_mut().zip(gradient).zip(first).zip(second) {
            let gradient = gradient * scale;
            *first = DECAY[0] * *first + (1.0 - DECAY[0]) * gradient;
            *second = DECAY[1] * *second + (1.0 - DECAY[1]) * gradient * gradient;
            *weight -= rate * *first / (second.sqrt() + 1e-8);
        }
        let clip = |weights: &mut [f32], most: f32| {
            weights.iter_mut().for_each(|weight| *weight = weight.clamp(-most, most));
        };
        clip(&mut self.weights[..(MEN + STEPS) * HIDDEN], MOST_MAN);
        clip(&mut self.weights[(MEN + STEPS) * HIDDEN..OUTPUTS], MOST_ATTACK);
        clip(&mut self.weights[OUTPUTS..OUTPUT_BIAS], MOST_OUTPUT);
        clip(&mut self.weights[THREAT..], MOST_THREAT);
    }

    /// The same in integers, for the engine.
    pub fn quantized(&self, variant: &str, units: usize) -> Weights {
        let scaled = |weight: &f32, scale: f32, most: f32| (weight * scale).round().clamp(-most, most);
        let one = f32::from(UNIT_ONE);
        let mut weights = Weights { units: units.clamp(1, HIDDEN), ..Weights::zero(variant) };
        let men = weights.men.iter_mut().flatten();
        men.zip(&self.weights).for_each(|(to, from)| *to = scaled(from, one, 127.0) as i8);
        let Weights { attacks, bias, outputs, output_bias, .. } = &mut weights;
        let sets = attacks.iter_mut().flatten().chain(bias);
        sets.zip(&self.weights[(MEN + STEPS) * HIDDEN..]).for_each(|(to, from)| *to = scaled(from, one, 1e4) as i16);
        let outputs = outputs.iter_mut().flatten().flatten().flatten();
        let scale = OUTPUT_ONE as f32;
        outputs.zip(&self.weights[OUTPUTS..]).for_each(|(to, from)| *to = scaled(from, scale, 127.0) as i8);
        let biases = output_bias.iter_mut().flatten();
        biases
            .zip(&self.weights[OUTPUT_BIAS..])
            .for_each(|(to, from)| *to = scaled(from, LOGIT_ONE as f32, 8e3) as i32);
        for (row, learned) in weights.threats.iter_mut().zip(self.weights[THREAT..].chunks(THREATS)) {
            for (place, (to, from)) in row.iter_mut().zip(learned).enumerate() {
                *to = scaled(from, THREAT_ONE as f32 * unit(place), 32e3) as i16;
            }
        }
        weights
    }

    /// The mean loss over samples, nothing learned.
    pub fn loss(&self, samples: &[Sample]) -> f32 {
        let mut gradient = Gradient::new();
        gradient.of(&self.weights, samples);
        (gradient.loss / samples.len().max(1) as f64) as f32
    }
}

const _: () = assert!(ATTACKS + MEN + STEPS == INPUTS);

/// Room for the gradient of a batch.
pub struct Gradients {
    parts: Vec<Gradient>,
}

impl Gradients {
    /// Room.
    pub fn new() -> Gradients {
        Gradients { parts: (0..PARTS).map(|_| Gradient::new()).collect() }
    }
}

struct Gradient {
    values: Vec<f32>,
    loss: f64,
    active: Active,
}

type Units = [f32; HIDDEN];

impl Gradient {
    fn new() -> Gradient {
        Gradient { values: vec![0.0; PARAMETERS], loss: 0.0, active: Active::default() }
    }

    /// The gradient over samples, summed.
    fn of(&mut self, weights: &[f32], samples: &[Sample]) {
        self.values.fill(0.0);
        self.loss = 0.0;
        for sample in samples {
            self.add(weights, sample);
        }
    }

    fn add(&mut self, weights: &[f32], sample: &Sample) {
        let mut active = std::mem::take(&mut self.active);
        sample.active(&mut active);
        let units = active.inputs.each_ref().map(|inputs| {
            let mut units: Units = [0.0; HIDDEN];
            units.copy_from_slice(&weights[BIAS..OUTPUTS]);
            for input in inputs {
                let row = &weights[input * HIDDEN..(input + 1) * HIDDEN];
                units.iter_mut().zip(row).for_each(|(unit, weight)| *unit += weight);
            }
            units
        });
        let squared = units.map(|view| view.map(|unit| unit.clamp(0.0, 1.0) * unit.clamp(0.0, 1.0)));
        let mut wanted: [Units; 2] = [[0.0; HIDDEN]; 2];
        for head in 0..HEADS {
            let (target, importance) = (sample.targets[head], sample.weights[head]);
            if importance == 0.0 {
                continue;
            }
            let place = active.stage * HEADS + head;
            let start = OUTPUTS + place * 2 * HIDDEN;
            let output = |view: usize| &weights[start + view * HIDDEN..start + (view + 1) * HIDDEN];
            let sum = |view: usize| -> f32 { output(view).iter().zip(&squared[view]).map(|(w, unit)| w * unit).sum() };
            let threats = THREAT + active.stage * THREATS;
            let threats = if head == QUIET { threats..threats + THREATS } else { 0..0 };
            let seen = |at: usize| f32::from(sample.threats[at]) * unit(at);
            let shown: f32 = weights[threats.clone()].iter().enumerate().map(|(at, weight)| weight * seen(at)).sum();
            let logit = weights[OUTPUT_BIAS + place] + sum(0) + sum(1) + shown;
            let told = 1.0 / (1.0 + (-logit).exp());
            let safe = told.clamp(1e-6, 1.0 - 1e-6);
            self.loss -= f64::from(importance * (target * safe.ln() + (1.0 - target) * (1.0 - safe).ln()));
            let error = importance * (told - target);
            self.values[OUTPUT_BIAS + place] += error;
            self.values[threats].iter_mut().enumerate().for_each(|(at, sum)| *sum += error * seen(at));
            for view in 0..2 {
                let gradient = &mut self.values[start + view * HIDDEN..start + (view + 1) * HIDDEN];
                gradient.iter_mut().zip(&squared[view]).for_each(|(sum, unit)| *sum += error * unit);
                wanted[view].iter_mut().zip(output(view)).for_each(|(sum, weight)| *sum += error * weight);
            }
        }
        for ((wanted, units), inputs) in wanted.iter_mut().zip(&units).zip(&active.inputs) {
            for (wanted, unit) in wanted.iter_mut().zip(units) {
                *wanted *= if (0.0..1.0).contains(unit) { 2.0 * unit } else { 0.0 };
            }
            let bias = &mut self.values[BIAS..OUTPUTS];
            bias.iter_mut().zip(wanted.iter()).for_each(|(sum, value)| *sum += value);
            for input in inputs {
                let row = &mut self.values[input * HIDDEN..(input + 1) * HIDDEN];
                row.iter_mut().zip(wanted.iter()).for_each(|(sum, value)| *sum += value);
            }
        }
        self.active = active;
    }
}
