//! Replies as text.

use crate::map::{self, NO_OPTIONS};
use redslot_wasm::topology::{nodes, text};

/// Node lines that are let through give a topology, and the same one as a string of JSON.
pub fn check_nodes(lines: &str) {
    let read = nodes::parse(lines, &NO_OPTIONS);
    assert_eq!(nodes::parse(lines, &NO_OPTIONS), read);
    let Ok(topology) = read else {
        return;
    };
    map::check(&topology);
    // The quoted lines are one line, which must not look like a prompt.
    if !lines.contains(['>', '$', '#', '%']) && !lines.contains("-cli") {
        let json = serde_json::to_string(lines).expect("a string as JSON");
        assert_eq!(text::parse(&json, &NO_OPTIONS), Ok(topology));
    }
}

/// Text that is let through gives a topology, and the same one between Markdown's fences and with
/// the line ends of Windows. Text that is not is refused one line further down.
pub fn check_pasted(pasted: &str) {
    // A text that ends too early is at fault behind its last line end.
    let pasted = &format!("{}\n", pasted.trim_start_matches('\u{feff}'));
    let read = text::parse(pasted, &NO_OPTIONS);
    assert_eq!(text::parse(pasted, &NO_OPTIONS), read);
    let fenced = text::parse(&format!("```\n{pasted}```\n"), &NO_OPTIONS);
    match read {
        Ok(topology) => {
            map::check(&topology);
            let windows = pasted.replace("\r\n", "\n").replace('\n', "\r\n");
            assert_eq!(text::parse(&windows, &NO_OPTIONS).as_ref(), Ok(&topology));
            assert_eq!(fenced, Ok(topology));
        }
        Err(error) => {
            let further = error.line.map(|line| line + 1);
            assert_eq!(fenced.map_err(|error| error.line), Err(further));
        }
    }
}
