//! Expressions as text, with parentheses around every operator that joins formulas: in a layout for people, and exactly
//! as NuSMV prints them. The second is written from what the tool prints, and tested on that.

use crate::ast::{Binary, Chain, CtlBinary, CtlBounded, CtlUnary, Expr, ExprId, Function, LtlBinary, LtlUnary, Tree};
use flat::model::Natural;

/// Whose layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    Own,
    /// Sets as unions, a further blank before operators of linear time and behind `]`.
    Nusmv,
    /// The same, with the words of PSL where they are written.
    Psl,
}

/// What is printed, and how.
struct Printed<'t> {
    tree: &'t Tree,
    layout: Layout,
}

impl Printed<'_> {
    fn get(&self, id: ExprId) -> &Expr {
        self.tree.get(id)
    }
}

/// The text of an expression.
#[must_use]
pub fn expression(tree: &Tree, id: ExprId) -> String {
    let mut text = String::new();
    write(&Printed { tree, layout: Layout::Own }, id, &mut text);
    text
}

/// The text of an expression as NuSMV prints it; with `psl`, in the words of PSL if these are only
/// `always`, `never` and `eventually!`.
#[must_use]
pub fn nusmv(tree: &Tree, id: ExprId, psl: bool) -> String {
    let layout = if psl && is_simple_psl(tree, id) { Layout::Psl } else { Layout::Nusmv };
    let mut text = String::new();
    write(&Printed { tree, layout }, id, &mut text);
    text
}

/// Whether all operators of time are `G` and `F`.
fn is_simple_psl(tree: &Tree, root: ExprId) -> bool {
    let mut pending = vec![root];
    while let Some(id) = pending.pop() {
        let expr = tree.get(id);
        match expr {
            Expr::Ltl(LtlUnary::G | LtlUnary::F, _) => {}
            _ if expr.is_temporal() => return false,
            _ => {}
        }
        pending.extend(expr.children());
    }
    true
}

