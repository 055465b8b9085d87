//! Limits of time and memory hold in every operation, and nothing that was computed after exhaustion is returned.
//!
//! Each operation runs with budgets that end after a number of checks, or with a limit on the nodes of decision
//! diagrams. Where it has a result, that is the result it has without limits.

use std::fmt::Debug;
use std::time::Duration;

use bdd::BYTES_PER_NODE;
use kernel::budget::{Budget, Exhausted};
use kernel::span::{FileId, Span};
use omega::analyse::hierarchy::{self, hierarchy};
use omega::analyse::questions::{classes, is_invariant, not_implied};
use omega::analyse::stutter::{self, is_stutter_invariant};
use omega::automaton::acceptance::accepts_within;
use omega::automaton::emptiness::{accepting_run_within, is_empty_within};
use omega::automaton::{Automaton, Bdd, Marks, State};
use omega::combine::complement::{complement, complement_by_components, complement_by_determinization};
use omega::combine::counter::one_set;
use omega::combine::inclusion::{difference, not_included, not_universal};
use omega::combine::isomorphism::isomorphism;
use omega::combine::product::{intersection, intersection_before_terminal};
use omega::combine::sum::union;
use omega::constraint::choice::{Knowledge, NoRefinement, Ways, refine, refine_automaton};
use omega::constraint::exclusive;
use omega::constraint::labels::{self, NoConstraint};
use omega::formula::{Formula, Formulas};
use omega::io::{dot, hoa, json, lbtt, tikz};
use omega::limit::Incomplete;
use omega::parse::{Manner, NoFormula, Syntax, parse, parse_within};
use omega::pipeline::reduce::{self, reduce, state_based};
use omega::pipeline::{Construction, Level, Output, Preference, TranslationOptions, translate};
use omega::print::{Notation, print};
use omega::random_automaton::{Shape, random_automaton};
use omega::reduce::cosimulation::{Acceptance, cosimulation};
use omega::reduce::degeneralize::degeneralize;
use omega::reduce::disjoint::disjoint;
use omega::reduce::marking::{on_entry, saturate};
use omega::reduce::merge::merge;
use omega::reduce::obligation::obligation;
use omega::reduce::recurrence::recurrence;
use omega::reduce::sets::drop_superfluous;
use omega::reduce::simulation::simulation;
use omega::reduce::statewise::{Guessing, statewise};
use omega::rewrite::simplify;
use omega::semantics::evaluate_within;
use omega::translate::couvreur::{self, Branching};
use omega::translate::{go, gpvw, tight};
use omega::word::Word;

/// An error that may be an exhausted budget.
trait Limited {
    fn limit(&self) -> Option<Exhausted>;
}

impl Limited for Exhausted {
    fn limit(&self) -> Option<Exhausted> {
        Some(*self)
    }
}

impl Limited for Incomplete {
    fn limit(&self) -> Option<Exhausted> {
        match self {
            Incomplete::Exhausted(limit) => Some(*limit),
            Incomplete::TooLarge(_) => None,
        }
    }
}

impl Limited for NoRefinement {
    fn limit(&self) -> Option<Exhausted> {
        match self {
            NoRefinement::Exhausted(limit) => Some(*limit),
            NoRefinement::Constraint(_) | NoRefinement::TooLarge(_) => None,
        }
    }
}

impl Limited for NoConstraint {
    fn limit(&self) -> Option<Exhausted> {
        match self {
            NoConstraint::Exhausted(limit) => Some(*limit),
            NoConstraint::Temporal | NoConstraint::TooLarge => None,
        }
    }
}

impl Limited for NoFormula {
    fn limit(&self) -> Option<Exhausted> {
        match self {
            NoFormula::Exhausted(limit) => Some(*limit),
            NoFormula::Wrong(_) => None,
        }
    }
}

/// The states, edges, labels and marks of an automaton, comparable across managers.
fn shape(automaton: &Automaton) -> String {
    let label = |label: &Bdd| label.cubes().map(|cube| format!("{:?}", cube.literals())).collect::<Vec<_>>().join("|");
    let edge = |(source, edge): (State, &omega::automaton::Edge)| {
        format!("{source}->{} {:?} {}", edge.target, edge.marks, label(&edge.label))
    };
    let edges: Vec<String> = automaton.all_edges().map(edge).collect();
    format!("{} {} {}\n{}", automaton.initial(), automaton.state_count(), automaton.sets(), edges.join("\n"))
}

