//! Scripts with random changes: every session ends, and none panics.

mod common;

use common::Folder;

const MODEL: &str = "MODULE main
IVAR i : boolean;
VAR x : 0..3; b : boolean;
DEFINE d := x = 1;
ASSIGN init(x) := 0; next(x) := i ? (x + 1) mod 4 : x;
CTLSPEC AG x < 3
LTLSPEC NAME l := F x = 2
INVARSPEC x <= 3
COMPUTE MIN [x = 0, x = 2]
";

const SCRIPT: &str = "go
show_property -u
check_ctlspec -n 0
check_ltlspec -P l
check_invar -p \"x < 2 | b\"
check_compute
show_traces -v 1.1:2
show_traces -p 4 -a
pick_state -i
0
simulate -k 3 -c \"x < 3\" -p
simulate -i -k 2
1
0
goto_state 2.1
print_current_state -v
print_reachable_states -v -d
compute_reachable -k 2
show_vars -V
print_fsm_stats
check_fsm
set bmc_length 3
go_bmc
check_ltlspec_bmc -k 3 -l X
check_invar_bmc -a een-sorensson -k 3
unset bmc_length ; set ; help simulate
reset
time
source nothing
quit
";

/// A small generator, so that a failure can be repeated from the seed that is printed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % limit.max(1)
    }
}

fn mutated(random: &mut Random) -> String {
    let mut lines: Vec<String> = SCRIPT.lines().map(str::to_owned).collect();
    for _ in 0..1 + random.below(6) {
        let at = random.below(lines.len());
        let other = lines[random.below(lines.len())].clone();
        match random.below(6) {
            0 => {
                lines.remove(at);
            }
            1 => lines.insert(at, other),
            2 => lines[at] = format!("{} {other}", lines[at]),
            3 => {
                let keep = random.below(lines[at].chars().count() + 1);
                lines[at] = lines[at].chars().take(keep).collect();
            }
            4 => {
                let strange =
                    ["\"", "-", "-k -1", "9999999999999999999999", "é\u{0}", ";", "#", "1.1:0", "0.0", "-p 99"];
                lines[at] = format!("{} {}", lines[at], strange[random.below(strange.len())]);
            }
            _ => lines.swap(at, 0),
        }
        if lines.is_empty() {
            lines.push("go".into());
        }
    }
    lines.join("\n")
}

#[test]
fn no_mutated_script_panics() {
    let folder = Folder::new(&[("m.smv", MODEL)]);
    for seed in 0..60 {
        let script = mutated(&mut Random(seed));
        let folder = std::panic::AssertUnwindSafe(&folder);
        let found = std::panic::catch_unwind(|| folder.interactive("m.smv", &script).exit);
        assert!(found.is_ok(), "seed {seed}\n{script}");
    }
}