/// Writes an expression. Recurses no deeper than the tree, which is limited.
fn write(tree: &Printed<'_>, id: ExprId, out: &mut String) {
    match tree.get(id) {
        Expr::Boolean(true) => out.push_str("TRUE"),
        Expr::Boolean(false) => out.push_str("FALSE"),
        Expr::Number(number) => out.push_str(&number.to_string()),
        Expr::Word(signed, width, bits) => {
            // The upper half of the patterns stands for values below zero, and a sign in front of a sign for a comment.
            let negative = *signed && bits.bit(width - 1);
            let magnitude = || bits.signed(*width).into_parts().1;
            match (negative, out.ends_with('-')) {
                (true, true) if *bits == Natural::power_of_two(width - 1) => {
                    out.push_str(&format!("0sd{width}_{bits}"));
                }
                (true, true) => out.push_str(&format!("(-0sd{width}_{})", magnitude())),
                (true, false) => out.push_str(&format!("-0sd{width}_{}", magnitude())),
                (false, _) => out.push_str(&format!("0{}d{width}_{bits}", if *signed { 's' } else { 'u' })),
            }
        }
        Expr::Name(name) => out.push_str(name),
        Expr::SelfName => out.push_str("self"),
        Expr::Dot(owner, name) => {
            write(tree, *owner, out);
            out.push('.');
            out.push_str(name);
        }
        Expr::Index(base, index) => {
            write_base(tree, *base, out);
            surround(tree, out, &[("[", *index)], "]");
        }
        Expr::Slice(base, high, low) => {
            write_base(tree, *base, out);
            surround(tree, out, &[("[", *high), (":", *low)], "]");
        }
        Expr::Not(operand) => prefix(tree, "!", *operand, out),
        Expr::Negate(operand) => prefix(tree, "-", *operand, out),
        Expr::Chain(chain, operands) => write_chain(tree, *chain, operands, out),
        Expr::Binary(operator, left, right) => write_binary(tree, *operator, *left, *right, out),
        Expr::Conditional(c, a, b) => surround(tree, out, &[("(", *c), (" ? ", *a), (" : ", *b)], ")"),
        Expr::Case(branches) => {
            out.push_str("case");
            for (condition, value) in branches {
                surround(tree, out, &[(" ", *condition), (" : ", *value)], ";");
            }
            out.push_str(" esac");
        }
        Expr::Set(elements) if tree.layout == Layout::Own => list(tree, "{", elements, "}", out),
        Expr::Set(elements) => write_chain(tree, Chain::Union, elements, out),
        Expr::List(elements) => list(tree, "[", elements, "]", out),
        Expr::Range(low, high) => surround(tree, out, &[("", *low), ("..", *high)], ""),
        Expr::Call(function, arguments) => list(tree, &format!("{}(", function_name(*function)), arguments, ")", out),
        Expr::Next(operand) => surround(tree, out, &[("next(", *operand)], ")"),
        Expr::Ltl(operator, operand) if tree.layout == Layout::Psl && tree.tree.is_spelt_out(id) => {
            psl(tree, id, *operator, *operand, out);
        }
        Expr::Ctl(operator, operand) => prefix(tree, ctl_name(*operator), *operand, out),
        Expr::Ltl(operator, operand) => {
            let blank = if tree.layout == Layout::Own { "" } else { " " };
            prefix(tree, &format!("{blank}{}", ltl_name(*operator)), *operand, out);
        }
        Expr::Bounded(operator, low, high, operand) => {
            prefix(tree, &format!("{} {low}..{high} ", bounded_name(*operator)), *operand, out);
        }
        Expr::Within(operator, low, high, operand) => {
            prefix(tree, &format!("{}[{low},{high}] ", ltl_name(*operator)), *operand, out);
        }
        Expr::CtlBinary(operator, left, right) => {
            let open = if *operator == CtlBinary::AU { "A [ " } else { "E [ " };
            surround(tree, out, &[(open, *left), (" U ", *right)], close_until(tree));
        }
        Expr::LtlBinary(operator, left, right) => {
            let name = match operator {
                LtlBinary::V => " V ",
                LtlBinary::S => " S ",
                LtlBinary::T => " T ",
                LtlBinary::W => " W ",
                LtlBinary::U => " U ",
            };
            surround(tree, out, &[("(", *left), (name, *right)], ")");
        }
        Expr::BoundedUntil(for_all, low, high, left, right) => {
            let open = if *for_all { "A [ " } else { "E [ " };
            surround(tree, out, &[(open, *left), (&format!(" BU {low}..{high} "), *right)], close_until(tree));
        }
        Expr::Wrong => out.push('?'),
    }
}

