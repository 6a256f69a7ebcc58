import Dispatch
import Foundation
import LeapGGUF
import LeapModels
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Stores segments in a folder, where they survive the process, up to a number of files and bytes. The least recently used
/// files are evicted first; every use of a segment also uses those before it, so the ends of prompts go before their
/// beginnings.
///
/// A file is written under a temporary name, synced to disk, and renamed, so that readers never see an incomplete one,
/// even in another process that uses the same folder. Damaged files are removed or rewritten. The store reads on the
/// caller's thread and writes on its own; if it cannot write, it warns once, continues reading, and tries again later. Until
/// the model's digest is known, it finds nothing, and segments wait to be written.
final class SegmentStore: Sendable {
    private let folder: CacheFolder
    private let caps: PrefixCacheConfiguration.Disk
    private let content: ContentDigest
    private let sizes: SegmentFile.Sizes
    private let fingerprint: @Sendable (_ content: [UInt8]) -> [UInt8]
    private let queue = DispatchQueue(label: "leap.cache", qos: .utility)
    private let state: Mutex<State>

    private struct State {
        var pause: WritePause
        var hasWarned = false
        /// Bytes of segments that wait to be written.
        var pendingBytes = 0
        /// Bytes of segments that wait until it is known whether their files are there.
        var usedBytes = 0
        /// What the folder held when it was listed last.
        var usage: (count: Int, byteCount: Int)?
        /// What was written since then.
        var unlisted = (count: 0, byteCount: 0)
    }

    /// A segment of a prompt, and its key.
    struct Link {
        let key: SegmentKey
        let segment: StateSegment
    }

    /// The most bytes of segments that may wait to be written, or to be looked for. Further ones are not.
    private static let maxPendingBytes = 256 << 20

    /// - Parameters:
    ///   - caps: The folder, which is made when the first segment is written, and how much it may hold.
    ///   - content: The digest of the model's file in the folder.
    ///   - sizes: How large files of the model's segments are.
    ///   - fingerprint: Names the model by the digest of its file.
    init(
        _ caps: PrefixCacheConfiguration.Disk, content: ContentDigest, sizes: SegmentFile.Sizes,
        fingerprint: @escaping @Sendable (_ content: [UInt8]) -> [UInt8]
    ) {
        self.caps = caps
        self.content = content
        self.sizes = sizes
        self.fingerprint = fingerprint
        folder = caps.folder
        state = Mutex(State(pause: WritePause(caps.retryPauses)))
        queue.async { [self] in
            folder.removeAbandonedFiles()
            // The folder may have been filled under larger caps.
            list()
        }
    }

    /// Ends the search for the model's digest, because nobody needs the store any more: segments that wait for the digest are
    /// dropped, with the store, and others are still written.
    func stopHashing() { content.cancel() }

    /// The key of the beginning of every sequence of the model; `nil` as long as nobody knows which model it is.
    var root: SegmentKey? { content.value.map { SegmentKey(fingerprint: fingerprint($0)) } }

    /// The segment of a key, if the folder has it, with its end or without.
    ///
    /// - Parameters:
    ///   - count: Its positions.
    ///   - needsEnd: Whether only a segment with an end is wanted.
    ///   - model: A state of the model; it is not changed.
    func segment(
        _ key: SegmentKey, count: Int, needsEnd: Bool = false, for model: SequenceState
    ) -> StateSegment? {
        let name = key.fileName
        guard let data = folder.read(name, byteCounts: needsEnd ? [sizes.withEnd] : sizes.all) else { return nil }
        if needsEnd && data.isEmpty { return nil }
        guard let segment = SegmentFile(key: key, count: count).segment(in: data, for: model) else {
            folder.remove(name)
            return nil
        }
        return segment
    }

