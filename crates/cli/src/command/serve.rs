//! `lariat serve`: the page on this computer, until Ctrl-C.

use crate::arguments::Serve;
use crate::exit::{Exit, Failure};
use crate::input::reason;
use crate::output::print;
use crate::signals::cancel_on_request;
use serve::folder::Folder;
use serve::{Options, guard, start, url};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often the wish to stop is looked at.
const PAUSE: Duration = Duration::from_millis(100);

/// Runs the command.
pub(crate) fn run(arguments: &Serve) -> Result<Exit, Failure> {
    let path = Path::new(&arguments.path);
    let (folder, model) = match path.is_dir() {
        true => (path, None),
        false => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            (folder, path.file_name().map(|name| name.to_string_lossy().into_owned()))
        }
    };
    let cannot = |error| Failure::usage(format!("cannot open `{}`: {}", arguments.path, reason(&error)));
    let folder = Folder::open(folder).map_err(cannot)?;
    if let Some(model) = &model {
        folder.read(model).map_err(cannot)?;
    }
    let token = guard::new_token();
    let options = Options {
        folder,
        model: model.clone(),
        port: arguments.port,
        token: token.clone(),
        time_limit: arguments.time_limit,
        memory_limit: arguments.memory_limit,
    };
    let cannot = |error| Failure::usage(format!("cannot listen on port {}: {}", arguments.port, reason(&error)));
    let running = start(options).map_err(cannot)?;
    let address = url(running.address, &token, model.as_deref());
    print(&format!("{address}\n"));
    if !arguments.no_open {
        open(&address);
    }
    let stop = Arc::new(AtomicBool::new(false));
    cancel_on_request(Arc::clone(&stop), || ());
    while !stop.load(Ordering::Relaxed) {
        std::thread::sleep(PAUSE);
    }
    drop(running);
    Ok(Exit::Holds)
}

/// Opens a browser, if there is a display and the usual command; otherwise the address is enough.
fn open(address: &str) {
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let command = if cfg!(target_os = "macos") { Some("open") } else { has_display.then_some("xdg-open") };
    if let Some(command) = command {
        let silent = std::process::Stdio::null;
        let _ = std::process::Command::new(command).arg(address).stdout(silent()).stderr(silent()).spawn();
    }
}