/// Ends an operation after ever more checks, and after ever more nodes; all results must be the expected one.
fn holds_everywhere<T: Debug + PartialEq, E: Limited + Debug>(name: &str, operation: impl Fn(&Budget) -> Result<T, E>) {
    let expected = operation(&Budget::unlimited());
    if let Err(error) = &expected {
        assert_eq!(error.limit(), None, "{name}: a budget without limits is never exhausted");
    }
    let agrees = |found: Result<T, E>, budget: &Budget, how: &str| match (&found, &expected) {
        (Err(error), _) if error.limit().is_some() => {
            assert_eq!(budget.check().err(), error.limit(), "{name}, {how}: the limit is sticky");
            false
        }
        (Ok(found), Ok(expected)) => {
            assert_eq!(found, expected, "{name}, {how}");
            true
        }
        (Err(_), Err(_)) => true,
        _ => panic!("{name}, {how}: {found:?} instead of {expected:?}"),
    };
    let mut checks = 0;
    loop {
        let budget = Budget::unlimited().within_checks(checks);
        let how = format!("{checks} checks");
        if agrees(operation(&budget), &budget, &how) {
            break;
        }
        checks += 1 + checks / 5;
    }
    assert!(checks > 0, "{name} checks its budget");
    let mut nodes = 1;
    loop {
        let mut budget = Budget::unlimited();
        budget.memory = Some(nodes * BYTES_PER_NODE);
        let how = format!("{nodes} nodes");
        if agrees(operation(&budget), &budget, &how) {
            break;
        }
        nodes += 1 + nodes / 5;
    }
    // A clock that is over, and a user who cancels.
    let late = Budget::unlimited().within(Duration::ZERO);
    assert_eq!(operation(&late).err().and_then(|error| error.limit()), Some(Exhausted::Time), "{name}");
    let cancelled = Budget::unlimited();
    cancelled.cancel_switch().store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(operation(&cancelled).err().and_then(|error| error.limit()), Some(Exhausted::Cancelled), "{name}");
}

const FORMULAS: [&str; 5] = [
    "G(a -> F b) & (c U d)",
    "(G F a -> G F b) & (G F c -> G F d)",
    "F(a & X(b U c)) | G(d -> X a)",
    "(a U (b U c)) W (d & X d)",
    "G(a | b) & (F G c | G F d)",
];

fn formula(text: &str) -> (Formulas, Formula) {
    let mut formulas = Formulas::new();
    let formula = parse(&mut formulas, text, Syntax::Spot).unwrap();
    (formulas, formula)
}

#[test]
fn translation_keeps_to_its_budget() {
    for text in FORMULAS {
        for construction in [Construction::Couvreur, Construction::Go, Construction::Gpvw, Construction::Tight] {
            for (level, output) in [(Level::Low, Output::Buchi), (Level::High, Output::Generalized)] {
                let options = TranslationOptions { construction, level, output, ..TranslationOptions::default() };
                holds_everywhere(&format!("{construction:?} {level:?} of {text}"), |budget| {
                    let (mut formulas, formula) = formula(text);
                    translate(&mut formulas, formula, &options, budget).map(|done| shape(&done.automaton))
                });
            }
        }
    }
    let past = "G(a -> O b) & (a S b)";
    holds_everywhere("a formula with past", |budget| {
        let (mut formulas, formula) = formula(past);
        translate(&mut formulas, formula, &TranslationOptions::default(), budget).map(|done| shape(&done.automaton))
    });
}

#[test]
fn reading_and_evaluation_keep_to_their_budget() {
    let place = Span::new(FileId(0), 0, 0);
    for text in FORMULAS.into_iter().chain(["a U (b", "x == 1 && <> y", "G i a F b"]) {
        for manner in [Manner::Simplified, Manner::Verbatim] {
            for syntax in [Syntax::Any, Syntax::Spot, Syntax::Spin, Syntax::NuSmv, Syntax::Lbt] {
                holds_everywhere(&format!("{syntax:?} {manner:?} {text}"), |budget| {
                    let mut formulas = Formulas::new();
                    let formula = parse_within(&mut formulas, text, (syntax, manner), place, budget)?;
                    Ok::<_, NoFormula>(print(&formulas, formula, Notation::Spot))
                });
            }
        }
    }
    let word = Word::parse("a & b; c; cycle{a & d; b; !c}").unwrap();
    for text in FORMULAS {
        holds_everywhere(&format!("{text} on a word"), |budget| {
            let (formulas, formula) = formula(text);
            evaluate_within(&formulas, formula, &word, budget).map(|evaluation| evaluation.truth(formula, 0))
        });
    }
}

