#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
/// Copies floats from any address.
func dequantizeF32(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ count: Int) {
    UnsafeMutableRawPointer(destination).copyMemory(from: source, byteCount: count * 4)
}

/// The values of half-precision numbers.
func dequantizeF16(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ count: Int) {
    let halves = source.assumingMemoryBound(to: UInt16.self)
    forEachLanes(count) { i in
        store(loadHalves(halves + i), to: destination + i)
    } rest: { i, n in
        store(loadHalves(halves + i, first: n), first: n, to: destination + i)
    }
}

/// The values of bfloat16 numbers.
func dequantizeBF16(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ count: Int) {
    let upper = source.assumingMemoryBound(to: UInt16.self)
    forEachLanes(count) { i in
        store(loadBrainFloats(upper + i), to: destination + i)
    } rest: { i, n in
        store(loadBrainFloats(upper + i, first: n), first: n, to: destination + i)
    }
}
#endif
