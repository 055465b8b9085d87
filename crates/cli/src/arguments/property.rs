//! The command line of `translate`, `formula` and `automaton`.

use super::{Algorithm, PlainFormat, named};
use clap::{Args, ValueEnum};

/// Which formulas, and how they are written.
#[derive(Debug, Args)]
pub(crate) struct FormulaArguments {
    /// Formulas of linear temporal logic
    #[arg(value_name = "FORMULA")]
    pub(crate) formulas: Vec<String>,
    /// Read formulas from a file, one a line, without empty lines and lines that begin with `#`; `-` reads standard input
    #[arg(short = 'F', long, value_name = "FILE")]
    pub(crate) file: Vec<String>,
    /// How the formulas are written
    #[arg(long, value_enum, default_value_t = Syntax::Any)]
    pub(crate) syntax: Syntax,
}

/// How formulas are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Syntax {
    /// The first of the others that can read the text; refused where that changes what a part of it means
    Any,
    /// `G(a -> Fb)`
    Spot,
    /// `[](a -> <>b)`, as in an `ltl` block
    Spin,
    /// `G i a F b`
    Lbt,
    /// `G (a -> F b)`, with comparisons as propositions
    Nusmv,
}

/// What is known of all words, apart from the property.
#[derive(Debug, Args)]
pub(crate) struct Constraints {
    /// Use that at most one of these propositions holds at a time, such as `a,b,c`
    #[arg(long, value_name = "PROPOSITIONS")]
    pub(crate) exclusive: Vec<String>,
    /// Use that this Boolean formula holds at all times
    #[arg(long, value_name = "FORMULA")]
    pub(crate) constraint: Vec<String>,
    /// Make labels as short as what is known allows
    #[arg(long)]
    pub(crate) simplify_labels: bool,
}

/// How an automaton is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AutomatonFormat {
    /// Hanoi Omega-Automata, version 1.
    Hoa,
    /// A never claim for SPIN.
    Never,
    /// The format of lbtt.
    Lbtt,
    /// A drawing for Graphviz.
    Dot,
    /// One object a line; answers and statistics become JSON, too.
    Json,
}

/// How a never claim is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClaimStyle {
    /// With `if … fi`.
    If,
    /// With `do … od`.
    Do,
}

/// How automata come out.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct AutomatonOutput {
    /// How to write automata
    #[arg(long, value_enum, default_value_t = AutomatonFormat::Hoa)]
    pub(crate) format: AutomatonFormat,
    /// How to write never claims
    #[arg(long, value_enum, default_value_t = ClaimStyle::If, value_name = "STYLE")]
    pub(crate) claim_style: ClaimStyle,
    /// Show the size of each automaton instead of the automaton
    #[arg(long)]
    pub(crate) stats: bool,
}

/// A construction of automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Construction {
    /// A tableau with decision diagrams, after Couvreur.
    Couvreur,
    /// Gastin and Oddoux: by way of very weak alternating automata.
    Go,
    /// Gerth, Peled, Vardi and Wolper: the reference.
    Gpvw,
    /// Elementary subformulas, for runs as short as the words they read.
    Tight,
}

/// How much effort goes into small automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// Useless states and acceptance sets go.
    Low,
    /// Rewriting, simulation, minimal automata of obligations.
    Medium,
    /// Also merging by trial, and the best of several ways.
    High,
}

/// `lariat translate`
#[derive(Debug, Args)]
pub(crate) struct Translate {
    #[command(flatten)]
    pub(crate) input: FormulaArguments,
    /// Translate the negation
    #[arg(long)]
    pub(crate) negate: bool,
    #[command(flatten)]
    pub(crate) constraints: Constraints,
    /// The construction
    #[arg(long = "with", value_enum, default_value_t = Construction::Couvreur, value_name = "CONSTRUCTION")]
    pub(crate) construction: Construction,
    /// Several acceptance sets, on transitions, instead of one on states
    #[arg(long)]
    pub(crate) generalized: bool,
    /// Prefer few states; the default
    #[arg(long, conflicts_with = "deterministic")]
    pub(crate) small: bool,
    /// Prefer a deterministic automaton with at most twice the edges of the smallest one
    #[arg(long)]
    pub(crate) deterministic: bool,
    /// How much effort goes into reductions
    #[arg(long, value_enum, default_value_t = Level::High)]
    pub(crate) level: Level,
    #[command(flatten)]
    pub(crate) output: AutomatonOutput,
    /// Show the size after each step on standard error
    #[arg(long)]
    pub(crate) verbose: bool,
}

/// The notation formulas are printed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Notation {
    /// `G(a -> Fb)`
    Spot,
    /// `[](a -> <>b)`
    Spin,
    /// `G i "a" F "b"`
    Lbt,
    /// `G (a -> F b)`
    Nusmv,
    /// `G(a=1 -> F(b=1))`
    Wring,
    /// `□(a → ◇b)`
    Utf8,
    /// For math mode.
    Latex,
}

/// New names for propositions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Names {
    /// `a`, `b`, `c`, …
    Abc,
    /// `p0`, `p1`, `p2`, …
    Pnn,
}

