//! What a name or a path means in an instance.
//!
//! Contract: first the instance's own names (variables, definitions, parts, parameters, `running`), then symbolic
//! constants. A parameter means what the expression given for it means where it was given. Unknown names are reported
//! once for each place in the text, with the nearest name in scope.

use kernel::diagnostic::Diagnostic;

use super::{Entity, Flattener, InstanceId};
use crate::ast::{DEPTH_LIMIT, Expr, ExprId};
use crate::codes;
use kernel::near::nearest;

impl Flattener<'_> {
    /// What a path stands for. An expression that is no path stands for itself.
    pub(super) fn entity(&mut self, path: ExprId, instance: InstanceId) -> Entity {
        self.following += 1;
        let entity = if self.following > DEPTH_LIMIT + DEPTH_LIMIT / 4 {
            let message = "this parameter stands for itself, or nests too deeply";
            self.report_once(Diagnostic::error(codes::CIRCULAR_DEFINITION, self.tree.span(path), message).here("here"));
            Entity::Wrong
        } else {
            self.new_entity(path, instance)
        };
        self.following -= 1;
        entity
    }

    fn new_entity(&mut self, path: ExprId, instance: InstanceId) -> Entity {
        match self.tree.get(path).clone() {
            Expr::SelfName => Entity::Instance(instance),
            Expr::Name(name) => self.named(&name, path, instance),
            Expr::Dot(owner, name) => {
                let owner_entity = self.entity(owner, instance);
                self.part(owner_entity, &name, path)
            }
            Expr::Index(array, index) => match self.entity(array, instance) {
                Entity::Array(low, elements) => self.element(low, &elements, index, path, instance),
                Entity::Wrong => Entity::Wrong,
                _ => Entity::Parameter(path, instance),
            },
            Expr::List(elements) => {
                Entity::Array(0, elements.into_iter().map(|element| Entity::Parameter(element, instance)).collect())
            }
            _ => Entity::Parameter(path, instance),
        }
    }

    fn named(&mut self, name: &str, at: ExprId, instance: InstanceId) -> Entity {
        if let Some((entity, _)) = self.instance(instance).names.get(name) {
            return self.follow(entity.clone());
        }
        if name == "running" {
            return Entity::Running(self.instance(instance).process);
        }
        if let Some((symbol, _)) = self.symbols.get(name) {
            return Entity::Constant(*symbol);
        }
        self.unknown(name, at, instance, "");
        Entity::Wrong
    }

    /// Parameters mean what their expressions mean where these stand.
    pub(super) fn follow(&mut self, entity: Entity) -> Entity {
        match entity {
            Entity::Parameter(argument, owner) => match self.tree.get(argument) {
                Expr::Name(_) | Expr::Dot(..) | Expr::SelfName | Expr::Index(..) | Expr::List(_) => {
                    self.entity(argument, owner)
                }
                _ => Entity::Parameter(argument, owner),
            },
            other => other,
        }
    }

    fn part(&mut self, owner: Entity, name: &str, at: ExprId) -> Entity {
        match owner {
            Entity::Instance(owner) => {
                if let Some((entity, _)) = self.instance(owner).names.get(name) {
                    return self.follow(entity.clone());
                }
                if name == "running" {
                    return Entity::Running(self.instance(owner).process);
                }
                let path = self.instance(owner).path.clone();
                self.unknown(name, at, owner, &format!(" in `{path}`"));
                Entity::Wrong
            }
            Entity::Wrong => Entity::Wrong,
            _ => {
                let span = self.tree.span(at);
                let message = format!("`.{name}` after something that is not a module instance");
                self.report_once(Diagnostic::error(codes::NOT_AN_INSTANCE, span, message).here("has no parts"));
                Entity::Wrong
            }
        }
    }

    fn element(&mut self, low: i64, elements: &[Entity], index: ExprId, at: ExprId, instance: InstanceId) -> Entity {
        let Some(number) = self.constant_if_any(index, instance) else {
            return Entity::Parameter(at, instance);
        };
        if let Some(element) = usize::try_from(number - low).ok().and_then(|place| elements.get(place)) {
            return self.follow(element.clone());
        }
        let high = low + elements.len() as i64 - 1;
        let finding =
            Diagnostic::error(codes::OUT_OF_BOUNDS, self.tree.span(index), format!("there is no element {number}"))
                .here(format!("the array goes from {low} to {high}"));
        self.report_once(finding);
        Entity::Wrong
    }

    fn unknown(&mut self, name: &str, at: ExprId, instance: InstanceId, place: &str) {
        let mut finding = Diagnostic::error(
            codes::UNKNOWN_NAME,
            self.tree.span(at),
            format!("there is no variable, symbol or definition `{name}`{place}"),
        )
        .here("not declared");
        let mut candidates: Vec<&str> = self.instance(instance).names.keys().map(String::as_str).collect();
        candidates.sort_unstable();
        if place.is_empty() {
            candidates.extend(self.model.symbols.iter().map(String::as_str));
        }
        if matches!(name, "true" | "false") {
            finding = finding.hint(format!("truth values are written `{}`", name.to_uppercase()));
        } else if let Some((left, right)) = self.difference(name, instance) {
            finding = finding.hint(format!("a name may contain `-`; for the difference, write `{left} - {right}`"));
        } else if let Some(near) = nearest(name, candidates) {
            finding = finding.hint(format!("did you mean `{near}`?"));
        }
        self.report_once(finding);
    }

    /// The two sides of a name with a dash, if both mean something of their own.
    fn difference<'n>(&self, name: &'n str, instance: InstanceId) -> Option<(&'n str, &'n str)> {
        let is_known = |part: &str| {
            let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            is_number || self.instance(instance).names.contains_key(part)
        };
        let splits = name.match_indices('-').map(|(at, _)| (&name[..at], &name[at + 1..]));
        splits.into_iter().find(|(left, right)| is_known(left) && is_known(right))
    }

    /// One mistake in a module shows in each of its instances; it is reported once.
    pub(super) fn report_once(&mut self, finding: Diagnostic) {
        if self.reported.insert((finding.code, finding.primary.span)) {
            self.diagnostics.push(finding);
        }
    }
}
