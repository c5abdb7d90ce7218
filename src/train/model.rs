//! The network while it learns: floating-point numbers, their gradient, and Adam (Kingma and Ba 2015).

use super::sample::{Active, Sample};
use crate::eval::features::{ATTACKS, INPUTS, MEN, STAGES, STEPS};
use crate::eval::glance::{GLANCE_ONE, Glance, MIDDLE, SEEN};
use crate::eval::network::{HEADS, LOGIT_ONE, OUTPUT_ONE, Weights};
use crate::eval::threats::{THREATS, unit};
use crate::eval::{HIDDEN, UNIT_ONE};
use rand::{Rng, RngExt};
use std::thread;

const BIAS: usize = INPUTS * HIDDEN;
const OUTPUTS: usize = BIAS + HIDDEN;
const OUTPUT_BIAS: usize = OUTPUTS + STAGES * HEADS * 2 * HIDDEN;
const THREAT: usize = OUTPUT_BIAS + STAGES * HEADS;
/// All numbers of a model.
pub const PARAMETERS: usize = OUTPUTS_OF_MIDDLE + STAGES * MIDDLE;
const MIDDLE_ROWS: usize = THREAT + STAGES * THREATS;
const MIDDLE_BIAS: usize = MIDDLE_ROWS + SEEN * MIDDLE;
const OUTPUTS_OF_MIDDLE: usize = MIDDLE_BIAS + MIDDLE;
/// The head to which a closer look is added.
const QUIET: usize = 1;

/// The largest weight of a man that the file can hold, of a set of attackers, of an output, and of a closer look.
const MOST_MAN: f32 = 127.0 / 255.0;
const MOST_ATTACK: f32 = 2.0;
const MOST_OUTPUT: f32 = 127.0 / OUTPUT_ONE as f32;
const MOST_GLANCE: f32 = 1.9;
/// The gradient of a batch is summed in so many parts, whatever the number of threads, for the sake of one result.
const PARTS: usize = 4;

/// The numbers and their moments.
#[derive(Clone)]
pub struct Model {
    /// Rows of inputs, bias, outputs by stage, head and view, output bias; threats by stage, rows, bias and outputs of the
    /// hidden layer of a closer look.
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
        weights[MIDDLE_ROWS..MIDDLE_BIAS].iter_mut().for_each(|weight| *weight = chance.random_range(-0.1..0.1));
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
        clip(&mut self.weights[THREAT..], MOST_GLANCE);
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
        self.quantize_glance(&mut weights.glance);
        weights
    }

    fn quantize_glance(&self, glance: &mut Glance) {
        let scaled = |weight: &f32, scale: f32| (weight * scale).round().clamp(-32e3, 32e3) as i16;
        let one = GLANCE_ONE as f32;
        // What a learner takes in other units.
        let of = |seen: usize| if seen < THREATS { one * unit(seen) } else { one };
        for (row, learned) in glance.linear.iter_mut().zip(self.weights[THREAT..].chunks(THREATS)) {
            row.iter_mut().zip(learned).enumerate().for_each(|(at, (to, from))| *to = scaled(from, of(at)));
        }
        let rows = glance.rows.iter_mut().zip(self.weights[MIDDLE_ROWS..].chunks(MIDDLE)).enumerate();
        for (at, (row, learned)) in rows {
            row.iter_mut().zip(learned).for_each(|(to, from)| *to = scaled(from, of(at)));
        }
        let rest = glance.bias.iter_mut().chain(glance.outputs.iter_mut().flatten());
        rest.zip(&self.weights[MIDDLE_BIAS..]).for_each(|(to, from)| *to = scaled(from, one));
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
            let views = [sum(0), sum(1)];
            let look = (head == QUIET).then(|| Look::new(weights, sample, views, active.stage));
            let logit =
                weights[OUTPUT_BIAS + place] + views[0] + views[1] + look.as_ref().map_or(0.0, |look| look.logit);
            let told = 1.0 / (1.0 + (-logit).exp());
            let safe = told.clamp(1e-6, 1.0 - 1e-6);
            self.loss -= f64::from(importance * (target * safe.ln() + (1.0 - target) * (1.0 - safe).ln()));
            let error = importance * (told - target);
            self.values[OUTPUT_BIAS + place] += error;
            let through = look.map_or([0.0; 2], |look| look.learn(weights, &mut self.values, error, active.stage));
            for view in 0..2 {
                let error = error + through[view];
                let gradient = &mut self.values[start + view * HIDDEN..start + (view + 1) * HIDDEN];
                gradient.iter_mut().zip(&squared[view]).for_each(|(sum, unit)| *sum += error * unit);
                wanted[view].iter_mut().zip(output(view)).for_each(|(sum, weight)| *sum += error * weight);
            }
        }
        self.learn_inputs(&active, &units, wanted);
        self.active = active;
    }

    /// The gradient of the rows of what is active, where `wanted` is that of the squared units.
    fn learn_inputs(&mut self, active: &Active, units: &[Units; 2], wanted: [Units; 2]) {
        for ((mut wanted, units), inputs) in wanted.into_iter().zip(units).zip(&active.inputs) {
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
    }
}

