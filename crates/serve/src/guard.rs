//! Who is answered: requests that know the token, name this server as their host, and come from its own page.
//!
//! A page elsewhere can make a browser send requests to this computer. It cannot read the token, its requests carry its own
//! origin, and a name that it makes point here ("DNS rebinding") shows in the header `Host`. Each of the three is enough to
//! refuse a request; all are checked.

use axum::http::{HeaderMap, StatusCode, Uri};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::RngExt;
use std::net::SocketAddr;

/// The header in which the page sends the token.
pub const HEADER: &str = "x-lariat-token";

/// What is compared with each request.
#[derive(Clone, Debug)]
pub struct Guard {
    hosts: [String; 2],
    token: String,
}

/// A token that nobody can guess: 192 bits of the system's randomness.
#[must_use]
pub fn new_token() -> String {
    let mut bytes = [0_u8; 24];
    rand::rng().fill(&mut bytes[..]);
    URL_SAFE_NO_PAD.encode(bytes)
}

impl Guard {
    /// The guard of the server at this address.
    #[must_use]
    pub fn new(address: SocketAddr, token: &str) -> Self {
        let port = address.port();
        Self { hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")], token: token.into() }
    }

    /// Why a request is refused, if it is.
    ///
    /// # Errors
    /// The status and a sentence for whoever sent it.
    pub fn admit(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), (StatusCode, &'static str)> {
        let forbidden = |reason| Err((StatusCode::FORBIDDEN, reason));
        let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let is_host = |host: &str| self.hosts.iter().any(|own| own == host);
        if !text("host").is_some_and(is_host) {
            return forbidden("the host of the request is not this server");
        }
        if let Some(origin) = text("origin")
            && !origin.strip_prefix("http://").is_some_and(is_host)
        {
            return forbidden("the request comes from another page");
        }
        if let Some(site) = text("sec-fetch-site")
            && !matches!(site, "same-origin" | "none")
        {
            return forbidden("the request comes from another page");
        }
        let in_query = uri.query().and_then(|query| query.split('&').find_map(|part| part.strip_prefix("token=")));
        match text(HEADER).or(in_query) {
            Some(token) if is_same(token, &self.token) => Ok(()),
            Some(_) => {
                Err((StatusCode::UNAUTHORIZED, "the token is wrong; use the address that `lariat serve` printed"))
            }
            None => {
                Err((StatusCode::UNAUTHORIZED, "the token is missing; use the address that `lariat serve` printed"))
            }
        }
    }
}

/// Compares two texts in a time that does not tell where they differ.
fn is_same(one: &str, two: &str) -> bool {
    let difference = one.bytes().zip(two.bytes()).fold(0, |sum, (one, two)| sum | (one ^ two));
    one.len() == two.len() && difference == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(headers: &[(&'static str, &str)], uri: &str) -> u16 {
        let guard = Guard::new("127.0.0.1:4000".parse().expect("an address"), "secret");
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, value.parse().expect("a value"));
        }
        guard.admit(&map, &uri.parse().expect("a path")).map_or_else(|(status, _)| status.as_u16(), |()| 200)
    }

    #[test]
    fn only_the_own_page_with_the_token_is_answered() {
        let host = ("host", "127.0.0.1:4000");
        assert_eq!(answer(&[host], "/?token=secret"), 200);
        assert_eq!(answer(&[("host", "localhost:4000"), (HEADER, "secret")], "/api/files"), 200);
        assert_eq!(answer(&[host, ("origin", "http://127.0.0.1:4000"), (HEADER, "secret")], "/"), 200);
        assert_eq!(answer(&[host], "/"), 401);
        assert_eq!(answer(&[host], "/?token=secre"), 401);
        assert_eq!(answer(&[host], "/?token=secretx"), 401);
        assert_eq!(answer(&[host, (HEADER, "wrong")], "/?token=secret"), 401);
        assert_eq!(answer(&[("host", "evil.example:4000")], "/?token=secret"), 403);
        assert_eq!(answer(&[("host", "127.0.0.1:4001")], "/?token=secret"), 403);
        assert_eq!(answer(&[], "/?token=secret"), 403);
        assert_eq!(answer(&[host, ("origin", "http://evil.example")], "/?token=secret"), 403);
        assert_eq!(answer(&[host, ("origin", "null")], "/?token=secret"), 403);
        assert_eq!(answer(&[host, ("sec-fetch-site", "cross-site")], "/?token=secret"), 403);
    }

    #[test]
    fn tokens_are_long_and_differ() {
        let (one, two) = (new_token(), new_token());
        assert!(one.len() >= 32 && one != two);
    }
}
