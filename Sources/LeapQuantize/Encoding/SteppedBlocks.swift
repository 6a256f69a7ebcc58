import LeapBlocks

// Blocks whose codes stand for the steps of a table.

enum EncoderIQ4_NL: BlockEncoder {
    static let table = StepTable(BlockIQ4_NL.steps)

    static func encode(_ group: WeightedGroup, to block: UnsafeMutableRawPointer) {
        let scale = half(table.scale(group))
        withCodes(32) { codes in
            table.write(group, scale: scale, to: codes)
            block.setHalf(scale, BlockIQ4_NL.d)
            block.setNibbles(codes, BlockIQ4_NL.qs)
        }
    }
}

enum EncoderIQ4_XS: BlockEncoder {
    static func encode(_ block: WeightedGroup, to bytes: UnsafeMutableRawPointer) {
        let table = EncoderIQ4_NL.table
        let search = ScaleSearch(steps: table, groups: 8, lowest: -32)
        search.run(block) { found, codes in
            bytes.setHalf(found.factor, BlockIQ4_XS.d)
            let scales = found.scales &+ 32
            let high = (0..<8).reduce(0) { $0 | (scales[$1] >> 4) << (2 * $1) }
            bytes.setByte(high & 255, BlockIQ4_XS.scalesHigh)
            bytes.setByte(high >> 8, BlockIQ4_XS.scalesHigh + 1)
            for j in 0..<4 {
                bytes.setByte(scales[2 * j] & 15 | (scales[2 * j + 1] & 15) << 4, BlockIQ4_XS.scalesLow + j)
            }
            for group in 0..<8 { bytes.setNibbles(codes + 32 * group, BlockIQ4_XS.qs + 16 * group) }
        }
    }
}

enum EncoderMXFP4: BlockEncoder {
    /// Codes 0 to 7 and 9 to 15: the eighth is a zero too.
    static let table = StepTable(BlockMXFP4.doubled)

    /// The exponent beyond which the largest step is infinite: 12 · 2^(252 − 128) is the last that is not.
    private static let largest = 252

    /// The scale is a power of two: that at which the largest magnitude is no more than the largest step, or a half or the
    /// double of it, whichever leaves the smallest error.
    static func encode(_ group: WeightedGroup, to block: UnsafeMutableRawPointer) {
        let extreme = abs(group.extreme)
        var (best, least) = (0, Float.infinity)
        if extreme > 0 {
            // extreme / 2^(e − 128) is from 8 to 16 at the middle one.
            let middle = Int(extreme.exponent) + 128 - 3
            for exponent in max(0, middle - 1)...max(0, min(largest, middle + 1)) where exponent <= largest {
                // In units of the middle scale, so that no square overflows.
                let unit = Float(sign: .plus, exponent: exponent - middle, significand: 1)
                let error = table.relativeError(group, exponent: exponent - 128) * unit * unit
                if error < least { (best, least) = (exponent, error) }
            }
        }
        withCodes(32) { codes in
            table.write(group, exponent: best - 128, to: codes)
            block.setByte(best, BlockMXFP4.e)
            block.setNibbles(codes, BlockMXFP4.qs)
        }
    }
}
