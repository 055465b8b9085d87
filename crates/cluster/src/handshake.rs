//! Who may join: both sides of a connection prove that they know the secret, and compare version, model and options.
//!
//! *Protocol.* The dialler sends its [`Hello`], then the listener sends its own. Both contain a fresh random number. The dialler
//! then sends an HMAC-SHA-256 under the secret over its role and both hellos; the listener verifies it and answers with
//! one over the other role. Everything must arrive within [`PATIENCE`], and a hello has at most [`LONGEST`] bytes. Fields
//! are compared after both proofs, so that only somebody who knows the secret can cause a message about them.
//!
//! *What it does not do.* What is sent afterwards is neither encrypted nor authenticated: this keeps strangers out, not
//! somebody who can change packets between the machines.
//!
//! *Source.* RFC 2104 for the code; challenge and response with roles against reflection as in ISO/IEC 9798-4.
//! *Tested by* the tests below, and by processes with wrong secrets and models in the tests of the tool.

use hmac::{Hmac, Mac};
use sha2::Sha256;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The time for a handshake.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);
/// The most bytes of a hello.
const LONGEST: usize = 512;
/// How a hello begins.
const MAGIC: &[u8] = b"lariat cluster 1\n";
/// The bytes of a random number, of a digest and of a proof.
const DIGEST: usize = 32;

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    /// States.
    Data,
    /// Heartbeats.
    Control,
}

/// The side of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The one that connects.
    Dialler,
    /// The one that waits.
    Listener,
}

/// What all processes must agree on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Agreement {
    /// The version of Lariat.
    pub(crate) version: String,
    /// How many processes there are, and how many workers each has.
    pub(crate) processes: u16,
    pub(crate) workers: u16,
    /// A digest of the model.
    pub(crate) model: [u8; DIGEST],
    /// A digest of the options.
    pub(crate) options: [u8; DIGEST],
}

impl Agreement {
    /// The first difference, in words that end a sentence about the other.
    fn difference(&self, other: &Self) -> Option<String> {
        let (one, two) = (self, other);
        if one.version != two.version {
            return Some(format!("is Lariat {}, and this is Lariat {}", two.version, one.version));
        }
        if one.processes != two.processes {
            let (own, others) = (one.processes, two.processes);
            return Some(format!("has a list of {others} processes, and this one has a list of {own}"));
        }
        if one.workers != two.workers {
            let s = if two.workers == 1 { "" } else { "s" };
            return Some(format!("has {} worker{s}, and this process has {}", two.workers, one.workers));
        }
        if one.model != two.model {
            return Some("has another model".into());
        }
        (one.options != two.options).then(|| "has other options".into())
    }
}

/// How a process introduces itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hello {
    /// Its number.
    pub(crate) index: u16,
    pub(crate) channel: Channel,
    pub(crate) agreement: Agreement,
}

/// Why there is no connection.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The other side does not speak this protocol, or not in time.
    Stranger(String),
    /// The other side does not know the secret.
    Secret,
    /// The other side, which knows the secret, differs; in words that end a sentence about it.
    Different(u16, String),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Refusal::Stranger(match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => "it says nothing".into(),
            io::ErrorKind::UnexpectedEof => "it closed the connection".into(),
            _ => error.to_string(),
        })
    }
}

impl Hello {
    /// The hello as bytes, with a fresh random number.
    fn encode(&self, fresh: &[u8; DIGEST]) -> Vec<u8> {
        let Agreement { version, processes, workers, model, options } = &self.agreement;
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(fresh);
        bytes.extend_from_slice(&self.index.to_le_bytes());
        bytes.push(self.channel as u8);
        bytes.extend_from_slice(&processes.to_le_bytes());
        bytes.extend_from_slice(&workers.to_le_bytes());
        bytes.extend_from_slice(model);
        bytes.extend_from_slice(options);
        bytes.extend_from_slice(version.as_bytes());
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?.get(DIGEST..)?;
        let (head, rest) = rest.split_at_checked(7)?;
        let number = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        let channel = match head[2] {
            0 => Channel::Data,
            1 => Channel::Control,
            _ => return None,
        };
        let (model, rest) = rest.split_at_checked(DIGEST)?;
        let (options, version) = rest.split_at_checked(DIGEST)?;
        let agreement = Agreement {
            version: std::str::from_utf8(version).ok()?.to_owned(),
            processes: number(3),
            workers: number(5),
            model: model.try_into().ok()?,
            options: options.try_into().ok()?,
        };
        Some(Self { index: number(0), channel, agreement })
    }
}

