public import LeapBlocks

/// What a model remembers of ``length`` tokens that follow each other in a sequence: their keys and values in every
/// attention layer, the rolling inputs of every short-convolution layer behind the last of them, and of some segments the
/// matrices of every layer with the delta rule.
///
/// Segments that follow each other from the start of a sequence restore it at the end of any of them: keys and values of
/// all, and convolutions and matrices of the last, which may be shorter. That is what a hybrid model needs, whose convolutions cannot be
/// rolled back. A value; its memory is shared with the states that it came from and went into, and never changes.
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

    /// Whether a sequence can go on behind the segment. Else it only leads to one behind which it can.
    public var hasEnd: Bool { layers.allSatisfy(\.hasEnd) }

    /// The segment without what only a sequence needs that goes on behind it: where layers remember by matrices, that is much
    /// more than what they keep of its tokens.
    public func withoutEnd() -> StateSegment {
        StateSegment(
            count: count, keyValueTypes: keyValueTypes, owner: owner, adapterScales: adapterScales,
            layers: layers.map { $0.withoutEnd() })
    }
}

extension SequenceState {
    /// The segments that the last pass finished, in order. What it read beyond the last of them is in none.
    ///
    /// - Parameter keepsEnd: Asked with the end of the last of them, whether somebody will go on there; the others may have no
    ///   end.
    public func finishedSegments(keepsEnd: (_ position: Int) -> Bool = { _ in true }) -> [StateSegment] {
        let (first, last) = (passStart / StateSegment.length, position / StateSegment.length)
        return (first..<max(first, last)).map { index in
            let positions = index * StateSegment.length..<(index + 1) * StateSegment.length
            return segment(of: positions, keepsEnd: index + 1 == last && keepsEnd(positions.upperBound))
        }
    }

    /// The segment that the last pass began or went on with, as far as it came; `nil` where it came to a segment's end.
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
