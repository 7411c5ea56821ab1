//! CLUSTER NODES.
#![no_main]

libfuzzer_sys::fuzz_target!(|lines: &str| {
    redslot_fuzz::text::check_nodes(lines);
});
