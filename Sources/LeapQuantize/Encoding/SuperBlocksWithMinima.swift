import LeapBlocks

// Blocks of 256 elements whose groups have low-bit scales and minima.

enum EncoderQ2_K: BlockEncoder {
    static let search = MinimaSearch(
        steps: OffsetSteps(highest: 3, lowest: 0, cuts: OffsetSteps.manyCuts, keepsZero: true), groups: 16, largest: 15)

    static func encode(
        _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer
    ) {
        search.run(values, weights, blocks: blocks, to: bytes, BlockQ2_K.byteCount) { found, codes, block in
            block.setHalf(found.scale, BlockQ2_K.d)
            block.setHalf(found.minimum, BlockQ2_K.dmin)
            for group in 0..<16 {
                let byte = found.scales.integer(group) | found.minima.integer(group) << 4
                block.setByte(byte, BlockQ2_K.scales + group)
            }
            for part in 0..<2 { block.setPairsOfBits(codes + 128 * part, BlockQ2_K.qs + 32 * part) }
        }
    }
}

enum EncoderQ4_K: BlockEncoder {
    static let search = MinimaSearch(
        steps: OffsetSteps(highest: 15, lowest: 0, cuts: OffsetSteps.fewCuts, keepsZero: true), groups: 8, largest: 63)

    static func encode(
        _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer
    ) {
        search.run(values, weights, blocks: blocks, to: bytes, BlockQ4_K.byteCount) { found, codes, block in
            block.setHalf(found.scale, BlockQ4_K.d)
            block.setHalf(found.minimum, BlockQ4_K.dmin)
            block.setSixBitScales(found, BlockQ4_K.scales)
            for part in 0..<4 { block.setNibblePairs(codes + 64 * part, BlockQ4_K.qs + 32 * part) }
        }
    }
}

enum EncoderQ5_K: BlockEncoder {
    static let search = MinimaSearch(
        steps: OffsetSteps(highest: 31, lowest: 0, cuts: OffsetSteps.finestCuts, keepsZero: true), groups: 8,
        largest: 63)

    static func encode(
        _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer
    ) {
        search.run(values, weights, blocks: blocks, to: bytes, BlockQ5_K.byteCount) { found, codes, block in
            block.setHalf(found.scale, BlockQ5_K.d)
            block.setHalf(found.minimum, BlockQ5_K.dmin)
            block.setSixBitScales(found, BlockQ5_K.scales)
            block.setPlane(ofBit: 4, codes, BlockQ5_K.qh)
            for part in 0..<4 { block.setNibblePairs(codes + 64 * part, BlockQ5_K.qs + 32 * part) }
        }
    }
}

extension UnsafeMutableRawPointer {
    /// Writes eight scales and minima in the layout of ``SixBitScales``.
    fileprivate func setSixBitScales(_ found: MinimaSearch.Found, _ offset: Int) {
        for j in 0..<4 {
            let (scale, upperScale) = (found.scales.integer(j), found.scales.integer(j + 4))
            let (minimum, upperMinimum) = (found.minima.integer(j), found.minima.integer(j + 4))
            setByte(scale | (upperScale >> 4) << 6, offset + j)
            setByte(minimum | (upperMinimum >> 4) << 6, offset + 4 + j)
            setByte(upperScale & 15 | (upperMinimum & 15) << 4, offset + 8 + j)
        }
    }
}
