import LeapBlocks

// How fast memory can be read: the bound of decoding, which reads every weight once per token.

extension Compute {
    /// Reads every byte once, on all threads, and returns a checksum.
    ///
    /// The time that it takes for a buffer larger than the caches is what this many threads can read at most.
    public func readBytes(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        guard let base = bytes.baseAddress else { return 0 }
        let slice = 64 << 10
        return exclusively {
            let sums = scratch.array(of: UInt64.self, count: threads)
            sums.initialize(repeating: 0, count: threads)
            parallel((bytes.count + slice - 1) / slice, grain: 16) { range, worker in
                let first = range.lowerBound * slice
                let end = min(range.upperBound * slice, bytes.count)
                sums[worker] ^= kernels.floats.readBytes(base + first, end - first)
            }
            return (0..<threads).reduce(0) { $0 ^ sums[$1] }
        }
    }
}
