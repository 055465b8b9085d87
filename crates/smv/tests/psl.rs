//! Formulas of PSL against their definitions, on random lassos: sequences are matched by their derivatives, and operators
//! by looking at one position after the other.

use flat::enumerate::{Rules, Valuation};
use flat::model::{Model, Question, Value};
use kernel::budget::Budget;
use kernel::span::SourceMap;
use omega::random::Random;

/// How far definitions look into a lasso: further than the states of all sequences here times its positions.
const HORIZON: usize = 160;

/// A lasso over the letters `a`, `b` and `c`.
struct Lasso {
    letters: Vec<[bool; 3]>,
    loop_start: usize,
}

impl Lasso {
    fn random(random: &mut Random) -> Self {
        let positions = 1 + random.below(5) as usize;
        let letters = (0..positions).map(|_| [0; 3].map(|_| random.chance(0.5))).collect();
        Lasso { letters, loop_start: random.below(positions as u64) as usize }
    }

    fn at(&self, position: usize) -> [bool; 3] {
        let length = self.letters.len();
        if position < length {
            return self.letters[position];
        }
        self.letters[self.loop_start + (position - self.loop_start) % (length - self.loop_start)]
    }
}

/// A condition on one state: a letter, or its negation; or true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Condition {
    Is(usize, bool),
    True,
}

impl Condition {
    fn random(random: &mut Random) -> Self {
        match random.below(7) {
            6 => Condition::True,
            letter => Condition::Is(letter as usize % 3, letter < 4),
        }
    }

    fn text(self) -> String {
        match self {
            Condition::Is(letter, value) => format!("{}{}", if value { "" } else { "!" }, ["a", "b", "c"][letter]),
            Condition::True => "TRUE".into(),
        }
    }

    fn holds(self, letters: [bool; 3]) -> bool {
        match self {
            Condition::Is(letter, value) => letters[letter] == value,
            Condition::True => true,
        }
    }
}

/// A sequence, by its definition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sequence {
    Nothing,
    Empty,
    Letter(Condition),
    Joined(Box<Sequence>, Box<Sequence>),
    Fused(Box<Sequence>, Box<Sequence>),
    Either(Box<Sequence>, Box<Sequence>),
    Rounds(Box<Sequence>, u32, Option<u32>),
}

use Sequence::{Either, Empty, Fused, Joined, Letter, Nothing, Rounds};

/// A choice: a chain in order and without repetitions, so that derivatives stay small.
fn either(a: Sequence, b: Sequence) -> Sequence {
    fn add(sequence: Sequence, members: &mut Vec<Sequence>) {
        match sequence {
            Nothing => {}
            Either(a, b) => {
                add(*a, members);
                add(*b, members);
            }
            other => members.push(other),
        }
    }
    let mut members = Vec::new();
    add(a, &mut members);
    add(b, &mut members);
    members.sort();
    members.dedup();
    let mut all = members.into_iter().rev();
    let last = all.next().unwrap_or(Nothing);
    all.fold(last, |rest, one| Either(Box::new(one), Box::new(rest)))
}

fn joined(a: Sequence, b: Sequence) -> Sequence {
    match (a, b) {
        (Nothing, _) | (_, Nothing) => Nothing,
        (Empty, other) | (other, Empty) => other,
        (a, b) => Joined(Box::new(a), Box::new(b)),
    }
}

fn is_nullable(sequence: &Sequence) -> bool {
    match sequence {
        Nothing | Letter(_) | Fused(..) => false,
        Empty => true,
        Joined(a, b) => is_nullable(a) && is_nullable(b),
        Either(a, b) => is_nullable(a) || is_nullable(b),
        Rounds(round, low, _) => *low == 0 || is_nullable(round),
    }
}

/// What remains to be matched after a step in such a state.
fn derivative(sequence: &Sequence, letters: [bool; 3]) -> Sequence {
    match sequence {
        Nothing | Empty | Rounds(_, _, Some(0)) => Nothing,
        Letter(condition) => {
            if condition.holds(letters) {
                Empty
            } else {
                Nothing
            }
        }
        Joined(a, b) => {
            let first = joined(derivative(a, letters), (**b).clone());
            if is_nullable(a) { either(first, derivative(b, letters)) } else { first }
        }
        Fused(a, b) => {
            let rest = derivative(a, letters);
            let last = if is_nullable(&rest) { derivative(b, letters) } else { Nothing };
            match rest {
                Nothing | Empty => last,
                rest => either(Fused(Box::new(rest), b.clone()), last),
            }
        }
        Either(a, b) => either(derivative(a, letters), derivative(b, letters)),
        Rounds(round, low, high) => {
            let rest = Rounds(round.clone(), low.saturating_sub(1), high.map(|high| high - 1));
            joined(derivative(round, letters), rest)
        }
    }
}

