//! Matches and analysis spread over many machines.
