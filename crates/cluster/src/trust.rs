//! Whom a client of a NATS server under TLS believes: the authorities in a file, and
//! the very certificates in it. A certificate that its owner has signed himself, as
//! `openssl req -x509` makes it, is marked as one of an authority, and the usual rules
//! let no server show that; who has the file knows it all the same.

use std::path::Path;
use std::sync::Arc;

use async_nats::rustls::client::WebPkiServerVerifier;
use async_nats::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use async_nats::rustls::crypto::{
    CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature,
};
use async_nats::rustls::pki_types::pem::PemObject;
use async_nats::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use async_nats::rustls::{
    ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};

/// Judges a server's certificate by those in a file.
#[derive(Debug)]
struct ByFile {
    known: Vec<CertificateDer<'static>>,
    /// Where one of them can be an authority.
    authorities: Option<Arc<WebPkiServerVerifier>>,
    provider: Arc<CryptoProvider>,
}

/// Returns what a client needs that believes the certificates in `file`, and shows one
/// of its own if it has it.
pub(crate) fn client(file: &Path, own: Option<(&Path, &Path)>) -> Result<ClientConfig, String> {
    let provider = Arc::new(ring::default_provider());
    let known = certificates(file)?;
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(known.iter().cloned());
    let authorities =
        WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider));
    let judge = ByFile {
        known,
        authorities: authorities.build().ok(),
        provider: Arc::clone(&provider),
    };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(judge));
    let Some((cert, key)) = own else {
        return Ok(config.with_no_client_auth());
    };
    let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", key.display());
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| wrong(&error))?;
    let config = config.with_client_auth_cert(certificates(cert)?, secret);
    config.map_err(|error| wrong(&error))
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let all = CertificateDer::pem_file_iter(file).map_err(|error| wrong(&error))?;
    let all: Result<Vec<_>, _> = all.collect();
    let all = all.map_err(|error| wrong(&error))?;
    if all.is_empty() {
        return Err(wrong(&"there is no certificate in it (PEM)"));
    }
    Ok(all)
}

impl ServerCertVerifier for ByFile {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        // Its owner gave us this very certificate: names and dates add nothing.
        if self.known.iter().any(|known| known == end_entity) {
            return Ok(ServerCertVerified::assertion());
        }
        match &self.authorities {
            Some(authorities) => authorities.verify_server_cert(
                end_entity,
                intermediates,
                server_name,
                ocsp_response,
                now,
            ),
            None => Err(Error::General(
                "its certificate is not the one in the file".into(),
            )),
        }
    }

    /// That the server has the key must be shown in every case.
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
