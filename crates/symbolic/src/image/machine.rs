//! A model as a machine of decision diagrams: states, initial states, steps, fairness.
//!
//! Contract: the states are the valuations of state variables within their domains that satisfy every invariant of the
//! model, the steps those of the enumerator; see [`Rules`](flat::enumerate::Rules), by which all of this is tested.
//!
//! The relation is split as its [`System`] wants it: models of interleaved processes by process, models whose `TRANS` is
//! one large disjunction by the sets of variables that its disjuncts change, all others not at all.

use std::collections::{BTreeMap, HashMap};

use bdd::{Bdd, Cube, Manager, Variable};
use kernel::diagnostic::Diagnostic;

use crate::encode::Encoding;
use crate::encode::expression::{Expressions, conjunction};
use crate::encode::term::{Choice, Encoded, Term};
use crate::image::system::{Parts, Split, System};
use flat::model::{Assignment, AssignmentKind, Model, Node, NodeId, Value, VariableId, VariableKind};
use flat::order::Bit;
use flat::undefined;
use kernel::budget::{Budget, Exhausted};

/// Why there is no machine.
#[derive(Clone, Debug)]
pub enum Failure {
    /// Something is wrong with the model that only shows when it is encoded.
    Wrong(Vec<Diagnostic>),
    /// A limit was reached.
    Stopped(Exhausted),
}

impl From<Exhausted> for Failure {
    fn from(stopped: Exhausted) -> Self {
        Failure::Stopped(stopped)
    }
}

impl From<bdd::OutOfNodes> for Failure {
    fn from(full: bdd::OutOfNodes) -> Self {
        Failure::Stopped(full.into())
    }
}

/// A model with its diagrams.
#[derive(Debug)]
pub struct Machine<'m> {
    model: &'m Model,
    encoding: Encoding,
    expressions: Expressions<'m>,
    /// The truth sets computed so far, since properties often share conditions.
    truths: HashMap<NodeId, Bdd>,
    system: System,
}

impl<'m> Machine<'m> {
    /// Encodes a model with its bits in this order.
    ///
    /// # Errors
    /// Where the model can assign a value outside a variable's type, or has an expression without a value, or where a
    /// limit was reached.
    pub fn new(model: &'m Model, manager: Manager, order: &[Bit]) -> Result<Self, Failure> {
        Self::within(model, manager, order, &Budget::unlimited())
    }

    /// As [`Machine::new`], with the budget of everything that is computed with the machine. The manager has limits of
    /// its own.
    ///
    /// # Errors
    /// As [`Machine::new`].
    pub fn within(model: &'m Model, manager: Manager, order: &[Bit], budget: &Budget) -> Result<Self, Failure> {
        let mut builder = Builder::new(model, manager.clone(), order, budget)?;
        let states = builder.states()?;
        let initial = builder.initial()?.try_and(&states)?;
        let justice = builder.truths(&model.justice)?;
        let (often, then_often): (Vec<_>, Vec<_>) = model.compassion.iter().copied().unzip();
        let compassion = builder.truths(&often)?.into_iter().zip(builder.truths(&then_often)?).collect();
        let mut valid_inputs = manager.yes();
        for id in model.variable_ids().filter(|id| model.variable(*id).kind == VariableKind::Input) {
            valid_inputs = valid_inputs.try_and(&builder.encoding.valid(model, id, false)?)?;
        }
        let splits = builder.splits()?;
        let truths = builder.properties()?;
        if !builder.wrong.is_empty() {
            return Err(Failure::Wrong(builder.wrong));
        }
        let Builder { encoding, mut expressions, .. } = builder;
        expressions.forget();
        let system = System::new(Parts {
            budget: budget.clone(),
            manager,
            pairs: encoding.pairs(),
            inputs: encoding.input_bits(),
            valid_inputs,
            state_bits: encoding.state_bits(),
            states,
            initial,
            justice,
            compassion,
            splits,
        })?;
        Ok(Machine { model, encoding, expressions, truths, system })
    }