#[test]
fn emptiness_and_writers_keep_to_their_budget() {
    for seed in 0..6 {
        let shape = Shape { states: 8, sets: 2, density: 0.2, ..Shape::default() };
        let automaton = random_automaton(&shape, seed);
        let word = Word::parse("a; cycle{b; a & b}").unwrap();
        holds_everywhere(&format!("emptiness {seed}"), |budget| is_empty_within(&automaton, budget));
        holds_everywhere(&format!("a run {seed}"), |budget| accepting_run_within(&automaton, budget));
        holds_everywhere(&format!("a word {seed}"), |budget| accepts_within(&automaton, &word, budget));
        // Writing adds nodes to the manager, so each time gets an automaton of its own.
        holds_everywhere(&format!("HOA {seed}"), |budget| hoa::write_within(&random_automaton(&shape, seed), budget));
        holds_everywhere(&format!("LBTT {seed}"), |budget| lbtt::write(&random_automaton(&shape, seed), budget));
        holds_everywhere(&format!("DOT {seed}"), |budget| dot::write(&random_automaton(&shape, seed), budget));
        holds_everywhere(&format!("TikZ {seed}"), |budget| tikz::picture(&random_automaton(&shape, seed), budget));
        holds_everywhere(&format!("JSON {seed}"), |budget| json::write(&random_automaton(&shape, seed), budget));
    }
}

#[test]
fn constructions_keep_to_their_budget() {
    for text in FORMULAS {
        let run = |construct: &dyn Fn(&mut Formulas, Formula) -> Result<Automaton, Incomplete>| {
            let (mut formulas, formula) = formula(text);
            let formula = omega::rewrite::Nnf::new().of(&mut formulas, formula);
            construct(&mut formulas, formula).map(|automaton| shape(&automaton))
        };
        for branching in [Branching::Immediate, Branching::Postponed] {
            holds_everywhere("couvreur", |budget| run(&|pool, f| couvreur::translate(pool, f, branching, 500, budget)));
        }
        holds_everywhere("go", |budget| run(&|pool, f| go::translate(pool, f, 500, budget)));
        holds_everywhere("gpvw", |budget| run(&|pool, f| gpvw::translate(pool, f, 500, budget)));
        holds_everywhere("gpvw", |budget| run(&|pool, f| gpvw::translate_generalized(pool, f, 500, budget)));
        holds_everywhere("tight", |budget| run(&|pool, f| Ok(tight::translate(pool, f, 500, budget)?.automaton)));
    }
}

#[test]
fn rewriting_and_questions_keep_to_their_budget() {
    for text in FORMULAS {
        holds_everywhere("simplify", |budget| {
            let (mut formulas, formula) = formula(text);
            simplify(&mut formulas, formula, budget).map(|simple| print(&formulas, simple, Notation::Spot))
        });
        let words = |pool: &mut Formulas| parse(pool, "F d", Syntax::Spot).unwrap();
        holds_everywhere("implication", |budget| {
            let (mut formulas, formula) = formula(text);
            let other = words(&mut formulas);
            not_implied(&mut formulas, formula, other, budget)
        });
        holds_everywhere("classes", |budget| {
            let (mut formulas, formula) = formula(text);
            classes(&mut formulas, formula, budget)
        });
        // Formulas without `X` are invariant by their form.
        if text.contains('X') {
            holds_everywhere("stutter invariance", |budget| {
                let (mut formulas, formula) = formula(text);
                is_invariant(&mut formulas, formula, budget)
            });
        }
    }
}

/// An automaton for a formula, and one for its negation, in a manager of their own.
fn both(text: &str) -> (Automaton, Automaton) {
    let (mut formulas, formula) = formula(text);
    let negation = formulas.not(formula);
    let mut one = |formula| {
        let options =
            TranslationOptions { output: Output::Generalized, level: Level::Low, ..TranslationOptions::default() };
        translate(&mut formulas, formula, &options, &Budget::unlimited()).unwrap().automaton
    };
    let (first, second) = (one(formula), one(negation));
    Automaton::aligned(&first, &second)
}

