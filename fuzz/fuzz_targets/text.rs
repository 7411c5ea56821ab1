//! Replies as people paste them.
#![no_main]

libfuzzer_sys::fuzz_target!(|pasted: &str| {
    redslot_fuzz::text::check_pasted(pasted);
});
