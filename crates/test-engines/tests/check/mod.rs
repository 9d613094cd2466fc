//! The checker against a model engine that keeps every rule, and against its
//! mutants, each of which breaks one.

mod crashes;
mod folding;
mod hosts;
mod inside;
mod matrix;
mod outputs;
mod processes;
mod severities;
