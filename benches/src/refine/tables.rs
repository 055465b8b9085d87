//! Tables 2 to 10 of [blahoudek.15.spin], in Markdown, with the rows and columns of the paper.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::measure::Result;
use super::{Form, Measured, NoAutomaton, Outcome, Search};

/// A task that was solved before and after refinement.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The automaton before.
    pub before: Measured,
    /// The automaton after.
    pub after: Measured,
    /// Product transitions before and after.
    pub transitions: (u64, u64),
    /// Whether there is a violation.
    pub violated: bool,
}

impl Pair {
    /// The improvement ratio.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.transitions.1.max(1) as f64 / self.transitions.0.max(1) as f64
    }
}

/// The tasks of one translator that one search solved in two forms.
#[must_use]
pub fn solved_both(results: &[Result], translator: usize, search: Search, forms: (Form, Form)) -> Vec<Pair> {
    let pair = |result: &Result| {
        let row = &result.rows[translator];
        let [before, after] = [forms.0, forms.1].map(|form| row[form.index()].ok());
        let (before, after) = before.zip(after)?;
        match (before.searches[search as usize], after.searches[search as usize]) {
            (Outcome::Solved { transitions: first, violated }, Outcome::Solved { transitions: second, .. }) => {
                Some(Pair { before, after, transitions: (first, second), violated })
            }
            _ => None,
        }
    };
    results.iter().filter_map(pair).collect()
}

/// The pairs of all translators together; the same automaton of a task counts once.
#[must_use]
pub fn solved_distinct(results: &[Result], search: Search, forms: (Form, Form)) -> Vec<Pair> {
    let mut all = Vec::new();
    for result in results {
        let mut known = BTreeSet::new();
        for translator in 0..result.rows.len() {
            let found = solved_both(std::slice::from_ref(result), translator, search, forms);
            all.extend(found.into_iter().filter(|pair| known.insert(pair.before.number)));
        }
    }
    all
}

/// What a run printed: tables of sizes, and for each search its tables.
#[must_use]
pub fn all(results: &[Result], translators: &[&str], searches: &[Search]) -> String {
    let mut text = String::new();
    for search in searches {
        let _ = writeln!(text, "## {}\n", search.name());
        table_2(&mut text, results, translators, *search);
        table_4(&mut text, results, translators, *search);
        table_5(&mut text, results, *search);
        table_7(&mut text, results, *search);
        table_8(&mut text, results, *search);
        table_10(&mut text, results, *search);
    }
    let _ = writeln!(text, "## Sizes of automata\n");
    sizes(&mut text, results, translators);
    lengths(&mut text, results, translators);
    text
}

/// How the automata of one form ended: no support, no automaton, search failed, solved.
fn ends<'a>(cells: impl Iterator<Item = &'a std::result::Result<Measured, NoAutomaton>>, search: Search) -> [usize; 4] {
    let mut ends = [0; 4];
    for cell in cells {
        let place = match cell {
            Err(NoAutomaton::Skipped) => continue,
            Err(NoAutomaton::Unsupported) => 0,
            Err(NoAutomaton::Limit) => 1,
            Ok(measured) => match measured.searches[search as usize] {
                Outcome::Skipped => continue,
                Outcome::Failed => 2,
                Outcome::Solved { .. } => 3,
            },
        };
        ends[place] += 1;
    }
    ends
}

fn table_2(text: &mut String, results: &[Result], translators: &[&str], search: Search) {
    let _ = writeln!(text, "Table 2: tasks solved with and without formula refinement\n");
    let columns = "no operator | no automaton | search fails | solved";
    let _ = writeln!(text, "| translator | original: {columns} | refined: {columns} | both solved |");
    let _ = writeln!(text, "|---|{}", "---:|".repeat(9));
    for (translator, name) in translators.iter().enumerate() {
        let _ = write!(text, "| {name} |");
        for form in [Form::Original, Form::Formula] {
            for count in ends(results.iter().map(|result| &result.rows[translator][form.index()]), search) {
                let _ = write!(text, " {count} |");
            }
        }
        let both = solved_both(results, translator, search, (Form::Original, Form::Formula)).len();
        let _ = writeln!(text, " {both} |");
    }
    text.push('\n');
}

/// How many pairs are in each class of ratios: false (for those without error), below 0.95, between, above 1.05, all.
fn classes(pairs: &[Pair], violated: bool) -> [usize; 5] {
    let mut counts = [0; 5];
    for pair in pairs.iter().filter(|pair| pair.violated == violated) {
        let class = match pair.ratio() {
            _ if pair.after.is_false() => 0,
            ratio if ratio < 0.95 => 1,
            ratio if ratio <= 1.05 => 2,
            _ => 3,
        };
        counts[class] += 1;
        counts[4] += 1;
    }
    counts
}

