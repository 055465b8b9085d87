//! The values of `--reduce` and `--por`.

use checker::options::{Reduction, Reductions};

/// `auto`, `off`, or a list of reductions.
pub(super) fn list(text: &str) -> Result<Reductions, String> {
    match text {
        "auto" => Ok(Reductions::Auto),
        "off" => Ok(Reductions::OFF),
        list => {
            let mut chosen = list.split(',').map(|name| one(name.trim())).collect::<Result<Vec<_>, String>>()?;
            chosen.sort();
            chosen.dedup();
            Ok(Reductions::Only(chosen))
        }
    }
}

/// `on`, `off` or `auto`.
pub(super) fn partial_order(text: &str) -> Result<Reductions, String> {
    match text {
        "on" => list(Reduction::Por.name()),
        "off" | "auto" => list(text),
        _ => Err("expected `on`, `off` or `auto`".into()),
    }
}

fn one(name: &str) -> Result<Reduction, String> {
    let names = |all: &mut dyn Iterator<Item = Reduction>| {
        all.map(|reduction| format!("`{}`", reduction.name())).collect::<Vec<_>>().join(", ")
    };
    let known = Reduction::ALL.into_iter().find(|reduction| reduction.name() == name);
    match known {
        Some(reduction) => Ok(reduction),
        None => Err(format!(
            "expected `auto`, `off`, or a list of {}, separated by commas",
            names(&mut Reduction::ALL.into_iter())
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_name_reductions_that_exist() {
        assert_eq!(list("auto"), Ok(Reductions::Auto));
        assert_eq!(list("off"), Ok(Reductions::OFF));
        assert_eq!(partial_order("off"), Ok(Reductions::OFF));
        for reduction in Reduction::ALL {
            assert_eq!(list(reduction.name()), Ok(Reductions::Only(vec![reduction])));
        }
        assert!(list("pro").unwrap_err().contains("expected `auto`, `off`"));
        assert!(partial_order("maybe").is_err());
    }
}
