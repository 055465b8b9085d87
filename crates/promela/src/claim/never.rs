//! A `never` claim as a Büchi automaton over the conditions it tests.
//!
//! *What.* The locations of the claim are the states, those with an `accept` label are accepting; the statements between
//! two steps of the system are an edge, labelled with what they ask for. The closing brace, and an assertion that is
//! false, lead to one more state from which everything is accepted: to get there is a violation whatever follows. In an
//! atomic sequence the claim goes on without a step of the system.
//!
//! *Contract.* The automaton accepts exactly the runs that the claim matches. A claim that does more than watch (that
//! assigns, or has variables of its own) is refused with the reason.
//!
//! *Source.* [holzmann.03.spin], and SPIN 6.5.2 observed from outside. *Tested by* the corpus's claims, and by claims
//! written for formulas, compared with the formulas, in the tests of the tool.

use crate::flow::{self, Edge, EdgeAction, Graph};
use crate::show;
use crate::snapshot::Location;
use crate::typed::{BinaryOp, Expr, ExprKind, Place, ProcId, Program, StmtKind, UnaryOp, VarRef};
use omega::automaton::{Automaton, Bdd, Marks, State};

/// The automaton of a claim, and what its atoms stand for.
#[derive(Clone, Debug)]
pub struct Never {
    /// Accepts what must not happen.
    pub automaton: Automaton,
    /// Name and expression of each atom.
    pub atoms: Vec<(String, Expr)>,
}

impl Never {
    /// Makes an automaton of a claim of the program.
    ///
    /// # Errors
    /// Why it cannot be made.
    pub fn new(program: &Program, claim: ProcId) -> Result<Self, String> {
        let graphs = flow::graphs(program);
        let graph = &graphs[claim.0 as usize];
        let mut atoms = Atoms { program, list: Vec::new() };
        for edge in graph.nodes.iter().flat_map(|node| &node.edges) {
            atoms.collect(edge)?;
        }
        let mut automaton = Automaton::new(atoms.list.iter().map(|(name, _)| name.clone()), 1);
        automaton.name = Some(program.procs[claim.0 as usize].name.clone());
        automaton.add_states(graph.nodes.len() + 1);
        let labels = &program.procs[claim.0 as usize].labels;
        let is_accepting = |node: usize| {
            graph.nodes[node].labels.iter().any(|label| labels[label.0 as usize].name.starts_with("accept"))
        };
        let mut builder = Builder { graph, atoms: &atoms, automaton };
        for node in 0..graph.nodes.len() {
            let marks = if is_accepting(node) { Marks::one(0) } else { Marks::NONE };
            builder.state(node, marks);
        }
        let Builder { mut automaton, .. } = builder;
        let lost = graph.nodes.len() as State;
        let yes = automaton.manager().yes();
        automaton.add_edge(lost, lost, &yes, Marks::one(0));
        automaton.merge_edges();
        Ok(Self { automaton, atoms: atoms.list })
    }
}

/// The atoms met so far.
struct Atoms<'p> {
    program: &'p Program,
    list: Vec<(String, Expr)>,
}

impl Atoms<'_> {
    fn collect(&mut self, edge: &Edge<'_>) -> Result<(), String> {
        match &edge.action {
            EdgeAction::Basic(statement) => match &statement.kind {
                StmtKind::Expr(expr) | StmtKind::Assert(expr) => self.expression(expr),
                StmtKind::Else | StmtKind::Printf(..) | StmtKind::Printm(_) => Ok(()),
                _ => Err("the claim does more than watch: it may only test, assert and jump".into()),
            },
            EdgeAction::DStep(..) => Err("the claim has a `d_step`; write `atomic`".into()),
            EdgeAction::Jump(_) | EdgeAction::Exit(_) | EdgeAction::Terminate if edge.group == 0 => Ok(()),
            _ => Err("the claim has an `unless`".into()),
        }
    }

    fn expression(&mut self, expr: &Expr) -> Result<(), String> {
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            match &expr.kind {
                ExprKind::Const(_) => {}
                ExprKind::Unary(UnaryOp::Not, inner) => pending.push(inner),
                ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => pending.extend([&**left, &**right]),
                _ => self.atom(expr)?,
            }
        }
        Ok(())
    }

    fn atom(&mut self, expr: &Expr) -> Result<(), String> {
        let mut has_own = false;
        crate::named::visit(expr, &mut |part| {
            if let ExprKind::Read(Place { base: VarRef::Local(_), .. }) = &part.kind {
                has_own = true;
            }
        });
        if has_own {
            return Err("the claim has variables of its own".into());
        }
        let name = show::condition(self.program, expr);
        if self.list.iter().all(|(known, _)| *known != name) {
            self.list.push((name, expr.clone()));
        }
        Ok(())
    }
}

