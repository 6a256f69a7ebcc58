import LeapBlocks

// Blocks of 256 elements whose groups have signed scales of a few bits.

enum EncoderQ3_K: BlockEncoder {
    static let search = ScaleSearch(
        steps: SymmetricSteps(lowest: -4, highest: 3, inside: 1.4, outside: 1, count: 9), groups: 16, lowest: -32)

    static func encode(_ block: WeightedGroup, to bytes: UnsafeMutableRawPointer) {
        search.run(block) { found, codes in
            bytes.setHalf(found.factor, BlockQ3_K.d)
            bytes.setPlane(ofBit: 2, codes, BlockQ3_K.hmask)
            for part in 0..<2 { bytes.setPairsOfBits(codes + 128 * part, BlockQ3_K.qs + 32 * part) }
            // Six bits each, from 0.
            let scales = found.scales &+ 32
            for j in 0..<8 { bytes.setByte(scales[j] & 15 | (scales[j + 8] & 15) << 4, BlockQ3_K.scales + j) }
            for j in 0..<4 {
                let high = (0..<4).reduce(0) { $0 | (scales[j + 4 * $1] >> 4) << (2 * $1) }
                bytes.setByte(high, BlockQ3_K.scales + 8 + j)
            }
        }
    }
}

enum EncoderQ6_K: BlockEncoder {
    static let search = ScaleSearch(
        steps: SymmetricSteps(lowest: -32, highest: 31, inside: 2, outside: 0.5, count: 6), groups: 16, lowest: -128)

    static func encode(_ block: WeightedGroup, to bytes: UnsafeMutableRawPointer) {
        search.run(block) { found, codes in
            bytes.setHalf(found.factor, BlockQ6_K.d)
            for group in 0..<16 { bytes.setByte(found.scales[group], BlockQ6_K.scales + group) }
            for part in 0..<2 {
                let half = codes + 128 * part
                for i in 0..<64 {
                    bytes.setByte(Int(half[i] & 15 | half[i + 64] << 4), BlockQ6_K.ql + 64 * part + i)
                }
                for i in 0..<32 {
                    let low = half[i] >> 4 | (half[i + 32] >> 4) << 2
                    let byte = low | (half[i + 64] >> 4) << 4 | (half[i + 96] >> 4) << 6
                    bytes.setByte(Int(byte), BlockQ6_K.qh + 32 * part + i)
                }
            }
        }
    }
}
