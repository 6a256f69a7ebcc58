internal import LeapBlocks

/// The values of `Q8_1`; see ``BlockQ8_1``.
func dequantizeQ8_1(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ blocks: Int) {
    forEachBlock(of: BlockQ8_1.self, source, destination, blocks) { block, values in
        let d = loadHalf(block + BlockQ8_1.d)
        let qs = block.signed(BlockQ8_1.qs)
        for i in 0..<32 { values[i] = d * Float(qs[i]) }
    }
}
