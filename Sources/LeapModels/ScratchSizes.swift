import LeapBlocks
import LeapOps
import Synchronization

/// The scratch memory that passes of a model take, by what it depends on. Counting walks over all layers, which is worth
/// doing once and not for every token.
final class ScratchSizes: Sendable {
    /// What the size of a pass depends on.
    struct Key: Hashable, Sendable {
        let kind: RowKind
        let kindOfLogits: RowKind
        let rows: Int
        let wanted: Int
        /// Texts that are embedded, and how; 0 if logits are wanted.
        let texts: Int
        let pooling: Pooling?
        /// Whether every vocabulary entry gets a score.
        let scoresVocabulary: Bool
        /// Positions of the largest sequence's capacity: none of the rows looks back further.
        let capacity: Int
        let threads: Int
        let level: KernelLevel
    }

    private let bytes = Mutex<[Key: Int]>([:])

    /// The most keys that are kept: if passes differ more than that, few of them recur.
    private static let limit = 4096

    /// The bytes of a key, if they have been noted.
    func bytes(of key: Key) -> Int? { bytes.withLock { $0[key] } }

    /// Notes the bytes of a key.
    func record(_ count: Int, of key: Key) {
        bytes.withLock {
            if $0.count >= Self.limit { $0.removeAll() }
            $0[key] = count
        }
    }
}

extension ScratchSizes.Key {
    /// The key of a pass. A function and not an initialiser, which would count references to what the batch holds.
    static func of(_ batch: Batch, _ output: Graph.Output, _ compute: Compute) -> ScratchSizes.Key {
        ScratchSizes.Key(
            kind: batch.kind, kindOfLogits: batch.kindOfLogits, rows: batch.count, wanted: batch.wanted.count,
            texts: output.pooling == nil ? 0 : batch.sequences.count, pooling: output.pooling,
            scoresVocabulary: output.scoresVocabulary, capacity: batch.largestCapacity, threads: compute.threads,
            level: compute.kernels.level)
    }
}
