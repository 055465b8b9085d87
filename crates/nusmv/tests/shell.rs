//! Sessions on models that Lariat ships, and on small ones written here: commands, layouts, errors, exit codes.

mod common;

use common::{Folder, Session};
use expect_test::expect;

/// A counter with an input, a frozen variable, a word, definitions and one property of each kind.
const COUNTER: &str = "MODULE main
IVAR up : boolean;
FROZENVAR most : 2..3;
VAR n : 0..4; w : unsigned word[2];
DEFINE small := n < 2; even := n mod 2 = 0; moves := up & n < most;
ASSIGN
  init(n) := 0; next(n) := up & n < most ? n + 1 : n;
  init(w) := 0ud2_0; next(w) := w;
CTLSPEC NAME reach := EF n = 3
CTLSPEC AG n < 2
LTLSPEC NAME eventually := F n = 2
INVARSPEC NAME low := n <= 3
COMPUTE MIN [n = 0, n = 2]
";

#[test]
fn properties_are_listed_kind_by_kind_with_their_answers() {
    let folder = Folder::new(&[("m.smv", COUNTER)]);
    let found = folder.interactive("m.smv", "go\ncheck_invar\ncheck_compute\nshow_property\nquit\n");
    expect![[r#"
        NuSMV > NuSMV > -- invariant n <= 3  is true
        NuSMV > -- the result of MIN [ n = 0 , n = 2 ]  is 2
        NuSMV > **** PROPERTY LIST [ Type, Status, Counter-example Number, Name ] ****
        --------------------------  PROPERTY LIST  -------------------------
        000 :EF n = 3 
          [CTL            Unchecked      N/A    reach]
        001 :AG n < 2 
          [CTL            Unchecked      N/A    N/A]
        002 :MIN [ n = 0 , n = 2 ]  
          [Quantitative   2              N/A    N/A]
        003 : F n = 2 
          [LTL            Unchecked      N/A    eventually]
        004 :n <= 3 
          [Invar          True           N/A    low]
        NuSMV > "#]]
    .assert_eq(&found.printed());
    assert_eq!((found.errors.as_str(), found.exit), ("", 0));
}

#[test]
fn a_constraint_on_states_has_neither_next_nor_inputs() {
    let folder = Folder::new(&[("m.smv", COUNTER)]);
    let script = "go\npick_state -c \"up\"\npick_state -c \"next(n) = 1\"\npick_state -c \"moves\"\npick_state -c \"small\"\n\
                  simulate -k 1 -c \"next(n) = 1\"\nsimulate -k 1 -t \"next(n) = 1 & up\"\nquit\n";
    let found = folder.interactive("m.smv", script);
    let refused = "The constraint is about a state: it has neither \"next\" nor input variables.";
    assert_eq!(found.errors.matches(refused).count(), 4, "{}", found.errors);
    assert_eq!(found.errors.lines().count(), 4, "{}", found.errors);
}

#[test]
fn a_counterexample_shows_inputs_frozen_variables_and_definitions() {
    let folder = Folder::new(&[("m.smv", COUNTER)]);
    let found = folder.interactive("m.smv", "go\ncheck_ctlspec -n 1\nquit\n");
    expect![[r#"
        NuSMV > NuSMV > -- specification AG n < 2  is false
        -- as demonstrated by the following execution sequence
        Trace Description: CTL Counterexample 
        Trace Type: Counterexample 
          -> State: 1.1 <-
            most = 2
            n = 0
            w = 0ud2_0
            even = TRUE
            small = TRUE
            moves = TRUE
          -> Input: 1.2 <-
            up = TRUE
          -> State: 1.2 <-
            n = 1
            even = FALSE
          -> Input: 1.3 <-
          -> State: 1.3 <-
            n = 2
            even = TRUE
            small = FALSE
        NuSMV > "#]]
    .assert_eq(&found.printed());
}

#[test]
fn every_layout_of_traces_is_printed() {
    let folder = Folder::new(&[("m.smv", COUNTER)]);
    let script = "set traces_show_defines 0\ngo\ncheck_ctlspec -n 1\nshow_traces -p 2\nshow_traces -p 3\nshow_traces -p 4\n\
                  show_traces -p 5\nshow_traces 1.2:3\nquit\n";
    let found = folder.interactive("m.smv", script).printed();
    let from = found.find("NuSMV >     <!--").expect("the second listing");
    expect![[r#"
        NuSMV >     <!-- ################### Trace number: 1 ################### -->
        Name	most	n	w	up	
        S1	2	0	0ud2_0	-	
        C2	-	-	-	-	
        I2	-	-	-	TRUE	
        S2	2	1	0ud2_0	-	
        C3	-	-	-	-	
        I3	-	-	-	TRUE	
        S3	2	2	0ud2_0	-	
        NuSMV >     <!-- ################### Trace number: 1 ################### -->
        Step	S1	C2	I2	S2	C3	I3	S3	
        most	2	-	-	2	-	-	2
        n	0	-	-	1	-	-	2
        w	0ud2_0	-	-	0ud2_0	-	-	0ud2_0
        up	-	-	TRUE	-	-	TRUE	-
        NuSMV > <?xml version="1.0" encoding="UTF-8"?>
        <counter-example type="0" desc="CTL Counterexample" >
        	<node>
        		<state id="1">
        			<value variable="most">2</value>
        			<value variable="n">0</value>
        			<value variable="w">0ud2_0</value>
        		</state>
        		<input id="2">
        			<value variable="up">TRUE</value>
        		</input>
        	</node>
        	<node>
        		<state id="2">
        			<value variable="most">2</value>
        			<value variable="n">1</value>
        			<value variable="w">0ud2_0</value>
        		</state>
        		<input id="3">
        			<value variable="up">TRUE</value>
        		</input>
        	</node>
        	<node>
        		<state id="3">
        			<value variable="most">2</value>
        			<value variable="n">2</value>
        			<value variable="w">0ud2_0</value>
        		</state>
        	</node>
        	<loops> </loops>
        </counter-example>
        NuSMV >     <!-- ################### Trace number: 1 ################### -->
        Steps\Vars	up	most	n	w	
        Step1	-	2	0	0ud2_0	
        Step2	TRUE	2	1	0ud2_0	
        Step3	TRUE	2	2	0ud2_0	
        NuSMV >     <!-- ################### Trace number: 1 ################### -->
        Trace Description: CTL Counterexample 
        Trace Type: Counterexample 
          -> Input: 1.2 <-
            up = TRUE
          -> State: 1.2 <-
            most = 2
            n = 1
            w = 0ud2_0
          -> Input: 1.3 <-
          -> State: 1.3 <-
            n = 2
        NuSMV > "#]]
    .assert_eq(&found[from..]);
}

#[test]
fn states_are_offered_with_the_inputs_that_lead_to_them() {
    let folder = Folder::new(&[("m.smv", COUNTER)]);
    let script =
        "go\npick_state -i -c \"most = 2\"\n\nset traces_show_defines 0\nsimulate -i -k 1\n7\n0\nshow_traces\nquit\n";
    expect![[r#"
        NuSMV > NuSMV > 
        ***************  AVAILABLE STATES  *************
          
          ================= State =================
          0) -------------------------
          even = TRUE
          small = TRUE
          most = 2
          n = 0
          w = 0ud2_0
          

        There's only one available state. Press Return to Proceed.
        Chosen state is: 0
        NuSMV > NuSMV > ********  Simulation Starting From State 1.1   ********

        ***************  AVAILABLE STATES  *************
          
          ================= State =================
          even = FALSE
          small = TRUE
          most = 2
          n = 1
          w = 0ud2_0
          
          This state is reachable through:
          0) -------------------------
            up = TRUE
          
          
          ================= State =================
          even = TRUE
          n = 0
          
          This state is reachable through:
          1) -------------------------
            up = FALSE
          

        Choose a state from the above (0-1): Choose a state from the above (0-1): 
        Chosen state is: 0
        NuSMV >     <!-- ################### Trace number: 1 ################### -->
        Trace Description: Simulation Trace 
        Trace Type: Simulation 
          -> State: 1.1 <-
            most = 2
            n = 0
            w = 0ud2_0
          -> Input: 1.2 <-
            up = TRUE
          -> State: 1.2 <-
            n = 1
        NuSMV > "#]]
    .assert_eq(&folder.interactive("m.smv", script).printed());
}

#[test]
fn commands_demand_the_steps_before_them() {
    let folder = Folder::new(&[("m.smv", COUNTER)]);
    let script = "check_ctlspec\nread_model\nshow_vars\nflatten_hierarchy\ncheck_ltlspec\nencode_variables\ncheck_invar\n\
                  check_ltlspec_bmc\nbuild_model\nbuild_model\nread_model\nsimulate\nquit\n";
    expect![[r#"
        A model must be read before. Use the "read_model" command.
        The hierarchy must be flattened before. Use the "flatten_hierarchy" command.
        The variables must be built before. Use the "encode_variables" command.
        A model must be built before. Use the "build_model" command.
        The boolean model must be built before.
        (Use the command "build_boolean_model")
        A model appears to be already built from file: m.smv.
        A model appears to be already read from file: m.smv.
        No current state set. Use the "pick_state" command.
    "#]]
    .assert_eq(&folder.interactive("m.smv", script).errors);
}

#[test]
fn mistakes_are_reported_in_the_words_of_nusmv() {
    let folder =
        Folder::new(&[("m.smv", COUNTER), ("bad.smv", "MODULE main\nVAR x : boolean;\nASSIGN next(x) := ;\n")]);
    let script = "go\ncheck_ctlspec -p \"AG m = 1\"\ncheck_ctlspec -p \"AG (n\"\ncheck_ltlspec -p \"AG n = 1\"\nfoo\n\
                  print_formula\ncheck_ctlspec -n 4\ncheck_ctlspec -n 9\ncheck_ctlspec -P none\nquit\n";
    expect![[r#"

        TYPE ERROR file m.smv: line 8 : undefined identifier 'm'
        ERROR: Property "AG m = 1 " is not correct or not well typed.

        file <command-line>: line 8: at token ";": syntax error
        Parsing error: expected an "CTL" expression.

        file <command-line>: line 8: : unexpected CTL operator
        Parsing error: expected an "LTL" expression.
        unknown command 'foo'
        unsupported command 'print_formula'
        Error: specified property type is Invar, but type CTL was expected.
        Error: property index "9" is not valid (must be in the range [0,4]).
        No property named "none"
    "#]]
    .assert_eq(&folder.interactive("m.smv", script).errors);
    let batch = folder.run(&["bad.smv"], "");
    let expected = "\nfile bad.smv: line 3: at token \";\": syntax error\n\n\nfile bad.smv: line 3: Parser error\n\n\
                    NuSMV terminated by a signal\n\nAborting batch mode\n";
    assert_eq!((batch.errors.as_str(), batch.exit), (expected, 1));
    assert_eq!(folder.run(&["-foo"], "").exit, 255);
}

#[test]
fn a_script_that_fails_is_aborted_and_the_prompt_follows() {
    let folder = Folder::new(&[("m.smv", COUNTER), ("s", "echo one\nno_such\necho two\n")]);
    let found = folder.run(&["-source", "s", "m.smv"], "echo three\nquit\n");
    assert_eq!(found.printed(), "one \nNuSMV > three \nNuSMV > ");
    assert_eq!((found.errors.as_str(), found.exit), ("unknown command 'no_such'\naborting 'source s'\n", 0));
    let quitting = folder.run(&["-source", "s2", "m.smv"], "");
    assert!(quitting.errors.starts_with("File 's2': "), "{}", quitting.errors);
    assert_eq!(quitting.errors.matches("Use \"quit\" to leave NuSMV.").count(), 5);
    assert_eq!(quitting.printed().matches("NuSMV > ").count(), 6);
}

#[test]
fn bounds_are_refuted_one_by_one_and_induction_is_tried() {
    let folder = Folder::new(&[("m.smv", COUNTER)]);
    let script = "go_bmc\nset counter_examples 0\ncheck_ltlspec_bmc -p \"G n < 2\" -k 4\n\
                  check_ltlspec_bmc_inc -p \"F n = 2\" -k 0\ncheck_invar_bmc\ncheck_invar_bmc -p \"n < 2\"\n\
                  check_invar_bmc -a een-sorensson -k 4 -p \"n < 2\"\ncheck_invar_bmc -a een-sorensson -p \"n <= 3\"\nquit\n";
    expect![[r#"
        NuSMV > NuSMV > NuSMV > -- no counterexample found with bound 0
        -- no counterexample found with bound 1
        -- specification  G n < 2    is false
        NuSMV > -- no counterexample found with bound 0
        NuSMV > -- invariant n <= 3   is true
        NuSMV > -- cannot prove the invariant n < 2  is true or false : the induction fails
        NuSMV > -- no proof or counterexample found with bound 0
        -- no proof or counterexample found with bound 1
        -- invariant n < 2   is false
        NuSMV > -- no proof or counterexample found with bound 0
        -- invariant n <= 3   is true
        NuSMV > "#]]
    .assert_eq(&folder.interactive("m.smv", script).printed());
}

/// A product of which no decision diagram can be built.
#[test]
fn bounded_checks_of_invariants_hold_for_models_of_any_size() {
    let model = "MODULE main VAR a : unsigned word[32]; b : unsigned word[32]; product : unsigned word[32];
        ASSIGN init(product) := 0ud32_0; next(product) := a * b; INVARSPEC product != 0ud32_3000000021";
    let folder = Folder::new(&[("m.smv", model)]);
    let script = "go_bmc\nset counter_examples 0\ncheck_invar_bmc\ncheck_invar_bmc -a falsification -k 2\nquit\n";
    expect![[r#"
        NuSMV > NuSMV > NuSMV > -- cannot prove the invariant product != 0ud32_3000000021  is true or false : the induction fails
        NuSMV > -- no counterexample found with bound 0
        -- invariant product != 0ud32_3000000021   is false
        NuSMV > "#]]
    .assert_eq(&folder.interactive("m.smv", script).printed());
}

#[test]
fn reachable_states_are_counted_and_listed_in_the_order_of_nusmv() {
    let model = "MODULE main VAR x : 0..4; b : boolean; INIT x = 0 TRANS next(x) = (x + 1) mod 5 & next(b) = b";
    let folder = Folder::new(&[("m.smv", model)]);
    let script = "go\ncompute_reachable -k 1\nprint_reachable_states\ncheck_fsm\nprint_reachable_states -v\nquit\n";
    let found = folder.interactive("m.smv", script);
    let printed = found.printed();
    let sums = "system diameter: 5\nreachable states: 10 (2^3.32193) out of 10 (2^3.32193)\n";
    assert!(printed.contains(sums), "{printed}");
    assert!(printed.contains("The transition relation is total: No deadlock state exists\n"));
    let listed: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix("  x = ")).collect();
    // Open bits from true to false, the topmost fastest: 4, 0 with b, then without; 2; 3, 1.
    assert_eq!(listed, ["4", "0", "4", "0", "2", "2", "3", "1", "3", "1"]);
    let counted =
        "The computation of reachable states has not been completed yet.\nThe number of performed steps is 2.\n";
    assert_eq!(found.errors, counted);
}

#[test]
fn deadlocks_are_shown() {
    let model = "MODULE main VAR x : 0..3; INIT x = 0 TRANS x < 2 & next(x) = x + 1";
    let folder = Folder::new(&[("m.smv", model)]);
    let printed = folder.interactive("m.smv", "go\ncheck_fsm\npick_state\nsimulate -k 9\nquit\n");
    expect![[r#"
        NuSMV > NuSMV > 
        ##########################################################
        The transition relation is not total. A state without
        successors is:
        x = 2
        The transition relation is not deadlock-free.
        A deadlock state is:
        x = 2
        ##########################################################
        NuSMV > NuSMV > ********  Simulation Starting From State 1.1   ********
        NuSMV > "#]]
    .assert_eq(&printed.printed());
    assert_eq!(printed.errors, "No future state exists.Simulation stopped at step 3.\n");
}

#[test]
fn options_of_a_batch_run_select_and_add() {
    let folder = Folder::new(&[("m.smv", COUNTER)]);
    let lines = |found: &Session| found.printed().lines().filter(|line| line.starts_with("-- ")).count();
    assert_eq!(lines(&folder.run(&["-dcx", "m.smv"], "")), 5);
    assert_eq!(lines(&folder.run(&["-dcx", "-is", "-ic", "m.smv"], "")), 2);
    assert_eq!(lines(&folder.run(&["-dcx", "-ils", "-ii", "-n", "0", "m.smv"], "")), 1);
    let reachable = folder.run(&["-dcx", "-r", "m.smv"], "").printed();
    assert!(
        reachable.ends_with("system diameter: 4\nreachable states: 7 (2^2.80735) out of 40 (2^5.32193)\n"),
        "{reachable}"
    );
    let ordered = folder.run(&["-dcx", "-coi", "-dynamic", "-o", "order", "m.smv"], "");
    assert_eq!((ordered.exit, folder.read("order").lines().count()), (0, 7));
    assert_eq!(folder.run(&["-dcx", "-i", "order", "m.smv"], "").exit, 0);
    let listed = folder.run(&["-lp", "m.smv"], "").printed();
    assert_eq!(listed.matches("Unchecked").count(), 5);
}

#[test]
fn a_limit_ends_a_command_and_is_named() {
    let folder = Folder::new(&[("m.smv", COUNTER)]);
    let found = folder.limited(&["-int", "m.smv"], "go\ncheck_ctlspec\nquit\n", 50);
    assert!(found.errors.contains("time"), "{}", found.errors);
    assert_eq!(found.exit, 0);
}
