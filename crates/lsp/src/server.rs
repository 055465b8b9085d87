//! Messages: which are answered at once, and which on a thread of their own.

use crate::complete::complete;
use crate::included::{self, Indexed};
use crate::state::{Open, Shared};
use crate::{Options, findings, layout, lens, navigate, rename};
use checker::report::Language;
use kernel::budget::{Budget, Exhausted};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CodeActionParams, CodeActionProviderCapability, CodeLensOptions, CodeLensParams, CompletionOptions,
    CompletionParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DocumentFormattingParams, DocumentSymbolParams, ExecuteCommandOptions, ExecuteCommandParams, GotoDefinitionParams,
    HoverParams, HoverProviderCapability, InitializeParams, OneOf, PrepareRenameResponse, PublishDiagnosticsParams,
    ReferenceParams, RenameOptions, RenameParams, ServerCapabilities, TextDocumentPositionParams,
    TextDocumentSyncCapability, TextDocumentSyncKind, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Requests that are answered on threads of their own at a time.
const MOST_THREADS: usize = 4;
/// The stack of a thread that reads a model: trees of formulas and expressions can be deep.
const STACK: usize = 256 << 20;

/// What the server can do.
fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::INCREMENTAL)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec![".".into(), "@".into()]),
            ..CompletionOptions::default()
        }),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: lsp_types::WorkDoneProgressOptions::default(),
        })),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![lens::CHECK.into(), lens::STOP.into()],
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

/// Serves a client until it says `exit`.
///
/// # Errors
/// Why the connection ended early.
pub fn serve(connection: Connection, options: Options) -> Result<(), String> {
    let told = json!({ "name": "lariat", "version": env!("CARGO_PKG_VERSION") });
    let (id, parameters) = connection.initialize_start().map_err(|error| error.to_string())?;
    let answer = json!({ "capabilities": capabilities(), "serverInfo": told });
    connection.initialize_finish(id, answer).map_err(|error| error.to_string())?;
    let client: InitializeParams = serde_json::from_value(parameters).unwrap_or_default();
    let workspace = client.capabilities.workspace.and_then(|workspace| workspace.code_lens);
    let refreshes = workspace.and_then(|lens| lens.refresh_support).unwrap_or(false);
    let sender = connection.sender.clone();
    // A client that is gone reads no more messages; the loop below ends then.
    let outgoing = Box::new(move |message| drop(sender.send(message)));
    let shared = Arc::new(Shared::new(options, refreshes, outgoing));
    let result = run(&connection, &shared);
    shared.stop_all();
    result
}

fn run(connection: &Connection, shared: &Arc<Shared>) -> Result<(), String> {
    let mut is_over = false;
    for message in &connection.receiver {
        match message {
            Message::Request(request) if request.method == "shutdown" => {
                is_over = true;
                shared.stop_all();
                shared.send(Response::new_ok(request.id, Value::Null));
            }
            Message::Request(request) if is_over => {
                let message = "the server was told to shut down".to_owned();
                respond(shared, request.id, Err(Failure { code: ErrorCode::InvalidRequest, message }));
            }
            Message::Request(request) => handle(shared, request),
            Message::Notification(notification) if notification.method == "exit" => {
                return if is_over { Ok(()) } else { Err("the editor did not ask for a shutdown".into()) };
            }
            Message::Notification(notification) => {
                // A notification that cannot be understood has no answer.
                let _ = catch_unwind(AssertUnwindSafe(|| note(shared, notification)));
            }
            Message::Response(_) => {}
        }
    }
    Ok(())
}

/// Answers a request, here or on another thread.
fn handle(shared: &Arc<Shared>, request: Request) {
    let id = request.id.clone();
    let is_long = ["textDocument/formatting", "textDocument/codeAction", "workspace/executeCommand"];
    if is_long.contains(&&*request.method) {
        let limit = if request.method == "workspace/executeCommand" {
            shared.options.time_limit
        } else {
            findings::LONGEST_READING
        };
        let mut budget = Budget::unlimited().within(limit);
        budget.memory = Some(shared.options.memory_limit);
        // A request to stop a check is short, and frees a thread.
        let stops = request.params["command"] == lens::STOP;
        if !stops && shared.requests().len() >= MOST_THREADS {
            let response = Response::new_err(
                id,
                ErrorCode::RequestFailed as i32,
                "too much is under way; stop a check first".into(),
            );
            return shared.send(response);
        }
        shared.requests().insert(id.clone(), budget.clone());
        let threads_shared = Arc::clone(shared);
        let started = std::thread::Builder::new().name("request".into()).stack_size(STACK).spawn(move || {
            let shared = threads_shared;
            let id = request.id.clone();
            let answer = catch_unwind(AssertUnwindSafe(|| long(&shared, &request, &budget)));
            shared.requests().remove(&id);
            respond(&shared, id, answer.unwrap_or_else(|_| Err(Failure::bug())));
        });
        if started.is_err() {
            shared.requests().remove(&id);
            respond(shared, id, Err(Failure::failed("a thread cannot be started".into())));
        }
        return;
    }
    let answer = catch_unwind(AssertUnwindSafe(|| short(shared, &request)));
    respond(shared, id, answer.unwrap_or_else(|_| Err(Failure::bug())));
}

