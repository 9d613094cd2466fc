//! What can go wrong, in words for the user.

/// Why nothing can be played or analysed elsewhere.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The command line or a file is wrong.
    #[error("{0}")]
    Input(String),
    /// The server is not reached.
    #[error("the NATS server at {place} is not reached: {why}")]
    Connect {
        /// Its address.
        place: String,
        /// Why.
        why: String,
    },
    /// The server does not let us in.
    #[error(
        "the NATS server at {place} does not let us in: user, password, token, credentials or key \
         are wrong or missing (--nats-user, --nats-password, --nats-token, --nats-creds, --nats-nkey)"
    )]
    Refused {
        /// Its address.
        place: String,
    },
    /// The server is there and does not do what is needed.
    #[error("the NATS server: {0}")]
    Server(String),
    /// An engine of this worker.
    #[error("engine '{name}': {why}")]
    Engine {
        /// Its name.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// An analysis.
    #[error(transparent)]
    Analyse(#[from] quadrille_analysis::AnalyseError),
    /// A match.
    #[error(transparent)]
    Tournament(#[from] quadrille_match::tournament::TournamentError),
}

impl ClusterError {
    /// Whether what the user wrote is wrong, and not the server or the machine.
    #[must_use]
    pub const fn is_in_the_description(&self) -> bool {
        matches!(self, Self::Input(_))
    }

    pub(crate) fn server(error: &(dyn std::error::Error + 'static)) -> Self {
        let why = crate::access::chain(error);
        // What the client says is right, and not what to do about it.
        let todo = if why.contains("jetstream unavailable") {
            "; start it with JetStream: nats-server -js"
        } else if why.contains("jetstream request timed out") {
            "; it is slow, or this user may not publish $JS.API.> there"
        } else {
            ""
        };
        Self::Server(format!("{why}{todo}"))
    }
}
