//! Tokens to the tree of [`ast`](crate::ast): hand-written descent, one function per production.
//!
//! Contract: fails only where a limit is exhausted, and never panics; gives a tree and all diagnostics at once. After a mistake the parser skips to
//! the next `;` or to the next section, so one mistake hides little of what follows. Nesting is limited by
//! [`DEPTH_LIMIT`](crate::ast::DEPTH_LIMIT) with a diagnostic of its own. Sections and modules are here, types in
//! `declaration`, expressions in `expression`.
//!
//! Tested beside each production, by the mistakes of `symbolic/tests/mistakes.rs`, and by damaged texts (the target `smv-text` of
//! `fuzz`).

mod declaration;
mod expression;
mod habit;
mod psl;
mod sequence;

use std::collections::BTreeSet;

use kernel::budget::{Budget, Exhausted};
use kernel::diagnostic::Diagnostic;
use kernel::span::{FileId, Span};

use crate::ast::{
    AssignmentDeclaration, AssignmentKind, ConstraintKind, ExprId, File, Item, Module, Named, PropertyKind,
    VariableKind,
};
use crate::codes;
use crate::lex::{self, SECTIONS, Token, TokenKind};
use kernel::near::nearest;

/// The tree of a text, and diagnostics about every mistake in it.
///
/// # Errors
/// The limit of the budget that was exhausted.
pub fn parse(file: FileId, text: &str, budget: &Budget) -> Result<(File, Vec<Diagnostic>), Exhausted> {
    let (tokens, diagnostics) = lex::lex(file, text, budget)?;
    let mut parser = Parser::new(tokens, diagnostics, budget);
    let mut modules = Vec::new();
    while parser.peek().kind != TokenKind::End {
        match parser.module() {
            Ok(module) => modules.push(module),
            Err(Abort) => parser.skip_until(|token| token.is("MODULE")),
        }
    }
    budget.check_now(0)?;
    parser.file.modules = modules;
    Ok((parser.file, parser.diagnostics))
}

/// The tree of one property on its own, and diagnostics about it.
///
/// # Errors
/// The limit of the budget that was exhausted.
pub fn parse_property(
    file: FileId,
    text: &str,
    kind: PropertyKind,
    budget: &Budget,
) -> Result<(File, Option<ExprId>, Vec<Diagnostic>), Exhausted> {
    let mut tree = File::default();
    let (formula, diagnostics) = add_property(&mut tree, file, text, kind, budget)?;
    Ok((tree, formula, diagnostics))
}

/// Parses one property and adds its expressions to the tree of another text. Returns the property, if it could be read,
/// and the diagnostics about it.
///
/// # Errors
/// The limit of the budget that was exhausted.
pub fn add_property(
    tree: &mut File,
    file: FileId,
    text: &str,
    kind: PropertyKind,
    budget: &Budget,
) -> Result<(Option<ExprId>, Vec<Diagnostic>), Exhausted> {
    let (tokens, diagnostics) = lex::lex(file, text, budget)?;
    let mut parser = Parser::new(tokens, diagnostics, budget);
    parser.file = std::mem::take(tree);
    let formula = parser.formula(kind).and_then(|formula| {
        parser.accept(";");
        if parser.peek().kind == TokenKind::End {
            Ok(formula)
        } else {
            Err(parser.unexpected("the end of the formula"))
        }
    });
    *tree = parser.file;
    budget.check_now(0)?;
    Ok((formula.ok(), parser.diagnostics))
}

/// Parses `MIN [ from , to ]` or `MAX [ from , to ]` and adds it to the tree of another text. Returns the item, if it could
/// be read, and the diagnostics about it.
///
/// # Errors
/// The limit of the budget that was exhausted.
pub fn add_compute(
    tree: &mut File,
    file: FileId,
    text: &str,
    budget: &Budget,
) -> Result<(Option<Item>, Vec<Diagnostic>), Exhausted> {
    let (tokens, diagnostics) = lex::lex(file, text, budget)?;
    let mut parser = Parser::new(tokens, diagnostics, budget);
    parser.file = std::mem::take(tree);
    let item = parser.compute().and_then(|item| {
        if parser.peek().kind == TokenKind::End {
            Ok(item)
        } else {
            Err(parser.unexpected("the end of the expression"))
        }
    });
    *tree = parser.file;
    budget.check_now(0)?;
    Ok((item.ok(), parser.diagnostics))
}

/// What was to be parsed is not there; a diagnostic has been recorded.
#[derive(Clone, Copy, Debug)]
struct Abort;

type Parsed<T> = Result<T, Abort>;

