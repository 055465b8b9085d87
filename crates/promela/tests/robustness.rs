//! Whatever the text, the front end answers: no panic, no endless work, no overflow of the stack.
//! All random texts come from fixed seeds,
//! which a failure names.

mod support;

use omega::random::Random;
use promela::front::{Loaded, PreprocessorOptions};
use support::{Table, codes, load};

/// A model that uses most of the language, to be mutilated.
const MODEL: &str = r#"
#define N 3
#define MAX(a, b) ((a) > (b) -> (a) : (b))
#if N > 2 && defined(MAX)
mtype = { REQ, ACK }; mtype:colour = { RED, GREEN };
#else
#error never
#endif
typedef Node { byte value = 1; chan link = [1] of { mtype, byte }; bit flags[2] };
Node nodes[N]; chan ring[N] = [2] of { mtype, byte }; chan first; unsigned u : 4; hidden int total = -1;
inline forward(k, v) { ring[(k + 1) % N]!REQ(v); if :: v > 1 -> skip :: else -> goto out fi; out: v++ }
active [2] proctype Worker() priority 2 provided (total < 100) {
  byte v, i; xr first; mtype m;
start:
  do
  :: atomic { ring[_pid]?REQ,v -> total = MAX(total, v) }; forward(_pid, v)
  :: d_step { ring[_pid]??[ACK,eval(v)] -> ring[_pid]??ACK,eval(v) }
  :: ring[0]?<m,v>; nodes[1].flags[0] = !nodes[1].flags[0]
  :: timeout -> break
  od unless { total == 7 -> printf("stop %d %e\n", v, m) };
  for (i : 0 .. N - 1) { nodes[i].value++ }
  select (v : 1 .. 5); assert(v > 0 && v <= 5)
  for (i in nodes) { skip }
end_here: skip
}
init { byte x = 'a'; run Plain(x, ring[0]) priority 3; (_nr_pr == 1) -> nodes[0].link!RED,x }
proctype Plain(byte b; chan c) { c!!ACK,b; len(c) < 2; Worker[0]@start; goto L; L: skip }
never { do :: total > 3 -> break :: else od; accept: Worker[0]:v == 1 }
trace { do :: ring[0]!REQ,_ :: ring[0]?ACK,_ od }
ltl safe { [] (total >= -1 -> <> (total == 2 || empty(ring[1]))) }
"#;

const PIECES: &[&str] = &[
    "if",
    "fi",
    "do",
    "od",
    "::",
    "->",
    ";",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "else",
    "atomic",
    "d_step",
    "unless",
    "for",
    "select",
    "in",
    "..",
    "goto",
    "break",
    "skip",
    "byte",
    "chan",
    "mtype",
    "typedef",
    "proctype",
    "active",
    "init",
    "inline",
    "never",
    "ltl",
    "run",
    "printf",
    "assert",
    "of",
    "eval",
    "len",
    "timeout",
    "!",
    "!!",
    "?",
    "??",
    "<",
    ">",
    "=",
    "==",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&&",
    "||",
    "[]",
    "<>",
    "U",
    "X",
    "x",
    "y",
    "P",
    "L",
    ":",
    ",",
    ".",
    "@",
    "_",
    "_pid",
    "0",
    "1",
    "255",
    "-1",
    "99999999999",
    "\"",
    "'",
    "\"s\"",
    "'c'",
    "\n",
    "\n#define A(x) x ## x\n",
    "A(",
    "\n#if 1\n",
    "\n#else\n",
    "\n#endif\n",
    "\n#include \"a\"\n",
    "/*",
    "*/",
    "//",
    "\\",
    "\\\n",
    "#",
    "##",
    "é",
    "\0",
    "return",
    "c_code",
];

/// Loads a text on a stack of the size the tool gives, and checks what must always hold.
fn survive(text: &str, what: &str) -> Loaded {
    let owned = text.to_string();
    let thread = std::thread::Builder::new().stack_size(16 << 20).spawn(move || load(&owned).1);
    let loaded = thread.expect("a thread can be started").join();
    let loaded = loaded.unwrap_or_else(|_| panic!("{what} panics"));
    let errors = loaded.diagnostics.iter().any(|d| d.severity == kernel::diagnostic::Severity::Error);
    assert_eq!(loaded.program.is_none(), errors, "{what}: a program exactly if there is no error");
    loaded
}

