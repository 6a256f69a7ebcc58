import Synchronization

/// Rows that an encoder computed recently. The prompt cache holds their keys and values; if it has evicted them, the
/// picture or sound need not be encoded again.
final class EncodedRows: Sendable {
    private let state = Mutex(State())

    private struct State {
        var rows: [[UInt8]: [[Float]]] = [:]
        /// What was used last stands last.
        var order: [[UInt8]] = []
        var bytes = 0
    }

    /// Bytes that are kept: those of some ten pictures, or of a few that were cut into tiles.
    static let limit = 64 << 20

    private let limit: Int

    init(limit: Int = EncodedRows.limit) {
        self.limit = limit
    }

    /// The rows of a digest, if they are known.
    func rows(_ digest: [UInt8]) -> [[Float]]? {
        state.withLock { state in
            guard let rows = state.rows[digest] else { return nil }
            state.order.removeAll { $0 == digest }
            state.order.append(digest)
            return rows
        }
    }

    /// Keeps rows, and evicts the least recently used ones.
    func store(_ rows: [[Float]], _ digest: [UInt8]) {
        state.withLock { state in
            guard state.rows[digest] == nil else { return }
            state.rows[digest] = rows
            state.order.append(digest)
            state.bytes += Self.bytes(rows)
            while state.bytes > limit, let oldest = state.order.first {
                state.bytes -= state.rows.removeValue(forKey: oldest).map(Self.bytes) ?? 0
                state.order.removeFirst()
            }
        }
    }

    private static func bytes(_ rows: [[Float]]) -> Int {
        rows.reduce(0) { $0 + $1.count * MemoryLayout<Float>.stride }
    }
}
