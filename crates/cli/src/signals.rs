//! The wish of the user, or of the system, that a program ends: ctrl-c, SIGTERM, and
//! SIGHUP when the terminal goes away (not under `nohup`).

use std::io;
use std::thread;

/// Wishes that come from now on.
pub(crate) struct Interrupts {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    /// `None` if it is to be ignored.
    #[cfg(unix)]
    hangup: Option<tokio::signal::unix::Signal>,
}

impl Interrupts {
    /// Listens; to be called within a runtime. None that comes after this is lost.
    #[cfg(unix)]
    pub(crate) fn listen() -> io::Result<Self> {
        use quadrille_driver::signals::hangup_is_ignored;
        use tokio::signal::unix::{SignalKind, signal};
        let hangup = if hangup_is_ignored() {
            None
        } else {
            Some(signal(SignalKind::hangup())?)
        };
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup,
        })
    }

    /// Listens; to be called within a runtime.
    #[cfg(not(unix))]
    #[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for the next one.
    #[cfg(unix)]
    pub(crate) async fn next(&mut self) {
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = hangup => {}
        }
    }

    /// Waits for the next one.
    #[cfg(not(unix))]
    pub(crate) async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Waits for one; for ever where signals cannot be listened to. Listens from the call,
/// not from the first poll: call it before telling anybody that the program is there.
pub(crate) fn interrupted() -> impl Future<Output = ()> {
    let listening = Interrupts::listen();
    async {
        match listening {
            Ok(mut interrupts) => interrupts.next().await,
            Err(_) => std::future::pending().await,
        }
    }
}

/// A file that grows beyond what the user allows (`ulimit -f`) is an error like a
/// full disk, not the end: a handler of ours is enough, and engines do not inherit
/// it. To be called within a runtime.
#[cfg(unix)]
pub(crate) fn notice_large_files() {
    use tokio::signal::unix::{SignalKind, signal};
    let too_large = SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw());
    // Without it we end as before.
    let _: io::Result<_> = signal(too_large);
}

#[cfg(not(unix))]
pub(crate) const fn notice_large_files() {}

/// Calls `act` for each that comes from now on, on a separate thread, until it
/// returns `false`. From now on a file that grows too large is an error, too.
pub(crate) fn on_interrupt(mut act: impl FnMut() -> bool + Send + 'static) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut interrupts = {
        let _context = runtime.enter();
        notice_large_files();
        Interrupts::listen()?
    };
    let listen = move || {
        runtime.block_on(async {
            loop {
                interrupts.next().await;
                if !act() {
                    return;
                }
            }
        });
    };
    let name = thread::Builder::new().name("signals".into());
    name.spawn(listen).map(drop)
}
