//! Tables of texts and what becomes of them; all shipped models; random damage.

use checker::Model;
use format::{Language, Refusal, formatted, layout};
use std::path::{Path, PathBuf};

/// The format of a text; formatting it again must not change it.
#[track_caller]
fn check(language: Language, text: &str, expected: &str) {
    let result = layout(language, text);
    assert_eq!(result, expected, "\n{result}");
    assert_eq!(layout(language, &result), result, "stable");
}

#[test]
fn promela_is_indented_by_its_nesting() {
    check(
        Language::Promela,
        "#define N 3\n  byte  x=0 ;\nactive proctype P( byte n ){\ndo\n::x<N->\nx++;\natomic{\nx=x - -1\n}\n:: else->if\n:: x==1\n:: else\nfi\nod\n}\n\n\n\n",
        "#define N 3\nbyte x = 0;\nactive proctype P(byte n) {\n    do\n    :: x < N ->\n        x++;\n        atomic {\n            x = x - -1\n        }\n    :: else -> if\n        :: x == 1\n        :: else\n        fi\n    od\n}\n",
    );
}

#[test]
fn promela_keeps_what_only_the_syntax_tells() {
    let unchanged = [
        "c!x; c ! x; c?x; c?<x, y>; c??[x]; b = c?[x]\n",
        "ltl p { [] (a -> <> b) && (c U !d) }\n",
        "mtype:fruit = { apple, pear };\n",
        "assert(P[1]:x == 2 && P@done)\n",
        "L: x = (a -> b : c)\n",
        "for (i : 0 .. 3) { skip }\n",
        "unsigned x : 3;\n",
        "r.f[2].g = -1\n",
    ];
    for text in unchanged {
        check(Language::Promela, text, text);
    }
}

#[test]
fn preprocessor_lines_and_comments_stay() {
    let text = "#define f(x)  x+\\\n     1  /* one */\n#if N>3\ninit {\n#else\ninit  {\n#endif\n  // two \\ \nskip /* three\n       four */\n}\n";
    let expected = "#define f(x)  x+\\\n     1 /* one */\n#if N>3\ninit {\n#else\ninit {\n#endif\n    // two \\ \n    skip /* three\n           four */\n}\n";
    check(Language::Promela, text, expected);
}

#[test]
fn aligned_comments_stay_aligned() {
    check(
        Language::Promela,
        "byte x=1;   // a\nbyte long=1;// b\n            // c\nint y; // d\n",
        "byte x = 1;    // a\nbyte long = 1; // b\n               // c\nint y; // d\n",
    );
    check(Language::Promela, "byte x;\t/* a */\r\n\tskip\r\n", "byte x; /* a */\r\nskip\r\n");
}

#[test]
fn smv_has_sections_statements_and_cases() {
    check(
        Language::Smv,
        "MODULE main\nVAR\nx:0..3 ;-- number\n s :{a ,b};\nASSIGN\ninit(x):=0;\nnext(x):=case\nx<3&s=a:x+1;\nTRUE:\nx;\nesac;\nDEFINE d:=x-1;\n  e := a-1 |\n b;\nw := v[7:4]::0ud4_3;\nLTLSPEC G(x=1->\nF x=0)\n",
        "MODULE main\nVAR\n    x : 0..3; -- number\n    s : {a, b};\nASSIGN\n    init(x) := 0;\n    next(x) := case\n        x < 3 & s = a : x + 1;\n        TRUE :\n            x;\n    esac;\nDEFINE d := x-1;\n    e := a-1 |\n        b;\n    w := v[7:4] :: 0ud4_3;\nLTLSPEC G(x = 1 ->\n    F x = 0)\n",
    );
}

/// All shipped models.
fn models() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "pml" || end == "smv") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> (Language, String) {
    let language = if path.extension().is_some_and(|end| end == "smv") { Language::Smv } else { Language::Promela };
    (language, std::fs::read_to_string(path).expect("a text"))
}

fn model(language: Language, text: &str) -> Result<Model, checker::Error> {
    match language {
        Language::Promela => Model::promela("model", text),
        Language::Smv => Model::smv("model", text),
    }
}

#[test]
fn shipped_models_keep_their_meaning() {
    let mut count = 0;
    for path in models() {
        let (language, text) = read(&path);
        match formatted(language, &text, &|text| model(language, text)) {
            Ok(_) => count += 1,
            Err(Refusal::Rejected(_)) => {}
            Err(Refusal::Differs(how)) => panic!("{}: {how}\n{}", path.display(), layout(language, &text)),
        }
    }
    assert!(count > 50, "{count} models");
}

#[test]
fn a_change_of_meaning_is_noticed() {
    // A reader that reads another model the second time stands for a formatter that changes one.
    let first = std::cell::Cell::new(true);
    let text = "byte x;  active proctype P() { x = 1 }";
    let changing = |text: &str| match first.replace(false) {
        true => Model::promela("m", text),
        false => Model::promela("m", &text.replace('1', "2")),
    };
    assert!(matches!(formatted(Language::Promela, text, &changing), Err(Refusal::Differs("its model is another"))));
}

#[test]
fn damaged_texts_are_stable_too() {
    let mut seed = 12345_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below.max(1)
    };
    let inserted = [
        "{", "}", "/*", "*/", "\\\n", "\"", "'", "#if", "\n#endif", "do", "fi", "--", "/--", "::", "\u{e9}", "\t",
        "\r\n", "esac",
    ];
    for path in models() {
        let (language, text) = read(&path);
        for _ in 0..4 {
            let mut damaged: Vec<char> = text.chars().collect();
            for _ in 0..=random(4) {
                let at = random(damaged.len());
                let end = (at + random(8)).min(damaged.len());
                damaged.splice(at..end, inserted[random(inserted.len())].chars());
            }
            let damaged: String = damaged.into_iter().collect();
            let once = layout(language, &damaged);
            assert_eq!(layout(language, &once), once, "{}\n{damaged}", path.display());
            assert_eq!(
                format::verify::content(language, &damaged),
                format::verify::content(language, &once),
                "{damaged}"
            );
        }
    }
}
