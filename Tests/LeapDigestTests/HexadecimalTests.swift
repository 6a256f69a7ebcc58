import LeapDigest
import Testing

struct HexadecimalTests {
    @Test func `Every byte has two lower-case digits`() {
        #expect([0x00, 0x01, 0x0F, 0x10, 0xA9, 0xFF].hexadecimal == "00010f10a9ff")
        #expect([UInt8]().hexadecimal == "")
        #expect("leap".utf8.hexadecimal == "6c656170")
    }

    /// Without padding, both would be "112".
    @Test func `Different bytes have different digits`() {
        #expect([0x01, 0x12].hexadecimal != [0x11, 0x02].hexadecimal)
    }
}
