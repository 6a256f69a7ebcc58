import LeapBlocks

// Blocks of 256 elements whose groups have scales and minima of a few bits.

enum EncoderQ2_K: BlockEncoder {
    static let search = MinimaSearch(
        steps: OffsetSteps(highest: 3, cuts: OffsetSteps.manyCuts, keepsZero: true), groups: 16, largest: 15)

    static func encode(_ block: WeightedGroup, to bytes: UnsafeMutableRawPointer) {
        search.run(block) { found, codes in
            bytes.setHalf(found.scale, BlockQ2_K.d)
            bytes.setHalf(found.minimum, BlockQ2_K.dmin)
            for group in 0..<16 {
                bytes.setByte(found.scales[group] | found.minima[group] << 4, BlockQ2_K.scales + group)
            }
            for part in 0..<2 { bytes.setPairsOfBits(codes + 128 * part, BlockQ2_K.qs + 32 * part) }
        }
    }
}

enum EncoderQ4_K: BlockEncoder {
    static let search = MinimaSearch(
        steps: OffsetSteps(highest: 15, cuts: OffsetSteps.fewCuts, keepsZero: true), groups: 8, largest: 63)

    static func encode(_ block: WeightedGroup, to bytes: UnsafeMutableRawPointer) {
        search.run(block) { found, codes in
            bytes.setHalf(found.scale, BlockQ4_K.d)
            bytes.setHalf(found.minimum, BlockQ4_K.dmin)
            bytes.setSixBitScales(found, BlockQ4_K.scales)
            for part in 0..<4 { bytes.setNibblePairs(codes + 64 * part, BlockQ4_K.qs + 32 * part) }
        }
    }
}

enum EncoderQ5_K: BlockEncoder {
    static let search = MinimaSearch(
        steps: OffsetSteps(highest: 31, cuts: OffsetSteps.fewCuts, keepsZero: true), groups: 8, largest: 63)

    static func encode(_ block: WeightedGroup, to bytes: UnsafeMutableRawPointer) {
        search.run(block) { found, codes in
            bytes.setHalf(found.scale, BlockQ5_K.d)
            bytes.setHalf(found.minimum, BlockQ5_K.dmin)
            bytes.setSixBitScales(found, BlockQ5_K.scales)
            bytes.setPlane(ofBit: 4, codes, BlockQ5_K.qh)
            for part in 0..<4 { bytes.setNibblePairs(codes + 64 * part, BlockQ5_K.qs + 32 * part) }
        }
    }
}

extension UnsafeMutableRawPointer {
    /// Writes eight scales and minima as ``SixBitScales`` reads them.
    fileprivate func setSixBitScales(_ found: MinimaSearch.Found, _ offset: Int) {
        let (scales, minima) = (found.scales, found.minima)
        for j in 0..<4 {
            setByte(scales[j] | (scales[j + 4] >> 4) << 6, offset + j)
            setByte(minima[j] | (minima[j + 4] >> 4) << 6, offset + 4 + j)
            setByte(scales[j + 4] & 15 | (minima[j + 4] & 15) << 4, offset + 8 + j)
        }
    }
}
