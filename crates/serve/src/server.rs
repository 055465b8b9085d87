//! Connections and routes.

use crate::guard::Guard;
use crate::patience::Patient;
use crate::work::Work;
use crate::{CONNECTIONS, LONGEST_BODY, Options, READING, bench, check, formula, graph, simulate};
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Query, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) work: Arc<Work>,
    guard: Guard,
    page: String,
}

/// A server that runs; it ends when this is dropped.
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    shared: Arc<Shared>,
    /// Ended without waiting for answers that nobody reads.
    runtime: Option<Runtime>,
}

impl Running {
    /// The number of computations under way.
    #[must_use]
    pub fn running(&self) -> usize {
        self.shared.work.running()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.shared.work.stop_all();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Starts the server, on the loopback address alone.
///
/// # Errors
/// Why the port cannot be used.
pub fn start(options: Options) -> io::Result<Running> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)))?;
    let address = listener.local_addr()?;
    let guard = Guard::new(address, &options.token);
    let shared = Arc::new(Shared { options, work: Arc::new(Work::new()), guard, page: page() });
    let router = router(Arc::clone(&shared));
    runtime.spawn(accept(listener, router));
    Ok(Running { address, shared, runtime: Some(runtime) })
}

/// Takes connections, a limited number at a time. Whoever sends nothing loses the connection.
async fn accept(listener: TcpListener, router: Router) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else { continue };
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(READING)
                .max_buf_size(64 << 10)
                .serve_connection(TokioIo::new(Patient::new(stream)), service);
            // A connection that breaks off concerns its client alone.
            let _ = connection.await;
            drop(place);
        });
    }
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(|State(shared): State<Arc<Shared>>| async move { Html(shared.page.clone()) }))
        .route("/api/files", get(files))
        .route("/api/file", get(read).put(write))
        .route("/api/stop", post(stop))
        .route("/api/diagnose", post(check::diagnose))
        .route("/api/check", post(check::check))
        .route("/api/simulate", post(simulate::simulate))
        .route("/api/graph", post(graph::graph))
        .route("/api/formula", post(formula::formula))
        .route("/api/testbench", post(bench::testbench))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guarded))
        .with_state(shared)
}

/// Refuses strangers, and adds the headers that keep the page to itself.
async fn guarded(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = match shared.guard.admit(request.headers(), request.uri()) {
        Err(refusal) => refusal.into_response(),
        // A body that trickles in does not hold a connection forever.
        Ok(()) => match whole(request).await {
            Ok(request) => next.run(request).await,
            Err(refusal) => refusal.into_response(),
        },
    };
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The request with all of its body, if that is short and comes in time.
async fn whole(request: Request) -> Result<Request, (StatusCode, &'static str)> {
    let (parts, body) = request.into_parts();
    let read = axum::body::to_bytes(body, LONGEST_BODY);
    match tokio::time::timeout(READING, read).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, Body::from(bytes))),
        Ok(Err(_)) => Err((StatusCode::PAYLOAD_TOO_LARGE, "the request is too long")),
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "the request takes too long")),
    }
}

async fn files(State(shared): State<Arc<Shared>>) -> Json<Value> {
    Json(json!({ "models": shared.options.folder.models(), "first": shared.options.model }))
}

/// The name of a file.
#[derive(Deserialize)]
struct Named {
    name: String,
}

async fn read(State(shared): State<Arc<Shared>>, Query(Named { name }): Query<Named>) -> Response {
    match shared.options.folder.read(&name) {
        Ok(text) => Json(json!({ "name": name, "text": text })).into_response(),
        Err(error) => (StatusCode::NOT_FOUND, error.to_string()).into_response(),
    }
}

/// A model as the editor has it.
#[derive(Clone, Deserialize)]
pub(crate) struct Given {
    pub(crate) name: String,
    pub(crate) text: String,
}

async fn write(State(shared): State<Arc<Shared>>, Json(Given { name, text }): Json<Given>) -> Response {
    match shared.options.folder.write(&name, &text) {
        Ok(()) => Json(json!({ "saved": name })).into_response(),
        Err(error) => (StatusCode::FORBIDDEN, error.to_string()).into_response(),
    }
}

#[derive(Deserialize)]
struct Numbered {
    number: u64,
}

async fn stop(State(shared): State<Arc<Shared>>, Json(Numbered { number }): Json<Numbered>) -> Json<Value> {
    Json(json!({ "stopped": shared.work.stop(number) }))
}

/// The page, complete: nothing else is loaded.
fn page() -> String {
    let style = page::document::style() + include_str!("app.css");
    let scripts = [page::document::script(), include_str!("app.js")];
    let hash = |content: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(content.as_bytes())));
    let hashes: Vec<String> = scripts.iter().map(|script| hash(script)).collect();
    let policy = format!(
        "default-src 'none'; connect-src 'self'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        hashes.join(" "),
        hash(&style)
    );
    let scripts: String = scripts.iter().map(|script| format!("<script>{script}</script>\n")).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Lariat</title>\n\
         <style>{style}</style>\n</head>\n<body>\n{}\n{scripts}</body>\n</html>\n",
        include_str!("app.html")
    )
}