/// What stands behind an until with a quantifier.
fn close_until(tree: &Printed<'_>) -> &'static str {
    if tree.layout == Layout::Own { " ]" } else { " ] " }
}

/// `always (p)`, `eventually! (p)` and `never (p)`, which the parser reads as the negation it stands for.
fn psl(tree: &Printed<'_>, id: ExprId, operator: LtlUnary, operand: ExprId, out: &mut String) {
    let (word, operand) = match tree.get(operand) {
        // A negation that is written begins behind the word before it.
        Expr::Not(inner) if operator == LtlUnary::G && tree.tree.span(operand).lo == tree.tree.span(id).lo => {
            ("never (", *inner)
        }
        _ if operator == LtlUnary::G => ("always (", operand),
        _ => ("eventually! (", operand),
    };
    surround(tree, out, &[(word, operand)], ")");
}

fn surround(tree: &Printed<'_>, out: &mut String, parts: &[(&str, ExprId)], close: &str) {
    for (before, part) in parts {
        out.push_str(before);
        write(tree, *part, out);
    }
    out.push_str(close);
}

fn list(tree: &Printed<'_>, open: &str, elements: &[ExprId], close: &str, out: &mut String) {
    out.push_str(open);
    for (index, element) in elements.iter().enumerate() {
        out.push_str(if index > 0 { ", " } else { "" });
        write(tree, *element, out);
    }
    out.push_str(close);
}

/// What a subscript applies to, in parentheses where the subscript would apply to a part of it.
fn write_base(tree: &Printed<'_>, base: ExprId, out: &mut String) {
    let expr = tree.get(base);
    let is_whole = matches!(
        expr,
        Expr::Name(_)
            | Expr::SelfName
            | Expr::Dot(..)
            | Expr::Index(..)
            | Expr::Slice(..)
            | Expr::Call(..)
            | Expr::Next(_)
    );
    if is_whole || brings_parentheses(expr) {
        write(tree, base, out);
    } else {
        surround(tree, out, &[("(", base)], ")");
    }
}

/// An operator before its operand, which stands in parentheses unless it is a name, a constant or another negation.
fn prefix(tree: &Printed<'_>, operator: &str, operand: ExprId, out: &mut String) {
    out.push_str(operator);
    let negation = matches!(operator, "!" | "-");
    let joined = matches!(
        tree.get(operand),
        Expr::Chain(..) | Expr::Binary(..) | Expr::CtlBinary(..) | Expr::LtlBinary(..) | Expr::Conditional(..)
    );
    let compared = matches!(tree.get(operand), Expr::Binary(operator, ..) if is_comparison(*operator));
    let quantified = matches!(tree.get(operand), Expr::CtlBinary(..));
    let temporal = matches!(tree.get(operand), Expr::Ctl(..) | Expr::Ltl(..));
    // Two signs begin a comment.
    let commented = operator == "-" && matches!(tree.get(operand), Expr::Negate(_));
    if !negation && !operator.ends_with(' ') {
        out.push(' ');
    }
    // Chains and implications bring their own parentheses.
    let is_loose = joined && !compared && !quantified && !brings_parentheses(tree.get(operand));
    if (compared && negation) || temporal || commented || is_loose {
        surround(tree, out, &[("(", operand)], ")");
    } else {
        write(tree, operand, out);
    }
}

fn brings_parentheses(expr: &Expr) -> bool {
    match expr {
        Expr::Chain(chain, _) => matches!(chain, Chain::And | Chain::Or),
        Expr::Binary(operator, ..) => matches!(operator, Binary::Implies | Binary::Iff | Binary::Xor | Binary::Xnor),
        Expr::CtlBinary(..) | Expr::LtlBinary(..) | Expr::Conditional(..) => true,
        _ => false,
    }
}

fn is_comparison(operator: Binary) -> bool {
    !matches!(operator, Binary::Implies | Binary::Iff | Binary::Xor | Binary::Xnor)
}

/// `((a & b) & c)`: a chain as the two-operand tree it abbreviates.
fn write_chain(tree: &Printed<'_>, chain: Chain, operands: &[ExprId], out: &mut String) {
    let name = match chain {
        Chain::And => " & ",
        Chain::Or => " | ",
        Chain::Union => " union ",
        Chain::Add => " + ",
        Chain::Multiply => " * ",
        Chain::Concatenate => " :: ",
    };
    let outer = matches!(chain, Chain::And | Chain::Or);
    let open = operands.len().saturating_sub(if outer { 1 } else { 2 });
    out.push_str(&"(".repeat(open));
    for (index, operand) in operands.iter().enumerate() {
        out.push_str(if index > 0 { name } else { "" });
        if outer {
            write(tree, *operand, out);
        } else if chain == Chain::Concatenate && matches!(tree.get(*operand), Expr::Negate(_)) {
            // A sign binds less tightly than this operator alone.
            surround(tree, out, &[("(", *operand)], ")");
        } else {
            write_operand(tree, *operand, chain != Chain::Union, out);
        }
        if index > 0 && (outer || index + 1 < operands.len()) {
            out.push(')');
        }
    }
}

/// The operator with spaces around it.
pub(crate) fn binary_name(operator: Binary) -> &'static str {
    match operator {
        Binary::Xor => " xor ",
        Binary::Xnor => " xnor ",
        Binary::Implies => " -> ",
        Binary::Iff => " <-> ",
        Binary::Equal => " = ",
        Binary::NotEqual => " != ",
        Binary::Less => " < ",
        Binary::LessEqual => " <= ",
        Binary::Greater => " > ",
        Binary::GreaterEqual => " >= ",
        Binary::In => " in ",
        Binary::Subtract => " - ",
        Binary::Divide => " / ",
        Binary::Modulo => " mod ",
        Binary::ShiftLeft => " << ",
        Binary::ShiftRight => " >> ",
    }
}

