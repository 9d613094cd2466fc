//! The addresses of the server.
//!
//! | address | what is there |
//! |---|---|
//! | `/enter/TOKEN` | the cookie of the owner, and on to the page |
//! | `/?guest=WORD` | the cookie of a guest, and on to the game |
//! | `/login` | where a password is asked for |
//! | `/ws` | the socket |
//! | `/upload` | files of games |
//! | `/log/ID.txt`, `/events/ID.pgn`, `/reports/ID.pgn` | to take away |
//! | everything else | files of the page |

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HOST, IF_NONE_MATCH,
    LOCATION, REFRESH, SET_COOKIE, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use tokio::sync::Semaphore;

use crate::coding::{Coding, has_tag};
use crate::connections::Peer;
use crate::guard::{self, Guard, Login, Refused, Role};
use crate::hub::HubHandle;
use crate::page::Page;
use crate::{socket, upload};

/// Bytes of a request that is no upload.
const SMALL: usize = 64 << 10;

/// What all addresses share.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) guard: Guard,
    pub(crate) page: Page,
    pub(crate) hub: HubHandle,
    /// Boards of visitors that may be worked out at the same time.
    pub(crate) boards: Arc<Semaphore>,
    pub(crate) uploads: std::path::PathBuf,
}

pub(crate) type Shared = Arc<Site>;

/// All addresses behind the guard.
pub(crate) fn router(site: Shared) -> Router {
    Router::new()
        .route("/enter/{token}", get(enter))
        .route("/login", get(login_page).post(login))
        .route("/ws", any(socket::open))
        .route("/upload", post(upload::take))
        .route("/log/{file}", get(log))
        .route("/events/{file}", get(event))
        .route("/reports/{file}", get(report))
        .fallback(get(page_file))
        .layer(DefaultBodyLimit::max(SMALL))
        .layer(middleware::from_fn_with_state(Arc::clone(&site), watch))
        .with_state(site)
}

/// Lets in who may come in, and says with every answer how it may be used.
async fn watch(State(site): State<Shared>, mut request: Request, next: Next) -> Response {
    let is_page = request.uri().path() == "/";
    let admitted = site
        .guard
        .admit(request.method(), request.uri(), request.headers());
    let host = request.headers().get(HOST).cloned();
    let peer = request.extensions().get::<Peer>().map(|peer| peer.0);
    let admitted = match (admitted, peer) {
        (Err(Refused::Stranger), Some(peer)) if site.guard.is_public() => {
            let from = site.guard.visitor(peer, request.headers());
            Ok(Some(Role::Visitor(from)))
        }
        (admitted, _) => admitted,
    };
    let (mut response, host) = match admitted {
        Ok(Some(role)) if !is_seated(&site, &role).await && !guard::is_door(request.uri()) => {
            let refused = Refused::Stranger;
            (text(refused.status(), refused.words()), host)
        }
        Ok(role) => {
            if let Some(role) = role {
                request.extensions_mut().insert(role);
            }
            (next.run(request).await, host)
        }
        Err(Refused::Stranger) if site.guard.has_password() && is_page => (on_to("/login"), host),
        Err(refused) => {
            let host = host.filter(|_| refused != Refused::Host);
            (text(refused.status(), refused.words()), host)
        }
    };
    for (name, value) in guard::headers(host.as_ref()) {
        response.headers_mut().insert(name, value);
    }
    response
}

/// Whether the word of a guest is still that of a seat.
async fn is_seated(site: &Site, role: &Role) -> bool {
    match role {
        Role::Owner | Role::Visitor(_) => true,
        Role::Guest(word) => site.hub.seat(word).await.is_some(),
    }
}

fn text(status: StatusCode, words: &'static str) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/plain; charset=utf-8"),
        (CACHE_CONTROL, "no-store"),
    ];
    (status, headers, words).into_response()
}

fn on_to(address: &str) -> Response {
    (
        StatusCode::SEE_OTHER,
        [(LOCATION, address), (CACHE_CONTROL, "no-store")],
    )
        .into_response()
}

async fn enter(State(site): State<Shared>, Path(token): Path<String>) -> Response {
    if !site.guard.token().is(&token) {
        return text(StatusCode::UNAUTHORIZED, Refused::Stranger.words());
    }
    let mut response = on_to("/");
    set_cookie(&mut response, &site.guard.owner_cookie());
    response
}

/// A guest comes from a mail or a chat. A redirect would be a part of that visit,
/// and a strict cookie would not be sent; a page that goes on by itself is ours.
async fn join(site: &Site, word: &str) -> Response {
    let table = if guard::is_word(word) {
        site.hub.seat(word).await
    } else {
        None
    };
    let Some(table) = table else {
        return text(
            StatusCode::NOT_FOUND,
            "This link leads to no game any more. Ask for a new one.\n\n\
             По этой ссылке игры больше нет. Попросите новую.\n",
        );
    };
    let refresh = format!("0; url=/#/play/{table}");
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (CACHE_CONTROL, "no-store".to_owned()),
        (REFRESH, refresh),
    ];
    let body =
        format!("<!doctype html><title>Quadrille</title><a href=\"/#/play/{table}\">Quadrille</a>");
    let mut response = (headers, body).into_response();
    set_cookie(&mut response, &site.guard.seat_cookie(word));
    response
}

fn set_cookie(response: &mut Response, cookie: &str) {
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().insert(SET_COOKIE, value);
    }
}