/// Introduces both sides of a new connection to each other; the hello of the other side.
///
/// # Errors
/// Why the other side is not accepted.
pub(crate) fn shake(stream: &TcpStream, role: Role, secret: &[u8], own: &Hello) -> Result<Hello, Refusal> {
    let mut wire = Wire { stream, deadline: Instant::now() + PATIENCE };
    stream.set_write_timeout(Some(PATIENCE))?;
    let hello = own.encode(&rand::random());
    let other = match role {
        Role::Dialler => {
            wire.write(&hello)?;
            wire.read()?
        }
        Role::Listener => {
            let other = wire.read()?;
            wire.write(&hello)?;
            other
        }
    };
    let known = Hello::decode(&other).ok_or_else(|| Refusal::Stranger("it is no process of Lariat".into()))?;
    let both = match role {
        Role::Dialler => [&hello[..], &other],
        Role::Listener => [&other[..], &hello],
    };
    match role {
        Role::Dialler => {
            wire.write(&proof(secret, Role::Dialler, both).finalize().into_bytes())?;
            // A listener that does not accept the proof closes the connection.
            let answer = wire.read().map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => Refusal::Secret,
                _ => error.into(),
            })?;
            proof(secret, Role::Listener, both).verify_slice(&answer).map_err(|_| Refusal::Secret)?;
        }
        Role::Listener => {
            let answer = wire.read()?;
            proof(secret, Role::Dialler, both).verify_slice(&answer).map_err(|_| Refusal::Secret)?;
            wire.write(&proof(secret, Role::Listener, both).finalize().into_bytes())?;
        }
    }
    match own.agreement.difference(&known.agreement) {
        Some(difference) => Err(Refusal::Different(known.index, difference)),
        None => Ok(known),
    }
}

/// The proof that a side knows the secret.
fn proof(secret: &[u8], role: Role, both: [&[u8]; 2]) -> Hmac<Sha256> {
    let mut code = Hmac::<Sha256>::new_from_slice(secret).expect("a secret of any length will do");
    code.update(&[role as u8]);
    for hello in both {
        code.update(&(hello.len() as u64).to_le_bytes());
        code.update(hello);
    }
    code
}

/// A connection on which messages of limited length travel for a limited time.
struct Wire<'a> {
    stream: &'a TcpStream,
    deadline: Instant,
}

