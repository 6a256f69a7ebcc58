import Dispatch
import Foundation
import LeapModels
import LeapTokenizer
import Synchronization

/// Segments in a folder, where they survive the process. A bounded number of them: the ones not used for longest go first.
///
/// A file is written under another name, brought to the disk, and renamed, so that whoever finds it finds it whole, also
/// in a second process that uses the same folder. Whatever is found not to be what was written is removed. The store
/// reads on the caller's thread and writes on one of its own; when it cannot write, it says so once and goes on reading.
final class SegmentStore: Sendable {
    private let folder: SegmentFolder
    private let maxEntries: Int
    private let queue = DispatchQueue(label: "leap.cache", qos: .utility)
    private let warn: @Sendable (String) -> Void
    private let state = Mutex(State())

    private struct State {
        var isWritable = true
        /// Segments whose writing is under way.
        var pending = 0
        /// Files in the folder, as far as is known.
        var count: Int?
    }

    /// Segments that may wait to be written; what comes then is not written.
    private static let maxPending = 64

    /// - Parameters:
    ///   - path: The folder; made when the first segment is written.
    ///   - maxEntries: The most files.
    ///   - warn: Hears once why nothing can be written.
    init(path: String, maxEntries: Int, warn: @escaping @Sendable (String) -> Void) {
        folder = SegmentFolder(path: path)
        self.maxEntries = maxEntries
        self.warn = warn
        queue.async { [folder] in folder.removeAbandonedFiles() }
    }

    /// The segment that follows another one, if the folder has it.
    ///
    /// - Parameter model: A state of the model; it is not changed.
    func segment(after parent: SegmentKey, _ tokens: [Token], for model: SequenceState) -> StateSegment? {
        let key = SegmentKey(after: parent, tokens)
        let byteCount = SegmentFile.byteCount(payload: model.segmentByteCount)
        guard let data = folder.read(key, byteCount: byteCount) else { return nil }
        guard let segment = SegmentFile(parent: parent, tokens: tokens).segment(in: data, for: model) else {
            folder.remove(folder.path(of: key))
            return nil
        }
        queue.async { [folder] in folder.markAsUsed(key) }
        return segment
    }

    /// Writes a segment soon.
    func save(_ segment: StateSegment, after parent: SegmentKey, _ tokens: [Token]) {
        let mayWrite = state.withLock { state in
            guard state.isWritable, state.pending < Self.maxPending else { return false }
            state.pending += 1
            return true
        }
        guard mayWrite else { return }
        queue.async { [self] in
            write(segment, SegmentFile(parent: parent, tokens: tokens))
            state.withLock { $0.pending -= 1 }
        }
    }

    /// Waits until everything is written.
    func flush() {
        queue.sync {}
    }

    private func write(_ segment: StateSegment, _ file: SegmentFile) {
        let key = SegmentKey(after: file.parent, file.tokens)
        guard state.withLock({ $0.isWritable }), !folder.contains(key) else { return }
        do {
            try folder.write(key) { append in try file.forEachPiece(of: segment, append) }
            makeRoom()
        } catch {
            state.withLock { $0.isWritable = false }
            warn("the cache in '\(folder.path)' cannot be written, so it stays in memory from now on: \(error)")
        }
    }

    /// Removes the oldest files beyond the cap. Another process may have added some, so the folder is counted anew each
    /// time that the cap seems to be reached.
    private func makeRoom() {
        let known = state.withLock { $0.count.map { $0 + 1 } }
        guard known.map({ $0 > maxEntries }) ?? true else { return state.withLock { $0.count = known } }
        let files = folder.oldestFirst()
        let surplus = max(0, files.count - maxEntries)
        files.prefix(surplus).forEach(folder.remove)
        state.withLock { $0.count = files.count - surplus }
    }
}
