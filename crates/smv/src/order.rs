//! Order files: the bits of a model from the root of the decision diagrams down, one a line.

use std::collections::{HashMap, HashSet};

use flat::model::{Model, VariableId};
use flat::order::{Bit, bits, declared};
use kernel::diagnostic::Diagnostic;
use kernel::span::{FileId, Span};

use crate::codes;

/// The bits that an order file lists, one a line, from the root down; a variable without a place stands for all its bits,
/// most significant first. Bits that are not listed follow in the model's own order.
///
/// # Errors
/// Where a line names nothing, or something a second time.
pub fn read(model: &Model, file: FileId, text: &str) -> Result<Vec<Bit>, Vec<Diagnostic>> {
    let mut order: Vec<Bit> = Vec::new();
    let mut listed = HashSet::new();
    let names: HashMap<&str, VariableId> =
        model.variable_ids().map(|id| (model.variable(id).name.as_str(), id)).collect();
    let mut wrong = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        let span = Span::new(file, start, start + u32::try_from(line.len()).unwrap_or(u32::MAX));
        start = span.hi + 1;
        let line = line.split("--").next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let found = named_bits(model, &names, line);
        if found.is_empty() || found.iter().any(|bit| listed.contains(bit)) {
            let message = if found.is_empty() { "no such variable or bit" } else { "this bit is listed twice" };
            wrong.push(Diagnostic::error(codes::BAD_ORDER_FILE, span, message).here("in this line"));
        } else {
            listed.extend(found.iter().copied());
            order.extend(found);
        }
    }
    let rest: Vec<Bit> = bits(model, &declared(model)).into_iter().filter(|bit| !listed.contains(bit)).collect();
    order.extend(rest);
    if wrong.is_empty() { Ok(order) } else { Err(wrong) }
}

fn named_bits(model: &Model, names: &HashMap<&str, VariableId>, text: &str) -> Vec<Bit> {
    if let Some(&variable) = names.get(text) {
        let count = model.variable(variable).domain.bits();
        return (0..count).rev().map(|place| Bit { variable, place }).collect();
    }
    let Some((name, place)) = text.rsplit_once('.') else { return Vec::new() };
    match (names.get(name), place.parse()) {
        (Some(&variable), Ok(place)) if place < model.variable(variable).domain.bits() => vec![Bit { variable, place }],
        _ => Vec::new(),
    }
}
