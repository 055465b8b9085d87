//! A walk over compiled code: all expressions and addresses in it.

use crate::compiled::code::{Action, Address, Code, Comparison, Edge, Guard, InnerEdge, Load, Pattern, Reception};

/// What is met on a walk.
pub(super) enum Part<'a> {
    /// An expression, before its parts.
    Code(&'a Code),
    /// A scalar at a fixed place that is read.
    Load(Load),
    /// A scalar that is read or written, before the indices on the way to it.
    Address(&'a Address),
}

/// Visits what an edge reads and writes, apart from where it clears.
pub(super) fn edge<'a>(edge: &'a Edge, visit: &mut impl FnMut(Part<'a>)) {
    guard(&edge.guard, visit);
    action(&edge.action, visit);
}

fn guard<'a>(guard: &'a Guard, visit: &mut impl FnMut(Part<'a>)) {
    if let Guard::Test(test) = guard {
        code(test, visit);
    }
}

fn action<'a>(action_: &'a Action, visit: &mut impl FnMut(Part<'a>)) {
    match action_ {
        Action::Nothing | Action::Terminate => {}
        Action::Assign(target, value) => {
            address(target, visit);
            code(value, visit);
        }
        Action::AssignAll(pairs) => pairs.iter().for_each(|(target, value)| {
            address(target, visit);
            code(value, visit);
        }),
        Action::Assert(test) => code(test, visit),
        Action::Evaluate(codes) => codes.iter().for_each(|part| code(part, visit)),
        Action::Send { channel, message, .. } => {
            code(channel, visit);
            message.iter().for_each(|field| code(field, visit));
        }
        Action::Receive(one) => reception(one, visit),
        Action::SetPriority(parts) => {
            code(&parts.0, visit);
            code(&parts.1, visit);
        }
        Action::Start(starts, then) => {
            starts.iter().flat_map(|start| &start.arguments).for_each(|argument| code(argument, visit));
            action(then, visit);
        }
        Action::StartTest(starts, test) => {
            starts.iter().flat_map(|start| &start.arguments).for_each(|argument| code(argument, visit));
            code(test, visit);
        }
        Action::DStep(nodes) => nodes.iter().flatten().for_each(|InnerEdge { guard: test, action: inner, .. }| {
            guard(test, visit);
            action(inner, visit);
        }),
        Action::Straight(actions) => actions.iter().for_each(|inner| action(inner, visit)),
    }
}

fn reception<'a>(reception: &'a Reception, visit: &mut impl FnMut(Part<'a>)) {
    code(&reception.channel, visit);
    for pattern in &reception.pattern {
        match pattern {
            Pattern::Bind(target) => address(target, visit),
            Pattern::Match(value) => code(value, visit),
            Pattern::Ignore => {}
        }
    }
}

fn address<'a>(address: &'a Address, visit: &mut impl FnMut(Part<'a>)) {
    visit(Part::Address(address));
    address.steps.iter().for_each(|step| code(&step.index, visit));
}

/// Visits an expression and its parts.
pub(super) fn code<'a>(whole: &'a Code, visit: &mut impl FnMut(Part<'a>)) {
    visit(Part::Code(whole));
    match whole {
        Code::Load(load) | Code::Plus(load, _) | Code::Compare(Comparison { load, .. }) => visit(Part::Load(*load)),
        Code::Element(element) => address(element, visit),
        Code::Unary(_, operand)
        | Code::Len(operand)
        | Code::ChannelTest(_, operand)
        | Code::Enabled(operand)
        | Code::PcValue(operand)
        | Code::GetPriority(operand) => code(operand, visit),
        Code::Binary(_, operands) => {
            code(&operands.0, visit);
            code(&operands.1, visit);
        }
        Code::All(parts) | Code::Any(parts) => parts.iter().for_each(|part| code(part, visit)),
        Code::Cond(parts) => {
            code(&parts.0, visit);
            code(&parts.1, visit);
            code(&parts.2, visit);
        }
        Code::Poll(one) => reception(one, visit),
        // The address lies in another process.
        Code::RemoteRead(_, process, inside) => {
            process.iter().for_each(|process| code(process, visit));
            inside.steps.iter().for_each(|step| code(&step.index, visit));
        }
        Code::RemoteLabel(_, process, _) => process.iter().for_each(|process| code(process, visit)),
        Code::Const(_)
        | Code::OutOfBounds
        | Code::Timeout
        | Code::NonProgress
        | Code::Acceptance
        | Code::Pid
        | Code::NrPr
        | Code::Last
        | Code::Started(_) => {}
    }
}
