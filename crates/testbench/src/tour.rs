//! The intermediate results of one small model, from text to verdict, as `docs/tour.md` shows them.

use std::fmt::Write as _;

use kernel::span::SourceMap;
use kernel::system::{System, record};
use promela::compiled::Model;
use promela::flow;
use promela::front::{self, NoFiles, PreprocessorOptions};
use promela::reference::Reference;
use promela::snapshot::Location;
use promela::typed::Program;

/// The stages of a model, as text. Only for models without mistakes.
///
/// # Panics
/// If the text has an error.
#[must_use]
pub fn stages(name: &str, text: &str) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add_file(name, text, None);
    let loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
    let program = loaded.program.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics));
    let mut page = String::new();
    statements(&program, &sources, &mut page);
    control_flow(&program, &mut page);
    first_states(&program, &mut page);
    page
}

fn statements(program: &Program, sources: &SourceMap, page: &mut String) {
    page.push_str("statements\n");
    for (number, info) in program.statements.iter().enumerate() {
        let (line, _) = sources.line_column(info.span);
        let proc = &program.procs[info.proc.0 as usize].name;
        let _ = writeln!(page, "  s{number}  {proc}, line {line}: {}", info.text);
    }
}

fn place(location: Location) -> String {
    match location {
        Location::At(statement) => format!("before s{}", statement.0),
        Location::Exit(statement) => format!("leaving s{}", statement.0),
        Location::End => "end".to_string(),
    }
}

fn control_flow(program: &Program, page: &mut String) {
    for (proc, graph) in program.procs.iter().zip(flow::graphs(program)) {
        let _ = writeln!(page, "control flow of {}", proc.name);
        for (number, node) in graph.nodes.iter().enumerate() {
            for edge in &node.edges {
                let (what, target) = match &edge.action {
                    flow::EdgeAction::Basic(statement) => (format!("s{}", statement.id.0), edge.target.to_string()),
                    flow::EdgeAction::Jump(id) | flow::EdgeAction::Exit(id) => {
                        (format!("jump s{}", id.0), edge.target.to_string())
                    }
                    flow::EdgeAction::DStep(id, _) => (format!("d_step s{}", id.0), edge.target.to_string()),
                    flow::EdgeAction::Terminate => ("terminate".to_string(), "gone".to_string()),
                };
                let _ = writeln!(page, "  {number} ({}) --{what}--> {target}", place(node.location));
            }
        }
    }
}

fn first_states(program: &Program, page: &mut String) {
    let Ok(model) = Model::new(program) else { return };
    let mut state = Vec::new();
    model.initial(&mut state);
    let _ = writeln!(page, "initial state, {} bytes packed: {state:02x?}", state.len());
    let found = record(&model, &mut model.scratch(), &state);
    for (step, next, _) in &found.successors {
        let step = model.step(*step);
        let _ = writeln!(page, "  process {} does {:?}: {next:02x?}", step.pid, step.action);
    }
    let reference = Reference::new(program);
    let transitions = reference.transitions(&reference.initial());
    let same = transitions.len() == found.successors.len()
        && transitions.iter().zip(&found.successors).all(|(transition, (step, next, _))| {
            transition.step == model.step(*step) && transition.next.as_ref() == Some(&model.snapshot(next))
        });
    let _ = writeln!(page, "the reference interpreter says the same: {}", if same { "yes" } else { "no" });
}