impl Wire<'_> {
    fn write(&mut self, message: &[u8]) -> io::Result<()> {
        let length = u16::try_from(message.len()).expect("messages are short").to_le_bytes();
        self.stream.write_all(&[&length, message].concat())
    }

    fn read(&mut self) -> io::Result<Vec<u8>> {
        let mut length = [0; 2];
        self.fill(&mut length)?;
        let length = usize::from(u16::from_le_bytes(length));
        if length > LONGEST {
            return Err(io::Error::other("it is no process of Lariat"));
        }
        let mut message = vec![0; length];
        self.fill(&mut message)?;
        Ok(message)
    }

    fn fill(&mut self, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.stream.set_read_timeout(Some(left))?;
            match self.stream.read(buffer) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => buffer = &mut buffer[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::thread;

    fn hello(index: u16, model: u8) -> Hello {
        let (model, options) = ([model; DIGEST], [2; DIGEST]);
        let agreement = Agreement { version: "1.2.3".into(), processes: 2, workers: 1, model, options };
        Hello { index, channel: Channel::Control, agreement }
    }

    fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let dialler = TcpStream::connect(listener.local_addr().expect("an address")).expect("a listener");
        (dialler, listener.accept().expect("a connection").0)
    }

    fn meet(secrets: [&'static [u8]; 2], hellos: [Hello; 2]) -> [Result<Hello, Refusal>; 2] {
        let (dialler, listener) = pair();
        let [one, two] = hellos;
        let other = thread::spawn(move || shake(&listener, Role::Listener, secrets[1], &two));
        let first = shake(&dialler, Role::Dialler, secrets[0], &one);
        drop(dialler);
        [first, other.join().expect("no panic")]
    }

    #[test]
    fn those_who_agree_know_each_other() {
        let [first, second] = meet([b"secret", b"secret"], [hello(1, 7), hello(0, 7)]);
        assert_eq!(first.expect("accepted"), hello(0, 7));
        assert_eq!(second.expect("accepted"), hello(1, 7));
    }

    #[test]
    fn a_wrong_secret_is_refused_on_both_sides() {
        let [first, second] = meet([b"secret", b"guess"], [hello(1, 7), hello(0, 7)]);
        assert!(matches!(first, Err(Refusal::Secret)), "{first:?}");
        assert!(matches!(second, Err(Refusal::Secret)), "{second:?}");
    }

    #[test]
    fn another_model_is_named_on_both_sides() {
        let [first, second] = meet([b"secret", b"secret"], [hello(1, 7), hello(0, 8)]);
        for (side, index) in [(first, 0), (second, 1)] {
            assert!(matches!(&side, Err(Refusal::Different(i, words)) if *i == index && words.contains("model")));
        }
    }

    #[test]
    fn another_version_and_other_numbers_are_named_on_both_sides() {
        let of = |change: fn(&mut Agreement)| {
            let mut hello = hello(0, 7);
            change(&mut hello.agreement);
            meet([b"secret", b"secret"], [self::hello(1, 7), hello])
        };
        let named = |sides: [Result<Hello, Refusal>; 2], expected: [&str; 2]| {
            for (side, expected) in sides.into_iter().zip(expected) {
                assert!(matches!(&side, Err(Refusal::Different(_, words)) if words == expected), "{side:?}");
            }
        };
        let versions = of(|agreement| agreement.version = "1.3.0".into());
        named(versions, ["is Lariat 1.3.0, and this is Lariat 1.2.3", "is Lariat 1.2.3, and this is Lariat 1.3.0"]);
        let workers = of(|agreement| agreement.workers = 2);
        named(workers, ["has 2 workers, and this process has 1", "has 1 worker, and this process has 2"]);
        named(of(|agreement| agreement.options = [3; DIGEST]), ["has other options"; 2]);
    }

    #[test]
    fn strangers_are_refused() {
        for garbage in [&b""[..], b"\xff\xff\xff\xff", b"\x04\x00abcd", b"GET / HTTP/1.1\r\n\r\n", &[0; 4000]] {
            let (mut dialler, listener) = pair();
            let other = thread::spawn(move || shake(&listener, Role::Listener, b"secret", &hello(0, 7)));
            // The listener may have closed the connection already.
            let _ = dialler.write_all(garbage);
            drop(dialler);
            let refused = other.join().expect("no panic");
            assert!(matches!(refused, Err(Refusal::Stranger(_))), "{garbage:?}: {refused:?}");
        }
    }

    #[test]
    fn a_silent_client_is_refused_in_time() {
        let (_dialler, listener) = pair();
        let refused = shake(&listener, Role::Listener, b"secret", &hello(0, 7));
        assert!(matches!(&refused, Err(Refusal::Stranger(words)) if words == "it says nothing"), "{refused:?}");
    }

    #[test]
    fn a_proof_cannot_be_reflected() {
        // A dialler without the secret repeats what the listener sends.
        let (dialler, listener) = pair();
        let other = thread::spawn(move || shake(&listener, Role::Listener, b"secret", &hello(0, 7)));
        let mut wire = Wire { stream: &dialler, deadline: Instant::now() + PATIENCE };
        wire.write(&hello(1, 7).encode(&[0; DIGEST])).expect("written");
        let _ = wire.read().expect("a hello");
        wire.write(&[0; DIGEST]).expect("written");
        assert!(matches!(other.join().expect("no panic"), Err(Refusal::Secret)));
        assert!(wire.read().is_err());
    }
}
