//! One page that needs nothing from elsewhere: its style, its script, and a policy that allows no others.

use crate::markup::text;
use crate::{chart, drawing};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("document/page.css");
const SCRIPT: &str = include_str!("document/page.js");

/// The style sheet of all pages.
#[must_use]
pub fn style() -> String {
    [STYLE, chart::RULES, drawing::RULES].concat()
}

/// The script of reports: the cursor.
#[must_use]
pub fn script() -> &'static str {
    SCRIPT
}

/// The hash of a script or style, as a Content-Security-Policy names it.
fn hash(content: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(content.as_bytes())))
}

/// A page with a title and a body. The body consists of markup that this crate made.
#[must_use]
pub fn page(title: &str, body: &str) -> String {
    let (style, title) = (style(), text(title));
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        hash(SCRIPT),
        hash(&style)
    );
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"Lariat {}\">\n<title>{title}</title>\n<style>{style}</style>\n</head>\n\
         <body>\n{body}\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION")
    )
}