/// `lariat formula`
#[derive(Debug, Args)]
pub(crate) struct Formula {
    #[command(flatten)]
    pub(crate) input: FormulaArguments,
    /// Negate the formulas
    #[arg(long)]
    pub(crate) negate: bool,
    #[command(flatten)]
    pub(crate) constraints: Constraints,
    /// Bring them into negation normal form
    #[arg(long)]
    pub(crate) nnf: bool,
    /// Simplify them by all rules of docs/rules.md
    #[arg(long)]
    pub(crate) simplify: bool,
    /// Rename the propositions, in the order in which they occur
    #[arg(long, value_enum, value_name = "NAMES")]
    pub(crate) relabel: Option<Names>,
    /// Keep formulas that have the same models as this one
    #[arg(long, value_name = "FORMULA")]
    pub(crate) equivalent_to: Vec<String>,
    /// Keep formulas that imply this one
    #[arg(long, value_name = "FORMULA")]
    pub(crate) implies: Vec<String>,
    /// Keep formulas that hold on this word, such as `a; cycle{b; !a}`; what it leaves open is false
    #[arg(long, value_name = "WORD")]
    pub(crate) accept_word: Vec<String>,
    /// Keep formulas that do not hold on this word
    #[arg(long, value_name = "WORD")]
    pub(crate) reject_word: Vec<String>,
    /// Prove each answer: steps down to single letters, or a word that tells two formulas apart
    #[arg(long)]
    pub(crate) explain: bool,
    /// Tell the class, from safety to reactivity, by meaning and by shape, and whether stuttering matters
    #[arg(long)]
    pub(crate) classify: bool,
    /// Tell the number of operators and propositions
    #[arg(long)]
    pub(crate) size: bool,
    /// Show only how many formulas there are
    #[arg(long)]
    pub(crate) count: bool,
    /// The notation to print in
    #[arg(long, value_enum, default_value_t = Notation::Spot, value_name = "NOTATION")]
    pub(crate) to: Notation,
    /// How to report
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub(crate) format: PlainFormat,
}

/// `lariat automaton`
#[derive(Debug, Args)]
pub(crate) struct Automaton {
    /// Automata in HOA, lbtt or as never claims, found out by content; `-` reads standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,
    /// Take the intersection with the automaton in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) product: Option<String>,
    /// Take the union with the automaton in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) union: Option<String>,
    /// Take the complement
    #[arg(long)]
    pub(crate) complement: bool,
    #[command(flatten)]
    pub(crate) constraints: Constraints,
    /// Reduce the automaton
    #[arg(long)]
    pub(crate) simplify: bool,
    /// Reduce the automaton, and make it deterministic, whatever its size, where a way is found
    #[arg(long)]
    pub(crate) deterministic: bool,
    /// How much effort goes into reductions
    #[arg(long, value_enum, default_value_t = Level::High)]
    pub(crate) level: Level,
    /// One acceptance set, on states
    #[arg(long)]
    pub(crate) degeneralize: bool,
    #[command(flatten)]
    pub(crate) output: AutomatonOutput,
    #[command(flatten)]
    pub(crate) questions: Questions,
    /// Tell the strength: terminal, weak or strong, for each component
    #[arg(long, conflicts_with = "stats")]
    pub(crate) strength: bool,
    /// Show a shortest accepting lasso
    #[arg(long, conflicts_with_all = ["stats", "strength"])]
    pub(crate) shortest_lasso: bool,
    /// The search for the lasso; by default one that finds the shortest and takes the acceptance as it is
    #[arg(long, value_parser = named::algorithm(), requires = "shortest_lasso")]
    pub(crate) algorithm: Option<Algorithm>,
    /// Show the size after each step of a reduction on standard error
    #[arg(long)]
    pub(crate) verbose: bool,
}

/// What to ask of automata; the exit code is 1 if an answer is no.
#[derive(Debug, Args)]
pub(crate) struct Questions {
    /// Ask whether no word is accepted
    #[arg(long)]
    pub(crate) is_empty: bool,
    /// Ask whether all words are accepted
    #[arg(long)]
    pub(crate) is_universal: bool,
    /// Ask whether no state has a choice
    #[arg(long)]
    pub(crate) is_deterministic: bool,
    /// Ask whether the automaton in this file accepts the same words
    #[arg(long, value_name = "FILE")]
    pub(crate) equivalent_to: Option<String>,
    /// Ask whether the automaton in this file accepts at least the same words
    #[arg(long, value_name = "FILE")]
    pub(crate) included_in: Option<String>,
    /// Ask whether the automaton in this file is the same up to the numbers of states
    #[arg(long, value_name = "FILE")]
    pub(crate) isomorphic_to: Option<String>,
    /// Ask whether this word is accepted, such as `a; cycle{b; !a}`; what it leaves open is false
    #[arg(long, value_name = "WORD")]
    pub(crate) accept_word: Vec<String>,
    /// Ask whether this word is rejected
    #[arg(long, value_name = "WORD")]
    pub(crate) reject_word: Vec<String>,
}