/// A closer look at a sample: see [`Glance`].
struct Look {
    seen: [f32; SEEN],
    units: [f32; MIDDLE],
    /// What it adds to the logit.
    logit: f32,
}

impl Look {
    fn new(weights: &[f32], sample: &Sample, views: [f32; 2], stage: usize) -> Look {
        let mut seen = [0.0; SEEN];
        for (at, (to, &count)) in seen.iter_mut().zip(&sample.threats).enumerate() {
            *to = f32::from(count) * unit(at);
        }
        seen[THREATS..].copy_from_slice(&views);
        let linear = &weights[THREAT + stage * THREATS..THREAT + (stage + 1) * THREATS];
        let mut logit: f32 = linear.iter().zip(&seen).map(|(weight, seen)| weight * seen).sum();
        let mut units = [0.0; MIDDLE];
        units.copy_from_slice(&weights[MIDDLE_BIAS..OUTPUTS_OF_MIDDLE]);
        for (&seen, row) in seen.iter().zip(weights[MIDDLE_ROWS..].chunks(MIDDLE)).filter(|(seen, _)| **seen != 0.0) {
            units.iter_mut().zip(row).for_each(|(unit, weight)| *unit += seen * weight);
        }
        let outputs = &weights[OUTPUTS_OF_MIDDLE + stage * MIDDLE..];
        logit += units.iter().zip(outputs).map(|(unit, weight)| unit.max(0.0) * weight).sum::<f32>();
        Look { seen, units, logit }
    }

    /// Adds the gradient for an error of the logit; what of it goes on to each view.
    fn learn(self, weights: &[f32], values: &mut [f32], error: f32, stage: usize) -> [f32; 2] {
        let linear = &mut values[THREAT + stage * THREATS..THREAT + (stage + 1) * THREATS];
        linear.iter_mut().zip(&self.seen).for_each(|(sum, seen)| *sum += error * seen);
        let place = OUTPUTS_OF_MIDDLE + stage * MIDDLE;
        let mut wanted = [0.0; MIDDLE];
        for (at, (wanted, unit)) in wanted.iter_mut().zip(self.units).enumerate().filter(|(_, (_, unit))| *unit > 0.0) {
            *wanted = error * weights[place + at];
            values[place + at] += error * unit;
        }
        let bias = &mut values[MIDDLE_BIAS..OUTPUTS_OF_MIDDLE];
        bias.iter_mut().zip(wanted).for_each(|(sum, wanted)| *sum += wanted);
        let rows = values[MIDDLE_ROWS..MIDDLE_BIAS].chunks_mut(MIDDLE);
        for (&seen, row) in self.seen.iter().zip(rows).filter(|(seen, _)| **seen != 0.0) {
            row.iter_mut().zip(wanted).for_each(|(sum, wanted)| *sum += seen * wanted);
        }
        let of = |at: usize| &weights[MIDDLE_ROWS + at * MIDDLE..];
        [0, 1].map(|view| of(THREATS + view).iter().zip(wanted).map(|(weight, wanted)| weight * wanted).sum())
    }
}
