//! Keys by owner.
#![no_main]

libfuzzer_sys::fuzz_target!(|batch: redslot_fuzz::batch::Batch| {
    redslot_fuzz::batch::check_partition(&batch);
});
