#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
// Parts of rows of floats that are far from each other. Where such a part is a few cache lines, a call of the C library for
// each would cost as much as copying it, and most of the time is spent waiting for the lines that are written.

/// Copies rows of floats; see `FloatKernels.CopyRows`.
func copyRows(
    _ source: UnsafePointer<Float>, _ sourceStride: Int, _ destination: UnsafeMutablePointer<Float>,
    _ destinationStride: Int, _ rows: Int, _ count: Int
) {
    for row in 0..<rows {
        let (source, destination) = (source + row * sourceStride, destination + row * destinationStride)
        forEachLanes(count) { i in
            store(load(source + i), to: destination + i)
        } rest: { i, n in
            store(load(source + i, first: n), first: n, to: destination + i)
        }
    }
}

/// Prefetches rows of floats that will be written; see `FloatKernels.PrefetchRows`.
func prefetchRows(_ rows: UnsafePointer<Float>, _ stride: Int, _ count: Int, _ width: Int) {
    for row in 0..<count { prefetchForWriting(rows + row * stride, count: 4 * width) }
}
#endif
