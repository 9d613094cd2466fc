//! The page of a game server: people play there in a browser.

use std::io;
use std::path::Path;

use clap::Args;
use quadrille_server::Server;
use tokio::task::JoinHandle;

use crate::failure::Failure;

/// Where the page is.
#[derive(Args)]
pub(crate) struct PageArguments {
    /// Serve a page there too: people play in their browser
    #[cfg(feature = "gui")]
    #[arg(long, value_name = "ADDRESS", value_parser = crate::lend::address)]
    page: Option<std::net::SocketAddr>,

    /// A name under which the page is visited, beside its address
    #[cfg(feature = "gui")]
    #[arg(long, value_name = "NAME", requires = "page")]
    page_name: Vec<String>,

    /// A proxy before the page that says in X-Forwarded-For where visitors come from
    #[cfg(feature = "gui")]
    #[arg(long, value_name = "ADDRESS", requires = "page")]
    trusted_proxy: Vec<std::net::IpAddr>,
}

/// A page that is served until its game server ends.
pub(crate) struct Opened {
    /// To open in a browser.
    pub(crate) address: String,
    pub(crate) served: JoinHandle<io::Result<()>>,
}

impl PageArguments {
    /// Serves the page, if one is wanted. Everybody may visit it, and do nothing but
    /// play.
    #[cfg(feature = "gui")]
    pub(crate) async fn open(
        self,
        folder: &Path,
        server: &Server,
    ) -> Result<Option<Opened>, Failure> {
        use quadrille_web::{Door, Hall, Options, Server as Page};

        /// What may wait on the way between a page and the hall.
        const PIPE: usize = 64 << 10;

        let Some(address) = self.page else {
            return Ok(None);
        };
        let hall = server.clone();
        let door = Door::new(move |from| {
            let (ours, theirs) = tokio::io::duplex(PIPE);
            hall.join(ours, Some(from));
            Box::new(theirs)
        });
        let program = std::env::current_exe().map_err(Failure::machine)?;
        let (names, proxies) = (self.page_name, self.trusted_proxy);
        let options = Options {
            listen: address.ip(),
            port: Some(address.port()),
            hall: Some(Hall {
                door,
                names,
                proxies,
            }),
            ..Options::new(folder.join("page"), program)
        };
        let page = Page::start(options).await.map_err(Failure::machine)?;
        let address = page.clean_address();
        let server = server.clone();
        let served = tokio::spawn(page.run(async move {
            // However it ends.
            let _ = server.ended().await;
        }));
        Ok(Some(Opened { address, served }))
    }

    /// There is none in this build.
    #[cfg(not(feature = "gui"))]
    #[expect(clippy::unused_async, reason = "the other one waits")]
    pub(crate) async fn open(self, _: &Path, _: &Server) -> Result<Option<Opened>, Failure> {
        Ok(None)
    }
}
