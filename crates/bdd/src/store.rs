//! Nodes, the unique table, and the reclaiming of nodes that no handle reaches.
//!
//! Representation after [brace.90.dac]: an [`Edge`] is a node number and a complement bit; node 0 is the terminal *true*.
//! Invariants, checked by [`Store::verify`]:
//!
//! 1. the high edge of a node is never complemented, and its two edges differ;
//! 2. the children of a node stand on strictly later levels (`order` tells which variable stands on which level);
//! 3. no two nodes have the same level and children: the unique table holds each live node exactly once;
//! 4. a node with external references, and every node that it reaches, is live.
//!
//! Reclaiming happens only before a public operation ([`Store::attempt`]), never inside one, so the recursive
//! operations need not protect their intermediate results. Tested by the truth tables in `tests/`.

use crate::bounds::{BYTES_PER_NODE, Bounds};
use crate::cache::{Cache, EDGE_BITS, Operation};
use crate::manager::OutOfNodes;
use crate::order::Order;
use crate::sift::Automatic;
use kernel::budget::Share;

/// A variable of a manager. Until somebody reorders, its number is also its place in the order, smallest at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(pub u32);

/// The most variables of a manager. Operations recurse once for each level, so that this bounds their stack.
pub const MAX_VARIABLES: u32 = 4096;

/// A node number shifted left by one, with the complement bit at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Edge(pub(crate) u32);

impl Edge {
    pub(crate) const TRUE: Edge = Edge(0);
    pub(crate) const FALSE: Edge = Edge(1);

    pub(crate) fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }

    pub(crate) fn is_complemented(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn regular(self) -> Edge {
        Edge(self.0 & !1)
    }

    /// Complements the edge if `other` is complemented.
    pub(crate) fn with_sign_of(self, other: Edge) -> Edge {
        Edge(self.0 ^ (other.0 & 1))
    }

    pub(crate) fn is_constant(self) -> bool {
        self.0 <= 1
    }

    pub(crate) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }
}

/// The level of the terminal: below every variable.
pub(crate) const TERMINAL_LEVEL: u32 = u32::MAX;
/// The level of a reclaimed node.
pub(crate) const FREE_LEVEL: u32 = u32::MAX - 1;
/// The end of a chain in the unique table; the terminal is in no chain.
pub(crate) const NO_NODE: u32 = 0;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) level: u32,
    pub(crate) low: Edge,
    pub(crate) high: Edge,
    /// The next node of the same bucket, or of the free list.
    pub(crate) next: u32,
}

/// The complement bit of an edge leaves the others for the node number.
const MAX_NODES: usize = 1 << (EDGE_BITS - 1);
const INITIAL_BUCKETS: usize = 64;
/// The most cached results, for each bucket and in all; further results replace old ones.
const MAX_CACHE: (usize, usize) = (4, 1 << 22);
/// The number of computed results between two checks of the budget. The creation of nodes causes further checks.
const RESULTS_PER_CLOCK_READING: u64 = 1 << 16;
/// Below this many nodes reclaiming is not worth its time.
const FIRST_COLLECTION: usize = 1 << 18;
/// With automatic sifting, nodes are reclaimed once their number is this many times the number at which sifting is due:
/// the number of nodes that are still in use decides whether to sift.
const DEAD_BESIDE_LIVE: usize = 3;

/// Everything a manager owns.
#[derive(Debug)]
pub(crate) struct Store {
    pub(crate) nodes: Vec<Node>,
    /// How many handles point at each node.
    pub(crate) references: Vec<u32>,
    buckets: Vec<u32>,
    cache: Cache,
    free: u32,
    pub(crate) live: usize,
    /// Results computed so far: the measure of how much time sifting may take.
    pub(crate) work: u64,
    limit: usize,
    collect_at: usize,
    /// Live nodes at which an operation pauses to look for a better order.
    pause_at: usize,
    pub(crate) order: Order,
    /// The renamings that were applied so far, each with its own number in the cache.
    pub(crate) renamings: Vec<Vec<(Variable, Variable)>>,
    /// The saturations so far, which the cache tells apart by their numbers.
    saturations: u32,
    pub(crate) bounds: Bounds,
    /// The memory of the live nodes, as others see it who keep to the same limit.
    pub(crate) held: Share,
    pub(crate) automatic: Option<Automatic>,
}

