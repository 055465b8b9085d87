//! What a `trace` or `notrace` assertion waits for: at each place of its control flow, the events that it takes there.
//!
//! *What.* An event is a message put into a channel or taken out of it. An assertion is a graph whose edges are events;
//! jumps between them take no time. [`Events::of`] follows the jumps, so that only events remain.
//!
//! *Contract.* Places are those of [`flow`], by number. A field of an event is a constant, or anything
//! fits it. A place is an end if the closing brace can be reached from it without an event.
//!
//! *Source.* SPIN 6.5.2 observed from outside, and its manual [holzmann.03.spin]; section 17 of
//! `docs/semantics-promela.md`. *Tested by* the reference interpreter, which follows events over the tree, and by the
//! models with assertions of `models/semantics`.

use crate::flow::{EdgeAction, Graph};
use crate::snapshot::Location;
use crate::typed::{Expr, ExprKind, Pattern, Stmt, StmtKind};

/// One event that an assertion can take.
#[derive(Clone, Debug)]
pub(crate) struct Event<'p> {
    /// The statement of the event.
    pub(crate) statement: &'p Stmt,
    /// Sent, and not received.
    pub(crate) is_send: bool,
    /// The channel.
    pub(crate) channel: &'p Expr,
    /// What the fields must be; nothing where anything fits.
    pub(crate) fields: Vec<Option<i32>>,
    /// The place after it.
    pub(crate) target: usize,
}

impl<'p> Event<'p> {
    fn of(statement: &'p Stmt, target: usize) -> Option<Self> {
        let (is_send, channel, fields) = match &statement.kind {
            StmtKind::Send { channel, message, .. } => (true, channel, message.iter().map(constant).collect()),
            StmtKind::Receive { channel, pattern, .. } => {
                let field = |pattern: &Pattern| match pattern {
                    Pattern::Match(expr) => constant(expr),
                    Pattern::Bind(_) | Pattern::Ignore => None,
                };
                (false, channel, pattern.iter().map(field).collect())
            }
            _ => return None,
        };
        Some(Self { statement, is_send, channel, fields, target })
    }

    /// Whether some message fits both, if they are on the same channel.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let mut fields = self.fields.iter().zip(&other.fields);
        self.is_send == other.is_send && fields.all(|pair| !matches!(pair, (Some(one), Some(two)) if one != two))
    }
}

fn constant(expr: &Expr) -> Option<i32> {
    match expr.kind {
        ExprKind::Const(value) => Some(value),
        _ => None,
    }
}

/// The events of an assertion.
#[derive(Clone, Debug)]
pub(crate) struct Events<'p> {
    /// For each place, the events taken there, in order.
    pub(crate) places: Vec<Vec<Event<'p>>>,
    /// For each place, whether the assertion can be over there.
    pub(crate) ends: Vec<bool>,
}

impl<'p> Events<'p> {
    /// Reads the graph of an assertion.
    pub(crate) fn of(graph: &Graph<'p>) -> Self {
        let (mut places, mut ends) = (Vec::new(), Vec::new());
        for place in 0..graph.nodes.len() {
            let (mut events, mut is_end) = (Vec::new(), false);
            let mut around = vec![place];
            let mut next = 0;
            while let Some(node) = around.get(next).map(|place| &graph.nodes[*place]) {
                next += 1;
                is_end |= node.location == Location::End;
                for edge in &node.edges {
                    match &edge.action {
                        EdgeAction::Basic(statement) => events.extend(Event::of(statement, edge.target)),
                        EdgeAction::Jump(_) | EdgeAction::Exit(_) if !around.contains(&edge.target) => {
                            around.push(edge.target);
                        }
                        _ => {}
                    }
                }
            }
            places.push(events);
            ends.push(is_end);
        }
        Self { places, ends }
    }
}
