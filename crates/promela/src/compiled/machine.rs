//! Machine code for guards and effects, made when a search lasts.
//!
//! *Contract.* With machine code a model has the same successors, in the same order, with the same faults and the same
//! notes about executed edges as without. Code is made for a location's guards, as one function that gives the set of the
//! edges that can be taken, for what each edge does, and for both together, as one function that writes all successors
//! ([`translate`]). What no code is made for ([`supported`]), and whatever goes wrong in a step, is left to the
//! interpreter.
//!
//! *Tested by* walks with and without machine code side by side: `testbench::oracle::promela`.

mod channels;
mod edges;
mod entry;
mod supported;
mod translate;
mod ways;

use super::batch::{self, Batch};
use super::code::{Edge, Guard};
use super::flaw::Flaw;
use super::layout::location;
use super::model::Model;
use super::probe::Rule;
use crate::thresholds::compiled::MOST_TRANSLATED;
use channels::Channels;
use cranelift_codegen::ir::{AbiParam, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, ModuleError};
pub(crate) use entry::Frame;
use entry::{Entry, Memory};
use supported::Supported;
use translate::{LEFT, Translator};

/// The machine code of a model.
#[derive(Debug)]
pub(crate) struct Machine {
    definitions: Box<[Definition]>,
    nodes: Box<[NodeCode]>,
    effects: Box<[EffectCode]>,
    /// Declared last, so that it goes last.
    _memory: Memory,
}

/// Where the code of a process definition is.
#[derive(Clone, Copy, Debug)]
struct Definition {
    /// The index of its first location.
    first: u32,
    /// How it stores locations.
    wide_location: bool,
}

/// The code of a location.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeCode {
    guards: Guards<Entry>,
    /// Writes the successors, if a step of this process is no more than its statement.
    steps: Option<Entry>,
    /// The edges that lead into an atomic sequence.
    pub(crate) atomic: u64,
    /// Index of its first edge.
    pub(crate) first_edge: u32,
    /// The set of edges is what can be taken; otherwise some have to be asked.
    pub(crate) is_whole: bool,
    /// Some clause of the definition has a say.
    pub(crate) is_restricted: bool,
    /// To tell whether an edge can be taken takes no more than evaluating a condition.
    pub(crate) is_passable: bool,
}

/// How the guards of a location are decided.
#[derive(Clone, Copy, Debug)]
enum Guards<T> {
    /// By the interpreter.
    Interpreted,
    /// Always the same edges.
    Constant(u64),
    Code(T),
}

/// The code of an edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EffectCode {
    entry: Option<Entry>,
    /// The code can leave, and has then done a part of the work.
    pub(crate) can_leave: bool,
    /// The edge leads into an atomic sequence.
    pub(crate) atomic: bool,
    /// The code of the guards decides whether it can be taken.
    pub(crate) is_decided: bool,
}

impl Machine {
    /// The code of the location of the process that starts at `base`.
    #[inline(always)]
    pub(crate) fn node(&self, bytes: &[u8], base: usize) -> &NodeCode {
        let Definition { first, wide_location } = self.definitions[usize::from(bytes[base])];
        &self.nodes[first as usize + location(wide_location, bytes, base)]
    }

    #[inline]
    pub(crate) fn effect(&self, edge: usize) -> &EffectCode {
        &self.effects[edge]
    }

    /// The edges for whose guards, and for whose effects, there is code.
    pub(crate) fn translated(&self) -> [usize; 2] {
        let guards = self.effects.iter().filter(|code| code.is_decided).count();
        [guards, self.effects.iter().filter(|code| code.entry.is_some()).count()]
    }

    /// Makes the code of a model; none if that is not possible here.
    pub(crate) fn new(model: &Model, flaw: Option<Flaw>) -> Option<Self> {
        let is_plain = model.monitor.is_none() && !model.program.uses.priorities;
        if is_plain && model.edges.len() <= MOST_TRANSLATED { Generator::new(flaw)?.all(model).ok() } else { None }
    }
}

impl NodeCode {
    /// The set of edges that can be taken, or have to be asked; none if the interpreter decides.
    #[inline]
    pub(crate) fn ask(&self, bytes: &[u8], base: usize, pid: usize, frame: &Frame<'_>) -> Option<u64> {
        match &self.guards {
            Guards::Interpreted => None,
            Guards::Constant(mask) => Some(*mask),
            Guards::Code(entry) => entry.ask(bytes, base, pid, frame).filter(|mask| mask & LEFT == 0),
        }
    }

    /// Writes the successors by all edges that can be taken, in order, and gives the set of these edges; none if the
    /// interpreter has to do it.
    #[inline]
    pub(crate) fn write(&self, batch: &mut Batch, base: usize, pid: usize, frame: &Frame<'_>) -> Option<u64> {
        self.steps.and_then(|entry| entry.write(batch, base, pid, frame)).filter(|mask| mask & LEFT == 0)
    }
}

impl EffectCode {
    /// Does what the edge does; says whether it has, and not left that to the interpreter.
    #[inline]
    pub(crate) fn execute(&self, bytes: &mut [u8], base: usize, pid: usize, frame: &Frame<'_>) -> bool {
        self.entry.is_some_and(|entry| entry.execute(bytes, base, pid, frame) == Some(0))
    }
}

