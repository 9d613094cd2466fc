//! Numbers of a page, as far as they can be meant.

use crate::wire::SearchLimits;

/// No search of a page is longer than a day.
const DAY: f64 = 86_400_000.0;

/// A number between these; the smallest for what is no number.
pub(crate) fn between(number: f64, least: f64, most: f64) -> f64 {
    if number.is_nan() {
        return least;
    }
    number.clamp(least, most)
}

/// Limits that can be kept to.
pub(crate) fn tidy(limits: SearchLimits) -> SearchLimits {
    SearchLimits {
        movetime: limits.movetime.map(|time| between(time, 1.0, DAY).round()),
        depth: limits.depth.map(|depth| depth.clamp(1, 245)),
        nodes: limits
            .nodes
            .map(|nodes| between(nodes, 1.0, 9_007_199_254_740_991.0).round()),
    }
}
