//! Connections to all other processes.
//!
//! *How.* Process `i` listens for those with greater numbers, on exactly its address in the list, and dials those with
//! smaller ones, again and again until they listen. The last one listens as well, for nobody: so a process that was started twice, or
//! with the number of another one, is told that it cannot have the address. Every pair has a connection for states, and every process one more with
//! process 0 for heartbeats. Each connection begins with a [`handshake`](crate::handshake), in a thread of its own, so that
//! a stranger keeps nobody waiting. The listener is closed when all others are there, or when the time is over.

use crate::control::Control;
use crate::handshake::{Agreement, Channel, Hello, Refusal, Role, shake};
use crate::place::{Failure, Place};
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// How often somebody who does not listen yet is dialled, after a few times in quick succession.
const PAUSE: Duration = Duration::from_millis(20);
/// How often the listener looks, and the first pause between two times that somebody is dialled.
const LOOK: Duration = Duration::from_millis(1);
/// How long one attempt to dial may take.
const ATTEMPT: Duration = Duration::from_secs(1);
/// The most handshakes at a time beside those of the cluster. For one more, the oldest is broken off, so that silent strangers keep nobody
/// out; but not before [`FAIR`], in which a process of the cluster has shaken hands. Others are turned away, and may dial again.
const MOST_STRANGERS: usize = 100;
const FAIR: Duration = Duration::from_secs(1);

/// A connection, or why there is none.
enum News {
    Connected(Hello, TcpStream),
    /// Somebody who dialled is refused.
    Refused(SocketAddr, Refusal),
    /// Somebody who was dialled refuses, or is refused.
    Hopeless(usize, Refusal),
    /// Somebody who was dialled could not be reached for this reason, and is dialled again.
    Unreachable(usize, String),
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
    let listener = listen(place)?;
    for other in 0..place.index {
        let channels = if other == 0 { &[Channel::Data, Channel::Control][..] } else { &[Channel::Data] };
        for channel in channels {
            let (greeter, hosts, channel) = (greeter.clone(), place.hosts.clone(), *channel);
            spawn(move || dial(&greeter, || hosts.resolve(other), other, channel, deadline));
        }
    }
    Meeting { place, control, states: (0..place.hosts.len()).map(|_| None).collect(), troubles: BTreeMap::new() }
        .wait(&listener, &greeter, &received, deadline)
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
    let (mut pause, mut trouble) = (LOOK, String::new());
    let mut wait = |reason: String| {
        if reason != trouble {
            trouble.clone_from(&reason);
            let _ = greeter.news.send(News::Unreachable(other, reason));
        }
        std::thread::sleep(pause);
        pause = PAUSE.min(pause * 2);
    };
    while Instant::now() < deadline {
        let stream = match resolve().and_then(|addresses| reach(&addresses)) {
            Ok(stream) => stream,
            Err(error) => {
                wait(error.to_string());
                continue;
            }
        };
        let news = match shake(&stream, Role::Dialler, &greeter.secret, &greeter.hello(channel)) {
            Ok(hello) if usize::from(hello.index) == other => News::Connected(Hello { channel, ..hello }, stream),
            Ok(hello) => {
                let words = format!("says that it is process {}", hello.index);
                News::Hopeless(other, Refusal::Different(hello.index, words))
            }
            // Somebody else may have had the port, or the process was about to end.
            Err(Refusal::Stranger(words)) => {
                wait(words);
                continue;
            }
            Err(refusal) => News::Hopeless(other, refusal),
        };
        let _ = greeter.news.send(news);
        return;
    }
}

/// A connection with the first of these addresses that answers.
fn reach(addresses: &[SocketAddr]) -> io::Result<TcpStream> {
    let mut last = io::Error::other("the name has no address");
    for address in addresses {
        match TcpStream::connect_timeout(address, ATTEMPT) {
            // A closed port of this machine may be connected with itself.
            Ok(stream) if stream.local_addr().ok() == stream.peer_addr().ok() => {
                last = io::ErrorKind::ConnectionRefused.into();
            }
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// The connections so far.
struct Meeting<'a> {
    place: &'a Place,
    control: &'a Control,
    /// By number: the connections for states.
    states: Vec<Option<TcpStream>>,
    /// By number: what is known about a process that is missing.
    troubles: BTreeMap<usize, String>,
}

impl Meeting<'_> {
    fn wait(
        mut self,
        listener: &TcpListener,
        greeter: &Greeter,
        received: &Receiver<News>,
        deadline: Instant,
    ) -> Result<Vec<Option<TcpStream>>, Failure> {
        let mut strangers = VecDeque::new();
        loop {
            if self.missing().is_empty() {
                return Ok(self.states);
            }
            if Instant::now() >= deadline {
                return Err(self.incomplete());
            }
            while let Ok((stream, address)) = listener.accept() {
                // A process has two connections with process 0.
                greet(greeter, stream, address, &mut strangers, MOST_STRANGERS + 2 * self.place.hosts.len());
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
                        self.troubles.insert(index, format!("which was refused: it {words}"));
                        format!("refused process {index} at {address}: it {words}")
                    }
                };
                self.control.front.log(&words);
            }
            News::Unreachable(other, reason) => drop(self.troubles.insert(other, reason)),
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
        let name = |other: &usize| match self.troubles.get(other) {
            Some(words) => format!("{} ({words})", self.place.hosts.name(*other)),
            None => self.place.hosts.name(*other),
        };
        let missing: Vec<String> = self.missing().iter().map(name).collect();
        let seconds = self.place.wait.as_secs_f64();
        Failure::Incomplete(format!("after {seconds} s these are missing: {}", missing.join(", ")))
    }
}

