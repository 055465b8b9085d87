//! `lariat format` on files: what is replaced, what is refused, and exit codes; and a first message to `lariat lsp`.

mod common;

use common::Folder;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

const UGLY: &str = "byte x ;\nactive proctype P(){\nx=1 // one\n}\n";
const NICE: &str = "byte x;\nactive proctype P() {\n    x = 1 // one\n}\n";

#[test]
fn files_are_replaced_and_then_stay() {
    let folder = Folder::new("format");
    let model = folder.file("m.pml", UGLY);
    let path = model.display().to_string();
    folder.expect(&["format", "--check", &path], 1);
    assert_eq!(std::fs::read_to_string(&model).expect("a text"), UGLY, "nothing is written");
    folder.expect(&["format", &path], 0);
    assert_eq!(std::fs::read_to_string(&model).expect("a text"), NICE);
    folder.expect(&["format", "--check", &path], 0);
    let smv = folder.file("m.smv", "MODULE main\nVAR x:boolean;\n");
    folder.expect(&["format", &path, &smv.display().to_string()], 0);
    assert_eq!(std::fs::read_to_string(&smv).expect("a text"), "MODULE main\nVAR x : boolean;\n");
}

#[test]
fn wrong_models_and_files_that_are_no_text_stay() {
    let folder = Folder::new("format-refused");
    let wrong = folder.file("wrong.pml", "active proctype P() {  y=1 }\n");
    folder.expect(&["format", &wrong.display().to_string()], 4);
    assert_eq!(std::fs::read_to_string(&wrong).expect("a text"), "active proctype P() {  y=1 }\n");
    let bytes = folder.file("bytes.pml", "");
    std::fs::write(&bytes, b"byte x; /* \xe9 */ active proctype P() {  x=1 }\n").expect("written");
    folder.expect(&["format", &bytes.display().to_string()], 3);
    folder.expect(&["format", "circuit.aag"], 3);
    folder.expect(&["format", "missing.pml"], 3);
    folder.expect(&["format"], 3);
}

#[test]
fn macros_of_the_command_line_count() {
    let folder = Folder::new("format-macros");
    let model = folder.file("m.pml", "byte x[N];\nactive proctype P() {  x[0]=1 }\n").display().to_string();
    folder.expect(&["format", "--check", &model], 4);
    folder.expect(&["format", "--check", "-D", "N=2", &model], 1);
}

#[test]
fn standard_input_is_formatted_to_standard_output() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(["format", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("lariat starts");
    child.stdin.take().expect("a pipe").write_all(UGLY.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("lariat ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stdout).as_ref()), (Some(0), NICE));
}

#[test]
fn the_language_server_answers_over_standard_streams() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("lariat starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut say = |text: &str| {
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len())
            .and_then(|()| input.flush())
            .expect("the server listens");
    };
    say(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}"#,
    );
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut header = String::new();
    output.read_line(&mut header).expect("a header");
    let length = header.trim().strip_prefix("Content-Length: ").expect("a length").parse::<usize>().expect("a number");
    let mut body = vec![0; length + 2];
    output.read_exact(&mut body).expect("an answer");
    assert!(String::from_utf8_lossy(&body).contains("\"name\":\"lariat\""));
    say(r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#);
    say(r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#);
    say(r#"{"jsonrpc":"2.0","method":"exit"}"#);
    assert_eq!(child.wait().expect("lariat ends").code(), Some(0));
}
