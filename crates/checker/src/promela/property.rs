//! Properties of whole runs, wherever they come from: a formula or an automaton over expressions of the model, or an
//! assertion about events; and the words with which a trace file names it so that it can be found again.

use crate::promela::input::{Input, PropertyError};
use crate::report::PropertyKind;
pub use crate::report::PropertySource as Source;
use kernel::budget::Budget;
use kernel::diagnostic::Diagnostic;
use kernel::span::Span;
use omega::automaton::Automaton;
use omega::formula::{AtomId, Formula};
use omega::io::{Format, read};
use omega::print::{Notation, expression, print_with};
use promela::claim::Claim;
use promela::claim::never::Never;
use promela::property::{add_never, parse_expression, parse_ltl};
use promela::typed::{Expr, Ltl, LtlBlock, ProcId, ProcKind};
use promela::validate::temporal::{Criterion, Property};

/// What a property says.
pub enum Content {
    /// A formula must hold.
    Formula(Claim),
    /// An automaton must accept nothing.
    Automaton(Automaton, Vec<(String, Expr)>),
    /// A `trace` or `notrace` assertion about events.
    Events(ProcId),
    /// It cannot be checked, for this reason.
    Unsupported(String),
}

/// A temporal property.
pub struct Temporal {
    pub name: String,
    pub kind: PropertyKind,
    pub source: Source,
    pub content: Content,
    /// Where it stands.
    pub span: Option<Span>,
}

impl Temporal {
    /// The property in one line.
    pub fn text(&self) -> Option<String> {
        match &self.content {
            Content::Formula(claim) => Some(spelled(claim, claim.formula)),
            Content::Automaton(..) | Content::Events(_) | Content::Unsupported(_) => None,
        }
    }

    /// Whether a run that ends counts as one that repeats its last state: not where cycles of steps are meant.
    pub fn stutters(&self) -> bool {
        self.kind != PropertyKind::NonProgress
    }

    /// What the validator must find violated.
    pub fn demanded(&self, is_fair: bool) -> Option<Property<'_>> {
        match &self.content {
            Content::Formula(claim) => {
                let criterion = Criterion::Formula(&claim.formulas, claim.formula);
                Some(Property { criterion, atoms: &claim.atoms, is_fair })
            }
            Content::Automaton(automaton, atoms) => {
                Some(Property { criterion: Criterion::Automaton(automaton), atoms, is_fair })
            }
            Content::Events(_) | Content::Unsupported(_) => None,
        }
    }
}

/// A formula over the atoms of a claim as a model would write it.
pub fn spelled(claim: &Claim, formula: Formula) -> String {
    let spell = |atom: AtomId| expression(&claim.atoms[atom.index()].0, Notation::Spin);
    print_with(&claim.formulas, formula, Notation::Spin, &spell)
}

/// An `ltl` block of the model.
pub fn of_block(input: &Input, block: &LtlBlock) -> Temporal {
    Temporal {
        name: block.name.clone(),
        kind: PropertyKind::Ltl,
        source: Source::Model,
        content: Content::Formula(Claim::new(&input.program, &block.formula)),
        span: Some(block.span),
    }
}

/// A claim of the model.
pub fn of_claim(input: &Input, id: ProcId, budget: &Budget) -> Temporal {
    let proc = &input.program.procs[id.0 as usize];
    let (kind, content) = match proc.kind {
        ProcKind::Never => (PropertyKind::Never, never(input, id, budget)),
        _ => (PropertyKind::Trace, Content::Events(id)),
    };
    Temporal { name: proc.name.clone(), kind, source: Source::Model, content, span: Some(proc.span) }
}

fn never(input: &Input, id: ProcId, budget: &Budget) -> Content {
    match Never::new(&input.program, id, budget) {
        Ok(Never { automaton, atoms }) => Content::Automaton(automaton, atoms),
        Err(reason) => Content::Unsupported(reason),
    }
}

/// No cycle through `accept` labels.
pub fn acceptance(input: &Input) -> Temporal {
    let content = Content::Formula(Claim::acceptance(&input.program));
    let (name, kind) = ("acceptance cycles".into(), PropertyKind::Acceptance);
    Temporal { name, kind, source: Source::Model, content, span: None }
}