#[test]
fn reductions_keep_to_their_budget() {
    for text in FORMULAS {
        let show = |result: Result<Automaton, Exhausted>| result.map(|automaton| shape(&automaton));
        holds_everywhere("simulation", |budget| show(simulation(both(text).0, budget)));
        let by_edge = Acceptance::ByEdge;
        holds_everywhere("reverse simulation", |budget| show(cosimulation(both(text).0, by_edge, budget)));
        holds_everywhere("degeneralize", |budget| show(degeneralize(&both(text).0, by_edge, budget)));
        holds_everywhere("state-based", |budget| show(state_based(&both(text).0, budget)));
        holds_everywhere("statewise", |budget| {
            show(
                degeneralize(&both(text).0, by_edge, budget).and_then(|one| statewise(&one, Guessing::Allowed, budget)),
            )
        });
        holds_everywhere("merge", |budget| {
            let (automaton, negation) = both(text);
            show(merge(&automaton, &negation, by_edge, 100_000, budget))
        });
        holds_everywhere("obligation", |budget| {
            let (automaton, negation) = both(text);
            obligation(&automaton, &negation, 200, budget).map(|found| found.as_ref().map(shape))
        });
        holds_everywhere("recurrence", |budget| {
            let (automaton, negation) = both(text);
            recurrence(&automaton, &negation, 200, budget).map(|found| found.as_ref().map(shape))
        });
        holds_everywhere("disjoint", |budget| {
            let (automaton, negation) = both(text);
            disjoint(&automaton, &negation, budget)
        });
        for (output, preference) in
            [(Output::Buchi, Preference::Small), (Output::Generalized, Preference::Deterministic)]
        {
            let options = reduce::ReductionOptions { output, preference, level: Level::High };
            holds_everywhere("reduce", |budget| {
                reduce(&both(text).0, options, budget).map(|reduced| shape(&reduced.automaton))
            });
        }
    }
    // Those that make no nodes, on automata with many sets.
    let automaton = random_automaton(&Shape { states: 12, sets: 3, ..Shape::default() }, 5);
    let expected = saturate(automaton.clone(), Marks::NONE, &Budget::unlimited()).map(|automaton| shape(&automaton));
    for checks in 0..200 {
        let budget = Budget::unlimited().within_checks(checks);
        let found = saturate(automaton.clone(), Marks::NONE, &budget).map(|automaton| shape(&automaton));
        assert!(found == expected || found == Err(Exhausted::Time));
        for found in [on_entry(&automaton, &budget), drop_superfluous(automaton.clone(), &budget)] {
            assert!(found.is_ok() || budget.check().is_err());
        }
    }
}

#[test]
fn combinations_keep_to_their_budget() {
    for text in FORMULAS {
        let show = |result: Result<Automaton, Exhausted>| result.map(|automaton| shape(&automaton));
        holds_everywhere("product", |budget| {
            let (automaton, negation) = both(text);
            show(intersection(&automaton, &negation, budget))
        });
        holds_everywhere("product before terminal components", |budget| {
            let (automaton, negation) = both(text);
            show(intersection_before_terminal(&automaton, &negation, budget))
        });
        holds_everywhere("isomorphism", |budget| {
            let (automaton, _) = both(text);
            isomorphism(&automaton, &automaton, budget)
        });
        holds_everywhere("hierarchy", |budget| {
            let (automaton, negation) = both(text);
            hierarchy(&automaton, &negation, hierarchy::DEFAULT_LIMIT, budget)
        });
        holds_everywhere("stutter invariance", |budget| {
            let (automaton, negation) = both(text);
            is_stutter_invariant(&automaton, &negation, stutter::DEFAULT_LIMIT, budget)
        });
    }
    let (one, two) = (both(FORMULAS[0]).0, both(FORMULAS[1]).0);
    assert!(union(&one, &two, &Budget::unlimited()).is_ok() && one_set(&two, &Budget::unlimited()).is_ok());
}

#[test]
fn complements_keep_to_their_budget() {
    for text in [FORMULAS[0], FORMULAS[2], FORMULAS[4]] {
        let show = |result: Result<Automaton, Incomplete>| result.map(|automaton| shape(&automaton));
        holds_everywhere("complement", |budget| show(complement(&both(text).0, 2_000, budget)));
        holds_everywhere("by components", |budget| show(complement_by_components(&both(text).0, 2_000, budget)));
        holds_everywhere("by trees", |budget| show(complement_by_determinization(&both(text).0, 2_000, budget)));
        holds_everywhere("inclusion", |budget| {
            let (automaton, negation) = both(text);
            not_included(&automaton, &negation, 2_000, budget)
        });
        holds_everywhere("difference", |budget| {
            let (automaton, negation) = both(text);
            difference(&automaton, &negation, 2_000, budget)
        });
        holds_everywhere("universality", |budget| not_universal(&both(text).0, 2_000, budget));
    }
}

