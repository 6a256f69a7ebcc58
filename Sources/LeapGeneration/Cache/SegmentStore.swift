import Dispatch
import Foundation
import LeapModels
import Synchronization

/// Stores segments in a folder, where they survive the process, up to a number of files and bytes. The least recently used
/// files are evicted first.
///
/// A file is written under a temporary name, synced to disk, and renamed, so that readers never see an incomplete one,
/// even in another process that uses the same folder. Damaged files are removed or rewritten. The store reads on the
/// caller's thread and writes on its own; if it cannot write, it warns once and continues reading. Until the model's
/// digest is known, it finds nothing, and segments wait to be written.
final class SegmentStore: Sendable {
    private let folder: CacheFolder
    private let caps: PrefixCacheConfiguration.Disk
    private let content: ContentDigest
    private let fingerprint: @Sendable (_ content: [UInt8]) -> [UInt8]
    private let queue = DispatchQueue(label: "leap.cache", qos: .utility)
    private let state = Mutex(State())

    private struct State {
        var isWritable = true
        /// Bytes of segments that wait to be written.
        var pendingBytes = 0
        /// What the folder held when it was listed last.
        var usage: (count: Int, byteCount: Int)?
        /// What was written since then.
        var unlisted = (count: 0, byteCount: 0)
    }

    /// The most bytes of segments that may wait to be written. Further ones are dropped.
    private static let maxPendingBytes = 256 << 20

    /// - Parameters:
    ///   - caps: The folder, which is made when the first segment is written, and how much it may hold.
    ///   - content: The digest of the model's file in the folder.
    ///   - fingerprint: Names the model by the digest of its file.
    init(
        _ caps: PrefixCacheConfiguration.Disk, content: ContentDigest,
        fingerprint: @escaping @Sendable (_ content: [UInt8]) -> [UInt8]
    ) {
        self.caps = caps
        self.content = content
        self.fingerprint = fingerprint
        folder = caps.folder
        queue.async { [self] in
            folder.removeAbandonedFiles()
            // The folder may have been filled under larger caps.
            makeRoom(for: 0)
        }
    }

    deinit { content.cancel() }

    /// The key of the beginning of every sequence of the model; `nil` as long as nobody knows which model it is.
    var root: SegmentKey? { content.value.map { SegmentKey(fingerprint: fingerprint($0)) } }

    /// The segment of a key, if the folder has it, with its end or without.
    ///
    /// - Parameters:
    ///   - count: Its positions.
    ///   - model: A state of the model; it is not changed.
    func segment(_ key: SegmentKey, count: Int, for model: SequenceState) -> StateSegment? {
        let name = key.fileName
        let byteCounts = [model.segmentByteCount, model.endlessSegmentByteCount].map {
            SegmentFile.byteCount(payload: $0)
        }
        guard let data = folder.read(name, byteCounts: byteCounts) else { return nil }
        guard let segment = SegmentFile(key: key, count: count).segment(in: data, for: model) else {
            folder.remove(name)
            return nil
        }
        queue.async { [folder] in folder.markAsUsed(name) }
        return segment
    }

    /// Queues a segment to be written.
    ///
    /// - Parameter path: The edges from the root to this segment, whose own is the last.
    func save(_ segment: StateSegment, at path: [PromptSegment]) {
        let byteCount = segment.byteCount
        let mayWrite = state.withLock { state in
            guard state.isWritable, state.pendingBytes + byteCount <= Self.maxPendingBytes else { return false }
            state.pendingBytes += byteCount
            return true
        }
        guard mayWrite else { return }
        queue.async { [self] in
            if let content = content.wait() {
                let root = SegmentKey(fingerprint: fingerprint(content))
                let key = path.reduce(root) { SegmentKey(after: $0, $1) }
                write(segment, SegmentFile(key: key, count: segment.count))
            }
            state.withLock { $0.pendingBytes -= byteCount }
        }
    }

    /// Waits until all pending segments are written. If the model's digest is still being computed, waits no longer than
    /// `patience` and then gives up on writing.
    func flush(patience: DispatchTimeInterval = .seconds(5)) {
        if root == nil, state.withLock({ $0.pendingBytes == 0 }) { content.cancel() }
        let isDone = DispatchSemaphore(value: 0)
        queue.async { isDone.signal() }
        guard isDone.wait(timeout: .now() + patience) == .timedOut else { return }
        content.cancel()
        isDone.wait()
    }

    /// Writes a file, unless an intact one is there. The existing file is verified, because readers stop at the first
    /// damaged file of a chain: without the check, a chain with several damaged files would be repaired by only one per
    /// run.
    private func write(_ segment: StateSegment, _ file: SegmentFile) {
        let name = file.key.fileName
        let byteCount = SegmentFile.byteCount(payload: segment.byteCount)
        guard state.withLock({ $0.isWritable }), byteCount <= caps.maxBytes else { return }
        if let data = folder.read(name, byteCounts: [byteCount]) {
            if file.isWhole(data, segment.keyValueTypes) { return folder.markAsUsed(name) }
            folder.remove(name)
        }
        do {
            try folder.write(name) { append in try file.forEachPiece(of: segment, append) }
            makeRoom(for: byteCount)
        } catch {
            state.withLock { $0.isWritable = false }
            caps.warn(
                "the cache folder '\(folder.path)' cannot be written, so new entries are kept only in memory: \(error)")
        }
    }

    /// Evicts the oldest files beyond the caps. Other models and processes add and remove files, too, so the folder is listed
    /// again whenever a cap seems to be reached, and after every 1/32 of a cap that this model has added.
    ///
    /// - Parameter added: Bytes of the file that was written.
    private func makeRoom(for added: Int) {
        let isKnown = state.withLock { state in
            state.unlisted.count += 1
            state.unlisted.byteCount += added
            guard let listed = state.usage else { return false }
            return state.unlisted.count <= caps.maxEntries / 32 && state.unlisted.byteCount <= caps.maxBytes / 32
                && listed.count + state.unlisted.count <= caps.maxEntries
                && listed.byteCount + state.unlisted.byteCount <= caps.maxBytes
        }
        if isKnown { return }
        let left = folder.removeOldest(SegmentKey.suffix, maxEntries: caps.maxEntries, maxBytes: caps.maxBytes)
        state.withLock { ($0.usage, $0.unlisted) = (left, (0, 0)) }
    }
}
