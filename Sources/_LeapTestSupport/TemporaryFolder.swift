public import Foundation
import Synchronization

/// A folder that exists as long as the value, and no longer than the process.
public final class TemporaryFolder: Sendable {
    /// The folder.
    public let url = FileManager.default.temporaryDirectory.appending(path: "leap-tests-\(UUID().uuidString)")

    /// Makes the folder.
    public init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        LivingFolders.shared.add(url)
    }

    deinit { LivingFolders.shared.remove(url) }

    /// The path of a name in the folder, whether it exists or not.
    public func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file and returns its path.
    public func write(_ name: String, _ content: some Sequence<UInt8>) throws -> String {
        try Data(content).write(to: url.appending(path: name))
        return path(name)
    }

    /// Writes a text file and returns its path.
    public func write(_ name: String, _ text: String) throws -> String { try write(name, text.utf8) }

    /// The names of all items in the folder.
    public var content: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }
}

/// The folders of tests that are still running.
///
/// A test that ends with its process, as those in a process of their own do, may leave a folder in the hands of a task that
/// has not come to its end; those go when the process does.
private final class LivingFolders: Sendable {
    static let shared = LivingFolders()

    private let urls = Mutex<Set<URL>>([])

    private init() { atexit { LivingFolders.shared.removeAll() } }

    func add(_ url: URL) { urls.withLock { _ = $0.insert(url) } }

    /// Removes a folder. A cache that is being written may put a file into it meanwhile, so one attempt is not enough.
    func remove(_ url: URL) {
        urls.withLock { _ = $0.remove(url) }
        for _ in 0..<50 {
            try? FileManager.default.removeItem(at: url)
            guard FileManager.default.fileExists(atPath: url.path) else { return }
            usleep(20_000)
        }
    }

    private func removeAll() { urls.withLock { Array($0) }.forEach(remove) }
}
