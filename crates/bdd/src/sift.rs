//! A better order of the variables, by sifting [rudell.93.iccad].
//!
//! What: moves each block of variables through all places and leaves it where the diagrams are smallest. Contract: every
//! function keeps its handle and its meaning; variables of one block stay side by side in their order; the number of
//! live nodes does not grow, unless `go_on` ends it within a move. Deterministic, unless the caller's `go_on` looks at a clock.
//!
//! How: neighbouring levels are exchanged in place. A node of the upper level that depends on the lower variable is
//! rewritten to test that variable first; all others stay as they are. For the time of the sifting the nodes hold
//! variables instead of levels, each variable has a table of its own, and all references are counted, so that nodes die
//! at once and the size is known after each exchange. A move is given up when the diagrams grow beyond
//! [`Sifting::growth`]. Tested by `tests/sifting.rs`: functions keep their truth tables, all invariants hold, and known
//! bad orders are repaired.

use crate::order::Order;
use crate::store::{Edge, FREE_LEVEL, NO_NODE, Node, Store, TERMINAL_LEVEL, Variable, mix};

/// How to sift.
#[derive(Clone, Debug)]
pub struct Sifting<'a> {
    /// Variables that move together, in the order in which they now stand; all others move alone.
    pub blocks: &'a [Vec<Variable>],
    /// How far the diagrams may grow, relative to the best size so far, before a move is given up; in percent.
    pub growth: usize,
    /// How many blocks to move at most, those with most nodes first.
    pub moves: usize,
    /// The number of visited nodes after which sifting begins with no further block.
    pub effort: u64,
}

impl Default for Sifting<'_> {
    fn default() -> Self {
        Sifting { blocks: &[], growth: 120, moves: usize::MAX, effort: u64::MAX }
    }
}

/// Sifting without being asked, whenever the diagrams have grown enough since the last time.
#[derive(Clone, Debug)]
pub(crate) struct Automatic {
    pub(crate) blocks: Vec<Vec<Variable>>,
    /// Live nodes, after reclaiming, at which to sift.
    pub(crate) due_at: usize,
    /// The number of nodes that sifting has visited so far.
    pub(crate) spent: u64,
}

/// Nodes that automatic sifting may look at in any case, and for each result that was computed otherwise. So sifting takes
/// time in proportion to all else, and an order which cannot be improved costs little.
const ALLOWANCE: (u64, u64) = (20_000_000, 4);
/// The number of visited nodes between two checks of the limits.
const LOOKED_AT_PER_LOOK: u64 = 1_000_000;
/// The cost of rewriting a node, in visits.
const REWRITING: u64 = 8;

impl Store {
    pub(crate) fn set_automatic(&mut self, automatic: Option<Automatic>) {
        self.automatic = automatic;
        self.set_next_collection();
    }

    /// Sifts if enough nodes are live. Called between operations, right after reclaiming.
    pub(crate) fn sift_if_due(&mut self) {
        if self.automatic.as_ref().is_some_and(|automatic| self.live >= automatic.due_at) {
            self.sift_now();
        }
    }

    /// Sifts and sets when to do so next.
    pub(crate) fn sift_now(&mut self) {
        let Some(mut automatic) = self.automatic.take() else { return };
        let before = self.live;
        let left = (ALLOWANCE.0 + ALLOWANCE.1 * self.work).saturating_sub(automatic.spent);
        let mut bounds = std::mem::take(&mut self.bounds);
        let sifting = Sifting { blocks: &automatic.blocks, effort: left, ..Sifting::default() };
        automatic.spent += self.sift(&sifting, |_| bounds.read_clock());
        self.bounds = bounds;
        // Where little was gained, little will be gained soon.
        let factor = if self.live > before - before / 8 { 4 } else { 2 };
        automatic.due_at = automatic.due_at.max(factor * self.live);
        self.set_automatic(Some(automatic));
    }