struct Parser<'t> {
    budget: &'t Budget,
    tokens: Vec<Token<'t>>,
    at: usize,
    file: File,
    diagnostics: Vec<Diagnostic>,
    /// How many expressions are being parsed, one inside the other.
    depth: u32,
    /// Whether the words and operators of PSL are recognised.
    psl: bool,
    /// Whether `U` ends the expression at hand, as between the brackets of `A [ p U q ]`.
    until_ends: bool,
    /// The names that `forall` binds, and their values.
    replicas: Vec<(String, ExprId)>,
    /// The parts to which sequences of PSL unfolded, and how many sequences are being parsed, one inside the other.
    unfolded: usize,
    sequences: u32,
    /// The chain that the next operator of its kind continues.
    open_chain: Option<ExprId>,
    /// Words of the language that the text uses as names, and that were reported.
    misused: BTreeSet<&'t str>,
}

impl<'t> Parser<'t> {
    fn new(tokens: Vec<Token<'t>>, diagnostics: Vec<Diagnostic>, budget: &'t Budget) -> Self {
        Parser {
            budget,
            tokens,
            at: 0,
            file: File::default(),
            diagnostics,
            depth: 0,
            psl: false,
            until_ends: false,
            replicas: Vec::new(),
            unfolded: 0,
            sequences: 0,
            open_chain: None,
            misused: BTreeSet::new(),
        }
    }

