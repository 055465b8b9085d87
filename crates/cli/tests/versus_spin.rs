//! Differences from SPIN that `docs/versus-spin.md` explains, as far as they are about numbers of states.

mod common;

use common::Folder;

#[test]
fn a_d_step_is_no_partner_in_a_rendezvous() {
    let folder = Folder::new("d-step-partner");
    let model = "chan c = [0] of { byte };\nactive proctype P() { d_step { assert(true) } }\n\
                 active proctype Q() { atomic { true; c!4 } }\n";
    folder.file("m.pml", model);
    let report = folder
        .json(&["check", "--no-save", "--safety", "--all-errors", "--reduce", "off", "--format", "json", "m.pml"], 1);
    assert_eq!(report["statistics"]["states"], 4, "{report:#}");
    let page = include_str!("../../../docs/versus-spin.md");
    assert!(page.contains("active proctype Q() { atomic { true; c!4 } }") && page.contains("Lariat has 4 states"));
}
