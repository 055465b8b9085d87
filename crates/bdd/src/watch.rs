//! A look at the world from inside long operations, so that they can be ended.

/// How many nodes are made between two looks.
const EVERY: u32 = 1 << 14;

/// Asks from time to time whether to go on.
#[derive(Default)]
pub(crate) struct Watch {
    ask: Option<Box<dyn FnMut(usize) -> bool + Send>>,
    since: u32,
    stopped: bool,
}

impl Watch {
    pub(crate) fn set(&mut self, ask: Option<Box<dyn FnMut(usize) -> bool + Send>>) {
        *self = Watch { ask, since: 0, stopped: false };
    }

    /// Whether to go on, with this many live nodes; once the answer was no it stays no.
    pub(crate) fn go_on(&mut self, live: usize) -> bool {
        self.since += 1;
        if self.since >= EVERY {
            self.since = 0;
            self.stopped |= self.ask.as_mut().is_some_and(|ask| !ask(live));
        }
        !self.stopped
    }

    /// As [`Watch::go_on`], with a look at once.
    pub(crate) fn go_on_now(&mut self, live: usize) -> bool {
        self.since = EVERY;
        self.go_on(live)
    }

    pub(crate) fn has_stopped(&self) -> bool {
        self.stopped
    }
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").field("set", &self.ask.is_some()).field("stopped", &self.stopped).finish()
    }
}
