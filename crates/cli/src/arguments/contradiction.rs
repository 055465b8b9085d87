//! What to change on the command line where options contradict each other.

use checker::error::{Contradiction, NumberingSearch, SeveralSets};
use checker::options::{Emptiness, Shortening, Store};

/// The advice, as a clause that follows the contradiction.
pub(crate) fn advice(contradiction: Contradiction) -> String {
    match contradiction {
        Contradiction::OwnSearch => "leave `--shorten-with` out".into(),
        Contradiction::MayMissShortest(_) => "use `--shorten-with bfs`".into(),
        Contradiction::SwarmForLassos => "add `--safety`, or leave `--swarm` out".into(),
        Contradiction::NoLasso => {
            "`--max-length` is about lassos; use `--max-depth`, with `--search bfs` for shortest traces".into()
        }
        Contradiction::NoAcceptingState(because) => {
            let option = match because {
                SeveralSets::WeakFairness => "--fair weak",
                SeveralSets::AmongAllLassos => "--shortest=formula",
            };
            format!("leave one of `--all-minimal` and `{option}` out")
        }
        Contradiction::CountedSets { is_bitstate: true, .. } => {
            "use `--store hash-compact` and no `--shorten-with`".into()
        }
        Contradiction::CountedSets { is_bitstate: false, .. } => "use `--shorten-with generalised`".into(),
        Contradiction::Unnumbered(search) => {
            let option = |option: &str, name: &str| format!("`{option} {name}`");
            let others: Vec<String> = match search {
                NumberingSearch::Emptiness(_) => {
                    let taking = Emptiness::ALL.into_iter().filter(|search| search.takes(Store::BITSTATE));
                    taking.map(|search| option("--emptiness", search.name())).collect()
                }
                NumberingSearch::Shortening(_) => {
                    let taking = Shortening::ALL.into_iter().filter(|search| search.takes(Store::BITSTATE));
                    taking.map(|search| option("--shorten-with", search.name())).collect()
                }
            };
            format!("use {}, or `--store hash-compact`", others.join(" or "))
        }
    }
}
