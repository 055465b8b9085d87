//! Options whose values are the searches of the explicit engine, by the names that the engine itself gives them.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use search::emptiness::Emptiness;
use search::shorten::Shortening;

/// A search for accepting lassos.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Algorithm {
    /// One that looks for a shortest lasso.
    Shortest(Shortening),
    /// One that gives the first.
    First(Emptiness),
}

impl Algorithm {
    fn all() -> Vec<Algorithm> {
        let shortest = Shortening::ALL.into_iter().map(Algorithm::Shortest);
        shortest.chain(Emptiness::ALL.into_iter().map(Algorithm::First)).collect()
    }

    fn name(self) -> &'static str {
        match self {
            Algorithm::Shortest(search) => search.name(),
            Algorithm::First(search) => search.name(),
        }
    }

    fn about(self) -> &'static str {
        match self {
            Algorithm::Shortest(search) => search.about(),
            Algorithm::First(search) => search.about(),
        }
    }
}

/// A value that is told by its name.
fn named<T: Copy + Send + Sync + 'static>(
    all: Vec<T>,
    name: fn(T) -> &'static str,
    about: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let values: Vec<PossibleValue> =
        all.iter().map(|value| PossibleValue::new(name(*value)).help(about(*value))).collect();
    PossibleValuesParser::new(values).map(move |given| {
        let known = all.iter().find(|value| name(**value) == given);
        *known.expect("only the names that are listed get here")
    })
}

/// An emptiness check.
pub(super) fn emptiness() -> impl TypedValueParser<Value = Emptiness> {
    named(Emptiness::ALL.to_vec(), Emptiness::name, Emptiness::about)
}

/// A minimiser.
pub(super) fn shortening() -> impl TypedValueParser<Value = Shortening> {
    named(Shortening::ALL.to_vec(), Shortening::name, Shortening::about)
}

/// Either of the two.
pub(super) fn algorithm() -> impl TypedValueParser<Value = Algorithm> {
    named(Algorithm::all(), Algorithm::name, Algorithm::about)
}
