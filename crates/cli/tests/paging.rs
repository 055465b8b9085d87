//! Long reports on a terminal are shown by a pager when the command is over; elsewhere there is none.

#![cfg(unix)]

mod common;

use common::Folder;
use nix::pty::{Winsize, openpty};
use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};

/// Two verdicts; the second has a run of sixty steps.
const MODEL: &str = "byte x; ltl low { [] (x < 30) } ltl bounded { [] (x < 255) }\n\
                     active proctype P() { do :: x < 40 -> x++ :: else -> break od }\n";

/// Runs the tool on a terminal with this many rows: what the terminal shows, and the exit code.
fn on_terminal(folder: &Folder, rows: u16, pager: &str, arguments: &[&str]) -> (String, Option<i32>) {
    let size = Winsize { ws_row: rows, ws_col: 400, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = openpty(&size, None).expect("a terminal");
    let mut child = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(arguments)
        .current_dir(&folder.0)
        .env("TERM", "xterm")
        .env("LARIAT_PAGER", pager)
        .env_remove("COLUMNS")
        .stdin(Stdio::null())
        .stdout(terminal.slave)
        .stderr(Stdio::null())
        .spawn()
        .expect("lariat starts");
    // The terminal must be read while the command writes. Its end is an error: nobody holds the other side any more.
    let mut shown = Vec::new();
    let _ = File::from(terminal.master).read_to_end(&mut shown);
    let exit = child.wait().expect("lariat ends").code();
    (String::from_utf8_lossy(&shown).replace('\r', ""), exit)
}

#[test]
fn long_reports_are_paged_when_the_check_is_over() {
    let folder = Folder::new("paged");
    folder.file("m.pml", MODEL);
    let check = ["check", "m.pml", "--no-save", "--color", "never"];
    let plain = folder.expect(&check, 1);
    let timeless = |text: &str| -> String { text.lines().filter(|line| !line.contains(" s")).collect() };
    assert!(plain.lines().count() > 30, "{plain}");
    // The verdicts are told at once; the pager gets everything.
    let (shown, exit) = on_terminal(&folder, 20, "cat > paged.txt", &check);
    assert_eq!(exit, Some(1));
    assert!(shown.contains("violated") && shown.contains("shown when the check is over"), "{shown}");
    assert!(shown.lines().count() < 20 && shown.contains("bounded"), "{shown}");
    let paged = folder.read("paged.txt");
    assert!(timeless(&paged) == timeless(&plain), "{paged}\nand\n{plain}");
    // Whoever leaves the pager early has seen enough.
    let (_, exit) = on_terminal(&folder, 20, "head -1", &check);
    assert_eq!(exit, Some(1));
}

#[test]
fn nothing_is_paged_that_fits_or_that_should_not_be() {
    let folder = Folder::new("plain");
    folder.file("m.pml", MODEL);
    let check = ["check", "m.pml", "--no-save", "--color", "never"];
    let whole = folder.expect(&check, 1).lines().count();
    let unpaged = |rows: u16, pager: &str, more: &[&str]| {
        let (shown, exit) = on_terminal(&folder, rows, pager, &[&check[..], more].concat());
        assert_eq!(exit, Some(1));
        assert!(!folder.0.join("paged.txt").exists(), "{shown}");
        shown
    };
    let of = |shown: &str| shown.lines().count();
    assert_eq!(of(&unpaged(200, "cat > paged.txt", &[])), whole, "it fits");
    assert_eq!(of(&unpaged(20, "cat > paged.txt", &["--no-pager"])), whole, "it is not wanted");
    assert_eq!(of(&unpaged(20, "", &[])), whole, "there is no pager");
    assert!(unpaged(20, "lariat-no-such-pager", &[]).contains("x: 29 → 30"), "the pager cannot be started");
    // Not in a pipe either.
    let output = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(check)
        .current_dir(&folder.0)
        .envs([("LARIAT_PAGER", "cat > paged.txt"), ("TERM", "xterm")])
        .output()
        .expect("lariat runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), whole);
    assert!(!folder.0.join("paged.txt").exists());
}

#[test]
fn a_saved_trace_is_paged() {
    let folder = Folder::new("replayed");
    folder.file("m.pml", MODEL);
    folder.expect(&["check", "m.pml", "--property", "low", "--trace", "t.json"], 1);
    let replay = ["replay", "m.pml", "t.json", "--color", "never"];
    let plain = folder.lariat(&replay, "");
    let (shown, exit) = on_terminal(&folder, 20, "cat > paged.txt", &replay);
    assert_eq!((exit, shown.as_str()), (plain.status.code(), ""));
    assert_eq!(folder.read("paged.txt"), String::from_utf8_lossy(&plain.stdout));
}
