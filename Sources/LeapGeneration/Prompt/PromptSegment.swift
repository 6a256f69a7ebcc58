import LeapModels
import LeapTokenizer

/// The content of the positions of a ``StateSegment``: an edge in the trie of the prefix cache.
struct PromptSegment: Hashable {
    /// ``StateSegment/length`` tokens, or fewer if the segment ends with media; ``Prompt/noToken`` for rows of media.
    let tokens: ArraySlice<Token>
    /// Rows of media among them, in their order.
    let pieces: [Piece]
    /// The prompt's owner in its first segment; empty in all others, which follow from the first.
    let owner: String
    /// The prompt's adapter scales, likewise in its first segment only.
    let adapterScales: [Float]?

    /// Rows of one medium: from its row `row` on, at the segment's positions from `place` on. Only the digest is kept,
    /// not the encoder.
    struct Piece: Hashable {
        let place: Int
        let row: Int
        let digest: [UInt8]
        let rowCount: Int
    }

    // Compares elements only: the indices of a slice depend on where it was cut.
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
    /// A copy with its own token storage, so that it does not keep the whole prompt's alive.
    var detached: PromptSegment {
        PromptSegment(tokens: Array(tokens)[...], pieces: pieces, owner: owner, adapterScales: adapterScales)
    }
}

extension Prompt {
    /// The complete segments within the first `end` positions.
    func segments(upTo end: Int) -> [PromptSegment] {
        (0..<min(end, count) / StateSegment.length).map {
            segment($0 * StateSegment.length..<($0 + 1) * StateSegment.length)
        }
    }

    /// The content of a range of positions, which lies within one segment.
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

    /// The first position after `position` where a state can be saved and restored: the end of a segment or of media,
    /// but not inside media, which are restored whole or not at all.
    func nextBoundary(after position: Int) -> Int {
        var boundary = (position / StateSegment.length + 1) * StateSegment.length
        while isAmidMedia(boundary) { boundary += StateSegment.length }
        return min(boundary, mediaEnds(in: position + 1..<boundary).first ?? boundary)
    }

    /// The last such position up to `end`.
    func lastBoundary(upTo end: Int) -> Int {
        var boundary = end / StateSegment.length * StateSegment.length
        while isAmidMedia(boundary) { boundary -= StateSegment.length }
        return max(boundary, mediaEnds(in: boundary..<end + 1).last ?? boundary)
    }

    /// Whether to save the recurrent state at the end of a segment, so that a sequence can resume there: at the
    /// prompt's last segment, where the conversation continues, and about every 512 positions before it, where other
    /// prompts may branch off.
    ///
    /// - Parameter start: Where the pass began that ends with this segment.
    func savesRecurrentState(at position: Int, from start: Int) -> Bool {
        let distance = 4 * StateSegment.length
        return count - position < StateSegment.length || position / distance > start / distance
    }

    /// The ends of media that are followed by at least a segment without further media. Saving the state there lets another
    /// question about the same picture reuse all of it, not only its complete segments. Of pictures close behind each other,
    /// the end of the last is enough.
    func mediaEnds(in positions: Range<Int>) -> [Int] {
        media.indices.compactMap { index in
            let end = media[index].end
            let next = index + 1 < media.count ? media[index + 1].start : .max
            return positions.contains(end) && next - end >= StateSegment.length ? end : nil
        }
    }

    /// Whether a boundary is between two rows of the same media.
    private func isAmidMedia(_ boundary: Int) -> Bool {
        media.contains { $0.contains(boundary: boundary) }
    }

    /// Whether two prompts have the same owner, scales and content up to `end`, a position within both.
    func agrees(with other: Prompt, upTo end: Int) -> Bool {
        owner == other.owner && adapterScales == other.adapterScales && tokens[..<end] == other.tokens[..<end]
            && media.prefix { $0.start < end } == other.media.prefix { $0.start < end }
    }
}
