//! Variables of the model as bits of decision diagrams.
//!
//! Contract: a variable with `n` values has `⌈log2 n⌉` bits that hold the number of its value in the domain; state
//! variables have as many bits again for the next state, each directly below its partner in the order. Codes that number
//! no value are excluded by `Encoding::valid`. Expressions are in `expression`.

pub(crate) mod bits;
pub(crate) mod expression;
pub(crate) mod term;

use bdd::{Bdd, Cube, MAX_VARIABLES, Manager, Variable};
use kernel::diagnostic::Diagnostic;

use flat::codes;
use flat::enumerate::{self, Valuation};
use flat::model::{Domain, Model, Natural, Value, VariableId, VariableKind};
use flat::order::Bit;
use kernel::budget::Exhausted;
use term::Term;

/// Where each bit of each variable is in the diagrams.
#[derive(Clone, Debug)]
pub struct Encoding {
    manager: Manager,
    /// Bits of the present value, least significant first.
    now: Vec<Vec<Variable>>,
    /// Bits of the next value; none for inputs and frozen variables.
    next: Vec<Vec<Variable>>,
    kinds: Vec<VariableKind>,
    /// First number not yet given to a bit.
    free: u32,
}

/// The bits of all variables, those of states twice.
fn total(model: &Model) -> usize {
    let copies = |kind: VariableKind| if kind == VariableKind::State { 2 } else { 1 };
    model.variables.iter().map(|variable| variable.domain.bits() as usize * copies(variable.kind)).sum()
}

impl Encoding {
    /// Whether decision diagrams have enough variables for a model.
    #[must_use]
    pub fn has_room_for(model: &Model) -> bool {
        // The tableau of a formula needs some bits of its own.
        total(model) + 256 <= MAX_VARIABLES as usize
    }

    /// Gives each bit a variable of the manager, in this order from the root down.
    ///
    /// # Errors
    /// Where there are more bits than a manager has variables.
    pub fn new(model: &Model, manager: Manager, order: &[Bit]) -> Result<Self, Diagnostic> {
        let kinds: Vec<VariableKind> = model.variables.iter().map(|variable| variable.kind).collect();
        let widths: Vec<usize> = model.variables.iter().map(|variable| variable.domain.bits() as usize).collect();
        if !Self::has_room_for(model) {
            let total = total(model);
            let message = format!("the model needs {total} bits, more than decision diagrams can have");
            let span = model.variables[0].span;
            return Err(
                Diagnostic::error(codes::TOO_MANY_BITS, span, message).here("with this variable and all others")
            );
        }
        let blank = |width: &usize| vec![Variable(u32::MAX); *width];
        let mut encoding = Encoding {
            manager,
            now: widths.iter().map(blank).collect(),
            next: widths
                .iter()
                .zip(&kinds)
                .map(|(w, k)| if *k == VariableKind::State { blank(w) } else { vec![] })
                .collect(),
            kinds,
            free: 0,
        };
        for bit in order {
            let (variable, place) = (bit.variable.0 as usize, bit.place as usize);
            encoding.now[variable][place] = encoding.fresh();
            if encoding.kinds[variable] == VariableKind::State {
                encoding.next[variable][place] = encoding.fresh();
            }
        }
        assert!(encoding.now.iter().flatten().all(|bit| bit.0 != u32::MAX), "the order names every bit");
        Ok(encoding)
    }

    /// How many variables of the manager nothing uses yet.
    pub(crate) fn remaining(&self) -> u32 {
        MAX_VARIABLES - self.free
    }

    /// A variable of the manager that nothing uses yet, below all others.
    pub(crate) fn fresh(&mut self) -> Variable {
        self.free += 1;
        Variable(self.free - 1)
    }

    /// The manager.
    #[must_use]
    pub fn manager(&self) -> &Manager {
        &self.manager
    }

    /// The bits of a variable's present value, least significant first.
    #[must_use]
    pub fn bits_now(&self, id: VariableId) -> &[Variable] {
        &self.now[id.0 as usize]
    }

    /// The bits of a variable's next value; none for inputs and frozen variables.
    #[must_use]
    pub fn bits_next(&self, id: VariableId) -> &[Variable] {
        &self.next[id.0 as usize]
    }

    /// All bits of inputs.
    #[must_use]
    pub fn input_bits(&self) -> Vec<Variable> {
        self.all_now(|kind| kind == VariableKind::Input)
    }

    /// All bits of the present state, frozen variables included.
    #[must_use]
    pub fn state_bits(&self) -> Vec<Variable> {
        self.all_now(|kind| kind != VariableKind::Input)
    }

