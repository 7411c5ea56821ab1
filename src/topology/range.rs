use super::{TopologyError, Value, LAST_SLOT};

/// Appends a range to others of which none starts after it, joined to the last
/// of them if they touch or overlap.
pub(crate) fn append(ranges: &mut Vec<(u16, u16)>, (start, end): (u16, u16)) {
    match ranges.last_mut() {
        Some(last) if start <= last.1 + 1 => last.1 = last.1.max(end),
        _ => ranges.push((start, end)),
    }
}

/// An inclusive range of slots.
///
/// # Errors
/// A bound that is no whole number in `0..16384`, or a start beyond the end.
pub(super) fn range(start: &Value, end: &Value) -> Result<(u16, u16), TopologyError> {
    let start = slot(start).map_err(|e| e.within("start"))?;
    let end = slot(end).map_err(|e| e.within("end"))?;
    ordered(start, end)
}

/// A pair of slots in order.
///
/// # Errors
/// A start beyond the end.
pub(super) fn ordered(start: u16, end: u16) -> Result<(u16, u16), TopologyError> {
    if start > end {
        return Err(TopologyError::new(format!(
            "expected a range that ends at or after its start, found {start} to {end}"
        )));
    }
    Ok((start, end))
}

fn slot(value: &Value) -> Result<u16, TopologyError> {
    bounded(value, 0, LAST_SLOT, "a slot")
}

/// A whole number within bounds, called `what` in the error.
///
/// # Errors
/// Anything else.
pub(super) fn bounded(
    value: &Value,
    least: u16,
    most: u16,
    what: &str,
) -> Result<u16, TopologyError> {
    let number = value
        .integer()
        .and_then(|number| u16::try_from(number).ok());
    number
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| value.unexpected(&format!("{what} in {least}..={most}")))
}