fn write_binary(tree: &Printed<'_>, operator: Binary, left: ExprId, right: ExprId, out: &mut String) {
    let name = binary_name(operator);
    if is_comparison(operator) {
        let arithmetic = is_arithmetic(operator);
        write_operand(tree, left, arithmetic, out);
        out.push_str(name);
        write_operand(tree, right, arithmetic, out);
    } else {
        surround(tree, out, &[("(", left), (name, right)], ")");
    }
}

/// An operand of arithmetic, or of a comparison, in parentheses where it would be read differently without.
fn write_operand(tree: &Printed<'_>, operand: ExprId, in_arithmetic: bool, out: &mut String) {
    let is_loose = match tree.get(operand) {
        Expr::Binary(operator, ..) if is_arithmetic(*operator) => in_arithmetic,
        Expr::Binary(operator, ..) => is_comparison(*operator),
        Expr::Chain(Chain::Add | Chain::Multiply | Chain::Concatenate | Chain::Union, _) => in_arithmetic,
        _ => false,
    };
    if is_loose {
        surround(tree, out, &[("(", operand)], ")");
    } else {
        write(tree, operand, out);
    }
}

fn is_arithmetic(operator: Binary) -> bool {
    matches!(operator, Binary::Subtract | Binary::Divide | Binary::Modulo | Binary::ShiftLeft | Binary::ShiftRight)
}

/// The word of an operator of CTL with one operand.
pub(crate) fn ctl_name(operator: CtlUnary) -> &'static str {
    match operator {
        CtlUnary::EX => "EX",
        CtlUnary::AX => "AX",
        CtlUnary::EF => "EF",
        CtlUnary::AF => "AF",
        CtlUnary::EG => "EG",
        CtlUnary::AG => "AG",
    }
}

/// The word of an operator of LTL with one operand.
pub(crate) fn ltl_name(operator: LtlUnary) -> &'static str {
    match operator {
        LtlUnary::X => "X",
        LtlUnary::F => "F",
        LtlUnary::G => "G",
        LtlUnary::Y => "Y",
        LtlUnary::Z => "Z",
        LtlUnary::H => "H",
        LtlUnary::O => "O",
    }
}

/// The word of a bounded operator.
pub(crate) fn bounded_name(operator: CtlBounded) -> &'static str {
    match operator {
        CtlBounded::EBF => "EBF",
        CtlBounded::ABF => "ABF",
        CtlBounded::EBG => "EBG",
        CtlBounded::ABG => "ABG",
    }
}

fn function_name(function: Function) -> &'static str {
    match function {
        Function::Bool => "bool",
        Function::Word1 => "word1",
        Function::ToInteger => "toint",
        Function::Signed => "signed",
        Function::Unsigned => "unsigned",
        Function::Extend => "extend",
        Function::Resize => "resize",
        Function::SizeOf => "sizeof",
        Function::UnsignedConstant => "uwconst",
        Function::SignedConstant => "swconst",
        Function::Count => "count",
        Function::Absolute => "abs",
        Function::Minimum => "min",
        Function::Maximum => "max",
    }
}

#[cfg(test)]
mod tests {
    use crate::ast::PropertyKind;
    use crate::parse::parse_property;
    use kernel::budget::Budget;
    use kernel::span::FileId;