    /// All bits of the present state that can change, with their partners in the next.
    #[must_use]
    pub fn pairs(&self) -> Vec<(Variable, Variable)> {
        let lists = self.now.iter().zip(&self.next);
        lists.flat_map(|(now, next)| now.iter().copied().zip(next.iter().copied())).collect()
    }

    fn all_now(&self, wanted: impl Fn(VariableKind) -> bool) -> Vec<Variable> {
        let lists = self.now.iter().zip(&self.kinds).filter(|(_, kind)| wanted(**kind));
        lists.flat_map(|(bits, _)| bits.iter().copied()).collect()
    }

    /// The terms of all variables, now and in the next state.
    pub(crate) fn terms(&self, model: &Model) -> Result<Vec<(Term, Option<Term>)>, Exhausted> {
        let code = |bits: &[Variable]| -> Result<Vec<Bdd>, Exhausted> {
            bits.iter().map(|bit| Ok(self.manager.try_variable(*bit)?)).collect()
        };
        model
            .variable_ids()
            .map(|id| {
                let domain = &model.variable(id).domain;
                let now = Term::variable(&self.manager, domain, &code(self.bits_now(id))?)?;
                let next = match model.variable(id).kind {
                    VariableKind::State => Some(Term::variable(&self.manager, domain, &code(self.bits_next(id))?)?),
                    VariableKind::Input | VariableKind::Frozen => None,
                };
                Ok((now, next))
            })
            .collect()
    }

    /// Where the bits of a variable number one of its values.
    pub(crate) fn valid(&self, model: &Model, id: VariableId, of_next: bool) -> Result<Bdd, Exhausted> {
        let bits = if of_next { self.bits_next(id) } else { self.bits_now(id) };
        let domain = &model.variable(id).domain;
        let size = domain.size();
        if matches!(domain, Domain::Word(..)) || size == 1 << bits.len() {
            return Ok(self.manager.yes());
        }
        let code =
            bits.iter().map(|bit| Ok(self.manager.try_variable(*bit)?)).collect::<Result<Vec<Bdd>, Exhausted>>()?;
        let last = i64::try_from(size - 1).expect("only words are larger, and they use all codes");
        Ok(!bits::less(&self.manager, &bits::constant(&self.manager, last, code.len()), &code)?)
    }

    /// The valuation of a cube over present bits; bits that the cube does not fix are false.
    #[must_use]
    pub fn decode(&self, model: &Model, cube: &Cube) -> Valuation {
        let value = |id: VariableId| {
            let bits: Vec<bool> = self.bits_now(id).iter().map(|bit| cube.value(*bit) == Some(true)).collect();
            (id, model.variable(id).domain.value(Natural::from_bits(&bits)))
        };
        enumerate::valuation(model, model.variable_ids().map(value))
    }

    /// The valuation of the next state in a cube over present and next bits; bits that the cube does not fix are false.
    #[must_use]
    pub fn decode_next(&self, model: &Model, cube: &Cube) -> Valuation {
        let lists = self.now.iter().zip(&self.next);
        let bits = lists.flat_map(|(now, next)| now.iter().zip(if next.is_empty() { now } else { next }));
        let literals = bits.filter_map(|(now, next)| Some((*now, cube.value(*next)?)));
        self.decode(model, &Cube::new(literals).expect("each bit once"))
    }

    /// The literals that give one variable one value, now.
    #[must_use]
    pub fn literals(&self, model: &Model, id: VariableId, value: &Value) -> Vec<(Variable, bool)> {
        let code = model.variable(id).domain.index(value).expect("a value of the variable");
        self.bits_now(id).iter().zip(0..).map(|(bit, place)| (*bit, code.bit(place))).collect()
    }

    /// The one state that a valuation is, without inputs.
    #[must_use]
    pub fn state(&self, model: &Model, valuation: &[Value]) -> Cube {
        let kept = model.variable_ids().filter(|id| model.variable(*id).kind != VariableKind::Input);
        let literals = kept.flat_map(|id| self.literals(model, id, &valuation[id.0 as usize]));
        Cube::new(literals).expect("each bit once")
    }

    /// The inputs of a valuation.
    #[must_use]
    pub fn inputs(&self, model: &Model, valuation: &[Value]) -> Cube {
        let inputs = model.variable_ids().filter(|id| model.variable(*id).kind == VariableKind::Input);
        let literals = inputs.flat_map(|id| self.literals(model, id, &valuation[id.0 as usize]));
        Cube::new(literals).expect("each bit once")
    }
}
