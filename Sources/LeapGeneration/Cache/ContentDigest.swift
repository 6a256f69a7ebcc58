import Foundation
import LeapDigest
import LeapGGUF
import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// The SHA-256 of the meaningful content of a model's file, which identifies the model.
///
/// A small file is hashed at once. The digest of a large one is looked up in the cache's folder by the file's identity and
/// times (see ``DigestNote``). If it is not there, a low-priority thread computes and stores it while the model is already
/// in use.
final class ContentDigest: Sendable {
    private let state = Mutex(State())
    private let changes = DispatchSemaphore(value: 0)

    private struct State {
        var value: [UInt8]?
        /// Whether the computation has ended, with a value or without one.
        var isFinal = false
        var isCancelled = false
    }

    /// Bytes that are hashed at once: that takes some milliseconds.
    static let smallSize = 8 << 20

    /// - Parameter smallSize: The most bytes that are hashed at once.
    init(of file: GGUFFile, in folder: CacheFolder, smallSize: Int = ContentDigest.smallSize) {
        let note = DigestNote(of: file)
        if let value = note?.read(in: folder) {
            finish(value)
        } else if file.contentSize <= smallSize {
            finish(Self.digest(of: file))
        } else {
            begin { isCancelled in
                let value = Self.digest(of: file, isCancelled: isCancelled)
                if let value { note?.write(value, in: folder) }
                return value
            }
        }
    }

    /// A digest that is computed otherwise.
    init(_ compute: @escaping @Sendable (_ isCancelled: () -> Bool) -> [UInt8]?) { begin(compute) }

    /// Computes the digest on a thread of its own.
    private func begin(_ compute: @escaping @Sendable (_ isCancelled: () -> Bool) -> [UInt8]?) {
        let thread = Thread { [self] in
            Self.lowerPriority()
            finish(compute { state.withLock { $0.isCancelled } })
        }
        thread.qualityOfService = .background
        thread.start()
    }

    /// The digest, 32 bytes; `nil` if it is not known yet, or never will be.
    var value: [UInt8]? { state.withLock { $0.value } }

    /// Waits for the digest; `nil` if the file cannot be read or has changed, or the computation was cancelled.
    func wait() -> [UInt8]? {
        if !state.withLock({ $0.isFinal }) {
            changes.wait()
            // Wake the next waiting thread, too.
            changes.signal()
        }
        return value
    }

    /// Computes no further: what is not known by now never will be.
    func cancel() { state.withLock { $0.isCancelled = true } }

    private func finish(_ value: [UInt8]?) {
        state.withLock { ($0.value, $0.isFinal) = (value, true) }
        changes.signal()
    }

    /// The digest of the shards' digests; `nil` if the file cannot be read or the computation is cancelled.
    static func digest(of file: GGUFFile, isCancelled isAskedToEnd: () -> Bool = { false }) -> [UInt8]? {
        var shards: [SHA256] = []
        var isCancelled = false
        do {
            try file.readContent { shard, bytes in
                if shard == shards.count { shards.append(SHA256()) }
                shards[shard].update(bufferPointer: bytes)
                isCancelled = isAskedToEnd()
                return !isCancelled
            }
        } catch {
            // The next generation finds the same, and reports it.
            return nil
        }
        return isCancelled ? nil : Array(SHA256.hash(data: shards.flatMap { Array($0.finalize()) }))
    }

    /// Yields the processors to the model. Linux has no quality-of-service classes, but a nice value per thread.
    private static func lowerPriority() {
        #if canImport(Glibc)
        setpriority(numericCast(PRIO_PROCESS.rawValue), 0, 19)
        #endif
    }
}
