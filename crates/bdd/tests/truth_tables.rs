//! Every operation against truth tables: all functions of three variables, and samples of four.

use bdd::{Bdd, Cube, Manager, Variable};

/// Bit `i` is the value under the assignment whose bit `v` is the value of variable `v`.
type Table = u32;

const VARIABLES: u32 = 3;
const ROWS: u32 = 1 << VARIABLES;
const FULL: Table = (1 << ROWS) - 1;

fn column(variable: u32) -> Table {
    (0..ROWS).filter(|row| row >> variable & 1 == 1).fold(0, |table, row| table | 1 << row)
}

/// Builds a function from its table, row by row.
fn from_table(manager: &Manager, table: Table) -> Bdd {
    let mut function = manager.no();
    for row in (0..ROWS).filter(|row| table >> row & 1 == 1) {
        let cube = Cube::new((0..VARIABLES).map(|v| (Variable(v), row >> v & 1 == 1))).unwrap();
        function = function | manager.cube(&cube);
    }
    function
}

fn table_of(function: &Bdd) -> Table {
    (0..ROWS).filter(|row| function.evaluate(|v| row >> v.0 & 1 == 1)).fold(0, |table, row| table | 1 << row)
}

fn all(manager: &Manager) -> Vec<Bdd> {
    (0..=FULL).map(|table| from_table(manager, table)).collect()
}

fn cofactor(table: Table, variable: u32, value: bool) -> Table {
    let row_of = |row: u32| if value { row | 1 << variable } else { row & !(1 << variable) };
    (0..ROWS).filter(|&row| table >> row_of(row) & 1 == 1).fold(0, |table, row| table | 1 << row)
}

/// The variables whose bit is set in `mask`.
fn variables(mask: u32) -> Vec<Variable> {
    (0..VARIABLES).filter(|v| mask >> v & 1 == 1).map(Variable).collect()
}

fn exists(table: Table, mask: u32) -> Table {
    variables(mask).iter().fold(table, |t, v| cofactor(t, v.0, false) | cofactor(t, v.0, true))
}

fn forall(table: Table, mask: u32) -> Table {
    variables(mask).iter().fold(table, |t, v| cofactor(t, v.0, false) & cofactor(t, v.0, true))
}

#[test]
fn binary_operations_on_all_pairs() {
    let manager = Manager::new();
    let functions = all(&manager);
    for (f, a) in (0_u32..).zip(&functions) {
        assert_eq!(table_of(a), f);
        assert_eq!(!a, functions[(!f & FULL) as usize]);
        for (g, b) in (0..).zip(&functions) {
            let is =
                |function: Bdd, table: Table| assert_eq!(function, functions[(table & FULL) as usize], "{f:b} {g:b}");
            is(a & b, f & g);
            is(a | b, f | g);
            is(a ^ b, f ^ g);
            is(a.iff(b), !(f ^ g));
            is(a.minus(b), f & !g);
            assert_eq!(a.implies(b), f & !g == 0);
            assert_eq!(a.intersects(b), f & g != 0);
        }
    }
    manager.verify();
}

#[test]
fn if_then_else_and_substitution_on_a_grid() {
    let manager = Manager::new();
    let functions = all(&manager);
    for f in (0..=FULL).step_by(5) {
        for g in (0..=FULL).step_by(7) {
            for h in (0..=FULL).step_by(11) {
                let [a, b, c] = [f, g, h].map(|table| &functions[table as usize]);
                assert_eq!(table_of(&a.if_then_else(b, c)), f & g | !f & h & FULL);
                // Variables 0 and 2 replaced at once, by functions that use them.
                let substituted = a.substitute(&[(Variable(0), b.clone()), (Variable(2), c.clone())]);
                let expected = (0..ROWS).filter(|row| {
                    let image = row & 2 | g >> row & 1 | (h >> row & 1) << 2;
                    f >> image & 1 == 1
                });
                assert_eq!(table_of(&substituted), expected.fold(0, |table, row| table | 1 << row));
            }
        }
    }
    manager.verify();
}

#[test]
fn cofactors_quantifiers_support_and_counts() {
    let manager = Manager::new();
    let functions = all(&manager);
    for (f, a) in (0_u32..).zip(&functions) {
        assert_eq!(a.count(VARIABLES), Some(u128::from(f.count_ones())));
        assert_eq!(a.count(VARIABLES + 2), Some(u128::from(f.count_ones()) * 4));
        assert!((a.fraction() - f64::from(f.count_ones()) / f64::from(ROWS)).abs() < 1e-12);
        let support: Vec<_> = (0..VARIABLES).filter(|&v| cofactor(f, v, false) != cofactor(f, v, true)).collect();
        assert_eq!(a.support(), support.iter().map(|&v| Variable(v)).collect::<Vec<_>>());
        for mask in 0..ROWS {
            assert_eq!(table_of(&a.exists(&variables(mask))), exists(f, mask));
            assert_eq!(table_of(&a.forall(&variables(mask))), forall(f, mask));
            for values in 0..ROWS {
                let literals = variables(mask).into_iter().map(|v| (v, values >> v.0 & 1 == 1));
                let expected = literals.clone().fold(f, |t, (v, value)| cofactor(t, v.0, value));
                assert_eq!(table_of(&a.restrict(&Cube::new(literals).unwrap())), expected);
            }
        }
        for v in 0..VARIABLES {
            assert_eq!(table_of(&a.cofactor(Variable(v), true)), cofactor(f, v, true));
        }
        for (g, b) in (0..).zip(&functions).step_by(3) {
            for mask in 0..ROWS {
                assert_eq!(table_of(&a.and_exists(b, &variables(mask))), exists(f & g, mask));
            }
        }
    }
    manager.verify();
}

