//! Renaming of variables, all at once.
//!
//! Contract: as substitution of variables for variables. Where the renaming keeps the order of the variables a function
//! depends on, as between present and next bits that stand side by side, it only copies the diagram: linear, and cached
//! like any other operation. Recurses once a level. Tested by the truth tables in `tests/`.

use crate::cache::Operation;
use crate::manager::OutOfNodes;
use crate::store::{Edge, Store, Variable};

/// A renaming that the cache can tell from others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Renaming {
    tag: Edge,
}

impl Renaming {
    /// A number for one of two uses of these pairs other than renaming.
    pub(crate) fn numbered(self, second: bool) -> Edge {
        Edge(self.tag.0 | u32::from(second))
    }
}

impl Store {
    /// Registers a renaming; the same pairs give the same renaming.
    pub(crate) fn renaming(&mut self, pairs: &[(Variable, Variable)]) -> Renaming {
        let known = self.renamings.iter().position(|known| known == pairs);
        let index = known.unwrap_or_else(|| {
            self.renamings.push(pairs.to_vec());
            self.renamings.len() - 1
        });
        Renaming { tag: Edge(u32::try_from(index).expect("few renamings") << 1) }
    }

    /// `f` with the variables renamed.
    pub(crate) fn rename(&mut self, f: Edge, renaming: Renaming) -> Result<Edge, OutOfNodes> {
        let pairs = &self.renamings[renaming.tag.node()];
        let mut levels: Vec<u32> = Vec::new();
        for (from, to) in pairs {
            let from = self.order.level(*from) as usize;
            while levels.len() <= from {
                levels.push(u32::try_from(levels.len()).expect("few levels"));
            }
            levels[from] = self.order.level(*to);
        }
        self.rename_below(f, renaming, &levels)
    }

    fn rename_below(&mut self, f: Edge, renaming: Renaming, levels: &[u32]) -> Result<Edge, OutOfNodes> {
        if f.is_constant() {
            return Ok(f);
        }
        if f.is_complemented() {
            return Ok(self.rename_below(f.not(), renaming, levels)?.not());
        }
        let operands = [f, renaming.tag, Edge::TRUE];
        if let Some(result) = self.cached(Operation::Rename, operands) {
            return Ok(result);
        }
        let level = self.level(f);
        let (low, high) = self.children(f);
        let low = self.rename_below(low, renaming, levels)?;
        let high = self.rename_below(high, renaming, levels)?;
        let level = levels.get(level as usize).copied().unwrap_or(level);
        let result = if level < self.level(low) && level < self.level(high) {
            self.make(level, low, high)?
        } else {
            let variable = self.make(level, Edge::FALSE, Edge::TRUE)?;
            self.if_then_else(variable, high, low)?
        };
        Ok(self.remember(Operation::Rename, operands, result))
    }
}