/// A handshake with somebody who dialled: when it began, and the connection if it has not ended.
type Handshake = (Instant, Weak<TcpStream>);

/// Shakes hands with somebody who dialled, in a thread of its own, beside at most so many others.
fn greet(greeter: &Greeter, stream: TcpStream, address: SocketAddr, others: &mut VecDeque<Handshake>, most: usize) {
    others.retain(|(_, other)| other.strong_count() > 0);
    if others.len() >= most {
        match others.pop_front() {
            Some((begun, oldest)) if begun.elapsed() > FAIR => {
                let _ = oldest.upgrade().map(|oldest| oldest.shutdown(Shutdown::Both));
            }
            young => {
                young.into_iter().for_each(|young| others.push_front(young));
                return;
            }
        }
    }
    if stream.set_nonblocking(false).is_err() {
        return;
    }
    let stream = Arc::new(stream);
    others.push_back((Instant::now(), Arc::downgrade(&stream)));
    let greeter = greeter.clone();
    spawn(move || {
        // What the connection is for is the dialler's to say.
        let met = shake(&stream, Role::Listener, &greeter.secret, &greeter.hello(Channel::Data));
        let met = met.and_then(|hello| Ok(News::Connected(hello, stream.try_clone()?)));
        let _ = greeter.news.send(met.unwrap_or_else(|refusal| News::Refused(address, refusal)));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    fn greeter(news: Sender<News>) -> Greeter {
        let digest = [7; 32];
        let agreement = Agreement { version: "1.2.3".into(), processes: 2, workers: 1, model: digest, options: digest };
        let hello = Hello { index: 0, channel: Channel::Data, agreement };
        Greeter { secret: Arc::new(b"secret".to_vec()), hello, news }
    }

    #[test]
    fn silent_strangers_keep_nobody_out() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (news, received) = channel();
        let (greeter, mut others) = (greeter(news), VecDeque::new());
        let mut accept = || {
            let dialler = TcpStream::connect(address).expect("a listener");
            let (stream, from) = listener.accept().expect("a connection");
            greet(&greeter, stream, from, &mut others, 20);
            dialler
        };
        let silent: Vec<TcpStream> = (0..20).map(|_| accept()).collect();
        // Among the young there is no room.
        assert!(matches!((&accept()).read(&mut [0]), Ok(0) | Err(_)));
        std::thread::sleep(FAIR);
        let one = accept();
        let hello = Hello { index: 1, ..greeter.hello.clone() };
        shake(&one, Role::Dialler, &greeter.secret, &hello).expect("there is room for one more");
        let is_known = |news: News| matches!(news, News::Connected(hello, _) if hello.index == 1);
        assert!(received.iter().take(21).any(is_known));
        drop(silent);
    }

    #[test]
    fn why_somebody_is_not_reached_is_told() {
        let (news, received) = channel();
        let greeter = greeter(news);
        let deadline = || Instant::now() + Duration::from_millis(300);
        let unknown = || Err(io::Error::other("no such name"));
        dial(&greeter, unknown, 1, Channel::Data, deadline());
        let told: Vec<News> = received.try_iter().collect();
        assert!(matches!(&told[..], [News::Unreachable(1, reason)] if reason == "no such name"));
        // Somebody else listens there.
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        std::thread::spawn(move || {
            listener.incoming().for_each(|stream| {
                let _ = stream.map(|mut stream| io::Write::write_all(&mut stream, b"HTTP/1.1 400 Bad Request\r\n"));
            });
        });
        dial(&greeter, || Ok(vec![address]), 1, Channel::Data, deadline());
        assert!(received.try_iter().any(|news| matches!(news, News::Unreachable(1, _))));
    }
}
