//! The codes of all diagnostics about Promela text, each in one place with its one-line meaning.
//!
//! `docs/diagnostics-promela.md` lists the same table; a test compares the two.

/// Declares the constants and the table of all of them.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $meaning:literal;)*) => {
        $(#[doc = $meaning] pub const $name: &str = $code;)*

        /// Every code with its meaning, in order.
        pub const ALL: &[(&str, &str)] = &[$(($code, $meaning)),*];
    };
}

codes! {
    COMMENT_OPEN = "P0001", "a comment is not closed";
    STRING_OPEN = "P0002", "a string is not closed on its line";
    NUMBER_FORM = "P0003", "a number is followed by letters";
    CHARACTER_STRAY = "P0004", "a character has no meaning in Promela";
    NUMBER_RANGE = "P0005", "a number does not fit into 32 bits and wraps";
    COMMENT_STRAY = "P0006", "a `*/` closes no comment";
    LIMIT_TOKENS = "P0010", "macros, inlines and included files expand to more text than the limit";
    LIMIT_NESTING = "P0011", "statements or expressions are nested deeper than the limit";
    LIMIT_SIZE = "P0012", "an array, a channel or a message is larger than the limit";
    LIMIT_FINDINGS = "P0013", "there are more errors or warnings than are told";

    DIRECTIVE_UNKNOWN = "P0101", "a preprocessor directive is not known";
    DIRECTIVE_FORM = "P0102", "a preprocessor directive is malformed";
    CONDITIONAL_OPEN = "P0103", "an `#if` has no `#endif`";
    CONDITIONAL_STRAY = "P0104", "an `#else`, `#elif` or `#endif` belongs to no `#if`";
    CONDITION_FORM = "P0105", "the expression of an `#if` is malformed";
    INCLUDE_FAILED = "P0106", "an included file cannot be read";
    INCLUDE_RING = "P0107", "files include each other without end";
    MACRO_ARGUMENTS = "P0108", "a macro is used with the wrong number of arguments";
    MACRO_OPEN = "P0109", "the argument list of a macro is not closed";
    MACRO_REDEFINED = "P0110", "a macro is defined again with another body";
    MACRO_PASTE = "P0111", "`##` makes something that is not one token";
    USER_ERROR = "P0112", "an `#error` directive";
    USER_WARNING = "P0113", "a `#warning` directive";
    MACRO_NESTING = "P0114", "macro arguments are nested deeper than the limit";

    SYNTAX = "P0201", "something else is expected here";
    SEPARATOR_MISSING = "P0202", "two statements are not separated";
    CLOSE_MISSING = "P0203", "a closing `fi`, `od`, `}`, `)` or `]` is missing";
    CLOSE_STRAY = "P0204", "a closing word or bracket closes nothing";
    EMBEDDED_C = "P0205", "embedded C is not supported";
    SEQUENCE_EMPTY = "P0206", "a body or option has no statement";
    KEYWORD_AS_NAME = "P0207", "a keyword is used as a name";
    OPTION_STRAY = "P0208", "a `::` outside of `if` and `do`";
    ARGUMENT_FORM = "P0209", "an argument of a receive is neither variable, constant nor `eval`";
    INLINE_ARGUMENTS = "P0210", "an inline is called with the wrong number of arguments";
    INLINE_RECURSIVE = "P0211", "an inline calls itself";
    INLINE_MISPLACED = "P0212", "an inline is used inside an expression";
    RETURN_MISPLACED = "P0213", "a `return` stands outside of an inline whose value is assigned";
    EXPRESSION_EXPECTED = "P0214", "an expression is expected here";
    ASSIGNMENT_TARGET = "P0215", "the target of an assignment or channel operation is not a variable";
    LTL_FORM = "P0216", "a temporal operator stands where it has no meaning";

    UNDECLARED = "P0301", "a name is not declared";
    REDECLARED = "P0302", "a name is declared twice";
    PROCTYPE_UNKNOWN = "P0303", "a proctype is not defined";
    TYPE_UNKNOWN = "P0304", "a type is not defined";
    FIELD_UNKNOWN = "P0305", "a record has no such field";
    LABEL_UNKNOWN = "P0306", "a label does not exist";
    LABEL_REDECLARED = "P0307", "a label stands twice in one process definition";
    INLINE_UNKNOWN = "P0308", "a call names no inline and no macro";
    MTYPE_UNKNOWN = "P0309", "an mtype set is not declared";
    WRONG_KIND = "P0310", "a name stands for another kind of thing";

    NOT_CONSTANT = "P0401", "a constant is required here";
    SIZE_INVALID = "P0402", "an array size, capacity or bit width is out of range";
    NOT_A_CHANNEL = "P0403", "a channel is required here";
    MESSAGE_FIELDS = "P0404", "a message has the wrong number of fields";
    RUN_ARGUMENTS = "P0405", "`run` has the wrong number of arguments";
    NOT_AN_ARRAY = "P0406", "an index on something that is not an array";
    NOT_A_RECORD = "P0407", "a field of something that is not a record";
    RECORD_AS_VALUE = "P0408", "a record or array stands where one value is required";
    INITIALISER_INVALID = "P0409", "an initialiser does not fit the declaration";
    CHANNEL_MISPLACED = "P0410", "a channel is created elsewhere than at the start of a process definition";
    PARAMETER_INVALID = "P0411", "a parameter has a form that cannot be passed";
    READ_ONLY = "P0412", "a predefined variable or constant is assigned";
    RECORD_RECURSIVE = "P0413", "a record contains itself";
    SCRATCH_READ = "P0414", "`_` is read";
    PRIORITY_RANGE = "P0415", "a priority is not between 1 and 255";
    RANGE_EMPTY = "P0416", "the range of a `select` or `for` is empty";
    RUN_MISPLACED = "P0417", "`run` stands where processes cannot be created";
    FORMULA_EFFECT = "P0418", "a condition of a property would change the state";
    ARRAY_AS_SCALAR = "P0419", "an array is used without an index";
    MTYPE_MISMATCH = "P0420", "a symbol of another mtype set is assigned";
    MTYPE_SIZE = "P0421", "an mtype set has more than 255 symbols";

    ELSE_MISPLACED = "P0501", "`else` is not the first statement of an option";
    ELSE_TWICE = "P0502", "a second `else` in one `if` or `do`";
    BREAK_MISPLACED = "P0503", "`break` outside of `do`";
    GOTO_INTO_D_STEP = "P0504", "a jump into a `d_step`";
    GOTO_OUT_OF_D_STEP = "P0505", "a jump out of a `d_step`";
    LABEL_MISPLACED = "P0506", "a label stands where none can";
    CLAIM_STATEMENT = "P0507", "a statement that a claim cannot have";
    GOTO_LOOP = "P0508", "jumps lead in a circle without a statement";
    INITIALISER_FAILS = "P0509", "an initialiser of the initial state meets a run-time error";

    TRUNCATION = "P0601", "a constant does not fit the variable it is assigned to";
    UNREACHABLE = "P0602", "a statement can never be reached";
    UNUSED = "P0603", "a variable is never used";
    ELSE_BESIDE_CHANNEL = "P0604", "an `else` beside a channel operation";
    D_STEP_MAY_BLOCK = "P0605", "a statement that can block inside a `d_step`";
    SHADOWED = "P0606", "a declaration hides another of the same name";
    LINE_SPLIT = "P0607", "a line break ends a statement that seems to go on";
    LTL_PRECEDENCE = "P0608", "a temporal operator reaches further here than in SPIN";
    INDEX_RANGE = "P0609", "a constant index is outside of its array";
    FORMAT = "P0610", "the text of a `printf` and its values do not fit";
    NO_PROCESS = "P0611", "no process runs";
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn codes_are_unique_and_in_order() {
        for pair in ALL.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{} before {}", pair[0].0, pair[1].0);
        }
    }
}
