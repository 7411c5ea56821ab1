//! CRC-16/XMODEM: polynomial 0x1021, start 0, no reflection, no final XOR.
//!
//! The checksum that the Redis Cluster specification, section "Key distribution model", names for
//! hash slots (server source: `crc16.c`). The specification's check value, for the nine bytes
//! `123456789`, is `0x31C3`.

use std::sync::LazyLock;

const POLYNOMIAL: u16 = 0x1021;

/// Bytes that one step takes at most.
const STRIDE: usize = 16;

/// `tables[k][b]` is the CRC of byte `b` followed by `k` zero bytes.
type Tables = [[u16; 256]; STRIDE];

/// Made at the first use: as data they would be a tenth of the compressed module.
static TABLES: LazyLock<Tables> = LazyLock::new(tables);

/// The CRC of `bytes`.
///
/// Blocks of sixteen bytes are first folded into one, which takes no table. What is left costs one
/// table look-up per byte; sixteen, eight or four look-ups at a time do not wait for each other
/// (slicing).
///
/// ```
/// assert_eq!(redslot_wasm::crc16::crc16(b"123456789"), 0x31C3);
/// ```
#[inline]
#[must_use]
pub fn crc16(bytes: &[u8]) -> u16 {
    let tables = &*TABLES;
    let mut crc = 0;
    let mut rest = bytes;
    if let Some((block, tail)) = rest.split_first_chunk::<STRIDE>() {
        if tail.len() < STRIDE {
            // What is folded is not in memory, and to put it there takes longer than this.
            crc = step(tables, crc, block);
            rest = tail;
        } else {
            let (folded, tail) = fold_blocks(*block, tail);
            crc = step(tables, crc, &folded);
            rest = tail;
        }
    }
    if let Some((block, tail)) = rest.split_first_chunk::<8>() {
        crc = step(tables, crc, block);
        rest = tail;
    }
    if let Some((block, tail)) = rest.split_first_chunk::<4>() {
        crc = step(tables, crc, block);
        rest = tail;
    }
    for byte in rest {
        crc = append_by(tables, crc, *byte);
    }
    crc
}

/// One block with the CRC of `first` and the blocks that follow it, and what follows these.
fn fold_blocks(first: [u8; STRIDE], following: &[u8]) -> ([u8; STRIDE], &[u8]) {
    let mut folded = u128::from_le_bytes(first);
    let mut rest = following;
    while let Some((block, tail)) = rest.split_first_chunk::<STRIDE>() {
        folded = fold(folded) ^ u128::from_le_bytes(*block);
        rest = tail;
    }
    (folded.to_le_bytes(), rest)
}

/// A block with the CRC of `block` and sixteen zero bytes, the first byte being the lowest.
///
/// In GF(2) squaring a sum squares its terms, so x^16 = x^12 + x^5 + 1 squared three times is
/// x^128 = x^96 + x^40 + 1. These are whole bytes, by which a block in either order of bytes can be
/// multiplied with plain shifts; what they push out of it is worth x^128 again.
fn fold(block: u128) -> u128 {
    let pushed_out = |block: u128| (block << (128 - 96)) ^ (block << (128 - 40));
    let once = pushed_out(block);
    let twice = pushed_out(once);
    let all = block ^ once ^ twice ^ pushed_out(twice);
    all ^ (all >> 96) ^ (all >> 40)
}

/// The CRC of some bytes and then `byte`, where `crc` is the CRC of those bytes.
#[must_use]
pub(crate) fn append(crc: u16, byte: u8) -> u16 {
    append_by(&TABLES, crc, byte)
}

#[inline]
fn append_by(tables: &Tables, crc: u16, byte: u8) -> u16 {
    let [high, _] = crc.to_be_bytes();
    tables[0][usize::from(high ^ byte)] ^ (crc << 8)
}

/// Appends `N` bytes at once, `2 <= N <= STRIDE`.
#[inline]
fn step<const N: usize>(tables: &Tables, crc: u16, block: &[u8; N]) -> u16 {
    let [high, low] = crc.to_be_bytes();
    let mut next = tables[N - 1][usize::from(block[0] ^ high)];
    next ^= tables[N - 2][usize::from(block[1] ^ low)];
    for at in 2..N {
        next ^= tables[N - 1 - at][usize::from(block[at])];
    }
    next
}

fn tables() -> Tables {
    let mut tables = [[0; 256]; STRIDE];
    for byte in 0..=u8::MAX {
        let mut crc = u16::from(byte) << 8;
        for table in &mut tables {
            crc = shift_eight(crc);
            table[usize::from(byte)] = crc;
        }
    }
    tables
}

fn shift_eight(crc: u16) -> u16 {
    (0..8).fold(crc, |crc, _| {
        let carry = crc & 0x8000 != 0;
        (crc << 1) ^ if carry { POLYNOMIAL } else { 0 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::twins::crc16::crc16 as naive;
    use proptest::prelude::*;

    #[test]
    fn the_check_value_of_the_specification_is_0x31c3() {
        assert_eq!(crc16(b"123456789"), 0x31C3);
        assert_eq!(naive(b"123456789"), 0x31C3);
    }

    #[test]
    fn the_sixteenth_power_of_the_generator_squared_three_times_has_the_same_three_terms() {
        let power = |exponent: usize| {
            let mut bytes = vec![0; exponent / 8 + 1];
            bytes[0] = 1 << (exponent % 8);
            naive(&bytes)
        };
        assert_eq!(power(128), power(96) ^ power(40) ^ power(0));
    }

    #[test]
    fn no_bytes_give_zero() {
        assert_eq!(crc16(b""), 0);
    }

    #[test]
    fn every_length_up_to_a_hundred_equals_long_division() {
        let bytes: Vec<u8> = (0..100u8).map(|at| at.wrapping_mul(167)).collect();
        for length in 0..=bytes.len() {
            assert_eq!(crc16(&bytes[..length]), naive(&bytes[..length]), "{length}");
        }
    }

    proptest! {
        #[test]
        fn folding_a_block_equals_sixteen_zero_bytes_after_it(block in any::<[u8; STRIDE]>()) {
            let mut appended = block.to_vec();
            appended.resize(2 * STRIDE, 0);
            let folded = fold(u128::from_le_bytes(block)).to_le_bytes();
            prop_assert_eq!(naive(&folded), naive(&appended));
        }

        #[test]
        fn any_bytes_equal_long_division(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            prop_assert_eq!(crc16(&bytes), naive(&bytes));
        }
    }
}
