//! Levels of a page, as strengths of an engine.

use quadrille_client::OptionList;
use quadrille_client::strength::{Place, Strength, StrengthOptions};

use crate::wire::Level;

/// Returns what an engine with these options is told to play at a level.
///
/// ```
/// use quadrille_client::OptionList;
/// use quadrille_desk::levels::strength;
/// use quadrille_desk::wire::Level;
///
/// assert_eq!(strength(&OptionList::default(), Level::Step(2)).nodes, Some(80));
/// ```
pub fn strength(options: &OptionList, level: Level) -> Strength {
    let options = StrengthOptions::of(options);
    match level {
        Level::Full => options.full(),
        Level::Step(step) => options.at(Place::of_step(step)),
        Level::Elo(elo) => options.elo(elo.into()),
    }
}
