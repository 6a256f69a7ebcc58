import Foundation
import LeapBlocks
import LeapDigest
import LeapModels

/// A segment as a file:
///
///     offset  bytes
///          0      8  "leap-kv" and a zero
///          8      4  version of the format, 4
///         12      4  positions of the segment, 1 to 128
///         16      4  type of keys, as ggml numbers it
///         20      4  type of values
///         24     32  key of the segment, see ``SegmentKey``
///         56      8  bytes of the payload
///         64     32  SHA-256 of all bytes before and after this field
///         96      …  payload: what every layer remembers, see ``StateSegment/forEachPiece(_:)``
///
/// Numbers are little-endian.
struct SegmentFile {
    private static let magic = Array("leap-kv\0".utf8)
    private static let version: UInt32 = 4
    private static let digestOffset = 64
    private static let headerCount = digestOffset + SHA256.byteCount

    /// Bytes of a file with a payload of some bytes.
    static func byteCount(payload: Int) -> Int { headerCount + payload }

    /// Bytes of the files of a model's segments.
    struct Sizes {
        let withEnd: Int
        /// Equal to ``withEnd`` in models all of whose segments have an end.
        let withoutEnd: Int

        init(of state: SequenceState) {
            withEnd = SegmentFile.byteCount(payload: state.segmentByteCount)
            withoutEnd = SegmentFile.byteCount(payload: state.endlessSegmentByteCount)
        }

        /// What a file's size may be.
        var all: [Int] { [withEnd, withoutEnd] }
    }

    let key: SegmentKey
    /// Positions of the segment.
    var count = StateSegment.length

    /// The bytes of the file, in pieces that are written one after another.
    func forEachPiece(of segment: StateSegment, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let head = head(segment.keyValueTypes, payloadCount: segment.byteCount)
        var hash = SHA256()
        hash.update(data: head)
        segment.forEachPiece { hash.update(bufferPointer: $0) }
        try head.withUnsafeBytes(body)
        try Array(hash.finalize()).withUnsafeBytes(body)
        var failure: (any Error)?
        segment.forEachPiece { piece in
            guard failure == nil else { return }
            do { try body(piece) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// The segment of a file; `nil` if the file is anything else than what was written for this segment.
    func segment(in file: Data, for state: SequenceState) -> StateSegment? {
        withPayload(of: file, state.keyValueTypes) { state.makeSegment(copying: $0, count: count) }
    }

    /// Whether a file is what is written for this segment.
    func isWhole(_ file: Data, _ types: KeyValueTypes) -> Bool {
        withPayload(of: file, types) { _ in true } ?? false
    }

    /// Calls `body` with the payload of a file that is what was written for this segment.
    private func withPayload<Result>(
        of file: Data, _ types: KeyValueTypes, _ body: (UnsafeRawBufferPointer) -> Result?
    ) -> Result? {
        let payloadCount = file.count - Self.headerCount
        guard payloadCount >= 0 else { return nil }
        return file.withUnsafeBytes { bytes in
            let head = bytes[..<Self.digestOffset]
            let payload = UnsafeRawBufferPointer(rebasing: bytes[Self.headerCount...])
            guard head.elementsEqual(self.head(types, payloadCount: payloadCount)) else { return nil }
            var hash = SHA256()
            hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: head))
            hash.update(bufferPointer: payload)
            guard hash.finalize().elementsEqual(bytes[Self.digestOffset..<Self.headerCount]) else { return nil }
            return body(payload)
        }
    }

    private func head(_ types: KeyValueTypes, payloadCount: Int) -> [UInt8] {
        var bytes = Self.magic
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
        }
        append(Self.version)
        append(UInt32(count))
        append(types.keys.rawValue)
        append(types.values.rawValue)
        bytes += key.bytes
        append(UInt64(payloadCount))
        return bytes
    }
}