    /// Checks that every assignment of a model has values to give, and only values of its variable.
    ///
    /// # Errors
    /// Where one does not, or a limit was reached.
    pub fn check_assignments(
        model: &'m Model,
        manager: Manager,
        order: &[Bit],
        budget: &Budget,
    ) -> Result<(), Failure> {
        let mut builder = Builder::new(model, manager, order, budget)?;
        for kind in [AssignmentKind::Always, AssignmentKind::Init, AssignmentKind::Next] {
            builder.assigned(kind)?;
        }
        if builder.wrong.is_empty() { Ok(()) } else { Err(Failure::Wrong(builder.wrong)) }
    }

    /// The nodes of all parts of a model's relation with its bits in this order: how good the order is.
    ///
    /// # Errors
    /// As [`Machine::new`].
    pub fn relation_size(model: &'m Model, manager: Manager, order: &[Bit], budget: &Budget) -> Result<usize, Failure> {
        let splits = Builder::new(model, manager, order, budget)?.splits()?;
        Ok(splits.iter().flat_map(|split| &split.conjuncts).map(Bdd::size).sum())
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Where the bits are.
    #[must_use]
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// Where the bits are, to take fresh ones.
    pub(crate) fn encoding_mut(&mut self) -> &mut Encoding {
        &mut self.encoding
    }

    /// States, steps and fairness.
    #[must_use]
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Where a Boolean expression over present state, inputs and next state is true.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn truth(&mut self, node: NodeId) -> Result<Bdd, Exhausted> {
        if let Some(truth) = self.truths.get(&node) {
            return Ok(truth.clone());
        }
        // A part of a property may lack a value where the other parts determine that of the property.
        let encoded = self.expressions.encode(node)?;
        let truth = encoded.term().truth().try_and(&!&encoded.undefined)?;
        self.expressions.forget();
        self.truths.insert(node, truth.clone());
        Ok(truth)
    }
}

/// Conjuncts, with those set apart that say of one variable that it keeps its value.
struct Parted {
    /// The bits of these variables.
    kept: Vec<Variable>,
    /// The other conjuncts.
    rest: Vec<Bdd>,
}

/// Builds the parts of a machine and collects the mistakes in the model.
struct Builder<'m> {
    /// Checked in loops over the parts of a model: operations whose results are known read no clock.
    budget: Budget,
    model: &'m Model,
    manager: Manager,
    encoding: Encoding,
    expressions: Expressions<'m>,
    wrong: Vec<Diagnostic>,
}

impl<'m> Builder<'m> {
    fn new(model: &'m Model, manager: Manager, order: &[Bit], budget: &Budget) -> Result<Self, Failure> {
        let encoding = Encoding::new(model, manager.clone(), order).map_err(|finding| Failure::Wrong(vec![finding]))?;
        let expressions = Expressions::new(model, manager.clone(), encoding.terms(model)?);
        Ok(Builder { budget: budget.clone(), model, manager, encoding, expressions, wrong: Vec::new() })
    }

    fn states(&mut self) -> Result<Bdd, Exhausted> {
        let mut parts = Vec::new();
        for id in self.model.variable_ids().filter(|id| self.model.variable(*id).kind != VariableKind::Input) {
            parts.push(self.encoding.valid(self.model, id, false)?);
        }
        parts.extend(self.truths(&self.model.invar)?);
        parts.extend(self.assigned(AssignmentKind::Always)?.into_iter().map(|(_, part)| part));
        conjunction(&self.manager, parts)
    }

    fn initial(&mut self) -> Result<Bdd, Exhausted> {
        let mut parts = self.truths(&self.model.init)?;
        parts.extend(self.assigned(AssignmentKind::Init)?.into_iter().map(|(_, part)| part));
        conjunction(&self.manager, parts)
    }

    fn truths(&mut self, nodes: &[NodeId]) -> Result<Vec<Bdd>, Exhausted> {
        nodes.iter().map(|node| self.truth(*node)).collect()
    }

