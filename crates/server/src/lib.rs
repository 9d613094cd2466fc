//! A game server where people and engines meet.
