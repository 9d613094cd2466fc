//! Who may come in.
//!
//! The server starts programs that its user names, and every page that is open in
//! the same browser can reach it. So for every request, in this order:
//!
//! 1. `Host` must be an address of ours. A name that somebody's DNS server leads to
//!    this machine is none (DNS rebinding).
//! 2. `Origin`, where there is one, must be the page that was served here; what
//!    changes something must have one.
//! 3. A cookie must be there that only the printed address gives, or the password,
//!    or the link to a seat.
//!
//! Nothing is ever allowed to other origins, and no page of theirs may frame or
//! load anything of ours.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::header::{COOKIE, HOST, HeaderMap, HeaderName, ORIGIN};
use axum::http::{HeaderValue, Method, StatusCode, Uri};

use quadrille_net::network;

use crate::secret::{Secret, same};

/// Wrong passwords that may follow each other within [`WINDOW`].
const MOST_ATTEMPTS: usize = 5;
const WINDOW: Duration = Duration::from_mins(1);
/// Where a proxy says for whom it asks.
const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");

/// As who somebody is here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Role {
    /// The person who started the program, or who knows the password.
    Owner,
    /// A person with the link to a seat.
    Guest(String),
    /// A person at the page of a game server, and where they come from.
    Visitor(IpAddr),
}

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    Host,
    Origin,
    /// No cookie that opens anything.
    Stranger,
}

impl Refused {
    pub(crate) const fn status(self) -> StatusCode {
        match self {
            Self::Host | Self::Origin => StatusCode::FORBIDDEN,
            Self::Stranger => StatusCode::UNAUTHORIZED,
        }
    }

    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Host => {
                "This server does not answer to that name. Open the address that quadrille printed.\n"
            }
            Self::Origin => "Requests from other pages are refused.\n",
            Self::Stranger => {
                "Open the address that quadrille printed when it was started; it is another one \
                 each time.\n\n\
                 Откройте адрес, который quadrille напечатал при запуске: каждый раз он новый.\n"
            }
        }
    }
}

/// The rules of the door.
#[derive(Debug)]
pub(crate) struct Guard {
    address: SocketAddr,
    /// In the address that is printed.
    token: Secret,
    /// In the cookie of those who came in.
    session: Secret,
    password: Option<String>,
    /// When wrong passwords were tried.
    attempts: Mutex<Vec<Instant>>,
    /// What everybody may visit; missing where there is no game server.
    public: Option<Public>,
}

/// A page that everybody may visit.
#[derive(Debug, Default)]
struct Public {
    /// Names under which it is visited.
    names: Vec<String>,
    /// Proxies that say for whom they ask.
    proxies: Vec<IpAddr>,
}

/// What came of a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Login {
    Welcome,
    Wrong,
    TooOften,
}

impl Guard {
    pub(crate) fn new(
        address: SocketAddr,
        password: Option<String>,
    ) -> Result<Self, getrandom::Error> {
        Ok(Self {
            address,
            token: Secret::new()?,
            session: Secret::new()?,
            password,
            attempts: Mutex::default(),
            public: None,
        })
    }

    /// Lets everybody visit, under these names too, and believes these proxies where
    /// a visitor comes from.
    pub(crate) fn open_to_visitors(&mut self, names: Vec<String>, proxies: Vec<IpAddr>) {
        self.public = Some(Public { names, proxies });
    }

    /// Where a visitor comes from, whose connection is from `peer`. A proxy appends
    /// the address that it sees to `X-Forwarded-For`, so only the last ones are told
    /// by those who are believed; what stands before them anybody can write.
    pub(crate) fn visitor(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let told = headers.get_all(FORWARDED).iter();
        let told = told.filter_map(|value| value.to_str().ok());
        let mut told: Vec<&str> = told.flat_map(|value| value.split(',')).collect();
        let proxies = self
            .public
            .as_ref()
            .map_or(&[][..], |public| &public.proxies);
        let mut from = peer.to_canonical();
        while proxies.contains(&from)
            && let Some(before) = told.pop().and_then(told_address)
        {
            from = before;
        }
        network(from)
    }

    /// Whether strangers are visitors.
    pub(crate) const fn is_public(&self) -> bool {
        self.public.is_some()
    }

    /// What the address to open ends with.
    pub(crate) const fn token(&self) -> &Secret {
        &self.token
    }

    pub(crate) const fn has_password(&self) -> bool {
        self.password.is_some()
    }