struct Builder<'a> {
    graph: &'a Graph<'a>,
    atoms: &'a Atoms<'a>,
    automaton: Automaton,
}

impl Builder<'_> {
    fn lost(&self) -> State {
        self.graph.nodes.len() as State
    }

    /// All edges of a state: all ways of the claim until it waits for a step of the system.
    fn state(&mut self, source: usize, marks: Marks) {
        if self.graph.nodes[source].location == Location::End {
            let (lost, yes) = (self.lost(), self.automaton.manager().yes());
            self.automaton.add_edge(source as State, lost, &yes, marks);
            return;
        }
        let mut pending = vec![(vec![source], self.automaton.manager().yes())];
        while let Some((way, condition)) = pending.pop() {
            let node = way[way.len() - 1];
            let graph = self.graph;
            let mut others = self.automaton.manager().no();
            for edge in &graph.nodes[node].edges {
                let (passes, fails) = self.label(edge, &others);
                others = &others | &passes;
                let (label, failing) = (&condition & &passes, &condition & &fails);
                if !failing.is_false() {
                    let lost = self.lost();
                    self.automaton.add_edge(source as State, lost, &failing, marks);
                }
                if label.is_false() {
                    continue;
                }
                if edge.atomic {
                    // A sequence that comes back to itself never lets the system move.
                    if !way.contains(&edge.target) {
                        pending.push((way.iter().copied().chain([edge.target]).collect(), label));
                    }
                } else {
                    let target = match graph.nodes[edge.target].location {
                        Location::End => self.lost(),
                        _ => edge.target as State,
                    };
                    self.automaton.add_edge(source as State, target, &label, marks);
                }
            }
        }
    }

    /// When a statement can be executed, and when it is a violation.
    fn label(&self, edge: &Edge<'_>, others: &Bdd) -> (Bdd, Bdd) {
        let manager = self.automaton.manager();
        match &edge.action {
            EdgeAction::Basic(statement) => match &statement.kind {
                StmtKind::Expr(expr) => (self.condition(expr), manager.no()),
                StmtKind::Assert(expr) => {
                    let condition = self.condition(expr);
                    let fails = !&condition;
                    (condition, fails)
                }
                StmtKind::Else => (!others, manager.no()),
                _ => (manager.yes(), manager.no()),
            },
            _ => (manager.yes(), manager.no()),
        }
    }

    /// A condition as a function of the atoms. Expressions are nested no deeper than the parser allows.
    fn condition(&self, expr: &Expr) -> Bdd {
        let manager = self.automaton.manager();
        match &expr.kind {
            ExprKind::Const(0) => manager.no(),
            ExprKind::Const(_) => manager.yes(),
            ExprKind::Unary(UnaryOp::Not, inner) => !&self.condition(inner),
            ExprKind::Binary(BinaryOp::And, left, right) => &self.condition(left) & &self.condition(right),
            ExprKind::Binary(BinaryOp::Or, left, right) => &self.condition(left) | &self.condition(right),
            _ => {
                let name = show::condition(self.atoms.program, expr);
                let index = self.atoms.list.iter().position(|(known, _)| *known == name);
                self.automaton.atom(index.expect("all atoms were collected"))
            }
        }
    }
}
