/// A segment as bytes: what every layer remembers, in the order of the layers.
extension StateSegment {
    /// Calls `body` with the bytes, piece by piece.
    public func forEachPiece(_ body: (UnsafeRawBufferPointer) -> Void) {
        for layer in layers { layer.forEachPiece(body) }
    }
}

extension SequenceState {
    /// Bytes of a segment of this state's model, however many tokens it has.
    public var segmentByteCount: Int { layers.reduce(0) { $0 + $1.segmentByteCount } }

    /// Bytes of a segment without an end, see ``StateSegment/withoutEnd()``: the same if all segments have one.
    public var endlessSegmentByteCount: Int {
        layers.reduce(0) { $0 + $1.segmentByteCount - $1.endByteCount }
    }

    /// The segment that some bytes describe, which ``StateSegment/forEachPiece(_:)`` gave for a state of the same model.
    ///
    /// - Parameters:
    ///   - bytes: As many as ``segmentByteCount``, or ``endlessSegmentByteCount``.
    ///   - count: Tokens of the segment.
    /// - Returns: `nil` if the number of bytes or tokens differs, or if memory cannot be allocated.
    public func makeSegment(
        copying bytes: UnsafeRawBufferPointer, count: Int = StateSegment.length
    ) -> StateSegment? {
        let hasEnd = bytes.count == segmentByteCount
        guard hasEnd || bytes.count == endlessSegmentByteCount, (1...StateSegment.length).contains(count) else {
            return nil
        }
        var parts: [any LayerSegment] = []
        var start = 0
        for layer in layers {
            let end = start + layer.segmentByteCount - (hasEnd ? 0 : layer.endByteCount)
            guard let part = layer.makeSegment(copying: UnsafeRawBufferPointer(rebasing: bytes[start..<end])) else {
                return nil
            }
            parts.append(part)
            start = end
        }
        return StateSegment(
            count: count, keyValueTypes: keyValueTypes, owner: owner, adapterScales: adapterScales, layers: parts)
    }
}
