//! A model in SMV that several tests check.

use serde_json::Value;

/// A counter that counts to two and may wait; it can get stuck at two.
pub(crate) const COUNTER: &str = "\
MODULE main
VAR n : 0..2; idle : boolean; other : boolean;
ASSIGN
  init(n) := 0;
  next(n) := case idle : n; n < 2 : n + 1; TRUE : 0; esac;
CTLSPEC NAME returns := AG AF n = 0
LTLSPEC NAME again := G F n = 1
INVARSPEC NAME small := n < 2
INVARSPEC n <= 2
COMPUTE MIN [ n = 0, n = 2 ]
";

/// The property of a report with this name.
pub(crate) fn property<'a>(report: &'a Value, name: &str) -> &'a Value {
    report["properties"].as_array().unwrap().iter().find(|one| one["name"] == name).expect("a property of that name")
}
