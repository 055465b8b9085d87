//! Lariat is a model checker. It takes a model, written in Promela, in SMV or in Rust, and properties of its runs; it
//! answers with verdicts, and with the shortest counterexamples that it finds. An independent implementation confirms
//! every counterexample before it is reported.
//!
//! # Check a Promela model
//!
//! A violation of a temporal property is a lasso: a stem, and a loop that repeats forever.
//!
//! ```
//! use lariat::{Budget, Model, Options, Selection, check};
//!
//! let text = "
//!     bool a, b;
//!     active proctype P() { do :: a = !a od }
//!     active proctype Q() { do :: b = !b od }
//! ";
//! let model = Model::promela("toggle.pml", text)?;
//! let report = check(&model, &Selection::ltl("[] <> a"), &Options::default(), &Budget::unlimited(), &mut ())?;
//! let lasso = &report.properties[0].counterexamples()[0];
//! for step in &lasso.stem {
//!     println!("      {step}");
//! }
//! for step in &lasso.cycle {
//!     println!("loop: {step}");
//! }
//! assert_eq!((lasso.stem.len(), lasso.cycle.len()), (0, 2)); // Q moves forever, and P never does.
//! # Ok::<(), lariat::Error>(())
//! ```
//!
//! # Check an SMV model
//!
//! The report has the same type. Values that do not matter for the violation are marked.
//!
//! ```
//! use lariat::{Budget, Model, Options, Selection, check};
//!
//! let text = "
//!     MODULE main
//!     VAR n : 0..3; paused : boolean;
//!     ASSIGN init(n) := 0; next(n) := paused ? n : (n + 1) mod 4;
//!     LTLSPEC NAME again := G F n = 0
//!     INVARSPEC NAME low := n < 3
//! ";
//! let model = Model::smv("counter.smv", text)?;
//! let report = check(&model, &Selection::all(), &Options::default(), &Budget::unlimited(), &mut ())?;
//! for property in &report.properties {
//!     println!("{}: {}", property.name, property.verdict.words());
//! }
//! let low = report.property("low").expect("the model states it");
//! assert_eq!(low.counterexamples()[0].length(), 3);
//! # Ok::<(), lariat::Error>(())
//! ```
//!
//! # Translate a formula
//!
//! ```
//! use lariat::omega::io::hoa;
//! use lariat::ltl::translate;
//!
//! let automaton = translate("G (request -> F grant)")?;
//! assert_eq!(automaton.state_count(), 2);
//! println!("{}", hoa::write(&automaton));
//! # Ok::<(), lariat::ltl::FormulaError>(())
//! ```
//!
//! # Limits and progress
//!
//! A [`Budget`] limits time and memory and can be cancelled from another thread. A property that a limit leaves open is
//! [`Verdict::Unknown`]; a search that was cut short never says that a property holds. An [`Observer`] receives the report
//! of each property as soon as the property is decided.
//!
//! # Models written in Rust
//!
//! Implement [`System`](kernel::system::System) for your own type and check it with [`explicit::Check`]; the program
//! `examples/philosophers.rs` shows all of it, and `docs/system.md` states what the trait requires.

pub use checker::report::{self, Report, Verdict};
pub use checker::{Error, Model, Observer, Options, Selection, check, explicit, ltl, options, selection};
pub use kernel::budget::Budget;
pub use {kernel, omega};
