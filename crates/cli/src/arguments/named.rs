//! Options whose values are searches of the explicit engine or kinds of properties, by the names that the library gives
//! them.

use checker::lasso::Algorithm;
use checker::options::{EdgeOrder, Emptiness, Shortening};
use checker::report::PropertyKind;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A value that has a name.
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

/// A kind of property.
pub(super) fn property_kind() -> impl TypedValueParser<Value = PropertyKind> {
    named(PropertyKind::ALL.to_vec(), PropertyKind::word, PropertyKind::meaning)
}

/// An emptiness check.
pub(super) fn emptiness() -> impl TypedValueParser<Value = Emptiness> {
    named(Emptiness::ALL.to_vec(), Emptiness::name, Emptiness::about)
}

/// An order of the edges of an automaton.
pub(super) fn edge_order() -> impl TypedValueParser<Value = EdgeOrder> {
    named(EdgeOrder::ALL.to_vec(), EdgeOrder::name, EdgeOrder::about)
}

/// An algorithm that shortens lassos.
pub(super) fn shortening() -> impl TypedValueParser<Value = Shortening> {
    named(Shortening::ALL.to_vec(), Shortening::name, Shortening::about)
}

/// Either of the two.
pub(super) fn algorithm() -> impl TypedValueParser<Value = Algorithm> {
    named(Algorithm::all(), Algorithm::name, Algorithm::about)
}
