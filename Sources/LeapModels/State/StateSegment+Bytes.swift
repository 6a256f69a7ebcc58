import LeapOps

/// A segment as bytes: keys and values of every attention layer, then the values of every short convolution, in the order
/// of the layers, as they lie in memory. All platforms of ours are little-endian.
extension StateSegment {
    /// Calls `body` with the bytes, piece by piece.
    public func forEachPiece(_ body: (UnsafeRawBufferPointer) -> Void) {
        for run in keysAndValues { run.forEachBlock(body) }
        for convolution in convolutions { convolution.values.withUnsafeBytes(body) }
    }
}

extension SequenceState {
    /// Bytes of a segment of this state's model.
    public var segmentByteCount: Int {
        caches.reduce(0) { $0 + $1.byteCount(positions: StateSegment.length) }
            + convolutions.reduce(0) { $0 + $1.byteCount }
    }

    /// The segment that some bytes describe, which ``StateSegment/forEachPiece(_:)`` gave for a state of the same model.
    ///
    /// - Returns: `nil` where the number of bytes is another, or where there is no memory.
    public func makeSegment(copying bytes: UnsafeRawBufferPointer) -> StateSegment? {
        var rest = bytes[...]
        func take(_ count: Int) -> UnsafeRawBufferPointer? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
        }

        var runs: [KeyValueRun] = []
        for cache in caches {
            guard let bytes = take(cache.byteCount(positions: StateSegment.length)),
                let run = cache.makeRun(copying: bytes)
            else { return nil }
            runs.append(run)
        }
        var states = convolutions
        for index in states.indices {
            guard let bytes = take(states[index].byteCount) else { return nil }
            states[index].load(bytes)
        }
        guard rest.isEmpty else { return nil }
        return StateSegment(keyValueTypes: keyValueTypes, owner: owner, keysAndValues: runs, convolutions: states)
    }
}
