/// For each group, a walk over all keys.
pub fn partition(slots: &[u16], owners: &[u16], primaries: usize) -> Vec<Vec<u32>> {
    let owner_of = |slot: &u16| match owners.get(usize::from(*slot)) {
        Some(owner) if usize::from(*owner) < primaries => usize::from(*owner),
        _ => primaries,
    };
    (0..=primaries)
        .map(|group| {
            let members = slots.iter().zip(0..);
            let members = members.filter(|(slot, _)| owner_of(slot) == group);
            members.map(|(_, index)| index).collect()
        })
        .collect()
}
