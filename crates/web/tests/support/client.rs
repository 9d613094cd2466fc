//! A browser, as far as a server can tell.

#![expect(
    clippy::needless_pass_by_value,
    reason = "questions are written where they are asked"
)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// Longer than anything takes on a loaded machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// What a server answered.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Response {
    /// A header, by its name in small letters.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (known, value) = line.split_once(':')?;
            known.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// Sends bytes as they are, and reads until the server closes.
pub(crate) fn raw(address: SocketAddr, request: &[u8]) -> Response {
    let mut stream = TcpStream::connect(address).expect("a server");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    // A server that refuses a request need not read all of it.
    let _ = stream.write_all(request);
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes
        .windows(4)
        .position(|w| w == b"\r\n\r\n")
        .expect("a head");
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
    Response {
        status: status.expect("a status"),
        head,
        body: bytes[end + 4..].to_vec(),
    }
}

/// Somebody with a cookie.
#[derive(Debug, Clone)]
pub(crate) struct Browser {
    pub(crate) address: SocketAddr,
    pub(crate) cookie: String,
    /// What a proxy says of where it comes from.
    pub(crate) forwarded: String,
}

impl Browser {
    /// Opens the address that was printed.
    pub(crate) fn enter(printed: &str) -> Self {
        let (place, path) = split(printed);
        let mut browser = Self {
            address: place.parse().expect("an address"),
            cookie: String::new(),
            forwarded: String::new(),
        };
        let response = browser.get(path);
        let cookie = response.header("set-cookie").expect("a cookie");
        browser.cookie = cookie.split(';').next().expect("a value").into();
        browser
    }

    /// Somebody without one.
    pub(crate) fn stranger(printed: &str) -> Self {
        Self {
            address: split(printed).0.parse().expect("an address"),
            cookie: String::new(),
            forwarded: String::new(),
        }
    }

    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        self.request("GET", path, &[], b"")
    }

    /// A request with these headers beside the usual ones.
    pub(crate) fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Response {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head.extend([format!("Host: {}\r\n", self.address)]);
        }
        if !self.cookie.is_empty() {
            head.extend([format!("Cookie: {}\r\n", self.cookie)]);
        }
        if !body.is_empty() {
            head.extend([format!("Content-Length: {}\r\n", body.len())]);
        }
        for (name, value) in headers {
            head.extend([format!("{name}: {value}\r\n")]);
        }
        raw(self.address, &[head.as_bytes(), b"\r\n", body].concat())
    }

    /// Opens a socket as a page of ours does.
    pub(crate) fn page(&self) -> Page {
        let mut page = self
            .socket(&self.origin(), &self.address.to_string())
            .expect("a socket");
        let hello = page.hear();
        assert_eq!(hello["say"], "hello", "{hello}");
        page.hello = hello;
        page
    }

    /// The same as somebody else would do it; the status if it is refused.
    pub(crate) fn socket(&self, origin: &str, host: &str) -> Result<Page, u16> {
        let mut request = format!("ws://{}/ws", self.address)
            .into_client_request()
            .expect("a request");
        let headers = request.headers_mut();
        headers.insert("host", host.parse().expect("a header"));
        headers.insert("origin", origin.parse().expect("a header"));
        headers.insert("cookie", self.cookie.parse().expect("a header"));
        if !self.forwarded.is_empty() {
            let forwarded = self.forwarded.parse().expect("a header");
            headers.insert("x-forwarded-for", forwarded);
        }
        let stream = TcpStream::connect(self.address).expect("a server");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Page {
                socket,
                asked: 0,
                heard: Vec::new(),
                hello: Value::Null,
            }),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
                Err(response.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }
}

fn split(printed: &str) -> (&str, &str) {
    let rest = printed.strip_prefix("http://").expect("an address");
    rest.split_at(rest.find('/').expect("a path"))
}

/// An open page.
pub(crate) struct Page {
    pub(crate) socket: WebSocket<TcpStream>,
    asked: u64,
    /// What came that nobody waited for.
    heard: Vec<Value>,
    pub(crate) hello: Value,
}

impl Page {
    /// Says anything.
    pub(crate) fn say(&mut self, text: &str) {
        self.socket
            .send(Message::text(text))
            .expect("an open socket");
    }

    /// The next message.
    pub(crate) fn hear(&mut self) -> Value {
        self.try_hear().expect("an open socket")
    }

    /// The next message; nothing if the socket is closed.
    pub(crate) fn try_hear(&mut self) -> Option<Value> {
        // A server that only asks whether we are there says nothing.
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < 2 * PATIENCE, "nothing was said");
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    return Some(serde_json::from_str(text.as_str()).expect("JSON"));
                }
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Asks, and waits for the answer or the refusal.
    pub(crate) fn ask_any(&mut self, ask: Value) -> Value {
        let id = self.ask_later(ask);
        self.answer_to(id)
    }

    /// Asks, without waiting; the number of the question.
    pub(crate) fn ask_later(&mut self, ask: Value) -> u64 {
        self.asked += 1;
        let id = self.asked;
        self.say(&json!({"say": "ask", "id": id, "ask": ask}).to_string());
        id
    }

    /// Waits for the answer or the refusal of a question.
    pub(crate) fn answer_to(&mut self, id: u64) -> Value {
        if let Some(at) = self.heard.iter().position(|message| message["id"] == id) {
            return self.heard.remove(at);
        }
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            let message = self.hear();
            if message["id"] == id {
                return message;
            }
            self.heard.push(message);
        }
        panic!("no answer to question {id}");
    }

    /// What an answer holds.
    pub(crate) fn ask(&mut self, ask: Value) -> Value {
        let answer = self.ask_any(ask.clone());
        assert_eq!(answer["say"], "answer", "{ask}: {answer}");
        answer["answer"]["of"].clone()
    }

    /// The code and the words of a refusal.
    pub(crate) fn refused(&mut self, ask: Value) -> (String, String) {
        let answer = self.ask_any(ask.clone());
        assert_eq!(answer["say"], "refused", "{ask}: {answer}");
        let word = |name: &str| {
            answer["refusal"][name]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        (word("code"), word("words"))
    }

    /// Follows a topic such as `{"topic": "jobs"}`.
    pub(crate) fn follow(&mut self, topic: &Value) {
        self.say(&json!({"say": "follow", "topic": topic}).to_string());
    }

    /// Follows a topic and waits until it is as wished; gives what was told.
    pub(crate) fn see(&mut self, topic: Value, wished: impl Fn(&Value) -> bool) -> Value {
        self.heard.clear();
        self.follow(&topic);
        self.wait(&topic, wished)
    }

    /// Waits until a topic that is followed is as wished.
    pub(crate) fn wait(&mut self, topic: &Value, wished: impl Fn(&Value) -> bool) -> Value {
        let fits = |message: &Value| {
            message["say"] == "news" && message["topic"] == *topic && wished(&message["news"]["of"])
        };
        let begun = Instant::now();
        let mut waiting = std::mem::take(&mut self.heard).into_iter();
        while begun.elapsed() < PATIENCE {
            let message = waiting.next().unwrap_or_else(|| self.hear());
            if fits(&message) {
                self.heard.extend(waiting);
                return message["news"]["of"].clone();
            }
        }
        panic!("{topic} never was as wished");
    }
}

/// A start in the usual way.
pub(crate) fn usual(game: &str) -> Value {
    json!({"game": game, "rules": "", "position": ""})
}
