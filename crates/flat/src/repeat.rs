//! A function applied many times to a value of a finite set.
//!
//! What: the values of such a sequence repeat from some place on, so that billions of applications cost no more than it
//! takes to find the period [brent.80.bit]. Contract: the result of exactly this many applications.

/// The value after `times` applications of `next` to `start`.
///
/// # Errors
/// The first error of `next`.
pub fn repeat<T: Clone + PartialEq, E>(times: u64, start: T, mut next: impl FnMut(&T) -> Result<T, E>) -> Result<T, E> {
    let (mut value, mut done) = (start, 0);
    // A value that was met at the last power of two: the sequence has a period if it is met again.
    let (mut anchor, mut power, mut since) = (value.clone(), 1_u64, 0_u64);
    while done < times {
        value = next(&value)?;
        done += 1;
        since += 1;
        if value == anchor {
            for _ in 0..(times - done) % since {
                value = next(&value)?;
            }
            return Ok(value);
        }
        if since == power {
            (anchor, power, since) = (value.clone(), 2 * power, 0);
        }
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::repeat;
    use std::convert::Infallible;

    #[test]
    fn a_period_saves_the_rest() {
        // 0, 1, …, 9, then 4 to 9 again and again.
        let next = |value: &u64| if *value == 9 { 4 } else { value + 1 };
        let slow = |times: u64| (0..times).fold(0, |value, _| next(&value));
        for times in 0..100 {
            assert_eq!(repeat(times, 0, |value| Ok::<_, Infallible>(next(value))), Ok(slow(times)), "{times}");
        }
        let many = 4_000_000_000;
        assert_eq!(repeat(many, 0, |value| Ok::<_, Infallible>(next(value))), Ok(slow(10 + (many - 10) % 6)));
    }
}
