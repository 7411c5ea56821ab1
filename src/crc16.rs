//! CRC-16/XMODEM: polynomial 0x1021, start 0, no reflection, no final XOR.
//!
//! The checksum that the Redis Cluster specification, section "Key distribution model", names for
//! hash slots (server source: `crc16.c`). The specification's check value, for the nine bytes
//! `123456789`, is `0x31C3`.

use std::sync::LazyLock;

const POLYNOMIAL: u16 = 0x1021;

/// Bytes that one step of the long loop takes.
const STRIDE: usize = 16;

/// `tables[k][b]` is the CRC of byte `b` followed by `k` zero bytes.
type Tables = [[u16; 256]; STRIDE];

/// Made at the first use: as data they would be a tenth of the compressed module.
static TABLES: LazyLock<Tables> = LazyLock::new(tables);

/// The CRC of `bytes`.
///
/// Costs one table look-up per byte; sixteen, eight or four look-ups at a time do not wait for each
/// other (slicing).
///
/// ```
/// assert_eq!(redslot_wasm::crc16::crc16(b"123456789"), 0x31C3);
/// ```
#[must_use]
pub fn crc16(bytes: &[u8]) -> u16 {
    let tables = &*TABLES;
    let mut crc = 0;
    let mut rest = bytes;
    while let Some((block, tail)) = rest.split_first_chunk::<STRIDE>() {
        crc = step(tables, crc, block);
        rest = tail;
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
    use proptest::prelude::*;

    /// Long division, one bit at a time.
    fn naive(bytes: &[u8]) -> u16 {
        let mut crc: u16 = 0;
        for byte in bytes {
            for bit in (0..8).rev() {
                let incoming = (byte >> bit) & 1 == 1;
                let outgoing = crc & 0x8000 != 0;
                crc <<= 1;
                if incoming != outgoing {
                    crc ^= POLYNOMIAL;
                }
            }
        }
        crc
    }

    #[test]
    fn the_check_value_of_the_specification_is_0x31c3() {
        assert_eq!(crc16(b"123456789"), 0x31C3);
        assert_eq!(naive(b"123456789"), 0x31C3);
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
        fn any_bytes_equal_long_division(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            prop_assert_eq!(crc16(&bytes), naive(&bytes));
        }
    }
}
