import LeapModels
import LeapTokenizer

/// What stands in the positions of a ``StateSegment``: an edge of the prefix cache.
struct PromptSegment: Hashable {
    /// ``StateSegment/length`` tokens, with ``Prompt/noToken`` for rows of media.
    let tokens: ArraySlice<Token>
    /// Rows of media among them, in their order.
    let pieces: [Piece]
    /// Whose it is, said by the first segment of a prompt for all behind it.
    let owner: String
    /// How much adapters weigh, said in the same place.
    let adapterScales: [Float]?

    /// Rows of one medium, from its row `row` on, in the places from `place` on.
    struct Piece: Hashable {
        let place: Int
        let row: Int
        let media: PromptMedia
    }

    // A slice's indices are where it was cut, which is nothing of a segment's.
    static func == (one: PromptSegment, other: PromptSegment) -> Bool {
        one.tokens.elementsEqual(other.tokens) && one.pieces == other.pieces && one.owner == other.owner
            && one.adapterScales == other.adapterScales
    }

    func hash(into hasher: inout Hasher) {
        tokens.withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(pieces)
        hasher.combine(owner)
        hasher.combine(adapterScales)
    }
}

extension Prompt {
    /// The segments that the first positions fill.
    func segments(upTo end: Int) -> [PromptSegment] {
        (0..<min(end, count) / StateSegment.length).map(segment)
    }

    private func segment(_ index: Int) -> PromptSegment {
        let range = index * StateSegment.length..<(index + 1) * StateSegment.length
        let pieces = media.filter { $0.start < range.upperBound && range.lowerBound < $0.end }.map {
            PromptSegment.Piece(
                place: max(0, $0.start - range.lowerBound), row: max(0, range.lowerBound - $0.start), media: $0.media)
        }
        let isFirst = index == 0
        return PromptSegment(
            tokens: tokens[range], pieces: pieces, owner: isFirst ? owner : "",
            adapterScales: isFirst ? adapterScales : nil)
    }

    /// The end of the first of the segments behind a position where a state can be restored: not amid media, which are read
    /// whole or not at all.
    func nextBoundary(after position: Int) -> Int {
        var boundary = (position / StateSegment.length + 1) * StateSegment.length
        while isAmidMedia(boundary) { boundary += StateSegment.length }
        return boundary
    }

    /// The last of these ends that is not behind a position.
    func lastBoundary(upTo end: Int) -> Int {
        var boundary = end / StateSegment.length * StateSegment.length
        while isAmidMedia(boundary) { boundary -= StateSegment.length }
        return boundary
    }

    /// Whether a boundary lies between two rows of the same media.
    private func isAmidMedia(_ boundary: Int) -> Bool {
        media.contains { $0.contains(boundary: boundary) }
    }

    /// Whether two prompts are the same up to a position, which is within both, and of the same owner and scales.
    func agrees(with other: Prompt, upTo end: Int) -> Bool {
        owner == other.owner && adapterScales == other.adapterScales && tokens[..<end] == other.tokens[..<end]
            && media.prefix { $0.start < end } == other.media.prefix { $0.start < end }
    }
}