fn random_sequence(random: &mut Random, depth: u32) -> (Sequence, String) {
    if depth == 0 {
        let condition = Condition::random(random);
        return (Letter(condition), condition.text());
    }
    let (a, a_text) = random_sequence(random, depth - 1);
    let (b, b_text) = random_sequence(random, depth - 1);
    match random.below(9) {
        0..=2 => (Joined(Box::new(a), Box::new(b)), format!("{{{a_text}; {b_text}}}")),
        3 => (Fused(Box::new(a), Box::new(b)), format!("{{{{{a_text}}} : {{{b_text}}}}}")),
        4 => (Either(Box::new(a), Box::new(b)), format!("{{{{{a_text}}} | {{{b_text}}}}}")),
        5 => {
            let (low, more) = (random.below(3) as u32, random.below(3) as u32);
            let text = if more == 0 { format!("{low}") } else { format!("{low}..{}", low + more) };
            (Rounds(Box::new(a), low, Some(low + more)), format!("{{{a_text}}}[*{text}]"))
        }
        6 => {
            // Without bounds, a round takes one step.
            let condition = Condition::random(random);
            let low = random.below(3) as u32;
            let mark = ["[*]", "[+]", "[*2..inf]"][low as usize];
            (Rounds(Box::new(Letter(condition)), low, None), format!("{}{mark}", condition.text()))
        }
        7 => {
            let (letter, count) = (random.below(3) as usize, 1 + random.below(2) as u32);
            let (is, not) = (Letter(Condition::Is(letter, true)), Letter(Condition::Is(letter, false)));
            let others = Rounds(Box::new(not), 0, None);
            let one = Joined(Box::new(others.clone()), Box::new(is));
            let occurrences = Rounds(Box::new(one), count, Some(count));
            let name = ["a", "b", "c"][letter];
            if random.chance(0.5) {
                (occurrences, format!("{name}[->{count}]"))
            } else {
                (Joined(Box::new(occurrences), Box::new(others)), format!("{name}[={count}]"))
            }
        }
        _ => (a, format!("{{{a_text}}}")),
    }
}

/// The positions at which matches from `from` end: behind the last step. Also whether some prefix excluded all matches.
fn matches(sequence: &Sequence, lasso: &Lasso, from: usize) -> (Vec<usize>, bool) {
    let mut ends = Vec::new();
    let mut rest = sequence.clone();
    for position in from..from + HORIZON {
        if is_nullable(&rest) {
            ends.push(position);
        }
        rest = derivative(&rest, lasso.at(position));
        if rest == Nothing {
            return (ends, true);
        }
    }
    (ends, false)
}

/// A formula that is true at a position by definition.
type Definition = Box<dyn Fn(&Lasso, usize) -> bool>;

/// A random formula with the definition of its meaning.
fn random_formula(random: &mut Random) -> (String, Definition) {
    let (p, q) = (Condition::random(random), Condition::random(random));
    let (p_text, q_text) = (p.text(), q.text());
    let strong = random.chance(0.5);
    let mark = if strong { "!" } else { "" };
    let first = |condition: Condition, lasso: &Lasso, from: usize| {
        (from..from + HORIZON).find(|at| condition.holds(lasso.at(*at)))
    };
    match random.below(12) {
        0 => {
            let steps = random.below(4) as usize;
            let text = format!("next{mark}[{steps}]({p_text})");
            (text, Box::new(move |lasso, at| p.holds(lasso.at(at + steps))))
        }
        1 => {
            let (low, more) = (random.below(3) as usize, random.below(3) as usize);
            let all = random.chance(0.5);
            let text = format!("next_{}{mark}[{low}..{}]({p_text})", if all { "a" } else { "e" }, low + more);
            let definition = move |lasso: &Lasso, at: usize| {
                let mut range = at + low..=at + low + more;
                if all { range.all(|at| p.holds(lasso.at(at))) } else { range.any(|at| p.holds(lasso.at(at))) }
            };
            (text, Box::new(definition))
        }
        2 => {
            let count = 1 + random.below(3) as usize;
            let text = format!("next_event{mark}({p_text})[{count}]({q_text})");
            let definition = move |lasso: &Lasso, at: usize| {
                let event = (at..at + HORIZON).filter(|at| p.holds(lasso.at(*at))).nth(count - 1);
                event.map_or(!strong, |at| q.holds(lasso.at(at)))
            };
            (text, Box::new(definition))
        }
        3 | 4 => {
            let overlaps = random.chance(0.5);
            let text = format!("({p_text} until{mark}{} {q_text})", if overlaps { "_" } else { "" });
            let definition = move |lasso: &Lasso, at: usize| {
                let end = first(q, lasso, at);
                let before = at..end.map_or(at + HORIZON, |end| end + usize::from(overlaps));
                (end.is_some() || !strong) && before.clone().all(|at| p.holds(lasso.at(at)))
            };
            (text, Box::new(definition))
        }
        5 => {
            let overlaps = random.chance(0.5);
            let text = format!("({p_text} before{mark}{} {q_text})", if overlaps { "_" } else { "" });
            let definition = move |lasso: &Lasso, at: usize| match (first(p, lasso, at), first(q, lasso, at)) {
                (Some(p), Some(q)) => p < q || overlaps && p == q,
                (Some(_), None) => true,
                (None, q) => q.is_none() && !strong,
            };
            (text, Box::new(definition))
        }
        6..=8 => {
            let depth = 1 + random.below(3) as u32;
            let (sequence, text) = random_sequence(random, depth);
            let later = random.chance(0.5);
            let text = format!("({{{text}}} |{} {p_text})", if later { "=>" } else { "->" });
            let definition = move |lasso: &Lasso, at: usize| {
                let (ends, _) = matches(&sequence, lasso, at);
                ends.iter()
                    .all(|end| if later { p.holds(lasso.at(*end)) } else { *end == at || p.holds(lasso.at(end - 1)) })
            };
            (text, Box::new(definition))
        }
        9 => {
            let (sequence, text) = random_sequence(random, 2);
            let definition = move |lasso: &Lasso, at: usize| {
                let (ends, is_excluded) = matches(&sequence, lasso, at);
                ends.iter().any(|end| *end > at) || !strong && !is_excluded
            };
            (format!("{{{text}}}{mark}"), Box::new(definition))
        }
        10 => {
            let (sequence, text) = random_sequence(random, 2);
            let definition = move |lasso: &Lasso, at: usize| {
                (at..at + lasso.letters.len())
                    .all(|from| matches(&sequence, lasso, from).0.iter().all(|end| *end == from))
            };
            (format!("(never {{{text}}})"), Box::new(definition))
        }
        _ => {
            let (sequence, text) = random_sequence(random, 2);
            let definition = move |lasso: &Lasso, at: usize| {
                (at..at + lasso.letters.len())
                    .any(|from| matches(&sequence, lasso, from).0.iter().any(|end| *end > from))
            };
            (format!("(eventually! {{{text}}})"), Box::new(definition))
        }
    }
}

