//! The spellings of operators, one table a notation.

use super::Notation;

/// How a notation writes constants and operators, with the blanks around them.
pub(super) struct Spelling {
    pub(super) truth: &'static str,
    pub(super) falsehood: &'static str,
    pub(super) not: &'static str,
    pub(super) and: &'static str,
    pub(super) or: &'static str,
    pub(super) xor: Option<&'static str>,
    pub(super) implies: &'static str,
    pub(super) iff: &'static str,
    pub(super) next: &'static str,
    pub(super) eventually: &'static str,
    pub(super) always: &'static str,
    pub(super) until: &'static str,
    pub(super) release: &'static str,
    pub(super) weak_until: Option<&'static str>,
    pub(super) strong_release: Option<&'static str>,
    /// The operators of the past; the letters of NuSMV where the notation has none.
    pub(super) past: &'static Past,
}

/// How a notation writes the operators of the past.
pub(super) struct Past {
    pub(super) previously: &'static str,
    pub(super) weak_previously: &'static str,
    pub(super) once: &'static str,
    pub(super) historically: &'static str,
    pub(super) since: &'static str,
    pub(super) triggered: &'static str,
}

const LETTERS: Past =
    Past { previously: "Y ", weak_previously: "Z ", once: "O ", historically: "H ", since: " S ", triggered: " T " };

const PREFIX_LETTERS: Past = Past { since: "S ", triggered: "T ", ..LETTERS };

const LATEX_LETTERS: Past = Past {
    previously: "\\mathsf{Y}\\,",
    weak_previously: "\\mathsf{Z}\\,",
    once: "\\mathsf{O}\\,",
    historically: "\\mathsf{H}\\,",
    since: " \\mathbin{\\mathsf{S}} ",
    triggered: " \\mathbin{\\mathsf{T}} ",
};

pub(super) fn spelling(notation: Notation) -> &'static Spelling {
    match notation {
        Notation::Spot => &SPOT,
        Notation::Spin => &SPIN,
        Notation::NuSmv => &NUSMV,
        Notation::Lbt => &LBT,
        Notation::Utf8 => &UTF8,
        Notation::Latex => &LATEX,
        Notation::Wring => &WRING,
    }
}

const SPOT: Spelling = Spelling {
    truth: "1",
    falsehood: "0",
    not: "!",
    and: " & ",
    or: " | ",
    xor: Some(" xor "),
    implies: " -> ",
    iff: " <-> ",
    next: "X",
    eventually: "F",
    always: "G",
    until: " U ",
    release: " R ",
    weak_until: Some(" W "),
    strong_release: Some(" M "),
    past: &LETTERS,
};

const SPIN: Spelling = Spelling {
    truth: "true",
    falsehood: "false",
    not: "!",
    and: " && ",
    or: " || ",
    xor: None,
    implies: " -> ",
    iff: " <-> ",
    next: "X ",
    eventually: "<>",
    always: "[]",
    until: " U ",
    release: " V ",
    weak_until: None,
    strong_release: None,
    past: &LETTERS,
};

const NUSMV: Spelling = Spelling {
    truth: "TRUE",
    falsehood: "FALSE",
    not: "!",
    and: " & ",
    or: " | ",
    xor: Some(" xor "),
    implies: " -> ",
    iff: " <-> ",
    next: "X ",
    eventually: "F ",
    always: "G ",
    until: " U ",
    release: " V ",
    weak_until: None,
    strong_release: None,
    past: &LETTERS,
};

const LBT: Spelling = Spelling {
    truth: "t",
    falsehood: "f",
    not: "! ",
    and: "& ",
    or: "| ",
    xor: Some("^ "),
    implies: "i ",
    iff: "e ",
    next: "X ",
    eventually: "F ",
    always: "G ",
    until: "U ",
    release: "V ",
    weak_until: Some("W "),
    strong_release: Some("M "),
    past: &PREFIX_LETTERS,
};

const UTF8: Spelling = Spelling {
    truth: "⊤",
    falsehood: "⊥",
    not: "¬",
    and: " ∧ ",
    or: " ∨ ",
    xor: Some(" ⊕ "),
    implies: " → ",
    iff: " ↔ ",
    next: "○",
    eventually: "◇",
    always: "□",
    until: " U ",
    release: " R ",
    weak_until: Some(" W "),
    strong_release: Some(" M "),
    past: &LETTERS,
};

const LATEX: Spelling = Spelling {
    truth: "\\top",
    falsehood: "\\bot",
    not: "\\lnot ",
    and: " \\land ",
    or: " \\lor ",
    xor: Some(" \\oplus "),
    implies: " \\rightarrow ",
    iff: " \\leftrightarrow ",
    next: "\\mathsf{X}\\,",
    eventually: "\\mathsf{F}\\,",
    always: "\\mathsf{G}\\,",
    until: " \\mathbin{\\mathsf{U}} ",
    release: " \\mathbin{\\mathsf{R}} ",
    weak_until: Some(" \\mathbin{\\mathsf{W}} "),
    strong_release: Some(" \\mathbin{\\mathsf{M}} "),
    past: &LATEX_LETTERS,
};

const WRING: Spelling = Spelling {
    truth: "TRUE",
    falsehood: "FALSE",
    not: "!",
    and: " * ",
    or: " + ",
    xor: Some(" ^ "),
    implies: " -> ",
    iff: " <-> ",
    next: "X",
    eventually: "F",
    always: "G",
    until: " U ",
    release: " R ",
    weak_until: None,
    strong_release: None,
    past: &LETTERS,
};
