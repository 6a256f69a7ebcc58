#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// Quantises a row to `Q8_1`: like `Q8_0`, and also s = d · Σ q[i]; both are rounded to half precision at the end.
func quantizeQ8_1(_ source: UnsafePointer<Float>, _ destination: UnsafeMutableRawPointer, _ blocks: Int) {
    for i in 0..<blocks {
        let block = destination + i * BlockQ8_1.byteCount
        let (d, sum) = quantize32(source + i * BlockQ8_1.elementCount, block + BlockQ8_1.qs)
        storeHalf(d, to: block + BlockQ8_1.d)
        storeHalf(d * Float(sum), to: block + BlockQ8_1.s)
    }
}
#endif
