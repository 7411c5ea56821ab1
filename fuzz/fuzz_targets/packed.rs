//! CLUSTER SLOTS as JavaScript packs it.
#![no_main]

libfuzzer_sys::fuzz_target!(|reply: redslot_fuzz::reply::Reply| {
    redslot_fuzz::reply::check_packed(&reply);
});
