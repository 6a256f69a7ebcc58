import LeapModels
import LeapTokenizer

/// What stands in the positions of a ``StateSegment``: an edge of the prefix cache.
struct PromptSegment: Hashable {
    /// ``StateSegment/length`` tokens or, before the end of media, fewer, with ``Prompt/noToken`` for rows of media.
    let tokens: ArraySlice<Token>
    /// Rows of media among them, in their order.
    let pieces: [Piece]
    /// Whose it is, said by the first segment of a prompt for all behind it.
    let owner: String
    /// How much adapters weigh, said in the same place.
    let adapterScales: [Float]?

    /// Rows of one medium, from its row `row` on, in the places from `place` on. A cache keeps what tells them from others, and
    /// not what makes them.
    struct Piece: Hashable {
        let place: Int
        let row: Int
        let digest: [UInt8]
        let rowCount: Int
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

extension PromptSegment {
    /// The same with tokens of its own, which keep no prompt alive.
    var detached: PromptSegment {
        PromptSegment(tokens: Array(tokens)[...], pieces: pieces, owner: owner, adapterScales: adapterScales)
    }
}

extension Prompt {
    /// The segments that the first positions fill.
    func segments(upTo end: Int) -> [PromptSegment] {
        (0..<min(end, count) / StateSegment.length).map {
            segment($0 * StateSegment.length..<($0 + 1) * StateSegment.length)
        }
    }

    /// What fills some of the positions between two ends of segments.
    func segment(_ range: Range<Int>) -> PromptSegment {
        let pieces = media.filter { $0.start < range.upperBound && range.lowerBound < $0.end }.map {
            PromptSegment.Piece(
                place: max(0, $0.start - range.lowerBound), row: max(0, range.lowerBound - $0.start),
                digest: $0.media.digest, rowCount: $0.media.rowCount)
        }
        let isFirst = range.lowerBound == 0
        return PromptSegment(
            tokens: tokens[range], pieces: pieces, owner: isFirst ? owner : "",
            adapterScales: isFirst ? adapterScales : nil)
    }

    /// The first position behind another one where a state is kept and can be restored: an end of media or of a segment, but not
    /// amid media, which are read whole or not at all.
    func nextBoundary(after position: Int) -> Int {
        var boundary = (position / StateSegment.length + 1) * StateSegment.length
        while isAmidMedia(boundary) { boundary += StateSegment.length }
        return min(boundary, mediaEnds(in: position + 1..<boundary).first ?? boundary)
    }

    /// The last such position that is not behind another one.
    func lastBoundary(upTo end: Int) -> Int {
        var boundary = end / StateSegment.length * StateSegment.length
        while isAmidMedia(boundary) { boundary -= StateSegment.length }
        return max(boundary, mediaEnds(in: boundary..<end + 1).last ?? boundary)
    }

    /// Whether a sequence should be able to go on at the end of a segment, where that takes memory of its own: at the last of
    /// the prompt, where the conversation goes on, and about every 512 positions before, where other prompts may branch off.
    ///
    /// - Parameter start: Where the pass began of whose segments it is the last.
    func keepsEnd(at position: Int, from start: Int) -> Bool {
        let distance = 4 * StateSegment.length
        return count - position < StateSegment.length || position / distance > start / distance
    }

    /// Where media end behind which other things follow for a while. Whoever asks again about a picture finds all of it, and
    /// not only what fills segments; of pictures that follow each other closely, the end of the last is enough.
    func mediaEnds(in positions: Range<Int>) -> [Int] {
        media.indices.compactMap { index in
            let end = media[index].end
            let next = index + 1 < media.count ? media[index + 1].start : .max
            return positions.contains(end) && next - end >= StateSegment.length ? end : nil
        }
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
