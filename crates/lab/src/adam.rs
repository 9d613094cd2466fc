//! Steps of gradient descent, each value at a pace of its own.

/// Decay of the mean of a slope and of its square.
const MEAN: f32 = 0.9;
const SPREAD: f32 = 0.999;

/// Memory of Adam: moments of the slopes of all values.
#[derive(Debug)]
pub struct Adam {
    mean: Vec<f32>,
    spread: Vec<f32>,
    steps: i32,
}

impl Adam {
    /// For this many values.
    pub fn new(values: usize) -> Self {
        Self {
            mean: vec![0.0; values],
            spread: vec![0.0; values],
            steps: 0,
        }
    }

    /// Moves each value against its slope by about `rate`.
    pub fn step(&mut self, values: &mut [f32], gradient: &[f32], rate: f32) {
        self.steps += 1;
        let mean_left = 1.0 - MEAN.powi(self.steps);
        let spread_left = 1.0 - SPREAD.powi(self.steps);
        let memory = self.mean.iter_mut().zip(&mut self.spread);
        for ((value, &slope), (mean, spread)) in values.iter_mut().zip(gradient).zip(memory) {
            *mean = MEAN * *mean + (1.0 - MEAN) * slope;
            *spread = SPREAD * *spread + (1.0 - SPREAD) * slope * slope;
            *value -= rate * (*mean / mean_left) / ((*spread / spread_left).sqrt() + 1e-12);
        }
    }
}