/// No cycle without `progress` labels.
pub fn non_progress(input: &Input) -> Temporal {
    let content = Content::Formula(Claim::progress(&input.program));
    let (name, kind) = ("non-progress cycles".into(), PropertyKind::NonProgress);
    Temporal { name, kind, source: Source::Model, content, span: None }
}

/// A formula given beside the model. What it names becomes part of the program, as if it stood in an `ltl` block.
pub fn of_formula(input: &mut Input, shown: &str, text: &str, budget: &Budget) -> Result<Temporal, PropertyError> {
    let file = input.sources.add_file(shown, text, None);
    let formula = parse_ltl(&mut input.sources, file, &mut input.program, &input.definitions, budget)
        .map_err(|diagnostics| PropertyError::new("the formula", diagnostics, budget))?;
    let span = Span::new(file, 0, u32::try_from(text.len()).unwrap_or(u32::MAX));
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let content = Content::Formula(Claim::new(&input.program, &formula));
    input.program.ltl.push(LtlBlock { name: name.clone(), formula, span });
    Ok(Temporal { name, kind: PropertyKind::Ltl, source: Source::Formula(text.into()), content, span: Some(span) })
}

/// An expression given beside the model that every reachable state satisfies.
pub fn of_invariant(input: &mut Input, shown: &str, text: &str, budget: &Budget) -> Result<Temporal, PropertyError> {
    let mut property = of_formula(input, shown, text, budget)?;
    let block = input.program.ltl.last_mut().expect("the formula was added");
    if block.formula.is_temporal() {
        let (code, message) = (promela::codes::LTL_FORM, "a temporal operator in an invariant");
        let finding = Diagnostic::error(code, block.span, message).here("this formula is about whole runs");
        let finding =
            finding.hint("an invariant is an expression over one state; formulas about runs are LTL properties");
        return Err(PropertyError::new("the invariant", vec![finding], budget));
    }
    let formula = Ltl::Always(Box::new(block.formula.clone()));
    block.formula = formula.clone();
    property.content = Content::Formula(Claim::new(&input.program, &formula));
    Ok(Temporal { kind: PropertyKind::Invariant, ..property })
}

/// A never claim in a file of its own.
pub fn of_never(input: &mut Input, name: &str, text: &str, budget: &Budget) -> Result<Temporal, PropertyError> {
    let file = input.sources.add_file(name, text, None);
    let id = add_never(&mut input.sources, file, &*input.files, &mut input.program, &input.definitions, budget)
        .map_err(|diagnostics| PropertyError::new("the claim", diagnostics, budget))?;
    let content = never(input, id, budget);
    let span = Some(input.program.procs[id.0 as usize].span);
    let source = Source::Never(text.into());
    Ok(Temporal { name: name.into(), kind: PropertyKind::Never, source, content, span })
}

/// An automaton in a file of its own; its propositions are expressions of the model.
pub fn of_automaton(input: &mut Input, name: &str, text: &str, budget: &Budget) -> Result<Temporal, PropertyError> {
    let rejected = |diagnostics| PropertyError::new("the automaton", diagnostics, budget);
    let file = input.sources.add_file(name, text, None);
    let mut all = read(text, Format::of(text), file);
    if all.len() != 1 {
        let what = format!("`{name}` has {} automata; this option takes one", all.len());
        return Err(PropertyError::new(&what, Vec::new(), budget));
    }
    let automaton = all.remove(0).map_err(|diagnostic| rejected(vec![diagnostic]))?;
    let mut atoms = Vec::new();
    for atom in automaton.atoms().to_vec() {
        let place = input.sources.add_file(format!("{name}, proposition"), &atom, None);
        let expr = parse_expression(&mut input.sources, place, &mut input.program, &input.definitions, budget)
            .map_err(rejected)?;
        let span = Span::new(place, 0, 0);
        input.program.ltl.push(LtlBlock { name: atom.clone(), formula: Ltl::Atom(expr.clone()), span });
        atoms.push((atom, expr));
    }
    let (source, span) = (Source::Automaton(text.into()), Some(Span::new(file, 0, 0)));
    let content = Content::Automaton(automaton, atoms);
    Ok(Temporal { name: name.into(), kind: PropertyKind::Never, source, content, span })
}