#[test]
fn renaming_swaps_and_import_reorders() {
    let (manager, other) = (Manager::new(), Manager::new());
    for (f, a) in (0_u32..).zip(&all(&manager)) {
        let reversed = |row: u32| (row & 1) << 2 | row & 2 | row >> 2 & 1;
        let expected = (0..ROWS).filter(|&row| f >> reversed(row) & 1 == 1).fold(0, |t, row| t | 1 << row);
        assert_eq!(table_of(&a.rename(&[(Variable(0), Variable(2)), (Variable(2), Variable(0))])), expected);
        assert_eq!(table_of(&other.import(a, |v| Variable(2 - v.0))), expected);
        assert_eq!(other.import(a, |v| v), from_table(&other, f));
        assert_eq!(table_of(&manager.import(a, |v| Variable(2 - v.0))), expected);
    }
    other.verify();
}

fn table_of_cube(cube: &Cube) -> Table {
    cube.literals().iter().fold(FULL, |t, &(v, value)| t & if value { column(v.0) } else { !column(v.0) })
}

#[test]
fn cubes_partition_the_function() {
    let manager = Manager::new();
    for (f, a) in (0_u32..).zip(&all(&manager)) {
        let cubes: Vec<Table> = a.cubes().map(|cube| table_of_cube(&cube)).collect();
        assert_eq!(cubes.iter().fold(0, |union, cube| union | cube), f);
        assert_eq!(cubes.iter().map(|cube| cube.count_ones()).sum::<u32>(), f.count_ones(), "disjoint");
        assert_eq!(a.one_cube(), a.cubes().next());
    }
}

#[test]
fn covers_lie_between_their_bounds_and_are_irredundant() {
    let manager = Manager::new();
    let functions = all(&manager);
    for lower in 0..=FULL {
        for upper in (0..=FULL).filter(|upper| lower & !upper == 0) {
            let (cubes, union) = functions[lower as usize].cover_up_to(&functions[upper as usize]);
            let tables: Vec<Table> = cubes.iter().map(table_of_cube).collect();
            let covered = tables.iter().fold(0, |union, cube| union | cube);
            assert_eq!(table_of(&union), covered);
            assert!(lower & !covered == 0 && covered & !upper == 0);
            for (index, cube) in cubes.iter().enumerate() {
                let others =
                    tables.iter().enumerate().filter(|(i, _)| *i != index).fold(0, |union, (_, cube)| union | cube);
                assert!(lower & !others != 0, "no cube is superfluous: {lower:b} {upper:b}");
                for literal in cube.literals() {
                    let without = Cube::new(cube.literals().iter().copied().filter(|l| l != literal)).unwrap();
                    assert!(table_of_cube(&without) & !upper != 0, "no literal is superfluous: {lower:b} {upper:b}");
                }
            }
        }
    }
}

#[test]
fn a_cover_stops_at_its_limit() {
    let manager = Manager::new();
    // The parity of three variables has four prime implicants, all needed.
    let parity = (0..VARIABLES).fold(manager.no(), |f, v| f ^ manager.variable(Variable(v)));
    assert_eq!(parity.try_cover_at_most(3), Ok(None));
    assert_eq!(parity.try_cover_at_most(4), Ok(Some(parity.cover())));
    // A cover of 2^200 cubes is given up at once.
    let wide = (0..200).fold(manager.no(), |f, v| f ^ manager.variable(Variable(v)));
    assert_eq!(wide.try_cover_at_most(100), Ok(None));
}

#[test]
fn contradictory_literals_are_no_cube() {
    assert_eq!(Cube::new([(Variable(1), true), (Variable(1), false)]), None);
    let cube = Cube::new([(Variable(2), false), (Variable(0), true), (Variable(2), false)]).unwrap();
    assert_eq!(cube.literals(), [(Variable(0), true), (Variable(2), false)]);
    assert_eq!((cube.value(Variable(2)), cube.value(Variable(1))), (Some(false), None));
}

#[test]
fn simplified_functions_agree_where_it_matters() {
    let manager = Manager::new();
    let functions = all(&manager);
    for (f, a) in (0_u32..).zip(&functions) {
        for (care, b) in (0_u32..).zip(&functions).skip(1) {
            let simplified = a.try_simplify(b).unwrap();
            assert_eq!(table_of(&simplified) & care, f & care, "{f:b} where {care:b}");
            assert!(simplified.support().iter().all(|v| a.support().contains(v)), "{f:b} where {care:b}");
        }
    }
    manager.verify();
}

#[test]
fn tables_of_six_variables_there_and_back() {
    let manager = Manager::new();
    let mut word = 0x9E37_79B9_7F4A_7C15_u64;
    for round in 0..2000 {
        word = word.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
        // Some tables of few variables, of few ones, and of none.
        let table = match round % 4 {
            0 => word,
            1 => word & word.rotate_left(17) & word.rotate_left(31),
            2 => (word & 0xFFFF).wrapping_mul(0x0001_0001_0001_0001),
            _ => [0, u64::MAX][round / 4 % 2],
        };
        let function = manager.of_table(table);
        assert_eq!(function.table(), Some(table));
        for row in 0..64 {
            assert_eq!(function.evaluate(|v| row >> v.0 & 1 == 1), table >> row & 1 == 1, "{table:x}, row {row}");
        }
        assert_eq!((!&function).table(), Some(!table));
    }
    let [sixth, seventh] = [5, 6].map(|number| manager.variable(Variable(number)));
    assert_eq!(sixth.table(), Some(u64::MAX << 32));
    assert_eq!((&sixth & &seventh).table(), None);
    manager.verify();
}