fn table_4(text: &mut String, results: &[Result], translators: &[&str], search: Search) {
    let _ = writeln!(text, "Table 4: improvement ratios of formula refinement\n");
    let _ = writeln!(
        text,
        "| | without error: false | < 0.95 | [0.95, 1.05] | > 1.05 | all | with error: < 0.95 | [0.95, 1.05] | > 1.05 | all |"
    );
    let _ = writeln!(text, "|---|{}", "---:|".repeat(9));
    for (translator, name) in translators.iter().enumerate() {
        let pairs = solved_both(results, translator, search, (Form::Original, Form::Formula));
        let (without, with) = (classes(&pairs, false), classes(&pairs, true));
        let cells: Vec<String> = without.iter().chain(&with[1..]).map(ToString::to_string).collect();
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    }
    text.push('\n');
}

fn table_5(text: &mut String, results: &[Result], search: Search) {
    let _ =
        writeln!(text, "Table 5: tasks solved with and without automaton refinement; all translators, no duplicates\n");
    let mut counts = [0_usize; 5];
    for result in results {
        let mut known = BTreeSet::new();
        for row in &result.rows {
            let Ok(before) = row[Form::Simplified.index()] else { continue };
            if !known.insert(before.number) || before.searches[search as usize] == Outcome::Skipped {
                continue;
            }
            let is_solved = |measured: &Measured| matches!(measured.searches[search as usize], Outcome::Solved { .. });
            let first = is_solved(&before);
            counts[usize::from(first)] += 1;
            match row[Form::Automaton.index()] {
                Err(_) => counts[2] += 1,
                Ok(after) => counts[if is_solved(&after) { 4 } else { 3 }] += 1,
            }
        }
    }
    let both = solved_distinct(results, search, (Form::Simplified, Form::Automaton)).len();
    let _ = writeln!(
        text,
        "| original: search fails | solved | refined: no automaton | search fails | solved | both solved |"
    );
    let _ = writeln!(text, "|{}", "---:|".repeat(6));
    let cells: Vec<String> = counts.iter().chain([&both]).map(ToString::to_string).collect();
    let _ = writeln!(text, "| {} |\n", cells.join(" | "));
}

/// The rows of classes for tables about one kind of automata.
fn ratios(text: &mut String, title: &str, pairs: &[Pair], has_false: bool) {
    let _ = writeln!(text, "{title}\n\n| | without error | with error |\n|---|---:|---:|");
    let (without, with) = (classes(pairs, false), classes(pairs, true));
    for (index, class) in ["false", "< 0.95", "[0.95, 1.05]", "> 1.05", "all"].iter().enumerate() {
        if index > 0 || has_false {
            let _ = writeln!(text, "| {class} | {} | {} |", without[index], with[index]);
        }
    }
    text.push('\n');
}

fn table_7(text: &mut String, results: &[Result], search: Search) {
    let pairs = solved_distinct(results, search, (Form::Simplified, Form::Automaton));
    ratios(text, "Table 7: improvement ratios of automaton refinement", &pairs, true);
}

fn table_8(text: &mut String, results: &[Result], search: Search) {
    let _ = writeln!(text, "Table 8: formula refinement and automaton refinement, default translator\n");
    let _ = writeln!(
        text,
        "| formula: no automaton | search fails | solved | automaton: no automaton | search fails | solved | both solved | false both ways |"
    );
    let _ = writeln!(text, "|{}", "---:|".repeat(8));
    let mut cells = Vec::new();
    for form in [Form::Formula, Form::Automaton] {
        cells.extend_from_slice(&ends(results.iter().map(|result| &result.rows[0][form.index()]), search)[1..]);
    }
    let both = solved_both(results, 0, search, (Form::Formula, Form::Automaton));
    cells.push(both.len());
    cells.push(both.iter().filter(|pair| pair.before.is_false() && pair.after.is_false()).count());
    let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
    let _ = writeln!(text, "| {} |\n", cells.join(" | "));
}

/// The pairs of Tables 9 and 10: default translator, formula refinement before automaton refinement, neither false.
#[must_use]
pub fn formula_and_automaton(results: &[Result], search: Search) -> Vec<Pair> {
    let mut pairs = solved_both(results, 0, search, (Form::Formula, Form::Automaton));
    pairs.retain(|pair| !pair.before.is_false() && !pair.after.is_false());
    pairs
}