fn load(text: &str) -> Model {
    let mut sources = SourceMap::new();
    let file = sources.add_file("psl.smv", text, None);
    let loaded = smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    loaded.model.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.diagnostics))
}

/// The truth of a property of a model with the Boolean variables `a`, `b` and `c` on a lasso.
fn holds(model: &Model, property: usize, lasso: &Lasso) -> bool {
    let Question::Ltl(formula) = &model.properties[property].question else { panic!("linear time") };
    let states: Vec<Valuation> = lasso.letters.iter().map(|letters| letters.map(Value::Boolean).to_vec()).collect();
    let mut rules = Rules::new(model);
    formula.holds(states.len(), lasso.loop_start, |node, at| rules.holds(node, &states[at], None))
}

#[test]
fn formulas_mean_what_the_standard_says() {
    let mut seen = [0, 0];
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let (text, definition) = random_formula(&mut random);
        let whole = random.below(3);
        let prefix = ["", "always ", "eventually! "][whole as usize];
        let model =
            load(&format!("MODULE main\nVAR a : boolean; b : boolean; c : boolean;\nPSLSPEC {prefix}({text})\n"));
        for _ in 0..6 {
            let lasso = Lasso::random(&mut random);
            let mut positions = 0..lasso.letters.len();
            let expected = match whole {
                0 => definition(&lasso, 0),
                1 => positions.all(|at| definition(&lasso, at)),
                _ => positions.any(|at| definition(&lasso, at)),
            };
            let found = holds(&model, 0, &lasso);
            let (letters, start) = (&lasso.letters, lasso.loop_start);
            assert_eq!(found, expected, "seed {seed}: {prefix}{text} on {letters:?} with the loop from {start}");
            seen[usize::from(found)] += 1;
        }
    }
    assert!(seen[0] > 1000 && seen[1] > 1000, "{seen:?}");
}

#[test]
fn a_formula_for_each_value_is_their_conjunction() {
    let declarations = "MODULE main\nVAR a : boolean; b : boolean; c : boolean;\nDEFINE n := count(a, b);\n";
    let pairs = [
        (
            "forall i in {0..1, 2} : always (n = i -> next_e[1..2](n >= i))",
            "G ((n = 0 -> F [1, 2] n >= 0) & \
          (n = 1 -> F [1, 2] n >= 1) & (n = 2 -> F [1, 2] n >= 2))",
        ),
        ("forall i in {0:1} : always (n = i -> next c)", "G ((n = 0 -> X c) & (n = 1 -> X c))"),
        (
            "forall v in boolean : (a <-> v) -> eventually! (b <-> v)",
            "((a <-> FALSE) -> F (b <-> FALSE)) & \
          ((a <-> TRUE) -> F (b <-> TRUE))",
        ),
        (
            "forall i in {0, 1} : forall j in {1, 2} : always {n = i; n = j} |=> c",
            "G ((n = 0 -> X (n = 1 -> X c)) & \
          (n = 0 -> X (n = 2 -> X c)) & (n = 1 -> X (n = 1 -> X c)) & (n = 1 -> X (n = 2 -> X c)))",
        ),
    ];
    for (psl, linear) in pairs {
        let model = load(&format!("{declarations}PSLSPEC {psl}\nLTLSPEC {linear}\n"));
        let mut random = Random::new(7);
        for _ in 0..300 {
            let lasso = Lasso::random(&mut random);
            assert_eq!(holds(&model, 0, &lasso), holds(&model, 1, &lasso), "{psl} on {:?}", lasso.letters);
        }
    }
}
