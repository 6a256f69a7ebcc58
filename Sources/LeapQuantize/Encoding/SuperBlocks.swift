import LeapBlocks

// Blocks of 256 elements whose groups have signed low-bit scales.

enum EncoderQ3_K: BlockEncoder {
    static let isQuick = true

    private static let search = ScaleSearch(
        steps: SymmetricSteps(lowest: -4, highest: 3, inside: 1.0, outside: 0.8, count: 5), groups: 16, lowest: -32)
    private static let quickSearch = ScaleSearch(
        steps: SymmetricSteps(lowest: -4, highest: 3, inside: 0.2, outside: 0.4, count: 2), groups: 16, lowest: -32,
        changes: [0], rounds: 1)

    static func encode(
        _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer
    ) {
        encode(values, weights, blocks: blocks, to: bytes, search)
    }

    static func encodeQuickly(_ values: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 256) { weights in
            weights.initialize(repeating: 1)
            guard let base = weights.baseAddress else { return }
            for index in 0..<blocks {
                encode(
                    values + 256 * index, base, blocks: 1, to: bytes + BlockQ3_K.byteCount * index, quickSearch)
            }
        }
    }

    @inline(__always)
    private static func encode(
        _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer,
        _ search: ScaleSearch<SymmetricSteps>
    ) {
        search.run(values, weights, blocks: blocks, to: bytes, BlockQ3_K.byteCount) { found, codes, block in
            block.setHalf(found.factor, BlockQ3_K.d)
            block.setPlane(ofBit: 2, codes, BlockQ3_K.hmask)
            for part in 0..<2 { block.setPairsOfBits(codes + 128 * part, BlockQ3_K.qs + 32 * part) }
            for j in 0..<8 {
                let (low, high) = (found.sixBits(j), found.sixBits(j + 8))
                block.setByte(low & 15 | (high & 15) << 4, BlockQ3_K.scales + j)
            }
            for j in 0..<4 {
                let high = (0..<4).reduce(0) { $0 | (found.sixBits(j + 4 * $1) >> 4) << (2 * $1) }
                block.setByte(high, BlockQ3_K.scales + 8 + j)
            }
        }
    }
}

enum EncoderQ6_K: BlockEncoder {
    static let search = ScaleSearch(
        steps: SymmetricSteps(lowest: -32, highest: 31, inside: 1.8, outside: 0.2, count: 4), groups: 16, lowest: -128)

    static func encode(
        _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer
    ) {
        search.run(values, weights, blocks: blocks, to: bytes, BlockQ6_K.byteCount) { found, codes, block in
            block.setHalf(found.factor, BlockQ6_K.d)
            for group in 0..<16 { block.setByte(found.scales.integer(group), BlockQ6_K.scales + group) }
            for part in 0..<2 {
                let half = codes + 128 * part
                for i in 0..<64 {
                    block.setByte(Int(half[i] & 15 | half[i + 64] << 4), BlockQ6_K.ql + 64 * part + i)
                }
                for i in 0..<32 {
                    let low = half[i] >> 4 | (half[i + 32] >> 4) << 2
                    let byte = low | (half[i + 64] >> 4) << 4 | (half[i + 96] >> 4) << 6
                    block.setByte(Int(byte), BlockQ6_K.qh + 32 * part + i)
                }
            }
        }
    }
}

enum EncoderIQ4_XS: BlockEncoder {
    static let search = ScaleSearch(steps: EncoderIQ4_NL.table, groups: 8, lowest: -32)

    static func encode(
        _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer
    ) {
        search.run(values, weights, blocks: blocks, to: bytes, BlockIQ4_XS.byteCount) { found, codes, block in
            block.setHalf(found.factor, BlockIQ4_XS.d)
            let high = (0..<8).reduce(0) { $0 | (found.sixBits($1) >> 4) << (2 * $1) }
            block.setByte(high & 255, BlockIQ4_XS.scalesHigh)
            block.setByte(high >> 8, BlockIQ4_XS.scalesHigh + 1)
            for j in 0..<4 {
                let (low, high) = (found.sixBits(2 * j), found.sixBits(2 * j + 1))
                block.setByte(low & 15 | (high & 15) << 4, BlockIQ4_XS.scalesLow + j)
            }
            for group in 0..<8 { block.setNibbles(codes + 32 * group, BlockIQ4_XS.qs + 16 * group) }
        }
    }
}

extension FoundScales {
    /// A group's scale from −32 to 31, stored as an offset from the lowest.
    fileprivate func sixBits(_ group: Int) -> Int { scales.integer(group) + 32 }
}