#[test]
fn the_model_to_be_mutilated_is_sound() {
    let loaded = survive(MODEL, "the model");
    let errors: Vec<_> =
        loaded.diagnostics.iter().filter(|d| d.severity == kernel::diagnostic::Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

/// An index below a bound that is not 0.
fn below(random: &mut Random, bound: usize) -> usize {
    random.below(bound as u64) as usize
}

#[test]
fn mutilated_models() {
    let seed = 20_260_101;
    let mut random = Random::new(seed);
    let thread = std::thread::Builder::new().stack_size(16 << 20);
    let work = move || {
        for round in 0..1_500 {
            let mut text: Vec<char> = MODEL.chars().collect();
            for _ in 0..=below(&mut random, 4) {
                let at = below(&mut random, text.len());
                let length = below(&mut random, 12).min(text.len() - at);
                let piece: Vec<char> = match below(&mut random, 3) {
                    0 => Vec::new(),
                    1 => PIECES[below(&mut random, PIECES.len())].chars().collect(),
                    _ => {
                        let from = below(&mut random, text.len() - 20);
                        text[from..from + 20].to_vec()
                    }
                };
                text.splice(at..at + length, piece);
            }
            let text: String = text.into_iter().collect();
            let loaded = load(&text).1;
            let errors = loaded.diagnostics.iter().any(|d| d.severity == kernel::diagnostic::Severity::Error);
            assert_eq!(loaded.program.is_none(), errors, "seed {seed}, round {round}: {text}");
        }
    };
    thread.spawn(work).expect("a thread can be started").join().expect("no panic");
}

#[test]
fn heaps_of_tokens() {
    let seed = 7;
    let mut random = Random::new(seed);
    for round in 0..3_000 {
        let length = 1 + below(&mut random, 60);
        let text: Vec<&str> = (0..length).map(|_| PIECES[below(&mut random, PIECES.len())]).collect();
        let text = format!("byte x, y; init {{ {} }}", text.join(" "));
        let loaded = load(&text).1;
        let errors = loaded.diagnostics.iter().any(|d| d.severity == kernel::diagnostic::Severity::Error);
        assert_eq!(loaded.program.is_none(), errors, "seed {seed}, round {round}: {text}");
    }
}

#[test]
fn nesting_bombs() {
    let deep = 100_000;
    let bombs = [
        format!("init {{ {} skip {} }}", "{".repeat(deep), "}".repeat(deep)),
        format!("init {{ {} skip {} }}", "if :: ".repeat(deep), " fi".repeat(deep)),
        format!("init {{ {} skip {} }}", "do :: atomic { ".repeat(deep), "} od".repeat(deep)),
        format!("byte x; init {{ x = {}1{} }}", "(".repeat(deep), ")".repeat(deep)),
        format!("byte x; init {{ x = {}1 }}", "!".repeat(deep)),
        format!("byte x; init {{ x = {}1 }}", "- ".repeat(deep)),
        format!("byte x; init {{ x = 1{} }}", " - 1".repeat(deep)),
        format!("byte x[9]; init {{ x[{}0{}] = 1 }}", "x[".repeat(deep), "]".repeat(deep)),
        format!("byte x; init {{ skip }} ltl p {{ {} x }}", "[] ".repeat(deep)),
        format!("byte x; init {{ skip }} ltl p {{ x {} }}", " U x".repeat(deep)),
        format!("byte x; init {{ x = 1 {} }}", " unless x = 1".repeat(deep)),
        format!("byte x; init {{ {} x = 1 }}", "L: ".repeat(5000)),
        format!("#if {}1{}\n#endif\ninit {{ skip }}", "(".repeat(deep), ")".repeat(deep)),
        format!("#if {}1\n#endif\ninit {{ skip }}", "!".repeat(deep)),
        format!("{}init {{ skip }}", "#if 1\n".repeat(deep)),
    ];
    for (index, bomb) in bombs.iter().enumerate() {
        let loaded = survive(bomb, &format!("bomb {index}"));
        assert!(loaded.program.is_none(), "bomb {index} is refused");
    }
}

#[test]
fn what_is_just_within_the_limits_is_accepted() {
    let sum = format!("byte x; init {{ x = 0{} }}", " + x".repeat(3_990));
    assert!(survive(&sum, "a long sum").program.is_some());
    let blocks = format!("byte x; init {{ {} x = 1 {} }}", "{".repeat(450), "}".repeat(450));
    assert!(survive(&blocks, "many blocks").program.is_some());
    let brackets = format!("byte x; init {{ x = {}1{} }}", "(".repeat(900), ")".repeat(900));
    assert!(survive(&brackets, "many brackets").program.is_some());
}

#[test]
fn sizes_are_bounded() {
    assert!(codes("byte a[2000000]; init { a[0] = 1 }").contains(&"P0012"));
    assert!(codes("chan c = [70000] of { byte }; init { c!1 }").contains(&"P0012"));
    let nested = "typedef A { byte x[60000] }; typedef B { A a[60000] }; typedef C { B b[60000] }; C c; init { skip }";
    assert!(codes(nested).contains(&"P0012"));
    let channels = "chan c[60000] = [60000] of { int, int }; init { skip }";
    assert!(codes(channels).contains(&"P0012"));
}

#[test]
fn inline_bombs() {
    let mut text = String::from("byte x; inline f0() { x = 1; x = 2 }\n");
    for level in 1..40 {
        text.push_str(&format!("inline f{level}() {{ f{0}(); f{0}() }}\n", level - 1));
    }
    text.push_str("init { f39() }");
    let loaded = survive(&text, "inlines that double");
    assert!(loaded.diagnostics.iter().any(|d| d.code == "P0010"));
}

#[test]
fn include_rings_end() {
    let files = Table(vec![("a", "#include \"b\"\n"), ("b", "#include \"a\"\n")]);
    let loaded = support::load_with("#include \"a\"\ninit { skip }", &PreprocessorOptions::default(), &files).1;
    assert_eq!(loaded.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["P0107"]);
}

#[test]
fn mistakes_are_told_once_and_not_without_end() {
    let lines = "zz = y + qq;\n".repeat(3000);
    let text = format!("init {{ byte y; {lines} y = 1 }}");
    assert_eq!(codes(&text), ["P0301", "P0301"], "one for each name that is not declared");
    let many: String = (0..5000).map(|index| format!("x{index} = 1;\n")).collect();
    let text = format!("init {{ {many} skip }}");
    let told = codes(&text);
    assert_eq!((told.len(), *told.last().expect("some")), (101, "P0013"));
    let mut bomb = String::from("#define A0 x x\n");
    for index in 1..40 {
        bomb.push_str(&format!("#define A{index} A{0} A{0}\n", index - 1));
    }
    bomb.push_str("init { A39 }\n");
    assert_eq!(codes(&bomb), ["P0010"], "what follows the limit is no mistake of the user");
}

#[test]
fn a_model_without_a_process_is_refused() {
    assert_eq!(codes(""), ["P0611"]);
    assert_eq!(codes("byte x; proctype P() { x = 1 }"), ["P0611"]);
}

#[test]
fn flat_chains_of_any_length_are_accepted() {
    let or = vec!["x == 3"; 20_000].join(" || ");
    let sum = vec!["x"; 100_000].join(" + ");
    let loaded = survive(&format!("int x; active proctype P() {{ ({or}); x = {sum} }}"), "chains");
    assert!(loaded.program.is_some(), "{:?}", loaded.diagnostics);
}

#[test]
fn long_chains_of_jumps_take_linear_time() {
    let jumps: String = (0..80_000).map(|label| format!("L{label}: goto L{};\n", label + 1)).collect();
    let text = format!("active proctype P() {{ {jumps} L80000: skip }}");
    let loaded = survive(&text, "jumps");
    let program = loaded.program.expect("an accepted model");
    // In quadratic time this would take many minutes, and the test would seem not to end.
    assert!(promela::compiled::Model::new(&program).is_ok());
}

#[test]
fn inclusions_are_bounded() {
    let files = Table(
        [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")]
            .map(|(name, next)| (name, &*format!("#include \"{next}\"\n").repeat(20).leak()))
            .into_iter()
            .chain([("e", "")])
            .collect(),
    );
    let loaded =
        support::load_with("#include \"a\"\nactive proctype P() { skip }", &PreprocessorOptions::default(), &files).1;
    assert_eq!(loaded.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["P0010"]);
}

#[test]
fn reading_ends_at_a_limit_wherever_it_is() {
    use kernel::budget::{Budget, Exhausted};
    use promela::front::{NoFiles, load_within};
    let mut checks = 0;
    loop {
        let mut sources = kernel::span::SourceMap::new();
        let file = sources.add_file("m.pml", MODEL, None);
        let budget = Budget::unlimited().within_checks(checks);
        match load_within(&mut sources, file, &PreprocessorOptions::default(), &NoFiles, &budget) {
            Err(limit) => assert_eq!(limit, Exhausted::Time),
            Ok(loaded) => {
                assert!(loaded.program.is_some());
                break;
            }
        }
        checks += 1;
    }
    assert!(checks > 500, "only {checks} checks");
}
