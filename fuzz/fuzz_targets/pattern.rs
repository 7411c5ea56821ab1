//! Glob patterns.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    redslot_fuzz::pattern::check(data);
});
