import Foundation

/// The system resources that this process holds.
public struct OpenResources: Sendable, Equatable, CustomStringConvertible {
    /// Open files, pipes, sockets and the like.
    public var descriptors: Int
    /// Mapped memory ranges, if the system reports them.
    public var maps: Int?
    /// Threads, if the system reports them.
    public var threads: Int?

    /// Returns the resources that are open now.
    public static var now: OpenResources {
        #if os(Linux)
        OpenResources(
            // The listing itself takes one.
            descriptors: names(in: "/proc/self/fd").count - 1, maps: lines(of: "/proc/self/maps"),
            threads: names(in: "/proc/self/task").count)
        #else
        OpenResources(descriptors: names(in: "/dev/fd").count - 1)
        #endif
    }

    /// The figures, for messages.
    public var description: String {
        let others = [maps.map { "\($0) maps" }, threads.map { "\($0) threads" }]
        return (["\(descriptors) descriptors"] + others.compactMap(\.self)).joined(separator: ", ")
    }

    private static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// Reads the file to its end, because such files do not report a size.
    private static func lines(of file: String) -> Int? {
        guard let handle = FileHandle(forReadingAtPath: file) else { return nil }
        defer { try? handle.close() }
        var count = 0
        while let bytes = try? handle.read(upToCount: 1 << 16), !bytes.isEmpty {
            count += bytes.count { $0 == UInt8(ascii: "\n") }
        }
        return count
    }
}

extension OpenResources {
    /// Runs something repeatedly, and returns the resources that it leaves open.
    ///
    /// Resources that are opened once and kept, such as a pool's threads, are excluded by a warm-up before the count.
    /// Resources that are closed on another thread get time to be closed.
    ///
    /// Other tests open and close files at the same time, so this needs a process of its own: the body of
    /// `#expect(processExitsWith:)`.
    ///
    /// - Parameter patience: For how many tenths of a second what is left must not have changed.
    /// - Returns: How much more is open than before.
    public static func left(
        after count: Int, patience: Int = 100, _ body: @Sendable () async throws -> Void
    ) async throws -> OpenResources {
        for _ in 0..<max(10, count / 50) { try await body() }
        let before = try await settled(for: 10) { _ in false }
        for _ in 0..<count { try await body() }
        return try await settled(for: patience) { $0.beyond(before).isNothing }.beyond(before)
    }

    /// Whether no more is left than the normal fluctuation: under load the system's pools have more threads, each with
    /// a stack and memory of its own. Even a leak in one use of ten exceeds it after a thousand uses.
    public var isNothing: Bool { isNothing(besides: 0) }

    /// The same where some descriptors may be kept, such as those of connections for later requests.
    public func isNothing(besides kept: Int) -> Bool {
        let pools = 8 + 2 * ProcessInfo.processInfo.activeProcessorCount
        return descriptors <= kept && (threads ?? 0) <= pools && (maps ?? 0) <= 8 * pools
    }

    /// Returns the open resources once they are few enough, or have not changed for some tenths of a second.
    private static func settled(
        for patience: Int, _ isEnough: (OpenResources) -> Bool
    ) async throws -> OpenResources {
        var (latest, unchanged) = (now, 0)
        while unchanged < patience, !isEnough(latest) {
            try await Task.sleep(for: .milliseconds(100))
            let next = now
            unchanged = next == latest ? unchanged + 1 : 0
            latest = next
        }
        return latest
    }

    /// The increase over the resources that were open before.
    private func beyond(_ before: OpenResources) -> OpenResources {
        OpenResources(
            descriptors: descriptors - before.descriptors,
            maps: maps.flatMap { maps in before.maps.map { maps - $0 } },
            threads: threads.flatMap { threads in before.threads.map { threads - $0 } })
    }
}