    fn check(text: &str, expected: &str) {
        let (file, formula, diagnostics) =
            parse_property(FileId(0), text, PropertyKind::Ltl, &Budget::unlimited()).expect("no limit");
        assert_eq!(diagnostics, [], "{text}");
        let printed = super::expression(&file.tree, formula.expect("no diagnostics, hence a formula"));
        assert_eq!(printed, expected);
    }

    #[test]
    fn the_usual_layout() {
        check("AG AF s.state=get", "AG (AF s.state = get)");
        check("AG(s0 = t -> AF s0 = c)", "AG (s0 = t -> AF s0 = c)");
        check("AG !(a & b & !c)", "AG !((a & b) & !c)");
        check("!(a=b)", "!(a = b)");
        check("AG (c -> A [ c U !(c) & d ])", "AG (c -> A [ c U (!c & d) ])");
        check("r in a union b union c", "r in (a union b) union c");
        check("EF h[1] = 7", "EF h[1] = 7");
        check("EBF 0..4 p", "EBF 0..4 p");
        check("(n + 1) mod 3 = 2 * (n - 1)", "(n + 1) mod 3 = 2 * (n - 1)");
        check("(a = b) = (c < d) & e", "((a = b) = (c < d) & e)");
        check("-(w :: w) = (-w) :: w", "-(w :: w) = (-w) :: w");
        check("(w << 1)[1:0] = (w + v)[1:0]", "(w << 1)[1:0] = (w + v)[1:0]");
        check("(w :: w)[1:0] = (!w)[1:0]", "(w :: w)[1:0] = (!w)[1:0]");
        check("a[1][x + 1] = b.c[0]", "a[1][x + 1] = b.c[0]");
        check("-(-x) < 2", "-(-x) < 2");
    }

    #[test]
    fn the_layout_of_nusmv() {
        for (kind, text, expected) in [
            (PropertyKind::Ltl, "G F bit_1.carry_out", " G ( F bit_1.carry_out)"),
            (PropertyKind::Ltl, "!(G (p & q))", "!( G (p & q))"),
            (PropertyKind::Ltl, "G (request = Tr -> F state = busy)", " G (request = Tr ->  F state = busy)"),
            (PropertyKind::Ltl, "(G F x) -> F x", "( G ( F x) ->  F x)"),
            (PropertyKind::Ctl, "AG (c -> A [ c U !(c) & d ])", "AG (c -> A [ c U (!c & d) ] )"),
            (PropertyKind::Ctl, "AG (s = 6 -> r in {a, b, c})", "AG (s = 6 -> r in (a union b) union c)"),
            (PropertyKind::Ctl, "AG r in {a}", "AG r in a"),
            (PropertyKind::Psl, "always eventually! x", "always (eventually! (x))"),
            (PropertyKind::Psl, "G (F x) & always x", "( G ( F x) & always (x))"),
            (PropertyKind::Psl, "never (p & q)", "never ((p & q))"),
            (PropertyKind::Psl, "always !(p & q)", "always (!(p & q))"),
            (PropertyKind::Psl, "always (r -> eventually! b)", "always ((r -> eventually! (b)))"),
            (PropertyKind::Psl, "(always p) & next q", "( G p &  X q)"),
        ] {
            let (file, formula, diagnostics) =
                parse_property(FileId(0), text, kind, &Budget::unlimited()).expect("no limit");
            assert_eq!(diagnostics, [], "{text}");
            let formula = formula.expect("no diagnostics, hence a formula");
            assert_eq!(super::nusmv(&file.tree, formula, kind == PropertyKind::Psl), expected);
        }
    }

    #[test]
    fn temporal_operators_bind_tighter_than_connectives() {
        check("G p & q U r", "(G p & (q U r))");
        check("a -> b -> c", "(a -> (b -> c))");
        check("a <-> b <-> c", "((a <-> b) <-> c)");
        check("a | b & c xor d", "((a | (b & c)) xor d)");
        check("F x + 1 < y", "F x + 1 < y");
    }
}
