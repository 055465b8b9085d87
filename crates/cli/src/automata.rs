//! Automata from files: read one by one, with diagnostics for those that are not accepted.

use crate::exit::Failure;
use crate::formulas::{read_text, refused};
use crate::terminal::Terminal;
use kernel::span::SourceMap;
use omega::automaton::Automaton;
use omega::automaton::emerson_lei::EmersonLei;
use omega::io::{Format, Stated, read_stated};
use std::rc::Rc;

/// An automaton as a file states it.
pub(crate) struct Given {
    stated: Stated,
    sources: Rc<SourceMap>,
    terminal: Terminal,
}

impl Given {
    /// The automaton with the acceptance condition of the file.
    pub(crate) fn stated(&self) -> &EmersonLei {
        &self.stated.automaton
    }

    /// A generalised Büchi automaton of the same language.
    pub(crate) fn generalized_buchi(&self) -> Result<Automaton, Failure> {
        let refused = |diagnostic| refused(&self.sources, diagnostic, self.terminal, NOT_ACCEPTED);
        self.stated.generalized_buchi().map_err(refused)
    }
}

const NOT_ACCEPTED: &str = "the automaton is not accepted";

/// The automata of a file, each read or refused.
pub(crate) fn automata(path: &str, terminal: Terminal) -> Result<Vec<Result<Given, Failure>>, Failure> {
    let (name, text) = read_text(path)?;
    let mut sources = SourceMap::new();
    let file = sources.add_file(name, text, None);
    let sources = Rc::new(sources);
    let all = read_stated(sources.text(file), Format::of(sources.text(file)), file);
    if all.is_empty() {
        return Err(Failure::input(format!("there is no automaton in `{path}`")));
    }
    let given = |stated| Given { stated, sources: Rc::clone(&sources), terminal };
    let refused = |diagnostic| refused(&sources, diagnostic, terminal, NOT_ACCEPTED);
    Ok(all.into_iter().map(|one| one.map(given).map_err(refused)).collect())
}

/// The automata of a file that an option names: one for all automata of the input, or as many as there are in the input.
pub(crate) struct Operand {
    path: String,
    automata: Vec<Automaton>,
}

impl Operand {
    /// Reads the file that an option names, if it names one.
    pub(crate) fn of_option(path: Option<&String>, terminal: Terminal) -> Result<Option<Self>, Failure> {
        let Some(path) = path else { return Ok(None) };
        let read = |given: Result<Given, Failure>| given?.generalized_buchi();
        let automata = automata(path, terminal)?.into_iter().map(read).collect::<Result<_, _>>()?;
        Ok(Some(Self { path: path.clone(), automata }))
    }

    /// The number of automata.
    pub(crate) fn len(&self) -> usize {
        self.automata.len()
    }

    /// The name of the file.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// The automaton to combine with the automaton of this index in the input, counted from 0.
    pub(crate) fn at(&self, index: usize) -> &Automaton {
        if let [only] = &self.automata[..] { only } else { &self.automata[index] }
    }
}
