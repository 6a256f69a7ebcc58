import LeapBlocks
import LeapOps
import Synchronization

/// What passes of a model take of scratch memory, by what it depends on. Counting walks over all layers, which is worth
/// doing once and not for every token.
final class ScratchSizes: Sendable {
    /// What the size of a pass depends on.
    struct Key: Hashable, Sendable {
        let kind: RowKind
        let kindOfLogits: RowKind
        let rows: Int
        let wanted: Int
        /// Positions of the largest sequence's capacity: none of the rows looks back further.
        let capacity: Int
        let threads: Int
        let level: KernelLevel
    }

    private let bytes = Mutex<[Key: Int]>([:])

    /// More would not be found again.
    private static let limit = 4096

    /// The bytes of a key, which `count` finds out the first time.
    func bytes(of key: Key, _ count: () -> Int) -> Int {
        if let known = bytes.withLock({ $0[key] }) { return known }
        let counted = count()
        bytes.withLock {
            if $0.count >= Self.limit { $0.removeAll() }
            $0[key] = counted
        }
        return counted
    }
}

extension ScratchSizes.Key {
    init(_ batch: Batch, _ compute: Compute) {
        kind = batch.kind
        kindOfLogits = batch.kindOfLogits
        rows = batch.count
        wanted = batch.wanted.count
        capacity = batch.largestCapacity
        threads = compute.threads
        level = compute.kernels.level
    }
}
