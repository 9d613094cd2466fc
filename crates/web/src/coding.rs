//! Content codings: which one a browser is sent.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_ENCODING;

/// How the bytes of a file travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Brotli,
    Gzip,
    Identity,
}

impl Coding {
    /// The smallest first.
    const ALL: [Self; 3] = [Self::Brotli, Self::Gzip, Self::Identity];

    /// The value of `Content-Encoding`.
    pub(crate) const fn token(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
            Self::Identity => "identity",
        }
    }

    /// What the name of a compressed file ends with.
    pub(crate) const fn ending(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
            Self::Identity => "",
        }
    }

    /// The codings that `Accept-Encoding` allows, the preferred one first (RFC 9110,
    /// 12.5.3). The last one is always identity: a file in no coding is better than none.
    pub(crate) fn accepted(headers: &HeaderMap) -> Vec<Self> {
        let mut weights = [None; 3];
        let mut others = None;
        let values = headers.get_all(ACCEPT_ENCODING).iter();
        let elements = values.flat_map(|value| value.to_str().unwrap_or_default().split(','));
        for element in elements {
            let mut parts = element.split(';').map(str::trim);
            let name = parts.next().unwrap_or_default();
            let weight = parts.find_map(|part| {
                let (key, value) = part.split_once('=')?;
                (key.trim().eq_ignore_ascii_case("q")).then(|| value.trim().parse::<f32>())
            });
            // A weight that cannot be read promises nothing.
            let weight = weight.map_or(1.0, |weight| weight.unwrap_or(0.0));
            if name == "*" {
                others = Some(weight);
            }
            let known = Self::ALL
                .iter()
                .position(|coding| coding.token().eq_ignore_ascii_case(name));
            if let Some(at) = known {
                weights[at] = Some(weight);
            }
        }
        let weigh = |at: usize, unnamed| weights[at].or(others).unwrap_or(unnamed);
        // Identity needs no word, but what was asked for is preferred to it.
        let identity = weigh(2, f32::MIN_POSITIVE);
        let mut accepted: Vec<(f32, Self)> = Vec::new();
        for (at, coding) in Self::ALL.into_iter().enumerate().take(2) {
            let weight = weigh(at, 0.0);
            if weight > 0.0 && weight >= identity {
                accepted.push((weight, coding));
            }
        }
        // Stable: of two with the same weight the smaller one stays first.
        accepted.sort_by(|a, b| b.0.total_cmp(&a.0));
        let codings = accepted.into_iter().map(|(_, coding)| coding);
        codings.chain([Self::Identity]).collect()
    }
}

/// Whether a list of tags in `If-None-Match` has this one. The comparison is weak, as
/// RFC 9110 (13.1.2) wants it: a proxy may have weakened what we sent.
pub(crate) fn has_tag(list: &str, tag: &str) -> bool {
    let mut tags = list.split(',').map(str::trim);
    tags.any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(values: &[&str]) -> Vec<Coding> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(ACCEPT_ENCODING, value.parse().expect("a header"));
        }
        Coding::accepted(&headers)
    }

    #[test]
    fn the_preferred_coding_comes_first() {
        use Coding::{Brotli, Gzip, Identity};
        for (values, codings) in [
            (&[][..], &[Identity][..]),
            (&[""], &[Identity]),
            (&["identity"], &[Identity]),
            (&["gzip, deflate, br, zstd"], &[Brotli, Gzip, Identity]),
            (&["gzip", "BR"], &[Brotli, Gzip, Identity]),
            (&["gzip"], &[Gzip, Identity]),
            (&["br;q=0.5, gzip;q=0.8"], &[Gzip, Brotli, Identity]),
            (&["br;q=0, gzip"], &[Gzip, Identity]),
            (&["gzip;q=0.000"], &[Identity]),
            (&["*"], &[Brotli, Gzip, Identity]),
            (&["*;q=0"], &[Identity]),
            (&["br;q=0, *"], &[Gzip, Identity]),
            (&["identity, gzip;q=0.5"], &[Identity]),
            (&["identity;q=0, gzip;q=0.1"], &[Gzip, Identity]),
            (&["gzip;q=much, br ; Q = 0.2"], &[Brotli, Identity]),
            (&["deflate, zstd"], &[Identity]),
        ] {
            assert_eq!(accepted(values), codings, "{values:?}");
        }
    }

    #[test]
    fn a_tag_is_found_in_a_list() {
        for list in ["\"a\"", "W/\"a\"", "\"b\", \"a\"", "*", "\"b\",W/\"a\""] {
            assert!(has_tag(list, "\"a\""), "{list}");
        }
        for list in ["", "a", "\"b\"", "\"aa\"", "W/a"] {
            assert!(!has_tag(list, "\"a\""), "{list}");
        }
    }
}