impl Store {
    pub(crate) fn new(limit: usize) -> Self {
        let terminal = Node { level: TERMINAL_LEVEL, low: Edge::TRUE, high: Edge::TRUE, next: NO_NODE };
        // Room for the nodes that the buckets are made for.
        let (mut nodes, mut references) = (Vec::with_capacity(INITIAL_BUCKETS), Vec::with_capacity(INITIAL_BUCKETS));
        nodes.push(terminal);
        references.push(1);
        Store {
            nodes,
            references,
            buckets: vec![NO_NODE; INITIAL_BUCKETS],
            cache: Cache::new(),
            free: NO_NODE,
            live: 1,
            work: 0,
            limit: limit.min(MAX_NODES),
            collect_at: FIRST_COLLECTION,
            pause_at: usize::MAX,
            order: Order::default(),
            renamings: Vec::new(),
            saturations: 0,
            bounds: Bounds::default(),
            held: Share::default(),
            automatic: None,
        }
    }

    pub(crate) fn set_limit(&mut self, limit: usize) {
        self.limit = limit.min(MAX_NODES);
    }

    pub(crate) fn peak_nodes(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn live_nodes(&self) -> usize {
        self.live
    }

    pub(crate) fn level(&self, edge: Edge) -> u32 {
        self.nodes[edge.node()].level
    }

    /// The cofactors of `edge` by its own root variable; `edge` is not constant.
    pub(crate) fn children(&self, edge: Edge) -> (Edge, Edge) {
        let node = &self.nodes[edge.node()];
        (node.low.with_sign_of(edge), node.high.with_sign_of(edge))
    }

    /// The cofactors of `edge` by the variable of `level`, which stands at or above the root of `edge`.
    pub(crate) fn cofactors(&self, edge: Edge, level: u32) -> (Edge, Edge) {
        let node = &self.nodes[edge.node()];
        if node.level == level { (node.low.with_sign_of(edge), node.high.with_sign_of(edge)) } else { (edge, edge) }
    }

    /// The function "if the variable of `level` then `high` else `low`"; both stand below `level`.
    pub(crate) fn make(&mut self, level: u32, low: Edge, high: Edge) -> Result<Edge, OutOfNodes> {
        if low == high {
            return Ok(low);
        }
        // Invariant 1: move a complement bit from the high edge to the result.
        let sign = high;
        let (low, high) = (low.with_sign_of(sign), high.regular());
        let bucket = bucket_of(level, low, high, self.buckets.len());
        let mut at = self.buckets[bucket];
        while at != NO_NODE {
            let node = &self.nodes[at as usize];
            if node.level == level && node.low == low && node.high == high {
                return Ok(Edge(at << 1).with_sign_of(sign));
            }
            at = node.next;
        }
        let index = self.allocate(Node { level, low, high, next: self.buckets[bucket] })?;
        self.buckets[bucket] = index;
        if self.live > self.buckets.len() {
            self.grow();
        }
        Ok(Edge(index << 1).with_sign_of(sign))
    }

    fn allocate(&mut self, node: Node) -> Result<u32, OutOfNodes> {
        if self.live >= self.limit.min(self.pause_at) || !self.bounds.allow_node(self.live) {
            return Err(OutOfNodes);
        }
        self.live += 1;
        Ok(self.take_free(node))
    }

    /// Puts a node into the next free place; the caller counts it.
    pub(crate) fn take_free(&mut self, node: Node) -> u32 {
        if self.free != NO_NODE {
            let index = self.free;
            self.free = self.nodes[index as usize].next;
            self.nodes[index as usize] = node;
            return index;
        }
        let index = u32::try_from(self.nodes.len()).expect("fewer than 2^27 nodes");
        self.nodes.push(node);
        self.references.push(0);
        index
    }

    /// Frees the place of a node that nothing refers to.
    pub(crate) fn give_free(&mut self, index: u32) {
        self.nodes[index as usize] = Node { level: FREE_LEVEL, low: Edge::TRUE, high: Edge::TRUE, next: self.free };
        self.free = index;
    }

    /// After nodes have moved to other levels: clears the cache and rebuilds the unique table.
    pub(crate) fn after_reordering(&mut self) {
        self.cache.clear();
        self.rebuild_buckets(self.buckets.len());
        self.set_next_collection();
    }

    /// Collect again when the live part has doubled, so that the cost stays proportional to the work; earlier if that
    /// is when to look for a better order.
    pub(crate) fn set_next_collection(&mut self) {
        let first = self.automatic.as_ref().map_or(FIRST_COLLECTION, |automatic| {
            automatic.due_at.saturating_mul(DEAD_BESIDE_LIVE).min(FIRST_COLLECTION)
        });
        self.collect_at = (2 * self.live).max(first);
    }

    /// Doubles the unique table, and the cache with it.
    fn grow(&mut self) {
        self.rebuild_buckets(self.buckets.len() * 2);
        self.grow_cache();
    }

    fn grow_cache(&mut self) {
        let most = (self.buckets.len() * MAX_CACHE.0).min(MAX_CACHE.1).min(self.limit);
        self.cache.grow(most);
    }

    fn rebuild_buckets(&mut self, length: usize) {
        self.buckets.clear();
        self.buckets.resize(length, NO_NODE);
        for index in 1..self.nodes.len() {
            let node = &mut self.nodes[index];
            if node.level != FREE_LEVEL {
                let bucket = bucket_of(node.level, node.low, node.high, length);
                node.next = self.buckets[bucket];
                self.buckets[bucket] = index as u32;
            }
        }
    }

    #[inline]
    pub(crate) fn cached(&self, operation: Operation, operands: [Edge; 3]) -> Option<Edge> {
        self.cache.get(operation, operands)
    }

    #[inline]
    pub(crate) fn remember(&mut self, operation: Operation, operands: [Edge; 3], result: Edge) -> Edge {
        self.work += 1;
        if self.work.is_multiple_of(RESULTS_PER_CLOCK_READING) {
            self.bounds.read_clock();
            self.held.set(self.live as u64 * BYTES_PER_NODE);
        }
        if self.cache.put(operation, operands, result) {
            self.grow_cache();
        }
        result
    }

    pub(crate) fn retain(&mut self, edge: Edge) {
        self.references[edge.node()] += 1;
    }

    pub(crate) fn release(&mut self, edge: Edge) {
        self.references[edge.node()] -= 1;
    }

    /// The number of a new saturation. Where numbers run out, the cache forgets the old ones.
    pub(crate) fn number_of_saturation(&mut self) -> Edge {
        self.saturations += 1;
        if self.saturations >> EDGE_BITS != 0 {
            self.cache.clear();
            self.saturations = 0;
        }
        Edge(self.saturations)
    }

    /// The number of live nodes at which the next operation reclaims.
    pub(crate) fn collect_at(&self) -> usize {
        self.collect_at
    }

    /// Does some work that pauses, as one that grows too much, at this number of live nodes already.
    pub(crate) fn with_room<T>(&mut self, nodes: usize, work: impl FnOnce(&mut Store) -> T) -> T {
        let pause_at = self.pause_at.min(nodes);
        self.pause_at = pause_at;
        let result = work(self);
        self.pause_at = pause_at;
        result
    }

    /// Whether an operation failed because it was to pause, and not at a limit.
    pub(crate) fn has_paused(&self) -> bool {
        self.live >= self.pause_at && !self.bounds.is_exhausted()
    }

    /// Lets an operation that has to pause make the nodes that keep its result.
    pub(crate) fn let_finish(&mut self) {
        self.pause_at = usize::MAX;
    }

    /// Runs an operation whose operands are all held by handles; reclaims unreachable nodes first if enough have piled
    /// up, and tries once more after reclaiming if the limit is reached.
    pub(crate) fn attempt(
        &mut self,
        mut operation: impl FnMut(&mut Store) -> Result<Edge, OutOfNodes>,
    ) -> Result<Edge, OutOfNodes> {
        if self.bounds.fails_at_once() {
            return Err(OutOfNodes);
        }
        if self.live >= self.collect_at {
            self.collect();
            self.sift_if_due();
        }
        self.pause_at = self.automatic.as_ref().map_or(usize::MAX, |automatic| automatic.due_at.max(2 * self.live) * 2);
        let mut result = operation(self);
        // An operation that grows beyond all bounds is tried again in a better order, with twice the room each time.
        while result.is_err() && self.has_paused() && self.pause_at < self.limit {
            let pause_at = 2 * self.pause_at;
            self.collect();
            self.sift_now();
            if let Some(automatic) = &mut self.automatic {
                // The intermediate nodes of the operation were too many, not the live ones; so sift later the next time.
                automatic.due_at *= 2;
            }
            self.pause_at = pause_at;
            result = operation(self);
        }
        if result.is_err() && !self.bounds.is_exhausted() {
            self.pause_at = usize::MAX;
            self.collect();
            let is_full = self.bounds.is_nearly_full(self.live);
            result = if is_full { Err(OutOfNodes) } else { operation(self) };
            if result.is_err() && !self.bounds.is_exhausted() {
                self.bounds.exhaust_memory(self.live);
            }
        }
        result
    }

    /// Reclaims every node that no handle reaches.
    pub(crate) fn collect(&mut self) {
        let mut reached: Vec<bool> = self.references.iter().map(|&count| count > 0).collect();
        let mut pending: Vec<usize> = (0..self.nodes.len()).filter(|&node| reached[node]).collect();
        while let Some(node) = pending.pop() {
            for child in [self.nodes[node].low.node(), self.nodes[node].high.node()] {
                if !std::mem::replace(&mut reached[child], true) {
                    pending.push(child);
                }
            }
        }
        self.cache.retain(|edge| reached[edge.node()]);
        self.free = NO_NODE;
        self.live = 0;
        for (index, reached) in reached.into_iter().enumerate().rev() {
            if reached {
                self.live += 1;
            } else {
                self.nodes[index] = Node { level: FREE_LEVEL, low: Edge::TRUE, high: Edge::TRUE, next: self.free };
                self.free = index as u32;
            }
        }
        self.rebuild_buckets(self.buckets.len());
        self.set_next_collection();
    }

    /// Panics with the name of the first invariant that does not hold.
    pub(crate) fn verify(&self) {
        let mut seen = std::collections::HashSet::new();
        for (index, node) in self.nodes.iter().enumerate().skip(1) {
            if node.level == FREE_LEVEL {
                assert!(self.references[index] == 0, "invariant 4: node {index} is free but referenced");
                continue;
            }
            assert!(!node.high.is_complemented() && node.low != node.high, "invariant 1 at node {index}");
            assert!(self.level(node.low) > node.level && self.level(node.high) > node.level, "invariant 2 at {index}");
            assert!(seen.insert((node.level, node.low, node.high)), "invariant 3: node {index} is a duplicate");
            for child in [node.low, node.high] {
                assert!(self.level(child) != FREE_LEVEL, "invariant 4: node {index} reaches a reclaimed node");
            }
        }
        assert_eq!(seen.len() + 1, self.live, "the count of live nodes");
    }
}

pub(crate) fn mix(a: u32, b: u32, c: u32) -> usize {
    let word = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let word = (word ^ (word >> 29) ^ u64::from(c)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (word >> 32) as usize
}

/// `length` is a power of two.
fn bucket_of(level: u32, low: Edge, high: Edge, length: usize) -> usize {
    mix(low.0, high.0, level) & (length - 1)
}
