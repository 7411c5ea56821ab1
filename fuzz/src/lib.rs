//! What each fuzz target asserts beyond the absence of a panic.
//!
//! The targets themselves hand their input on. The twins are those of the unit tests.

pub mod batch;
pub mod key;
pub mod map;
pub mod pattern;
pub mod reply;
pub mod text;

#[path = "../../tests/twins/mod.rs"]
mod twins;

// Its walks over all slots are too slow here.
#[allow(dead_code)]
#[path = "../../tests/twins/slot_map.rs"]
mod naive_map;