    /// Where an expression is true. Reports an error if it does not have a value everywhere.
    fn truth(&mut self, node: NodeId) -> Result<Bdd, Exhausted> {
        let encoded = self.expressions.encode(node)?;
        self.check_defined(node, &encoded.undefined)?;
        Ok(encoded.term().truth().clone())
    }

    /// Where a part of a constraint is true. It may lack a value where the other parts determine that of the constraint,
    /// which [`check_constraint`](Self::check_constraint) verifies.
    fn truth_of_part(&mut self, node: NodeId) -> Result<Bdd, Exhausted> {
        let encoded = self.expressions.encode(node)?;
        Ok(encoded.term().truth().try_and(&!&encoded.undefined)?)
    }

    /// Reports an error if a constraint, which is encoded in parts, does not have a value everywhere.
    fn check_constraint(&mut self, node: NodeId) -> Result<(), Exhausted> {
        let model = self.model;
        let mut is_defined = true;
        let conjuncts = flattened(model, node, true);
        for part in conjuncts.iter().flat_map(|conjunct| flattened(model, *conjunct, false)) {
            for inner in flattened(model, part, true) {
                is_defined &= self.expressions.encode(inner)?.undefined.is_false();
            }
        }
        if is_defined {
            return Ok(());
        }
        let encoded =
            conjuncts.iter().map(|conjunct| self.expressions.encode(*conjunct)).collect::<Result<Vec<_>, _>>()?;
        let mut undefined = self.manager.no();
        for conjunct in &encoded {
            undefined = undefined.try_or(&conjunct.undefined)?;
        }
        // The constraint is false, and so has a value, where a conjunct with a value is false.
        for conjunct in &encoded {
            undefined = undefined.try_and(&conjunct.undefined.try_or(conjunct.term().truth())?)?;
        }
        self.check_defined(node, &undefined)
    }

    /// For each assignment of a kind, where the variable has one of the assigned values.
    fn assigned(&mut self, kind: AssignmentKind) -> Result<Vec<(VariableId, Bdd)>, Exhausted> {
        let mut parts = Vec::new();
        for assignment in self.model.assignments.iter().filter(|assignment| assignment.kind == kind) {
            self.budget.check()?;
            let encoded = self.expressions.encode(assignment.value)?;
            self.check_defined(assignment.value, &encoded.undefined)?;
            self.check_range(assignment, &encoded)?;
            let target = self.expressions.variable(assignment.variable, kind == AssignmentKind::Next).clone();
            parts.push((assignment.variable, self.expressions.member(&target, &encoded)?));
        }
        Ok(parts)
    }

    /// The relation as disjuncts of conjuncts.
    fn splits(&mut self) -> Result<Vec<Split>, Exhausted> {
        let mut common = Vec::new();
        for id in self.model.variable_ids() {
            let kind = self.model.variable(id).kind;
            if kind != VariableKind::Frozen {
                common.push(self.encoding.valid(self.model, id, kind == VariableKind::State)?);
            }
        }
        let mut next_state = self.truths(&self.model.invar)?;
        next_state.extend(self.assigned(AssignmentKind::Always)?.into_iter().map(|(_, part)| part));
        let to_next = self.encoding.pairs();
        for part in next_state {
            common.push(part.try_rename(&to_next)?);
        }
        common.extend(self.assigned(AssignmentKind::Next)?.into_iter().map(|(_, part)| part));
        let mut disjunction: Option<Vec<NodeId>> = None;
        for &node in &self.model.trans {
            for conjunct in flattened(self.model, node, true) {
                let disjuncts = flattened(self.model, conjunct, false);
                if disjuncts.len() > 1 && disjunction.is_none() && self.selector().is_none() {
                    disjunction = Some(disjuncts);
                } else {
                    common.push(self.truth_of_part(conjunct)?);
                }
            }
            self.check_constraint(node)?;
        }
        let raw = match (self.selector(), disjunction) {
            (Some(selector), _) => self.by_selector(selector, &common)?,
            (None, Some(disjuncts)) => self.by_disjunct(&disjuncts, &common)?,
            (None, None) => vec![self.split(Cube::default(), self.unchanged(common)?)?],
        };
        self.merged(raw)
    }