#[test]
fn constraints_keep_to_their_budget() {
    for text in FORMULAS {
        let knowledge = |formulas: &mut Formulas| {
            let stricter = parse(formulas, "!a & F b", Syntax::Spot).unwrap();
            Knowledge { constraint: exclusive(formulas, ["a", "b", "c"]), stricter: Some(stricter) }
        };
        holds_everywhere("refinement of a formula", |budget| {
            let (mut formulas, formula) = formula(text);
            let knowledge = knowledge(&mut formulas);
            refine(&mut formulas, formula, &knowledge, &TranslationOptions::default(), Ways::BOTH, true, budget)
                .map(|refined| (shape(&refined.automaton), refined.way, refined.sanity))
        });
        holds_everywhere("refinement of an automaton", |budget| {
            let mut formulas = Formulas::new();
            let knowledge = knowledge(&mut formulas);
            refine_automaton(
                &mut formulas,
                &both(text).0,
                &knowledge,
                Some(&TranslationOptions::default()),
                true,
                budget,
            )
            .map(|refined| (shape(&refined.automaton), refined.way, refined.sanity))
        });
        holds_everywhere("simpler labels", |budget| {
            let mut formulas = Formulas::new();
            let constraint = knowledge(&mut formulas).constraint;
            labels::simplify(&both(text).0, &formulas, constraint, budget).map(|automaton| shape(&automaton))
        });
        holds_everywhere("simpler formulas", |budget| {
            let (mut formulas, formula) = formula(text);
            let constraint = knowledge(&mut formulas).constraint;
            labels::simplify_formula(&mut formulas, formula, constraint, budget)
                .map(|simple| print(&formulas, simple, Notation::Spot))
        });
    }
}

/// Runs an operation that would take hours, for a fifth of a second. It must end, no matter when: how late it ends depends on
/// the machine, and `limits` of the benchmarks measures it. An operation that does not look at its budget would not end.
fn ends_in_time<T, E: Limited + Debug>(name: &str, operation: impl FnOnce(&Budget) -> Result<T, E>) {
    if let Err(error) = operation(&Budget::unlimited().within(Duration::from_millis(200))) {
        assert!(error.limit().is_none_or(|limit| limit == Exhausted::Time), "{name}: {error:?}");
    }
}

/// Strong fairness for this many processes: exponential for every construction.
fn fairness(processes: usize) -> String {
    let one = |n: usize| format!("(G F a{n} -> G F b{n})");
    (0..processes).map(one).collect::<Vec<_>>().join(" & ")
}

#[test]
fn hard_formulas_end_in_time() {
    let nested = (0..300).fold("p".to_owned(), |inner, n| format!("({inner}) U q{n}"));
    let waits = (0..20).map(|n| format!("G F x{n}")).collect::<Vec<_>>().join(" & ");
    let mut texts: Vec<String> = [5, 6, 12].iter().map(|&n| format!("!({})", fairness(n))).collect();
    texts.extend([fairness(5), fairness(6), fairness(12), nested, format!("!(({waits}) -> F y)")]);
    for text in &texts {
        for construction in [Construction::Couvreur, Construction::Go, Construction::Gpvw, Construction::Tight] {
            for level in [Level::Low, Level::High] {
                let options = TranslationOptions {
                    construction,
                    level,
                    limit: usize::MAX / 1_000_000,
                    ..TranslationOptions::default()
                };
                let shown: String = text.chars().take(60).collect();
                ends_in_time(&format!("{construction:?}, {level:?} of {shown}"), |budget| {
                    let (mut formulas, formula) = formula(text);
                    translate(&mut formulas, formula, &options, budget)
                });
            }
        }
        ends_in_time("classes", |budget| {
            let (mut formulas, formula) = formula(text);
            classes(&mut formulas, formula, budget)
        });
    }
}

#[test]
fn a_complement_over_many_atoms_keeps_to_its_memory() {
    // The label has a small diagram, that of the complement of a set of such labels has not.
    let mut automaton = Automaton::new((0..64).map(|n| format!("p{n}")), 1);
    let state = automaton.add_state();
    let mut budget = Budget::unlimited();
    budget.memory = Some(50 << 20);
    let ended = automaton.manager().clone().within(&budget, || {
        let pair = |n: usize| automaton.atom(n) & automaton.atom(n + 32);
        let label = (0..32).fold(automaton.manager().no(), |label, n| label | pair(n));
        automaton.add_edge(state, state, &label, Marks::one(0));
        complement(&automaton, 1_000, &budget)
    });
    assert_eq!(ended.err(), Some(Incomplete::Exhausted(Exhausted::Memory)));
}