    /// Queues a segment to be written.
    ///
    /// - Parameter path: The edges from the root to this segment, whose own is the last.
    func save(_ segment: StateSegment, at path: [PromptSegment]) {
        let byteCount = segment.byteCount
        let mayWrite = state.withLock { state in
            guard state.pause.isOver, state.pendingBytes + byteCount <= Self.maxPendingBytes else { return false }
            state.pendingBytes += byteCount
            return true
        }
        guard mayWrite else { return }
        queue.async { [self] in
            if let content = content.wait(), let edge = path.last {
                let root = SegmentKey(fingerprint: fingerprint(content))
                let parent = path.dropLast().reduce(root) { SegmentKey(after: $0, $1) }
                // Nobody would find a segment without those before it.
                if let time = path.count > 1 ? folder.lastUse(of: parent.fileName)?.behind() : .now {
                    write(Link(key: SegmentKey(after: parent, edge), segment: segment), at: time)
                }
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

    /// Writes a file, unless an intact one is there that has an end or needs none. The existing file is verified, because
    /// readers stop at the first damaged file of a chain: without the check, a chain with several damaged files would be
    /// repaired by only one per run.
    ///
    /// - Parameter time: Its time of use, before which the segments before it were used.
    /// - Returns: Whether the file is there.
    @discardableResult
    private func write(_ link: Link, at time: UseTime) -> Bool {
        let (file, name) = (SegmentFile(key: link.key, count: link.segment.count), link.key.fileName)
        let byteCount = SegmentFile.byteCount(payload: link.segment.byteCount)
        guard state.withLock({ $0.pause.isOver }), byteCount <= caps.maxBytes else { return false }
        if let data = folder.read(name, byteCounts: sizes.all) {
            let isWhole = file.isWhole(data, link.segment.keyValueTypes)
            if isWhole && data.count >= byteCount { return folder.markAsUsed(name, at: time) }
            if !isWhole { folder.remove(name) }
        }
        do {
            try makingSpace(for: byteCount, usedBefore: time) {
                try folder.write(name) { append in try file.forEachPiece(of: link.segment, append) }
            }
        } catch {
            warn(error)
            return false
        }
        state.withLock { $0.pause.forget() }
        folder.markAsUsed(name, at: time)
        makeRoom(for: byteCount)
        return true
    }

    /// Calls `write`, and once more if the disk was full, and the folder had older files to remove.
    private func makingSpace(for byteCount: Int, usedBefore time: UseTime, _ write: () throws -> Void) throws {
        do {
            try write()
        } catch {
            guard Self.isFull(error), folder.free(byteCount, SegmentKey.suffix, usedBefore: time) else { throw error }
            try write()
        }
    }

    /// Whether an error says that a disk has no room, or a user no more of it.
    private static func isFull(_ error: any Error) -> Bool {
        switch error {
        case GGUFError.write(_, .system(_, let error)): [ENOSPC, EDQUOT].contains(error.code)
        case let failure as CacheFolder.Failure: [ENOSPC, EDQUOT].contains(failure.code)
        default: false
        }
    }

    private func warn(_ error: any Error) {
        let isFirst = state.withLock { state in
            state.pause.begin()
            defer { state.hasWarned = true }
            return !state.hasWarned
        }
        guard isFirst else { return }
        caps.warn(
            "the cache folder '\(folder.path)' cannot be written, so new entries are kept only in memory: \(error)")
    }
}

// MARK: - Uses

extension SegmentStore {
    /// Notes that the first segments of a prompt were used. Those whose files are gone, because somebody has removed the
    /// folder, are written again, as far as that evicts nothing: what was evicted would otherwise be written over and over.
    ///
    /// - Parameter chain: The segments from the prompt's beginning.
    func use(_ chain: [Link]) {
        guard !chain.isEmpty else { return }
        let keys = chain.map(\.key)
        let (held, byteCount) = hold(chain)
        queue.async { [self] in
            use(keys, held)
            state.withLock { $0.usedBytes -= byteCount }
        }
    }

    /// The segments that may be kept in memory until they are looked for, and their bytes.
    private func hold(_ chain: [Link]) -> (held: ArraySlice<Link>, byteCount: Int) {
        state.withLock { state in
            var byteCount = 0
            let held = chain.prefix { link in
                let sum = byteCount + link.segment.byteCount
                guard state.usedBytes + sum <= Self.maxPendingBytes else { return false }
                byteCount = sum
                return true
            }
            state.usedBytes += byteCount
            return (held, byteCount)
        }
    }

    /// The first file gets the latest time, and gets it first, so that at no moment a file is older than one that needs it.
    private func use(_ keys: [SegmentKey], _ held: ArraySlice<Link>) {
        let now = UseTime.now
        var isListed = false
        for (index, key) in keys.enumerated() where !folder.markAsUsed(key.fileName, at: now.behind(index)) {
            if !isListed { list() }
            isListed = true
            // Nobody would find the segments behind one that is missing.
            guard held.indices.contains(index), hasRoom(for: held[index]),
                write(held[index], at: now.behind(index))
            else { return }
        }
    }
}

// MARK: - Limits

extension SegmentStore {
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
        if !isKnown { list() }
    }

    /// Evicts the oldest files beyond the caps, and notes what is left.
    private func list() {
        let left = folder.removeOldest(SegmentKey.suffix, maxEntries: caps.maxEntries, maxBytes: caps.maxBytes)
        state.withLock { ($0.usage, $0.unlisted) = (left, (0, 0)) }
    }

    /// Whether a file can be added, and nothing needs to be evicted for it.
    private func hasRoom(for link: Link) -> Bool {
        let byteCount = SegmentFile.byteCount(payload: link.segment.byteCount)
        return state.withLock { state in
            guard let listed = state.usage else { return false }
            return listed.count + state.unlisted.count < caps.maxEntries
                && listed.byteCount + state.unlisted.byteCount <= caps.maxBytes - byteCount
        }
    }
}