    fn peek(&self) -> Token<'t> {
        self.tokens[self.at]
    }

    fn next(&mut self) -> Token<'t> {
        // Where a limit is exhausted, the text ends; the caller reports the limit.
        if self.budget.check().is_err() {
            self.at = self.tokens.len() - 1;
        }
        let token = self.tokens[self.at];
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    /// The span of the token consumed last.
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.peek().is(text);
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, text: &str) -> Parsed<Span> {
        if self.peek().is(text) {
            return Ok(self.next().span);
        }
        Err(self.unexpected(&format!("`{text}`")))
    }

    /// Like `expect`, with a label where the open bracket stands.
    fn close(&mut self, text: &str, open: Span) -> Parsed<Span> {
        if self.peek().is(text) {
            return Ok(self.next().span);
        }
        let found = self.describe();
        let finding = Diagnostic::error(codes::UNCLOSED, self.peek().span, format!("expected `{text}`, found {found}"))
            .here(format!("`{text}` is missing before this"))
            .label(open, "opened here");
        self.diagnostics.push(finding);
        Err(Abort)
    }

    fn describe(&self) -> String {
        match self.peek().kind {
            TokenKind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.peek().text),
        }
    }

    /// Whether a name stands directly behind a number, as in `0hF`.
    fn follows_a_number(&self, token: &Token<'_>) -> bool {
        let before = &self.tokens[self.at.saturating_sub(1)];
        token.kind == TokenKind::Identifier && before.kind == TokenKind::Number && before.span.hi == token.span.lo
    }

    /// Records that something else was expected. A word of the language that is used as a name is reported once.
    fn unexpected(&mut self, expected: &str) -> Abort {
        let token = self.peek();
        let before = self.at.checked_sub(1).map(|at| self.tokens[at]);
        let is_word = |token: &Token<'_>| token.kind == TokenKind::Keyword && self.misused.contains(&token.text);
        if is_word(&token) || before.is_some_and(|before| is_word(&before)) {
            return Abort;
        }
        let mut finding =
            Diagnostic::error(codes::UNEXPECTED, token.span, format!("expected {expected}, found {}", self.describe()))
                .here(format!("expected {expected}"));
        if let Some(habit) = self.habit(expected) {
            finding = finding.hint(habit);
        } else if token.is("=") && expected == "`:=`" {
            finding = finding.hint("an assignment is written `:=`");
        } else if self.follows_a_number(&token) {
            finding = finding.hint("a word constant is written with its base and width, such as `0h4_F` or `0ud8_255`");
        } else if token.kind == TokenKind::Identifier
            && let Some(keyword) = nearest(token.text, lex::KEYWORDS.iter().copied().filter(|word| word.len() > 1))
        {
            finding = finding.hint(format!("did you mean `{keyword}`?"));
        } else if token.kind == TokenKind::Keyword
            && !at_section(&token)
            && (expected.contains("name") || expected == "an expression" && token.text != "esac")
        {
            finding = finding.note(format!("`{}` is a word of the language and cannot name anything", token.text));
            self.misused.insert(token.text);
        }
        self.diagnostics.push(finding);
        Abort
    }

    fn skip_until(&mut self, stop: impl Fn(&Token<'_>) -> bool) {
        while self.peek().kind != TokenKind::End && !stop(&self.peek()) {
            self.next();
        }
    }

    /// After a mistake: to behind the next `;`, or to the next section.
    fn recover(&mut self) {
        self.depth = 0;
        self.until_ends = false;
        self.skip_until(|token| token.is(";") || at_section(token));
        self.accept(";");
    }

    fn named(&mut self, what: &str) -> Parsed<Named> {
        if self.peek().kind != TokenKind::Identifier {
            return Err(self.unexpected(what));
        }
        let token = self.next();
        Ok(Named { name: token.text.to_owned(), span: token.span })
    }

    fn module(&mut self) -> Parsed<Module> {
        self.expect("MODULE")?;
        let name = self.named("the name of the module")?;
        let mut parameters = Vec::new();
        if self.peek().is("(") {
            let open = self.next().span;
            while !self.peek().is(")") {
                parameters.push(self.named("the name of a parameter")?);
                if !self.accept(",") {
                    break;
                }
            }
            self.close(")", open)?;
        }
        let mut items = Vec::new();
        while self.peek().kind != TokenKind::End && !self.peek().is("MODULE") {
            match self.item() {
                Ok(item) => items.push(item),
                Err(Abort) => self.recover(),
            }
        }
        Ok(Module { name, parameters, items })
    }

    fn item(&mut self) -> Parsed<Item> {
        let token = self.peek();
        if !at_section(&token) {
            return Err(self.unexpected("a section such as VAR, ASSIGN or SPEC"));
        }
        self.next();
        match token.text {
            "VAR" => Ok(Item::Variables(VariableKind::State, self.list(Self::variable))),
            "IVAR" => Ok(Item::Variables(VariableKind::Input, self.list(Self::variable))),
            "FROZENVAR" => Ok(Item::Variables(VariableKind::Frozen, self.list(Self::variable))),
            "DEFINE" => Ok(Item::Defines(self.list(Self::define))),
            "ASSIGN" => Ok(Item::Assignments(self.list(Self::assignment))),
            "CONSTANTS" => self.constants(),
            "INIT" => self.constraint(ConstraintKind::Init),
            "INVAR" => self.constraint(ConstraintKind::Invar),
            "TRANS" => self.constraint(ConstraintKind::Trans),
            "FAIRNESS" | "JUSTICE" => self.constraint(ConstraintKind::Justice),
            "COMPASSION" => self.compassion(),
            "SPEC" | "CTLSPEC" => self.property(PropertyKind::Ctl),
            "LTLSPEC" => self.property(PropertyKind::Ltl),
            "INVARSPEC" => self.property(PropertyKind::Invariant),
            "PSLSPEC" => self.property(PropertyKind::Psl),
            "COMPUTE" => self.compute(),
            "ISA" => {
                let module = self.named("the name of a module")?;
                self.accept(";");
                Ok(Item::Isa(module))
            }
            word => {
                let message = format!("`{word}` is not supported");
                self.diagnostics.push(Diagnostic::error(codes::UNSUPPORTED, token.span, message).here("refused"));
                Err(Abort)
            }
        }
    }

    /// Declarations up to the next section, each ended by `;`.
    fn list<T>(&mut self, mut element: impl FnMut(&mut Self) -> Parsed<T>) -> Vec<T> {
        let mut elements = Vec::new();
        while self.peek().kind != TokenKind::End && !at_section(&self.peek()) {
            match element(self) {
                Ok(element) => elements.push(element),
                Err(Abort) => self.recover(),
            }
        }
        elements
    }

    /// The `;` after a declaration. Where it is missing the parser goes on as if it were there.
    fn end_declaration(&mut self) {
        if self.accept(";") {
            return;
        }
        let finding =
            Diagnostic::error(codes::UNEXPECTED, self.last_span(), format!("expected `;`, found {}", self.describe()))
                .here("`;` is missing after this");
        let habit = self.habit("`;`");
        self.diagnostics.push(if let Some(habit) = habit { finding.hint(habit) } else { finding });
        if habit.is_some() {
            self.recover();
            return;
        }
        // Without a name that can begin the next declaration, going on would only repeat the mistake.
        if !matches!(self.peek().kind, TokenKind::Identifier | TokenKind::End) && !at_section(&self.peek()) {
            self.recover();
        }
    }

    fn define(&mut self) -> Parsed<(ExprId, ExprId)> {
        let target = self.path()?;
        self.expect(":=")?;
        let body = self.expression()?;
        self.end_declaration();
        Ok((target, body))
    }

    fn assignment(&mut self) -> Parsed<AssignmentDeclaration> {
        let kind = match self.peek().text {
            "init" => AssignmentKind::Init,
            "next" => AssignmentKind::Next,
            _ => AssignmentKind::Always,
        };
        let target = if kind == AssignmentKind::Always {
            self.path()?
        } else {
            self.next();
            let open = self.expect("(")?;
            let target = self.path()?;
            self.close(")", open)?;
            target
        };
        self.expect(":=")?;
        let value = self.expression()?;
        self.end_declaration();
        Ok(AssignmentDeclaration { kind, target, value })
    }

    fn constants(&mut self) -> Parsed<Item> {
        let mut names = vec![self.named("the name of a constant")?];
        while self.accept(",") {
            names.push(self.named("the name of a constant")?);
        }
        self.end_section()?;
        Ok(Item::Constants(names))
    }

    /// The optional `;` after a section that holds one thing, and then a section or the end.
    fn end_section(&mut self) -> Parsed<()> {
        self.accept(";");
        if self.peek().kind == TokenKind::End || at_section(&self.peek()) {
            Ok(())
        } else {
            Err(self.unexpected("an operator, `;` or the next section"))
        }
    }

    fn constraint(&mut self, kind: ConstraintKind) -> Parsed<Item> {
        let constraint = self.expression()?;
        self.end_section()?;
        Ok(Item::Constraint(kind, constraint))
    }

    fn compassion(&mut self) -> Parsed<Item> {
        let open = self.expect("(")?;
        let often = self.expression()?;
        self.expect(",")?;
        let then_often = self.expression()?;
        self.close(")", open)?;
        self.end_section()?;
        Ok(Item::Compassion(often, then_often))
    }

    fn property_name(&mut self) -> Parsed<Option<Named>> {
        if !self.accept("NAME") {
            return Ok(None);
        }
        let name = self.named("the name of the property")?;
        self.expect(":=")?;
        Ok(Some(name))
    }

    fn property(&mut self, kind: PropertyKind) -> Parsed<Item> {
        let name = self.property_name()?;
        let formula = self.formula(kind)?;
        self.end_section()?;
        Ok(Item::Property(kind, name, formula))
    }

    fn formula(&mut self, kind: PropertyKind) -> Parsed<ExprId> {
        self.psl = kind == PropertyKind::Psl;
        let formula = if self.psl { self.psl_property() } else { self.expression() };
        self.psl = false;
        formula
    }

    fn compute(&mut self) -> Parsed<Item> {
        let name = self.property_name()?;
        let longest = self.peek().is("MAX");
        if !longest && !self.peek().is("MIN") {
            return Err(self.unexpected("`MIN` or `MAX`"));
        }
        self.next();
        let open = self.expect("[")?;
        let from = self.expression()?;
        self.expect(",")?;
        let to = self.expression()?;
        self.close("]", open)?;
        self.end_section()?;
        Ok(Item::Compute(longest, name, from, to))
    }
}

