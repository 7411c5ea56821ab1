//! Keys.
#![no_main]

libfuzzer_sys::fuzz_target!(|key: &[u8]| {
    redslot_fuzz::key::check(key);
});