/// Makes functions.
struct Generator {
    module: JITModule,
    context: cranelift_codegen::Context,
    builder: FunctionBuilderContext,
    flaw: Option<Flaw>,
}

/// A function that is made, and whether it can leave.
type Made = (FuncId, bool);

impl Generator {
    /// None if there is no back end for this machine.
    fn new(flaw: Option<Flaw>) -> Option<Self> {
        let mut flags = settings::builder();
        for (name, value) in [
            ("opt_level", "speed"),
            ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
            ("is_pic", "false"),
        ] {
            flags.set(name, value).ok()?;
        }
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        let module = JITModule::new(JITBuilder::with_isa(isa, cranelift_module::default_libcall_names()));
        Some(Self { context: module.make_context(), builder: FunctionBuilderContext::new(), module, flaw })
    }

    fn all(mut self, model: &Model) -> Result<Machine, ModuleError> {
        let channels = Channels::new(model);
        let supported = Supported { channels: &channels };
        // `_last` changes in every step.
        let can_write = model.layout.last.is_none();
        let mut nodes = Vec::new();
        let mut effects: Vec<(Option<Made>, usize)> = Vec::new();
        let mut definitions = Vec::new();
        for (number, definition) in model.definitions.iter().enumerate() {
            let first = u32::try_from(nodes.len()).expect("fewer than 2^32 locations");
            definitions.push(Definition { first, wide_location: definition.wide_location });
            for node in &definition.nodes {
                let edges = model.edges_of(node);
                let is_whole = edges.iter().all(|edge| supported.guard(&edge.guard, &edge.action));
                let some = edges.iter().any(|edge| supported.guard(&edge.guard, &edge.action));
                let is_certain = is_whole && edges.iter().all(|edge| matches!(edge.guard, Guard::Always));
                let guards = match edges.len() <= batch::MOST && some {
                    true if is_certain && edges.iter().all(|edge| edge.group == edges[0].group) => {
                        Guards::Constant((1 << edges.len()) - 1)
                    }
                    true => Guards::Code(self.function(&channels, &supported, |code| code.guards(edges, is_whole))?.0),
                    false => Guards::Interpreted,
                };
                let has_steps =
                    is_whole && !edges.is_empty() && edges.len() <= batch::MOST && can_write && !node.is_restricted;
                let steps = match has_steps {
                    true => {
                        let wide = definition.wide_location;
                        Some(self.function(&channels, &supported, |code| code.steps(edges, wide))?.0)
                    }
                    false => None,
                };
                nodes.push((guards, steps, node, number, is_whole));
                for edge in edges {
                    let wide = definition.wide_location;
                    let made = match supported.effect(edge) {
                        true => Some(self.function(&channels, &supported, |code| {
                            code.effect(edge, wide);
                            code.nothing()
                        })?),
                        false => None,
                    };
                    effects.push((made, number));
                }
            }
        }
        self.module.finalize_definitions()?;
        let memory = Memory::new(self.module);
        let entry = |function: FuncId, definition: usize| {
            memory.entry(function, model.layout.globals_size, model.layout.processes[definition].size)
        };
        let nodes = nodes.into_iter().map(|(guards, steps, node, definition, is_whole)| NodeCode {
            steps: steps.map(|function| entry(function, definition)),
            guards: match guards {
                Guards::Interpreted => Guards::Interpreted,
                Guards::Constant(edges) => Guards::Constant(edges),
                Guards::Code(function) => Guards::Code(entry(function, definition)),
            },
            atomic: (0..)
                .zip(model.edges_of(node))
                .take(batch::MOST)
                .fold(0, |all, (bit, edge)| all | u64::from(edge.atomic) << bit),
            first_edge: u32::try_from(node.first).expect("fewer than 2^32 edges"),
            is_whole,
            is_restricted: node.is_restricted,
            is_passable: is_whole
                && !node.is_restricted
                && model.heads_of(node).iter().all(|head| !matches!(head.rule, Rule::Last | Rule::Ask)),
        });
        let effects = effects.into_iter().zip(&model.edges).map(|((made, definition), edge): (_, &Edge)| EffectCode {
            entry: made.map(|(function, _): Made| entry(function, definition)),
            can_leave: made.is_some_and(|(_, can_leave)| can_leave),
            atomic: edge.atomic,
            is_decided: supported.guard(&edge.guard, &edge.action),
        });
        let (nodes, effects) = (nodes.collect(), effects.collect());
        Ok(Machine { definitions: definitions.into(), nodes, effects, _memory: memory })
    }

    /// Makes a function whose result the body gives.
    fn function(
        &mut self,
        channels: &Channels<'_>,
        supported: &Supported<'_>,
        body: impl FnOnce(&mut Translator<'_, '_>) -> cranelift_codegen::ir::Value,
    ) -> Result<Made, ModuleError> {
        let signature = &mut self.context.func.signature;
        signature.call_conv = self.module.isa().default_call_conv();
        signature.params.extend([types::I64, types::I64, types::I32, types::I64, types::I64].map(AbiParam::new));
        signature.returns.push(AbiParam::new(types::I64));
        let function = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        let mut code = Translator::new(function, channels, supported, self.flaw);
        let result = body(&mut code);
        let can_leave = code.finish(result);
        let id = self.module.declare_anonymous_function(&self.context.func.signature)?;
        self.module.define_function(id, &mut self.context)?;
        self.module.clear_context(&mut self.context);
        Ok((id, can_leave))
    }
}
