//! Which random formulas: symbol sets, weights as text.
//!
//! What: a [`SymbolSet`] names the weights of operators, constants and single propositions; the drawing itself is
//! [`omega::random`] (figure 2 of [tauriainen.00.spin]). [`SymbolSet::of_paper`] are the four sets of the experiment there:
//! without constants and `X`, with constants, with `X`, with both; a proposition has probability 0.18 and a constant, where
//! there are any, 0.05.
//!
//! Contract: deterministic; a formula has exactly as many symbols as asked for.

pub use crate::thresholds::generate::MAX_WEIGHT;
use omega::formula::{Formula, Formulas};
use omega::random::{FormulaShape, Random, Weights};

/// The symbols of random formulas, and how likely each is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolSet {
    /// A name for tables.
    pub name: String,
    /// The weights of operators and constants; that of atoms is the sum of the weights below.
    weights: Weights,
    /// Each proposition with its weight.
    atoms: Vec<(String, u32)>,
}

/// The default weight of a proposition: 18 where a constant has 5, as in the paper.
const ATOM: u32 = 18;
const CONSTANT: u32 = 5;

impl SymbolSet {
    /// Propositions `p0`, `p1`, …, constants, and the operators of the paper, all operators alike. Operators of the past
    /// have no weight unless [`SymbolSet::change`] gives them one: other programs do not translate them.
    #[must_use]
    pub fn new(name: impl Into<String>, propositions: usize) -> Self {
        let weights = Weights {
            atom: 0,
            truth: CONSTANT,
            falsehood: CONSTANT,
            xor: 0,
            weak_until: 0,
            strong_release: 0,
            ..Weights::default()
        };
        let atoms = (0..propositions).map(|index| (format!("p{index}"), ATOM)).collect();
        SymbolSet { name: name.into(), weights, atoms }
    }

    /// The four symbol sets of the paper.
    #[must_use]
    pub fn of_paper(propositions: usize) -> [SymbolSet; 4] {
        [(1, false, false), (2, true, false), (3, false, true), (4, true, true)].map(|(number, constants, next)| {
            let mut set = SymbolSet::new(format!("({number})"), propositions);
            set.weights.next = u32::from(next);
            let constant = if constants { CONSTANT } else { 0 };
            (set.weights.truth, set.weights.falsehood) = (constant, constant);
            set
        })
    }

    /// Changes weights as a text such as `X=0,U=3,true=1,p0=5` says.
    ///
    /// # Errors
    /// The mistake in the text.
    pub fn change(&mut self, text: &str) -> Result<(), String> {
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (symbol, weight) = part.split_once('=').ok_or_else(|| format!("`{part}` is not SYMBOL=WEIGHT"))?;
            let weight: u32 = weight.trim().parse().map_err(|_| format!("`{weight}` is not a weight"))?;
            if weight > MAX_WEIGHT {
                return Err(format!("`{part}`: weights go up to {MAX_WEIGHT}"));
            }
            *self.weight(symbol.trim())? = weight;
        }
        self.check()
    }

    fn weight(&mut self, symbol: &str) -> Result<&mut u32, String> {
        let weights = &mut self.weights;
        Ok(match symbol {
            "true" | "1" => &mut weights.truth,
            "false" | "0" => &mut weights.falsehood,
            "!" => &mut weights.not,
            "X" => &mut weights.next,
            "F" | "<>" => &mut weights.eventually,
            "G" | "[]" => &mut weights.always,
            "&" | "&&" => &mut weights.and,
            "|" | "||" => &mut weights.or,
            "^" | "xor" => &mut weights.xor,
            "->" => &mut weights.implies,
            "<->" => &mut weights.iff,
            "U" => &mut weights.until,
            "R" | "V" => &mut weights.release,
            "W" => &mut weights.weak_until,
            "M" => &mut weights.strong_release,
            "Y" => &mut weights.previously,
            "Z" => &mut weights.weak_previously,
            "O" => &mut weights.once,
            "H" => &mut weights.historically,
            "S" => &mut weights.since,
            "T" => &mut weights.triggered,
            name => match self.atoms.iter_mut().find(|(atom, _)| atom == name) {
                Some((_, weight)) => weight,
                None => {
                    let known = "true false ! X F G & | ^ -> <-> U R W M Y Z O H S T";
                    return Err(format!("`{name}` is neither a proposition nor one of {known}"));
                }
            },
        })
    }

    /// Whether formulas of any number of symbols can be drawn.
    ///
    /// # Errors
    /// The operator or operand that is missing.
    pub fn check(&self) -> Result<(), String> {
        let leaves = self.atoms.iter().map(|(_, weight)| weight).sum::<u32>() + self.weights.truth;
        if leaves + self.weights.falsehood == 0 {
            return Err("no proposition and no constant has a weight".to_owned());
        }
        let Weights { not, next, eventually, always, previously, weak_previously, once, historically, .. } =
            self.weights;
        if not + next + eventually + always + previously + weak_previously + once + historically == 0 {
            return Err("at least one of ! X F G Y Z O H needs a weight, for formulas of two symbols".to_owned());
        }
        Ok(())
    }

    /// The propositions.
    #[must_use]
    pub fn atoms(&self) -> Vec<String> {
        self.atoms.iter().map(|(atom, _)| atom.clone()).collect()
    }

    /// A formula with this many symbols, exactly as drawn.
    pub fn draw(&self, symbols: usize, formulas: &mut Formulas, random: &mut Random) -> Formula {
        self.shape(symbols).draw_verbatim(formulas, random)
    }

    /// The shape that draws formulas: a proposition is listed as often as it weighs, in lowest terms.
    fn shape(&self, symbols: usize) -> FormulaShape {
        let common = self.atoms.iter().fold(0, |sum, (_, weight)| greatest_common_divisor(sum, *weight)).max(1);
        let listed = |(atom, weight): &(String, u32)| vec![atom.clone(); (weight / common) as usize];
        let atoms: Vec<String> = self.atoms.iter().flat_map(listed).collect();
        let weights = Weights { atom: self.atoms.iter().map(|(_, weight)| weight).sum(), ..self.weights };
        FormulaShape { symbols, atoms, weights }
    }
}

fn greatest_common_divisor(mut one: u32, mut other: u32) -> u32 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;
    use omega::print::{Notation, print};

    #[test]
    fn weights_decide_which_symbols_occur() {
        let mut set = SymbolSet::new("", 3);
        set.change("X=0, true=0,false=0,U=9,p0=0,p2=36").unwrap();
        let (mut one, mut two) = (0, 0);
        for seed in 0..2000 {
            let mut formulas = Formulas::new();
            let formula = set.draw(6, &mut formulas, &mut Random::new(seed));
            assert_eq!(formulas.size(formula), 6);
            let text = print(&formulas, formula, Notation::Spot);
            assert!(!text.contains("p0") && !text.contains('X') && !text.contains(['0', '1']) || text.contains('p'));
            one += text.matches("p1").count();
            two += text.matches("p2").count();
        }
        assert!((18..22).contains(&(10 * two / one)), "{one} {two}");
    }

    #[test]
    fn wrong_weights_are_refused() {
        let mut set = SymbolSet::new("", 1);
        for wrong in ["Q=1", "X", "X=a", "p1=3", "p0=0,true=0,false=0", "!=0,X=0,F=0,G=0", "U=99999"] {
            assert!(set.clone().change(wrong).is_err(), "{wrong}");
        }
        assert!(set.change("p0=3").is_ok());
    }
}
