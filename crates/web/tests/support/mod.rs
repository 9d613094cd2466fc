//! A server in this process, and browsers for it.

pub(crate) mod client;

use std::path::Path;
use std::thread::JoinHandle;

use quadrille_web::{Options, Server};
use tempfile::TempDir;
use tokio::sync::oneshot;

pub(crate) use client::{Browser, Page, raw, usual};

/// A server that ends with this value.
pub(crate) struct Running {
    pub(crate) address: String,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub(crate) fn start(folder: &Path) -> Self {
        Self::with(Options {
            port: Some(0),
            ..Options::new(folder, folder.join("no-such-program"))
        })
    }

    pub(crate) fn with(options: Options) -> Self {
        let (end, ended) = oneshot::channel();
        let (told, address) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .expect("a runtime");
            runtime.block_on(async {
                let server = Server::start(options).await.expect("a server");
                told.send(server.address()).expect("a listener");
                let until = async {
                    let _ = ended.await;
                };
                server.run(until).await.expect("served");
            });
        });
        Self {
            address: address.recv().expect("an address"),
            end: Some(end),
            thread: Some(thread),
        }
    }

    pub(crate) fn browser(&self) -> Browser {
        Browser::enter(&self.address)
    }

    pub(crate) fn page(&self) -> Page {
        self.browser().page()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
            && !std::thread::panicking()
        {
            panic!("the server ended in a panic");
        }
    }
}

/// A server with a folder of its own.
pub(crate) fn server() -> (TempDir, Running) {
    let folder = tempfile::tempdir().expect("a folder");
    let running = Running::start(folder.path());
    (folder, running)
}
