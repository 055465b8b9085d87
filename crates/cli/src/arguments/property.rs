//! The command line of `translate`, `formula` and `automaton`.

use super::statistics::stats_format;
use super::{Algorithm, Filters, Limits, PlainFormat, StatsFormat, named};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Which formulas, and how they are written.
#[derive(Debug, Args)]
pub(crate) struct FormulaArguments {
    /// LTL formulas
    #[arg(value_name = "FORMULA")]
    pub(crate) formulas: Vec<String>,
    /// Read formulas from this file, one per line; blank lines and `#` comments are ignored; `-` reads standard input
    #[arg(short = 'F', long, value_name = "FILE")]
    pub(crate) file: Vec<String>,
    /// The syntax of the formulas
    #[arg(long, value_enum, default_value_t = Syntax::Any)]
    pub(crate) syntax: Syntax,
}

/// The syntaxes of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Syntax {
    /// The first syntax that accepts the text; ambiguous formulas are refused
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

/// Assumptions about all words.
#[derive(Debug, Args)]
pub(crate) struct Constraints {
    /// Assume that at most one of these propositions holds at a time, such as `a,b,c`
    #[arg(long, value_name = "PROPOSITIONS")]
    pub(crate) exclusive: Vec<String>,
    /// Assume that this Boolean formula always holds
    #[arg(long, value_name = "FORMULA")]
    pub(crate) constraint: Vec<String>,
    /// Shorten labels as far as the assumptions allow
    #[arg(long)]
    pub(crate) simplify_labels: bool,
}

/// The file formats of automata.
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
    /// A drawing for LaTeX, as a complete document.
    Tikz,
    /// One JSON object per line, also for answers and statistics.
    Json,
}

/// The styles of never claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClaimStyle {
    /// With `if … fi`.
    If,
    /// With `do … od`.
    Do,
}

/// The output of automata.
#[derive(Clone, Debug, Args)]
pub(crate) struct AutomatonOutput {
    /// The output format of automata
    #[arg(long, value_enum, default_value_t = AutomatonFormat::Hoa)]
    pub(crate) format: AutomatonFormat,
    /// The style of never claims
    #[arg(long, value_enum, default_value_t = ClaimStyle::If, value_name = "STYLE")]
    pub(crate) claim_style: ClaimStyle,
    /// Print the size of each automaton instead of the automaton: as text, csv or json, or in a pattern such as
    /// `%f: %s states, %e edges`
    #[arg(
        long,
        value_name = "FORMAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "text",
        value_parser = stats_format
    )]
    pub(crate) stats: Option<StatsFormat>,
}

/// A construction of automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Construction {
    /// Couvreur's tableau with decision diagrams.
    Couvreur,
    /// The construction of Gastin and Oddoux, via very weak alternating automata.
    Go,
    /// The tableau of Gerth, Peled, Vardi and Wolper.
    Gpvw,
    /// A tableau of elementary subformulas; its lassos are as short as the words they accept.
    Tight,
}

/// The effort of the reductions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// Remove useless states and acceptance sets.
    Low,
    /// Also rewriting, simulation and minimal automata of obligations.
    Medium,
    /// Also merging of states by trial; the best of several results.
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
    /// The translation algorithm
    #[arg(long = "with", value_enum, default_value_t = Construction::Couvreur, value_name = "CONSTRUCTION")]
    pub(crate) construction: Construction,
    /// Produce several acceptance sets on transitions instead of one on states
    #[arg(long)]
    pub(crate) generalized: bool,
    /// Prefer few states (the default)
    #[arg(long, conflicts_with = "deterministic")]
    pub(crate) small: bool,
    /// Prefer a deterministic automaton if it has at most twice the edges of the smallest one
    #[arg(long)]
    pub(crate) deterministic: bool,
    /// The effort of the reductions
    #[arg(long, value_enum, default_value_t = Level::High)]
    pub(crate) level: Level,
    #[command(flatten)]
    pub(crate) filters: Filters,
    #[command(flatten)]
    pub(crate) output: AutomatonOutput,
    /// Also write a page with drawings of the automata to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Print the size after each stage to standard error
    #[arg(long)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

