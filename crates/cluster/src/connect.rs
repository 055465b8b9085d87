//! Connections to all other processes.
//!
//! *How.* Process `i` listens for those with greater numbers, on exactly its address in the list, and dials those with
//! smaller ones, again and again until they listen. Every pair has a connection for states, and every process one more with
//! process 0 for heartbeats. Each connection begins with a [`handshake`](crate::handshake), in a thread of its own, so that
//! a stranger keeps nobody waiting. The listener is closed when all others are there, or when the time is over.

use crate::control::Control;
use crate::handshake::{Agreement, Channel, Hello, Refusal, Role, shake};
use crate::place::{Failure, Place};
use std::collections::BTreeMap;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How often somebody who does not listen yet is dialled, after a few times in quick succession.
const PAUSE: Duration = Duration::from_millis(20);
/// How often the listener looks, and the first pause between two times that somebody is dialled.
const LOOK: Duration = Duration::from_millis(1);
/// How long one attempt to dial may take.
const ATTEMPT: Duration = Duration::from_secs(1);
/// The most strangers at a time; more are turned away without a word.
const MOST_STRANGERS: usize = 100;

/// A connection, or why there is none.
enum News {
    Connected(Hello, TcpStream),
    /// Somebody who dialled is refused.
    Refused(SocketAddr, Refusal),
    /// Somebody who was dialled refuses, or is refused.
    Hopeless(usize, Refusal),
}

/// What the threads that shake hands need.
#[derive(Clone)]
struct Greeter {
    secret: Arc<Vec<u8>>,
    hello: Hello,
    news: Sender<News>,
}

impl Greeter {
    fn hello(&self, channel: Channel) -> Hello {
        Hello { channel, ..self.hello.clone() }
    }
}

/// Connects this process with all others; their connections for states, by number.
///
/// # Errors
/// Why the cluster does not come together.
pub(crate) fn connect(
    place: &Place,
    agreement: Agreement,
    control: &Control,
) -> Result<Vec<Option<TcpStream>>, Failure> {
    let deadline = Instant::now() + place.wait;
    let (news, received) = channel();
    let index = u16::try_from(place.index).expect("there are few processes");
    let hello = Hello { index, channel: Channel::Data, agreement };
    let greeter = Greeter { secret: Arc::new(place.secret.clone()), hello, news };
    let is_last = place.index + 1 == place.hosts.len();
    let listener = if is_last { None } else { Some(listen(place)?) };
    for other in 0..place.index {
        let channels = if other == 0 { &[Channel::Data, Channel::Control][..] } else { &[Channel::Data] };
        for channel in channels {
            let (greeter, hosts, channel) = (greeter.clone(), place.hosts.clone(), *channel);
            spawn(move || dial(&greeter, || hosts.resolve(other), other, channel, deadline));
        }
    }
    Meeting { place, control, states: (0..place.hosts.len()).map(|_| None).collect(), refused: BTreeMap::new() }
        .wait(listener, &greeter, &received, deadline)
}

fn spawn(work: impl FnOnce() + Send + 'static) {
    // Without a thread, the connection is missing, and that is reported.
    let _ = std::thread::Builder::new().name("handshake".into()).spawn(work);
}

fn listen(place: &Place) -> Result<TcpListener, Failure> {
    let cannot =
        |error: io::Error| Failure::Incomplete(format!("cannot listen as {}: {error}", place.hosts.name(place.index)));
    let addresses = place.hosts.resolve(place.index).map_err(cannot)?;
    let listener = TcpListener::bind(&addresses[..]).map_err(cannot)?;
    listener.set_nonblocking(true).map_err(cannot)?;
    Ok(listener)
}

/// Dials until somebody answers.
fn dial(
    greeter: &Greeter,
    resolve: impl Fn() -> io::Result<Vec<SocketAddr>>,
    other: usize,
    channel: Channel,
    deadline: Instant,
) {
    let mut pause = LOOK;
    let mut wait = || {
        std::thread::sleep(pause);
        pause = PAUSE.min(pause * 2);
    };
    while Instant::now() < deadline {
        let addresses = resolve().unwrap_or_default();
        let stream = addresses.iter().find_map(|address| TcpStream::connect_timeout(address, ATTEMPT).ok());
        let Some(stream) = stream else {
            wait();
            continue;
        };
        // A closed port of this machine may be connected with itself.
        if stream.local_addr().ok() == stream.peer_addr().ok() {
            drop(stream);
            wait();
            continue;
        }
        let news = match shake(&stream, Role::Dialler, &greeter.secret, &greeter.hello(channel)) {
            Ok(hello) if usize::from(hello.index) == other => News::Connected(Hello { channel, ..hello }, stream),
            Ok(hello) => {
                let words = format!("says that it is process {}", hello.index);
                News::Hopeless(other, Refusal::Different(hello.index, words))
            }
            // Somebody else may have had the port, or the process was about to end.
            Err(Refusal::Stranger(_)) => {
                wait();
                continue;
            }
            Err(refusal) => News::Hopeless(other, refusal),
        };
        let _ = greeter.news.send(news);
        return;
    }
}