    fn selector(&self) -> Option<VariableId> {
        self.model.find_variable("_process_selector_").filter(|id| self.model.variable(*id).kind == VariableKind::Input)
    }

    fn by_selector(&mut self, selector: VariableId, common: &[Bdd]) -> Result<Vec<Split>, Exhausted> {
        let domain = self.model.variable(selector).domain.clone();
        let mut splits = Vec::new();
        for index in 0..u64::try_from(domain.size()).expect("few processes") {
            let value: Value = domain.value(index);
            let selects = Cube::new(self.encoding.literals(self.model, selector, &value)).expect("each bit once");
            let conjuncts =
                common.iter().map(|part| Ok(part.try_restrict(&selects)?)).collect::<Result<Vec<_>, Exhausted>>()?;
            splits.push(self.split(selects, self.unchanged(conjuncts)?)?);
        }
        Ok(splits)
    }

    fn by_disjunct(&mut self, disjuncts: &[NodeId], common: &[Bdd]) -> Result<Vec<Split>, Exhausted> {
        let mut splits = Vec::new();
        let common = self.unchanged(common.to_vec())?;
        for &disjunct in disjuncts {
            let mut own = Vec::new();
            for conjunct in flattened(self.model, disjunct, true) {
                self.budget.check()?;
                own.push(self.truth_of_part(conjunct)?);
            }
            let own = self.unchanged(own)?;
            let parts =
                Parted { kept: [&common.kept[..], &own.kept].concat(), rest: [&common.rest[..], &own.rest].concat() };
            splits.push(self.split(Cube::default(), parts)?);
        }
        Ok(splits)
    }

    /// Finds the variables that conjuncts keep unchanged.
    fn unchanged(&self, conjuncts: Vec<Bdd>) -> Result<Parted, Exhausted> {
        let mut parts = Parted { kept: Vec::new(), rest: Vec::new() };
        for conjunct in conjuncts {
            self.budget.check()?;
            match self.identity(&conjunct)? {
                Some(bits) => parts.kept.extend(bits),
                None => parts.rest.push(conjunct),
            }
        }
        Ok(parts)
    }

    /// Says once, instead of in every conjunct, which variables are unchanged.
    fn split(&self, selects: Cube, Parted { mut kept, rest }: Parted) -> Result<Split, Exhausted> {
        kept.sort_unstable();
        kept.dedup();
        let same: Vec<(Variable, Variable)> = self
            .encoding
            .pairs()
            .into_iter()
            .filter(|(now, _)| kept.binary_search(now).is_ok())
            .map(|(a, b)| (b, a))
            .collect();
        let mut conjuncts = Vec::new();
        for conjunct in rest {
            self.budget.check()?;
            let renamed = conjunct.try_rename(&same)?;
            // A conjunct that restricts only the present state is an invariant.
            if !self.known(&renamed)? {
                conjuncts.push(renamed);
            }
        }
        Ok(Split { selects, conjuncts, kept })
    }

    /// Whether a conjunct is true in every state. What it asks of inputs is never known: states do not speak of them, so
    /// the relation alone keeps them to their values.
    fn known(&self, conjunct: &Bdd) -> Result<bool, Exhausted> {
        if conjunct.is_true() {
            return Ok(true);
        }
        let of_states = |id: &VariableId| self.model.variable(*id).kind != VariableKind::Input;
        for id in self.model.variable_ids().filter(of_states) {
            if conjunct.root().is_some_and(|root| self.encoding.bits_now(id).contains(&root)) {
                return Ok(self.encoding.valid(self.model, id, false)?.try_implies(conjunct)?);
            }
        }
        Ok(false)
    }

