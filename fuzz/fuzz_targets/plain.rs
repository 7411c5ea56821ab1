//! The serialized form as JSON.
#![no_main]

libfuzzer_sys::fuzz_target!(|json: &str| {
    redslot_fuzz::reply::check_plain(json);
});