/// A request that has no answer.
struct Failure {
    code: ErrorCode,
    message: String,
}

impl Failure {
    fn failed(message: String) -> Self {
        Self { code: ErrorCode::RequestFailed, message }
    }

    fn not_open() -> Self {
        Self::failed("the text is not open".into())
    }

    fn bug() -> Self {
        Self { code: ErrorCode::InternalError, message: "this is a bug in Lariat, not in your model".into() }
    }
}

fn respond(shared: &Shared, id: RequestId, answer: Result<Value, Failure>) {
    shared.send(match answer {
        Ok(value) => Response::new_ok(id, value),
        Err(Failure { code, message }) => Response::new_err(id, code as i32, message),
    });
}

fn parameters<P: DeserializeOwned>(request: &Request) -> Result<P, Failure> {
    let wrong = |error: serde_json::Error| Failure { code: ErrorCode::InvalidParams, message: error.to_string() };
    serde_json::from_value(request.params.clone()).map_err(wrong)
}

/// Does something with an open text.
fn with<R>(shared: &Shared, uri: &Uri, action: impl FnOnce(&mut Open) -> Result<R, Failure>) -> Result<R, Failure> {
    let mut open = shared.open();
    let one = open.get_mut(uri.as_str());
    action(one.ok_or_else(Failure::not_open)?)
}

/// Does something with the names of an open text and of the files that it includes, at a place of the text.
fn navigated<R: Serialize>(
    shared: &Shared,
    at: &TextDocumentPositionParams,
    action: impl FnOnce(Language, &[Indexed], usize) -> R,
) -> Result<Value, Failure> {
    let mut open = shared.open();
    let key = at.text_document.uri.as_str();
    let texts = included::texts(&mut open, key);
    let (Some(main), Some(one)) = (texts.first(), open.get(key)) else { return Err(Failure::not_open()) };
    let answer = action(one.language, &texts, main.document.offset(at.position));
    serde_json::to_value(answer).map_err(|_| Failure::bug())
}

/// Requests that take time linear in the text.
fn short(shared: &Shared, request: &Request) -> Result<Value, Failure> {
    let shown = |value: Result<Value, serde_json::Error>| value.map_err(|_| Failure::bug());
    match request.method.as_str() {
        "textDocument/hover" => {
            let at = parameters::<HoverParams>(request)?.text_document_position_params;
            navigated(shared, &at, navigate::hover)
        }
        "textDocument/definition" => {
            let at = parameters::<GotoDefinitionParams>(request)?.text_document_position_params;
            navigated(shared, &at, |_, texts, offset| navigate::definition(texts, offset))
        }
        "textDocument/references" => {
            let wish: ReferenceParams = parameters(request)?;
            let all = wish.context.include_declaration;
            navigated(shared, &wish.text_document_position, |_, texts, offset| navigate::references(texts, offset, all))
        }
        "textDocument/documentSymbol" => {
            let wish: DocumentSymbolParams = parameters(request)?;
            with(shared, &wish.text_document.uri, |one| shown(serde_json::to_value(navigate::outline(&one.indexed()))))
        }
        "textDocument/prepareRename" => {
            let at: TextDocumentPositionParams = parameters(request)?;
            let mut refusal = None;
            let range = navigated(shared, &at, |language, texts, offset| {
                let renamed = rename::renamed(language, texts, offset).map_err(|words| refusal = Some(words));
                renamed.ok().map(|(.., bytes)| PrepareRenameResponse::Range(texts[0].document.range(&bytes)))
            })?;
            refusal.map_or(Ok(range), |words| Err(Failure::failed(words)))
        }
        "textDocument/rename" => {
            let wish: RenameParams = parameters(request)?;
            let TextDocumentPositionParams { text_document, position } = wish.text_document_position;
            let mut open = shared.open();
            let key = text_document.uri.as_str();
            let offset = open.get(key).ok_or_else(Failure::not_open)?.document.offset(position);
            let edit = rename::rename(&mut open, key, offset, &wish.new_name).map_err(Failure::failed)?;
            shown(serde_json::to_value(edit))
        }
        "textDocument/completion" => {
            let at = parameters::<CompletionParams>(request)?.text_document_position;
            navigated(shared, &at, complete)
        }
        "textDocument/codeLens" => {
            let wish: CodeLensParams = parameters(request)?;
            with(shared, &wish.text_document.uri, |one| shown(serde_json::to_value(lens::lenses(one))))
        }
        other => {
            let message = format!("`{other}` is not a request that this server knows");
            Err(Failure { code: ErrorCode::MethodNotFound, message })
        }
    }
}

