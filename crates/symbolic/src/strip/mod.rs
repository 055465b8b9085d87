//! Counterexamples stripped to the values that cause them [shen.05.charme].
//!
//! What: a sequence of cubes around the states of a path or lasso: which variables matter at which position. Contract,
//! checked for every answer by [`Frame::check`]: each state lies in its cube (1); every reachable state in a cube satisfies
//! what the claim demands at that position (2); and from each of them some step leads into the next cube (3). So every
//! path of reachable states through the cubes shows the same claim, which is Definition 1 of the paper; as in its Theorem 1,
//! the cubes tell at each step why, and not only that the path as a whole cannot but show it. *Irredundant* and *minimum* are
//! meant of this promise: by Definition 1 alone nothing at all would matter where every path of that length violates the
//! property. A path has inputs too; where a claim or a fairness constraint is about them, they have cubes of their own. Cubes
//! fix whole variables, never some bits of one, since that is how they are shown.
//!
//! Where this differs from the paper: sets are taken within the reachable states, so a literal that only excludes
//! unreachable states is never needed; whole variables are dropped, those first that the property cannot depend on; claims may
//! nest, and each position demands what the claims say there; fairness constraints are demanded where the lasso meets
//! them; the iteration for loops begins with Check(f) and intersects its cubes. [`Effort::Paper`] differs in none of this
//! where the paper says what to do, so that its results can be compared with the printed ones. In all efforts the iteration for loops ends, which the paper's need not: [`paper`] has the counterexample to the
//! monotonicity that the paper claims. `docs/papers.md` argues each difference with an example.
//!
//! - [`frame`]: what each position of a path demands;
//! - [`guided`]: Algorithm 1, and the cube that keeps what the property mentions; [`paper`]: Algorithms 2 to 5;
//! - [`irredundant`]: further values dropped; [`exact`]: as few variables as possible.
//!
//! Tested by `tests/minimised.rs`: all paths through the cubes, enumerated; and `tests/published.rs`: the published algorithms
//! on explicit sets.

pub mod exact;
pub mod frame;
pub mod guided;
pub mod irredundant;
pub mod linear;
pub mod paper;

pub use frame::{Frame, PositionValues};
use paper::Iteration;

use bdd::Variable;

use kernel::budget::Exhausted;

/// How far to go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Not at all.
    Off,
    /// The paper's algorithms as published: bits, in the order of the declarations, over all states.
    Paper,
    /// The paper's algorithms over whole variables and reachable states.
    Guided,
    /// Then drop values until none can go.
    #[default]
    Irredundant,
    /// As few variables as possible, where that is small enough to find out.
    Exact,
}

/// The result.
#[derive(Clone, Debug)]
pub struct Stripped {
    /// What is left, for each state and its input.
    pub places: Vec<PositionValues>,
    /// Whether no single value can be dropped.
    pub irredundant: bool,
    /// Whether no choice of fewer variables exists.
    pub minimum: bool,
}

/// The variables whose values may be dropped.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    /// The bits of each, those first that should go first: last the ones that the property mentions.
    pub groups: Vec<Vec<Variable>>,
    /// How many of the first the property cannot depend on.
    pub outside: usize,
}

impl Variables {
    /// How many of them have a value at a place.
    #[must_use]
    pub fn used(&self, place: &PositionValues) -> usize {
        self.groups.iter().filter(|bits| place.uses(bits)).count()
    }

    /// The bits of those that the property cannot depend on.
    pub(crate) fn outside(&self) -> Vec<Variable> {
        self.groups[..self.outside].concat()
    }
}

/// Strips a frame. For [`Effort::Paper`] each variable is one bit, in the order of the paper's diagrams, and the frame is one
/// over all states.
///
/// # Errors
/// Where a limit was reached.
///
/// # Panics
/// If the result does not keep its promise, which would be a bug.
pub fn strip(frame: &Frame<'_, '_>, effort: Effort, variables: &Variables) -> Result<Stripped, Exhausted> {
    let whole = (0..frame.states().len()).map(|position| frame.whole(position, variables)).collect();
    let mut stripped = Stripped { places: whole, irredundant: false, minimum: false };
    match effort {
        Effort::Off => {}
        Effort::Paper => {
            stripped.places = paper::strip(frame, variables, guided::guided_cube_in_order, Iteration::Published)?
        }
        _ => stripped.places = paper::strip(frame, variables, guided::whole_guided_cube, Iteration::Intersected)?,
    }
    if matches!(effort, Effort::Irredundant | Effort::Exact) {
        let total = |places: &[PositionValues]| places.iter().map(|place| variables.used(place)).sum::<usize>();
        let fewer = irredundant::strip(frame, stripped.places, variables)?;
        let telling = paper::strip(frame, variables, guided::telling_cube, Iteration::Intersected)?;
        let telling = irredundant::strip(frame, telling, variables)?;
        stripped.places = if total(&fewer) < total(&telling) { fewer } else { telling };
        stripped.irredundant = true;
    }
    if effort == Effort::Exact
        && let Some(places) = exact::strip(frame, &stripped.places, variables)?
    {
        stripped.places = places;
        stripped.minimum = true;
    }
    assert_eq!(frame.check(&stripped.places)?, Ok(()), "the promise of a stripped counterexample holds");
    Ok(stripped)
}