fn table_10(text: &mut String, results: &[Result], search: Search) {
    let pairs = formula_and_automaton(results, search);
    let title = "Table 10: improvement ratios of automaton refinement over formula refinement, neither false";
    ratios(text, title, &pairs, false);
}

/// An effect on sizes, by its name in the paper.
type Effect = (&'static str, fn(&Measured, &Measured) -> bool);

const EFFECTS: [Effect; 7] = [
    ("+states", |a, b| b.size.states > a.size.states),
    ("−states", |a, b| b.size.states < a.size.states),
    ("=states, +edges", |a, b| b.size.states == a.size.states && b.size.edges > a.size.edges),
    ("=states, −edges", |a, b| b.size.states == a.size.states && b.size.edges < a.size.edges),
    ("=states, =edges, +transitions", |a, b| same(a, b) && b.size.transitions > a.size.transitions),
    ("=states, =edges, −transitions", |a, b| same(a, b) && b.size.transitions < a.size.transitions),
    ("no size change", |a, b| same(a, b) && b.size.transitions == a.size.transitions),
];

fn same(a: &Measured, b: &Measured) -> bool {
    (a.size.states, a.size.edges) == (b.size.states, b.size.edges)
}

/// The automata of two forms, for tasks with both.
fn made_both(results: &[Result], translator: usize, forms: (Form, Form)) -> Vec<(Measured, Measured)> {
    let cell = |result: &Result, form: Form| result.rows[translator][form.index()].ok();
    results.iter().filter_map(|result| cell(result, forms.0).zip(cell(result, forms.1))).collect()
}

/// Tables 3, 6 and 9, for all tasks with both automata.
fn sizes(text: &mut String, results: &[Result], translators: &[&str]) {
    let all_of = |forms| (0..translators.len()).map(|at| made_both(results, at, forms)).collect::<Vec<_>>();
    let formula = all_of((Form::Original, Form::Formula));
    let mut distinct = Vec::new();
    for result in results {
        let mut known = BTreeSet::new();
        for translator in 0..translators.len() {
            let found = made_both(std::slice::from_ref(result), translator, (Form::Simplified, Form::Automaton));
            distinct.extend(found.into_iter().filter(|(before, _)| known.insert(before.number)));
        }
    }
    let mut both = made_both(results, 0, (Form::Formula, Form::Automaton));
    both.retain(|(before, after)| !before.is_false() && !after.is_false());
    for (title, names, columns) in [
        ("Table 3: effect of formula refinement on automata", translators, &formula[..]),
        ("Table 6: effect of automaton refinement; all translators, no duplicates", &["all"][..], &[distinct][..]),
        ("Table 9: automaton refinement beside formula refinement, neither false", &translators[..1], &[both][..]),
    ] {
        let _ = writeln!(text, "{title}\n\n| effect | {} |\n|---|{}", names.join(" | "), "---:|".repeat(names.len()));
        for (effect, is) in EFFECTS {
            let count = |pairs: &Vec<(Measured, Measured)>| pairs.iter().filter(|(a, b)| is(a, b)).count().to_string();
            let _ = writeln!(text, "| {effect} | {} |", columns.iter().map(count).collect::<Vec<_>>().join(" | "));
        }
        text.push('\n');
    }
}

/// Section 5: the average number of atoms in a label.
fn lengths(text: &mut String, results: &[Result], translators: &[&str]) {
    let _ = writeln!(text, "Section 5: average length of a label, in atoms\n\n| | {} |", translators.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(translators.len()));
    type Length = fn(&Measured) -> usize;
    let rows: [(&str, Form, Length); 5] = [
        ("unrefined", Form::Original, |of| of.size.label_length),
        ("formula refinement", Form::Formula, |of| of.size.label_length),
        ("formula refinement, short labels", Form::Formula, |of| of.short_length),
        ("automaton refinement", Form::Automaton, |of| of.size.label_length),
        ("automaton refinement, short labels", Form::Automaton, |of| of.short_length),
    ];
    for (name, form, length) in rows {
        let average = |translator: usize| {
            let cells = results.iter().filter_map(|result| result.rows[translator][form.index()].ok());
            let (atoms, edges) = cells.fold((0, 0), |(a, e), of| (a + length(&of), e + of.size.edges));
            format!("{:.2}", atoms as f64 / edges.max(1) as f64)
        };
        let cells: Vec<String> = (0..translators.len()).map(average).collect();
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    }
    text.push('\n');
}