    /// Sifts. Calls `go_on` with the number of live nodes before each block and at intervals. Returns the number of visited
    /// nodes.
    pub(crate) fn sift(&mut self, sifting: &Sifting<'_>, mut go_on: impl FnMut(usize) -> bool) -> u64 {
        self.collect();
        let mut session = Session::new(self);
        let mut blocks = session.blocks(sifting.blocks);
        let mut by_size: Vec<(usize, Vec<u32>)> = blocks
            .iter()
            .map(|block| (block.iter().map(|v| session.tables[*v as usize].len).sum(), block.clone()))
            .collect();
        by_size.retain(|(size, _)| *size > 0);
        by_size.sort_by_key(|(size, block)| (std::cmp::Reverse(*size), block.clone()));
        for (_, block) in by_size.into_iter().take(sifting.moves) {
            if session.looked_at >= sifting.effort || !go_on(session.live) {
                break;
            }
            let at = blocks.iter().position(|other| *other == block).expect("a block stays a block");
            session.sift_block(&mut blocks, at, sifting.growth, &mut go_on);
        }
        let looked_at = session.looked_at;
        session.finish();
        looked_at
    }
}

/// The unique table of one variable.
#[derive(Debug, Default)]
struct Table {
    buckets: Vec<u32>,
    len: usize,
}

struct Session<'s> {
    store: &'s mut Store,
    /// References to each node, from handles and from other nodes.
    counts: Vec<u32>,
    tables: Vec<Table>,
    variable_at: Vec<u32>,
    live: usize,
    looked_at: u64,
    /// For each pair of variables whether some function depends on both; otherwise they pass each other unchanged.
    interact: Vec<Vec<u64>>,
}

impl<'s> Session<'s> {
    fn new(store: &'s mut Store) -> Self {
        let highest = store.nodes.iter().map(|node| node.level).filter(|level| *level < FREE_LEVEL).max();
        let levels = highest.map_or(0, |level| level + 1).max(store.order.stored());
        let variable_at: Vec<u32> = (0..levels).map(|level| store.order.variable(level).0).collect();
        let mut session = Session {
            counts: store.references.clone(),
            tables: (0..levels).map(|_| Table { buckets: vec![NO_NODE; 16], len: 0 }).collect(),
            variable_at,
            live: store.live,
            looked_at: store.nodes.len() as u64,
            interact: Vec::new(),
            store,
        };
        for index in 1..session.store.nodes.len() {
            let node = session.store.nodes[index];
            if node.level == FREE_LEVEL {
                continue;
            }
            session.counts[node.low.node()] += 1;
            session.counts[node.high.node()] += 1;
            let variable = session.variable_at[node.level as usize];
            session.store.nodes[index].level = variable;
            session.insert(variable, index as u32);
        }
        session.find_interactions();
        session
    }

    /// Marks each pair of variables below a common root. Roots are nodes that only handles refer to.
    fn find_interactions(&mut self) {
        let count = self.variable_at.len();
        let words = count.div_ceil(64);
        self.interact = vec![vec![0; words]; count];
        let nodes = &self.store.nodes;
        let mut visited = vec![0_u32; nodes.len()];
        let roots = (1..nodes.len())
            .filter(|&index| nodes[index].level != FREE_LEVEL && self.counts[index] == self.store.references[index]);
        for (round, root) in (1_u32..).zip(roots) {
            let mut support = vec![0_u64; words];
            let mut pending = vec![root];
            while let Some(index) = pending.pop() {
                let node = &nodes[index];
                if node.level == TERMINAL_LEVEL || std::mem::replace(&mut visited[index], round) == round {
                    continue;
                }
                support[node.level as usize / 64] |= 1 << (node.level % 64);
                pending.extend([node.low.node(), node.high.node()]);
            }
            for variable in 0..count {
                if support[variable / 64] >> (variable % 64) & 1 == 1 {
                    self.interact[variable].iter_mut().zip(&support).for_each(|(row, own)| *row |= own);
                }
            }
        }
    }

    fn interacts(&self, x: u32, y: u32) -> bool {
        self.interact[x as usize][y as usize / 64] >> (y % 64) & 1 == 1
    }

