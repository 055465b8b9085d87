//! What is open: texts, what was found in them, and what runs.

use crate::Options;
use crate::document::Document;
use crate::findings::Finding;
use crate::included::Indexed;
use crate::index::Index;
use crate::lens::{Listed, Told};
use checker::model::{Files, Preprocessing};
use checker::report::Language;
use checker::{Error, Model};
use kernel::budget::{Budget, Exhausted};
use lsp_server::{Message, Notification, Request, RequestId};
use lsp_types::Uri;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The largest file that is read because another one includes it, in bytes.
const LONGEST_INCLUDED: u64 = 4 << 20;

/// An open text.
pub(crate) struct Open {
    pub(crate) uri: Uri,
    pub(crate) language: Language,
    pub(crate) version: i32,
    pub(crate) document: Arc<Document>,
    /// The names of the text; made when first asked for.
    index: Option<Arc<Index>>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) properties: Vec<Listed>,
    pub(crate) verdicts: HashMap<String, Told>,
    /// The budgets of the checks that run, by property.
    pub(crate) checks: HashMap<String, Budget>,
    /// The budget of the reading that runs.
    pub(crate) reading: Option<Budget>,
}

impl Open {
    pub(crate) fn new(uri: Uri, language_id: &str, version: i32, text: String) -> Self {
        let is_smv = language_id.eq_ignore_ascii_case("smv") || uri.as_str().to_ascii_lowercase().ends_with(".smv");
        let language = if is_smv { Language::Smv } else { Language::Promela };
        Self {
            uri,
            language,
            version,
            document: Arc::new(Document::new(text)),
            index: None,
            findings: Vec::new(),
            properties: Vec::new(),
            verdicts: HashMap::new(),
            checks: HashMap::new(),
            reading: None,
        }
    }

    /// Notes that the text has changed.
    pub(crate) fn changed(&mut self, version: i32) {
        (self.version, self.index) = (version, None);
        if let Some(reading) = &self.reading {
            reading.exhaust(Exhausted::Cancelled);
        }
    }

    /// The text as it is, with its names.
    pub(crate) fn indexed(&mut self) -> Indexed {
        let make = || Arc::new(Index::new(self.language, self.document.text()));
        let index = Arc::clone(self.index.get_or_insert_with(make));
        Indexed { uri: self.uri.clone(), document: Arc::clone(&self.document), index }
    }

    /// What is needed to read the text as a model on another thread.
    pub(crate) fn source(&self) -> Source {
        Source { language: self.language, name: self.name(), folder: folder_of(&self.uri) }
    }

    /// The name of the file.
    pub(crate) fn name(&self) -> String {
        let last = self.uri.as_str().rsplit('/').next().unwrap_or_default();
        decoded(last)
    }
}

/// How to read a text as a model.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) language: Language,
    pub(crate) name: String,
    folder: Option<PathBuf>,
}

impl Source {
    pub(crate) fn model(&self, text: &str, budget: &Budget) -> Result<Model, Error> {
        match self.language {
            Language::Smv => Model::smv_within(&self.name, text, budget),
            Language::Promela => {
                let files = Arc::new(Beside(self.folder.clone()));
                Model::promela_with(&self.name, text, &Preprocessing::default(), files, budget)
            }
        }
    }
}

/// Included files are looked for beside the text.
struct Beside(Option<PathBuf>);

impl Files for Beside {
    fn read(&self, path: &str, _included_from: Option<&str>) -> io::Result<(String, String)> {
        let folder = self.0.as_ref().ok_or(io::ErrorKind::NotFound)?;
        Ok((path.to_owned(), read(&folder.join(path))?))
    }
}

pub(crate) fn read(path: &Path) -> io::Result<String> {
    let found = std::fs::metadata(path)?;
    if !found.is_file() || found.len() > LONGEST_INCLUDED {
        return Err(io::Error::other("no file that can be included"));
    }
    Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned())
}

/// The folder of the file that a URI names.
pub(crate) fn folder_of(uri: &Uri) -> Option<PathBuf> {
    Some(path_of(uri)?.parent()?.to_path_buf())
}

/// The path that a URI names, if it names a file.
pub(crate) fn path_of(uri: &Uri) -> Option<PathBuf> {
    Some(PathBuf::from(decoded(uri.as_str().strip_prefix("file://")?)))
}

pub(crate) fn uri_of(path: &Path) -> Option<Uri> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
    let encode = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    let path: String = path.to_str()?.bytes().map(encode).collect();
    Uri::from_str(&format!("file://{path}")).ok()
}

/// A part of a URI without its percent signs.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = (first == b'%').then(|| after.get(..2)).flatten();
        let code = code.and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What all threads share.
pub(crate) struct Shared {
    pub(crate) options: Options,
    open: Mutex<HashMap<String, Open>>,
    /// The budgets of requests that are answered on threads of their own.
    requests: Mutex<HashMap<RequestId, Budget>>,
    outgoing: Box<dyn Fn(Message) + Send + Sync>,
    next: Mutex<i32>,
    /// Whether the client draws code lenses again when it is told to.
    pub(crate) refreshes: bool,
}

impl Shared {
    pub(crate) fn new(options: Options, refreshes: bool, outgoing: Box<dyn Fn(Message) + Send + Sync>) -> Self {
        let (open, requests, next) = (Mutex::default(), Mutex::default(), Mutex::new(0));
        Self { options, open, requests, outgoing, next, refreshes }
    }

    pub(crate) fn open(&self) -> MutexGuard<'_, HashMap<String, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn requests(&self) -> MutexGuard<'_, HashMap<RequestId, Budget>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn send(&self, message: impl Into<Message>) {
        (self.outgoing)(message.into());
    }

    pub(crate) fn notify(&self, method: &str, parameters: impl serde::Serialize) {
        self.send(Notification::new(method.into(), parameters));
    }

    /// Asks the client to draw the code lenses again.
    pub(crate) fn refresh(&self) {
        if self.refreshes {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            *next += 1;
            self.send(Request::new(format!("refresh-{next}").into(), "workspace/codeLens/refresh".into(), ()));
        }
    }

    /// Ends all that runs.
    pub(crate) fn stop_all(&self) {
        let open = self.open();
        let readings = open.values().filter_map(|one| one.reading.as_ref());
        readings
            .chain(open.values().flat_map(|one| one.checks.values()))
            .for_each(|one| one.exhaust(Exhausted::Cancelled));
        #[expect(clippy::iter_over_hash_type, reason = "all are stopped, in any order")]
        for budget in self.requests().values() {
            budget.exhaust(Exhausted::Cancelled);
        }
    }
}
