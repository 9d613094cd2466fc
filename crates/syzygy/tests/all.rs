//! All tests of the tables, linked once.

mod answers;
mod captures;
mod damage;
mod made;
mod random;
mod root;
mod sources;
mod stored;