    /// Looks at a request before anything else is done with it.
    pub(crate) fn admit(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<Option<Role>, Refused> {
        let path = uri.path();
        let host = self.host(headers).ok_or(Refused::Host)?;
        let reads = *method == Method::GET || *method == Method::HEAD;
        let needs_origin = !reads || path == "/ws";
        let secure = self.is_public();
        if !is_own_origin(headers, host, needs_origin, secure) {
            return Err(Refused::Origin);
        }
        let role = self.role(headers);
        if role.is_none() && !is_door(uri) {
            return Err(Refused::Stranger);
        }
        Ok(role)
    }

    /// The `Host` of a request, if it is an address of ours.
    fn host<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        let mut hosts = headers.get_all(HOST).iter();
        let text = hosts.next()?.to_str().ok()?;
        if hosts.next().is_some() {
            return None;
        }
        let names = self.public.iter().flat_map(|public| &public.names);
        // Before a proxy the port is another one.
        let called = |name: &String| {
            let rest = text.get(name.len()..).unwrap_or("?");
            text.get(..name.len())
                .is_some_and(|host| host.eq_ignore_ascii_case(name))
                && (rest.is_empty() || rest.starts_with(':'))
        };
        if names.into_iter().any(called) {
            return Some(text);
        }
        let (name, port) = match text.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, port.parse().ok()?),
            _ => (text, 80),
        };
        let bare = name.strip_prefix('[').and_then(|n| n.strip_suffix(']'));
        let ip: Option<IpAddr> = bare.unwrap_or(name).parse().ok();
        // A number cannot be led elsewhere, a name can.
        let known = match ip {
            Some(ip) => !self.address.ip().is_loopback() || ip.is_loopback(),
            None => name.eq_ignore_ascii_case("localhost"),
        };
        (known && port == self.address.port()).then_some(text)
    }

    /// Cookies know no ports, so ours have it in their names.
    fn cookie_name(&self, kind: &str) -> String {
        format!("quadrille-{kind}-{}", self.address.port())
    }

    /// Who has sent a request, by its cookies.
    fn role(&self, headers: &HeaderMap) -> Option<Role> {
        let owner = self.cookie_name("owner");
        let seat = self.cookie_name("seat");
        let mut guest = None;
        for header in headers.get_all(COOKIE) {
            for cookie in header.to_str().ok()?.split(';') {
                let Some((name, value)) = cookie.trim().split_once('=') else {
                    continue;
                };
                if name == owner && self.session.is(value) {
                    return Some(Role::Owner);
                }
                if name == seat && is_word(value) {
                    guest = Some(Role::Guest(value.into()));
                }
            }
        }
        guest
    }

    /// The cookie of the owner.
    pub(crate) fn owner_cookie(&self) -> String {
        self.cookie("owner", self.session.as_str())
    }

    /// The cookie of a guest.
    pub(crate) fn seat_cookie(&self, word: &str) -> String {
        self.cookie("seat", word)
    }

    fn cookie(&self, kind: &str, value: &str) -> String {
        let name = self.cookie_name(kind);
        format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict")
    }

    /// Whether a password opens the door.
    pub(crate) fn login(&self, password: &str, now: Instant) -> Login {
        let Some(right) = &self.password else {
            return Login::Wrong;
        };
        let mut attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        attempts.retain(|at| now.saturating_duration_since(*at) < WINDOW);
        if attempts.len() >= MOST_ATTEMPTS {
            return Login::TooOften;
        }
        if same(right, password) {
            return Login::Welcome;
        }
        attempts.push(now);
        Login::Wrong
    }
}

/// An address as a proxy tells it; some write a port behind it.
fn told_address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'));
    let address: Option<IpAddr> = bare.unwrap_or(text).parse().ok();
    let with_port = || Some(text.parse::<SocketAddr>().ok()?.ip());
    address
        .or_else(with_port)
        .map(|address| address.to_canonical())
}

/// Whether somebody comes in here.
pub(crate) fn is_door(uri: &Uri) -> bool {
    let path = uri.path();
    let guest = path == "/" && uri.query().is_some_and(|query| query.starts_with("guest="));
    path.starts_with("/enter/") || path == "/login" || guest
}