/// The connections so far.
struct Meeting<'a> {
    place: &'a Place,
    control: &'a Control,
    /// By number: the connections for states.
    states: Vec<Option<TcpStream>>,
    /// By number: why a process that is missing was refused.
    refused: BTreeMap<usize, String>,
}

impl Meeting<'_> {
    fn wait(
        mut self,
        listener: Option<TcpListener>,
        greeter: &Greeter,
        received: &Receiver<News>,
        deadline: Instant,
    ) -> Result<Vec<Option<TcpStream>>, Failure> {
        let strangers = Arc::new(AtomicUsize::new(0));
        loop {
            if self.missing().is_empty() {
                return Ok(self.states);
            }
            if Instant::now() >= deadline {
                return Err(self.incomplete());
            }
            while let Some(Ok((stream, address))) = listener.as_ref().map(TcpListener::accept) {
                greet(greeter, stream, address, &strangers);
            }
            match received.recv_timeout(LOOK) {
                Ok(news) => self.take(news)?,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
        }
    }

    /// The processes that are missing.
    fn missing(&self) -> Vec<usize> {
        let (own, hosts) = (self.place.index, &self.place.hosts);
        let is_missing = |other: &usize| {
            let needs_control = own == 0 || *other == 0;
            self.states[*other].is_none() || needs_control && !self.control.knows(*other)
        };
        (0..hosts.len()).filter(|other| *other != own).filter(is_missing).collect()
    }

    fn take(&mut self, news: News) -> Result<(), Failure> {
        let hosts = &self.place.hosts;
        match news {
            News::Connected(hello, stream) => {
                let other = usize::from(hello.index);
                let is_known = other >= hosts.len()
                    || other == self.place.index
                    || match hello.channel {
                        Channel::Data => self.states[other].is_some(),
                        Channel::Control => self.control.knows(other),
                    };
                if is_known {
                    let words =
                        if other < hosts.len() { "which is there already" } else { "which the list does not have" };
                    self.control.front.log(&format!("refused process {other}, {words}"));
                    return Ok(());
                }
                // Packets are collected before they are sent.
                let _ = stream.set_nodelay(true);
                let _ = stream.set_read_timeout(None).and_then(|()| stream.set_write_timeout(None));
                match hello.channel {
                    Channel::Data => self.states[other] = Some(stream),
                    Channel::Control => self.control.add(other, stream),
                }
            }
            News::Refused(address, refusal) => {
                let words = match refusal {
                    Refusal::Stranger(words) => format!("refused a connection from {address}: {words}"),
                    Refusal::Secret => format!("refused a connection from {address}: it has another secret"),
                    Refusal::Different(index, words) => {
                        let index = usize::from(index);
                        self.refused.insert(index, words.clone());
                        format!("refused process {index} at {address}: it {words}")
                    }
                };
                self.control.front.log(&words);
            }
            News::Hopeless(other, refusal) => {
                let name = hosts.name(other);
                return Err(Failure::Incomplete(match refusal {
                    Refusal::Stranger(words) => format!("{name}: {words}"),
                    Refusal::Secret => format!("{name} has another secret"),
                    Refusal::Different(_, words) => format!("{name} {words}"),
                }));
            }
        }
        Ok(())
    }

    fn incomplete(&self) -> Failure {
        let name = |other: &usize| match self.refused.get(other) {
            Some(words) => format!("{} (which was refused: it {words})", self.place.hosts.name(*other)),
            None => self.place.hosts.name(*other),
        };
        let missing: Vec<String> = self.missing().iter().map(name).collect();
        let seconds = self.place.wait.as_secs_f64();
        Failure::Incomplete(format!("after {seconds} s these are missing: {}", missing.join(", ")))
    }
}

/// Shakes hands with somebody who dialled, in a thread of its own.
fn greet(greeter: &Greeter, stream: TcpStream, address: SocketAddr, strangers: &Arc<AtomicUsize>) {
    if strangers.load(Ordering::Relaxed) >= MOST_STRANGERS || stream.set_nonblocking(false).is_err() {
        return;
    }
    strangers.fetch_add(1, Ordering::Relaxed);
    let (greeter, strangers) = (greeter.clone(), Arc::clone(strangers));
    spawn(move || {
        // What the connection is for is the dialler's to say.
        let news = match shake(&stream, Role::Listener, &greeter.secret, &greeter.hello(Channel::Data)) {
            Ok(hello) => News::Connected(hello, stream),
            Err(refusal) => News::Refused(address, refusal),
        };
        strangers.fetch_sub(1, Ordering::Relaxed);
        let _ = greeter.news.send(news);
    });
}
