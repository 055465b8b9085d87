//! From a macro's body and arguments to the text of one use: `#`, `##` and plain parameters.

use super::{Macro, Preprocessor};
use crate::codes;
use crate::lex::{Token, TokenKind, lex};
use kernel::diagnostic::Diagnostic;
use kernel::span::{ExpansionId, Span};

impl Preprocessor<'_> {
    /// The body with its parameters replaced. Tokens of the body are marked as coming through `via`;
    /// tokens of arguments keep the place they were written at.
    pub(super) fn substitute(
        &mut self,
        definition: &Macro,
        arguments: &[Vec<Token>],
        via: ExpansionId,
        depth: usize,
    ) -> Vec<Token> {
        let body = &definition.body;
        let parameter = |token: &Token| match &definition.parameters {
            Some(names) if token.kind == TokenKind::Word => names.iter().position(|name| *name == token.text),
            _ => None,
        };
        let function_like = definition.parameters.is_some();
        let mut expanded: Vec<Option<Vec<Token>>> = vec![None; arguments.len()];
        let mut made: Vec<Token> = Vec::new();
        // The `##` that waits for its right side, and whether its left side has left a token.
        let mut paste: Option<Span> = None;
        let mut has_left = false;
        let mut at = 0;
        while at < body.len() {
            let token = &body[at];
            at += 1;
            if token.is("##") && at > 1 && at < body.len() {
                paste = Some(Span { via: Some(via), ..token.span });
                continue;
            }
            let mut piece = if function_like && token.is("#") && body.get(at).and_then(parameter).is_some() {
                let index = body.get(at).and_then(parameter).expect("just seen");
                at += 1;
                vec![self.stringify(&arguments[index], token, via)]
            } else if let Some(index) = parameter(token) {
                let raw = paste.is_some() || body.get(at).is_some_and(|next| next.is("##"));
                let mut piece = if raw {
                    arguments[index].clone()
                } else {
                    expanded[index]
                        .get_or_insert_with(|| self.expand_nested(arguments[index].clone(), depth + 1))
                        .clone()
                };
                if let Some(first) = piece.first_mut() {
                    first.spaced = token.spaced;
                }
                piece
            } else {
                vec![Token { span: Span { via: Some(via), ..token.span }, ..token.clone() }]
            };
            if let Some(place) = paste.take()
                && has_left
            {
                if !piece.is_empty() {
                    let left = made.pop().expect("the left side has left a token");
                    made.extend(self.paste(&left, &piece[0], place));
                    piece.remove(0);
                }
            } else {
                has_left = !piece.is_empty();
            }
            made.append(&mut piece);
        }
        made
    }

    /// `#parameter`: the argument as a string.
    fn stringify(&mut self, argument: &[Token], hash: &Token, via: ExpansionId) -> Token {
        let mut text = String::from("\"");
        for (index, token) in argument.iter().enumerate() {
            if index > 0 && (token.spaced || token.fresh) {
                text.push(' ');
            }
            if matches!(token.kind, TokenKind::Text | TokenKind::Char) {
                text.push_str(&token.text.replace('\\', "\\\\").replace('"', "\\\""));
            } else {
                text.push_str(&token.text);
            }
        }
        text.push('"');
        let span = Span { via: Some(via), ..hash.span };
        Token { kind: TokenKind::Text, text: self.spellings.get(&text), span, ..hash.clone() }
    }

    /// `left ## right`: one token, or both with a finding.
    fn paste(&mut self, left: &Token, right: &Token, place: Span) -> Vec<Token> {
        let text = format!("{}{}", left.text, right.text);
        let (tokens, _) = lex(&text, place.file, self.spellings, self.budget);
        if let [one] = &tokens[..]
            && one.kind != TokenKind::OpenText
        {
            return vec![Token { kind: one.kind, text: one.text.clone(), painted: false, ..left.clone() }];
        }
        self.diagnostics.push(
            Diagnostic::error(codes::MACRO_PASTE, place, format!("`{text}` is not one token"))
                .here("pasted here")
                .hint("`##` joins two pieces of one name or number"),
        );
        vec![left.clone(), right.clone()]
    }
}
