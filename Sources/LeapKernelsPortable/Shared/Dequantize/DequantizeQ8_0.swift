internal import LeapBlocks

/// The values of `Q8_0`; see ``BlockQ8_0``.
func dequantizeQ8_0(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ blocks: Int) {
    forEachBlock(of: BlockQ8_0.self, source, destination, blocks) { block, values in
        let d = loadHalf(block + BlockQ8_0.d)
        let qs = block.signed(BlockQ8_0.qs)
        for i in 0..<32 { values[i] = d * Float(qs[i]) }
    }
}