fn at_section(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Keyword && SECTIONS.contains(&token.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The codes of a text's diagnostics, and how many items its modules have.
    fn check(text: &str, items: &[usize], codes: &[&str]) {
        let (file, diagnostics) = parse(FileId(0), text, &Budget::unlimited()).expect("no limit");
        assert_eq!(diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), codes, "{text}: {diagnostics:#?}");
        assert_eq!(file.modules.iter().map(|module| module.items.len()).collect::<Vec<_>>(), items, "{text}");
    }

    #[test]
    fn sections_in_any_order() {
        check("MODULE main VAR x : boolean; ASSIGN init(x) := TRUE; next(x) := !x; SPEC AG x", &[3], &[]);
        check(
            "MODULE m(a, b) FAIRNESS a; MODULE main VAR k : process m(x, y.z[1]); INIT TRUE TRANS FALSE;",
            &[1, 3],
            &[],
        );
        check("MODULE main DEFINE left.ack := q.out; d := [1, 2]; CONSTANTS a, b; COMPASSION (a, b)", &[3], &[]);
        check("MODULE main CTLSPEC NAME p := AG x; COMPUTE NAME q := MAX [a, b] ISA other", &[3], &[]);
        check(
            "MODULE main INVAR a SPEC A [ p U q ] LTLSPEC p U q & G r PSLSPEC always (a -> eventually! b);",
            &[4],
            &[],
        );
    }

    #[test]
    fn a_mistake_hides_little() {
        check("MODULE main VAR x : ; y : boolean; z = 3; SPEC AG (x", &[1], &["S0101", "S0101", "S0102"]);
        check("MODULE main ASSIGN init(x) = 0; next(x) := 1;", &[1], &["S0101"]);
        check("MODULE main VAR x : boolean y : boolean; MODULE 3 MODULE n", &[1, 0], &["S0101", "S0101"]);
        check("MODULE main GOTO x; INIT TRUE", &[1], &["S0106"]);
        check("VAR x : boolean;", &[], &["S0101"]);
    }
}
