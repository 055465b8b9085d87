//! Tests of budgets.

use super::*;

#[test]
fn limits_are_noticed() {
    let mut budget = Budget::unlimited();
    assert_eq!(budget.exhausted(u64::MAX), None);
    budget.memory = Some(10);
    assert_eq!(budget.stage().exhausted(11), Some(Exhausted::Memory));
    assert_eq!(budget.exhausted(10), None);
    budget.cancel_switch().store(true, Ordering::Relaxed);
    assert_eq!(budget.exhausted(0), Some(Exhausted::Cancelled));
    assert_eq!(Budget::unlimited().within(Duration::ZERO).check(), Err(Exhausted::Time));
}

#[test]
fn an_exhausted_limit_stays_exhausted() {
    let budget = Budget::unlimited();
    let clone = budget.clone();
    budget.exhaust(Exhausted::Memory);
    assert_eq!(clone.check(), Err(Exhausted::Memory));
}

#[test]
fn a_stage_ends_alone_but_not_without_its_parent() {
    let budget = Budget::unlimited();
    let stage = budget.stage().within(Duration::ZERO);
    assert_eq!(stage.check(), Err(Exhausted::Time));
    assert_eq!(budget.check(), Ok(()));
    let stage = budget.stage();
    budget.exhaust(Exhausted::Cancelled);
    assert_eq!(stage.exhausted(0), Some(Exhausted::Cancelled));
}

#[test]
fn a_competitor_is_stopped_alone_but_not_spared() {
    let budget = Budget::unlimited();
    let (first, second) = (budget.competitor(), budget.competitor().stage());
    first.cancel_switch().store(true, Ordering::Relaxed);
    assert_eq!(first.exhausted(0), Some(Exhausted::Cancelled));
    assert_eq!((second.exhausted(0), budget.exhausted(0)), (None, None));
    budget.cancel_switch().store(true, Ordering::Relaxed);
    assert_eq!(second.exhausted(0), Some(Exhausted::Cancelled));
}

#[test]
fn a_switch_of_its_own_stops_a_budget() {
    let (budget, switch) = (Budget::unlimited(), Arc::new(AtomicBool::new(false)));
    let stage = budget.stage().stopped_by(&switch);
    assert_eq!(stage.exhausted(0), None);
    switch.store(true, Ordering::Relaxed);
    assert_eq!((stage.exhausted(0), budget.exhausted(0)), (Some(Exhausted::Cancelled), None));
}

#[test]
fn a_meter_with_a_limit_cancels_what_it_counts() {
    let meter = Meter::default();
    let budget = Budget::unlimited().metered(&meter);
    budget.work(10);
    meter.limit(10);
    assert_eq!(budget.exhausted(0), None);
    budget.work(1);
    assert_eq!(budget.stage().exhausted(0), Some(Exhausted::Cancelled));
}

#[test]
fn a_budget_waits_while_other_work_is_finishing_but_not_beyond_its_limits() {
    let meter = Meter::default();
    let (worker, waiting) = (Budget::unlimited().metered(&meter), Budget::unlimited().yielding_to(&meter));
    let finishing = worker.finishing();
    let late = waiting.stage().within(Duration::from_millis(5));
    assert_eq!(late.check_now(0), Err(Exhausted::Time));
    std::thread::scope(|scope| {
        let checked = scope.spawn(|| waiting.check_now(0));
        std::thread::sleep(Duration::from_millis(20));
        assert!(!checked.is_finished());
        drop(finishing);
        assert_eq!(checked.join().expect("no panic"), Ok(()));
    });
}

#[test]
fn grace_outlasts_an_exhausted_budget() {
    let budget = Budget::unlimited().within(Duration::ZERO);
    assert_eq!(budget.with_grace(Duration::from_mins(1)).check(), Ok(()));
    assert_eq!(budget.check(), Err(Exhausted::Time));
    assert_eq!(budget.with_grace(Duration::from_mins(1)).check(), Ok(()));
    assert_eq!(budget.with_grace(Duration::ZERO).check(), Err(Exhausted::Time));
    let small = Budget { memory: Some(10), ..budget };
    assert_eq!(small.with_grace(Duration::from_mins(1)).check_now(11), Err(Exhausted::Memory));
    assert_eq!(Budget::unlimited().with_grace(Duration::ZERO).check(), Ok(()));
}

#[test]
fn shares_count_together_until_they_are_dropped() {
    let budget = Budget { memory: Some(100), ..Budget::unlimited() };
    let (mut one, mut other) = (budget.share(), budget.stage().share());
    one.set(60);
    other.set(50);
    other.set(40);
    assert_eq!(budget.stage().exhausted(0), None);
    assert_eq!(budget.stage().exhausted(1), Some(Exhausted::Memory));
    drop(one);
    assert_eq!(budget.stage().exhausted(60), None);
    assert_eq!(budget.stage().exhausted(61), Some(Exhausted::Memory));
}

#[test]
fn a_competitor_has_the_memory_that_the_one_beside_it_leaves() {
    let budget = Budget { memory: Some(100), ..Budget::unlimited() };
    let first = budget.competitor();
    let second = budget.competitor().beside(&first);
    let (mut of_first, mut of_second) = (first.share(), second.share());
    of_first.set(60);
    of_second.set(41);
    assert!(second.is_full(0) && !first.is_full(40) && first.is_full(41));
    of_first.set(59);
    assert!(!second.is_full(0));
}

#[test]
fn a_meter_counts_stages_and_not_the_parent() {
    let (budget, meter) = (Budget::unlimited(), Meter::default());
    let counted = budget.competitor().metered(&meter);
    budget.work(5);
    assert_eq!(meter.units(), 0);
    counted.work(5);
    counted.stage().within_checks(10).check().expect("ten are allowed");
    assert_eq!(meter.units(), 6);
    let stage = counted.stage();
    for _ in 0..100 {
        stage.check().expect("no limit");
    }
    assert!(meter.units() >= 106);
}

#[test]
fn effort_ends_a_stage_and_nothing_else() {
    let budget = Budget::unlimited();
    budget.count_effort(7);
    let stage = budget.stage().within_effort(10);
    let inner = stage.stage().within_effort(20);
    assert_eq!((budget.effort_left(), inner.effort_left()), (None, Some(10)));
    inner.count_effort(9);
    assert_eq!((inner.exhausted(0), stage.effort_left()), (None, Some(1)));
    budget.count_effort(1);
    assert_eq!((inner.exhausted(0), stage.exhausted(0)), (Some(Exhausted::Time), Some(Exhausted::Time)));
    assert_eq!((budget.exhausted(0), budget.effort()), (None, 17));
    let rest = Budget::unlimited().within_effort(0);
    assert_eq!(rest.with_grace(Duration::ZERO).check(), Err(Exhausted::Time));
    assert_eq!(rest.with_grace(Duration::from_mins(1)).check(), Ok(()));
    assert_eq!(rest.stage().with_any_effort().check(), Err(Exhausted::Time), "the parent is exhausted");
}

#[test]
fn every_check_counts_where_checks_are_limited() {
    let budget = Budget::unlimited().within_checks(3);
    let results: Vec<bool> = (0..5).map(|_| budget.check().is_ok()).collect();
    assert_eq!(results, [true, true, true, false, false]);
}
