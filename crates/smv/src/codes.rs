//! The stable codes of everything that can be wrong with an SMV text, each with one sentence for the documents.
//!
//! `docs/diagnostics-smv.md` lists the same codes; a test compares the two. The codes of mistakes that only show when
//! the values of expressions are computed come from [`flat::codes`].

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:expr => $meaning:literal;)*) => {
        $(#[doc = $meaning] pub const $name: &str = $code;)*
        /// All codes with their meaning, in order.
        pub const ALL: &[(&str, &str)] = &[$(($code, $meaning),)*];
    };
}

codes! {
    UNKNOWN_CHARACTER = "S0001" => "A character that is not part of the language";
    OPEN_COMMENT = "S0002" => "A comment that begins with `/--` and never ends";
    NOT_A_TEXT = "S0003" => "Something that is not a text";
    UNEXPECTED = "S0101" => "Something else was expected here";
    UNCLOSED = "S0102" => "A bracket, `case` or list that is never closed";
    FOREIGN_OPERATOR = "S0103" => "An operator, a comment or a preprocessor line of another language";
    TOO_DEEP = "S0104" => "An expression nested too deeply";
    BAD_NUMBER = "S0105" => "A number or word constant that cannot be represented";
    UNSUPPORTED = "S0106" => "A construct that Lariat refuses";
    MIXED_LOGICS = "S0107" => "Branching and linear time operators in one formula";
    TEMPORAL_OUTSIDE_PROPERTY = "S0108" => "A temporal operator outside a property";
    NO_MAIN = "S0201" => "There is no module `main`";
    DUPLICATE_MODULE = "S0202" => "Two modules of one name";
    UNKNOWN_MODULE = "S0203" => "A module that is not defined";
    WRONG_ARGUMENT_COUNT = "S0204" => "An instance with too few or too many arguments";
    RECURSIVE_MODULE = "S0205" => "A module that contains an instance of itself";
    TOO_MANY_INSTANCES = "S0206" => "More instances or variables than Lariat can handle";
    DUPLICATE_NAME = "S0207" => "Two declarations of one name";
    UNKNOWN_NAME = "S0208" => "A name that is not declared";
    NOT_A_VALUE = "S0209" => "An instance or array used as a value";
    NOT_AN_INSTANCE = "S0210" => "A `.` after something that has no parts";
    NOT_ASSIGNABLE = "S0211" => "An assignment to something that cannot be assigned";
    CIRCULAR_DEFINITION = "S0212" => "A definition that depends on itself";
    DOUBLE_ASSIGNMENT = "S0213" => "A variable assigned twice";
    CIRCULAR_ASSIGNMENT = "S0214" => "An assignment whose value depends on itself at the same moment";
    NOT_CONSTANT = "S0301" => "A constant is needed here";
    EMPTY_RANGE = "S0302" => "A range or enumeration without values";
    TYPE_MISMATCH = "S0303" => "An operand of the wrong type";
    INCOMPATIBLE_TYPES = "S0304" => "Operands whose types do not fit each other";
    BAD_WIDTH = "S0305" => "A word width that is not allowed";
    OUT_OF_BOUNDS = "S0306" => "A constant index or bit outside the bounds";
    NEXT_NOT_ALLOWED = "S0307" => "`next` where only the present may be mentioned";
    NESTED_NEXT = "S0308" => "`next` inside `next`";
    INPUT_NOT_ALLOWED = "S0309" => "An input variable where only the state may be mentioned";
    SET_NOT_ALLOWED = "S0310" => "A set where one value is needed";
    OVERFLOW = "S0311" => "Numbers too large to compute with";
    VALUE_OUT_OF_RANGE = flat::codes::VALUE_OUT_OF_RANGE => "An assignment that can leave the variable's type";
    INCOMPLETE_CASE = flat::codes::INCOMPLETE_CASE => "An expression without a value: no branch of a `case` applies, or an index is out of bounds, or a division by zero";
    TOO_MANY_BITS = flat::codes::TOO_MANY_BITS => "More bits than decision diagrams can have";
    BAD_ORDER_FILE = "S0501" => "An order file that does not fit the model";
    SHADOWED_CONSTANT = "S0901" => "A declaration hides a constant of the same name";
    IGNORED_DUPLICATE = "S0902" => "A value listed twice";
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn codes_are_distinct_ordered_and_documented() {
        let document = include_str!("../../../docs/diagnostics-smv.md");
        for pair in ALL.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{} is not below {}", pair[0].0, pair[1].0);
        }
        let rows: Vec<String> = ALL.iter().map(|(code, meaning)| format!("| `{code}` | {meaning} |")).collect();
        let found: Vec<&str> = document.lines().filter(|line| line.starts_with("| `S")).collect();
        assert_eq!(found, rows, "docs/diagnostics-smv.md and codes.rs differ");
    }
}
