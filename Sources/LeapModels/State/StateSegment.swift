public import LeapBlocks

/// What a model remembers of ``length`` tokens that follow each other in a sequence: their keys and values in every
/// attention layer, the rolling inputs of every short-convolution layer after the last of them, and of some segments the
/// matrices of every layer with the delta rule.
///
/// Consecutive segments from the start of a sequence restore it at the end of any of them that has an end: with the keys and
/// values of all, and the convolutions and matrices of the last one, which may be shorter. Hybrid models need this, because
/// their convolutions and matrices cannot be rolled back to any position. A segment is an immutable value; its memory is
/// shared with the states that it came from and was restored to.
public struct StateSegment: Sendable {
    /// Tokens of a segment that others can follow.
    public static let length = 128

    /// Tokens of this one: ``length``, or fewer.
    public let count: Int

    /// How keys and values are kept.
    public let keyValueTypes: KeyValueTypes
    /// The model that the segment belongs to.
    let owner: ModelIdentity
    /// How much every adapter of the model weighed.
    let adapterScales: [Float]
    /// One per layer.
    let layers: [any LayerSegment]

    /// Bytes of memory that the segment keeps alive.
    public var byteCount: Int { layers.reduce(0) { $0 + $1.byteCount } }

    /// Whether a sequence can resume after the segment. If not, the segment is only useful together with a later one
    /// that has an end.
    public var hasEnd: Bool { layers.allSatisfy(\.hasEnd) }

    /// The segment without what is needed only to resume after it: for recurrent layers, whose matrices are much
    /// larger than the state of the tokens.
    public func withoutEnd() -> StateSegment {
        StateSegment(
            count: count, keyValueTypes: keyValueTypes, owner: owner, adapterScales: adapterScales,
            layers: layers.map { $0.withoutEnd() })
    }
}

extension SequenceState {
    /// The segments that the last pass finished, in order. What it read beyond the last of them is in none.
    ///
    /// - Parameter keepsEnd: Called with the end position of the last segment; whether a sequence should be able to
    ///   resume there. The other segments may have no end.
    public func finishedSegments(keepsEnd: (_ position: Int) -> Bool = { _ in true }) -> [StateSegment] {
        let (first, last) = (passStart / StateSegment.length, position / StateSegment.length)
        return (first..<max(first, last)).map { index in
            let positions = index * StateSegment.length..<(index + 1) * StateSegment.length
            return segment(of: positions, keepsEnd: index + 1 == last && keepsEnd(positions.upperBound))
        }
    }

    /// The incomplete segment at the end of the last pass; `nil` if the pass ended at a segment boundary.
    public func unfinishedSegment() -> StateSegment? {
        let start = position / StateSegment.length * StateSegment.length
        guard start < position else { return nil }
        shareCurrentBlock()
        return segment(of: start..<position, keepsEnd: true)
    }

    private func segment(of positions: Range<Int>, keepsEnd: Bool) -> StateSegment {
        StateSegment(
            count: positions.count, keyValueTypes: keyValueTypes, owner: owner, adapterScales: adapterScales,
            layers: layers.map { $0.segment(of: positions, keepsEnd: keepsEnd) })
    }
}