/// The notations in which formulas are printed.
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
    /// Convert the formulas to negation normal form
    #[arg(long)]
    pub(crate) nnf: bool,
    /// Simplify the formulas by the rules of docs/rules.md
    #[arg(long)]
    pub(crate) simplify: bool,
    /// Rename the propositions in order of occurrence
    #[arg(long, value_enum, value_name = "NAMES")]
    pub(crate) relabel: Option<Names>,
    /// Keep the formulas that are equivalent to this one
    #[arg(long, value_name = "FORMULA")]
    pub(crate) equivalent_to: Vec<String>,
    /// Keep the formulas that imply this one
    #[arg(long, value_name = "FORMULA")]
    pub(crate) implies: Vec<String>,
    /// Keep the formulas that hold on this word, such as `a; cycle{b; !a}`; unnamed propositions are false
    #[arg(long, value_name = "WORD")]
    pub(crate) accept_word: Vec<String>,
    /// Keep the formulas that do not hold on this word
    #[arg(long, value_name = "WORD")]
    pub(crate) reject_word: Vec<String>,
    #[command(flatten)]
    pub(crate) filters: Filters,
    /// Prove each answer, by a derivation or by a word that distinguishes two formulas
    #[arg(long)]
    pub(crate) explain: bool,
    /// Print the class from safety to reactivity, semantic and syntactic, and stutter invariance
    #[arg(long)]
    pub(crate) classify: bool,
    /// Print the number of operators and propositions
    #[arg(long)]
    pub(crate) size: bool,
    /// Print only the number of formulas
    #[arg(long)]
    pub(crate) count: bool,
    /// The output notation
    #[arg(long, value_enum, default_value_t = Notation::Spot, value_name = "NOTATION")]
    pub(crate) to: Notation,
    /// The output format
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub(crate) format: PlainFormat,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

/// `lariat automaton`
#[derive(Debug, Args)]
pub(crate) struct Automaton {
    /// Automata in HOA or LBTT format or as never claims, detected by content; `-` reads standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,
    /// Intersect with the automaton in this file, or with each of several
    #[arg(long, value_name = "FILE")]
    pub(crate) product: Option<String>,
    /// Unite with the automaton in this file, or with each of several
    #[arg(long, value_name = "FILE")]
    pub(crate) union: Option<String>,
    /// Complement the automaton
    #[arg(long)]
    pub(crate) complement: bool,
    #[command(flatten)]
    pub(crate) constraints: Constraints,
    /// Reduce the automaton
    #[arg(long)]
    pub(crate) simplify: bool,
    /// Reduce the automaton and determinise it if possible, whatever its size
    #[arg(long)]
    pub(crate) deterministic: bool,
    /// The effort of the reductions
    #[arg(long, value_enum, default_value_t = Level::High)]
    pub(crate) level: Level,
    /// Convert to one acceptance set on states
    #[arg(long)]
    pub(crate) degeneralize: bool,
    #[command(flatten)]
    pub(crate) filters: Filters,
    #[command(flatten)]
    pub(crate) output: AutomatonOutput,
    #[command(flatten)]
    pub(crate) questions: Questions,
    /// Print the strength (terminal, weak or strong) of each component
    #[arg(long, conflicts_with = "stats")]
    pub(crate) strength: bool,
    /// Print a shortest accepting lasso
    #[arg(long, conflicts_with_all = ["stats", "strength"])]
    pub(crate) shortest_lasso: bool,
    /// The search algorithm; the default finds a shortest lasso without degeneralisation
    #[arg(long, value_parser = named::algorithm(), requires = "shortest_lasso")]
    pub(crate) algorithm: Option<Algorithm>,
    /// Print the size after each reduction to standard error
    #[arg(long)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

/// Questions about automata. The exit code is 1 if an answer is no.
#[derive(Debug, Args)]
pub(crate) struct Questions {
    /// Is the language empty?
    #[arg(long)]
    pub(crate) is_empty: bool,
    /// Are all words accepted?
    #[arg(long)]
    pub(crate) is_universal: bool,
    /// Is the automaton deterministic?
    #[arg(long)]
    pub(crate) is_deterministic: bool,
    /// Does the automaton in this file accept the same words?
    #[arg(long, value_name = "FILE")]
    pub(crate) equivalent_to: Option<String>,
    /// Does the automaton in this file accept at least the same words?
    #[arg(long, value_name = "FILE")]
    pub(crate) included_in: Option<String>,
    /// Is the automaton in this file equal up to the numbering of states?
    #[arg(long, value_name = "FILE")]
    pub(crate) isomorphic_to: Option<String>,
    /// Is this word accepted? For example `a; cycle{b; !a}`; unnamed propositions are false
    #[arg(long, value_name = "WORD")]
    pub(crate) accept_word: Vec<String>,
    /// Is this word rejected?
    #[arg(long, value_name = "WORD")]
    pub(crate) reject_word: Vec<String>,
}
