//! The atoms of a property, evaluated on packed states.

use kernel::budget::Budget;
use std::cell::Cell;

use super::code::Code;
use super::compile::Compiler;
use super::eval::{ChannelAt, View};
use super::model::Model;
use super::successors::Scratch;
use crate::flow;
use crate::named::located;
use crate::typed::Expr;

/// Expressions over the whole system, compiled.
#[derive(Clone, Debug)]
pub struct Atoms {
    codes: Vec<Code>,
    /// Whether one of them mentions `timeout`.
    asks_timeout: bool,
}

impl Atoms {
    /// The expressions, in order.
    pub(crate) fn codes(&self) -> &[Code] {
        &self.codes
    }

    /// Whether one of them mentions `timeout`, which every step can change.
    pub(crate) fn asks_timeout(&self) -> bool {
        self.asks_timeout
    }
}

impl Model {
    /// Compiles expressions that stand outside any process.
    #[must_use]
    pub fn atoms<'e>(&self, expressions: impl IntoIterator<Item = &'e Expr>) -> Atoms {
        let expressions: Vec<&Expr> = expressions.into_iter().collect();
        let located = located(&expressions);
        let unlimited = Budget::unlimited();
        let graphs = flow::graphs_where(&self.program, |proc| located.contains(&proc), &unlimited);
        let graphs = graphs.expect("an unlimited budget is never exhausted");
        let timeout = Cell::new(false);
        let (program, layout, trim) = (&self.program, &self.layout, &self.trim);
        let compiler = Compiler { program, layout, graphs: &graphs, proc: 0, timeout: &timeout, trim };
        let codes = expressions.into_iter().map(|expression| compiler.pure(expression)).collect();
        Atoms { codes, asks_timeout: timeout.get() }
    }

    /// Which of the atoms hold in a state, one after the other; none for an atom that meets a run-time error.
    pub fn truth<'a>(
        &'a self,
        scratch: &'a mut Scratch,
        atoms: &'a Atoms,
        state: &'a [u8],
    ) -> impl Iterator<Item = Option<bool>> + 'a {
        let shape = scratch.shape();
        shape.read(self, state);
        let places = (&shape.bases[..], &shape.channels[..]);
        // A run-time error of a guard is a move, and no error of an atom.
        let can_move = |pid| self.can_move(&self.whole(state, places, false, &Cell::new(false)).of(pid));
        let timeout = atoms.asks_timeout && !(0..places.0.len()).any(can_move);
        atoms.codes.iter().map(move |code| {
            let fault = Cell::new(false);
            let truth = self.whole(state, places, timeout, &fault).truth(code);
            (!fault.get()).then_some(truth)
        })
    }

    /// A state as the system as a whole sees it.
    fn whole<'v>(
        &'v self,
        bytes: &'v [u8],
        (bases, channels): (&'v [u32], &'v [ChannelAt]),
        timeout: bool,
        fault: &'v Cell<bool>,
    ) -> View<'v> {
        View { model: self, bytes, bases, channels, pid: 0, base: 0, timeout, asking: false, started: &[], fault }
    }
}

#[cfg(test)]
mod tests {
    use crate::compiled::Model;
    use crate::front::{self, NoFiles, PreprocessorOptions};
    use kernel::span::SourceMap;
    use kernel::system::System;

    #[test]
    fn atoms_see_globals_labels_and_errors() {
        let text = "byte x = 3; byte a[2]; active proctype P() { L: x = 1 }
            ltl p { (x == 3) U (P@L && a[x] == 0) }";
        let mut sources = SourceMap::new();
        let file = sources.add_file("m.pml", text, None);
        let program = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles)
            .program
            .expect("a correct model");
        let claim = crate::claim::Claim::new(&program, &program.ltl[0].formula);
        let model = Model::new(&program).expect("a small model");
        let atoms = model.atoms(claim.atoms.iter().map(|(_, expression)| expression));
        let (mut state, mut scratch) = (Vec::new(), model.scratch());
        model.initial(&mut state);
        // The index is out of bounds in the initial state.
        assert_eq!(model.truth(&mut scratch, &atoms, &state).collect::<Vec<_>>(), [Some(true), Some(true), None]);
    }
}
