//! Inputs that once made a stage ignore its limits, written into a folder: each is small, and each would take minutes or
//! gigabytes without limits.

use std::fs;
use std::path::{Path, PathBuf};

/// An input and the command that reads it.
#[derive(Clone, Debug)]
pub struct Case {
    /// A name for reports.
    pub name: String,
    /// The arguments of `lariat` without limits.
    pub arguments: Vec<String>,
}

impl Case {
    /// `lariat check FILE`.
    fn check(name: &str, file: &Path) -> Self {
        let arguments = ["check", "--no-save", &file.display().to_string()].map(str::to_owned).to_vec();
        Self { name: name.into(), arguments }
    }
}

/// Writes all inputs into a folder.
///
/// # Panics
/// If a file cannot be written.
#[must_use]
pub fn cases(folder: &Path) -> Vec<Case> {
    let write = |name: &str, text: String| -> PathBuf {
        let path = folder.join(name);
        fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        path
    };
    let mut cases = Vec::new();
    let mut check = |name: &str, text: String| cases.push(Case::check(name, &write(name, text)));
    for (name, text) in promela() {
        check(name, text);
    }
    for (name, text) in smv() {
        check(name, text);
    }
    cases.extend(tools(folder));
    includes(folder);
    cases.push(Case::check("includes", &folder.join("include-7.pml")));
    cases
}

/// Promela models.
fn promela() -> Vec<(&'static str, String)> {
    let counter = "int x;\nactive proctype P() { do :: x = (x + 1) % 12 od }\n";
    let gotos: String = (0..20_000).map(|line| format!("L{line}: goto L{};\n", line + 1)).collect();
    let blocks: String = (0..3_000).map(|number| format!("ltl p{number} {{ [] (x != {}) }}\n", number + 50)).collect();
    let strong: Vec<String> = (0..12).map(|i| format!("([]<>(x=={i}) -> []<>(x=={}))", i + 100)).collect();
    let often: Vec<String> = (0..20).map(|i| format!("[]<>(x=={i})")).collect();
    let nested = (0..300).fold("(x==1)".to_owned(), |formula, i| format!("({formula} U (x=={}))", i % 12));
    let states: String =
        (0..20_000).map(|i| format!("T{i}: if :: (x == {}) -> goto T{} fi;\n", i % 12, (i + 1) % 20_000)).collect();
    let terms = vec!["x == 1"; 10_000].join(" || ");
    vec![
        ("gotos.pml", format!("active proctype P() {{\n{gotos}L20000: skip\n}}\n")),
        ("ltl-blocks.pml", format!("{counter}{blocks}")),
        ("strong-fairness.pml", format!("{counter}ltl p {{ !({}) }}\n", strong.join(" && "))),
        ("recurrences.pml", format!("{counter}ltl p {{ ({}) -> <>(x==77) }}\n", often.join(" && "))),
        ("nested-until.pml", format!("{counter}ltl p {{ {nested} }}\n")),
        ("long-claim.pml", format!("{counter}never {{\n{states}}}\n")),
        ("long-disjunction.pml", format!("{counter}active proctype Q() {{ {terms} }}\n")),
        (
            "long-d-step.pml",
            "int x;\nactive proctype P() { do :: d_step { do :: x < 900000 -> x++ :: x >= 900000 -> break od }; \
             d_step { x = 0 }; skip od }\nactive [4] proctype Q() { byte y; do :: y++ od }\n"
                .into(),
        ),
        (
            "deep-violation.pml",
            "int x;\nactive proctype P() { do :: x < 800000 -> x++ :: x == 800000 -> assert(false) od }\n".into(),
        ),
        ("channels.pml", "chan c[60000] = [1] of { byte };\nactive proctype P() { c[0]!1; assert(false) }\n".into()),
        ("processes.pml", "proctype Q() { false }\ninit { do :: run Q() od }\n".into()),
    ]
}