const LOGIN: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
<meta name=\"viewport\" content=\"width=device-width\"><title>Quadrille</title><h1>Quadrille</h1>\
<form method=\"post\" action=\"/login\" enctype=\"text/plain\"><p><label>Password · <span lang=\"ru\">Пароль</span> \
<input type=\"password\" name=\"password\" autocomplete=\"current-password\" autofocus required></label> \
<button>OK</button></form>";

async fn login_page(State(site): State<Shared>) -> Response {
    if !site.guard.has_password() {
        return on_to("/");
    }
    door(StatusCode::OK, "")
}

/// The form for the password, with what was wrong before.
fn door(status: StatusCode, words: &str) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CACHE_CONTROL, "no-store"),
    ];
    (status, headers, format!("{LOGIN}{words}")).into_response()
}

/// The body is `password=...` as it is, without any encoding.
async fn login(State(site): State<Shared>, body: String) -> Response {
    let password = body.strip_prefix("password=").unwrap_or_default();
    let password = password.trim_end_matches(['\r', '\n']);
    match site.guard.login(password, Instant::now()) {
        Login::Welcome => {
            let mut response = on_to("/");
            set_cookie(&mut response, &site.guard.owner_cookie());
            response
        }
        Login::Wrong => door(
            StatusCode::UNAUTHORIZED,
            "<p role=\"alert\">That is not the password. · <span lang=\"ru\">Пароль неверен.</span>",
        ),
        Login::TooOften => door(
            StatusCode::TOO_MANY_REQUESTS,
            "<p role=\"alert\">Too many wrong passwords. Wait a minute. · \
             <span lang=\"ru\">Слишком много неверных паролей. Подождите минуту.</span>",
        ),
    }
}

async fn page_file(State(site): State<Shared>, request: Request) -> Response {
    if let Some(word) = request
        .uri()
        .query()
        .and_then(|query| query.strip_prefix("guest="))
    {
        return join(&site, word).await;
    }
    let codings = Coding::accepted(request.headers());
    let Some(file) = site.page.file(request.uri().path(), &codings) else {
        return text(StatusCode::NOT_FOUND, "There is nothing at this address.\n");
    };
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(file.kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(file.cache));
    if file.varies {
        headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
    }
    if file.coding != Coding::Identity {
        let coding = HeaderValue::from_static(file.coding.token());
        headers.insert(CONTENT_ENCODING, coding);
    }
    let tag = file.tag.map(|tag| format!("\"{tag}\""));
    if let Some(tag) = tag
        && let Ok(value) = HeaderValue::from_str(&tag)
    {
        headers.insert(ETAG, value);
        let mut known = request.headers().get_all(IF_NONE_MATCH).iter();
        if known.any(|list| list.to_str().is_ok_and(|list| has_tag(list, &tag))) {
            headers.remove(CONTENT_ENCODING);
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
    }
    let body = match file.bytes {
        Cow::Borrowed(bytes) => Body::from(bytes),
        Cow::Owned(bytes) => Body::from(bytes),
    };
    (headers, body).into_response()
}

/// `7.txt` is 7, for those who may have it.
fn owned(role: &Role, file: &str, ending: &str) -> Option<u32> {
    let number = file.strip_suffix(ending)?.parse().ok();
    number.filter(|_| *role == Role::Owner)
}

/// To others it is not even told what there is.
fn nothing(role: &Role) -> Response {
    if *role == Role::Owner {
        gone()
    } else {
        forbidden()
    }
}

async fn log(State(site): State<Shared>, role: Role, Path(file): Path<String>) -> Response {
    let Some(id) = owned(&role, &file, ".txt") else {
        return nothing(&role);
    };
    download("engine.txt", site.hub.log_text(id).await)
}

async fn event(State(site): State<Shared>, role: Role, Path(file): Path<String>) -> Response {
    let Some(id) = owned(&role, &file, ".pgn") else {
        return nothing(&role);
    };
    download("tournament.pgn", site.hub.event_pgn(id).await)
}

async fn report(State(site): State<Shared>, role: Role, Path(file): Path<String>) -> Response {
    let Some(id) = owned(&role, &file, ".pgn") else {
        return nothing(&role);
    };
    download("report.pgn", site.hub.report_pgn(id).await)
}

fn gone() -> Response {
    text(StatusCode::NOT_FOUND, "There is nothing at this address.\n")
}

fn download(name: &str, text: Option<Vec<u8>>) -> Response {
    match text {
        Some(bytes) => {
            let headers = [
                (CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
                (CACHE_CONTROL, "no-store".to_owned()),
                (
                    CONTENT_DISPOSITION,
                    format!("attachment; filename=\"{name}\""),
                ),
            ];
            (headers, bytes).into_response()
        }
        None => gone(),
    }
}

/// Only the owner may.
pub(crate) fn forbidden() -> Response {
    text(
        StatusCode::FORBIDDEN,
        "Only the person who started this program may do that.\n",
    )
}

/// A role is there wherever the guard has let somebody in.
impl<S: Sync> axum::extract::FromRequestParts<S> for Role {
    type Rejection = Response;

    async fn from_request_parts(
        parts: &mut axum::http::request::Parts,
        _: &S,
    ) -> Result<Self, Response> {
        let role = parts.extensions.get::<Self>().cloned();
        role.ok_or_else(|| text(StatusCode::UNAUTHORIZED, Refused::Stranger.words()))
    }
}
