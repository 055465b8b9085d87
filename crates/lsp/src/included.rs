//! Texts that belong together: a text, the files that it includes, and the open texts that include it.
//!
//! A file that is open is taken as the editor has it, saved or not; others are read.

use crate::document::Document;
use crate::index::Index;
use crate::state::{Open, folder_of, path_of, read, uri_of};
use lsp_types::{Location, Uri};
use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The most files of which names are taken because others include them.
const MOST_INCLUDED: usize = 32;

/// A text with its names.
#[derive(Clone)]
pub(crate) struct Indexed {
    pub(crate) uri: Uri,
    pub(crate) document: Arc<Document>,
    pub(crate) index: Arc<Index>,
}

impl Indexed {
    pub(crate) fn location(&self, bytes: &Range<usize>) -> Location {
        Location::new(self.uri.clone(), self.document.range(bytes))
    }

    /// The names of another file that stand in this text.
    pub(crate) fn named_elsewhere<'t>(&'t self, name: &'t str) -> impl Iterator<Item = &'t Range<usize>> {
        self.index.open.iter().filter(move |bytes| self.document.text()[(*bytes).clone()] == *name)
    }
}

/// The open text with this key, and then the files that it includes, as far as they can be read. Empty if it is not open.
pub(crate) fn texts(open: &mut HashMap<String, Open>, key: &str) -> Vec<Indexed> {
    let Some(one) = open.get_mut(key) else { return Vec::new() };
    let (language, folder) = (one.language, folder_of(&one.uri));
    let mut found = vec![one.indexed()];
    let mut pending: VecDeque<String> = found[0].index.includes.iter().cloned().collect();
    while let Some(file) = pending.pop_front() {
        let Some(folder) = folder.as_ref().filter(|_| found.len() <= MOST_INCLUDED) else { break };
        let path = plain(&folder.join(&file));
        if found.iter().any(|known| path_of(&known.uri).is_some_and(|known| plain(&known) == path)) {
            continue;
        }
        let is_meant = |one: &&mut Open| path_of(&one.uri).is_some_and(|known| plain(&known) == path);
        let text = match open.values_mut().find(is_meant) {
            Some(one) => Some(one.indexed()),
            None => uri_of(&path).zip(read(&path).ok()).map(|(uri, text)| Indexed {
                uri,
                index: Arc::new(Index::new(language, &text)),
                document: Arc::new(Document::new(text)),
            }),
        };
        if let Some(text) = text {
            pending.extend(text.index.includes.iter().cloned());
            found.push(text);
        }
    }
    found
}

/// Adds the open texts that include a file, with all that they include.
pub(crate) fn add_including(open: &mut HashMap<String, Open>, file: &Uri, texts: &mut Vec<Indexed>) {
    let mut keys: Vec<String> = open.keys().cloned().collect();
    keys.sort();
    for key in keys {
        let group = self::texts(open, &key);
        if group.iter().skip(1).any(|text| text.uri == *file) {
            for text in group {
                if texts.iter().all(|known| known.uri != text.uri) {
                    texts.push(text);
                }
            }
        }
    }
}

/// A path without `.` and `..`, as far as that can be told from the path alone.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}