/// Requests that read a text as a model, or check one.
fn long(shared: &Arc<Shared>, request: &Request, budget: &Budget) -> Result<Value, Failure> {
    let shown = |value: Result<Value, serde_json::Error>| value.map_err(|_| Failure::bug());
    let cancelled = |answer: Result<Value, Failure>| match budget.exhausted(0) {
        Some(Exhausted::Cancelled) => {
            Err(Failure { code: ErrorCode::RequestCanceled, message: "the request was cancelled".into() })
        }
        _ => answer,
    };
    match request.method.as_str() {
        "textDocument/formatting" => {
            let wish: DocumentFormattingParams = parameters(request)?;
            let (source, document) =
                with(shared, &wish.text_document.uri, |one| Ok((one.source(), one.document.clone())))?;
            let edits = layout::edits(&source, &document, budget).map_err(Failure::failed);
            cancelled(edits.and_then(|edits| shown(serde_json::to_value(edits))))
        }
        "textDocument/codeAction" => {
            let CodeActionParams { text_document, range, .. } = parameters(request)?;
            let (source, document, found) =
                with(shared, &text_document.uri, |one| Ok((one.source(), one.document.clone(), one.findings.clone())))?;
            let fixes = findings::fixes(&source, &document, &text_document.uri, &found, range, budget);
            cancelled(shown(serde_json::to_value(fixes)))
        }
        _ => {
            let ExecuteCommandParams { command, arguments, .. } = parameters(request)?;
            let [Value::String(uri), Value::String(name)] = &arguments[..] else {
                let message = "the command takes a URI and the name of a property".into();
                return Err(Failure { code: ErrorCode::InvalidParams, message });
            };
            match command.as_str() {
                lens::CHECK => cancelled(lens::check(shared, uri, name, budget).map_err(Failure::failed)),
                lens::STOP => Ok(json!({ "stopped": lens::stop(shared, uri, name) })),
                other => {
                    let message = format!("`{other}` is not a command that this server knows");
                    Err(Failure { code: ErrorCode::InvalidParams, message })
                }
            }
        }
    }
}

/// Notifications: texts that open, change and close, and requests that are cancelled.
fn note(shared: &Arc<Shared>, notification: Notification) {
    let value = notification.params;
    match notification.method.as_str() {
        "textDocument/didOpen" => {
            let Ok(DidOpenTextDocumentParams { text_document }) = serde_json::from_value(value) else { return };
            let key = text_document.uri.as_str().to_owned();
            let one =
                Open::new(text_document.uri, &text_document.language_id, text_document.version, text_document.text);
            shared.open().insert(key.clone(), one);
            read_later(shared, key);
        }
        "textDocument/didChange" => {
            let Ok(wish) = serde_json::from_value::<DidChangeTextDocumentParams>(value) else { return };
            let key = wish.text_document.uri.as_str().to_owned();
            let is_read = {
                let mut open = shared.open();
                let Some(one) = open.get_mut(&key) else { return };
                wish.content_changes.into_iter().for_each(|change| Arc::make_mut(&mut one.document).change(change));
                one.changed(wish.text_document.version);
                one.reading.is_some()
            };
            // A reading that runs notices that the text is another, and begins again.
            if !is_read {
                read_later(shared, key);
            }
        }
        "textDocument/didClose" => {
            let Ok(DidCloseTextDocumentParams { text_document }) = serde_json::from_value(value) else { return };
            let closed = shared.open().remove(text_document.uri.as_str());
            let Some(closed) = closed else { return };
            closed.reading.iter().chain(closed.checks.values()).for_each(|budget| budget.exhaust(Exhausted::Cancelled));
            let told = PublishDiagnosticsParams { uri: text_document.uri, diagnostics: Vec::new(), version: None };
            shared.notify("textDocument/publishDiagnostics", told);
        }
        "$/cancelRequest" => {
            let id = value.get("id").cloned().and_then(|id| serde_json::from_value::<RequestId>(id).ok());
            if let Some(budget) = id.and_then(|id| shared.requests().get(&id).cloned()) {
                budget.exhaust(Exhausted::Cancelled);
            }
        }
        _ => {}
    }
}

/// Reads a text on a thread of its own.
fn read_later(shared: &Arc<Shared>, key: String) {
    let budget = Budget::unlimited();
    if let Some(one) = shared.open().get_mut(&key) {
        one.reading = Some(budget);
    }
    let shared = Arc::clone(shared);
    let thread = std::thread::Builder::new().name("reading".into()).stack_size(STACK);
    let started = thread.spawn(move || {
        if catch_unwind(AssertUnwindSafe(|| findings::read(&shared, &key))).is_err()
            && let Some(one) = shared.open().get_mut(&key)
        {
            one.reading = None;
        }
    });
    // Without a thread there are no diagnostics until the next change.
    drop(started);
}