    /// If a conjunct says of one variable that it keeps its value, and nothing else, the bits of that variable.
    fn identity(&self, conjunct: &Bdd) -> Result<Option<Vec<Variable>>, Exhausted> {
        let Some(root) = conjunct.root() else { return Ok(None) };
        for id in self.model.variable_ids() {
            let (now, next) = (self.encoding.bits_now(id), self.encoding.bits_next(id));
            if !next.is_empty() && now.contains(&root) {
                let mut same = self.encoding.valid(self.model, id, false)?;
                let mut strictly = self.manager.yes();
                for (a, b) in now.iter().zip(next) {
                    let bit = !self.manager.try_variable(*a)?.try_xor(&self.manager.try_variable(*b)?)?;
                    same = same.try_and(&bit)?;
                    strictly = strictly.try_and(&bit)?;
                }
                return Ok((*conjunct == same || *conjunct == strictly).then(|| now.to_vec()));
            }
        }
        Ok(None)
    }

    /// Merges disjuncts that change the same variables; their common conjuncts are kept separately.
    fn merged(&self, splits: Vec<Split>) -> Result<Vec<Split>, Exhausted> {
        let mut groups: BTreeMap<(Cube, Vec<Variable>), Vec<Vec<Bdd>>> = BTreeMap::new();
        for split in splits {
            groups.entry((split.selects, split.kept)).or_default().push(split.conjuncts);
        }
        let mut merged = Vec::new();
        for ((selects, kept), members) in groups {
            self.budget.check()?;
            let (first, others) = members.split_first().expect("a group has members");
            let everywhere = |part: &&Bdd| others.iter().all(|member| member.contains(part));
            let mut conjuncts: Vec<Bdd> = first.iter().filter(everywhere).cloned().collect();
            if !others.is_empty() {
                let mut negated = Vec::with_capacity(members.len());
                for member in &members {
                    let own = member.iter().filter(|part| !conjuncts.contains(part)).cloned().collect();
                    negated.push(!conjunction(&self.manager, own)?);
                }
                conjuncts.push(!conjunction(&self.manager, negated)?);
            }
            if !conjuncts.iter().any(Bdd::is_false) {
                merged.push(Split { selects, conjuncts, kept });
            }
        }
        Ok(merged)
    }

    /// Every value of every variable that is in its domain, now and next.
    fn all_valid(&self) -> Result<Bdd, Exhausted> {
        let mut parts = Vec::new();
        for id in self.model.variable_ids() {
            parts.push(self.encoding.valid(self.model, id, false)?);
            if self.model.variable(id).kind == VariableKind::State {
                parts.push(self.encoding.valid(self.model, id, true)?);
            }
        }
        conjunction(&self.manager, parts)
    }

    /// Reports an error if an expression has no value for some values of the variables.
    fn check_defined(&mut self, node: NodeId, undefined: &Bdd) -> Result<(), Exhausted> {
        if undefined.is_false() {
            return Ok(());
        }
        let bad = undefined.try_and(&self.all_valid()?)?;
        if let Some(cube) = bad.one_cube() {
            let now = self.encoding.decode(self.model, &cube);
            let next = self.encoding.decode_next(self.model, &cube);
            let cause = undefined::cause(self.model, node, &now, &next);
            let finding = Diagnostic::error(
                flat::codes::INCOMPLETE_CASE,
                cause.span,
                "this expression does not always have a value",
            )
            .here(cause.what)
            .note(format!("for example, if {}", self.example(&cube)));
            self.report(if let Some(hint) = cause.hint { finding.hint(hint) } else { finding });
        }
        Ok(())
    }