    /// The number of nodes in the blocks that a block can still pass. Moving past them removes at most these.
    fn removable<'b>(&self, block: &[u32], others: impl Iterator<Item = &'b Vec<u32>>) -> usize {
        let meets = |other: &u32| block.iter().any(|own| self.interacts(*own, *other));
        others.flatten().filter(|other| meets(other)).map(|other| self.tables[*other as usize].len).sum()
    }

    /// The blocks in the order of their levels: those given, and each other variable alone.
    fn blocks(&self, given: &[Vec<Variable>]) -> Vec<Vec<u32>> {
        let mut block_of: Vec<Option<usize>> = vec![None; self.variable_at.len()];
        for (index, block) in given.iter().enumerate() {
            for variable in block {
                if let Some(slot) = block_of.get_mut(variable.0 as usize) {
                    *slot = Some(index);
                }
            }
        }
        let mut blocks: Vec<(Option<usize>, Vec<u32>)> = Vec::new();
        for &variable in &self.variable_at {
            let own = block_of[variable as usize];
            match blocks.last_mut() {
                Some((last, members)) if own.is_some() && *last == own => members.push(variable),
                _ => blocks.push((own, vec![variable])),
            }
        }
        blocks.into_iter().map(|(_, members)| members).collect()
    }

    /// Moves the block at `at` through all places and leaves it at the best.
    fn sift_block(&mut self, blocks: &mut [Vec<u32>], at: usize, growth: usize, go_on: &mut dyn FnMut(usize) -> bool) {
        let mut look_at = self.looked_at + LOOKED_AT_PER_LOOK;
        let last = blocks.len() - 1;
        let mut place = at;
        let mut best = (self.live, at);
        // The nearer end first, so that the block moves over the longer distance only once.
        let down_first = last - at < at;
        for down in [down_first, !down_first] {
            while if down { place < last } else { place > 0 } {
                let own: usize = blocks[place].iter().map(|variable| self.tables[*variable as usize].len).sum();
                let removable = if down {
                    self.removable(&blocks[place], blocks[place + 1..].iter())
                } else {
                    // Moving up can remove nodes of the block itself as well.
                    own + self.removable(&blocks[place], blocks[..place].iter())
                };
                if self.live.saturating_sub(removable) >= best.0 {
                    break;
                }
                if self.looked_at >= look_at {
                    look_at = self.looked_at + LOOKED_AT_PER_LOOK;
                    if !go_on(self.live) {
                        // Whoever does not want to wait does not want the block brought back either.
                        return;
                    }
                }
                let upper = if down { place } else { place - 1 };
                self.exchange_blocks(blocks, upper);
                place = if down { place + 1 } else { place - 1 };
                if self.live < best.0 {
                    best = (self.live, place);
                }
                if self.live > best.0.saturating_mul(growth) / 100 {
                    break;
                }
            }
        }
        while place != best.1 {
            let upper = if place < best.1 { place } else { place - 1 };
            self.exchange_blocks(blocks, upper);
            place = if place < best.1 { place + 1 } else { place - 1 };
        }
    }

    fn exchange_blocks(&mut self, blocks: &mut [Vec<u32>], upper: usize) {
        let first: usize = blocks[..upper].iter().map(Vec::len).sum();
        let (above, below) = (blocks[upper].len(), blocks[upper + 1].len());
        for moved in 0..below {
            for level in (first + moved..first + moved + above).rev() {
                self.exchange(level);
            }
        }
        blocks.swap(upper, upper + 1);
    }

    /// Exchanges the variables of two neighbouring levels.
    fn exchange(&mut self, level: usize) {
        let (x, y) = (self.variable_at[level], self.variable_at[level + 1]);
        self.variable_at.swap(level, level + 1);
        if !self.interacts(x, y) {
            return;
        }
        for index in self.take_dependent(x, y) {
            let node = self.store.nodes[index as usize];
            let (low_low, low_high) = self.cofactors(node.low, y);
            let (high_low, high_high) = self.cofactors(node.high, y);
            let low = self.make(x, low_low, high_low);
            self.counts[low.node()] += 1;
            let high = self.make(x, low_high, high_high);
            self.counts[high.node()] += 1;
            debug_assert!(!high.is_complemented(), "invariant 1");
            self.release(node.low);
            self.release(node.high);
            let node = &mut self.store.nodes[index as usize];
            (node.level, node.low, node.high) = (y, low, high);
            self.insert(y, index);
        }
    }

    /// Takes the nodes of `x` that have a child of `y` out of the table of `x`.
    fn take_dependent(&mut self, x: u32, y: u32) -> Vec<u32> {
        let mut taken = Vec::new();
        let nodes = &mut self.store.nodes;
        let table = &mut self.tables[x as usize];
        self.looked_at += table.len as u64;
        for bucket in &mut table.buckets {
            let mut at = std::mem::replace(bucket, NO_NODE);
            while at != NO_NODE {
                let node = nodes[at as usize];
                if nodes[node.low.node()].level == y || nodes[node.high.node()].level == y {
                    taken.push(at);
                } else {
                    nodes[at as usize].next = *bucket;
                    *bucket = at;
                }
                at = node.next;
            }
        }
        table.len -= taken.len();
        self.looked_at += REWRITING * taken.len() as u64;
        taken
    }

    fn cofactors(&self, edge: Edge, variable: u32) -> (Edge, Edge) {
        let node = &self.store.nodes[edge.node()];
        if node.level == variable { (node.low.with_sign_of(edge), node.high.with_sign_of(edge)) } else { (edge, edge) }
    }

    /// The node of a variable with these children; its references are not counted yet.
    fn make(&mut self, variable: u32, low: Edge, high: Edge) -> Edge {
        if low == high {
            return low;
        }
        let sign = high;
        let (low, high) = (low.with_sign_of(sign), high.regular());
        let table = &self.tables[variable as usize];
        let mut at = table.buckets[bucket_of(low, high, table.buckets.len())];
        while at != NO_NODE {
            let node = &self.store.nodes[at as usize];
            if node.low == low && node.high == high {
                return Edge(at << 1).with_sign_of(sign);
            }
            at = node.next;
        }
        let index = self.store.take_free(Node { level: variable, low, high, next: NO_NODE });
        if self.counts.len() <= index as usize {
            self.counts.push(0);
        }
        self.counts[index as usize] = 0;
        self.counts[low.node()] += 1;
        self.counts[high.node()] += 1;
        self.live += 1;
        self.insert(variable, index);
        Edge(index << 1).with_sign_of(sign)
    }

    /// Drops one reference; nodes without any are freed, and so on downwards.
    fn release(&mut self, edge: Edge) {
        let first = edge.node();
        if self.counts[first] > 1 {
            self.counts[first] -= 1;
            return;
        }
        let mut pending = vec![first];
        while let Some(index) = pending.pop() {
            self.counts[index] -= 1;
            if self.counts[index] == 0 {
                let node = self.store.nodes[index];
                debug_assert!(node.level != TERMINAL_LEVEL, "the terminal is always referenced");
                self.remove(node.level, index as u32);
                self.store.give_free(index as u32);
                self.live -= 1;
                pending.extend([node.low.node(), node.high.node()]);
            }
        }
    }

    fn insert(&mut self, variable: u32, index: u32) {
        let table = &mut self.tables[variable as usize];
        table.len += 1;
        if table.len > 2 * table.buckets.len() {
            let length = table.buckets.len() * 4;
            let old = std::mem::replace(&mut table.buckets, vec![NO_NODE; length]);
            for mut at in old {
                while at != NO_NODE {
                    let node = &mut self.store.nodes[at as usize];
                    let bucket = bucket_of(node.low, node.high, length);
                    let next = std::mem::replace(&mut node.next, table.buckets[bucket]);
                    table.buckets[bucket] = at;
                    at = next;
                }
            }
        }
        let node = &mut self.store.nodes[index as usize];
        let bucket = bucket_of(node.low, node.high, table.buckets.len());
        node.next = table.buckets[bucket];
        table.buckets[bucket] = index;
    }

    fn remove(&mut self, variable: u32, index: u32) {
        let (low, high) = (self.store.nodes[index as usize].low, self.store.nodes[index as usize].high);
        let table = &mut self.tables[variable as usize];
        let bucket = bucket_of(low, high, table.buckets.len());
        table.len -= 1;
        let after = self.store.nodes[index as usize].next;
        if table.buckets[bucket] == index {
            table.buckets[bucket] = after;
            return;
        }
        let mut at = table.buckets[bucket];
        while self.store.nodes[at as usize].next != index {
            at = self.store.nodes[at as usize].next;
        }
        self.store.nodes[at as usize].next = after;
    }

    /// Back to levels in the nodes and one table for all.
    fn finish(self) {
        let order = Order::new(self.variable_at);
        for node in self.store.nodes.iter_mut().skip(1) {
            if node.level != FREE_LEVEL {
                node.level = order.level(Variable(node.level));
            }
        }
        self.store.order = order;
        self.store.live = self.live;
        self.store.after_reordering();
    }
}

/// `length` is a power of two.
fn bucket_of(low: Edge, high: Edge, length: usize) -> usize {
    mix(low.0, high.0, 0) & (length - 1)
}
