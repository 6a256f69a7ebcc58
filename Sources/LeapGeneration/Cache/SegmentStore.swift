import Dispatch
import Foundation
import LeapModels
import Synchronization

/// Segments in a folder, where they survive the process, up to a number of files and bytes: those not used for longest go
/// first.
///
/// A file is written under another name, brought to the disk, and renamed, so that whoever finds it finds it whole, also
/// in a second process that uses the same folder. Whatever is found not to be what was written is removed or written anew.
/// The store reads on the caller's thread and writes on one of its own; when it cannot write, it says so once and goes on
/// reading. As long as nobody knows which model it is, it finds nothing, and what is to be written waits.
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
        /// What the folder holds, as far as is known.
        var usage: (count: Int, byteCount: Int)?
    }

    /// Bytes of segments that may wait to be written; what comes then is not written.
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
            // The caps may have been others when the folder was filled.
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

    /// Writes a segment soon.
    ///
    /// - Parameter path: What fills the segments from the beginning to this one, which is the last.
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

    /// Waits until everything is written; of a model that is still unknown then, until it should be known.
    func flush(patience: DispatchTimeInterval = .seconds(5)) {
        if root == nil, state.withLock({ $0.pendingBytes == 0 }) { content.cancel() }
        let isDone = DispatchSemaphore(value: 0)
        queue.async { isDone.signal() }
        guard isDone.wait(timeout: .now() + patience) == .timedOut else { return }
        content.cancel()
        isDone.wait()
    }

    /// Writes a file, unless it is there. Whether it is whole is looked at: otherwise a chain of files of which several are
    /// damaged would lose only one of them each time.
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
                "the cache in '\(folder.path)' cannot be written, so it stays in memory from now on: \(error)")
        }
    }

    /// Removes the oldest files beyond the caps. Other processes may have added or removed some, so the folder is looked at
    /// anew each time that a cap seems to be reached.
    ///
    /// - Parameter added: Bytes of the file that was written.
    private func makeRoom(for added: Int) {
        let known = state.withLock { $0.usage.map { ($0.count + 1, $0.byteCount + added) } }
        if let known, known.0 <= caps.maxEntries, known.1 <= caps.maxBytes {
            state.withLock { $0.usage = known }
        } else {
            let left = folder.removeOldest(
                SegmentKey.suffix, maxEntries: caps.maxEntries, maxBytes: caps.maxBytes)
            state.withLock { $0.usage = left }
        }
    }
}