    fn check_range(&mut self, assignment: &Assignment, encoded: &Encoded) -> Result<(), Exhausted> {
        let variable = self.model.variable(assignment.variable);
        for (condition, choice) in &encoded.choices {
            let outside = match choice {
                Choice::One(term) => condition.try_and(&!term.in_domain(&variable.domain, &self.manager)?)?,
                Choice::Between(low, high) => {
                    let inside = [low, high].iter().all(|end| variable.domain.contains(&Value::Integer(**end)));
                    if inside { self.manager.no() } else { condition.clone() }
                }
            };
            if outside.is_false() {
                continue;
            }
            let bad = outside.try_and(&!&encoded.undefined)?.try_and(&self.all_valid()?)?;
            if let Some(cube) = bad.one_cube() {
                let value = self.value_in(choice, &cube);
                let finding = Diagnostic::error(
                    flat::codes::VALUE_OUT_OF_RANGE,
                    self.model.facts(assignment.value).span,
                    format!("`{}` can be assigned {value}, which is not one of its values", variable.name),
                )
                .here("this value can be outside")
                .label(variable.span, "declared here")
                .note(format!("for example, if {}", self.example(&cube)));
                self.report(finding);
                return Ok(());
            }
        }
        Ok(())
    }

    fn report(&mut self, finding: Diagnostic) {
        if !self.wrong.iter().any(|known| known.primary.span == finding.primary.span) {
            self.wrong.push(finding);
        }
    }

    /// The value of a choice where the bits have the values of a cube, in words.
    fn value_in(&self, choice: &Choice, cube: &Cube) -> String {
        let holds = |condition: &Bdd| condition.evaluate(|bit| cube.value(bit) == Some(true));
        match choice {
            Choice::Between(low, high) => format!("{low}..{high}"),
            Choice::One(Term::Listed(list)) => {
                let value = list.iter().find(|(_, condition)| holds(condition)).map(|(value, _)| value);
                value.map_or_else(|| "?".to_owned(), |value| self.model.show(value, flat::model::Type::Mixed))
            }
            Choice::One(Term::Number(bits)) => {
                let places = bits.iter().enumerate();
                let sum = places.fold(0_i64, |sum, (at, bit)| sum | i64::from(holds(bit)) << at);
                let unused = 64 - bits.len();
                (sum << unused >> unused).to_string()
            }
            Choice::One(_) => "a value".to_owned(),
        }
    }

    /// The values that a cube gives to the variables it mentions.
    fn example(&self, cube: &Cube) -> String {
        let now = self.encoding.decode(self.model, cube);
        let next = self.encoding.decode_next(self.model, cube);
        let mentioned = |bits: &[Variable]| bits.iter().any(|bit| cube.value(*bit).is_some());
        let mut parts = Vec::new();
        for id in self.model.variable_ids() {
            let variable = self.model.variable(id);
            let show = |values: &[Value]| self.model.show(&values[id.0 as usize], variable.domain.r#type());
            if mentioned(self.encoding.bits_now(id)) {
                parts.push(format!("{} = {}", variable.name, show(&now)));
            }
            if mentioned(self.encoding.bits_next(id)) {
                parts.push(format!("next({}) = {}", variable.name, show(&next)));
            }
        }
        parts.truncate(8);
        if parts.is_empty() { "always".to_owned() } else { parts.join(", ") }
    }

    /// The truths of all that properties mention, which must have values too.
    fn properties(&mut self) -> Result<HashMap<NodeId, Bdd>, Exhausted> {
        let model = self.model;
        let atoms = model.properties.iter().flat_map(|property| property.question.atoms());
        atoms.map(|atom| Ok((atom, self.truth(atom)?))).collect()
    }
}

/// The operands of a conjunction or disjunction, through definitions and nested ones.
pub(crate) fn flattened(model: &Model, root: NodeId, conjunction: bool) -> Vec<NodeId> {
    let mut parts = Vec::new();
    let mut pending = vec![root];
    while let Some(id) = pending.pop() {
        match model.node(id) {
            Node::And(list) if conjunction => pending.extend(list.iter().rev()),
            Node::Or(list) if !conjunction => pending.extend(list.iter().rev()),
            Node::Define(define) => pending.push(model.defines[define.0 as usize].body),
            _ => parts.push(id),
        }
    }
    parts
}
