//! Whom a client believes.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::{
    CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    CertificateError as Refusal, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};

use super::certificate::{CertificateError, Fingerprint, authorities};
use super::connect::ConnectError;

/// Whom a client believes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Trust {
    /// The authorities that this system believes.
    #[default]
    System,
    /// The authorities in a file in PEM form, and no others.
    Authority(PathBuf),
    /// One certificate, known by its sum, whatever name and dates are in it.
    Fingerprint(Fingerprint),
}

/// Judges a server's certificate, and remembers which one it was.
#[derive(Debug)]
pub(super) struct Judge {
    by: By,
    provider: Arc<CryptoProvider>,
    seen: Mutex<Option<Fingerprint>>,
}

#[derive(Debug)]
enum By {
    Authorities(Arc<WebPkiServerVerifier>),
    Fingerprint(Fingerprint),
}

impl Judge {
    pub(super) fn new(trust: &Trust) -> Result<Self, ConnectError> {
        let provider = Arc::new(ring::default_provider());
        let by = match trust {
            Trust::Fingerprint(wanted) => By::Fingerprint(*wanted),
            Trust::System => By::Authorities(verifier(system_roots()?, &provider)?),
            Trust::Authority(file) => {
                let mut roots = RootCertStore::empty();
                for root in authorities(file)? {
                    let unusable = |_| CertificateError::Nothing {
                        file: file.clone(),
                        what: "usable certificate",
                    };
                    roots.add(root).map_err(unusable)?;
                }
                By::Authorities(verifier(Arc::new(roots), &provider)?)
            }
        };
        Ok(Self {
            by,
            provider,
            seen: Mutex::default(),
        })
    }

    /// The certificate that the server showed, if it came to that.
    pub(super) fn seen(&self) -> Option<Fingerprint> {
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn verifier(
    roots: Arc<RootCertStore>,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<WebPkiServerVerifier>, ConnectError> {
    WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(provider))
        .build()
        .map_err(|error| ConnectError::Tls(error.to_string()))
}

/// Read once: there are more than a hundred files of them on many systems.
fn system_roots() -> Result<Arc<RootCertStore>, ConnectError> {
    static ROOTS: OnceLock<Arc<RootCertStore>> = OnceLock::new();
    let roots = ROOTS.get_or_init(|| {
        let mut roots = RootCertStore::empty();
        let found = rustls_native_certs::load_native_certs();
        // Old systems have some that are odd; the others are still good.
        roots.add_parsable_certificates(found.certs);
        Arc::new(roots)
    });
    if roots.is_empty() {
        return Err(ConnectError::NoAuthorities);
    }
    Ok(Arc::clone(roots))
}

impl ServerCertVerifier for Judge {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let found = Fingerprint::of(end_entity);
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
        match &self.by {
            By::Fingerprint(wanted) if *wanted == found => Ok(ServerCertVerified::assertion()),
            By::Fingerprint(_) => Err(Refusal::ApplicationVerificationFailure.into()),
            By::Authorities(verifier) => verifier.verify_server_cert(
                end_entity,
                intermediates,
                server_name,
                ocsp_response,
                now,
            ),
        }
    }

    /// The sum says which key it is; that the server has that key must be shown
    /// in every case.
    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, cert, dss, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, cert, dss, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        let algorithms = &self.provider.signature_verification_algorithms;
        algorithms.supported_schemes()
    }
}
