internal import LeapBlocks

/// The values of `Q8_K`; see ``BlockQ8_K``.
func dequantizeQ8_K(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ blocks: Int) {
    forEachBlock(of: BlockQ8_K.self, source, destination, blocks) { block, values in
        let d = block.loadUnaligned(fromByteOffset: BlockQ8_K.d, as: Float.self)
        let qs = block.signed(BlockQ8_K.qs)
        for i in 0..<256 { values[i] = d * Float(qs[i]) }
    }
}