/// Whether a word can be one of ours: letters and digits.
pub(crate) fn is_word(text: &str) -> bool {
    (8..=128).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// `secure`: a proxy may speak for us, over an encrypted connection.
fn is_own_origin(headers: &HeaderMap, host: &str, needed: bool, secure: bool) -> bool {
    let mut origins = headers.get_all(ORIGIN).iter();
    let Some(origin) = origins.next() else {
        return !needed;
    };
    let origin = origin.to_str().unwrap_or_default();
    let own = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://").filter(|_| secure));
    origins.next().is_none() && own.is_some_and(|own| own.eq_ignore_ascii_case(host))
}

/// What every answer says about how it may be used.
pub(crate) fn headers(host: Option<&HeaderValue>) -> [(HeaderName, HeaderValue); 7] {
    let fixed = |name, value| {
        (
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        )
    };
    // Not every browser counts a socket to the same place as 'self'. The host has
    // been checked.
    let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
    let socket = if host.is_empty() {
        String::new()
    } else {
        format!(" ws://{host}")
    };
    let policy = format!(
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'{socket}; worker-src 'self'; object-src 'none'; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'"
    );
    let policy = HeaderValue::from_str(&policy)
        .unwrap_or_else(|_| HeaderValue::from_static("default-src 'none'"));
    [
        (HeaderName::from_static("content-security-policy"), policy),
        fixed("x-content-type-options", "nosniff"),
        // Without any, browsers send a form from nowhere: `Origin: null`.
        fixed("referrer-policy", "same-origin"),
        fixed("x-frame-options", "DENY"),
        fixed("cross-origin-resource-policy", "same-origin"),
        fixed("cross-origin-opener-policy", "same-origin"),
        fixed(
            "permissions-policy",
            "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str, password: Option<&str>) -> Guard {
        let address = address.parse().expect("an address");
        Guard::new(address, password.map(Into::into)).expect("random bytes")
    }

    fn request(host: &str, more: &[(HeaderName, String)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().expect("a header"));
        for (name, value) in more {
            headers.append(name, value.parse().expect("a header"));
        }
        headers
    }

    fn admit(guard: &Guard, path: &str, headers: &HeaderMap) -> Result<Option<Role>, Refused> {
        guard.admit(&Method::GET, &path.parse().expect("an address"), headers)
    }

    #[test]
    fn a_visitor_is_where_a_trusted_proxy_says() {
        let mut guard = guard("127.0.0.1:7474", None);
        let ip = |text: &str| -> IpAddr { text.parse().expect("an address") };
        let proxies = vec![ip("127.0.0.1"), ip("10.0.0.9")];
        guard.open_to_visitors(Vec::new(), proxies);
        let from = |peer: &str, told: &[&str]| {
            let told: Vec<_> = told.iter().map(|t| (FORWARDED, (*t).to_owned())).collect();
            guard
                .visitor(ip(peer), &request("games.example", &told))
                .to_string()
        };
        for (peer, told, address) in [
            ("127.0.0.1", &["192.0.2.7"][..], "192.0.2.7"),
            ("::ffff:127.0.0.1", &["192.0.2.7:4711"], "192.0.2.7"),
            // What the visitor has written itself stands before.
            ("127.0.0.1", &["1.1.1.1, 192.0.2.7"], "192.0.2.7"),
            (
                "127.0.0.1",
                &["1.1.1.1", "192.0.2.7 , 10.0.0.9"],
                "192.0.2.7",
            ),
            // A proxy that is not trusted is a visitor as all others.
            ("192.0.2.8", &["192.0.2.7"], "192.0.2.8"),
            ("127.0.0.1", &["1.1.1.1, 192.0.2.8"], "192.0.2.8"),
            ("127.0.0.1", &["[2001:db8:1:2:3::4]:80"], "2001:db8:1:2::"),
            ("127.0.0.1", &["[2001:db8:1:2:3::4]"], "2001:db8:1:2::"),
            ("127.0.0.1", &["unknown"], "127.0.0.1"),
            ("127.0.0.1", &["10.0.0.9"], "10.0.0.9"),
            ("127.0.0.1", &[], "127.0.0.1"),
            // With IPv6 a network counts.
            ("2001:db8:1:2:3:4:5:6", &[], "2001:db8:1:2::"),
        ] {
            assert_eq!(from(peer, told), address, "{peer} {told:?}");
        }
    }

    #[test]
    fn only_addresses_of_this_machine_are_answered_to() {
        let guard = guard("127.0.0.1:7474", None);
        let cookie = (COOKIE, guard.owner_cookie());
        for host in [
            "127.0.0.1:7474",
            "localhost:7474",
            "LOCALHOST:7474",
            "[::1]:7474",
        ] {
            let headers = request(host, std::slice::from_ref(&cookie));
            assert_eq!(
                admit(&guard, "/", &headers),
                Ok(Some(Role::Owner)),
                "{host}"
            );
        }
        for host in [
            "evil.example:7474",
            "127.0.0.1",
            "127.0.0.1:80",
            "127.0.0.1.evil.example:7474",
            "",
            "localhost.evil.example:7474",
            "192.168.1.7:7474",
            "127.0.0.1:7474:7474",
            "[::1]",
            "user@127.0.0.1:7474",
        ] {
            let headers = request(host, std::slice::from_ref(&cookie));
            assert_eq!(admit(&guard, "/", &headers), Err(Refused::Host), "{host}");
        }
        let mut twice = request("127.0.0.1:7474", std::slice::from_ref(&cookie));
        twice.append(HOST, "evil.example:7474".parse().expect("a header"));
        assert_eq!(admit(&guard, "/", &twice), Err(Refused::Host));
    }

    #[test]
    fn on_other_addresses_numbers_are_answered_to_and_names_are_not() {
        let guard = guard("0.0.0.0:7474", Some("x"));
        let cookie = (COOKIE, guard.owner_cookie());
        let to = |host| admit(&guard, "/", &request(host, std::slice::from_ref(&cookie)));
        assert_eq!(to("192.168.1.7:7474"), Ok(Some(Role::Owner)));
        assert_eq!(to("rebound.example:7474"), Err(Refused::Host));
    }

    #[test]
    fn other_pages_are_refused() {
        let guard = guard("127.0.0.1:7474", None);
        let host = "127.0.0.1:7474";
        let with = |origin: &str| {
            let cookie = (COOKIE, guard.owner_cookie());
            request(host, &[cookie, (ORIGIN, origin.into())])
        };
        for path in ["/", "/ws", "/log/1.txt", "/enter/x", "/login"] {
            assert!(admit(&guard, path, &with("http://127.0.0.1:7474")).is_ok());
            for origin in [
                "http://evil.example",
                "null",
                "https://127.0.0.1:7474",
                "http://127.0.0.1:7475",
                "http://127.0.0.1:7474.evil.example",
                "http://localhost:7474",
                "",
            ] {
                let refused = admit(&guard, path, &with(origin));
                assert_eq!(refused, Err(Refused::Origin), "{path} {origin}");
            }
        }
        let without = request(host, &[(COOKIE, guard.owner_cookie())]);
        assert_eq!(admit(&guard, "/ws", &without), Err(Refused::Origin));
        let post = guard.admit(&Method::POST, &Uri::from_static("/upload"), &without);
        assert_eq!(post, Err(Refused::Origin));
    }

    #[test]
    fn without_a_cookie_there_is_only_the_door() {
        let guard = guard("127.0.0.1:7474", None);
        let nothing = request("127.0.0.1:7474", &[]);
        assert_eq!(admit(&guard, "/enter/abc", &nothing), Ok(None));
        assert_eq!(admit(&guard, "/?guest=abcdefgh", &nothing), Ok(None));
        let elsewhere = admit(&guard, "/log/1.txt?guest=abcdefgh", &nothing);
        assert_eq!(elsewhere, Err(Refused::Stranger));
        assert_eq!(admit(&guard, "/", &nothing), Err(Refused::Stranger));
        let wrong = "quadrille-owner-7474=0000".to_owned();
        let wrong = request("127.0.0.1:7474", &[(COOKIE, wrong)]);
        assert_eq!(admit(&guard, "/", &wrong), Err(Refused::Stranger));
        let token = format!("quadrille-owner-7474={}", guard.token().as_str());
        let token = request("127.0.0.1:7474", &[(COOKIE, token)]);
        assert_eq!(admit(&guard, "/", &token), Err(Refused::Stranger));
        let seat = request("127.0.0.1:7474", &[(COOKIE, guard.seat_cookie("abcdefgh"))]);
        let guest = Some(Role::Guest("abcdefgh".into()));
        assert_eq!(admit(&guard, "/", &seat), Ok(guest));
    }

    #[test]
    fn passwords_cannot_be_tried_without_end() {
        let guard = guard("127.0.0.1:7474", Some("right"));
        let now = Instant::now();
        assert_eq!(guard.login("right", now), Login::Welcome);
        for _ in 0..MOST_ATTEMPTS {
            assert_eq!(guard.login("wrong", now), Login::Wrong);
        }
        assert_eq!(guard.login("right", now), Login::TooOften);
        assert_eq!(guard.login("right", now + WINDOW), Login::Welcome);
    }
}
