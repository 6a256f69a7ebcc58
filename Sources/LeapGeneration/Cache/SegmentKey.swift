import LeapDigest
import LeapModels

/// Names a segment by everything that it depends on: the model, how it is computed, all tokens and media up to its end,
/// whose they are, and how much adapters weigh.
struct SegmentKey: Hashable, Sendable {
    /// 32 bytes.
    let bytes: [UInt8]

    /// The key of the beginning of every sequence of a model.
    init(fingerprint: [UInt8]) {
        bytes = fingerprint
    }

    /// The key of the segment that follows another one.
    init(after parent: SegmentKey, _ segment: PromptSegment) {
        var hash = SHA256()
        func update(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { hash.update(bufferPointer: $0) }
        }
        hash.update(data: parent.bytes)
        if segment.tokens.count < StateSegment.length { update(UInt64(segment.tokens.count)) }
        for token in segment.tokens { update(token) }
        for piece in segment.pieces {
            for number in [piece.place, piece.row, piece.rowCount, piece.digest.count] {
                update(UInt64(number))
            }
            hash.update(data: piece.digest)
        }
        for scale in segment.adapterScales ?? [] { update(scale.bitPattern) }
        if !segment.owner.isEmpty { hash.update(data: Array(segment.owner.utf8)) }
        bytes = Array(hash.finalize())
    }

    /// The name of the segment's file.
    var fileName: String { bytes.hexadecimal + Self.suffix }

    /// How the names of all segments' files end.
    static let suffix = ".kv"
}