/// SMV models.
fn smv() -> Vec<(&'static str, String)> {
    let lines: String = (0..25_000).map(|i| format!("  d{i} := x + {};\n", i % 7)).collect();
    let branches: String = (0..5_000).map(|i| format!("    x = {i} : {};\n", (i * 7 + 1) % 5_000)).collect();
    let links: String = (0..20_000).map(|i| format!("  d{} := !d{i};\n", i + 1)).collect();
    let small = "MODULE main\nVAR x : boolean;\nASSIGN init(x) := FALSE; next(x) := !x;\n";
    vec![
        ("many-lines.smv", format!("MODULE main\nVAR x : 0..7;\nDEFINE\n{lines}\nINVARSPEC d24999 >= 0\n")),
        ("large-array.smv", "MODULE main\nVAR a : array 0..1000000 of boolean;\nINVARSPEC a[0]\n".into()),
        (
            "long-case.smv",
            format!(
                "MODULE main\nVAR x : 0..5000;\nASSIGN init(x) := 0; next(x) := case\n{branches}    TRUE : 0;\n  esac;\n\
                 CTLSPEC AG (x != 4999)\n"
            ),
        ),
        ("bounded-always.smv", format!("{small}CTLSPEC ABF 0..1000000000 x\nCTLSPEC EBG 0..2000000000 x\n")),
        (
            "define-chain.smv",
            format!("MODULE main\nVAR x : boolean;\nDEFINE d0 := x;\n{links}\nINVARSPEC d20000 | !d20000\n"),
        ),
        (
            "product.smv",
            "MODULE main\nVAR w : word[32]; v : word[32];\nASSIGN next(w) := w * v + 0ud32_7; next(v) := v + w;\n\
             INVARSPEC w != 0ud32_123456\n"
                .into(),
        ),
    ]
}

/// Formulas and automata for the other commands.
fn tools(folder: &Path) -> Vec<Case> {
    let strong: Vec<String> = (0..12).map(|i| format!("(G F a{i} -> G F b{i})")).collect();
    let strong = format!("!({})", strong.join(" & "));
    let names: Vec<String> = (0..64).map(|i| format!("\"p{i}\"")).collect();
    let pairs: Vec<String> = (0..32).map(|i| format!("({}|{})", 2 * i, 2 * i + 1)).collect();
    let wide = format!(
        "HOA: v1\nStates: 1\nStart: 0\nAP: 64 {}\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0 {{0}}\n\
         [{}] 0\n--END--\n",
        names.join(" "),
        pairs.join("&")
    );
    let sets: Vec<String> = (0..60).map(|set| format!("Inf({set})")).collect();
    let numbers: Vec<String> = (0..59).map(|set| set.to_string()).collect();
    let many = format!(
        "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"p\"\nAcceptance: 60 {}\n--BODY--\nState: 0\n[0] 0 {{{}}}\n[!0] 1 {{59}}\n\
         State: 1\n[t] 0\n--END--\n",
        sets.join("&"),
        numbers.join(" ")
    );
    let file = |name: &str, text: String| -> String {
        let path = folder.join(name);
        fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        path.display().to_string()
    };
    let (wide, many) = (file("wide.hoa", wide), file("many-sets.hoa", many));
    let case = |name: &str, arguments: &[&str]| Case {
        name: name.into(),
        arguments: arguments.iter().map(|word| (*word).to_owned()).collect(),
    };
    vec![
        case("translate", &["translate", &strong]),
        case("formula --classify", &["formula", &strong, "--classify"]),
        case("automaton --complement", &["automaton", &wide, "--complement"]),
        case("automaton --shortest-lasso", &["automaton", &many, "--shortest-lasso"]),
    ]
}

/// Ten includes in each file, seven levels deep.
fn includes(folder: &Path) {
    for level in 0..=7 {
        let text = match level {
            0 => "/* nothing */\n".to_owned(),
            7 => format!("{}active proctype P() {{ skip }}\n", "#include \"include-6.pml\"\n".repeat(10)),
            _ => format!("#include \"include-{}.pml\"\n", level - 1).repeat(10),
        };
        let path = folder.join(format!("include-{level}.pml"));
        fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}
