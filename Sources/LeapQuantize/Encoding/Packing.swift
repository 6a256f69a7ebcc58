import LeapBlocks

// Packs codes and scales into the bytes of blocks; the layouts are those of the block types in LeapBlocks.

extension UnsafeMutableRawPointer {
    /// Writes a number in half precision.
    func setHalf(_ value: Float, _ offset: Int) {
        storeBytes(of: value.halfBits.littleEndian, toByteOffset: offset, as: UInt16.self)
    }

    func setByte(_ value: Int, _ offset: Int) {
        storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: offset, as: UInt8.self)
    }

    /// Writes the low nibbles of 32 codes into 16 bytes: element `i` into the low nibble of byte `i`, element `i + 16`
    /// into its high nibble.
    func setNibbles(_ codes: UnsafePointer<UInt8>, _ offset: Int) {
        for i in 0..<16 {
            storeBytes(of: codes[i] & 15 | codes[i + 16] << 4, toByteOffset: offset + i, as: UInt8.self)
        }
    }

    /// Writes the low nibbles of 64 codes into 32 bytes, in the order of the K formats: element `i + 32` above element
    /// `i`.
    func setNibblePairs(_ codes: UnsafePointer<UInt8>, _ offset: Int) {
        for i in 0..<32 {
            storeBytes(of: codes[i] & 15 | codes[i + 32] << 4, toByteOffset: offset + i, as: UInt8.self)
        }
    }

    /// Writes the low two bits of 128 codes into 32 bytes: bits 2k and 2k + 1 of byte `i` belong to element 32k + i.
    func setPairsOfBits(_ codes: UnsafePointer<UInt8>, _ offset: Int) {
        for i in 0..<32 {
            let byte = codes[i] & 3 | (codes[i + 32] & 3) << 2 | (codes[i + 64] & 3) << 4 | codes[i + 96] << 6
            storeBytes(of: byte, toByteOffset: offset + i, as: UInt8.self)
        }
    }

    /// Writes bit `bit` of each of 256 codes into 32 bytes: bit k of byte `i` belongs to element 32k + i.
    func setPlane(ofBit bit: Int, _ codes: UnsafePointer<UInt8>, _ offset: Int) {
        for i in 0..<32 {
            var byte: UInt8 = 0
            for k in 0..<8 { byte |= (codes[32 * k + i] >> UInt8(bit) & 1) << UInt8(k) }
            storeBytes(of: byte, toByteOffset: offset + i, as: UInt8.self)
        }
    }

    /// Writes the fifth bits of 32 codes, the first element's lowest.
    func setFifthBits(_ codes: UnsafePointer<UInt8>, _ offset: Int) {
        var bits: UInt32 = 0
        for i in 0..<32 { bits |= UInt32(codes[i] >> 4 & 1) << UInt32(i) }
        storeBytes(of: bits.littleEndian, toByteOffset: offset, as: UInt32.self)
    }
}

/// A number rounded to half precision, saturating at the largest finite one.
@inline(__always)
func half(_ value: Float) -> Float {
    Float(halfBits: max(-65_504, min(65_504, value)).halfBits)
}
