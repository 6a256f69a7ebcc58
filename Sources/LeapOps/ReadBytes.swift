import LeapBlocks

// The rate at which memory can be read, which bounds decoding, because every weight is read once per token.

extension Compute {
    /// Reads every byte once, on the threads that decode, and returns a checksum that does not depend on their number.
    ///
    /// For a buffer larger than the caches, the time taken gives the read bandwidth of this many threads.
    public func readBytes(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        guard let base = bytes.baseAddress else { return 0 }
        return exclusively {
            pool.activate(decodeThreads)
            return scratch.scope {
                let sums = scratch.array(of: UInt64.self, count: threads)
                sums.initialize(repeating: 0, count: threads)
                let slices = (bytes.count + ReadingSlices.length - 1) / ReadingSlices.length
                parallel(
                    slices, grain: 16,
                    ReadingSlices(read: kernels.floats.readBytes, base: base, count: bytes.count, sums: sums))
                return (0..<threads).reduce(0) { $0 &+ sums[$1] }
            }
        }
    }
}

/// Reads slices of a buffer into a checksum per worker.
private struct ReadingSlices: ParallelWork {
    /// Bytes per slice.
    static let length = 64 << 10

    let read: FloatKernels.ReadBytes
    let base: UnsafeRawPointer
    let count: Int
    let sums: UnsafeMutablePointer<UInt64>

    func run(_ range: Range<Int>, worker: Int) {
        let first = range.lowerBound * Self.length
        let end = min(range.upperBound * Self.length, count)
        sums[worker] &+= read(base + first, end - first)
    }
}
