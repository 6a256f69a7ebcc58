import LeapBlocks
import Testing

@Suite("Half precision and bfloat16")
struct FloatConversionTests {
    #if !(os(macOS) && arch(x86_64))
    @Test("every half-precision bit pattern has the same value as the CPU's Float16")
    func halves() {
        for bits in UInt16.min...UInt16.max {
            let (value, expected) = (Float(halfBits: bits), Float(Float16(bitPattern: bits)))
            #expect(value.isNaN ? expected.isNaN : value.bitPattern == expected.bitPattern, "\(bits)")
        }
    }
    #endif

    @Test("half-precision numbers survive a round trip through Float")
    func halfRoundTrip() {
        for bits in UInt16.min...UInt16.max {
            let value = Float(halfBits: bits)
            #expect(value.isNaN ? Float(halfBits: value.halfBits).isNaN : value.halfBits == bits, "\(bits)")
        }
    }

    @Test("conversion to half precision rounds to the nearest, ties to even")
    func halfRounding() {
        for bits in UInt16(0)..<0x7BFF {
            let (low, high) = (Float(halfBits: bits), Float(halfBits: bits + 1))
            let middle = (low + high) / 2
            #expect(middle.halfBits == (bits.isMultiple(of: 2) ? bits : bits + 1), "\(bits)")
            #expect(middle.nextDown.halfBits == bits, "\(bits)")
            #expect(middle.nextUp.halfBits == bits + 1, "\(bits)")
            #expect((-middle.nextUp).halfBits == (bits + 1) | 0x8000, "\(bits)")
        }
    }

    @Test(
        "numbers out of the range of half precision become infinity or zero",
        arguments: [
            (Float(65_519.99), UInt16(0x7BFF)), (65_520, 0x7C00), (.infinity, 0x7C00), (-1e9, 0xFC00), (1e-8, 0),
            (-1e-8, 0x8000), (0x1p-25, 0), (.leastNonzeroMagnitude, 0),
        ])
    func halfRange(value: Float, bits: UInt16) {
        #expect(value.halfBits == bits)
    }

    @Test("a bfloat16 number is the upper half of a float, rounded to even")
    func brainFloats() {
        #expect(Float(brainFloatBits: 0x3F80) == 1)
        #expect(Float(1).brainFloatBits == 0x3F80)
        #expect(Float(bitPattern: 0x3F80_8000).brainFloatBits == 0x3F80)
        #expect(Float(bitPattern: 0x3F81_8000).brainFloatBits == 0x3F82)
        #expect(Float(bitPattern: 0x3F80_8001).brainFloatBits == 0x3F81)
        #expect(Float.greatestFiniteMagnitude.brainFloatBits == 0x7F80)
        #expect(Float(brainFloatBits: Float.nan.brainFloatBits).isNaN)
    }
}
