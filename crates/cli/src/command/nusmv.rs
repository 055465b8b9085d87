//! `lariat nusmv`, and `NuSMV` where the binary has that name.

use crate::arguments::{Limits, Nusmv};
use crate::exit::Failure;
use crate::output;
use crate::watchdog::Watchdog;
use nusmv::console::Console;
use std::io::{self, Write};
use std::path::Path;

/// Runs the command; the exit code is NuSMV's.
pub(crate) fn run(arguments: &Nusmv) -> Result<u8, Failure> {
    let budget = arguments.limits.budget();
    let watchdog = Watchdog::start_silent(&arguments.limits, &budget);
    let mut input = io::stdin().lock();
    let (mut printed, mut errors) = (Printed, Errors);
    let exit = ::nusmv::run(&arguments.arguments, Console::new(&mut input, &mut printed, &mut errors), &budget);
    watchdog.finish();
    output::lost().map_or(Ok(exit), Err)
}

/// The arguments if the program was started under the name of NuSMV.
pub(crate) fn by_name() -> Option<Nusmv> {
    let mut arguments = std::env::args();
    let program = arguments.next()?;
    let name = Path::new(&program).file_stem()?.to_str()?;
    let limits = Limits { memory_limit: None, time_limit: None };
    name.eq_ignore_ascii_case("NuSMV").then(|| Nusmv { limits, arguments: arguments.collect() })
}

/// Standard output, through the functions that keep control characters away from terminals.
struct Printed;

impl Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        output::print(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

/// Standard error, in the same way.
struct Errors;

impl Write for Errors {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        output::eprint(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
