/// CRC-16/XMODEM by long division, one bit at a time.
pub fn crc16(bytes: &[u8]) -> u16 {
    let mut crc: u16 = 0;
    for byte in bytes {
        for bit in (0..8).rev() {
            let incoming = (byte >> bit) & 1 == 1;
            let outgoing = crc & 0x8000 != 0;
            crc <<= 1;
            if incoming != outgoing {
                crc ^= 0x1021;
            }
        }
    }
    crc
}
