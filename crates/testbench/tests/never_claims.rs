//! The two readers of never claims agree: that of Promela programs and that of the output of translators.

use kernel::budget::Budget;
use kernel::span::{FileId, SourceMap};
use omega::combine::complement::DEFAULT_LIMIT;
use omega::combine::inclusion::difference;
use omega::formula::Formulas;
use omega::io::never::{self, Style};
use omega::pipeline::{TranslationOptions, translate};
use omega::print::{Notation, print};
use omega::random::{FormulaShape, Random};
use promela::claim::never::Never;
use promela::front::{self, NoFiles};
use promela::typed::{ProcId, ProcKind};

#[test]
fn both_readers_give_the_same_language() {
    let budget = Budget::unlimited();
    let mut random = Random::new(40);
    for round in 0..60 {
        let mut formulas = Formulas::new();
        let formula = FormulaShape::new(1 + round % 7, 2).draw(&mut formulas, &mut random);
        let text = print(&formulas, formula, Notation::Spot);
        let automaton =
            translate(&mut formulas, formula, &TranslationOptions::default(), &budget).expect("small").automaton;
        let style = if round % 2 == 0 { Style::If } else { Style::Do };
        let claim = never::write(&automaton, style, &budget).expect("a Büchi automaton on states");
        let one = never::read(&claim, FileId(0)).pop().expect("a claim").expect("our own text is read");

        let mut sources = SourceMap::new();
        let program = format!("bool p0, p1;\nactive proctype P() {{ do :: p0 = !p0 :: p1 = !p1 od }}\n{claim}");
        let file = sources.add_file("m.pml", program.as_str(), None);
        let program = front::load(&mut sources, file, &front::PreprocessorOptions::default(), &NoFiles).program;
        let program = program.unwrap_or_else(|| panic!("{text}: not a program\n{claim}"));
        let number = program.procs.iter().position(|proc| proc.kind == ProcKind::Never).expect("a claim");
        let other = Never::new(&program, ProcId(number as u32), &budget).expect("a simple claim");
        let (one, other) = (one.with_one_initial_state(), other.automaton.with_one_initial_state());
        let word = difference(&one, &other, DEFAULT_LIMIT, &budget).expect("small");
        assert_eq!(word, None, "{text}\n{claim}\n{:?} {:?}", one.atoms(), other.atoms());
    }
}
