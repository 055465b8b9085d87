//! The order in which NuSMV lists the states of a set.
//!
//! NuSMV walks through the cubes of a decision diagram, the false branch first, and lists the states of one cube with the
//! bits that the cube leaves open: first true, then false, and the topmost of them changes fastest. Bits stand in the order
//! of the declarations; the least significant bit of a number or symbol is above the others, and so is the most
//! significant bit of a word. This was learnt from what NuSMV prints. Tested on such lists.

use flat::model::{Domain, Model, VariableId, VariableKind};

/// A state, or the inputs of a step, as bits in NuSMV's order.
pub type Row = Vec<bool>;

/// The bits of the inputs, or of the other variables, in NuSMV's order, each as its variable and its place. `order` is that
/// of the declarations.
#[must_use]
pub fn bits(model: &Model, order: &[VariableId], inputs: bool) -> Vec<(VariableId, usize)> {
    let mut bits = Vec::new();
    for &id in order.iter().filter(|id| (model.variable(**id).kind == VariableKind::Input) == inputs) {
        let domain = &model.variable(id).domain;
        let places = 0..domain.bits() as usize;
        match domain {
            Domain::Word(..) => bits.extend(places.rev().map(|place| (id, place))),
            _ => bits.extend(places.map(|place| (id, place))),
        }
    }
    bits
}

/// The rows of a set in NuSMV's order.
#[must_use]
pub fn ordered(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_unstable();
    rows.dedup();
    let mut listed = Vec::with_capacity(rows.len());
    let mut cube = Vec::new();
    let rows: Vec<&[bool]> = rows.iter().map(Vec::as_slice).collect();
    cubes(&rows, &mut cube, &mut listed);
    listed
}

/// Lists the cubes of a sorted set, below the part of a cube that is known. Recurses once for each bit.
fn cubes(rows: &[&[bool]], cube: &mut Vec<Option<bool>>, listed: &mut Vec<Row>) {
    let Some(first) = rows.first() else { return };
    if first.is_empty() {
        expand(cube, listed);
        return;
    }
    let (low, high) = rows.split_at(rows.partition_point(|row| !row[0]));
    let rest = |part: &[&'_ [bool]]| -> Vec<Row> { part.iter().map(|row| row[1..].to_vec()).collect() };
    let (low, high) = (rest(low), rest(high));
    let mut below = |value: Option<bool>, part: &[Row]| {
        cube.push(value);
        cubes(&part.iter().map(Vec::as_slice).collect::<Vec<_>>(), cube, listed);
        cube.pop();
    };
    if low == high {
        below(None, &low);
    } else {
        below(Some(false), &low);
        below(Some(true), &high);
    }
}

/// Lists the rows of a cube.
fn expand(cube: &[Option<bool>], listed: &mut Vec<Row>) {
    let open: Vec<usize> = (0..cube.len()).filter(|at| cube[*at].is_none()).collect();
    let mut row: Row = cube.iter().map(|value| value.unwrap_or(true)).collect();
    loop {
        listed.push(row.clone());
        // The topmost open bit changes fastest, from true to false.
        let Some(place) = open.iter().position(|at| row[*at]) else { return };
        open[..place].iter().for_each(|at| row[*at] = true);
        row[open[place]] = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Row> {
        text.split_whitespace().map(|row| row.chars().map(|bit| bit == '1').collect()).collect()
    }

    #[test]
    fn open_bits_are_listed_from_true_to_false_and_the_topmost_fastest() {
        assert_eq!(ordered(rows("00 01 10 11")), rows("11 01 10 00"));
        // Values 0, 2 of three, as a cube of one open bit; then 1.
        assert_eq!(ordered(rows("00 01 10")), rows("01 00 10"));
        // The five values of 0..4 with the least significant bit first: 4, 0, 2, 3, 1.
        assert_eq!(ordered(rows("000 100 010 110 001")), rows("001 000 010 110 100"));
        assert_eq!(ordered(rows("")), rows(""));
        assert_eq!(ordered(vec![vec![]]), vec![Vec::<bool>::new()]);
    }

    #[test]
    fn nothing_is_lost() {
        let mut random = 12345_u32;
        for _ in 0..200 {
            let mut set = Vec::new();
            for number in 0..64_u32 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if random >> 31 == 1 {
                    set.push((0..6).map(|bit| number >> bit & 1 == 1).collect::<Row>());
                }
            }
            let mut listed = ordered(set.clone());
            listed.sort_unstable();
            set.sort_unstable();
            assert_eq!(listed, set);
        }
    }
}
